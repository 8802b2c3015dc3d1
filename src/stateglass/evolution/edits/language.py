"""Edits of a model as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from stateglass.logic.predicates import Predicate
from stateglass.source import Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class AddVariable:
    """A variable that may have any of these values in any state; steps keep it. It starts with the first one."""

    name: str
    values: tuple[str, ...]
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class DefineVariable:
    """A variable whose value follows from the others: that of the first case that holds."""

    name: str
    cases: tuple[tuple[str, Predicate | None], ...]
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class DeleteVariable:
    """A variable that nothing depends on any more: states that differ in it alone become one.

    What could be done in one of them can be done in it.
    """

    name: str
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class StartAt:
    """Another initial state: the only one in which the condition holds."""

    condition: Predicate
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class RemoveSteps:
    """Steps that are gone: by these actions, from states and to states in which the conditions hold."""

    pattern: str
    source: Predicate | None
    target: Predicate | None
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class LeadTo:
    """New steps from each state in which a condition holds to each in which the other one does."""

    label: str
    source: Predicate | None
    target: Predicate
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """New steps from each state in which a condition holds to those that differ from it in some values alone."""

    label: str
    source: Predicate | None
    values: tuple[tuple[str, str], ...]
    span: Span


Edit = AddVariable | DefineVariable | DeleteVariable | StartAt | RemoveSteps | LeadTo | Assign
