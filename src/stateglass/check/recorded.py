"""Recorded tests: a sequence of events with the results that are expected, in every state in which a condition holds.

In a state the sequence is *possible* if some run from there has it, silent steps left out. It is *forced* if it comes
about whenever the caller makes the recorded calls: nothing but the next event can follow then, except calls that are
not made, and silence does not go on for ever. It is *contradicted* if no run has it.
Linear in the model for each event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.check.connectives import connected
from stateglass.check.events import labels_meant
from stateglass.check.positions import Positions
from stateglass.check.predicates import predicate_truth
from stateglass.check.runs import Run, Runs, path_of
from stateglass.check.truth import Truth, open_states
from stateglass.evidence import Answer, Path, Reason, Support, Verdict
from stateglass.graphs.adjacency import Adjacency
from stateglass.logic import temporal as t
from stateglass.logic.claims import Recorded
from stateglass.logic.unrolling import parts_first
from stateglass.model import TAU, Model, Relation, Verb, parsed
from stateglass.model.model import Flags
from stateglass.work import Progress, silent

_STABLE: Final = "stable"


def decide_recorded(
    test: Recorded,
    model: Model,
    *,
    title: str,
    progress: Progress = silent,
    avoiding: frozenset[int] = frozenset(),
) -> Answer:
    """Whether the sequence can happen in every reachable state in which the condition holds.

    The way to a state in which it cannot goes through no state to be avoided, the initial one excepted.
    """
    trial = _Trial(test, model, progress)
    where = _condition(test.condition, model)
    asked = Truth(where.truth.must & trial.reachable, where.truth.may & trial.reachable)
    number = int(asked.may.sum())
    stops_short = bool((trial.reachable & trial.open).any())
    if not number:
        if stops_short:
            return _unknown(title, Reason.PARTIAL, "No known state satisfies the condition, but not all are known.")
        return Answer(title, Verdict.VACUOUS, None, "No state that can be reached satisfies the condition.")
    contradicted = asked.must & ~trial.possible[0].may
    if contradicted.any():
        return trial.contradiction(title, contradicted, (number, where.words), avoiding)
    doubtful = asked.may & ~trial.possible[0].must
    if stops_short:
        text = "The sequence is contradicted in no known state, but not all states that can be reached are explored."
        return _unknown(title, Reason.PARTIAL, text)
    if model.origin.relation is Relation.OVER or doubtful.any():
        text = "The sequence is possible on the abstraction; whether it is in the code is not known."
        return _unknown(title, Reason.ABSTRACTION, text)
    forced = int((trial.forced() & asked.must).sum())
    many = "the only state" if number == 1 else f"all {number:,} states"
    if forced == number:
        text = f"The sequence is forced in {many} {where.words}."
    else:
        text = f"The sequence is possible in {many} {where.words}, and forced in {forced:,} of them."
    return Answer(title, Verdict.HOLDS, None, text, Support(number, ()))


def _unknown(title: str, reason: Reason, text: str) -> Answer:
    return Answer(title, Verdict.INCONCLUSIVE, reason, text)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Where:
    """The states that a test is about, and which these are: "in which …"."""

    truth: Truth
    words: str


def _condition(condition: t.Formula, model: Model) -> _Where:
    if isinstance(condition, t.Constant) and condition.value:
        return _between_calls(model)
    done: dict[int, Truth] = {}
    for part in parts_first(condition, t.parts):
        done[id(part)] = _combined(part, [done[id(inner)] for inner in t.parts(part)], model)
    return _Where(done[id(condition)], "in which the condition holds")


def _combined(formula: t.Formula, inner: list[Truth], model: Model) -> Truth:
    match formula:
        case t.Constant():
            return Truth.known(np.full(model.states, formula.value, dtype=np.bool_))
        case t.Holds():
            return predicate_truth(formula.predicate, model, formula.span)
        case t.Not() | t.And() | t.Or() | t.Implies() | t.Iff():
            return connected(formula, inner)
        case _:
            raise AssertionError("the condition of a recorded test is about one state")


def _between_calls(model: Model) -> _Where:
    """Where a test begins: in stable states; if the model does not say which, in those that can be called.

    Where nothing is called, what was recorded was recorded from the start.
    """
    for proposition in model.propositions:
        if proposition.name == _STABLE:
            return _Where(Truth.known(proposition.values != 0), "between calls")
    called = _calls(model)
    able: Flags = np.zeros(model.states, dtype=np.bool_)
    if called.any():
        able[model.sources[called[model.actions]]] = True
        return _Where(Truth.known(able), "in which something can be called")
    able[model.initial] = True
    # What was not explored may have calls, and then the test is about other states.
    certain = able & (not model.partial)
    return _Where(Truth(certain, able), "in which it begins (the initial one: the model has no calls)")


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Event:
    """A recorded event on a model: which labels it is, and which others the caller decides about."""

    meant: Truth
    text: str
    is_call: bool


def _event(text: str, model: Model) -> _Event:
    meant, calls = labels_meant(text, model), _calls(model)
    # A pattern is a call if all that it means are.
    is_call = parsed(text).verb is Verb.CALL or bool(meant.may.any() and calls[meant.may].all())
    return _Event(meant, text, is_call)


def _calls(model: Model) -> Flags:
    """The labels that are calls."""
    return np.array([parsed(label).verb is Verb.CALL for label in model.labels], dtype=np.bool_)


@final
class _Trial:
    """A sequence held against a model, from its last event to its first."""

    def __init__(self, test: Recorded, model: Model, progress: Progress) -> None:
        self._model = model
        self._events = [_event(text, model) for text in test.events]
        self.open = open_states(model)
        outgoing = Adjacency.of(model.sources, model.targets, model.states)
        start: Flags = np.zeros(model.states, dtype=np.bool_)
        start[model.initial] = True
        self.reachable = outgoing.reach(start)
        is_silent = np.array([label == TAU for label in model.labels], dtype=np.bool_)
        self._silent = is_silent[model.actions] if model.transitions else np.zeros(0, dtype=np.bool_)
        self._silent_into = Adjacency.of(model.targets[self._silent], model.sources[self._silent], model.states)
        everywhere: Flags = np.ones(model.states, dtype=np.bool_)
        self.possible = [Truth.known(everywhere)]
        """Where the rest of the sequence from each event on may begin, for certain and perhaps."""
        for event in reversed(self._events):
            progress("following a recorded test backwards", events=len(self.possible))
            after = self.possible[0]
            must = self._silent_into.reach(self._before(event.meant.must, after.must))
            may = self._silent_into.reach(self._before(event.meant.may, after.may) | self.open)
            self.possible.insert(0, Truth(must, may))

    def forced(self) -> Flags:
        """The states in which nothing else can come about, if the caller makes the recorded calls."""
        model = self._model
        nothing: Flags = np.zeros(model.states, dtype=np.bool_)
        calls = _calls(model)
        forced = ~nothing
        # Silence that may go on for ever is no answer, whatever the next event is.
        endless = self._silent_into.endless(~nothing, nothing)
        for event in reversed(self._events):
            meant = event.meant.must[model.actions]
            others = ~meant & ~self._silent
            if event.is_call:
                others &= ~calls[model.actions]
            wrong = self.open.copy()
            wrong[model.sources[others]] = True
            wrong[model.sources[meant & ~forced[model.targets]]] = True
            goes_on = nothing.copy()
            goes_on[model.sources[meant | self._silent]] = True
            forced = ~(self._silent_into.reach(wrong | ~goes_on) | endless)
        return forced

    def contradiction(self, title: str, states: Flags, among: tuple[int, str], avoiding: frozenset[int]) -> Answer:
        """The way to the nearest state in which the sequence is contradicted, and as far as it goes from there."""
        model = self._model
        positions = Positions(model)
        runs = Runs(positions, np.ones(positions.count, dtype=np.bool_))
        avoided: Flags = np.zeros(model.states, dtype=np.bool_)
        avoided[list(avoiding)] = True
        allowed: Flags = np.zeros(positions.count, dtype=np.bool_)
        allowed[: model.transitions] = ~avoided[model.targets]
        goal = np.zeros(positions.states, dtype=np.bool_)
        goal[: model.states] = states & ~avoided
        way = runs.to_goal(model.initial, allowed, goal)
        if way is None:
            assert avoiding, "only states that can be reached are asked about"
            words = "Every way to a state that contradicts the sequence goes through one of the states to be avoided."
            return Answer(title, Verdict.VIOLATED, None, words)
        state = int(model.targets[way.positions[-1]]) if way.positions else model.initial
        taken = list(way.positions)
        at = state
        rest = self._suffixes(self._followed(state))
        for event, good in zip(self._events, rest[1:], strict=False):
            step = self._step(runs, at, event, good, positions)
            taken += step
            at = int(model.targets[step[-1]])
        followed = len(rest) - 1
        path: Path = path_of(positions, model.initial, Run(tuple(taken)))
        refused = self._events[followed].text
        after = "" if not followed else f" after `{self._events[followed - 1].text}`"
        number, words = among
        which = "the only state" if number == 1 else f"{int(states.sum()):,} of the {number:,} states"
        text = (
            f"The sequence is contradicted in {which} {words}: from state {state} on, `{refused}` cannot follow{after}."
        )
        if model.origin.relation is Relation.OVER and state != model.initial:
            text = f"{text} Whether the code comes to such a state is not known."
            return Answer(title, Verdict.INCONCLUSIVE, Reason.ABSTRACTION, text, path)
        return Answer(title, Verdict.VIOLATED, None, text, path)

    def _followed(self, state: int) -> int:
        """How many events of the sequence can follow from a state."""
        model = self._model
        here: Flags = np.zeros(model.states, dtype=np.bool_)
        here[state] = True
        silently = Adjacency.of(model.sources[self._silent], model.targets[self._silent], model.states)
        for number, event in enumerate(self._events):
            steps = event.meant.may[model.actions] & silently.reach(here)[model.sources]
            if not steps.any():
                return number
            here = np.zeros_like(here)
            here[model.targets[steps]] = True
        return len(self._events)

    def _suffixes(self, length: int) -> list[Flags]:
        """Where the events up to this number may follow: all of them, all but the first, and so on."""
        found: list[Flags] = [np.ones(self._model.states, dtype=np.bool_)]
        for event in reversed(self._events[:length]):
            found.insert(0, self._silent_into.reach(self._before(event.meant.may, found[0])))
        return found

    def _step(self, runs: Runs, at: int, event: _Event, good: Flags, positions: Positions) -> list[int]:
        """Silent steps and an event, into a state that is good."""
        model = self._model
        fits = event.meant.may[model.actions] & good[model.targets]
        able = np.zeros(positions.states, dtype=np.bool_)
        able[model.sources[fits]] = True
        silently = np.zeros(positions.count, dtype=np.bool_)
        silently[: model.transitions] = self._silent
        way = runs.to_goal(at, silently, able)
        assert way is not None, "the event can follow"
        state = int(model.targets[way.positions[-1]]) if way.positions else at
        steps = np.arange(model.first[state], model.first[state + 1])
        return [*way.positions, int(steps[fits[steps]][0])]

    def _before(self, labels: Flags, states: Flags) -> Flags:
        """The states with a step of one of these labels into one of these states."""
        model = self._model
        found: Flags = np.zeros(model.states, dtype=np.bool_)
        found[model.sources[labels[model.actions] & states[model.targets]]] = True
        return found
