"""The states a model may be in after a sequence of visible actions: a subset construction on the fly.

Subsets are closed under silent steps; what each action leads to is remembered, so that a log that stays
among subsets seen before costs a look into a table per event (Rabin and Scott, Finite automata and their decision
problems, 1959).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.graphs.adjacency import Adjacency, spread
from stateglass.model import TAU, Model
from stateglass.model.model import Flags, Ints
from stateglass.replay.actions import Move

MOST_BYTES: Final = 256 << 20
"""Memory for what is remembered, about; when it is full it is forgotten."""

_FEW: Final = 64
# What a remembered subset and a remembered step take besides the numbers of the states, about.
_OVERHEAD: Final = 400
_STEP: Final = 100


@final
class Subset:
    """Some states, ascending, and what is known about where moves lead from them."""

    __slots__ = ("after", "is_open", "packed")

    def __init__(self, packed: bytes, is_open: bool) -> None:
        self.packed = packed
        self.is_open = is_open  # it has a state whose transitions are not all known
        self.after: dict[Move, Subset | None] = {}

    @property
    def states(self) -> Ints:
        return np.frombuffer(self.packed, dtype=np.int32)


@final
class Subsets:
    """The subsets of a model's states that were met, as many as fit."""

    def __init__(self, model: Model, most_bytes: int = MOST_BYTES) -> None:
        self._model = model
        self._most = most_bytes
        self._open = open_states(model)
        self._tau = model.labels.index(TAU) if TAU in model.labels else -1
        self._silent: Adjacency | None = None
        self._first = model.first.data
        self._actions = model.actions.data
        self._targets = model.targets.data
        self._met: dict[bytes, Subset] = {}
        self._taken = 0
        self.start = self._subset(self._closed({model.initial}))

    def step(self, subset: Subset, move: Move) -> Subset | None:
        """Where the move may lead, or None if nowhere."""
        try:
            return subset.after[move]
        except KeyError:
            return self._computed(subset, move)

    def allowed(self, subset: Subset) -> list[str]:
        """The visible actions that are possible, in the order of the model's labels."""
        numbers = np.unique(self._model.actions[self._edges(subset.states)])
        return [self._model.labels[number] for number in numbers.tolist() if number != self._tau]

    def _computed(self, subset: Subset, move: Move) -> Subset | None:
        if len(subset.packed) <= 4 * _FEW:
            members = memoryview(subset.packed).cast("i").tolist()
            targets = {target for state in members for target in self._few_targets(state, move.labels)}
            targets.update(members if move.unsure else ())
            packed = self._closed(targets)
        else:
            packed = self._many_targets(subset.states, move)
        if self._taken > self._most:
            self._forget()
        reached = self._subset(packed) if packed else None
        subset.after[move] = reached
        self._taken += _STEP
        return reached

    def _few_targets(self, state: int, labels: tuple[int, ...]) -> Iterator[int]:
        """Transitions are sorted by action within a state."""
        low, end = self._first[state], self._first[state + 1]
        actions = self._actions
        for label in labels:
            at = bisect_left(actions, label, low, end)
            while at < end and actions[at] == label:
                yield self._targets[at]
                at += 1

    def _many_targets(self, members: Ints, move: Move) -> bytes:
        wanted = np.zeros(len(self._model.labels), dtype=np.bool_)
        wanted[list(move.labels)] = True
        edges = self._edges(members)
        flags = np.zeros(self._model.states, dtype=np.bool_)
        flags[self._model.targets[edges[wanted[self._model.actions[edges]]]]] = True
        if move.unsure:
            flags[members] = True
        return self._all_silent(flags)

    def _closed(self, states: set[int]) -> bytes:
        """The states and all that silent steps lead to, ascending."""
        if self._tau >= 0:
            tau = (self._tau,)
            work = list(states)
            while work:
                for target in self._few_targets(work.pop(), tau):
                    if target not in states:
                        states.add(target)
                        work.append(target)
                if len(states) > _FEW:
                    flags = np.zeros(self._model.states, dtype=np.bool_)
                    flags[list(states)] = True
                    return self._all_silent(flags)
        return np.array(sorted(states), dtype=np.int32).tobytes()

    def _all_silent(self, flags: Flags) -> bytes:
        if self._tau >= 0:
            if self._silent is None:
                silent = self._model.actions == self._tau
                ends = self._model.sources[silent], self._model.targets[silent]
                self._silent = Adjacency.of(*ends, self._model.states)
            flags = self._silent.reach(flags)
        return np.flatnonzero(flags).astype(np.int32).tobytes()

    def _edges(self, members: Ints) -> npt.NDArray[np.int64]:
        first = self._model.first
        return spread(first[members], first[members.astype(np.int64) + 1] - first[members])

    def _subset(self, packed: bytes) -> Subset:
        known = self._met.get(packed)
        if known is None:
            is_open = bool(self._open[np.frombuffer(packed, dtype=np.int32)].any())
            known = self._met[packed] = Subset(packed, is_open)
            self._taken += len(packed) + _OVERHEAD
        return known

    def _forget(self) -> None:
        for subset in self._met.values():
            subset.after.clear()
        self._met.clear()
        self._taken = 0


def open_states(model: Model) -> Flags:
    """The states that may have more transitions than are known; all, if a partial model does not say which."""
    flags: Flags = np.full(model.states, model.partial, dtype=np.bool_)
    if model.unexplored is not None and model.unexplored.any():
        flags = model.unexplored.copy()
    if model.terminal is not None:
        flags &= ~model.terminal
    return flags


def final_states(model: Model) -> Flags:
    """The states in which a run may be over: normal ends, and those that certainly have no transition."""
    flags: Flags = (np.diff(model.first) == 0) & ~open_states(model)
    return flags if model.terminal is None else flags | model.terminal
