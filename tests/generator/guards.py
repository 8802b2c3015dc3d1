"""Operators whose operands may be anything: masked, computed unsigned, or tested first."""

from typing import Final

from tests.generator.context import Context
from tests.generator.expression import LEVEL, PRIMARY, Expr, binary, cast, conditional, logical, parenthesised
from tests.generator.literals import constant
from tests.generator.ranges import BITWISE, RELATIONAL, full
from tests.generator.types import INT, LLONG, common, promoted, unsigned_of

_TESTS: Final = {
    "add": "((b) > 0 && (a) > {hi} - (b)) || ((b) < 0 && (a) < {lo} - (b)) ? (a) : (a) + (b)",
    "sub": "((b) < 0 && (a) > {hi} + (b)) || ((b) > 0 && (a) < {lo} + (b)) ? (b) : (a) - (b)",
    "div": "(b) == 0 || ((a) == {lo} && (b) == -1) ? (a) : (a) / (b)",
    "mod": "(b) == 0 || ((a) == {lo} && (b) == -1) ? (b) : (a) % (b)",
}
_NAMES: Final = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod"}
_TYPES: Final = {"int": (INT, "INT_MAX", "INT_MIN"), "llong": (LLONG, "LLONG_MAX", "LLONG_MIN")}


def definitions() -> list[str]:
    """The macros and functions that `guarded` calls, as lines of a header."""
    lines = []
    for suffix, (t, hi, lo) in _TYPES.items():
        for name, test in _TESTS.items():
            body = test.format(hi=hi, lo=lo)
            for letter in "ab":
                body = body.replace(f"({letter})", f"(({t.name})({letter}))")
            lines.append(f"#define SAFE_{name.upper()}_{suffix.upper()}(a, b) ({body})")
            plain = test.format(hi=hi, lo=lo).replace("(a)", "a").replace("(b)", "b")
            lines.append(_function(f"safe_{name}_{suffix}", t.name, f"return {plain};"))
        wide = f"unsigned {t.name}"
        lines.append(_function(f"safe_mul_{suffix}", t.name, f"return ({t.name})(({wide})a * ({wide})b);"))
    return lines


def _function(name: str, type_name: str, body: str) -> str:
    return f"static {type_name} {name}({type_name} a, {type_name} b) {{ {body} }}"


def arithmetic(ctx: Context, op: str, left: Expr, right: Expr) -> Expr | None:
    """`left op right`, guarded if it could be undefined; None if the effects of the operands conflict."""
    if left.effects.conflicts(right.effects):
        return None
    ctx.note(f"operator {op}")
    plain = binary(op, left, right)
    if plain is not None:
        return plain
    ctx.note("guarded operator")
    assert op not in RELATIONAL
    assert op not in BITWISE
    if op in ("<<", ">>"):
        return _shift(ctx, op, left, right)
    choices = [(3, "mask"), (3, "unsigned"), (2, "function")]
    if left.pure and right.pure and not ctx.constant_only:
        choices.append((2, "macro"))
        choices.append((2, "test"))
    if ctx.constant_only:
        choices = [(1, "mask"), (1, "unsigned")]
    match ctx.weighted(choices):
        case "mask":
            return _masked(ctx, op, left, right)
        case "unsigned":
            return _unsigned(op, left, right)
        case "test" if op in ("/", "%"):
            return _tested(op, left, right)
        case kind:
            return _helper(ctx, op, left, right, kind == "macro" and op != "*")


def _shift(ctx: Context, op: str, left: Expr, right: Expr) -> Expr | None:
    t = promoted(left.type)
    if op == "<<" and t.signed:
        if ctx.chance(0.5):
            narrow = binary("&", left, constant(ctx.pick([1, 15, 255])))
            count = binary("&", right, constant(ctx.pick([3, 7])))
            return narrow and count and binary(op, narrow, count)
        left = cast(unsigned_of(t), left)
    count = binary("&", right, constant(t.width - 1))
    return count and binary(op, left, count)


def _masked(ctx: Context, op: str, left: Expr, right: Expr) -> Expr | None:
    a = binary("&", left, constant(ctx.pick([15, 255, 4095])))
    b = binary("&", right, constant(ctx.pick([7, 63, 1023])))
    if a is None or b is None:
        return None
    if op in ("/", "%"):
        b = binary("+", b, constant(1)) if ctx.chance(0.5) else binary("|", b, constant(1))
    return b and binary(op, a, b)


def _unsigned(op: str, left: Expr, right: Expr) -> Expr | None:
    t = unsigned_of(common(left.type, right.type))
    if op in ("/", "%"):
        right_odd = binary("|", right, constant(1))
        return right_odd and binary(op, cast(t, left), cast(t, right_odd))
    return binary(op, cast(t, left), right)


def _tested(op: str, left: Expr, right: Expr) -> Expr:
    """The quotient behind a test of its operands, which are therefore evaluated twice."""
    t = common(left.type, right.type)
    a, b = parenthesised(left), parenthesised(right)
    test = binary("==", b, constant(0))
    assert test is not None
    if t.signed:
        least = Expr("INT_MIN" if t is INT else "LLONG_MIN", t, full(t))
        at_least, minus_one = binary("==", a, least), binary("==", b, constant(-1))
        assert at_least is not None
        assert minus_one is not None
        test = logical("||", test, logical("&&", at_least, minus_one))
    quotient = Expr(f"{a.text} {op} {b.text}", t, full(t), LEVEL[op], a.effects | b.effects)
    return conditional(test, a, quotient)


def _helper(ctx: Context, op: str, left: Expr, right: Expr, macro: bool) -> Expr | None:
    suffix = ctx.pick(list(_TYPES))
    t = _TYPES[suffix][0]
    name = f"safe_{_NAMES[op]}_{suffix}"
    if not macro and not ctx.afford(2):
        return _masked(ctx, op, left, right)
    text = f"{name.upper() if macro else name}({left.argument}, {right.argument})"
    return Expr(text, t, full(t), PRIMARY, left.effects | right.effects)
