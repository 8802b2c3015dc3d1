"""Finds things to read, write and point to among the names in scope."""

from collections.abc import Callable
from dataclasses import replace

from tests.generator.context import Context, Place, natural_range, read
from tests.generator.expression import MEMORY, POSTFIX, PRIMARY, UNARY, Effects, Expr, binary, cast
from tests.generator.literals import constant, literal
from tests.generator.ranges import Range
from tests.generator.types import (
    INT,
    UINT,
    ArrayType,
    CType,
    Field,
    IntType,
    PointerType,
    StructType,
    same_type,
    target_of,
)


def fitted(e: Expr, lo: int, hi: int) -> Expr:
    """The expression brought into the range by the cheapest operator that does it."""
    if e.range.within(Range(lo, hi)):
        return e
    if (hi - lo) & (hi - lo + 1) == 0:
        reduced = binary("&", e, constant(hi - lo))
    else:
        reduced = binary("%", cast(UINT, e), constant(hi - lo + 1))
    assert reduced is not None
    if lo:
        # An unsigned remainder plus a negative offset would wrap around instead of going below zero.
        signed = cast(INT, reduced)
        reduced = binary("+", signed, constant(lo)) or signed
    return reduced


def element(ctx: Context, place: Place) -> Place:
    assert isinstance(place.type, ArrayType)
    index = _index(ctx, place.type.length)
    if index.effects.conflicts(place.effects):
        index = constant(0)
    ctx.note("array")
    if isinstance(place.type.element, StructType):
        ctx.note("array of structs")
    elif isinstance(place.type.element, ArrayType):
        ctx.note("multi-dimensional array")
    inner = place.type.element
    if place.level == PRIMARY and ctx.chance(0.1):
        ctx.note("pointer arithmetic", "dereference")
        text, level = f"*({place.text} + {index.at(UNARY - 1)})", UNARY
    else:
        text, level = f"{_postfix(place)}[{index.text}]", POSTFIX
    return replace(
        place, text=text, type=inner, range=natural_range(inner), effects=place.effects | index.effects, level=level,
        holds=0, accepts=0, decayed=False,
    )  # fmt: skip


def member(ctx: Context, place: Place, field: Field) -> Place:
    ctx.note("struct")
    if isinstance(field.type, StructType):
        ctx.note("nested struct")
    if place.text.startswith("*") and place.level == UNARY and ctx.chance(0.8):
        ctx.note("arrow")
        inner = place.text[1:]
        text = f"{inner}->{field.name}"
    else:
        text = f"{_postfix(place)}.{field.name}"
    addressable = place.addressable and not (isinstance(field.type, IntType) and field.type.bit_field)
    return replace(
        place, text=text, type=field.type, range=natural_range(field.type), level=POSTFIX, holds=0, accepts=0,
        addressable=addressable,
    )  # fmt: skip


def dereferenced(ctx: Context, place: Place) -> Place:
    """What a pointer points to; the pointer must not be null."""
    assert isinstance(place.type, PointerType)
    ctx.note("dereference")
    target = target_of(place.type, ctx.world.struct_named)
    if isinstance(target, PointerType):
        ctx.note("pointer to pointer")
    text = f"*{place.text}" if place.level >= POSTFIX else f"*({place.text})"
    return Place(
        text, target, MEMORY, natural_range(target), True, True, place.holds, place.reading, UNARY,
        holds=place.holds, accepts=0,
    )  # fmt: skip


def find(ctx: Context, wanted: Callable[[Place], bool], tries: int = 10) -> Place | None:
    """A random walk from a random name through members, elements and pointers to something wanted."""
    roots = ctx.visible()
    if not roots or ctx.constant_only:
        return None
    for _ in range(tries):
        # Later names are the inner ones; two draws make them likelier.
        place: Place | None = roots[max(ctx.dice.randrange(len(roots)), ctx.dice.randrange(len(roots)))]
        while place is not None:
            if wanted(place):
                return place
            place = _step(ctx, place)
    return None


def _step(ctx: Context, place: Place) -> Place | None:
    match place.type:
        case StructType(fields=fields):
            return member(ctx, place, ctx.pick(fields))
        case ArrayType():
            return element(ctx, place)
        case PointerType(nullable=False):
            return dereferenced(ctx, place)
        case _:
            return None


def readable_integer(ctx: Context) -> Expr | None:
    place = find(ctx, lambda p: isinstance(p.type, IntType))
    return None if place is None else read(place)


def writable_integer(ctx: Context) -> Place | None:
    return find(ctx, lambda p: isinstance(p.type, IntType) and p.writable)


def of_type(ctx: Context, t: CType, *, writable: bool = False) -> Place | None:
    return find(ctx, lambda p: same_type(p.type, t) and (p.writable or not writable))


def addressable(ctx: Context, t: CType, depth: int) -> Place | None:
    """Something of type `t` whose address may be kept in a pointer that lives in scope `depth`."""
    return find(
        ctx,
        lambda p: p.addressable and p.writable and not p.decayed and p.depth <= depth and same_type(p.type, t),
    )


def address(ctx: Context, place: Place) -> Expr:
    """The address as text with its effects; type and range of the result mean nothing."""
    ctx.note("address")
    if place.text.startswith("*") and place.level == UNARY and ctx.chance(0.7):
        text, level = place.text[1:], UNARY
    else:
        text, level = f"&{place.text}", UNARY
    # Taking an address reads nothing; counting it as a read keeps gcc's own check for unsequenced effects silent.
    return Expr(text, UINT, Range(0, 0), level, place.reading)


def stepped(ctx: Context, place: Place, *, up: bool, before: bool) -> Expr | None:
    """`++x` and its relatives; None where they could overflow or leave the range the place promises."""
    assert isinstance(place.type, IntType)
    t = place.type
    if place.range != natural_range(t) or not place.writable or (t.signed and t.rank >= 3):
        return None
    op = "++" if up else "--"
    ctx.note(f"{'pre' if before else 'post'} {'increment' if up else 'decrement'}")
    text = f"{op}{place.text if place.level >= UNARY else f'({place.text})'}" if before else f"{_postfix(place)}{op}"
    effects = place.reading | Effects(frozenset(), frozenset({place.region}))
    if t.bit_field and t.rank < INT.rank and not before:
        # C leaves open whether the old value has the declared type or one of the field's width; an int holds it.
        return Expr(f"(int){text}", INT, natural_range(t), UNARY, effects)
    return Expr(text, t, natural_range(t), UNARY if before else POSTFIX, effects)


def _postfix(place: Place) -> str:
    return place.text if place.level >= POSTFIX else f"({place.text})"


def _index(ctx: Context, length: int) -> Expr:
    roots = [p for p in ctx.visible() if isinstance(p.type, IntType)]
    if not roots or ctx.constant_only or ctx.chance(0.25):
        return constant(ctx.dice.randrange(length))
    snug = [p for p in roots if p.range.within(Range(0, length - 1))]
    if snug and ctx.chance(0.6):
        return read(ctx.pick(snug))
    place = ctx.pick(roots)
    if ctx.effects_allowed and ctx.chance(0.08):
        moved = stepped(ctx, place, up=ctx.chance(0.5), before=ctx.chance(0.5))
        if moved is not None:
            ctx.note("index with effect")
            return fitted(moved, 0, length - 1)
    e = read(place)
    if ctx.chance(0.2):
        e = binary("^", e, literal(ctx)) or e
    return fitted(e, 0, length - 1)
