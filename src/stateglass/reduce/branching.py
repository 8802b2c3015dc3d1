"""Branching bisimulation of large graphs: silent cycles become states; hashed rounds, refinement, an exact check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.compiled.interrupts import whole
from stateglass.model.model import Ints
from stateglass.reduce import large
from stateglass.reduce.graph import Graph, Partition, by_first
from stateglass.reduce.kernels import branching, bundles, refinement, silent, stabilising, strong
from stateglass.reduce.large import SLICE, fresh_salt, slices
from stateglass.work import Progress
from stateglass.work import silent as quiet

_MOST_TRIES: Final = 4
"""Each with a new salt. Even among a hundred million hashes, two are equal by chance in one of some thousand runs."""

_FEW_ELEMENTS: Final = 1 << 16
"""The table of elements begins with room for so many; it grows when it is full."""


@final
@dataclass(frozen=True)
class Contraction:
    """A graph without silent cycles, numbered so that silent steps lead down, and the state each old one became."""

    graph: Graph
    component: Ints
    endless: npt.NDArray[np.uint8]  # 1: what is one state now could go on silently for ever


def contraction(graph: Graph, *, divergence: bool, progress: Progress = quiet) -> Contraction:
    """The graph with each silent cycle as one state; with `divergence`, that state has a loop with a new action."""
    progress("joining silent cycles", states=graph.states)
    component, count = graph.silent_components()
    loop = int(graph.actions.max()) + 1 if divergence else -1
    first, actions, targets, endless = whole(
        silent.contracted, graph.first, graph.actions, graph.targets, graph.silent, component, count, loop
    )
    colours = np.empty(count, dtype=np.int32)
    colours[component] = graph.colours
    return Contraction(Graph(first, actions, targets, colours, graph.silent), component, endless)


def branching_partition(graph: Graph, *, divergence: bool, progress: Progress = quiet) -> Partition:
    """The coarsest branching bisimulation within the colours.

    With `divergence`: one that tells apart whether a class can be stayed in for ever by silent steps.
    """
    parts = contraction(graph, divergence=divergence, progress=progress)
    blocks = _blocks(parts.graph, progress)
    return Partition.of(blocks[parts.component], parts.endless[parts.component] if divergence else None)


def _blocks(graph: Graph, progress: Progress) -> Ints:
    coarse, count = by_first(graph.colours)
    for _ in range(_MOST_TRIES):
        salt = fresh_salt()
        blocks, previous, stable = _rounds(graph, coarse.copy(), count, salt, progress)
        if not stable:
            blocks = _refined(graph, blocks, previous, salt, progress)
        if _stable(graph, blocks, progress):
            return blocks
    raise AssertionError("the hashes of different signatures are the same again and again")


def _rounds(graph: Graph, blocks: Ints, count: int, salt: int, progress: Progress) -> tuple[Ints, Ints, bool]:
    """The blocks after the last round and before it, and whether they are the same."""
    n = graph.states
    entered = whole(branching.entries, graph.actions, graph.targets, graph.silent, n)
    scratch = np.empty(graph.widest, dtype=np.int64)
    keys, values = np.empty(_capacity(n), dtype=np.uint64), np.empty(_capacity(n), dtype=np.int32)
    elements = np.empty(_capacity(max(_FEW_ELEMENTS, graph.widest)), dtype=np.uint64)
    stored = np.empty(n, dtype=np.uint8)
    fresh = np.empty(n, dtype=np.int32)
    # Refinement relies on one round at least: the blocks before and after it are its constellations and blocks.
    for turn in range(max(1, large.FULL_ROUNDS)):
        values.fill(-1)
        elements.fill(0)
        state = np.zeros(2, dtype=np.int64)
        for start, stop in slices(graph):
            while start < stop:
                start = int(whole(branching.inductive,
                    graph.first, graph.actions, graph.targets, graph.silent, entered, blocks, start, stop, salt,
                    scratch, keys, values, stored, elements, state, fresh,
                ))  # fmt: skip
                if start < stop:
                    elements = whole(branching.enlarged, elements, 4 * len(elements))
            progress("refining", states=n, classes=max(count, int(state[branching.USED])))
        before, count = count, int(state[branching.USED])
        blocks, fresh = fresh, blocks
        if count == before:
            return blocks, fresh, True
        if large.converges_slowly(turn, before, count, n):
            break
    return blocks, fresh, False


def _refined(graph: Graph, blocks: Ints, previous: Ints, salt: int, progress: Progress) -> Ints:
    """Refines blocks that agree on the previous ones, of which they are parts."""
    n, m = graph.states, len(graph.actions)
    count, constellations = int(blocks.max()) + 1, int(previous.max()) + 1
    scratch = np.empty(graph.widest, dtype=np.int64)
    shared = whole(refinement.sharing, graph.first, graph.actions, graph.targets, previous, scratch)

    def table(rows: int, columns: int) -> Ints:
        return np.empty((rows, columns), dtype=np.int32)

    counters = np.full(bundles.COUNTERS, -1, dtype=np.int64)
    counters[[bundles.USED_BLOCKS, bundles.USED_CONSTELLATIONS]] = count, constellations
    counters[[bundles.USED_BUNDLES, bundles.USED_GROUPS, bundles.SALT]] = 0, 0, salt
    tables = bundles.Tables(
        first=graph.first,
        actions=graph.actions,
        targets=graph.targets,
        into=np.empty(n + 1, dtype=np.int32),
        silent_into=np.empty(n, dtype=np.int32),
        arriving=np.empty(m, dtype=np.int32),
        members=np.empty(n, dtype=np.int32),
        states=table(n, 4),
        edges=table(m, 4),
        group_of=np.empty(m if shared else 0, dtype=np.int32),
        groups=table(shared, 4),
        blocks=table(n, 6),
        constellations=table(n, 3),
        # A bundle has at least one transition. Those of which nothing is left are used again only when a block has
        # been cut; each of them had two transitions at first, so there are never more than half as many.
        bundles=table(m + m // 2 + 1, 10),
        queue=np.empty(n, dtype=np.int32),
        visited=np.empty(n, dtype=np.int32),
        losers=np.empty(2 * n, dtype=np.int32),
        counters=counters,
    )
    whole(bundles.arrivals,
        graph.actions, graph.targets, graph.silent, tables.into, tables.silent_into, tables.arriving
    )  # fmt: skip
    most = whole(bundles.arranged, blocks, previous, count, constellations, tables, graph.silent)
    whole(bundles.bundled, tables, graph.silent, np.empty(8 * most + 8, dtype=np.int32))
    while not whole(stabilising.stabilise, tables, graph.silent, SLICE):
        progress("refining", states=n, classes=int(counters[bundles.USED_BLOCKS]))
    return tables.states[:, bundles.BLOCK].copy()


def _stable(graph: Graph, blocks: Ints, progress: Progress) -> bool:
    count = int(blocks.max()) + 1
    members, begins = whole(strong.by_block, blocks, count)
    scratch, expected = (np.empty(graph.widest, dtype=np.int64) for _ in range(2))
    progress("checking", states=graph.states, classes=count)
    return not whole(branching.unstable,
        graph.first, graph.actions, graph.targets, graph.silent, blocks, members, begins, 0, count, scratch, expected
    )  # fmt: skip


def _capacity(entries: int) -> int:
    """A power of two that leaves a third of the places free."""
    return 1 << max(4, (entries * 3 // 2).bit_length())
