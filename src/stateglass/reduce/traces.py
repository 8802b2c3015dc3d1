"""Trace equivalences: a deterministic graph with the same traces, then strong bisimulation.

A state of the deterministic graph is a set of states that one trace leads to. Sets never mix colours: what tells states
apart is part of what a trace shows. There can be exponentially many sets; more than a budget are refused.
"""

from __future__ import annotations

from typing import Final, final

import numpy as np

from stateglass.model.model import Ints
from stateglass.reduce.graph import Graph
from stateglass.reduce.progress import Progress
from stateglass.source import Code, input_error

MOST_SETS: Final = 1_000_000
"""How many states a deterministic graph may get."""

_REPORT_EVERY: Final = 1 << 12


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
    while done < len(builder.sets):
        before = len(actions)
        for action, members in builder.successors(builder.sets[done]):
            actions.append(action)
            targets.append(builder.number(members))
        sizes.append(len(actions) - before)
        # What was expanded is known by its key alone.
        done += 1
        if len(builder.sets) > most_sets:
            raise input_error(
                Code.TOO_LARGE,
                f"the deterministic model would have more than {most_sets:,} states",
                help="allow more with --max-states, or reduce by an equivalence that needs no deterministic model",
            )
        if done % _REPORT_EVERY == 0:
            progress("determinising", states=done, waiting=len(builder.sets) - done)
    colours = np.array([graph.colours[members[0]] for members in builder.sets], dtype=np.int32)
    first = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)]).astype(np.int32)
    return Graph(first, np.array(actions, dtype=np.int32), np.array(targets, dtype=np.int32), colours)


@final
class _Sets:
    """Sets of states, closed under silent steps and numbered as they come."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._numbers: dict[bytes, int] = {}
        self._silent: list[Ints] | None = None
        self.sets: list[Ints] = []
        if graph.silent >= 0:
            hits = graph.actions == graph.silent
            begins = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(hits)])[graph.first]
            self._silent = np.split(graph.targets[hits], begins[1:-1])

    def number(self, members: Ints) -> int:
        closed = self._closed(members)
        key = closed.tobytes()
        found = self._numbers.setdefault(key, len(self.sets))
        if found == len(self.sets):
            self.sets.append(closed)
        return found

    def successors(self, members: Ints) -> list[tuple[int, Ints]]:
        """What each action leads to, by action and colour; the sets are not closed yet."""
        graph = self._graph
        rows = np.concatenate([np.arange(graph.first[s], graph.first[s + 1]) for s in members.tolist()])
        rows = rows[graph.actions[rows] != graph.silent]
        if not len(rows):
            return []
        actions, targets = graph.actions[rows], graph.targets[rows]
        colours = graph.colours[targets]
        order = np.lexsort((targets, colours, actions))
        actions, colours, targets = actions[order], colours[order], targets[order]
        cuts = np.flatnonzero((actions[1:] != actions[:-1]) | (colours[1:] != colours[:-1])) + 1
        heads = [0, *cuts.tolist()]
        return list(zip(actions[heads].tolist(), np.split(targets, cuts), strict=True))

    def _closed(self, members: Ints) -> Ints:
        if self._silent is None:
            return np.unique(members)
        seen = set(members.tolist())
        waiting = list(seen)
        while waiting:
            for target in self._silent[waiting.pop()].tolist():
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return np.array(sorted(seen), dtype=np.int32)
