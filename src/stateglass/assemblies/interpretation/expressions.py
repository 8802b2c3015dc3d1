"""Expressions of the action language as C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from stateglass.assemblies.computing import Typed, computed
from stateglass.assemblies.interpretation.wiring import Wiring
from stateglass.assemblies.types import converted, is_computed_in
from stateglass.design import Constant, Expression, Name, Operation, Variable, names_in

_SUFFIXES: Final = {"int": "", "unsigned int": "u", "long": "l", "unsigned long": "ul"}


def expression_text(expression: Expression, named: Callable[[Name], str]) -> str:
    """An expression with a name in C for each of its names; every operand that is no name or number has parentheses."""
    match expression:
        case Constant(value):
            return f"{value}{_SUFFIXES[expression.type]}"
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
    """What a variable of an instance begins with; an `ArithmeticError` if that is nothing in C."""
    own = wiring.by_name[unit]
    known = {name: Typed(value) for one in wiring.design.enumerations for name, value in one.values}
    types = {p.name: p.type.name for p in own.component.parameters}
    known |= {name: Typed(value, types[name]) for name, value in own.constants.items()}
    value = computed(variable.initial, {name: known[name.name] for name in names_in(variable.initial)})
    found = converted(value, variable.type.name)
    if found != value and is_computed_in(variable.type.name):
        raise OverflowError
    return found
