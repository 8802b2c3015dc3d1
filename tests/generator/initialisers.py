"""Initialisers and compound literals for every type: nested, designated, partial, from strings."""

from tests.generator.context import Context, IntegerMaker
from tests.generator.expression import NO_EFFECTS, POSTFIX, Effects, Expr
from tests.generator.literals import STRINGS, string_length
from tests.generator.ranges import Range
from tests.generator.types import CHAR, UINT, ArrayType, CType, IntType, PointerType, StructType, same_type, target_of


def initialiser(ctx: Context, t: CType, integer: IntegerMaker, *, outer: bool = True) -> Expr:
    """An initialiser as text with its effects; those of a list come in no order, so only a scalar may have any."""
    match t:
        case IntType():
            if outer:
                return integer(ctx, 2)
            with ctx.without_effects():
                return integer(ctx, 1)
        case PointerType():
            return Expr(static_address(ctx, t), UINT, Range(0, 0))
        case ArrayType():
            return _array(ctx, t, integer)
        case StructType():
            return _struct(ctx, t, integer)


def compound_literal(ctx: Context, t: StructType, integer: IntegerMaker) -> Expr:
    ctx.note("compound literal")
    inner = _struct(ctx, t, integer)
    return Expr(f"({t.name}){inner.text}", UINT, Range(0, 0), POSTFIX, inner.effects)


def static_address(ctx: Context, t: PointerType) -> str:
    """The address of an object of static storage, as an address constant; NULL if none exists."""
    target = target_of(t, ctx.world.struct_named)
    found = []
    for place in ctx.visible():
        if place.depth != 0 or not place.addressable or not place.writable:
            continue
        match place.type:
            case other if same_type(other, target):
                found.append(f"&{place.text}")
            case ArrayType(element=element, length=length) if same_type(element, target):
                found.append(f"&{place.text}[{ctx.dice.randrange(length)}]")
            case StructType(fields=fields):
                found += [f"&{place.text}.{f.name}" for f in fields if same_type(f.type, target)]
            case _:
                pass
    if not found or (t.nullable and ctx.chance(0.3)):
        assert t.nullable, "a pointer that is never null is declared only where a target exists"
        ctx.note("null pointer")
        return "NULL"
    ctx.note("address")
    return ctx.pick(found)


def _array(ctx: Context, t: ArrayType, integer: IntegerMaker) -> Expr:
    ctx.note("array")
    if t.element == CHAR and ctx.chance(0.5):
        fitting = [s for s in STRINGS if string_length(s) <= t.length]
        if fitting:
            ctx.note("string literal", "char array from string")
            return Expr(f'"{ctx.pick(fitting)}"', UINT, Range(0, 0))
    given = t.length
    if ctx.chance(0.3):
        given = ctx.dice.randrange(1, t.length + 1)
    positions = list(range(given))
    designated = ctx.chance(0.25)
    if designated:
        positions = sorted(ctx.dice.sample(range(t.length), given), reverse=ctx.chance(0.3))
        ctx.note("designated initialiser")
    if given < t.length:
        ctx.note("partial initialiser")
    parts, effects = [], NO_EFFECTS
    for position in positions:
        e = initialiser(ctx, t.element, integer, outer=False)
        effects |= e.effects
        parts.append(f"[{position}] = {e.argument}" if designated else e.argument)
    return _braces(ctx, parts, effects, isinstance(t.element, ArrayType | StructType))


def _struct(ctx: Context, t: StructType, integer: IntegerMaker) -> Expr:
    ctx.note("struct")
    fields = list(t.fields)
    if ctx.chance(0.25):
        fields = fields[: ctx.dice.randrange(1, len(fields) + 1)]
    if len(fields) < len(t.fields):
        ctx.note("partial initialiser")
    designated = ctx.chance(0.35)
    if designated:
        ctx.dice.shuffle(fields)
        ctx.note("designated initialiser")
    parts, effects = [], NO_EFFECTS
    for field in fields:
        e = initialiser(ctx, field.type, integer, outer=False)
        effects |= e.effects
        parts.append(f".{field.name} = {e.argument}" if designated else e.argument)
    return _braces(ctx, parts, effects, any(isinstance(f.type, ArrayType | StructType) for f in fields))


def _braces(ctx: Context, parts: list[str], effects: Effects, nested: bool) -> Expr:
    if nested:
        ctx.note("nested initialiser")
    return Expr("{" + ", ".join(parts) + "}", UINT, Range(0, 0), effects=effects)
