"""Branching bisimulation of large graphs: silent cycles become states, then hashed rounds, then an exact check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.compiled.interrupts import whole
from stateglass.model.model import Ints
from stateglass.reduce import large
from stateglass.reduce.graph import Graph, Partition, by_first
from stateglass.reduce.kernels import branching, compiled, deep, refinement, silent, strong
from stateglass.reduce.large import SLICE, fresh_salt, slices
from stateglass.reduce.progress import Progress
from stateglass.reduce.progress import silent as quiet

_MOST_TRIES: Final = 4


@final
@dataclass(frozen=True)
class Contraction:
    """A graph without silent cycles, numbered so that silent steps lead down, and the state each old one became."""

    graph: Graph
    component: Ints
    endless: npt.NDArray[np.uint8]  # 1: what is one state now could go on silently for ever


def contraction(graph: Graph, progress: Progress = quiet) -> Contraction:
    progress("joining silent cycles", states=graph.states)
    component, count = whole(compiled.components, graph.first, graph.actions, graph.targets, graph.silent)
    first, actions, targets, endless = whole(
        silent.contracted, graph.first, graph.actions, graph.targets, graph.silent, component, count
    )
    colours = np.empty(count, dtype=np.int32)
    colours[component] = graph.colours
    return Contraction(Graph(first, actions, targets, colours, graph.silent), component, endless)


def branching_partition(graph: Graph, *, divergence: bool, progress: Progress = quiet) -> Partition:
    """The coarsest branching bisimulation within the colours.

    With `divergence`: one that tells apart whether a class can be stayed in for ever by silent steps.
    """
    parts = contraction(graph, progress)
    endless = parts.endless if divergence else np.zeros(parts.graph.states, dtype=np.uint8)
    blocks = _blocks(parts.graph, endless, progress)
    return Partition.of(blocks[parts.component], endless[parts.component])


def _blocks(graph: Graph, endless: npt.NDArray[np.uint8], progress: Progress) -> Ints:
    blocks, count = by_first(graph.colours)
    for _ in range(_MOST_TRIES):
        salt = fresh_salt()
        blocks, count, stable = _rounds(graph, endless, blocks, count, salt, progress)
        if not stable:
            count = _refined(graph, endless, blocks, count, salt, progress)
        if _stable(graph, endless, blocks, count, progress):
            return blocks
    raise AssertionError("the hashes of different signatures are the same again and again")


def _rounds(
    graph: Graph, endless: npt.NDArray[np.uint8], blocks: Ints, count: int, salt: int, progress: Progress
) -> tuple[Ints, int, bool]:
    n = graph.states
    entered, most = whole(branching.entries, graph.first, graph.actions, graph.targets, graph.silent)
    scratch = np.empty(graph.widest + 1, dtype=np.int64)
    keys, values = np.empty(_capacity(n), dtype=np.uint64), np.empty(_capacity(n), dtype=np.int32)
    elements: npt.NDArray[Any] = np.empty(_capacity(most), dtype=np.uint64)
    stored = np.empty(n, dtype=np.uint8)
    fresh = np.empty(n, dtype=np.int32)
    # Refinement relies on one round at least.
    for turn in range(max(1, large.FULL_ROUNDS)):
        values.fill(-1)
        elements.fill(0)
        state = np.zeros(2, dtype=np.int64)
        for start, stop in slices(graph):
            whole(branching.inductive,
                graph.first, graph.actions, graph.targets, graph.silent, endless, entered, blocks, start, stop, salt,
                scratch, keys, values, stored, elements, state, fresh,
            )  # fmt: skip
            progress("refining", states=n, classes=max(count, int(state[branching.USED])))
        before, count = count, int(state[branching.USED])
        blocks, fresh = fresh, blocks
        if count == before:
            return blocks, count, True
        if large.deep(turn, before, count, n):
            break
    return blocks, count, False


def _refined(
    graph: Graph, endless: npt.NDArray[np.uint8], blocks: Ints, count: int, salt: int, progress: Progress
) -> int:
    n = graph.states
    entered, _ = whole(branching.entries, graph.first, graph.actions, graph.targets, graph.silent)
    into = whole(refinement.into_states, graph.targets, n)
    origins, labels = whole(deep.by_target, graph.first, graph.actions, graph.targets, into)
    members, starts = whole(strong.by_block, blocks, count)
    place = np.empty(n, dtype=np.int32)
    place[members] = np.arange(n, dtype=np.int32)
    begins, ends, parent, marked = (np.zeros(n, dtype=np.int32) for _ in range(4))
    begins[:count], ends[:count] = starts[:-1], starts[1:]
    single = (ends - begins == 1).astype(np.uint8)[blocks]
    moved, touched, part, sizes, ordered, affected = (np.empty(n + 1, dtype=np.int32) for _ in range(6))
    slots = np.empty(4 * n + 8, dtype=np.int32)
    hashes = np.zeros(n, dtype=np.uint64)
    scratch = np.empty(graph.widest + 1, dtype=np.int64)
    keys, values = np.empty(4 * n + 4, dtype=np.uint64), np.empty(4 * n + 4, dtype=np.int32)
    elements = np.empty(3 * graph.size + 4, dtype=np.uint64)
    # At first every state that has others in its block is looked at, as if all blocks were new.
    state = np.array([count, n, 0], dtype=np.int64)
    moved[:n] = members
    while not whole(deep.refine,
        graph.first, graph.actions, graph.targets, graph.silent, endless, entered, into, origins, labels, blocks,
        members, place, begins, ends, parent, marked, single, hashes, salt, moved, touched, slots, part, sizes, ordered,
        affected, scratch, keys, values, elements, state, SLICE,
    ):  # fmt: skip
        progress("refining", states=n, classes=int(state[refinement.BLOCKS]))
    return int(state[refinement.BLOCKS])


def _stable(graph: Graph, endless: npt.NDArray[np.uint8], blocks: Ints, count: int, progress: Progress) -> bool:
    members, begins = whole(strong.by_block, blocks, count)
    scratch, expected = (np.empty(graph.widest + 1, dtype=np.int64) for _ in range(2))
    progress("checking", states=graph.states, classes=count)
    return not whole(branching.unstable,
        graph.first, graph.actions, graph.targets, graph.silent, endless, blocks, members, begins, 0, count, scratch,
        expected,
    )  # fmt: skip


def _capacity(entries: int) -> int:
    """A power of two that leaves a third of the places free."""
    return 1 << max(4, (entries * 3 // 2).bit_length())
