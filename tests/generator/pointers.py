"""Statements about pointers: walks, cursors inside an array, null checks, lists, pointers to arrays and functions."""

from tests.generator.context import Body, Context, Place
from tests.generator.expressions import condition, integer
from tests.generator.literals import STRINGS, string_length
from tests.generator.places import find
from tests.generator.simple import observe, snug
from tests.generator.types import ArrayType, PointerType, declaration, target_of


def _named_array(ctx: Context) -> Place | None:
    found = [p for p in ctx.visible() if isinstance(p.type, ArrayType) and p.addressable and p.writable]
    return ctx.pick(found) if found else None


def walk(ctx: Context, depth: int, body: Body) -> None:
    """A loop whose variable is a pointer that goes through an array."""
    array = _named_array(ctx)
    if array is None:
        observe(ctx)
        return
    assert isinstance(array.type, ArrayType)
    ctx.note("pointer walk", "pointer arithmetic", "pointer comparison", "for")
    t = PointerType(array.type.element, False)
    name, length = ctx.fresh("p"), array.type.length
    start, step = declaration(t, name), ctx.pick([f"++{name}", f"{name}++", f"{name} += 1"])
    test = ctx.pick([f"{name} < {array.text} + {length}", f"{name} != &{array.text}[{length}]"])
    ctx.write(f"for ({start} = {array.text}; {test}; {step}) {{")
    ctx.loops += 1
    ctx.breakable += 1
    with ctx.repeated(length + 1), ctx.scope():
        ctx.declare(name, t, writable=False, addressable=False)
        body(ctx, depth - 1)
    ctx.loops -= 1
    ctx.breakable -= 1
    ctx.write("}")


def cursor(ctx: Context, depth: int, body: Body) -> None:
    """A pointer that moves inside an array and never leaves it."""
    array = _named_array(ctx)
    if array is None:
        observe(ctx)
        return
    assert isinstance(array.type, ArrayType)
    base, length = array.text, array.type.length
    t = PointerType(array.type.element, False)
    ctx.write("{")
    with ctx.scope():
        name = ctx.fresh("at")
        ctx.write(f"{declaration(t, name)} = {base} + {snug(ctx, 0, length - 1).at(13)};")
        ctx.note("pointer arithmetic")
        ctx.declare(name, t, writable=False, addressable=False, needs=(base,))
        for _ in range(ctx.dice.randrange(1, 4)):
            if all(p.text != name for p in ctx.visible()) or base in ctx.frames[-1]:
                break
            _move(ctx, name, base, length)
            body(ctx, min(depth - 1, 1))
    ctx.write("}")


def _move(ctx: Context, name: str, base: str, length: int) -> None:
    match ctx.pick(["step", "back", "jump", "difference", "compare", "index"]):
        case "step":
            ctx.note("pointer comparison")
            ctx.write(f"if ({name} < {base} + {length - 1}) {name}++;")
        case "back":
            ctx.note("pointer comparison")
            ctx.write(f"if ({name} > {base}) --{name};")
        case "jump":
            ctx.note("pointer difference")
            ctx.write(f"{name} = {base} + ({name} - {base} + {snug(ctx, 0, 7).at(13)}) % {length};")
        case "difference":
            ctx.note("pointer difference")
            ctx.write(f"observe({name} - {base}), observe(&{base}[{length - 1}] - {name});")
        case "compare":
            ctx.note("pointer comparison")
            other = f"&{base}[{snug(ctx, 0, length - 1).text}]"
            ctx.write(f"observe(({name} == {other}) + 2 * ({name} >= {other}) + 4 * ({name} < {base} + {length}));")
        case _:
            ctx.note("pointer difference", "pointer arithmetic")
            ctx.write(f"{name} -= {name} - {base}; {name} += {length - 1}; observe({name} == {base} + {length - 1});")


def null_check(ctx: Context, depth: int, body: Body) -> None:
    place = find(ctx, lambda p: isinstance(p.type, PointerType) and p.type.nullable and not p.effects.writes)
    if place is None:
        observe(ctx)
        return
    assert isinstance(place.type, PointerType)
    ctx.note("null check", "if")
    t = PointerType(target_of(place.type, ctx.world.struct_named), False)
    name = ctx.fresh("p")
    test = ctx.pick([place.text, f"{place.text} != NULL", f"!(!{place.text})", f"NULL != {place.text}"])
    ctx.write(f"if ({test}) {{")
    with ctx.scope():
        ctx.write(f"{declaration(t, name)} = {place.text};")
        ctx.declare(name, t, addressable=False)
        body(ctx, depth - 1)
    if ctx.chance(0.3):
        ctx.write("} else {")
        with ctx.scope():
            body(ctx, 1)
    ctx.write("}")


def list_walk(ctx: Context, depth: int, body: Body) -> None:
    """Follows links between structs; assignments may have made a ring of them, so steps are counted too."""
    place = find(
        ctx,
        lambda p: isinstance(p.type, PointerType) and bool(p.type.forward) and p.type.nullable and not p.effects.writes,
        tries=30,
    )
    if place is None:
        observe(ctx)
        return
    assert isinstance(place.type, PointerType)
    ctx.note("linked structs", "null check", "comma")
    struct = ctx.world.struct_named(place.type.forward)
    link = next(f.name for f in struct.fields if isinstance(f.type, PointerType) and f.type.forward == struct.name)
    name, count, times = ctx.fresh("p"), ctx.fresh("n"), ctx.dice.randrange(2, 6)
    ctx.write(f"int {count} = 0;")
    follow = f"{name} = {name}->{link}, {count}++"
    ctx.write(f"for ({struct.name} *{name} = {place.text}; {name} && {count} < {times}; {follow}) {{")
    ctx.loops += 1
    ctx.breakable += 1
    with ctx.repeated(times + 1), ctx.scope():
        ctx.declare(name, PointerType(struct, False), writable=False, addressable=False)
        body(ctx, depth - 1)
    ctx.loops -= 1
    ctx.breakable -= 1
    ctx.write("}")


def pointer_to_array(ctx: Context, depth: int, body: Body) -> None:
    array = find(ctx, lambda p: isinstance(p.type, ArrayType) and p.addressable and p.writable and not p.decayed)
    if array is None or array.effects.writes:
        observe(ctx)
        return
    ctx.note("pointer to array", "address")
    t = PointerType(array.type, False)
    name = ctx.fresh("p")
    ctx.write("{")
    with ctx.scope():
        target = array.text if array.level >= 14 else f"({array.text})"
        ctx.write(f"{declaration(t, name)} = &{target};")
        ctx.declare(name, t, writable=False, addressable=False)
        body(ctx, depth - 1)
    ctx.write("}")


def string_walk(ctx: Context) -> None:
    text = ctx.pick(STRINGS)
    ctx.note("string literal", "pointer walk", "while", "post increment")
    if not ctx.afford(2 * string_length(text)):
        observe(ctx)
        return
    name = ctx.fresh("text")
    ctx.write(f'const char *{name} = "{text}";')
    ctx.write(f"while (*{name}) observe(*{name}++);")


def function_variable(ctx: Context) -> None:
    """A local pointer to one of the functions of a signature, called after it may have been changed."""
    families = [f for f in ctx.world.families if f.cost + 3 <= ctx.budget]
    if not families:
        observe(ctx)
        return
    family = ctx.pick(families)
    names = [f.name for f in family.members if not f.static or f.file == ctx.file]
    if not names or not ctx.afford(family.cost + 3):
        observe(ctx)
        return
    ctx.note("function pointer", "null check")
    name = ctx.fresh("run")
    with ctx.without_effects():
        arguments = ", ".join(integer(ctx, 1).argument for _ in family.parameters)
        ctx.write(f"{family.name} {name} = {ctx.pick([*names, 'NULL'])};")
        ctx.write(f"if ({condition(ctx, 2).text}) {name} = &{ctx.pick(names)};")
        ctx.write(f"if ({name} != NULL) observe({name}({arguments})); else observe({integer(ctx, 0).argument});")
        ctx.write(f"observe({name} == {ctx.pick(names)});")
