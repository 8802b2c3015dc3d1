"""Operators of GNU C and C11 that give an integer: `a ?: b`, statement expressions, `_Generic`, stages in floats."""

from tests.generator.context import Context, IntegerMaker
from tests.generator.expression import CONDITIONAL, LEVEL, POSTFIX, PRIMARY, UNARY, Expr, cast, parenthesised
from tests.generator.places import fitted
from tests.generator.ranges import Range, converted, full
from tests.generator.types import CHAR, INT, LLONG, STANDARD, UINT, ULONG, IntType, common


def wide_operator(ctx: Context, integer: IntegerMaker, depth: int) -> Expr | None:
    match ctx.pick(["elvis", "elvis", "block", "generic", "typeof", "literal", "element", "stage", "compare", "align"]):
        case "elvis":
            return _elvis(ctx, integer(ctx, depth - 1), integer(ctx, depth - 1))
        case "block":
            return _block(ctx, integer, depth)
        case "generic":
            return _generic(ctx, integer, depth)
        case "typeof":
            return _typeof(ctx, integer, depth)
        case "literal":
            t = ctx.pick(STANDARD)
            e = integer(ctx, depth - 1)
            ctx.note("address of compound literal")
            return Expr(f"*&({t.name}){{{e.argument}}}", t, converted(e.range, t), UNARY, e.effects)
        case "element":
            return _element(ctx, integer)
        case "stage":
            return _stage(ctx, integer(ctx, depth - 1))
        case "compare":
            return _compare(ctx, integer, depth)
        case _:
            ctx.note("_Alignof")
            return Expr(f"_Alignof({ctx.pick(STANDARD).name})", ULONG, Range(1, 8), UNARY)


def _elvis(ctx: Context, first: Expr, second: Expr) -> Expr:
    ctx.note("a ?: b")
    t = common(first.type, second.type)
    a, b = converted(first.range, t), converted(second.range, t)
    text = f"{first.at(CONDITIONAL + 1)} ?: {second.at(CONDITIONAL)}"
    return Expr(text, t, Range(min(a.lo, b.lo), max(a.hi, b.hi)), CONDITIONAL, first.effects | second.effects)


def _block(ctx: Context, integer: IntegerMaker, depth: int) -> Expr:
    """`({ … })`: with a variable, sometimes with a loop over something pure."""
    ctx.note("statement expression")
    name = ctx.fresh("t")
    t = ctx.pick(STANDARD)
    if ctx.chance(0.4) and not t.signed:
        with ctx.without_effects():
            e = integer(ctx, depth - 1)
        index, times = ctx.fresh("i"), ctx.dice.randrange(1, 5)
        loop = f"for (int {index} = 0; {index} < {times}; {index}++) {name} ^= ({t.name})({e.text}) >> ({index} & 3);"
        return Expr(f"({{ {t.name} {name} = 0; {loop} {name}; }})", t, full(t), PRIMARY, e.effects)
    e = integer(ctx, depth - 1)
    change = ctx.pick([f"{name} ^= 5;", f"if ({name} < 0) {name} = 0;", f"{name} &= 127;", ""])
    text = f"({{ {t.name} {name} = {e.argument}; {change} {name}; }})"
    return Expr(text, t, full(t), PRIMARY, e.effects)


def _generic(ctx: Context, integer: IntegerMaker, depth: int) -> Expr:
    """A choice by the type of an expression that is not evaluated; each branch has a type of its own."""
    budget = ctx.budget
    tested = integer(ctx, depth - 1)
    ctx.budget = budget
    text, t = tested.argument, tested.type
    if t.bit_field or ctx.chance(0.2):
        # Whether a bit-field's width is part of its type is left open by C; the promoted type is known.
        text, t = f"+({tested.text})", common(t, t)
    own = next(other for other in STANDARD if _selects(t, other))
    names = [other for other in STANDARD if ctx.chance(0.7)]
    taken = cast(own, integer(ctx, depth - 1))
    parts = [f"{other.name}: {taken.text if other is own else f'({other.name}){n}'}" for n, other in enumerate(names)]
    parts.insert(ctx.dice.randrange(len(parts) + 1), f"default: {0.5 if own in names else taken.text}")
    ctx.note("_Generic")
    return Expr(f"_Generic({text}, {', '.join(parts)})", taken.type, taken.range, PRIMARY, taken.effects)


def _selects(t: IntType, other: IntType) -> bool:
    if (t.rank, t.signed) != (other.rank, other.signed):
        return False
    return (t.name == CHAR.name) == (other.name == CHAR.name)


def _typeof(ctx: Context, integer: IntegerMaker, depth: int) -> Expr:
    budget = ctx.budget
    named = integer(ctx, depth - 1)
    ctx.budget = budget
    operand = integer(ctx, depth - 1)
    if named.type.bit_field:
        return operand
    ctx.note("typeof")
    made = cast(named.type, operand)
    return Expr(f"(__typeof__({named.text})){operand.at(UNARY)}", made.type, made.range, UNARY, made.effects, made.odd)


def _element(ctx: Context, integer: IntegerMaker) -> Expr:
    ctx.note("element of compound literal")
    t = ctx.pick(STANDARD)
    length = ctx.dice.randrange(1, 5)
    with ctx.without_effects():
        parts = [integer(ctx, 0) for _ in range(length)]
        index = fitted(integer(ctx, 0), 0, length - 1)
    effects = index.effects
    for part in parts:
        effects |= part.effects
    text = f"(({t.name}[]){{{', '.join(p.argument for p in parts)}}})[{index.text}]"
    return Expr(text, t, full(t), POSTFIX, effects)


def _stage(ctx: Context, e: Expr) -> Expr:
    """An integer taken through a floating type that holds it, or through one that rounds it."""
    ctx.note("float as a stage")
    narrow = cast(INT, e)
    match ctx.pick(["exact", "scaled", "long", "rounded"]):
        case "exact":
            return Expr(f"(int)(double){narrow.at(UNARY)}", INT, narrow.range, UNARY, e.effects)
        case "scaled":
            factor = ctx.pick(["0.37", "0.1", "0.5f", "0.999L", "0x1.8p-3"])
            return Expr(f"(int)({narrow.at(LEVEL['*'])} * {factor})", INT, full(INT), UNARY, e.effects)
        case "long":
            wide = cast(LLONG, e)
            return Expr(f"(long long)(long double){wide.at(UNARY)}", LLONG, wide.range, UNARY, e.effects)
        case _:
            # A float may round up to 2 to the power of 32, which still fits.
            whole = cast(UINT, e)
            return Expr(f"(long long)(float){whole.at(UNARY)}", LLONG, Range(0, 1 << 32), UNARY, e.effects)


def _compare(ctx: Context, integer: IntegerMaker, depth: int) -> Expr | None:
    ctx.note("float comparison with integers")
    left, right = integer(ctx, depth - 1), integer(ctx, depth - 1)
    if left.effects.conflicts(right.effects):
        return None
    op = ctx.pick(["<", ">", "<=", ">=", "==", "!="])
    t = ctx.pick(["float", "double", "long double"])
    level = LEVEL[op]
    other = ctx.pick([right.at(level + 1), f"{parenthesised(right).text} * 1.5"])
    return Expr(f"({t}){left.at(UNARY)} {op} {other}", INT, Range(0, 1), level, left.effects | right.effects)
