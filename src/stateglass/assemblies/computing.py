"""What expressions of the action language come to where names have values: the arithmetic of C, with its types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.assemblies.types import converted, limits, promoted
from stateglass.design import Constant, Expression, Name, Operation
from stateglass.logic.predicates import Operator


@final
@dataclass(frozen=True, slots=True)
class Typed:
    """A value, and the type that arithmetic with it begins with."""

    value: int
    type: str = "int"


def computed(expression: Expression, values: Mapping[Name, Typed]) -> int:
    """The value where names have values; an `ArithmeticError` where C leaves it undefined."""
    return _typed(expression, values).value


def _typed(expression: Expression, values: Mapping[Name, Typed]) -> Typed:
    match expression:
        case Constant(value):
            return Typed(value, expression.type)
        case Name():
            return values[expression]
        case Operation(operator, (left, right)) if operator in _LOGICAL:
            # The second operand need not have a value.
            value = int(_typed(left, values).value != 0)
            is_open = bool(value) is (operator is Operator.AND_ALSO)
            return Typed(int(_typed(right, values).value != 0) if is_open else value)
        case Operation(operator, (operand,)):
            return _changed(operator, _typed(operand, values))
        case Operation(operator, (left, right)):
            one = _typed(left, values)
            return _combined(operator, one, _typed(right, values))
        case Operation():
            raise AssertionError("an operator has one operand or two")
        case other:
            assert_never(other)


def _changed(operator: Operator, operand: Typed) -> Typed:
    if operator is Operator.NOT:
        return Typed(int(not operand.value))
    return _kept(-operand.value if operator is Operator.MINUS else ~operand.value, promoted(operand.type))


def _combined(operator: Operator, left: Typed, right: Typed) -> Typed:
    if operator in _SHIFTS:
        return _shifted(operator, left.value, right.value, promoted(left.type))
    # Of two types that are no smaller than `int`, the one that has the larger values is that of both operands.
    type = max(promoted(left.type), promoted(right.type), key=lambda one: limits(one)[1])
    one, other = converted(left.value, type), converted(right.value, type)
    if operator in _COMPARED:
        return Typed(int(_COMPARED[operator](one, other)))
    if operator is Operator.REMAINDER:
        _kept(_quotient(one, other), type)
    return _kept(_COMPUTED[operator](one, other), type)


def _shifted(operator: Operator, value: int, by: int, type: str) -> Typed:
    least, largest = limits(type)
    if not 0 <= by < (largest - least).bit_length() or (operator is Operator.SHIFT_LEFT and value < 0):
        raise OverflowError
    return _kept(value >> by if operator is Operator.SHIFT_RIGHT else value << by, type)


def _kept(value: int, type: str) -> Typed:
    """What is computed in a type that is no smaller than `int`."""
    found = converted(value, type)
    if found != value and not type.startswith("unsigned"):
        raise OverflowError
    return Typed(found, type)


def _quotient(left: int, right: int) -> int:
    """Rounded towards 0."""
    whole = abs(left) // abs(right)
    return whole if (left < 0) == (right < 0) else -whole


_SHIFTS: Final = (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT)
_LOGICAL: Final = (Operator.AND_ALSO, Operator.OR_ELSE)
_PREFIXES: Final = (Operator.NOT, Operator.MINUS, Operator.COMPLEMENT)
_COMPARED: Final[Mapping[Operator, Callable[[int, int], bool]]] = {
    Operator.LESS: lambda a, b: a < b,
    Operator.LESS_EQUAL: lambda a, b: a <= b,
    Operator.GREATER: lambda a, b: a > b,
    Operator.GREATER_EQUAL: lambda a, b: a >= b,
    Operator.EQUAL: lambda a, b: a == b,
    Operator.NOT_EQUAL: lambda a, b: a != b,
}
_COMPUTED: Final[Mapping[Operator, Callable[[int, int], int]]] = {
    Operator.MULTIPLY: lambda a, b: a * b,
    Operator.DIVIDE: _quotient,
    Operator.REMAINDER: lambda a, b: a - b * _quotient(a, b),
    Operator.ADD: lambda a, b: a + b,
    Operator.MINUS: lambda a, b: a - b,
    Operator.BIT_AND: lambda a, b: a & b,
    Operator.BIT_XOR: lambda a, b: a ^ b,
    Operator.BIT_OR: lambda a, b: a | b,
}
assert {*_SHIFTS, *_LOGICAL, *_PREFIXES, *_COMPARED, *_COMPUTED} == set(Operator)
