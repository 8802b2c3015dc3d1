"""The positions of a model as searches go over them, with what each step costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.check.positions import Positions
from stateglass.compiled.interrupts import whole
from stateglass.model.model import Flags, Ints
from stateglass.scenarios.witnesses import loops

Longs = npt.NDArray[np.int64]

MOST_PLAIN: Final = 1_000
"""So many states and positions are searched in the time that compiled loops take to be loaded."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A way to go on: at these positions, and to which layer."""

    where: Flags
    after: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The result of a search over layers of states: the goal that costs least, if any, and how nodes are come to."""

    goal: int
    costs: Longs  # a row for each node; its first number is negative if it cannot be come to
    before: Ints
    by_position: Ints
    by_way: Ints

    def way_to(self, node: int) -> tuple[list[int], list[int]]:
        """The positions that lead to a node, and the number of the turn at each."""
        positions: list[int] = []
        ways: list[int] = []
        while self.before[node] >= 0:
            positions.append(int(self.by_position[node]))
            ways.append(int(self.by_way[node]))
            node = int(self.before[node])
        return positions[::-1], ways[::-1]


@final
class Ground:
    """Positions that may be taken, and the costs of each: a row of numbers, of which the earlier weigh more."""

    def __init__(self, positions: Positions, allowed: Flags, steps: Longs) -> None:
        self.positions = positions
        self.allowed = allowed
        self.steps = fixed(steps)
        numbers = np.flatnonzero(allowed).astype(np.int32)
        sources = positions.sources[numbers]
        order = np.argsort(sources, kind="stable")
        self.numbers: Ints = fixed(numbers[order])
        first = np.searchsorted(sources[order], np.arange(positions.states + 1))
        self.first: Longs = fixed(first.astype(np.int64))
        self.targets: Ints = fixed(positions.targets)

    @property
    def states(self) -> int:
        return self.positions.states

    @cached_property
    def loops(self) -> ModuleType:
        if self.states + self.positions.count <= MOST_PLAIN:
            return loops
        from stateglass.scenarios.witnesses import compiled

        return compiled

    def leaving(self, state: int) -> list[int]:
        """The positions that may be taken from a state, in their order."""
        found: list[int] = self.numbers[self.first[state] : self.first[state + 1]].tolist()
        return found

    def least(self, layers: Sequence[Sequence[Turn]], start: int, goal: Flags, *, all_of_them: bool = False) -> Found:
        """The goal that costs least from a node; nodes are numbered layer by layer, the last layer has no turns."""
        wheres, afters = self._turns(layers)
        ways = np.cumsum([0, *map(len, layers)]).astype(np.int32)
        found, costs, before, by_position, by_way = whole(
            self.loops.least,
            self.first,
            self.numbers,
            self.targets,
            wheres,
            fixed(ways),
            afters,
            self.steps,
            self.states,
            start,
            fixed(goal).view(np.uint8),
            all_of_them,
        )
        return Found(int(found), costs, before, by_position, by_way)

    def ranks(self, layers: Sequence[Sequence[Turn]], goal: Flags) -> Ints:
        """How many steps it takes at least from each node to a goal; -1: it cannot be come to."""
        wheres, afters = self._turns(layers)
        phases = np.repeat(np.arange(len(layers)), [len(layer) for layer in layers]).astype(np.int32)
        first, edges, origins = self.positions.incoming
        goals = fixed(goal).view(np.uint8)
        found: Ints = whole(
            self.loops.ranks,
            fixed(first),
            fixed(edges),
            fixed(origins),
            wheres,
            fixed(phases),
            afters,
            self.states,
            goals,
        )
        return found

    def _turns(self, layers: Sequence[Sequence[Turn]]) -> tuple[npt.NDArray[np.uint8], Ints]:
        turns = [turn for layer in layers for turn in layer]
        wheres = np.zeros((max(len(turns), 1), self.positions.count), dtype=np.uint8)
        for number, turn in enumerate(turns):
            wheres[number] = turn.where & self.allowed
        return fixed(wheres), fixed(np.array([turn.after for turn in turns], dtype=np.int32))

    def leg(self, start: int, through: Flags, last: Flags) -> list[int] | None:
        """The positions of a way that costs least and ends with one of the last; None if there is none."""
        goal: Flags = np.zeros(2 * self.states, dtype=np.bool_)
        goal[self.states :] = True
        found = self.least([[Turn(last, 1), Turn(through, 0)]], start, goal)
        return None if found.goal < 0 else found.way_to(found.goal)[0]

    def cost_of(self, positions: Sequence[int]) -> tuple[int, ...]:
        total: list[int] = self.steps[list(positions)].sum(axis=0).tolist()
        return tuple(total)


def fixed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Always the same kind of array: loops are compiled again for another one, a writeable one for instance."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
