"""Side-effect-aware C expressions of integer type, and the operators that build larger ones from them.

An operator returns None where C would leave the result undefined or the order of effects open; whoever asks then
guards the operands or tries something else. That is what makes generated programs deterministic by construction.
"""

from dataclasses import dataclass, replace
from typing import Final, final

from tests.generator.ranges import RELATIONAL, SHIFTS, Range, converted, result
from tests.generator.types import INT, IntType, common, promoted

COMMA, ASSIGNMENT, CONDITIONAL, UNARY, POSTFIX, PRIMARY = 1, 2, 3, 14, 15, 16
LEVEL: Final = {
    "||": 4, "&&": 5, "|": 6, "^": 7, "&": 8, "==": 9, "!=": 9, "<": 10, ">": 10, "<=": 10, ">=": 10,
    "<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "%": 13,
}  # fmt: skip

ANYTHING: Final = "anything"
MEMORY: Final = "memory"
OUTPUT: Final = "output"


@final
@dataclass(frozen=True, slots=True)
class Effects:
    """The regions that evaluating an expression may read and write.

    A local whose address is never taken is a region `v…`, a global that is only used by name `g…`; all else is MEMORY.
    ANYTHING is what a call may touch: every region but the `v…` ones.
    """

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()

    def __or__(self, other: "Effects") -> "Effects":
        return Effects(self.reads | other.reads, self.writes | other.writes)

    def conflicts(self, other: "Effects") -> bool:
        """Whether the two may not be evaluated in an order that C leaves open."""
        touched = other.reads | other.writes
        return _overlap(self.writes, touched) or _overlap(other.writes, self.reads | self.writes)

    def writes_to(self, region: str) -> bool:
        return _overlap(self.writes, frozenset({region}))


NO_EFFECTS: Final = Effects()
CALL_EFFECTS: Final = Effects(frozenset({ANYTHING}), frozenset({ANYTHING, OUTPUT}))
OUTPUT_EFFECTS: Final = Effects(frozenset(), frozenset({OUTPUT}))


def _overlap(a: frozenset[str], b: frozenset[str]) -> bool:
    if a & b:
        return True
    return (ANYTHING in a and any(not x.startswith("v") for x in b)) or (
        ANYTHING in b and any(not x.startswith("v") for x in a)
    )


@final
@dataclass(frozen=True, slots=True)
class Expr:
    """An integer expression: its text, C type, the values it may have and its effects."""

    text: str
    type: IntType
    range: Range
    level: int = PRIMARY
    effects: Effects = NO_EFFECTS
    odd: bool = False

    @property
    def nonzero(self) -> bool:
        return self.odd or not self.range.contains(0)

    @property
    def pure(self) -> bool:
        return not self.effects.writes

    def at(self, level: int) -> str:
        """The text as an operand of something that binds as tightly as `level`."""
        return self.text if self.level >= level else f"({self.text})"

    @property
    def argument(self) -> str:
        return self.at(ASSIGNMENT)


def parenthesised(e: Expr) -> Expr:
    return replace(e, text=f"({e.text})", level=PRIMARY)


def binary(op: str, left: Expr, right: Expr) -> Expr | None:
    if left.effects.conflicts(right.effects):
        return None
    if op in SHIFTS:
        shared = promoted(left.type)
        values = result(op, left.range, right.range, shared, False)
    else:
        shared = common(left.type, right.type)
        values = result(op, converted(left.range, shared), converted(right.range, shared), shared, right.nonzero)
    if values is None:
        return None
    level = LEVEL[op]
    odd = op == "|" and any(e.odd or (e.range.lo == e.range.hi and e.range.lo % 2 == 1) for e in (left, right))
    return Expr(
        f"{left.at(level)} {op} {right.at(level + 1)}",
        INT if op in RELATIONAL else shared,
        values,
        level,
        left.effects | right.effects,
        odd,
    )


def unary(op: str, operand: Expr) -> Expr | None:
    t = promoted(operand.type)
    match op:
        case "!":
            t, values = INT, Range(0, 1)
        case "~":
            flipped = Range(~operand.range.hi, ~operand.range.lo)
            values = converted(flipped, t)
        case "-":
            negated = Range(-operand.range.hi, -operand.range.lo)
            if t.signed and negated.hi > t.hi:
                return None
            values = converted(negated, t)
        case _:
            values = operand.range
    inner = operand.at(UNARY)
    text = f"{op}({inner})" if inner.startswith(op) else f"{op}{inner}"
    return Expr(text, t, values, UNARY, operand.effects)


def cast(t: IntType, operand: Expr) -> Expr:
    odd = operand.odd and not t.is_bool
    return Expr(f"({t.name}){operand.at(UNARY)}", t, converted(operand.range, t), UNARY, operand.effects, odd)


def logical(op: str, left: Expr, right: Expr) -> Expr:
    level = LEVEL[op]
    text = f"{left.at(level)} {op} {right.at(level + 1)}"
    return Expr(text, INT, Range(0, 1), level, left.effects | right.effects)


def conditional(test: Expr, yes: Expr, no: Expr) -> Expr:
    t = common(yes.type, no.type)
    a, b = converted(yes.range, t), converted(no.range, t)
    # C allows a bare comma between ? and :, but as a macro argument it would be torn apart.
    text = f"{test.at(CONDITIONAL + 1)} ? {yes.at(ASSIGNMENT)} : {no.at(CONDITIONAL)}"
    effects = test.effects | yes.effects | no.effects
    return Expr(text, t, Range(min(a.lo, b.lo), max(a.hi, b.hi)), CONDITIONAL, effects)


def sequence(first: str, effects: Effects, then: Expr) -> Expr:
    """`first, then`; the first operand is any text of assignment level or tighter."""
    return Expr(f"{first}, {then.at(ASSIGNMENT)}", then.type, then.range, COMMA, effects | then.effects)
