"""Conditions of watches: C expressions over variables and integer constants, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique
from typing import assert_never, final

from stateglass.program import Type
from stateglass.system.maps.places import PlaceName


@final
@unique
class Prefix(Enum):
    """Operators in front of their operand."""

    NOT = "!"
    NEGATE = "-"
    COMPLEMENT = "~"


@final
@unique
class Infix(Enum):
    """Operators between their operands."""

    OR_ELSE = "||"
    AND_ALSO = "&&"
    OR = "|"
    XOR = "^"
    AND = "&"
    EQUAL = "=="
    UNEQUAL = "!="
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    SHIFT_LEFT = "<<"
    SHIFT_RIGHT = ">>"
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"


# C's levels of precedence, the loosest first; all of them group from the left.
_LEVELS = (
    (Infix.OR_ELSE,),
    (Infix.AND_ALSO,),
    (Infix.OR,),
    (Infix.XOR,),
    (Infix.AND,),
    (Infix.EQUAL, Infix.UNEQUAL),
    (Infix.LESS, Infix.LESS_EQUAL, Infix.GREATER, Infix.GREATER_EQUAL),
    (Infix.SHIFT_LEFT, Infix.SHIFT_RIGHT),
    (Infix.ADD, Infix.SUBTRACT),
    (Infix.MULTIPLY, Infix.DIVIDE, Infix.REMAINDER),
)
PRECEDENCE = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
assert set(PRECEDENCE) == set(Infix)
_TIGHTEST = len(_LEVELS)


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

    operator: Prefix
    operand: Condition


@final
@dataclass(frozen=True, slots=True)
class Combined:
    """`x == y` and all other operators with two operands."""

    operator: Infix
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
            return f"{operator.value}{print_condition(operand, _TIGHTEST + 1)}"
        case Combined(operator, left, right):
            level = PRECEDENCE[operator]
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
