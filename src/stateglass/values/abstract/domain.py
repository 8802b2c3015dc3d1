"""The abstract domain: C's operators on sets of values, each result containing what every possible pair gives.

What is possible is at least as narrow as the table of combinations in the C Wolf paper says: a pair is computed in
ranges and, where one operand is known by its remainders, in remainders too, and the smaller of both sets is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import assert_never, final

from stateglass.program import (
    BinaryOperator,
    Bool,
    Comparison,
    Float,
    Int,
    Number,
    Scalar,
    UnaryOperator,
    representation,
)
from stateglass.program.faults import FaultKind
from stateglass.source import Span
from stateglass.values.abstract import arithmetic, remainders, residues
from stateglass.values.abstract.comparison import comparison
from stateglass.values.abstract.ranges import Ranges, extent, united, wrapped
from stateglass.values.abstract.sets import MAYBE, TOP, Remainders, Value
from stateglass.values.abstract.views import (
    FEW,
    contains,
    from_both,
    from_numbers,
    possible,
    ranges_of,
    size,
)
from stateglass.values.concrete import Concrete
from stateglass.values.domain import TRUTH, Fault

Operation = Callable[[Value, Value], Value]

# Results that one operator remembers; it forgets all of them when there are more.
MOST_REMEMBERED = 1 << 12
_SHIFTS = (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)
_DIVISIONS = (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)


@final
class NotExact(Exception):
    """One integer is needed, an address or an index say, and several are possible."""

    def __init__(self, value: Value) -> None:
        self.value = value
        super().__init__("more than one value is possible here")


@final
class AbstractDomain:
    """Sets of machine integers; a floating-point value is one bit pattern or anything.

    What overflows or is shifted too far wraps: `may_fault` says where that is possible. A division by what can only be
    zero is a `Fault`; otherwise it has the results for the other divisors.
    """

    def __init__(self) -> None:
        self._concrete = Concrete(wrap=(FaultKind.OVERFLOW, FaultKind.SHIFT))

    def constant(self, value: int, type: Scalar) -> Value:
        return value

    def decide(self, value: Value) -> bool | None:
        """Whether a condition is true; None if it may be either."""
        if isinstance(value, int):
            return value != 0
        if value is MAYBE or value is TOP:
            return None
        # Zero is in every type, so that the type of the condition does not matter.
        return None if contains(value, 0, Int(1, signed=False)) else True

    def compare(self, operator: Comparison, type: Scalar, result: Int = TRUTH) -> Operation:
        concrete, judge = self._concrete.compare(operator, type), comparison(operator, type)

        def compare(a: Value, b: Value) -> Value:
            if isinstance(a, int) and isinstance(b, int):
                return concrete(a, b)
            outcome = judge(a, b)
            return MAYBE if outcome is None else int(outcome)

        return compare

    def unary(self, operator: UnaryOperator, type: Number, span: Span) -> Callable[[Value], Value]:
        concrete = self._concrete.unary(operator, type, span)
        if isinstance(type, Float):
            return lambda a: concrete(a) if isinstance(a, int) else TOP
        match operator:
            case UnaryOperator.NEGATE:
                of_ranges, of_remainders = arithmetic.negate, remainders.negate
            case UnaryOperator.COMPLEMENT:
                of_ranges, of_remainders = arithmetic.complement, remainders.complement
            case _:
                assert_never(operator)

        def compute(a: Value) -> Value:
            if isinstance(a, int):
                return concrete(a)
            known = of_remainders(a, type) if isinstance(a, Remainders) else None
            return from_both(of_ranges(ranges_of(a, type), type), known, type)

        return compute

    def binary(self, operator: BinaryOperator, type: Number, span: Span, counted: Scalar | None = None) -> Operation:
        """The type of a shift's count, if it is `counted`, makes the result of a shift by several counts narrower."""
        concrete = self._concrete.binary(operator, type, span)
        if isinstance(type, Float):
            return lambda a, b: concrete(a, b) if isinstance(a, int) and isinstance(b, int) else TOP
        of_ranges = _on_ranges(operator, type, counted)
        divides = operator in _DIVISIONS
        shifts = operator in _SHIFTS
        remembered: dict[tuple[Value, Value], Value] = {}

        def compute(a: Value, b: Value) -> Value:
            if divides and b == 0:
                raise Fault(FaultKind.DIVISION, span)
            # Few pairs are computed one by one, which is exact. Not for shifts: the count has a type of its own, and
            # `size` and `possible` would be about other numbers.
            if not shifts and size(a, type) * size(b, type) <= FEW:
                divisors = [y for y in possible(b, type) if y or not divides]
                return from_numbers((concrete(x, y) for x, y in product(possible(a, type), divisors)), type)
            return from_both(of_ranges(a, b), remainders.remainders(operator, a, b, type, counted), type)

        def apply(a: Value, b: Value) -> Value:
            if isinstance(a, int) and isinstance(b, int):
                return concrete(a, b)
            found = remembered.get((a, b))
            if found is None:
                if len(remembered) >= MOST_REMEMBERED:
                    remembered.clear()
                found = remembered[a, b] = compute(a, b)
            return found

        return apply

    def convert(self, source: Scalar, target: Scalar, span: Span) -> Callable[[Value], Value] | None:
        concrete = self._concrete.convert(source, target, span)
        if isinstance(source, Float) or isinstance(target, Float):
            if concrete is None:
                return None
            return lambda a: concrete(a) if isinstance(a, int) else TOP
        if concrete is None and extent(source) == extent(target):
            return None
        change = _truth if isinstance(target, Bool) else _converted
        remembered: dict[Value, Value] = {}

        def convert(a: Value) -> Value:
            if isinstance(a, int):
                return a if concrete is None else concrete(a)
            found = remembered.get(a)
            if found is None:
                if len(remembered) >= MOST_REMEMBERED:
                    remembered.clear()
                found = remembered[a] = change(a, source, target)
            return found

        return convert


def _on_ranges(operator: BinaryOperator, type: Int, counted: Scalar | None) -> Callable[[Value, Value], Ranges]:
    if operator in _SHIFTS:
        counts, shift = arithmetic.counts, arithmetic.shift
        return lambda a, b: shift(operator, ranges_of(a, type), counts(b, type.bits, counted), type)
    return lambda a, b: arithmetic.operate(operator, ranges_of(a, type), ranges_of(b, type), type)


def _truth(a: Value, source: Scalar, target: Scalar) -> Value:
    return TOP if contains(a, 0, source) else 1


def _converted(a: Value, source: Scalar, target: Scalar) -> Value:
    """Numbers of one integer type as numbers of another, which drops the bits that do not fit."""
    plain = representation(target)
    ranges = ranges_of(a, source)
    results = united(part for low, high in ranges for part in wrapped(low, high, plain))
    if not isinstance(a, Remainders):
        return from_both(results, None, target)
    mask = residues.wrapped(a.modulus, a.mask, ranges[0][0], ranges[-1][1], plain)
    return from_both(results, (a.modulus, mask), target)
