"""Comparisons of sets of values: true, false, or either."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from stateglass.program import Comparison, Float, Scalar
from stateglass.values.abstract.sets import Value
from stateglass.values.abstract.views import high, low, meet

Judge = Callable[[Value, Value], bool | None]

NEGATED = {
    Comparison.EQUAL: Comparison.UNEQUAL,
    Comparison.UNEQUAL: Comparison.EQUAL,
    Comparison.LESS: Comparison.GREATER_EQUAL,
    Comparison.GREATER_EQUAL: Comparison.LESS,
    Comparison.GREATER: Comparison.LESS_EQUAL,
    Comparison.LESS_EQUAL: Comparison.GREATER,
}
# The same comparison with its operands exchanged.
MIRRORED = {
    Comparison.EQUAL: Comparison.EQUAL,
    Comparison.UNEQUAL: Comparison.UNEQUAL,
    Comparison.LESS: Comparison.GREATER,
    Comparison.GREATER: Comparison.LESS,
    Comparison.LESS_EQUAL: Comparison.GREATER_EQUAL,
    Comparison.GREATER_EQUAL: Comparison.LESS_EQUAL,
}
assert NEGATED.keys() == MIRRORED.keys() == set(Comparison)


def comparison(operator: Comparison, type: Scalar) -> Judge:
    """The outcome for values of which at least one is not exact; None if it may be either."""
    if isinstance(type, Float):
        return lambda a, b: None
    match operator:
        case Comparison.EQUAL:
            return lambda a, b: _equal(a, b, type)
        case Comparison.UNEQUAL:
            return lambda a, b: None if _equal(a, b, type) is None else True
        case Comparison.LESS:
            return lambda a, b: _less(a, b, type)
        case Comparison.LESS_EQUAL:
            return lambda a, b: _not(_less(b, a, type))
        case Comparison.GREATER:
            return lambda a, b: _less(b, a, type)
        case Comparison.GREATER_EQUAL:
            return lambda a, b: _not(_less(a, b, type))
        case _:
            assert_never(operator)


def _equal(a: Value, b: Value, type: Scalar) -> bool | None:
    """Values that are not exact are never known to be equal."""
    return False if meet(a, b, type) is None else None


def _less(a: Value, b: Value, type: Scalar) -> bool | None:
    if high(a, type) < low(b, type):
        return True
    return False if low(a, type) >= high(b, type) else None


def _not(outcome: bool | None) -> bool | None:
    return None if outcome is None else not outcome
