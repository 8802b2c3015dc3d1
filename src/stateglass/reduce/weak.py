"""Weak bisimulation: branching bisimulation first, then strong bisimulation of the weak steps between its classes.

Branching bisimilar states are weakly bisimilar, so they are made one beforehand, in O(m log n). What is left is often
small enough for a list of its weak steps, of which there can be as many as pairs of states times actions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.compiled.interrupts import whole
from stateglass.model.model import Ints
from stateglass.reduce.graph import Graph, Partition
from stateglass.reduce.quotient import Quotient, quotient
from stateglass.reduce.small import loops_for
from stateglass.source import Code, input_error
from stateglass.work import Progress

MOST_WEAK_STEPS = 50_000_000
"""More weak steps than this are refused: they would not fit into a common computer's memory."""

_LEAST: Final = 1 << 16
"""Lists that grow begin with room for so many numbers."""

Longs = npt.NDArray[np.int64]


@final
@dataclass(frozen=True)
class WeakSteps:
    """What each state reaches silently, and by weak steps, in a graph whose silent steps lead to lower numbers."""

    graph: Graph
    closure_begins: Longs
    closure: Ints
    begins: Longs
    items: Longs  # action << 32 | target


def weak_partition(
    graph: Graph, fine: Partition, strong: Callable[[Graph, Progress], Partition], progress: Progress
) -> Partition:
    """The coarsest weak bisimulation; where `fine` tells endless classes, one that tells them apart, too.

    `fine` is a branching bisimulation of the graph, so that its classes are weakly bisimilar and have no silent cycles.
    States with endless silence get an action of their own for it, in the way of van Glabbeek's explicit divergence.
    """
    if graph.silent < 0:
        return fine
    small, order = _descending(quotient(graph, Partition(fine.classes, np.zeros_like(fine.endless))).graph)
    steps = weak_steps(small, progress)
    saturated = _saturated(steps, fine.endless[order])
    coarse = strong(saturated, progress)
    classes = np.empty(fine.count, dtype=np.int32)
    classes[order] = coarse.classes
    return Partition.of(classes[fine.classes], fine.endless[fine.classes])


def weak_steps(graph: Graph, progress: Progress) -> WeakSteps:
    """Lists all weak steps; their number can be the square of the number of states, which is refused when too large."""
    loops = loops_for(graph)
    n = graph.states
    # Lists can be longer than 32 bits count. Silent steps lead to lower numbers, so that the list of each state is
    # put together from lists that are complete; loops stop when an array is full, and go on with a larger one.
    begins = np.zeros(n + 1, dtype=np.int64)
    closure = np.empty(max(_LEAST, 2 * n), dtype=np.int32)
    mark = np.full(n, -1, dtype=np.int32)
    at = 0
    while at < n:
        # One kind of integer, so that the loop is compiled once.
        at = int(
            whole(
                loops.silently_reached,
                graph.first,
                graph.actions,
                graph.targets,
                graph.silent,
                at,
                mark,
                begins,
                closure,
            )
        )
        if at < n:
            closure = _larger(closure, 2 * len(closure))
        progress("following silent steps", states=at, steps=int(begins[at]))
    closure_begins, begins = begins, np.zeros(n + 1, dtype=np.int64)
    items = np.empty(max(_LEAST, 2 * len(graph.actions)), dtype=np.int64)
    scratch = np.empty(_LEAST, dtype=np.int64)
    at = 0
    while at < n:
        at, need = whole(
            loops.visibly_reached,
            graph.first,
            graph.actions,
            graph.targets,
            graph.silent,
            closure_begins,
            closure,
            at,
            scratch,
            begins,
            items,
        )
        if need > len(scratch):
            scratch = np.empty(_allowed(2 * need), dtype=np.int64)
        if at < n and begins[at] + need > len(items):
            items = _larger(items, max(2 * len(items), int(begins[at]) + need))
        progress("following steps", states=at, steps=int(begins[at]))
    return WeakSteps(graph, closure_begins, closure[: closure_begins[n]], begins, items[: begins[n]])


def without_redundant(found: Quotient, endless: npt.NDArray[np.uint8], progress: Progress) -> Quotient:
    """A weak quotient without the transitions that are weak steps by way of others: the least one there is.

    Silent steps between classes have no cycles, so it does not matter in which order transitions go.
    """
    graph = found.graph
    if graph.silent < 0:
        return found
    loops_kept = (graph.actions == graph.silent) & (graph.sources == graph.targets)
    assert bool((endless[graph.sources[loops_kept]] == 1).all())
    straight, order = _descending(_filtered(graph, ~loops_kept))
    steps = weak_steps(straight, progress)
    loops = loops_for(straight)
    keep = np.ones(len(straight.actions), dtype=np.uint8)
    scratch = np.empty(_LEAST, dtype=np.int64)
    at = 0
    while at < straight.states:
        at, need = whole(loops.needed,
            straight.first, straight.actions, straight.targets, straight.silent, steps.closure_begins, steps.closure,
            steps.begins, steps.items, scratch, at, keep,
        )  # fmt: skip
        if need > len(scratch):
            scratch = np.empty(_allowed(2 * need), dtype=np.int64)
        progress("dropping redundant steps", states=at)
    wanted = _keys(order[straight.sources], straight.actions, order[straight.targets])[keep != 0]
    kept = loops_kept | np.isin(_keys(graph.sources, graph.actions, graph.targets), wanted)
    return Quotient(_filtered(graph, kept), found.origins[kept])


def _keys(sources: Ints, actions: Ints, targets: Ints) -> npt.NDArray[Any]:
    rows = np.stack([sources, actions, targets], axis=1).astype(np.int32)
    return np.ascontiguousarray(rows).view([("", np.int32)] * 3).reshape(-1)


def _filtered(graph: Graph, kept: npt.NDArray[np.bool_]) -> Graph:
    before = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(kept)])
    first = before[graph.first].astype(np.int32)
    return Graph(first, graph.actions[kept], graph.targets[kept], graph.colours, graph.silent)


def _descending(graph: Graph) -> tuple[Graph, Ints]:
    """The graph, which has no silent cycles, with silent steps leading to lower numbers; and the old numbers."""
    number, count = graph.silent_components()
    assert count == graph.states
    order = np.empty(count, dtype=np.int32)
    order[number] = np.arange(count, dtype=np.int32)
    sizes = np.diff(graph.first)[order]
    first = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)])
    rows = np.repeat(graph.first[order].astype(np.int64) - first[:-1], sizes) + np.arange(len(graph.actions))
    turned = Graph(
        first.astype(np.int32), graph.actions[rows], number[graph.targets[rows]], graph.colours[order], graph.silent
    )
    return turned, order


def _saturated(steps: WeakSteps, endless: npt.NDArray[np.uint8]) -> Graph:
    """The weak steps as ordinary transitions, silent ones included."""
    graph = steps.graph
    n = graph.states
    # What can be reached and be silent in for ever.
    lasting = steps.closure[endless[steps.closure] != 0]
    lasting_begins = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(endless[steps.closure] != 0)])
    lasting_begins = lasting_begins[steps.closure_begins]
    first = steps.closure_begins + steps.begins + lasting_begins
    total = _allowed(int(first[n]))
    actions, targets = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    most = int(max(graph.actions.max(initial=0), graph.silent))
    at = first[:-1]
    for begins, labels, ends in (
        (steps.closure_begins, graph.silent, steps.closure),
        (steps.begins, (steps.items >> 32).astype(np.int32), (steps.items & 0xFFFFFFFF).astype(np.int32)),
        (lasting_begins, most + 1, lasting),
    ):
        sizes = np.diff(begins)
        places = np.arange(len(ends)) + np.repeat(at - begins[:-1], sizes)
        actions[places] = labels
        targets[places] = ends
        at = at + sizes
    return Graph(first.astype(np.int32), actions, targets, graph.colours)


def _larger(array: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
    grown = np.empty(_allowed(length), dtype=array.dtype)
    grown[: len(array)] = array
    return grown


def _allowed(length: int) -> int:
    """The length, if it may be that; an `InputError` if it is too much."""
    if length > 2 * MOST_WEAK_STEPS:
        raise input_error(
            Code.TOO_LARGE,
            f"weak bisimulation would need more than {MOST_WEAK_STEPS:,} weak steps",
            help="branching and dpbranching need no more than the model's own transitions",
        )
    return length
