"""Conditions of watches: C expressions over variables and integer constants, as values.

Their operators are those of predicates in claims, and bind as they do there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never, final

from stateglass.logic.expressions import BINDING, TIGHTEST
from stateglass.logic.predicates import Operator
from stateglass.program import Type
from stateglass.system.maps.places import PlaceName


@final
@dataclass(frozen=True, slots=True)
class Number:
    """An integer constant. A parsed one is not negative; an enumerator that was resolved may be."""

    value: int


@final
@dataclass(frozen=True, slots=True)
class Named:
    """A variable, a part of one or an enumerator, by its name."""

    place: PlaceName


@final
@dataclass(frozen=True, slots=True)
class VariableName:
    """A variable of the program: a global, with static locals as `f::x`, or a local of a function."""

    function: str | None
    name: str

    def __str__(self) -> str:
        return self.name if self.function is None else f"{self.function}:{self.name}"


@final
@dataclass(frozen=True, slots=True)
class Target:
    """What a name turned out to mean: a variable, or the part of it at `path` (`.member[2]`)."""

    variable: VariableName
    path: str
    type: Type

    def __str__(self) -> str:
        return f"{self.variable}{self.path}"


@final
@dataclass(frozen=True, slots=True)
class Prefixed:
    """`!x`, `-x`, `~x`."""

    operator: Operator
    operand: Condition


@final
@dataclass(frozen=True, slots=True)
class Combined:
    """`x == y` and all other operators with two operands."""

    operator: Operator
    left: Condition
    right: Condition


Condition = Number | Named | Target | Prefixed | Combined
"""Before it is resolved a condition has no `Target`, afterwards no `Named`."""


def print_condition(condition: Condition, around: int = 0) -> str:
    """A condition as C, with the parentheses that it needs; `around` is the precedence of what stands around it."""
    match condition:
        case Number(value):
            return str(value) if value >= 0 else f"({value})"
        case Named(place):
            return str(place)
        case Target():
            return str(condition)
        case Prefixed(operator, operand):
            return f"{operator.value}{print_condition(operand, TIGHTEST + 1)}"
        case Combined(operator, left, right):
            level = BINDING[operator]
            text = f"{print_condition(left, level)} {operator.value} {print_condition(right, level + 1)}"
            return f"({text})" if level < around else text
        case _:
            assert_never(condition)


def leaves(condition: Condition) -> Iterator[Number | Named | Target]:
    """The constants and names of a condition, from left to right."""
    match condition:
        case Prefixed(_, operand):
            yield from leaves(operand)
        case Combined(_, left, right):
            yield from leaves(left)
            yield from leaves(right)
        case _:
            yield condition
