"""Expressions of the action language as C."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, assert_never

from stateglass.assemblies.interpretation.wiring import Wiring
from stateglass.design import Constant, Expression, Name, Operation, Variable, names_in
from stateglass.logic.predicates import Operator


def expression_text(expression: Expression, named: Callable[[Name], str]) -> str:
    """An expression with a name in C for each of its names; every operand that is no name or number has parentheses."""
    match expression:
        case Constant(value):
            return str(value)
        case Name():
            return named(expression)
        case Operation(operator, (operand,)):
            return f"{operator.value}{_operand(operand, named)}"
        case Operation(operator, (left, right)):
            return f"{_operand(left, named)} {operator.value} {_operand(right, named)}"
        case Operation():
            raise AssertionError("an operator has one operand or two")
        case other:
            assert_never(other)


def _operand(expression: Expression, named: Callable[[Name], str]) -> str:
    text = expression_text(expression, named)
    is_plain = isinstance(expression, Name) or (isinstance(expression, Constant) and expression.value >= 0)
    return text if is_plain else f"({text})"


def initial_value(wiring: Wiring, unit: str, variable: Variable) -> int:
    """What a variable of an instance begins with."""
    known = {name: value for one in wiring.design.enumerations for name, value in one.values}
    known |= wiring.by_name[unit].constants
    return evaluated(variable.initial, {name: known[name.name] for name in names_in(variable.initial)})


def evaluated(
    expression: Expression, values: Mapping[Name, int], least: float = -math.inf, largest: float = math.inf
) -> int:
    """The value where names have values; one beyond the limits on the way to it is an `OverflowError`."""
    match expression:
        case Constant(value):
            pass
        case Name():
            value = values[expression]
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
    """Rounded towards 0; nothing is divided by 0 in a design that was read."""
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
    Operator.AND_ALSO: lambda a, b: int(bool(a) and bool(b)),
    Operator.OR_ELSE: lambda a, b: int(bool(a) or bool(b)),
}
assert {*_COMPUTED, *_CHANGED} == set(Operator)
