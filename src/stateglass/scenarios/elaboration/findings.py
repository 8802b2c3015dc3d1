"""What elaboration comes to: stories that hold, near ones that do not, and how each is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from stateglass.evidence import Verdict
from stateglass.scenarios.language import Scenario
from stateglass.scenarios.validating import Validation


@final
@unique
class Pattern(Enum):
    """A way from a story to a stronger or richer one, by the name that kept stories have it under."""

    STRONGER_RELATION = "stronger relation"
    CAUSE_WEAKENING = "cause weakening"
    EVENT_SPLITTING = "event splitting"
    INTERMEDIATE_EVENT = "intermediate event"
    INTERMEDIATE_CAUSE = "intermediate cause"
    VARIABLE_SUBSET = "variable-subset dependence"
    AVOID_EXCEPTION = "avoid exception"
    EXCEPTION_BREAKS_CAUSATION = "exception breaks causation"


PATTERNS: Final = {pattern.value: pattern for pattern in Pattern}
SHORTEST_RUN: Final = "shortest"
NO_NEW_STEPS: Final = "avoid-new-transitions"
"""Strategies as whoever asks writes them."""


def avoiding(kind: str, what: Iterable[str]) -> str:
    """The strategy that avoids some events, states or variables."""
    return f"avoid-{kind}={{{', '.join(what)}}}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Showing:
    """A story whose run helps to see another one, and the strategy to look for the run with."""

    scenario: Scenario
    strategy: str = SHORTEST_RUN


@final
@dataclass(frozen=True, slots=True, eq=False)
class Elaboration:
    """A story that was tried, its verdict, and what shows it."""

    pattern: Pattern
    scenario: Scenario
    validation: Validation
    showing: Showing
    note: str = ""  # a sentence that a person may want to read
    from_model: bool = False  # it speaks of values that the vocabulary has no word for

    @property
    def verdict(self) -> Verdict:
        return self.validation.verdict


@final
@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What a pattern gave for a story: what holds, best first, and what was rejected but is near."""

    pattern: Pattern
    found: tuple[Elaboration, ...] = ()
    rejected: tuple[Elaboration, ...] = ()
    remarks: tuple[str, ...] = ()  # sentences: what was not found, what is left out


@final
class Notebook:
    """What a pattern writes down while it searches: if it is stopped, what is there is not lost."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._found: dict[str, Elaboration] = {}
        self._rejected: dict[str, Elaboration] = {}
        self._remarks: list[str] = []

    def add(self, elaboration: Elaboration) -> None:
        """Notes a story: it holds, or it is violated and worth being asked about; others are left out."""
        if elaboration.verdict is Verdict.HOLDS:
            self._found.setdefault(elaboration.scenario.text, elaboration)
        elif elaboration.verdict is Verdict.VIOLATED:
            self._rejected.setdefault(elaboration.scenario.text, elaboration)

    def say(self, remark: str) -> None:
        self._remarks.append(remark)

    @property
    def has_found(self) -> bool:
        return bool(self._found)

    def findings(self) -> Findings | None:
        """None: the pattern does not apply."""
        if not self._found and not self._rejected and not self._remarks:
            return None
        remarks = tuple(dict.fromkeys(self._remarks))
        return Findings(self.pattern, tuple(self._found.values()), tuple(self._rejected.values()), remarks)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Elaborated:
    """The whole answer for one story."""

    base: Validation
    findings: tuple[Findings, ...]
    checks: int
    interrupted: bool = False  # somebody did not want to wait for the rest

    @property
    def found(self) -> tuple[Elaboration, ...]:
        return tuple(one for findings in self.findings for one in findings.found)

    @property
    def rejected(self) -> tuple[Elaboration, ...]:
        return tuple(one for findings in self.findings for one in findings.rejected)
