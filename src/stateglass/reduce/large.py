"""Strong bisimulation of large graphs: hashed rounds, then refinement of what changes, then an exact check."""

from __future__ import annotations

import secrets
from itertools import pairwise
from typing import Final

import numpy as np

from stateglass.compiled.interrupts import whole
from stateglass.model.model import Ints
from stateglass.reduce.graph import Graph, Partition, by_first
from stateglass.reduce.kernels import keys, refinement, strong
from stateglass.work import Progress, silent

FULL_ROUNDS = 12
"""After so many rounds over all states only those are looked at that may still change."""

SLICE: Final = 4_000_000
"""Transitions per call of a compiled loop: progress is reported, and Ctrl-C heard, only between calls."""


def strong_partition(graph: Graph, progress: Progress = silent) -> Partition:
    """The coarsest strong bisimulation within the colours.

    Two hashes that happen to be equal leave states together that differ; then the exact check finds them, separates
    them and refinement goes on with other hashes.
    """
    blocks, count = by_first(graph.colours) if graph.colours.any() else (np.zeros_like(graph.colours), 1)
    salt = fresh_salt()
    while True:
        count, stable = _rounds(graph, blocks, count, salt, progress)
        if not stable:
            count = _refined(graph, blocks, count, salt, progress)
        if count == graph.states:
            return Partition(np.arange(count, dtype=np.int32), np.zeros(count, dtype=np.uint8))
        odd = _odd(graph, blocks, count, progress)
        if not len(odd):
            return Partition.of(blocks)
        # Apart from the others, but still together if they were: refinement goes on from there.
        blocks[odd] += np.int32(count)
        blocks, count = by_first(blocks)
        salt = fresh_salt()


def _rounds(graph: Graph, blocks: Ints, count: int, salt: int, progress: Progress) -> tuple[int, bool]:
    """Rounds over all states; the number of blocks, and whether the last round changed nothing.

    A round reads memory in order and keeps no lists: it costs little for each state, and pays as long as rounds tell
    many states apart.
    """
    hashes = np.empty(graph.states, dtype=np.uint64)
    scratch = np.empty(graph.widest, dtype=np.int64)
    capacity = 1 << (2 * graph.states - 1).bit_length()
    table = np.empty(capacity, dtype=np.uint64)
    values = np.empty(capacity, dtype=np.int32)
    for turn in range(FULL_ROUNDS):
        for start, stop in slices(graph):
            whole(
                strong.signatures, graph.first, graph.actions, graph.targets, blocks, start, stop, salt, scratch, hashes
            )
            progress("refining", states=graph.states, classes=count)
        values.fill(-1)
        before, count = count, whole(keys.numbered, hashes, 0, graph.states, table, values, 0, blocks)
        if count == before or count == graph.states:
            return count, True
        if converges_slowly(turn, before, count, graph.states):
            break
    return count, False


def _refined(graph: Graph, blocks: Ints, count: int, salt: int, progress: Progress) -> int:
    n, m = graph.states, len(graph.actions)
    into = whole(refinement.into_states, graph.targets, n)
    members, starts = whole(strong.by_block, blocks, count)
    hashes = np.empty(2 * n, dtype=np.uint64)
    cells, spans = hashes.view(np.int32), np.empty(4 * n, dtype=np.int32)
    whole(refinement.placed, members, starts, cells, spans)
    scratch, order = np.empty(graph.widest, dtype=np.int64), np.empty(graph.widest, dtype=np.int32)
    shared = whole(refinement.sharing, graph.first, graph.actions, graph.targets, blocks, scratch)
    width = 3 if shared else 2
    edges, groups = np.empty(width * m, dtype=np.int32), np.empty(4 * shared, dtype=np.int32)
    free = whole(refinement.grouped,
        graph.first, graph.actions, graph.targets, blocks, salt, into[:-1].copy(), scratch, order, hashes, edges,
        width, groups,
    )  # fmt: skip
    moved, touched, part, sizes, ordered = (np.empty(n + 1, dtype=np.int32) for _ in range(5))
    slots = np.empty(4 * n + 8, dtype=np.int32)
    state = np.array([count, 0, free], dtype=np.int64)
    whole(refinement.split_all, members, cells, hashes, spans, moved, slots, part, sizes, ordered, state)
    while not whole(refinement.refine,
        into, edges, width, members, cells, hashes, spans, groups, salt, moved, touched, slots, part, sizes, ordered,
        state, SLICE,
    ):  # fmt: skip
        progress("refining", states=n, classes=int(state[refinement.BLOCKS]))
    blocks[:] = cells[refinement.BLOCK :: 4]
    return int(state[refinement.BLOCKS])


def _odd(graph: Graph, blocks: Ints, count: int, progress: Progress) -> Ints:
    """States that a stable partition would have apart from the first one of their block; none if it is stable."""
    odd = np.empty(graph.states, dtype=np.int32)
    members, begins = whole(strong.by_block, blocks, count)
    scratch, other = (np.empty(graph.widest, dtype=np.int64) for _ in range(2))
    found = whole(
        strong.separate,
        graph.first,
        graph.actions,
        graph.targets,
        blocks,
        members,
        begins,
        0,
        count,
        scratch,
        other,
        odd,
        0,
    )
    progress("checking", states=graph.states, classes=count)
    return odd[:found]


def converges_slowly(turn: int, before: int, count: int, states: int) -> bool:
    """Whether the first rounds tell so few states apart that many more will follow, with few changes in each.

    That is so of long chains: n rounds over n states would be quadratic, refinement is not.
    """
    return turn >= 2 and count < 3 * before and count < states // 4


def fresh_salt() -> int:
    """A secret number for all hashes, so that nobody can make up a model full of collisions.

    The result does not depend on it: the exact check sees to that.
    """
    return secrets.randbits(60)


def slices(graph: Graph) -> list[tuple[int, int]]:
    """Ranges of states with about as many transitions as one call of a compiled loop should take."""
    limits = np.searchsorted(graph.first, np.arange(SLICE, len(graph.actions), SLICE))
    marks = sorted({0, *limits.tolist(), graph.states})
    return list(pairwise(marks))
