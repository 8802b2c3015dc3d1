"""Trace equivalences: a deterministic graph with the same traces, then strong bisimulation.

A state of the deterministic graph is a set of states that one trace leads to. Sets never mix colours: what tells states
apart is part of what a trace shows. There can be exponentially many sets; more than a budget are refused.
"""

from __future__ import annotations

import hashlib
from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.compiled.interrupts import whole
from stateglass.model.model import Ints
from stateglass.reduce import loops, small
from stateglass.reduce.graph import Graph
from stateglass.reduce.small import loops_for
from stateglass.source import Code, input_error
from stateglass.work import Progress

MOST_SETS: Final = 1_000_000
"""How many states a deterministic graph may get."""

_REPORT_EVERY: Final = 1_000_000
"""Transitions between two reports on progress."""

_MOST_STAMPS: Final = (1 << 31) - 1
"""States are marked with the number of the search that met them, which saves clearing the marks for each search."""


def deterministic(graph: Graph) -> bool:
    """Whether each state has at most one transition for each action and colour it leads to, and none are silent."""
    if graph.silent >= 0:
        return False
    colours = graph.colours[graph.targets]
    order = np.lexsort((colours, graph.actions, graph.sources))
    s, a, c = graph.sources[order], graph.actions[order], colours[order]
    return not bool(((s[1:] == s[:-1]) & (a[1:] == a[:-1]) & (c[1:] == c[:-1])).any())


def determinised(graph: Graph, initial: int, progress: Progress, most_sets: int = MOST_SETS) -> Graph:
    """The graph of sets, the initial one first; unobservable steps are gone. Subset construction of Rabin and Scott."""
    builder = _Sets(graph)
    sizes: list[int] = []
    actions: list[int] = []
    targets: list[int] = []
    done = 0
    builder.number(np.array([initial], dtype=np.int32))
    while done < len(builder.colours):
        before = len(actions)
        for action, members in builder.successors(done):
            actions.append(action)
            targets.append(builder.number(members))
        sizes.append(len(actions) - before)
        done += 1
        if len(builder.colours) > most_sets:
            raise input_error(
                Code.TOO_LARGE,
                f"the deterministic model would have more than {most_sets:,} states",
                help="allow more with --max-states, or reduce by an equivalence that needs no deterministic model",
            )
        if builder.work > _REPORT_EVERY:
            builder.work = 0
            progress("determinising", states=done, waiting=len(builder.colours) - done)
    colours = np.array(builder.colours, dtype=np.int32)
    first = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)]).astype(np.int32)
    return Graph(first, np.array(actions, dtype=np.int32), np.array(targets, dtype=np.int32), colours)


@final
class _Sets:
    """Sets of states, closed under silent steps and numbered as they come.

    Of a set only those states are kept that have visible steps: the others add nothing to its traces.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._loops = loops_for(graph)
        self._numbers: dict[bytes, int] = {}
        self._waiting: dict[int, Ints] = {}
        self.colours: list[int] = []
        self.work = 0
        self._all_work = 0
        silent = graph.actions == graph.silent
        self._silent_first, self._silent_targets = _first_of(graph, silent), graph.targets[silent]
        self._first, self._actions, self._targets = (
            _first_of(graph, ~silent),
            graph.actions[~silent],
            graph.targets[~silent],
        )
        self._sizes = np.diff(self._first)
        self._shows = (self._sizes > 0).astype(np.uint8)
        self._stamp = 0
        self._mark, self._stack, self._found = (np.zeros(graph.states, dtype=np.int32) for _ in range(3))

    def number(self, members: Ints) -> int:
        """The number of the set of what can be reached silently from states of one colour."""
        colour = int(self._graph.colours[members[0]])
        closed = self._closed(members)
        # A digest stands for the set, since there may be many large ones; nobody can make two sets with the same one.
        key = hashlib.blake2b(closed.tobytes(), digest_size=32, key=colour.to_bytes(4, "little")).digest()
        found = self._numbers.setdefault(key, len(self.colours))
        if found == len(self.colours):
            self.colours.append(colour)
            self._waiting[found] = closed
        return found

    def successors(self, number: int) -> list[tuple[int, Ints]]:
        """What each action leads to, by action and colour; the sets are not closed yet. To be asked once."""
        members = self._waiting.pop(number)
        begins, sizes = self._first[members], self._sizes[members]
        total = int(sizes.sum())
        self._worked(total)
        if total == 0:
            return []
        rows = np.arange(total) + np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
        targets = self._targets[rows]
        keys = (self._actions[rows].astype(np.int64) << 32) | self._graph.colours[targets]
        if (keys[1:] < keys[:-1]).any():
            order = np.argsort(keys, kind="stable")
            keys, targets = keys[order], targets[order]
        cuts = np.flatnonzero(keys[1:] != keys[:-1]) + 1
        heads = [0, *cuts.tolist()]
        return list(zip((keys[heads] >> 32).tolist(), np.split(targets, cuts), strict=True))

    def _closed(self, members: Ints) -> Ints:
        self._stamp += 1
        if self._stamp == _MOST_STAMPS:
            self._mark[:] = 0
            self._stamp = 1
        found, met = whole(
            self._loops.closed,
            self._silent_first,
            self._silent_targets,
            self._shows,
            members,
            self._mark,
            self._stamp,
            self._stack,
            self._found,
        )
        self._worked(met)
        return self._found[:found].copy()

    def _worked(self, steps: int) -> None:
        self.work += steps + 1
        self._all_work += steps + 1
        if self._all_work > small.MOST_WORK and self._loops is loops:
            # What began small has become large.
            from stateglass.reduce.kernels import compiled

            self._loops = compiled


def _first_of(graph: Graph, chosen: npt.NDArray[np.bool_]) -> Ints:
    """Where the chosen transitions of each state begin, among the chosen ones."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(chosen)])[graph.first].astype(np.int32)
