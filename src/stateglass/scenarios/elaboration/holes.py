"""Questions with a hole, `call -> ?`: answered by the strongest events or conditions that fit.

A relation gets stronger, or weaker, the more an event happens or the more a condition holds; so of the answers that
fit, only those are told that no other one implies. Answers that fit whatever the model does are left out, unless there
is no other one (Chan, Temporal-logic queries, 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from itertools import combinations
from typing import Final, TypeVar, final

from stateglass.evidence import Verdict
from stateglass.scenarios.elaboration.candidates import Candidate, event_candidates, facts, joined, literals
from stateglass.scenarios.elaboration.conditions import terms
from stateglass.scenarios.elaboration.extents import Extent, Extents
from stateglass.scenarios.elaboration.judging import MOST_CHECKS, Base, Judge, Stopped, at_cause
from stateglass.scenarios.elaboration.restricting import Restricting
from stateglass.scenarios.language import (
    AllOf,
    AnyOf,
    Condition,
    Event,
    Hole,
    Link,
    Part,
    Relation,
    Scenario,
    When,
    events_in,
)
from stateglass.scenarios.validating import Validation, Validator
from stateglass.scenarios.writing import condition_text, event_text, parts_text
from stateglass.source import Code, input_error
from stateglass.work import Progress, silent


@final
@unique
class Best(Enum):
    """Which of the answers that fit say the most."""

    SMALLEST = "smallest"
    LARGEST = "largest"
    ALL = "all"  # none says more than another


@final
@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """What may stand in a hole, and the story or formula with it."""

    answer: str
    text: str
    validation: Validation | None = None  # of a story
    is_trivial: bool = False
    from_model: bool = False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """The answers to a question, the strongest first."""

    question: str
    fillings: tuple[Filling, ...]
    remarks: tuple[str, ...] = ()
    interrupted: bool = False


Answer = TypeVar("Answer")


def best(
    candidates: Sequence[Answer], extent: Callable[[Answer], Extent], wanted: Best, fits: Callable[[Answer], bool]
) -> list[Answer]:
    """The candidates that fit and that are not implied by another one that does, the strongest first."""
    if wanted is Best.ALL:
        ordered = list(candidates)
    else:
        sign = 1 if wanted is Best.SMALLEST else -1
        ordered = sorted(candidates, key=lambda candidate: sign * extent(candidate).size)
    found: list[Answer] = []
    for one in ordered:
        own = extent(one)
        known = [] if wanted is Best.ALL else [extent(other) for other in found]
        implied = any(other.is_within(own) if wanted is Best.SMALLEST else own.is_within(other) for other in known)
        try:
            if not implied and fits(one):
                found.append(one)
        except Stopped:
            break  # What fits is known to fit all the same.
    return found


def is_question(scenario: Scenario) -> bool:
    return any(_holes(part) for part in scenario.parts)


def _holes(part: Part) -> int:
    # In a chain, each effect is the cause of the next link.
    events = [part.links[0].cause, *(link.effect for link in part.links)]
    if part.exception is not None:
        events.append(part.exception)
    inner = [one for event in events for one in events_in(event)]
    found = sum(isinstance(one, Hole) for one in inner)
    found += sum(isinstance(one, When) and one.condition.is_hole for one in inner)
    return found + (part.condition is not None and part.condition.is_hole)


@final
class Questioner:
    """Answers questions about one model."""

    def __init__(self, validator: Validator, progress: Progress = silent, most_checks: int = MOST_CHECKS) -> None:
        self.validator = validator
        self.extents = Extents(validator)
        self._progress = progress
        self._most = most_checks

    def ask(self, scenario: Scenario) -> Answered:
        """The answers to a story with one hole; Ctrl-C ends the search."""
        part = scenario.parts[0]
        if len(scenario.parts) > 1 or len(part.links) > 1 or _holes(part) > 1:
            message = f"`{scenario.text}` is more than one question"
            raise input_error(Code.USAGE, message, scenario.span, help="ask for one thing in one relation: `a -> ?`")
        search = _Search(self, scenario, self._most, self._progress)
        try:
            answered = search.answered()
        except Stopped:
            answered = search.told()
        except KeyboardInterrupt:
            return replace(search.told(), interrupted=True)
        if search.judge.is_exhausted:
            answered = replace(answered, remarks=(f"the search was cut short after {self._most:,} candidates",))
        return replace(answered, interrupted=search.judge.interrupted)


@final
class _Search:
    """The answers to one question, as far as they are known."""

    def __init__(self, questioner: Questioner, scenario: Scenario, most: int, progress: Progress) -> None:
        self._questioner = questioner
        self._scenario = scenario
        self._extents = questioner.extents
        self._part = scenario.parts[0]
        self._link = self._part.links[0]
        part = self._part
        if part.condition is not None and part.condition.is_hole:
            part = replace(part, condition=None)
        self.judge = Judge(questioner.validator, Base(scenario, part, self._link), self._extents, progress, most)
        self._fillings: list[Filling] = []
        self._remarks: list[str] = []

    def told(self) -> Answered:
        return Answered(self._scenario.text, tuple(self._fillings), tuple(self._remarks))

    def answered(self) -> Answered:
        if self._part.condition is not None and self._part.condition.is_hole:
            self._ask_condition(self._link, lasting=True)
        elif (bare := _without_hole(self._link.cause)) is not None:
            self._ask_condition(Link(bare, self._link.relation, self._link.effect), lasting=False)
        else:
            self._ask_event()
        if not self._fillings:
            self._remarks.append("nothing that was tried fits")
        return self.told()

    # ---- conditions

    def _ask_condition(self, link: Link, *, lasting: bool) -> None:
        if not link.relation.is_refuted_by_runs:
            self._ask_strongest_condition(link, lasting)
            return
        restricting = Restricting(self.judge, link)
        search = restricting.all_the_while if lasting else restricting.at_cause
        for restricted in search() or search(with_facts=True):
            validation = self.judge.validate(restricted.scenario)
            text = condition_text(restricted.term.condition)
            self._fillings.append(Filling(text, restricted.scenario.text, validation, from_model=restricted.from_model))

    def _ask_strongest_condition(self, link: Link, lasting: bool) -> None:
        """`~>` holds under weak conditions: the strongest say the most."""
        judge, extents = self.judge, self._extents
        relevant = extents.everywhere if lasting else extents.states_before(extents.event(link.cause))

        def story(condition: Condition) -> Scenario:
            if lasting:
                return judge.story(link, condition=condition)
            return judge.story(Link(at_cause(link.cause, condition), link.relation, link.effect))

        def fits(condition: Condition) -> bool:
            return judge.validate(story(condition)).verdict is Verdict.HOLDS

        known = literals(extents, self._questioner.validator.vocabulary) or facts(extents)
        found = best(terms(known, relevant), lambda t: t.extent, Best.SMALLEST, lambda t: fits(t.condition))
        for term in found:
            scenario = story(term.condition)
            text = condition_text(term.condition)
            validation = judge.validate(scenario)
            self._fillings.append(Filling(text, scenario.text, validation, from_model=term.from_model))

    # ---- events

    def _ask_event(self) -> None:
        vocabulary = self._questioner.validator.vocabulary
        candidates = event_candidates(self._extents, vocabulary)
        wanted = self._wanted()
        telling = [one for one in candidates if not self._is_trivial(one)]
        found = best(telling, lambda one: one.extent, wanted, self._fits)
        if not found and wanted is Best.SMALLEST:
            found = best(self._pairs(telling), lambda one: one.extent, wanted, self._fits)
        for one in found:
            self._note(one, is_trivial=False)
        if not found:
            trivial = [one for one in candidates if self._is_trivial(one)]
            for one in best(trivial, lambda one: one.extent, wanted, self._fits):
                self._note(one, is_trivial=True)

    def _pairs(self, candidates: list[Candidate]) -> list[Candidate]:
        """Two events of which one happens; where no single one fits, two may."""
        pairs = [
            Candidate(
                joined([one.event, other.event]), one.extent.joined(other.extent), one.from_model or other.from_model
            )
            for one, other in combinations(candidates, 2)
        ]
        return [pair for pair in pairs if not self._is_trivial(pair)]

    def _fits(self, candidate: Candidate) -> bool:
        return self.judge.validate(self._filled(candidate.event)).verdict is Verdict.HOLDS

    def _note(self, one: Candidate, *, is_trivial: bool) -> None:
        scenario = self._filled(one.event)
        vocabulary = self._questioner.validator.vocabulary
        validation = self.judge.validate(scenario)
        answer = event_text(one.event, vocabulary)
        self._fillings.append(Filling(answer, scenario.text, validation, is_trivial, one.from_model))

    def _filled(self, event: Event) -> Scenario:
        part, link = self._part, self._link
        exception = None if part.exception is None else filled(part.exception, event)
        links = (Link(filled(link.cause, event), link.relation, filled(link.effect, event)),)
        whole = (replace(part, links=links, exception=exception),)
        text = parts_text(whole, self._questioner.validator.vocabulary)
        return Scenario(text, whole, fairness=self._scenario.fairness)

    @property
    def _place(self) -> str:
        if _has_hole(self._link.cause):
            return "cause"
        return "effect" if _has_hole(self._link.effect) else "exception"

    def _wanted(self) -> Best:
        relation = self._link.relation
        if self._place == "exception":
            return Best.SMALLEST if relation.is_refuted_by_runs else Best.LARGEST
        if relation is Relation.LINKED:
            return Best.ALL
        return Best.LARGEST if (self._place, relation) in _LARGEST else Best.SMALLEST

    def _is_trivial(self, candidate: Candidate) -> bool:
        """Whether a relation with this event holds, or fails, whatever else the model does."""
        judge, answer = self.judge, candidate.event
        cause, effect = self._link.cause, self._link.effect
        backwards = self._link.relation in _OF_CAUSES
        match self._place:
            case "effect":
                if backwards:
                    return judge.is_same_thing(answer, cause)
                return judge.is_same_thing(cause, answer) or judge.recurs(answer)
            case "cause":
                if backwards:
                    return judge.is_same_thing(effect, answer) or self._extents.is_first(candidate.extent)
                return judge.is_same_thing(answer, effect)
            case _:
                ends = [self._extents.event(event) for event in (cause, effect)]
                return any(end.is_within(candidate.extent) or candidate.extent.is_within(end) for end in ends)


_OF_CAUSES: Final = frozenset({Relation.ONLY_AFTER, Relation.ONLY_SINCE})
_LARGEST: Final = frozenset(
    {("cause", Relation.LEADS_TO), ("effect", Relation.ONLY_AFTER), ("effect", Relation.ONLY_SINCE)}
)


def _has_hole(event: Event) -> bool:
    return any(isinstance(one, Hole) for one in events_in(event))


def _without_hole(event: Event) -> Event | None:
    """The event of `a when (?)`; None for any other."""
    return event.event if isinstance(event, When) and event.condition.is_hole else None


def filled(event: Event, filling: Event) -> Event:
    """An event with another one in place of its hole."""
    match event:
        case Hole():
            return filling
        case AnyOf():
            return joined([filled(inner, filling) for inner in event.events])
        case AllOf():
            return AllOf(tuple(filled(inner, filling) for inner in event.events))
        case When():
            return When(filled(event.event, filling), event.condition)
        case _:
            return event
