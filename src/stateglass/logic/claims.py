"""Claims: formulas that somebody says hold, with a name, and what is assumed of the runs they speak of."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, unique
from typing import final

from stateglass.logic import modal, patterns, temporal
from stateglass.source import NOWHERE, Span


@final
@unique
class BuiltIn(Enum):
    """Claims that need no formula."""

    NO_ERROR = "no-error"  # no `error(…)`, failed assertion or `reach_error` can be reached
    NO_DEADLOCK = "no-deadlock"
    NO_LIVELOCK = "no-livelock"
    NO_UNREACHABLE = "no-unreachable"  # every line of the code, or state of a model, can be reached


@final
@dataclass(frozen=True, slots=True)
class Fairness:
    """Runs count only if a pattern of events gets its turn.

    Weak: an event that can happen from some time on without interruption happens again and again; strong: one that can
    happen again and again does.
    """

    pattern: str
    strong: bool
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded sequence of events, as a unit test is: in every state in which a condition holds, can it happen?"""

    condition: temporal.Formula  # without temporal operators; true: every state between calls
    events: tuple[str, ...]
    spans: tuple[Span, ...] = field(default=(), compare=False)  # where each event stands, if anybody wrote it


@final
@dataclass(frozen=True, slots=True)
class Conforms:
    """All that is done is what a process or a model can do, step by step: weak simulation."""

    file: str


@final
@unique
class Language(Enum):
    """How a claim was written."""

    LTL = "ltl"
    CTL = "ctl"
    MU = "mu"
    ENGLISH = "english"
    TEST = "test"
    BUILT_IN = "built-in"


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """Something that is to hold; `text` is what the user wrote."""

    text: str
    language: Language
    content: temporal.Formula | modal.Formula | Recorded | BuiltIn | Conforms
    name: str = ""
    fairness: tuple[Fairness, ...] = ()
    span: Span = NOWHERE
    requirement: patterns.Requirement | None = None  # what a claim in English says; its content is the formula

    @property
    def title(self) -> str:
        """What answers call it."""
        return self.name or self.text
