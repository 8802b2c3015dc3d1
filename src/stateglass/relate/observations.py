"""What can be observed of a state: building blocks of formulas, and where in an arena they hold.

A formula is built from tests, each of which must succeed in one state and fail in others. Whether it does is found out
for many states at a time, and only for states that somebody asks about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, assert_never, final

import numpy as np
import numpy.typing as npt

from stateglass.graphs.adjacency import Adjacency, Indices, distinct
from stateglass.logic import Ended, Equals, Formula, conjunction, negation
from stateglass.model.model import Flags
from stateglass.relate.arena import Arena
from stateglass.relate.saturation import TooMany

MOST_KNOWN: Final = 400_000_000
"""Answers that are remembered, one byte for each test and state."""

FEW: Final = 20_000
"""Up to so many states, a test is run on all of them at once: most will be asked for, and singly that takes longer."""

_IMPOSSIBLE, _POSSIBLE = 1, 2  # 0: not asked yet


@final
@dataclass(frozen=True, eq=False, slots=True)
class Seen:
    """What is seen of a state itself: a formula, and where it holds."""

    formula: Formula
    where: Flags

    @property
    def size(self) -> int:
        return 1


@final
@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """Some step with this label leads to a state in which all inner tests succeed; the opposite if not `positive`.

    Of weak steps, labels beyond those of the arena are its `silently` and `divergence`.
    """

    source: int
    label: int
    target: int
    inner: tuple[Test, ...]
    positive: bool
    size: int


@final
@dataclass(frozen=True, eq=False, slots=True)
class Way:
    """Silently through states with `through`, then the label, then `inner`; label None: silently for ever.

    If `late`, `through` must hold only where the silent steps end. The opposite of all that if not `positive`.
    """

    through: tuple[Test, ...]
    label: int | None
    inner: tuple[Test, ...]
    positive: bool
    late: bool
    size: int


Test = Seen | Step | Way


def seen_difference(arena: Arena, a: int, b: int) -> Formula:
    """True of the first state and false of the second, which have different colours."""
    if arena.ended[a] != arena.ended[b]:
        return Ended() if arena.ended[a] else negation(Ended())
    for proposition in arena.kept:
        if proposition.values[a] != proposition.values[b]:
            return Equals(proposition.name, proposition.text(a))
    raise AssertionError("the states look the same")


def seen_test(arena: Arena, a: int, b: int) -> Seen:
    """A test that succeeds in the first state and fails in the second, which have different colours."""
    formula = seen_difference(arena, a, b)
    return Seen(formula, _where(arena, formula))


def look(arena: Arena, state: int) -> Formula:
    """All that is seen of a state itself, as far as states differ in it."""
    parts: list[Formula] = []
    if arena.ended.any():
        parts.append(Ended() if arena.ended[state] else negation(Ended()))
    parts += [Equals(p.name, p.text(state)) for p in arena.kept if (p.values != p.values[0]).any()]
    return conjunction(parts)


def _where(arena: Arena, formula: Formula) -> Flags:
    if formula == Ended():
        return arena.ended
    if isinstance(formula, Equals):
        [proposition] = [p for p in arena.kept if p.name == formula.proposition]
        number = {text: value for value, text in proposition.names}[formula.text]
        return np.asarray(proposition.values == number)
    return ~arena.ended


@final
class Truths:
    """Where tests succeed, remembered for each test and state.

    `quiet` are the transitions that count as silent; None: no step is weak.
    """

    def __init__(self, arena: Arena, quiet: Flags | None) -> None:
        self._arena = arena
        self._weak = quiet is not None
        self._quiet = np.zeros(len(arena.sources), dtype=np.bool_) if quiet is None else quiet
        self._known: dict[Test, npt.NDArray[np.int8]] = {}

    @cached_property
    def onward(self) -> Adjacency:
        return Adjacency.of(self._arena.sources[self._quiet], self._arena.targets[self._quiet], self._arena.states)

    @cached_property
    def _back(self) -> Adjacency:
        return Adjacency.of(self._arena.targets[self._quiet], self._arena.sources[self._quiet], self._arena.states)

    @cached_property
    def cyclic(self) -> Flags:
        """States with a silent step to themselves; in a quotient there are no other silent cycles."""
        loops = self._quiet & (self._arena.sources == self._arena.targets)
        return self.flags(self._arena.sources[loops])

    def flags(self, states: npt.NDArray[np.integer]) -> Flags:
        found: Flags = np.zeros(self._arena.states, dtype=np.bool_)
        found[states] = True
        return found

    def every(self, tests: Sequence[Test], states: Indices) -> Flags:
        """In which of these states all of the tests succeed."""
        found: Flags = np.ones(len(states), dtype=np.bool_)
        for test in tests:
            left = np.flatnonzero(found)
            found[left] = self.holds(test, states[left])
        return found

    def holds(self, test: Test, states: Indices) -> Flags:
        """In which of these states the test succeeds."""
        if isinstance(test, Seen):
            return test.where[states]
        known = self._known.get(test)
        if known is None:
            if (len(self._known) + 1) * self._arena.states > MOST_KNOWN:
                raise TooMany(f"more than {len(self._known):,} tests on {self._arena.states:,} states")
            known = self._known[test] = np.zeros(self._arena.states, dtype=np.int8)
        asked = distinct(states[known[states] == 0])
        if len(asked):
            if len(known) <= FEW:
                asked = np.arange(len(known))
            match test:
                case Step():
                    near, possible = self._weak_step(test, asked) if self._weak else self._step(test, asked)
                case Way():
                    near, possible = self._way(test, asked)
                case _:
                    assert_never(test)
            known[near] = _IMPOSSIBLE
            known[possible] = _POSSIBLE
        found: Flags = known[states] == (_POSSIBLE if test.positive else _IMPOSSIBLE)
        return found

    def _step(self, test: Step, asked: Indices) -> tuple[Indices, Indices]:
        edges = self._arena.edges(asked)
        edges = edges[self._arena.actions[edges] == test.label]
        arrives = self.every(test.inner, self._arena.targets[edges].astype(np.int64))
        return asked, self._arena.sources[edges[arrives]].astype(np.int64)

    def _weak_step(self, test: Step, asked: Indices) -> tuple[Indices, Indices]:
        arena = self._arena
        region = self.onward.reach(self.flags(asked))
        near = np.flatnonzero(region)
        if test.label == arena.silently:
            goal = near[self.every(test.inner, near)]
        elif test.label == arena.divergence:
            lasting = near[self.cyclic[near]]
            goal = lasting[self.every(test.inner, lasting)]
        else:
            edges = arena.edges(near)
            edges = edges[(arena.actions[edges] == test.label) & ~self._quiet[edges]]
            beyond = self.onward.reach(self.flags(arena.targets[edges]))
            far = np.flatnonzero(beyond)
            good = self._back.reach(self.flags(far[self.every(test.inner, far)]), beyond)
            goal = arena.sources[edges[good[arena.targets[edges]]]].astype(np.int64)
        return near, np.flatnonzero(self._back.reach(self.flags(goal), region))

    def _way(self, way: Way, asked: Indices) -> tuple[Indices, Indices]:
        arena = self._arena
        region = self.onward.reach(self.flags(asked))
        near = np.flatnonzero(region)
        passing = self.flags(near[self.every(way.through, near)]) if way.through else region
        if way.label is None:
            nowhere: Flags = np.zeros(arena.states, dtype=np.bool_)
            return near, np.flatnonzero(self._back.endless(passing, nowhere))
        edges = arena.edges(near)
        edges = edges[(arena.actions[edges] == way.label) & passing[arena.sources[edges]]]
        arrives = self.every(way.inner, arena.targets[edges].astype(np.int64))
        goal = self.flags(arena.sources[edges[arrives]])
        return near, np.flatnonzero(self._back.reach(goal, region if way.late else passing))
