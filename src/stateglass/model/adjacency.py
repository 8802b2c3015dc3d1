"""Neighbours in a graph, for many states at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from stateglass.model.model import Flags

Indices = npt.NDArray[np.int64]


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
        """What can be reached from these nodes, they included; further nodes must be in `within`."""
        found = goal.copy()
        frontier = np.flatnonzero(found)
        while len(frontier):
            new = self.after(frontier)
            new = new[~found[new]] if within is None else new[~found[new] & within[new]]
            found[new] = True
            frontier = distinct(new)
        return found

    def endless(self, within: Flags, excused: Flags) -> Flags:
        """The nodes of `within` from which, against the edges, one need not stop or leave: a greatest fixed point.

        Nodes that are excused may stop. Each edge is looked at once (Kahn, Topological sorting of large networks,
        1962).
        """
        kept = within.copy()
        inside = kept[self.ends] & np.repeat(kept, np.diff(self.first))
        ways = np.bincount(self.ends[inside], minlength=len(kept))
        stuck = np.flatnonzero(kept & (ways == 0) & ~excused)
        while len(stuck):
            kept[stuck] = False
            before = self.after(stuck)
            np.subtract.at(ways, before, 1)
            stuck = distinct(before[kept[before] & (ways[before] == 0) & ~excused[before]])
        return kept


def spread(starts: Indices, counts: Indices) -> Indices:
    """start, start + 1, … for each start, as many as its count says, all in one row."""
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
