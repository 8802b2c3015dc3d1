"""Validates the candidates of a pattern: each once, within a bound, and in the surroundings of the story they vary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.check.why import Why
from stateglass.evidence import Path, Verdict
from stateglass.logic.predicates import Applied, Operator
from stateglass.logic.temporal import Always, Eventually, Quantified
from stateglass.scenarios.elaboration.candidates import has_action
from stateglass.scenarios.elaboration.extents import Extent, Extents
from stateglass.scenarios.elaboration.findings import Elaboration, Pattern, Showing
from stateglass.scenarios.language import (
    Ancestry,
    AnyOf,
    Condition,
    Event,
    Link,
    Part,
    Relation,
    Scenario,
    When,
)
from stateglass.scenarios.validating import Reply, Validation, Validator
from stateglass.scenarios.writing import parts_text
from stateglass.work import Progress, silent

MOST_CHECKS: Final = 2000
"""So many candidates of one pattern are validated; then what was found is all."""
_MANY: Final = 20
"""After so many questions, loading the compiled loops has paid for itself."""


@final
class Stopped(Exception):
    """No more candidates are validated: the bound is reached, or somebody does not want to wait."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """One relation of a story: what elaboration begins with. Its part says where it is to hold."""

    scenario: Scenario
    part: Part
    link: Link

    @property
    def cause(self) -> Event:
        return self.link.cause

    @property
    def effect(self) -> Event:
        return self.link.effect


def bases(scenario: Scenario) -> list[Base]:
    """The relations of a story, one by one."""
    return [Base(scenario, part, link) for part in scenario.parts for link in part.links]


@final
class Judge:
    """Validates variants of one relation; the same one is not validated twice."""

    def __init__(
        self, validator: Validator, base: Base, extents: Extents, progress: Progress = silent, most: int = MOST_CHECKS
    ) -> None:
        self.validator = validator
        self.base = base
        self.extents = extents
        self.checks = 0
        self.interrupted = False
        self._most = self._end = most
        self._progress = progress
        self._known: dict[str, Validation] = {}
        self._recurring: dict[Extent, bool] = {}

    def renew(self) -> None:
        """Another pattern begins: it may do as much work as each of those before."""
        self._end = self.checks + self._most

    @property
    def is_exhausted(self) -> bool:
        """Whether the bound is reached: something may be missing."""
        return self.checks >= self._end

    def story(
        self, *links: Link, condition: Condition | None = None, exception: Event | None = None, apart: bool = False
    ) -> Scenario:
        """A variant of the base: with other links, a further condition and a further exception.

        Links are a chain, or, if they are `apart`, relations of their own.
        """
        base = self.base.part
        part = replace(
            base, condition=_both(base.condition, condition), exception=_either(base.exception, exception), links=()
        )
        parts = tuple(replace(part, links=(link,)) for link in links) if apart else (replace(part, links=links),)
        return Scenario(parts_text(parts, self.validator.vocabulary), parts, fairness=self.base.scenario.fairness)

    def validate(self, scenario: Scenario) -> Validation:
        if scenario.text not in self._known:
            if self.checks >= self._end or self.interrupted:
                raise Stopped
            self.checks += 1
            if self.checks == _MANY:
                self.validator.positions.hurry()
            try:
                self._progress("elaborating", candidates=self.checks)
                self._known[scenario.text] = self.validator.validate(scenario)
            except KeyboardInterrupt:
                # Whoever searches can still tell what it has.
                self.interrupted = True
                raise Stopped from None
        return self._known[scenario.text]

    def verdict(
        self,
        cause: Event,
        relation: Relation,
        effect: Event,
        condition: Condition | None = None,
        exception: Event | None = None,
    ) -> Verdict:
        link = Link(cause, relation, effect)
        return self.validate(self.story(link, condition=condition, exception=exception)).verdict

    def holds(
        self,
        cause: Event,
        relation: Relation,
        effect: Event,
        condition: Condition | None = None,
        exception: Event | None = None,
    ) -> bool:
        return self.verdict(cause, relation, effect, condition, exception) is Verdict.HOLDS

    def is_same_thing(self, part: Event, whole: Event) -> bool:
        """Whether one event is a part of another one, and both are actions or both are changes."""
        vocabulary = self.validator.vocabulary
        alike = has_action(part, vocabulary) == has_action(whole, vocabulary)
        return alike and self.extents.event(part).is_within(self.extents.event(whole))

    def recurs(self, event: Event) -> bool:
        """Whether an event happens again and again on all runs: that something leads to it says nothing."""
        extent = self.extents.event(event)
        if extent not in self._recurring:
            occurs = Quantified(True, Eventually(self.extents.words.occurrence(event).at_step))
            evaluation = self.validator.evaluation(Quantified(True, Always(occurs)), self.base.scenario.fairness)
            self._recurring[extent] = evaluation.at_start() is True
        return self._recurring[extent]

    def elaboration(
        self,
        pattern: Pattern,
        scenario: Scenario,
        showing: Showing | None = None,
        note: str = "",
        *,
        from_model: bool = False,
    ) -> Elaboration:
        """A variant with its verdict, as one that was made from the base."""
        validation = self.validate(scenario)
        parent = self.base.scenario.title
        grown = replace(scenario, ancestry=Ancestry(parent, pattern.value))
        return Elaboration(pattern, grown, validation, showing or Showing(scenario), note, from_model)


def run_of(reply: Reply) -> Path | None:
    """A run that shows or refutes a relation, if there is one."""
    if not reply.has_run:
        return None
    evidence = Why(reply.evaluation, sure=True).story(holds=True).evidence
    return evidence if isinstance(evidence, Path) else None


def refuting_runs(validation: Validation) -> Sequence[Path]:
    """One run against each relation that is violated."""
    violated = (reply for reply in validation.replies if reply.verdict is Verdict.VIOLATED)
    return [run for reply in violated if (run := run_of(reply)) is not None]


def at_cause(event: Event, condition: Condition) -> Event:
    """An event where a condition holds."""
    if isinstance(event, When):
        both = _both(event.condition, condition)
        assert both is not None
        return When(event.event, both)
    return When(event, condition)


def _both(one: Condition | None, other: Condition | None) -> Condition | None:
    if one is None or other is None:
        return one or other
    return Condition(Applied(Operator.AND_ALSO, (one.predicate, other.predicate)))


def _either(one: Event | None, other: Event | None) -> Event | None:
    if one is None or other is None:
        return one or other
    return AnyOf((one, other))
