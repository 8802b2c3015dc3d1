"""Conditions under which a relation holds that does not hold in general: at its cause, or all the while."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Path, Verdict
from stateglass.logic.joining import all_of, and_of, not_of
from stateglass.logic.temporal import TRUE, Always, Formula, Quantified
from stateglass.scenarios.elaboration.candidates import Literal, facts, literals
from stateglass.scenarios.elaboration.conditions import Against, Term, terms, weaker_neighbours, weakest
from stateglass.scenarios.elaboration.extents import Extent
from stateglass.scenarios.elaboration.judging import Judge, refuting_runs
from stateglass.scenarios.language import Event, Link, Relation, Scenario, When
from stateglass.scenarios.validating import Validation

REFUTED: Final = frozenset({Relation.LEADS_TO, Relation.ONLY_AFTER, Relation.ONLY_SINCE, Relation.LINKED})
"""The relations that runs refute: these hold under strong conditions rather than under weak ones."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Restricted:
    """A condition that fits, the story with it, and near ones that do not fit."""

    term: Term
    scenario: Scenario
    rejected: tuple[Scenario, ...] = ()
    is_exact: bool = False  # in all other states in which the cause can happen the relation may fail

    @property
    def from_model(self) -> bool:
        return self.term.from_model


def under_vocabulary_or_facts(judge: Judge, link: Link, *, at_cause: bool, most: int) -> tuple[list[Restricted], int]:
    """Conditions of the vocabulary that fit; if there is none, facts about single propositions that do.

    At most so many; also how many there are beyond.
    """
    extents = judge.extents
    known = literals(extents, judge.validator.vocabulary)
    search = _at_cause if at_cause else _all_the_while
    found = search(judge, link, known)
    if not found:
        found = search(judge, link, [*known, *facts(extents)])
    return found[:most], max(0, len(found) - most)


# ---- at the cause: `a when (c) -> b`


def _at_cause(judge: Judge, link: Link, known: list[Literal]) -> list[Restricted]:
    extents = judge.extents
    cause = extents.event(link.cause)
    relevant = extents.states_before(cause)
    bad = _bad_states(judge, link)

    def story(term: Term) -> Scenario:
        return judge.story(Link(When(link.cause, term.condition), link.relation, link.effect))

    def fits(term: Term) -> bool | Against:
        validation = judge.validate(story(term))
        return validation.verdict is Verdict.HOLDS

    found = weakest(terms(known, relevant, bad.must if bad is not None else 0), fits)
    return [
        Restricted(
            term,
            story(term),
            tuple(map(story, weaker_neighbours(term, relevant))),
            bad is not None and relevant.is_within(term.extent.joined(bad)),
        )
        for term in found
    ]


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


# ---- all the while: `while (c): a -> b`


def _all_the_while(judge: Judge, link: Link, known: list[Literal]) -> list[Restricted]:
    relevant = judge.extents.everywhere

    def story(term: Term) -> Scenario:
        return judge.story(link, condition=term.condition)

    def fits(term: Term) -> bool | Against:
        # A condition that never lasts from the cause to the effect says nothing about them.
        lasting = judge.verdict(link.cause, Relation.CAN_FOLLOW, link.effect, term.condition)
        if lasting is not Verdict.HOLDS:
            return False
        validation = judge.validate(story(term))
        if validation.verdict is Verdict.HOLDS:
            return True
        states = _where_it_fails(judge, link, validation)
        return False if states is None else Against(states)

    found = weakest(terms(known, relevant), fits)
    return [Restricted(term, story(term), tuple(map(story, weaker_neighbours(term, relevant)))) for term in found]


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
