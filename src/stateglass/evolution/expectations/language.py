"""What can be declared of a change: new names, steps that come, go or change, claims with another verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import final

from stateglass.evidence import Verdict
from stateglass.logic.predicates import Predicate
from stateglass.source import NOWHERE, Span


@final
@dataclass(frozen=True, slots=True)
class RenamedAction:
    """A function has another name in all of its actions, or one action has: then both are written in full."""

    old: str
    new: str
    span: Span = NOWHERE

    def __str__(self) -> str:
        return f"rename {self.old} -> {self.new}"


@final
@dataclass(frozen=True, slots=True)
class RenamedVariable:
    """A variable has another name, with all of its parts."""

    old: str
    new: str
    span: Span = NOWHERE

    def __str__(self) -> str:
        return f"rename variable {self.old} -> {self.new}"


@final
@unique
class How(Enum):
    """What becomes of steps."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@final
@dataclass(frozen=True, slots=True)
class ChangedSteps:
    """Steps with such an action, from states with such values, are new, gone, or do something else than before."""

    how: How
    pattern: str
    condition: Predicate | None = None
    words: str = ""  # the condition as it was written
    span: Span = NOWHERE

    def __str__(self) -> str:
        return f"{self.how.value} {self.pattern}" + (f" when {self.words}" if self.condition is not None else "")


@final
@dataclass(frozen=True, slots=True)
class ChangedClaim:
    """A claim, by its name or its text, has this verdict afterwards and had another before."""

    claim: str
    verdict: Verdict
    span: Span = NOWHERE

    def __str__(self) -> str:
        return f"claim {self.claim} may become {self.verdict.value}"


Expectation = RenamedAction | RenamedVariable | ChangedSteps | ChangedClaim
