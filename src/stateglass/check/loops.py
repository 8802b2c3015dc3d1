"""Loops over the positions of a model that small ones run as they stand and large ones compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

# When a state joins a least fixed point. Of its positions, those that are certain exist, the others may.
ANY = 0  # as soon as a position does
EVERY = 1  # when all positions do
SURE = 2  # when a certain position does, or all that may exist
COVER = 3  # when all certain positions do, and at least one that may exist


def incoming(sources: Ints, targets: Ints, states: int) -> tuple[Longs, Ints, Ints]:
    """The edges by where they lead: those into state s are `edges[first[s]:first[s + 1]]`, ascending.

    Beside them stands where they come from: looking that up by the edge would miss the cache each time.
    """
    first = np.zeros(states + 1, dtype=np.int64)
    for e in range(len(targets)):
        first[targets[e] + 1] += 1
    for s in range(states):
        first[s + 1] += first[s]
    free = first[:-1].copy()
    edges = np.empty(len(targets), dtype=np.int32)
    origins = np.empty(len(targets), dtype=np.int32)
    for e in range(len(targets)):
        t = targets[e]
        edges[free[t]] = e
        origins[free[t]] = sources[e]
        free[t] += 1
    return first, edges, origins


def until(
    first: Longs,
    edges: Ints,
    origins: Ints,
    sources: Ints,
    certain: Bytes,
    policy: int,
    through: Bytes,
    through_by_edge: bool,
    goal: Bytes,
    goal_by_edge: bool,
) -> Ints:
    """In how many steps each state comes to the goal through `through`, or -1: a least fixed point, layer by layer.

    Through and goal are given for each state, or for each edge. Linear: each edge is looked at once.
    """
    states = len(first) - 1
    rank = np.full(states, -1, dtype=np.int32)
    left = np.zeros(states, dtype=np.int32)
    waiting = np.empty(states, dtype=np.int32)
    waits = 0
    every = len(certain) == 0
    if policy in (EVERY, SURE):
        for e in range(len(sources)):
            left[sources[e]] += 1
    elif policy == COVER:
        for e in range(len(sources)):
            if every or certain[e] != 0:
                left[sources[e]] += 1
    if goal_by_edge:
        for e in range(len(sources)):
            if goal[e] != 0:
                s = sources[e]
                if policy == ANY:
                    joins = True
                elif policy == EVERY:
                    left[s] -= 1
                    joins = left[s] == 0
                elif policy == SURE:
                    left[s] -= 1
                    joins = left[s] == 0 or every or certain[e] != 0
                else:
                    if every or certain[e] != 0:
                        left[s] -= 1
                    joins = False
                if joins and rank[s] < 0:
                    rank[s] = 0
                    waiting[waits] = s
                    waits += 1
        if policy == COVER:
            # All certain positions had to be seen first.
            for e in range(len(sources)):
                s = sources[e]
                if goal[e] != 0 and left[s] == 0 and rank[s] < 0:
                    rank[s] = 0
                    waiting[waits] = s
                    waits += 1
    else:
        for s in range(states):
            if goal[s] != 0:
                rank[s] = 0
                waiting[waits] = s
                waits += 1
    done = 0
    layer_end = waits
    while done < waits:
        # A layer is finished before states join because of it: with COVER the order within it would matter.
        for k in range(done, layer_end):
            t = waiting[k]
            for i in range(first[t], first[t + 1]):
                s = origins[i]
                if rank[s] >= 0:
                    continue
                e = edges[i]
                if through_by_edge:
                    if through[e] == 0:
                        continue
                elif through[s] == 0:
                    continue
                if goal_by_edge and goal[e] != 0:
                    continue
                if policy == ANY:
                    joins = True
                elif policy == EVERY:
                    left[s] -= 1
                    joins = left[s] == 0
                elif policy == SURE:
                    left[s] -= 1
                    joins = left[s] == 0 or every or certain[e] != 0
                else:
                    if every or certain[e] != 0:
                        left[s] -= 1
                    joins = left[s] == 0
                if joins:
                    rank[s] = rank[t] + 1
                    waiting[waits] = s
                    waits += 1
        done = layer_end
        layer_end = waits
    return rank


def somewhere(sources: Ints, flags: Bytes, certain: Bytes, policy: int, states: int) -> Bytes:
    """The states whose positions are flagged as the policy wants it."""
    found = np.zeros(states, dtype=np.uint8)
    left = np.zeros(states, dtype=np.int32)
    every = len(certain) == 0
    for e in range(len(sources)):
        s = sources[e]
        sure = every or certain[e] != 0
        if flags[e] != 0:
            if policy == ANY or (policy == SURE and sure):
                found[s] = 1
            elif policy == COVER:
                found[s] |= 2
        elif policy in (EVERY, SURE) or sure:
            left[s] += 1
    for s in range(states):
        if policy == EVERY:
            found[s] = 1 if left[s] == 0 else 0
        elif policy == SURE:
            if left[s] == 0:
                found[s] = 1
        elif policy == COVER:
            found[s] = 1 if found[s] == 2 and left[s] == 0 else 0
    return found
