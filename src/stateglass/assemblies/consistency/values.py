"""Values of a design as expressions over what they were before, folded where they are numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final, assert_never, final

from stateglass.assemblies.types import limits
from stateglass.design import Constant, Expression, Name, Operation, constants_in
from stateglass.logic.predicates import Operator

_LOGICAL: Final = frozenset(Operator(sign) for sign in ("!", "&&", "||", "==", "!=", "<", "<=", ">", ">="))
_MASKS: Final = {"unsigned char": 0xFF, "unsigned short": 0xFFFF}


@final
@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that nothing is known of, and why."""

    why: str


def value_of(expression: Expression, read: Callable[[Name], Expression | Unknown]) -> Expression | Unknown:
    """An expression with values in place of names."""
    match expression:
        case Constant(value, text=text):
            return Constant(value, text=text)
        case Name():
            return read(expression)
        case Operation(operator, operands):
            values: list[Expression] = []
            for operand in operands:
                found = value_of(operand, read)
                if isinstance(found, Unknown):
                    return found
                values.append(found)
            return _folded(Operation(operator, tuple(values)))
        case other:
            assert_never(other)


def _folded(operation: Operation) -> Expression:
    """The same, as a number if that is easily seen."""
    numbers = [operand.value if isinstance(operand, Constant) else None for operand in operation.operands]
    match operation.operator, numbers:
        case Operator.NOT, [int(value)]:
            return Constant(int(not value))
        case Operator.AND_ALSO, [0, _] | [_, 0]:
            return Constant(0)
        case Operator.OR_ELSE, [int(value), _] | [_, int(value)] if value:
            return Constant(1)
        case Operator.EQUAL, [int(left), int(right)]:
            return Constant(int(left == right))
        case Operator.NOT_EQUAL, [int(left), int(right)]:
            return Constant(int(left != right))
        case Operator.LESS, [int(left), int(right)]:
            return Constant(int(left < right))
        case Operator.LESS_EQUAL, [int(left), int(right)]:
            return Constant(int(left <= right))
        case Operator.GREATER, [int(left), int(right)]:
            return Constant(int(left > right))
        case Operator.GREATER_EQUAL, [int(left), int(right)]:
            return Constant(int(left >= right))
        case Operator.ADD, [int(left), int(right)] if _is_small(left + right):
            return Constant(left + right)
        case Operator.MINUS, [int(left), int(right)] if _is_small(left - right) and _is_signed(operation):
            return Constant(left - right)
        case _:
            return operation


def _is_small(value: int) -> bool:
    """Whether arithmetic cannot have gone wrong on the way to it."""
    return abs(value) < 1 << 15


def _is_signed(operation: Operation) -> bool:
    """Whether a difference may be negative."""
    return not any(number.type.startswith("unsigned") for number in constants_in(operation))


def is_wide(type: str) -> bool:
    """Whether arithmetic with values of a type is not that of `int`."""
    return "long" in type or type in ("unsigned", "unsigned int")


def assigned(value: Expression | Unknown, of: str | None, to: str, *, is_wide: bool) -> Expression | Unknown:
    """A value as a variable keeps it; `of` is the type that it is known to have. `is_wide`: it may be no `int`."""
    if isinstance(value, Unknown) or of == to:
        return value
    if isinstance(value, Constant):
        least, most = limits("int") if to == "int" else (0, 1 if to == "bool" else 127)
        return value if least <= value.value <= most else _lost(to)
    match to:
        case "bool":
            is_truth = isinstance(value, Operation) and value.operator in _LOGICAL
            return value if is_truth else Operation(Operator.NOT_EQUAL, (value, Constant(0)))
        case _ if to in _MASKS:
            return Operation(Operator.BIT_AND, (value, Constant(_MASKS[to])))
        case "signed char" | "char" | "short" | "signed short":
            return _lost(to)
        case _ if is_wide:
            return _lost(to)
        case _:
            return value


def _lost(type: str) -> Unknown:
    return Unknown(f"how a value becomes a `{type}`")


def known_truth(condition: Expression) -> bool | None:
    return bool(condition.value) if isinstance(condition, Constant) else None


_OPPOSITE: Final = {
    Operator.EQUAL: Operator.NOT_EQUAL,
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.GREATER: Operator.LESS_EQUAL,
}
_OPPOSITES: Final = _OPPOSITE | {other: one for one, other in _OPPOSITE.items()}


def negated(condition: Expression | Unknown) -> Expression | Unknown:
    match condition:
        case Unknown():
            return condition
        case Operation(operator, operands) if operator in _OPPOSITES:
            return Operation(_OPPOSITES[operator], operands)
        case Operation(Operator.NOT, (operand,)):
            return operand
        case _:
            return _folded(Operation(Operator.NOT, (condition,)))


def conjoined(conditions: Sequence[Expression]) -> Expression:
    distinct = list(dict.fromkeys(conditions))
    return reduce(lambda a, b: Operation(Operator.AND_ALSO, (a, b)), distinct) if distinct else Constant(1)


def either(one: Expression, other: Expression) -> Expression:
    """Where one of two conditions holds."""
    if one == other:
        return one
    if negated(one) == other:
        return Constant(1)
    return _folded(Operation(Operator.OR_ELSE, (one, other)))
