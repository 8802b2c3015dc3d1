"""Short runs through the positions of a model: to a goal, for ever, or for some number of steps.

A run to a goal is as short as any. One that goes on for ever takes the shortest way to a state that can be met again,
or in which runs end, and from there the shortest way back. Linear in the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from stateglass.check import loops
from stateglass.check.fair_runs import FairPart, FairRuns
from stateglass.check.positions import Positions
from stateglass.evidence import Path, Step
from stateglass.graphs.arrays import on_cycles, way
from stateglass.model.model import Flags, Ints


@final
@dataclass(frozen=True, slots=True)
class Run:
    """Positions, one after the other; those from `loop` on are repeated for ever."""

    positions: tuple[int, ...]
    loop: int | None = None


@final
class Runs:
    """Runs along some of the positions only."""

    def __init__(self, positions: Positions, allowed: Flags, fair: FairRuns | None = None) -> None:
        self._positions = positions
        self._allowed = allowed
        self._fair = fair

    def leaving(self, state: int) -> npt.NDArray[np.int64]:
        """The positions that may be taken from a state, in their order."""
        model = self._positions.model
        if state < model.states and model.first[state] < model.first[state + 1]:
            mine = np.arange(model.first[state], model.first[state + 1])
            beyond = np.flatnonzero(self._positions.sources[model.transitions :] == state) + model.transitions
            mine = np.concatenate([mine, beyond])
        else:
            mine = np.flatnonzero(self._positions.sources[model.transitions :] == state) + model.transitions
        found: npt.NDArray[np.int64] = mine[self._allowed[mine]]
        return found

    def to_goal(self, start: int, through: Flags, goal: Flags) -> Run | None:
        """A shortest run to a state of the goal, by positions of `through`; None if there is none."""
        if goal[start]:
            return Run(())
        part = _Part.of(self._positions, through & self._allowed)
        way = part.way(start, goal)
        return Run(tuple(part.numbers[way].tolist())) if len(way) else None

    def for_ever(self, start: int, through: Flags) -> Run | None:
        """A run without an end, by positions of `through`, fair if runs are to be fair; None if there is none."""
        part = _Part.of(self._positions, through & self._allowed)
        if self._fair is not None:
            return self._fairly(start, part, self._fair.part(through & self._allowed), self._fair)
        again = part.met_again()
        stem = part.way(start, again)
        if not len(stem) and not again[start]:
            return None
        entry = int(part.targets[stem[-1]]) if len(stem) else start
        here = np.zeros_like(again)
        here[entry] = True
        loop = part.way(entry, here, at_once=False)
        return Run(tuple(part.numbers[np.concatenate([stem, loop])].tolist()), len(stem))

    def _fairly(self, start: int, part: _Part, around: FairPart, fair: FairRuns) -> Run | None:
        """The shortest way to where a run can be fair, and a round there that gives every event its turn."""
        again: Flags = around.component >= 0
        stem = part.way(start, again)
        if not len(stem) and not again[start]:
            return None
        entry = int(part.targets[stem[-1]]) if len(stem) else start
        sources = self._positions.sources
        here = around.positions & (around.component[sources] == around.component[entry])
        inside = _Part.of(self._positions, here)
        taken: list[int] = []
        at = entry
        for turn in fair.turns:
            wanted = here & turn.happens
            round_so_far = np.array(taken, dtype=np.int64)
            if wanted.any():
                if not wanted[round_so_far].any():
                    way, at = inside.to_position(at, wanted)
                    taken += way
            elif not turn.strong:
                idle = here & ~turn.can_happen[sources]
                if not idle[round_so_far].any():
                    way, at = inside.to_position(at, idle)
                    taken += way
        goal: Flags = np.zeros(self._positions.states, dtype=np.bool_)
        goal[entry] = True
        if at != entry or not taken:
            taken += inside.numbers[inside.way(at, goal, at_once=False)].tolist()
        return Run((*part.numbers[stem].tolist(), *taken), len(stem))

    def met_again(self, through: Flags) -> Flags:
        """The states that lie on a cycle of these positions."""
        return _Part.of(self._positions, through & self._allowed).met_again()

    def lasting(self, start: int, through: Flags, steps: int) -> Run | None:
        """So many positions of `through`, one after the other; the run need not go on after them."""
        usable = through & self._allowed
        leaves = ~usable
        everywhere: Flags = np.ones(self._positions.states, dtype=np.bool_)
        # After how many steps every way has left; -1: some never does.
        ranks = self._positions.until(everywhere, False, leaves, True, loops.EVERY)
        taken: list[int] = []
        state = start
        for left in range(steps, 0, -1):
            mine = self.leaving(state)
            mine = mine[usable[mine]]
            after = ranks[self._positions.targets[mine]]
            enough = mine[(after < 0) | (after >= left - 1)]
            if not len(enough):
                return None
            taken.append(int(enough[0]))
            state = int(self._positions.targets[enough[0]])
        return Run(tuple(taken))

    def path(self, start: int, run: Run) -> Path:
        """A run as evidence; where a run has ended, its staying there is not shown as steps."""
        return path_of(self._positions, start, run)


def path_of(positions: Positions, start: int, run: Run) -> Path:
    """A run, by its positions, as evidence."""
    model = positions.model
    steps: list[Step] = []
    ends = False
    for number in run.positions:
        if number >= model.transitions:
            ends = True
            break
        source, target = int(model.sources[number]), int(model.targets[number])
        steps.append(Step(source, target, model.labels[model.actions[number]]))
    loop = None if ends else run.loop
    return Path(start, tuple(steps), loop, ends=ends)


@final
@dataclass(frozen=True, eq=False)
class _Part:
    """Some positions, by the state they leave."""

    first: npt.NDArray[np.int64]
    targets: Ints
    numbers: npt.NDArray[np.int64]
    positions: Positions

    @staticmethod
    def of(positions: Positions, chosen: Flags) -> _Part:
        numbers = np.flatnonzero(chosen)
        sources = positions.sources[numbers]
        order = np.argsort(sources, kind="stable")
        first = np.searchsorted(sources[order], np.arange(positions.states + 1))
        return _Part(first, positions.targets[numbers[order]], numbers[order], positions)

    def way(self, start: int, goal: Flags, *, at_once: bool = True) -> npt.NDArray[np.int64]:
        """The edges of a shortest way to the goal, none if there is none.

        Unless `at_once`, the start itself is a goal only after a step.
        """
        if at_once and goal[start]:
            return np.zeros(0, dtype=np.int64)
        return way(self.first, self.targets, start, goal[self.targets])

    def to_position(self, start: int, wanted: Flags) -> tuple[list[int], int]:
        """A shortest way that ends with one of these positions, all of which can be reached, and where it leads."""
        goal: Flags = np.zeros(self.positions.states, dtype=np.bool_)
        goal[self.positions.sources[wanted]] = True
        way = self.numbers[self.way(start, goal)].tolist() if not goal[start] else []
        at = int(self.positions.targets[way[-1]]) if way else start
        mine = self.numbers[self.first[at] : self.first[at + 1]]
        last = int(mine[wanted[mine]][0])
        return [*way, last], int(self.positions.targets[last])

    def met_again(self) -> Flags:
        """The states that lie on a cycle."""
        return on_cycles(self.first, self.targets)
