"""Control dependence on flow graphs whose nodes are numbers.

A node depends on a decision if one way out of it leads to the node in any case, and another may end without it
(Ferrante, Ottenstein, Warren, *The program dependence graph and its use in optimization*, TOPLAS 1987). A loop that
is never left counts as over each time control comes back to where it was entered: so there is an end that every node
leads to, and what such a loop contains depends on what decides whether it is entered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from stateglass.graphs.lists import Successors, components, members, postorder

_NONE: Final = -1


@final
@dataclass(frozen=True, slots=True)
class Ended:
    """A flow graph in which every node that is reached leads to `end`.

    The nodes from `given` on were added: one in front of each loop that is never left, and the end itself.
    """

    successors: tuple[tuple[int, ...], ...]
    given: int
    end: int


def with_end(successors: Successors) -> Ended:
    """Adds an end behind every node without successors, and to every loop that is never left; it starts at node 0.

    Linear time.
    """
    count = len(successors)
    order = reached(successors, 0)
    group = components(successors, [0])
    first: dict[int, int] = {}
    for node in order:
        first.setdefault(group[node], node)
    endless = [
        first[number]
        for number, nodes in enumerate(members(group))
        if all(successors[n] and all(group[s] == number for s in successors[n]) for n in nodes)
    ]
    before = {head: count + i for i, head in enumerate(sorted(endless))}
    end = count + len(before)
    ways: list[tuple[int, ...]] = []
    for node in range(count):
        ways.append(tuple(before.get(s, s) for s in successors[node]) or (end,))
    ways += [(head, end) for head in sorted(endless)]
    ways.append(())
    return Ended(tuple(ways), count, end)


def post_dominators(graph: Ended) -> list[int]:
    """For each node, the first node after it that is on every way to the end; -1 for the end, and if it is not reached.

    Cooper, Harvey, Kennedy, *A simple, fast dominance algorithm*, 2001, on the reversed graph.
    """
    count = len(graph.successors)
    before: list[list[int]] = [[] for _ in range(count)]
    for node, following in enumerate(graph.successors):
        for s in following:
            before[s].append(node)
    order = postorder(before, graph.end)
    position = [_NONE] * count
    for number, node in enumerate(order):
        position[node] = number
    nearest = [_NONE] * count
    nearest[graph.end] = graph.end
    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            best = _NONE
            for s in graph.successors[node]:
                if nearest[s] != _NONE:
                    best = s if best == _NONE else _meet(s, best, nearest, position)
            if nearest[node] != best:
                nearest[node] = best
                changed = True
    nearest[graph.end] = _NONE
    return nearest


def _meet(a: int, b: int, nearest: list[int], position: list[int]) -> int:
    while a != b:
        while position[a] < position[b]:
            a = nearest[a]
        while position[b] < position[a]:
            b = nearest[b]
    return a


def control_dependence(graph: Ended) -> list[tuple[int, ...]]:
    """For each node, the nodes with several ways out that decide whether it is run; added nodes are among them.

    From each way out of a decision, all nodes up to where its ways meet again (its post-dominator) depend on it.
    """
    nearest = post_dominators(graph)
    found: list[dict[int, None]] = [{} for _ in graph.successors]
    for node, following in enumerate(graph.successors):
        if len(set(following)) < 2:
            continue
        for s in following:
            runner = s
            while runner not in (nearest[node], _NONE):
                if node in found[runner]:
                    break  # another way out led here, and further on both are one
                found[runner][node] = None
                runner = nearest[runner]
    return [tuple(nodes) for nodes in found]


def reached(successors: Successors, start: int) -> list[int]:
    """What can be reached, each node after one that leads to it: in the order of depth-first search."""
    return list(reversed(postorder(successors, start)))
