"""The same partitions for small graphs, with Python's own sets: exact by themselves, and nothing needs compiling.

Loading compiled loops takes longer than most models need altogether.
"""

from __future__ import annotations

from itertools import pairwise
from types import ModuleType
from typing import Final

import numpy as np

from stateglass.reduce import loops
from stateglass.reduce.graph import Graph, Partition

MOST_PLAIN = 20_000
"""So many states and transitions go through a loop as it stands in the time that compiled loops take to be loaded."""

MOST_WORK = 300_000
"""The same for all rounds of a refinement together: a deep graph is no small one."""

_ENDLESS: Final = (-1, -1)
_INERT: Final = -2


def small_partition(graph: Graph, *, divergence: bool = False) -> Partition | None:
    """The coarsest strong bisimulation, or branching one if there are silent steps; None if that is too much work.

    The rounds are those of `kernels/branching.py`, with sets in place of hashes.
    """
    if graph.size > min(MOST_PLAIN, MOST_WORK):
        return None
    first, actions, targets = graph.first.tolist(), graph.actions.tolist(), graph.targets.tolist()
    steps = [list(zip(actions[begin:end], targets[begin:end], strict=True)) for begin, end in pairwise(first)]
    component = list(range(graph.states))
    if graph.silent >= 0:
        component = graph.silent_components()[0].tolist()
    colours = graph.colours.tolist()
    nodes: list[set[tuple[int, int]]] = [set() for _ in range(max(component) + 1)]
    blocks = [0] * len(nodes)
    endless: set[int] = set()
    for state, node in enumerate(component):
        blocks[node] = colours[state]
        for action, target in steps[state]:
            if action == graph.silent and component[target] == node:
                endless.add(node)
            else:
                nodes[node].add((action, component[target]))
    if not divergence:
        endless.clear()
    # Nodes are numbered so that silent steps lead to lower numbers, as the rounds need it.
    found = _refined(nodes, graph.silent, endless, blocks, MOST_WORK // graph.size)
    if found is None:
        return None
    classes = np.array([found[node] for node in component], dtype=np.int32)
    return Partition.of(classes, np.array([node in endless for node in component], dtype=np.uint8))


def _refined(
    nodes: list[set[tuple[int, int]]], silent: int, endless: set[int], blocks: list[int], most_rounds: int
) -> list[int] | None:
    count = len(set(blocks))
    for _ in range(most_rounds):
        fresh = [0] * len(nodes)
        numbers: dict[tuple[int, frozenset[tuple[int, int]]], int] = {}
        elements: list[frozenset[tuple[int, int]]] = []
        for node, moves in enumerate(nodes):
            own = blocks[node]
            seen = {
                (_INERT, fresh[target]) if action == silent and blocks[target] == own else (action, blocks[target])
                for action, target in moves
            }
            if node in endless:
                seen.add(_ENDLESS)
            # The only candidate to join is the block that came last: see `kernels/branching.py`.
            last = max((block for action, block in seen if action == _INERT), default=None)
            if last is not None and seen - {(_INERT, last)} <= elements[last]:
                fresh[node] = last
                continue
            key = (own, frozenset(seen))
            if key not in numbers:
                numbers[key] = len(numbers)
                elements.append(key[1])
            fresh[node] = numbers[key]
        before, count, blocks = count, len(numbers), fresh
        if count == before:
            return blocks
    return None


def loops_for(graph: Graph) -> ModuleType:
    """The loops of `loops.py`, compiled if the graph is large."""
    if graph.size <= MOST_PLAIN:
        return loops
    from stateglass.reduce.kernels import compiled

    return compiled
