"""Runs without an end in which every event gets its turn that has to.

Any beginning of a run goes on to a fair one: the events that can happen again and again can be let happen in turn. So
fairness matters only to what goes on for ever, and that is decided on strongly connected components (Emerson and Lei:
Modalities for model checking, 1987): a run that stays in one and takes all its steps again and again is as fair as any.
Where an event that must not be missed for ever can happen but does not, the states are left out in which it can, and
the rest is looked at again. Linear in the model, times one more than the number of strong assumptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from stateglass.check import loops
from stateglass.check.events import labels_meant
from stateglass.check.positions import Positions
from stateglass.graphs.arrays import components
from stateglass.logic.claims import Fairness
from stateglass.model.model import Flags, Ints


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """An event that has to get its turn: the positions at which it happens, the states in which it can."""

    happens: Flags
    can_happen: Flags
    strong: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class FairPart:
    """The positions inside components in which fair runs can stay, and the component of each state (-1: none)."""

    positions: Flags
    component: Ints


@final
class FairRuns:
    """The fairness that is assumed of the runs of one model; all of the model must be known."""

    def __init__(self, positions: Positions, fairness: Sequence[Fairness]) -> None:
        assert positions.is_certain
        self._positions = positions
        self.fairness = tuple(fairness)
        self.turns: list[_Turn] = []
        for fair in fairness:
            happens = positions.of_labels(labels_meant(fair.pattern, positions.model)).must
            can_happen: Flags = np.zeros(positions.states, dtype=np.bool_)
            can_happen[positions.sources[happens]] = True
            self.turns.append(_Turn(happens, can_happen, fair.strong))

    def states(self, through: Flags) -> Flags:
        """Where a fair run begins that never leaves these positions."""
        part = self.part(through)
        nowhere: Flags = np.zeros(self._positions.count, dtype=np.bool_)
        ranks = self._positions.until(through, True, nowhere | part.positions, True, loops.ANY)
        found: Flags = ranks >= 0
        return found

    def part(self, through: Flags) -> FairPart:
        """The components of these positions in which fair runs can stay."""
        positions = self._positions
        kept: Flags = np.zeros(positions.count, dtype=np.bool_)
        of: Ints = np.full(positions.states, -1, dtype=np.int32)
        alive = through.copy()
        while alive.any():
            component, count = self._components(alive)
            inner = alive & (component[positions.sources] == component[positions.targets])
            cyclic: Flags = np.zeros(count, dtype=np.bool_)
            cyclic[component[positions.sources[inner]]] = True
            fair, leave = self._judged(component, count, inner)
            accepted = inner & (cyclic & fair)[component[positions.sources]]
            kept |= accepted
            of[positions.sources[accepted]] = component[positions.sources[accepted]] + of.max() + 1
            again = inner & (cyclic & ~fair)[component[positions.sources]]
            alive = again & ~leave[positions.sources] & ~leave[positions.targets]
            # A component that nothing is left out of would be found unfair again, for ever.
            shrinks = np.zeros(count, dtype=np.bool_)
            shrinks[component[leave]] = True
            alive &= shrinks[component[positions.sources]]
        return FairPart(kept, of)

    def _judged(self, component: Ints, count: int, inner: Flags) -> tuple[Flags, Flags]:
        """Which components have fair runs that stay in them; and the states to be left out of the others.

        A strongly fair event that can happen and never does makes a component unfair, but a part of it without the
        states in which it can happen may be fair. A weakly fair one does so only if it can happen in every state, and
        then no part of the component is better: that is hopeless.
        """
        sources = self._positions.sources
        fair: Flags = np.ones(count, dtype=np.bool_)
        leave: Flags = np.zeros(self._positions.states, dtype=np.bool_)
        hopeless: Flags = np.zeros(count, dtype=np.bool_)
        member: Flags = np.zeros(self._positions.states, dtype=np.bool_)
        member[sources[inner]] = True
        for turn in self.turns:
            happens: Flags = np.zeros(count, dtype=np.bool_)
            happens[component[sources[inner & turn.happens]]] = True
            if turn.strong:
                able: Flags = np.zeros(count, dtype=np.bool_)
                able[component[member & turn.can_happen]] = True
                missed = able & ~happens
                leave |= missed[component] & turn.can_happen & member
            else:
                idle: Flags = np.zeros(count, dtype=np.bool_)
                idle[component[member & ~turn.can_happen]] = True
                missed = ~happens & ~idle
                hopeless |= missed
            fair &= ~missed
        leave &= ~hopeless[component]
        return fair, leave

    def _components(self, alive: Flags) -> tuple[Ints, int]:
        numbers = np.flatnonzero(alive)
        sources = self._positions.sources[numbers]
        order = np.argsort(sources, kind="stable")
        first = np.searchsorted(sources[order], np.arange(self._positions.states + 1))
        targets = self._positions.targets[numbers[order]]
        return components(first, targets)
