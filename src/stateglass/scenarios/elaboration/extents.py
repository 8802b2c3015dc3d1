"""When events happen and where conditions hold, as sets that are compared in no time.

A set is an integer, one bit for each position or state that runs can reach: what is inside of what is asked thousands
of times. Where not all is known there are two sets, of what is certain and of what is possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from stateglass.check.ctl import Evaluation
from stateglass.check.predicates import predicate_truth
from stateglass.check.truth import Truth
from stateglass.evidence import Path
from stateglass.graphs.arrays import reached
from stateglass.logic.claims import Fairness
from stateglass.logic.predicates import Predicate
from stateglass.logic.temporal import Constant, Formula
from stateglass.model.model import Flags
from stateglass.scenarios.language import Event
from stateglass.scenarios.meaning import Words
from stateglass.scenarios.validating import Validator


@final
@dataclass(frozen=True, slots=True)
class Extent:
    """A set of steps, or of states: those that certainly belong to it, and those that may."""

    must: int
    may: int
    at_start: bool = False  # an event also happens at the start of runs

    def is_within(self, other: Extent) -> bool:
        """Whether all that may be here is certainly there."""
        return not self.may & ~other.must and (other.at_start or not self.at_start)

    def meets(self, other: Extent) -> bool:
        """Whether the two may have something in common."""
        return bool(self.may & other.may) or (self.at_start and other.at_start)

    def joined(self, other: Extent) -> Extent:
        return Extent(self.must | other.must, self.may | other.may, self.at_start or other.at_start)

    def common(self, other: Extent) -> Extent:
        return Extent(self.must & other.must, self.may & other.may, self.at_start and other.at_start)

    @property
    def is_empty(self) -> bool:
        return not self.may and not self.at_start

    @property
    def size(self) -> int:
        return self.must.bit_count() + self.at_start


@final
class Extents:
    """The extents of events and conditions on one model, each computed once."""

    def __init__(self, validator: Validator) -> None:
        self._validator = validator
        self.words = Words(validator.vocabulary)
        self.model = validator.model
        self._events: dict[int, tuple[Event, Extent]] = {}
        self._predicates: dict[int, tuple[Predicate, Extent]] = {}

    @cached_property
    def reachable(self) -> Flags:
        """The states that runs come to, with the one of which nothing is known."""
        states = reached(self.model.first, self.model.targets, self.model.initial)
        more = self._validator.positions.states - self.model.states
        found: Flags = np.concatenate([states, np.ones(more, dtype=np.bool_)])
        return found

    @cached_property
    def everywhere(self) -> Extent:
        """All states."""
        return self._states(Truth.known(np.ones(self._validator.positions.states, dtype=np.bool_)))

    def event(self, event: Event) -> Extent:
        """The steps at which an event happens."""
        if id(event) not in self._events:
            occurrence = self.words.occurrence(event)
            at_start = self._at(occurrence.at_start)
            self._events[id(event)] = event, self.steps(occurrence.at_step, at_start=at_start)
        return self._events[id(event)][1]

    def steps(self, formula: Formula, fairness: Sequence[Fairness] = (), *, at_start: bool = False) -> Extent:
        """The positions at which a formula holds of the runs that go on with their step."""
        evaluation = self._validator.evaluation(formula, fairness)
        truth = evaluation.at_positions(evaluation.value(formula, True)).truth
        reachable = self.reachable[self._validator.positions.sources]
        must = _bits(truth.must & reachable)
        return Extent(must, must if truth.is_known else _bits(truth.may & reachable), at_start)

    def states_before(self, steps: Extent) -> Extent:
        """The states in which steps begin."""
        sources = self._validator.positions.sources

        def before(bits: int) -> int:
            flags = np.zeros(self._validator.positions.states, dtype=np.bool_)
            flags[sources[_flags(bits, len(sources))]] = True
            return _bits(flags)

        must = before(steps.must)
        initial = 1 << self.model.initial if steps.at_start else 0
        return Extent(must | initial, (must if steps.must == steps.may else before(steps.may)) | initial)

    def steps_from(self, states: Extent) -> Extent:
        """All steps that begin in one of these states."""
        sources = self._validator.positions.sources

        def after(bits: int) -> int:
            return _bits(_flags(bits, self._validator.positions.states)[sources])

        must = after(states.must)
        return Extent(must, must if states.must == states.may else after(states.may))

    def predicate(self, predicate: Predicate) -> Extent:
        """The states in which a predicate holds; it may speak of conditions of the vocabulary."""
        if id(predicate) not in self._predicates:
            truth = predicate_truth(self.words.predicate(predicate), self.model)
            self._predicates[id(predicate)] = predicate, self._states(self._validator.positions.of_states(truth))
        return self._predicates[id(predicate)][1]

    def is_first(self, steps: Extent) -> bool:
        """Whether all runs begin with one of these steps."""
        return steps.at_start or self.steps_from(Extent(1 << self.model.initial, 1 << self.model.initial)).is_within(
            steps
        )

    def states_of(self, path: Path, first: int = 0) -> int:
        """The states that a run comes to from its step of this number on."""
        found = 0 if first < len(path.steps) else 1 << (path.steps[-1].target if path.steps else path.start)
        for step in path.steps[first:]:
            found |= 1 << step.source | 1 << step.target
        for step in path.steps[path.loop_start :] if path.loop_start is not None else ():
            found |= 1 << step.source
        return found

    def positions_of(self, path: Path) -> list[int]:
        """The positions of a run, step by step."""
        model = self.model
        labels = {label: number for number, label in enumerate(model.labels)}
        found = []
        for step in path.steps:
            begin, end = int(model.first[step.source]), int(model.first[step.source + 1])
            same = (model.targets[begin:end] == step.target) & (model.actions[begin:end] == labels.get(step.action, -1))
            found += (np.flatnonzero(same)[:1] + begin).tolist()
        return found

    def _states(self, truth: Truth) -> Extent:
        must = _bits(truth.must & self.reachable)
        return Extent(must, must if truth.is_known else _bits(truth.may & self.reachable))

    def _at(self, formula: Formula) -> bool:
        """Whether something is certain in the initial state."""
        if isinstance(formula, Constant):
            return formula.value
        return Evaluation(formula, self.model, positions=self._validator.positions).at_start() is True


def _bits(flags: Flags) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _flags(bits: int, count: int) -> Flags:
    raw = np.frombuffer(bits.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
    found: Flags = np.unpackbits(raw, count=count, bitorder="little").astype(np.bool_)
    return found
