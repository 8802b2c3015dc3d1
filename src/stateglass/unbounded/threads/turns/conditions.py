"""Conditions as expressions of the program; what is known is not asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from stateglass.program import Binary, BinaryOperator, Compare, Comparison, Constant, Expression, Int

TRUTH: Final = Int(32, signed=True)
YES: Final = Constant(1, TRUTH)
NO: Final = Constant(0, TRUTH)


def equal(one: Expression, other: Expression) -> Expression:
    if isinstance(one, Constant) and isinstance(other, Constant):
        return YES if one.value == other.value else NO
    return YES if one == other else Compare(Comparison.EQUAL, one, other, TRUTH)


def negated(condition: Expression) -> Expression:
    if isinstance(condition, Constant):
        return NO if condition.value else YES
    return Compare(Comparison.EQUAL, condition, NO, TRUTH)


def both(conditions: Iterable[Expression]) -> Expression:
    found: Expression = YES
    for condition in conditions:
        if condition == NO or found == YES:
            found = condition if found != NO else NO
        elif condition != YES and found != NO:
            found = Binary(BinaryOperator.AND, found, condition, TRUTH)
    return found


def either(conditions: Iterable[Expression]) -> Expression:
    return negated(both(negated(condition) for condition in conditions))
