"""Small graphs: the successors of each node as a sequence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

Successors = Sequence[Sequence[int]]

NOT_MET: Final = -1


def components(successors: Successors, starts: Iterable[int] | None = None) -> list[int]:
    """The strongly connected component of each node, numbered so that edges lead to equal or lower numbers.

    Only what can be reached from the starts has one, the others are `NOT_MET`; without starts, all nodes have.
    Tarjan: Depth-first search and linear graph algorithms, 1972, with a stack of its own; linear.
    """
    count = len(successors)
    component = [NOT_MET] * count
    index = [0] * count  # 0: not met yet
    low = [0] * count
    waiting: list[int] = []
    met = found = 0
    for root in range(count) if starts is None else starts:
        if index[root]:
            continue
        met += 1
        index[root] = low[root] = met
        waiting.append(root)
        path = [(root, iter(successors[root]))]
        while path:
            node, following = path[-1]
            for target in following:
                if not index[target]:
                    met += 1
                    index[target] = low[target] = met
                    waiting.append(target)
                    path.append((target, iter(successors[target])))
                    break
                if component[target] < 0 and index[target] < low[node]:
                    low[node] = index[target]
            else:
                path.pop()
                if path and low[node] < low[path[-1][0]]:
                    low[path[-1][0]] = low[node]
                if low[node] == index[node]:
                    while component[node] < 0:
                        component[waiting.pop()] = found
                    found += 1
    return component


def members(component: Sequence[int]) -> list[list[int]]:
    """The nodes of each component, ascending."""
    found: list[list[int]] = [[] for _ in range(max(component, default=NOT_MET) + 1)]
    for node, number in enumerate(component):
        if number != NOT_MET:
            found[number].append(node)
    return found


def postorder(successors: Successors, start: int) -> list[int]:
    """What can be reached, in the order in which a depth-first search is done with it."""
    seen = {start}
    order: list[int] = []
    path = [(start, iter(successors[start]))]
    while path:
        node, following = path[-1]
        for target in following:
            if target not in seen:
                seen.add(target)
                path.append((target, iter(successors[target])))
                break
        else:
            order.append(node)
            path.pop()
    return order
