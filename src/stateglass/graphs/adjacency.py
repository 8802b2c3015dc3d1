"""Neighbours in a graph, for many nodes at a time.

Searches go layer by layer with array operations, which is fast while layers are wide. In a long chain each layer has a
node or two, and the array operations cost more than the work: then the search goes on node by node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_NARROW: Final = 24
"""A layer of up to so many nodes is faster node by node than with arrays."""
_PATIENCE: Final = 64
"""After so many narrow layers in a row, it pays to turn the arrays into the lists that going node by node needs."""


@final
@dataclass(frozen=True)
class Adjacency:
    """The edges of a graph by the node they leave: those of node n are `edges[first[n]:first[n + 1]]`."""

    first: Indices
    edges: Indices  # numbers of edges, as they were given
    ends: Indices  # where each of them leads

    @staticmethod
    def of(starts: npt.NDArray[np.integer], ends: npt.NDArray[np.integer], nodes: int) -> Adjacency:
        order = np.argsort(starts, kind="stable").astype(np.int64)
        first = np.zeros(nodes + 1, dtype=np.int64)
        np.cumsum(np.bincount(starts, minlength=nodes), out=first[1:])
        return Adjacency(first, order, ends[order].astype(np.int64))

    def positions(self, nodes: npt.NDArray[np.integer]) -> tuple[Indices, Indices]:
        """Where the edges of these nodes stand in `edges`, and beside each the index of its node in `nodes`."""
        starts = self.first[nodes]
        counts = self.first[nodes.astype(np.int64) + 1] - starts
        return spread(starts, counts), np.repeat(np.arange(len(nodes), dtype=np.int64), counts)

    def after(self, nodes: npt.NDArray[np.integer]) -> Indices:
        """Where the edges of these nodes lead, with repetitions."""
        return self.ends[self.positions(nodes)[0]]

    def reach(self, goal: Flags, within: Flags | None = None) -> Flags:
        """What can be reached from the goal, the goal included, by way of nodes in `within` only; linear."""
        found = goal.copy()
        frontier = np.flatnonzero(found)
        seen, allowed = found.view(np.uint8).data, None if within is None else within.view(np.uint8).data

        def is_new(node: int) -> bool:
            if seen[node] or not (allowed is None or allowed[node]):
                return False
            seen[node] = True
            return True

        narrow = 0
        while len(frontier):
            narrow = narrow + 1 if len(frontier) <= _NARROW else 0
            if narrow > self._patience:
                frontier, narrow = self._one_by_one(frontier, is_new), 0
                continue
            new = self.after(frontier)
            new = new[~found[new]] if within is None else new[~found[new] & within[new]]
            found[new] = True
            frontier = distinct(new)
        return found

    def endless(self, within: Flags, excused: Flags) -> Flags:
        """The nodes of `within` that have an endless path inside it against the direction of the edges.

        Nodes that are `excused` may also stop there. A greatest fixed point: nodes without a way on are taken out, then
        those that had a way on only to these, and so on; each edge is looked at once (Kahn, Topological sorting of
        large networks, 1962).
        """
        kept = within.copy()
        inside = kept[self.ends] & np.repeat(kept, np.diff(self.first))
        ways = np.bincount(self.ends[inside], minlength=len(kept))
        stuck = np.flatnonzero(kept & (ways == 0) & ~excused)
        inner, left, exempt = kept.view(np.uint8).data, ways.data, excused.view(np.uint8).data

        def gets_stuck(node: int) -> bool:
            left[node] -= 1
            if left[node] or not inner[node] or exempt[node]:
                return False
            inner[node] = False
            return True

        narrow = 0
        while len(stuck):
            narrow = narrow + 1 if len(stuck) <= _NARROW else 0
            kept[stuck] = False
            if narrow > self._patience:
                stuck, narrow = self._one_by_one(stuck, gets_stuck), 0
                continue
            before = self.after(stuck)
            np.subtract.at(ways, before, 1)
            stuck = distinct(before[kept[before] & (ways[before] == 0) & ~excused[before]])
        return kept

    @property
    def _patience(self) -> int:
        return 0 if "_lists" in self.__dict__ else _PATIENCE

    @cached_property
    def _lists(self) -> tuple[list[int], list[int]]:
        return self.first.tolist(), self.ends.tolist()

    def _one_by_one(self, frontier: Indices, wanted: Callable[[int], bool]) -> Indices:
        """Follows edges to nodes that are `wanted` as long as layers are narrow; the first wide layer, or an empty one.

        `wanted` notes that a node was met, so that it is true once for each.
        """
        first, ends = self._lists
        layer = frontier.tolist()
        while 0 < len(layer) <= 4 * _NARROW:
            layer = [end for node in layer for end in ends[first[node] : first[node + 1]] if wanted(end)]
        return np.array(layer, dtype=np.int64)


def spread(starts: Indices, counts: Indices) -> Indices:
    """The ranges that begin at `starts` and have `counts` numbers, one after the other in one array."""
    total = int(counts.sum())
    before = np.cumsum(counts) - counts
    numbers: Indices = np.arange(total, dtype=np.int64)
    numbers += np.repeat(starts - before, counts)
    return numbers


def distinct(values: Indices) -> Indices:
    """Each value once, ascending. Sorting is much faster here than the hash tables of newer `numpy.unique`."""
    values = np.sort(values)
    fresh = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=fresh[1:])
    return values[fresh]


def without(values: Indices, known: Indices) -> Indices:
    """The values that are not among the known ones; both ascending."""
    if not len(known):
        return values
    at = np.minimum(np.searchsorted(known, values), len(known) - 1)
    left: Indices = values[known[at] != values]
    return left
