"""Conditions under which a relation holds that does not hold in general: at its cause, or all the while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.evidence import Path, Verdict
from stateglass.logic.joining import all_of, and_of, not_of
from stateglass.logic.temporal import TRUE, Always, Formula, Quantified
from stateglass.scenarios.elaboration.candidates import Literal, facts, literals
from stateglass.scenarios.elaboration.conditions import Against, Term, terms, weaker_neighbours, weakest
from stateglass.scenarios.elaboration.extents import Extent
from stateglass.scenarios.elaboration.judging import Judge, at_cause, refuting_runs
from stateglass.scenarios.language import Event, Link, Relation, Scenario
from stateglass.scenarios.validating import Validation


@final
@dataclass(frozen=True, slots=True, eq=False)
class Restricted:
    """A condition that fits, the story with it, and near ones of which somebody would ask whether they fit."""

    term: Term
    scenario: Scenario
    shown: Scenario  # that the effect can follow under this condition
    neighbours: tuple[Scenario, ...] = ()
    is_exact: bool = False  # in all other states in which the cause can happen the relation may fail

    @property
    def from_model(self) -> bool:
        return self.term.from_model


@final
class Restricting:
    """The search for the weakest conditions of one relation: among those of the vocabulary, or also among facts."""

    def __init__(self, judge: Judge, link: Link, only: Callable[[Literal], bool] = lambda literal: True) -> None:
        self._judge = judge
        self._link = link
        self._only = only

    def at_cause(self, *, with_facts: bool = False) -> list[Restricted]:
        """Conditions under which the cause has to happen: `a when (c) -> b`; the weakest first."""
        judge, link = self._judge, self._link
        relevant = self._causing
        bad = _bad_states(judge, link)

        def story(term: Term) -> Scenario:
            return judge.story(Link(at_cause(link.cause, term.condition), link.relation, link.effect))

        def shown(term: Term) -> Scenario:
            return judge.story(Link(at_cause(link.cause, term.condition), Relation.CAN_FOLLOW, link.effect))

        def fits(term: Term) -> bool:
            return judge.validate(story(term)).verdict is Verdict.HOLDS

        known = self._literals(with_facts)
        candidates = terms(known, relevant, 0 if bad is None else bad.must)
        return [
            Restricted(
                term,
                story(term),
                shown(term),
                tuple(map(story, weaker_neighbours(term, relevant, known))),
                bad is not None and relevant.is_within(term.extent.joined(bad)),
            )
            for term in weakest(candidates, fits)
        ]

    def all_the_while(self, *, with_facts: bool = False, at_cause: Sequence[Restricted] = ()) -> list[Restricted]:
        """Conditions that have to go on: `while (c): a -> b`; the weakest first.

        What a condition that is only needed at the cause implies is left out.
        """
        judge, link = self._judge, self._link
        relevant = self._within(judge.extents.everywhere)

        def story(term: Term) -> Scenario:
            return judge.story(link, condition=term.condition)

        def shown(term: Term) -> Scenario:
            return judge.story(Link(link.cause, Relation.CAN_FOLLOW, link.effect), condition=term.condition)

        def fits(term: Term) -> bool | Against:
            # A condition that never lasts from the cause to the effect says nothing about them.
            if judge.validate(shown(term)).verdict is not Verdict.HOLDS:
                return False
            validation = judge.validate(story(term))
            if validation.verdict is Verdict.HOLDS:
                return True
            states = _where_it_fails(judge, link, validation)
            return False if states is None else Against(states)

        causing = self._causing
        known = self._literals(with_facts)
        candidates = [
            term
            for term in terms(known, relevant)
            if not any(term.extent.common(causing).is_within(other.term.extent) for other in at_cause)
        ]
        return [
            Restricted(term, story(term), shown(term), tuple(map(story, weaker_neighbours(term, relevant, known))))
            # A single word is what people think of, even if a disjunction with it lasts, too.
            for term in weakest(candidates, fits, shortest=True)
        ]

    @property
    def _causing(self) -> Extent:
        extents = self._judge.extents
        return self._within(extents.states_before(extents.event(self._link.cause)))

    def _within(self, states: Extent) -> Extent:
        """Those states in which the condition holds that the story has already."""
        condition = self._judge.base.part.condition
        return states if condition is None else states.common(self._judge.extents.predicate(condition.predicate))

    def _literals(self, with_facts: bool) -> list[Literal]:
        extents = self._judge.extents
        known = literals(extents, self._judge.validator.vocabulary)
        every = [*known, *facts(extents)] if with_facts else known
        return [literal for literal in every if self._only(literal)]


def _bad_states(judge: Judge, link: Link) -> Extent | None:
    """Where the cause may happen and the effect never follow; None if that is not one question."""
    part = judge.base.part
    words = judge.extents.words
    cause, effect = words.occurrence(link.cause), words.occurrence(link.effect)
    if link.relation is not Relation.LEADS_TO or part.scope is not None or judge.extents.event(link.cause).at_start:
        return None
    condition: Formula = TRUE if part.condition is None else words.condition(part.condition)
    spared = TRUE if part.exception is None else not_of(words.occurrence(part.exception).at_step)
    without = all_of((not_of(effect.at_step), condition, spared))
    never = and_of(cause.at_step, Quantified(False, Always(without)))
    steps = judge.extents.steps(never, judge.base.scenario.fairness)
    return judge.extents.states_before(steps)


def _where_it_fails(judge: Judge, link: Link, validation: Validation) -> int | None:
    """The states of a run against a relation: for `->`, those from the cause on."""
    runs = refuting_runs(validation)
    if not runs:
        return None
    run = runs[0]
    return judge.extents.states_of(run, _last_cause(judge, link.cause, run) if _is_of_effects(validation) else 0)


def _is_of_effects(validation: Validation) -> bool:
    violated = [reply for reply in validation.replies if reply.verdict is Verdict.VIOLATED]
    return violated[0].question.link.relation is Relation.LEADS_TO


def _last_cause(judge: Judge, cause: Event, run: Path) -> int:
    """The last step before the repeated ones at which the cause happens, the first repeated one if it does there."""
    extent = judge.extents.event(cause)
    happens = [number for number, at in enumerate(judge.extents.positions_of(run)) if extent.must >> at & 1]
    last = happens[-1] if happens else 0
    return last if run.loop_start is None else min(last, run.loop_start)
