"""Requirements in English: a pattern of behaviour and the part of a run in which it is to be kept.

The patterns and scopes are those of Dwyer, Avrunin and Corbett (Patterns in property specifications for finite-state
verification, 1999). What a pattern speaks of is an event or a condition on values, or a combination of both, without
temporal operators.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from stateglass.logic.temporal import Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Absence:
    """It never happens."""

    thing: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Universality:
    """It always holds; if it is an event, at every step."""

    thing: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Existence:
    """It happens at some time."""

    thing: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Bounded:
    """It happens so many times at most; a condition that goes on holding counts once."""

    thing: Formula
    most: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class Precedence:
    """The effect happens only if the cause has happened before; one of the two may be a chain of two things."""

    cause: tuple[Formula, ...]
    effect: tuple[Formula, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """Whenever the cause happens, the effect follows; one of the two may be a chain of two things."""

    cause: tuple[Formula, ...]
    effect: tuple[Formula, ...]


Behaviour = Absence | Universality | Existence | Bounded | Precedence | Response


@final
@dataclass(frozen=True, slots=True)
class Globally:
    """The whole run."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """Up to the first time something happens; if it never does, nothing is required."""

    end: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class After:
    """From the first time something happens."""

    start: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Between:
    """From each time one thing happens up to the next time another does, if it does."""

    start: Formula
    end: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class AfterUntil:
    """From each time one thing happens up to the next time another does, or for ever if it does not."""

    start: Formula
    end: Formula


Scope = Globally | Before | After | Between | AfterUntil


@final
@dataclass(frozen=True, slots=True, eq=False)
class Requirement:
    """A pattern of behaviour and where it is to be kept."""

    behaviour: Behaviour
    scope: Scope
