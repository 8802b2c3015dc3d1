"""What expressions of the action language come to where names have values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, assert_never

from stateglass.design.actions import Constant, Expression, Name, Operation
from stateglass.logic.predicates import Operator


def evaluated(
    expression: Expression, values: Mapping[Name, int], least: float = -math.inf, largest: float = math.inf
) -> int:
    """The value where names have values; an `ArithmeticError` if it divides by 0, or passes the limits on the way."""
    match expression:
        case Constant(value):
            pass
        case Name():
            value = values[expression]
        case Operation(Operator.AND_ALSO | Operator.OR_ELSE as operator, (left, right)):
            # The second operand need not have a value.
            value = int(evaluated(left, values, least, largest) != 0)
            if bool(value) is (operator is Operator.AND_ALSO):
                value = int(evaluated(right, values, least, largest) != 0)
        case Operation(operator, operands):
            first, *others = (evaluated(operand, values, least, largest) for operand in operands)
            if others and operator in _SHIFTS and not 0 <= others[0] < _MOST_SHIFTED:
                raise OverflowError
            value = _COMPUTED[operator](first, others[0]) if others else _CHANGED[operator](first)
        case other:
            assert_never(other)
    if not least <= value <= largest:
        raise OverflowError
    return value


def _quotient(left: int, right: int) -> int:
    """Rounded towards 0."""
    whole = abs(left) // abs(right)
    return whole if (left < 0) == (right < 0) else -whole


_CHANGED: Final[Mapping[Operator, Callable[[int], int]]] = {
    Operator.MINUS: lambda a: -a,
    Operator.COMPLEMENT: lambda a: ~a,
    Operator.NOT: lambda a: int(not a),
}
_SHIFTS: Final = (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT)
_MOST_SHIFTED: Final = 64
_COMPUTED: Final[Mapping[Operator, Callable[[int, int], int]]] = {
    Operator.MULTIPLY: lambda a, b: a * b,
    Operator.DIVIDE: _quotient,
    Operator.REMAINDER: lambda a, b: a - b * _quotient(a, b),
    Operator.ADD: lambda a, b: a + b,
    Operator.MINUS: lambda a, b: a - b,
    Operator.SHIFT_LEFT: lambda a, b: a << b,
    Operator.SHIFT_RIGHT: lambda a, b: a >> b,
    Operator.LESS: lambda a, b: int(a < b),
    Operator.LESS_EQUAL: lambda a, b: int(a <= b),
    Operator.GREATER: lambda a, b: int(a > b),
    Operator.GREATER_EQUAL: lambda a, b: int(a >= b),
    Operator.EQUAL: lambda a, b: int(a == b),
    Operator.NOT_EQUAL: lambda a, b: int(a != b),
    Operator.BIT_AND: lambda a, b: a & b,
    Operator.BIT_XOR: lambda a, b: a ^ b,
    Operator.BIT_OR: lambda a, b: a | b,
}
assert {*_COMPUTED, *_CHANGED, Operator.AND_ALSO, Operator.OR_ELSE} == set(Operator)
