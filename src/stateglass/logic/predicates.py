"""What is said of the values in one state: C expressions over the propositions of a model.

Nodes are compared by identity, as all formulas are: they may be so deep that comparing them would not end well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, unique
from functools import reduce
from typing import final

from stateglass.source import NOWHERE, Span


@final
@unique
class Operator(Enum):
    """The operators of C that a predicate may have."""

    NOT = "!"
    MINUS = "-"  # with one operand or two
    COMPLEMENT = "~"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"
    ADD = "+"
    SHIFT_LEFT = "<<"
    SHIFT_RIGHT = ">>"
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    EQUAL = "=="
    NOT_EQUAL = "!="
    BIT_AND = "&"
    BIT_XOR = "^"
    BIT_OR = "|"
    AND_ALSO = "&&"
    OR_ELSE = "||"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A constant."""

    value: int | float


@final
@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A value by its text as states show it, such as that of a pointer or of an abstract value: `p == "&buffer"`."""

    text: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A proposition (`x`, `act1.length`, `f::x`, `table[3].state`) or an enumerator; the model says which."""

    name: str
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """An operator and its one or two operands."""

    operator: Operator
    operands: tuple[Predicate, ...]


Predicate = Number | Text | Named | Applied


def joined_by(operator: Operator, parts: Iterable[Predicate]) -> Predicate:
    """At least one predicate, with an operator between them; what stands first is taken together first."""
    return reduce(lambda left, right: Applied(operator, (left, right)), parts)
