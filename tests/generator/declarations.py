"""Local variables of every type and storage."""

from tests.generator.calls import pointer_to
from tests.generator.context import Context, Place
from tests.generator.expressions import constant_integer, integer
from tests.generator.initialisers import initialiser
from tests.generator.places import find
from tests.generator.ranges import Range
from tests.generator.simple import late_value, snug
from tests.generator.types import ArrayType, CType, IntType, PointerType, StructType, declaration


def declare(ctx: Context) -> None:
    match ctx.weighted([(8, "integer"), (2, "snug"), (3, "struct"), (3, "array"), (3, "pointer"), (2, "static")]):
        case "integer":
            integer_variable(ctx)
        case "snug":
            _snug_variable(ctx)
        case "struct" if ctx.world.structs:
            _aggregate(ctx, ctx.pick(ctx.world.structs), "s")
        case "array":
            _aggregate(ctx, array_type(ctx), "a")
        case "pointer":
            pointer_variable(ctx)
        case "static":
            _static(ctx)
        case _:
            integer_variable(ctx)


def pick_integer(ctx: Context) -> IntType:
    t = ctx.pick(ctx.world.integers)
    if t.name.startswith("enum "):
        ctx.note("enum")
    elif t.name.endswith("_alias"):
        ctx.note("typedef")
    else:
        ctx.note(f"type {t.name}")
    return t


def array_type(ctx: Context) -> ArrayType:
    element: CType = pick_integer(ctx)
    if ctx.world.structs and ctx.chance(0.2):
        element = ctx.pick(ctx.world.structs)
    inner = ArrayType(element, ctx.dice.randrange(2, 6))
    if ctx.chance(0.3):
        ctx.note("multi-dimensional array")
        inner = ArrayType(ArrayType(element, ctx.dice.randrange(2, 4)), ctx.dice.randrange(2, 4))
        if ctx.chance(0.2):
            inner = ArrayType(inner, 2)
    return inner


def integer_variable(ctx: Context) -> None:
    t = pick_integer(ctx)
    name = ctx.local_name("x")
    ctx.hide(name)
    addressable = ctx.chance(0.4)
    if ctx.chance(0.25):
        ctx.write(f"{declaration(t, name)};")
        late_value(ctx, name, t)
        ctx.declare(name, t, addressable=addressable)
        return
    e = integer(ctx, 2)
    constant = ctx.chance(0.1)
    ctx.write(f"{'const ' if constant else ''}{declaration(t, name)} = {e.argument};")
    ctx.declare(name, t, addressable=addressable and not constant, writable=not constant)


def _snug_variable(ctx: Context) -> None:
    """A variable that only ever holds values of a small range, so that it can index arrays as it is."""
    t = pick_integer(ctx)
    hi = ctx.pick([1, 2, 3]) if not t.is_bool else 1
    name = ctx.local_name("k")
    ctx.hide(name)
    ctx.write(f"{declaration(t, name)} = {snug(ctx, 0, hi).argument};")
    ctx.declare(name, t, values=Range(0, hi), addressable=False)


def _aggregate(ctx: Context, t: CType, prefix: str) -> None:
    name = ctx.local_name(prefix)
    ctx.hide(name)
    if isinstance(t, StructType) and ctx.chance(0.3):
        ctx.write(f"{declaration(t, name)};")
        late_value(ctx, name, t)
    else:
        ctx.write(f"{declaration(t, name)} = {initialiser(ctx, t, integer).text};")
    ctx.declare(name, t, addressable=ctx.chance(0.6))


def pointer_variable(ctx: Context) -> None:
    depth = len(ctx.frames) - 1
    to_pointer = ctx.chance(0.3)

    def wanted(p: Place) -> bool:
        if not p.addressable or not p.writable or p.depth > depth:
            return False
        if to_pointer:
            return isinstance(p.type, PointerType) and not isinstance(p.type.target, PointerType)
        return isinstance(p.type, IntType | StructType)

    target = find(ctx, wanted)
    if target is None:
        integer_variable(ctx)
        return
    t = PointerType(target.type, ctx.chance(0.2) and not to_pointer)
    name = ctx.local_name("p")
    ctx.hide(name)
    value = pointer_to(ctx, t, 0, depth)
    if value is None:
        del ctx.frames[-1][name]
        integer_variable(ctx)
        return
    ctx.write(f"{declaration(t, name)} = {value.text};")
    ctx.note("pointer to pointer" if to_pointer else "address")
    ctx.declare(name, t, addressable=ctx.chance(0.5))


def _static(ctx: Context) -> None:
    ctx.note("static local")
    t: CType = array_type(ctx) if ctx.chance(0.3) else pick_integer(ctx)
    name = ctx.local_name("kept")
    ctx.hide(name)
    e = initialiser(ctx, t, constant_integer)
    ctx.write(f"static {declaration(t, name)} = {e.argument};")
    ctx.declare(name, t, static=True, addressable=ctx.chance(0.4))
