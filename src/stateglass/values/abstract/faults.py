"""Which kinds of undefined behaviour an operator may meet on sets of values, and whether it must.

The domain itself wraps; this says where C would not. `may_fault` never misses a kind that some pair of values has;
`must_fault` is true only if every pair has one.
"""

from __future__ import annotations

from typing import assert_never

from stateglass.program import BinaryOperator, Bool, Float, Int, Number, Scalar, UnaryOperator
from stateglass.program.faults import FaultKind
from stateglass.source import NOWHERE
from stateglass.values.abstract.arithmetic import count_ranges
from stateglass.values.abstract.ranges import Range, Ranges, intersected
from stateglass.values.abstract.sets import Value
from stateglass.values.abstract.views import contains, ranges_of
from stateglass.values.concrete import Concrete
from stateglass.values.domain import Fault

Operator = UnaryOperator | BinaryOperator

_STRICT = Concrete()
_SHIFTS = (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)
_DIVISIONS = (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)


def may_fault(
    operator: Operator, a: Value, b: Value, type: Number, counted: Scalar | None = None
) -> tuple[FaultKind, ...]:
    """The kinds of fault that some pair of values has. A unary operator does not look at `b`.

    `counted` is the type of a shift's count; without it a set that reaches to the ends of its type may be anywhere.
    """
    if isinstance(type, Float):
        return ()
    if isinstance(a, int) and isinstance(b, int):
        fault = _concrete(operator, a, b, type)
        return () if fault is None else (fault,)
    if operator in _SHIFTS:
        return (FaultKind.SHIFT,) if _may_shift_wrongly(operator, a, count_ranges(b, counted), type) else ()
    found = []
    if operator in _DIVISIONS and contains(b, 0, type):
        found.append(FaultKind.DIVISION)
    if type.signed and _may_overflow(operator, a, b, type):
        found.append(FaultKind.OVERFLOW)
    return tuple(found)


def must_fault(operator: Operator, a: Value, b: Value, type: Number, counted: Scalar | None = None) -> bool:
    """Whether no pair of values has a result."""
    if isinstance(type, Float):
        return False
    if isinstance(a, int) and isinstance(b, int):
        return _concrete(operator, a, b, type) is not None
    if operator in _DIVISIONS:
        return b == 0
    if operator in _SHIFTS:
        return _must_shift_wrongly(operator, a, count_ranges(b, counted), type)
    bounds = _bounds(operator, ranges_of(a, type), ranges_of(b, type)) if type.signed else None
    return bounds is not None and (bounds[1] < type.low or bounds[0] > type.high)


def may_fault_converting(a: Value, source: Scalar, target: Scalar) -> tuple[FaultKind, ...]:
    """A floating-point number may be too large for an integer type; other conversions have no faults."""
    if not isinstance(source, Float) or isinstance(target, Float | Bool):
        return ()
    if isinstance(a, int):
        convert = _STRICT.convert(source, target, NOWHERE)
        assert convert is not None
        try:
            convert(a)
        except Fault as fault:
            return (fault.kind,)
        return ()
    return (FaultKind.OVERFLOW,)


def _concrete(operator: Operator, a: int, b: int, type: Int) -> FaultKind | None:
    try:
        if isinstance(operator, UnaryOperator):
            _STRICT.unary(operator, type, NOWHERE)(a)
        else:
            _STRICT.binary(operator, type, NOWHERE)(a, b)
    except Fault as fault:
        return fault.kind
    return None


def _may_overflow(operator: Operator, a: Value, b: Value, type: Int) -> bool:
    if operator in _DIVISIONS:
        # The least number has no opposite: dividing it by -1 is the only quotient that does not fit.
        return contains(a, type.low, type) and contains(b, -1, type)
    bounds = _bounds(operator, ranges_of(a, type), ranges_of(b, type))
    return bounds is not None and (bounds[0] < type.low or bounds[1] > type.high)


def _bounds(operator: Operator, a: Ranges, b: Ranges) -> Range | None:
    """The extremes of the mathematical results, which are reached; None for operators that never overflow."""
    (a_low, a_high), (b_low, b_high) = (a[0][0], a[-1][1]), (b[0][0], b[-1][1])
    match operator:
        case UnaryOperator.NEGATE:
            return -a_high, -a_low
        case BinaryOperator.ADD:
            return a_low + b_low, a_high + b_high
        case BinaryOperator.SUBTRACT:
            return a_low - b_high, a_high - b_low
        case BinaryOperator.MULTIPLY:
            corners = [x * y for x in (a_low, a_high) for y in (b_low, b_high)]
            return min(corners), max(corners)
        case (
            UnaryOperator.COMPLEMENT
            | BinaryOperator.DIVIDE
            | BinaryOperator.REMAINDER
            | BinaryOperator.SHIFT_LEFT
            | BinaryOperator.SHIFT_RIGHT
            | BinaryOperator.AND
            | BinaryOperator.OR
            | BinaryOperator.XOR
        ):
            return None
        case _:
            assert_never(operator)


def _may_shift_wrongly(operator: Operator, a: Value, counts: Ranges | None, type: Int) -> bool:
    if counts is None or counts[0][0] < 0 or counts[-1][1] >= type.bits:
        return True
    if operator is BinaryOperator.SHIFT_RIGHT or not type.signed:
        return False
    ranges = ranges_of(a, type)
    return ranges[0][0] < 0 or ranges[-1][1] << counts[-1][1] > type.high


def _must_shift_wrongly(operator: Operator, a: Value, counts: Ranges | None, type: Int) -> bool:
    if counts is None:
        return False
    fitting = intersected(counts, ((0, type.bits - 1),))
    if not fitting:
        return True
    if operator is BinaryOperator.SHIFT_RIGHT or not type.signed:
        return False
    positive = intersected(ranges_of(a, type), ((0, type.high),))
    # The least number, shifted least, is the last to fit.
    return not positive or positive[0][0] << fitting[0][0] > type.high
