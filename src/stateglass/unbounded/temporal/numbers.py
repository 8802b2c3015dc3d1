"""Exact integers as rows of bits that are wide enough: the numbers of predicates, which do not wrap.

A result that 64 bits do not hold is no value, as `check.arithmetic` has it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

from stateglass.logic.predicates import Operator
from stateglass.program import Comparison
from stateglass.smt import Operator as Op
from stateglass.smt import Term, Terms
from stateglass.values.symbolic import compared

WORD: Final = 64
# Both vocabularies write comparisons as C does.
_COMPARISONS: Final = {Operator(comparison.value): comparison for comparison in Comparison}
_BITS: Final = {
    Operator.BIT_AND: Op.BIT_AND,
    Operator.BIT_OR: Op.BIT_OR,
    Operator.BIT_XOR: Op.BIT_XOR,
}


@final
class NotKnown(Exception):
    """A predicate that is not translated: why."""


@final
@dataclass(frozen=True, slots=True)
class Value:
    """A number as a row with a sign, or a truth value (no width), and where it exists.

    A large one may not fit into 64 bits with a sign.
    """

    term: Term
    defined: Term
    large: bool = False
    computed: bool = False  # by an operator on large ones


@final
class Numbers:
    """C's operators on exact integers."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def constant(self, number: int) -> Value:
        """A number that 64 bits hold, with or without a sign."""
        width = max(number.bit_length() + 1, 2)
        return Value(self._terms.constant(number, width), self._terms.true, not -(1 << 63) <= number < 1 << 63)

    def variable(self, term: Term, *, is_signed: bool, defined: Term) -> Value:
        """What a variable of C holds."""
        if is_signed:
            return Value(term, defined)
        return Value(self._terms.extend(term, term.width + 1, is_signed=False), defined, large=term.width >= WORD)

    def truth(self, value: Value) -> Term:
        """Whether it is other than zero, where it exists."""
        if value.term.width == 0:
            return value.term
        return self._terms.negation(self._terms.equal(value.term, self._terms.constant(0, value.term.width)))

    def holds(self, value: Value) -> Term:
        """What has no value does not hold."""
        return self._terms.both(self.truth(value), value.defined)

    def applied(self, operator: Operator, operands: list[Value]) -> Value:
        terms = self._terms
        if operator is Operator.NOT:
            return Value(terms.negation(self.truth(operands[0])), operands[0].defined)
        if operator in (Operator.AND_ALSO, Operator.OR_ELSE):
            return self._in_order(operator, *operands)
        rows = [self._row(o) for o in operands]
        defined = terms.both(*(o.defined for o in rows))
        if operator in _COMPARISONS:
            return Value(self._compared(_COMPARISONS[operator], rows[0].term, rows[1].term), defined)
        large = any(o.large for o in rows)
        if large and any(o.computed for o in rows):
            raise NotKnown("it computes with numbers that may need all 64 bits")
        if len(rows) == 1:
            zero = terms.constant(0 if operator is Operator.MINUS else -1, 2)
            rows, operator = [Value(zero, terms.true), rows[0]], Operator.MINUS
        result, bad = self._computed(operator, rows[0].term, rows[1].term)
        return self._fitting(result, terms.both(defined, terms.negation(bad)), large)

    def _row(self, value: Value) -> Value:
        """A truth value as a number."""
        return value if value.term.width else Value(self._terms.bit(value.term, 2), value.defined)

    def _in_order(self, operator: Operator, left: Value, right: Value) -> Value:
        """The right side does not matter where the left side decides."""
        terms = self._terms
        one, other = self.truth(left), self.truth(right)
        if operator is Operator.OR_ELSE:
            values, decided = terms.either(one, other), one
        else:
            values, decided = terms.both(one, other), terms.negation(one)
        # Where the right side has no value, its number must not count.
        values = terms.choose(decided, terms.truth(operator is Operator.OR_ELSE), values)
        return Value(values, terms.both(left.defined, terms.either(decided, right.defined)))

    def _alike(self, a: Term, b: Term, more: int = 0) -> tuple[Term, Term]:
        width = max(a.width, b.width) + more
        return self._terms.extend(a, width, is_signed=True), self._terms.extend(b, width, is_signed=True)

    def _compared(self, comparison: Comparison, a: Term, b: Term) -> Term:
        terms = self._terms
        bare = [_without_sign(terms, a), _without_sign(terms, b)]
        if bare[0] is not None and bare[1] is not None:
            # As the code would compare them: then the same conditions are the same terms.
            width = max(bare[0].width, bare[1].width)
            a, b = (terms.extend(t, width, is_signed=False) for t in bare if t is not None)
            return compared(terms, comparison, a, b, is_signed=False)
        return compared(terms, comparison, *self._alike(a, b), is_signed=True)

    def _computed(self, operator: Operator, a: Term, b: Term) -> tuple[Term, Term]:
        """The result in a row that holds it, and where there is none."""
        terms = self._terms
        binary: Callable[[Op, Term, Term], Term] = terms.binary
        match operator:
            case Operator.ADD | Operator.MINUS:
                a, b = self._alike(a, b, 1)
                return binary(Op.ADD if operator is Operator.ADD else Op.SUBTRACT, a, b), terms.false
            case Operator.MULTIPLY:
                width = a.width + b.width
                a, b = terms.extend(a, width, is_signed=True), terms.extend(b, width, is_signed=True)
                return binary(Op.MULTIPLY, a, b), terms.false
            case Operator.DIVIDE | Operator.REMAINDER:
                a, b = self._alike(a, b, 1)
                none = terms.equal(b, terms.constant(0, b.width))
                return binary(Op.SIGNED_DIVIDE if operator is Operator.DIVIDE else Op.SIGNED_REMAINDER, a, b), none
            case Operator.SHIFT_LEFT | Operator.SHIFT_RIGHT:
                return self._shifted(operator, a, b)
            case _:
                a, b = self._alike(a, b)
                return binary(_BITS[operator], a, b), terms.false

    def _shifted(self, operator: Operator, a: Term, b: Term) -> tuple[Term, Term]:
        terms = self._terms
        zero, most = self.constant(0).term, self.constant(WORD - 1).term
        bad = terms.either(self._compared(Comparison.LESS, b, zero), self._compared(Comparison.GREATER, b, most))
        if operator is Operator.SHIFT_RIGHT:
            a, b = self._alike(a, b)
            return terms.binary(Op.SIGNED_SHIFT_RIGHT, a, b), bad
        bad = terms.either(bad, self._compared(Comparison.LESS, a, zero))
        width = max(a.width, b.width) + WORD
        a, b = terms.extend(a, width, is_signed=True), terms.extend(b, width, is_signed=True)
        return terms.binary(Op.SHIFT_LEFT, a, b), bad

    def _fitting(self, result: Term, defined: Term, large: bool) -> Value:
        """A result that 64 bits hold, and where they do."""
        terms, width = self._terms, WORD + 1 if large else WORD
        if result.width > WORD:
            low, high = self.constant(-(1 << 63)).term, self.constant((1 << (64 if large else 63)) - 1).term
            fits = terms.both(
                self._compared(Comparison.LESS_EQUAL, low, result), self._compared(Comparison.LESS_EQUAL, result, high)
            )
            defined = terms.both(defined, fits)
            result = terms.part(result, width - 1, 0) if result.width > width else result
        return Value(result, defined, large, computed=large)


def _without_sign(terms: Terms, row: Term) -> Term | None:
    """A number that is never negative in a row without a bit for its sign."""
    if row.operator is Op.ZERO_EXTEND:
        return row.operands[0]
    number = row.value
    return terms.constant(number, row.width - 1) if number is not None and number < 1 << (row.width - 1) else None
