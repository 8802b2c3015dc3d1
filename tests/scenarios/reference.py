"""What scenarios say of runs, sentence by sentence, without any formula: an opinion of its own on every verdict.

Time -1 is the start of a run, before its first step; a step that leaves a position has the number of the position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.evidence import Verdict
from stateglass.logic.claims import Fairness
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate
from stateglass.logic.temporal import Turn
from stateglass.model import Model
from stateglass.scenarios.language import (
    Act,
    After,
    AllOf,
    AnyOf,
    Before,
    Between,
    Change,
    Condition,
    Endpoint,
    Event,
    EventName,
    Link,
    Part,
    Relation,
    Scenario,
    Scope,
    Start,
    Vocabulary,
    When,
)
from tests.scenarios.whole_runs import WholeRun, runs_of

START = -1


@final
@dataclass(frozen=True, slots=True)
class Stretch:
    """Times at which a relation is to hold: from `begin` up to before `end`; without an end it goes on for ever."""

    begin: int
    end: int | None


@final
class Reference:
    """Verdicts by looking at runs, of which none takes a transition more than `uses` times before it goes round."""

    def __init__(self, model: Model, vocabulary: Vocabulary, uses: int = 2) -> None:
        self._values = {own.name: own.values.tolist() for own in model.propositions}
        self._vocabulary = vocabulary
        self._runs = runs_of(model, uses)
        self._can = {
            state: {model.labels[a] for s, a in zip(model.sources, model.actions, strict=True) if s == state}
            for state in range(model.states)
        }

    @property
    def size(self) -> int:
        return sum(len(run.positions) for run in self._runs)

    def verdict(self, scenario: Scenario) -> Verdict:
        found = [self._link(link, part, scenario.fairness) for part in scenario.parts for link in part.links]
        return next(v for v in (Verdict.VIOLATED, Verdict.VACUOUS, Verdict.HOLDS) if v in found)

    # ---- events and conditions

    def value(self, predicate: Predicate, state: int) -> int:
        match predicate:
            case Number(value):
                return int(value)
            case Named(name) if name in self._vocabulary.conditions:
                return self.value(self._vocabulary.conditions[name].predicate, state)
            case Named(name):
                return int(self._values[name][state])
            case Applied(Operator.NOT, (inner,)):
                return int(not self.value(inner, state))
            case Applied(operator, (left, right)):
                one, two = self.value(left, state), self.value(right, state)
                return {
                    Operator.EQUAL: int(one == two),
                    Operator.AND_ALSO: int(bool(one) and bool(two)),
                    Operator.OR_ELSE: int(bool(one) or bool(two)),
                }[operator]
            case _:
                raise AssertionError(predicate)

    def holds(self, condition: Condition | None, run: WholeRun, time: int) -> bool:
        """At the start a condition is judged in the initial state."""
        return condition is None or bool(self.value(condition.predicate, run.positions[max(time, 0)][0]))

    def happens(self, event: Event, run: WholeRun, time: int) -> bool:
        if isinstance(event, EventName):
            return self.happens(self._vocabulary.events[event.name], run, time)
        if isinstance(event, AnyOf):
            return any(self.happens(inner, run, time) for inner in event.events)
        if isinstance(event, AllOf):
            return all(self.happens(inner, run, time) for inner in event.events)
        if isinstance(event, When):
            return self.happens(event.event, run, time) and self.holds(event.condition, run, time)
        if isinstance(event, Start):
            return time == START
        if time == START:
            return False
        before, label, after = run.positions[time]
        if isinstance(event, Act):
            return label == event.pattern
        assert isinstance(event, Change)
        one, two = (self.value(event.condition.predicate, state) for state in (before, after))
        match event.turn:
            case Turn.RISES:
                return not one and bool(two)
            case Turn.FALLS:
                return bool(one) and not two
            case Turn.CHANGES:
                return one != two

    # ---- stretches of runs

    def _stretches(self, scope: Scope | None, run: WholeRun) -> Iterator[Stretch]:
        everything = range(len(run.positions))
        match scope:
            case None:
                yield Stretch(START, None)
            case Before(end):
                if not isinstance(end, Condition) and self.happens(end, run, START):
                    return  # it is over as soon as it begins
                if (over := self._first(end, run, everything)) is not None:
                    yield Stretch(START, over)
            case After(start):
                opened = next(self._openings(start, run), None)
                if opened is not None:
                    yield Stretch(opened, None)
            case Between(start, end):
                for opened in self._openings(start, run):
                    over = self._first(end, run, everything[opened:])
                    if over is not None:
                        yield Stretch(opened, over)

    def _openings(self, start: Endpoint, run: WholeRun) -> Iterator[int]:
        """The times from which something has happened or holds."""
        for time in (START, *run.times()):
            if isinstance(start, Condition):
                if time != START and self.holds(start, run, time):
                    yield time
            elif self.happens(start, run, time):
                yield time + 1

    def _first(self, end: Endpoint, run: WholeRun, times: range) -> int | None:
        for time in times:
            if self.holds(end, run, time) if isinstance(end, Condition) else self.happens(end, run, time):
                return time
        return None

    # ---- relations

    def _link(self, link: Link, part: Part, fairness: Sequence[Fairness]) -> Verdict:
        if link.relation is Relation.LINKED:
            both = [
                self._link(Link(link.cause, relation, link.effect), part, fairness)
                for relation in (Relation.LEADS_TO, Relation.ONLY_AFTER)
            ]
            return next(v for v in (Verdict.VIOLATED, Verdict.VACUOUS, Verdict.HOLDS) if v in both)
        looked = _Looking(self, link, part)
        if link.relation is Relation.CAN_FOLLOW:
            return Verdict.HOLDS if looked.somewhere(looked.can_follow) else Verdict.VIOLATED
        if link.relation is Relation.LEADS_TO:
            fair = [run for run in self._runs if self._is_fair(run, fairness)]
            if looked.somewhere(looked.does_not_follow, fair):
                return Verdict.VIOLATED
            possible = looked.somewhere(looked.cause_happens) and self._ever(link.effect)
            return Verdict.HOLDS if possible else Verdict.VACUOUS
        again = link.relation is Relation.ONLY_SINCE
        if looked.somewhere(looked.comes_without) or (again and looked.somewhere(looked.comes_again_without)):
            return Verdict.VIOLATED
        possible = looked.somewhere(looked.effect_happens) and self._ever(link.cause)
        return Verdict.HOLDS if possible else Verdict.VACUOUS

    def shows(self, link: Link, part: Part, run: WholeRun) -> bool:
        """Whether a run shows that the effect can follow, or refutes the relation."""
        looked = _Looking(self, link, part)
        match link.relation:
            case Relation.CAN_FOLLOW:
                return looked.somewhere(looked.can_follow, [run])
            case Relation.LEADS_TO:
                return looked.somewhere(looked.does_not_follow, [run])
            case Relation.ONLY_AFTER:
                return looked.somewhere(looked.comes_without, [run])
            case Relation.ONLY_SINCE:
                return looked.somewhere(looked.comes_without, [run]) or looked.somewhere(
                    looked.comes_again_without, [run]
                )
            case Relation.LINKED:
                raise AssertionError("two relations")

    def _ever(self, event: Event) -> bool:
        return any(self.happens(event, run, time) for run in self._runs for time in (START, *run.times()))

    def _is_fair(self, run: WholeRun, fairness: Sequence[Fairness]) -> bool:
        return all(self._gets_its_turn(run, fair) for fair in fairness)

    def _gets_its_turn(self, run: WholeRun, fair: Fairness) -> bool:
        if any(label == fair.pattern for _, label, _ in run.loop):
            return True
        possible = [fair.pattern in self._can[state] for state, _, _ in run.loop]
        return not (any(possible) if fair.strong else all(possible))

    def stretches_of(self, part: Part, runs: Sequence[WholeRun] | None) -> Iterator[tuple[WholeRun, Stretch]]:
        for run in self._runs if runs is None else runs:
            for stretch in self._stretches(part.scope, run):
                yield run, stretch


@final
class _Looking:
    """The sentences about one cause and one effect."""

    def __init__(self, reference: Reference, link: Link, part: Part) -> None:
        self._reference = reference
        self._link = link
        self._part = part

    def somewhere(self, sentence: Callable[[WholeRun, Stretch], bool], runs: Sequence[WholeRun] | None = None) -> bool:
        return any(sentence(run, stretch) for run, stretch in self._reference.stretches_of(self._part, runs))

    def can_follow(self, run: WholeRun, stretch: Stretch) -> bool:
        """The effect comes with or after the cause; between them nothing is in the way."""
        return any(
            self._effect(run, later) and self._undisturbed(run, range(time, later + 1))
            for time in _times(run, stretch)
            if self._cause(run, time)
            for later in _times(run, stretch)
            if later >= time
        )

    def does_not_follow(self, run: WholeRun, stretch: Stretch) -> bool:
        """The cause happens, and from then on the effect does not, up to the end, and nothing is in the way."""
        last = len(run.positions) if stretch.end is None else stretch.end
        return any(
            self._cause(run, time)
            and not any(self._effect(run, later) for later in range(time, last))
            and self._undisturbed(run, range(time, last))
            for time in _times(run, stretch)
            if time < run.first
        )

    def comes_without(self, run: WholeRun, stretch: Stretch) -> bool:
        """The effect happens, and neither before nor with it the cause."""
        return any(self._lacks(run, stretch.begin, time) for time in _times(run, stretch))

    def comes_again_without(self, run: WholeRun, stretch: Stretch) -> bool:
        """The effect happens once more, and neither since the last time nor with it the cause."""
        return any(
            self._effect(run, time) and self._lacks(run, time + 1, later)
            for time in _times(run, stretch)
            for later in _times(run, stretch)
            if later > time
        )

    def cause_happens(self, run: WholeRun, stretch: Stretch) -> bool:
        return any(self._cause(run, t) and self._undisturbed(run, range(t, t + 1)) for t in _times(run, stretch))

    def effect_happens(self, run: WholeRun, stretch: Stretch) -> bool:
        return any(
            self._effect(run, t) and self._undisturbed(run, range(stretch.begin, t + 1)) for t in _times(run, stretch)
        )

    def _lacks(self, run: WholeRun, begin: int, time: int) -> bool:
        way = range(begin, time + 1)
        return self._effect(run, time) and not any(self._cause(run, t) for t in way) and self._undisturbed(run, way)

    def _undisturbed(self, run: WholeRun, times: range) -> bool:
        part, reference = self._part, self._reference
        return all(
            reference.holds(part.condition, run, time)
            and not (part.exception is not None and reference.happens(part.exception, run, time))
            for time in times
        )

    def _cause(self, run: WholeRun, time: int) -> bool:
        return self._reference.happens(self._link.cause, run, time)

    def _effect(self, run: WholeRun, time: int) -> bool:
        return self._reference.happens(self._link.effect, run, time)


def _times(run: WholeRun, stretch: Stretch) -> range:
    return range(stretch.begin, len(run.positions) if stretch.end is None else stretch.end)
