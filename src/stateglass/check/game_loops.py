"""Loops over the game between a formula and a model: a vertex is a node of the formula in a state.

Vertex `node * states + state`. One player owns the disjunctions and the possible steps, the other one the conjunctions
and the necessary ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

# What a node is. The first player owns the even ones.
OR = 0
AND = 1
POSSIBLE = 2
NECESSARY = 3


class Steps(NamedTuple):
    """The transitions of a model, by where they come from and by where they lead."""

    first: Longs
    actions: Ints
    targets: Ints
    into_first: Longs
    into: Ints
    sources: Ints


class Nodes(NamedTuple):
    """The nodes of a formula; node k of a modality is about the steps whose label is in row `steps[k]` of `labels`."""

    kinds: Ints
    child_first: Ints
    children: Ints
    parent_first: Ints
    parents: Ints
    steps: Ints
    labels: Bytes


def attracted(steps: Steps, nodes: Nodes, inside: Bytes, barred: Bytes, joined: Bytes, player: int) -> None:
    """The attractor: adds to `joined` the vertices from which a player can force a play to one that has joined already.

    Only vertices `inside` count, and those `barred` do not join. Vertices of the other player without a way out do.
    Linear in nodes times transitions.
    """
    states = len(steps.first) - 1
    _, actions, _, into_first, into, sources = steps
    kinds, _, _, parent_first, parents, rows, labels = nodes
    left = np.zeros(len(inside), dtype=np.int32)
    waiting = np.empty(len(inside), dtype=np.int64)
    waits = 0
    for v in range(len(inside)):
        if joined[v] != 0:
            waiting[waits] = v
            waits += 1
    waits = with_no_way_out(steps, nodes, inside, barred, joined, player, left, waiting, waits)
    done = 0
    while done < waits:
        c = waiting[done] // states
        t = waiting[done] % states
        done += 1
        for j in range(parent_first[c], parent_first[c + 1]):
            k = parents[j]
            own = kinds[k] % 2 == player
            if kinds[k] < 2:
                v = np.int64(k) * states + t
                if inside[v] != 0 and joined[v] == 0 and barred[v] == 0 and one_way_less(left, v, own):
                    joined[v] = 1
                    waiting[waits] = v
                    waits += 1
                continue
            for i in range(into_first[t], into_first[t + 1]):
                e = into[i]
                if labels[rows[k], actions[e]] == 0:
                    continue
                v = np.int64(k) * states + sources[e]
                if inside[v] != 0 and joined[v] == 0 and barred[v] == 0 and one_way_less(left, v, own):
                    joined[v] = 1
                    waiting[waits] = v
                    waits += 1


def one_way_less(left: Ints, vertex: int, own: bool) -> bool:
    """Whether a vertex joins, now that one more of its ways leads to what has joined: one is enough at a vertex of the
    player, the other one must have no way left that does not."""
    left[vertex] -= 1
    return own or left[vertex] == 0


def with_no_way_out(
    steps: Steps,
    nodes: Nodes,
    inside: Bytes,
    barred: Bytes,
    joined: Bytes,
    player: int,
    left: Ints,
    waiting: Longs,
    waits: int,
) -> int:
    """Counts the ways of the other player's vertices; those without one join. Returns how many have joined by now."""
    first, actions, targets, _, _, _ = steps
    kinds, child_first, children, _, _, rows, labels = nodes
    states = len(first) - 1
    for k in range(len(kinds)):
        if kinds[k] % 2 == player:
            continue
        for s in range(states):
            v = int(k) * states + s
            if inside[v] == 0 or joined[v] != 0:
                continue
            ways = 0
            if kinds[k] < 2:
                for i in range(child_first[k], child_first[k + 1]):
                    if inside[np.int64(children[i]) * states + s] != 0:
                        ways += 1
            else:
                below = np.int64(children[child_first[k]]) * states
                for e in range(first[s], first[s + 1]):
                    if labels[rows[k], actions[e]] != 0 and inside[below + targets[e]] != 0:
                        ways += 1
            left[v] = ways
            if ways == 0 and barred[v] == 0:
                joined[v] = 1
                waiting[waits] = v
                waits += 1
    return waits
