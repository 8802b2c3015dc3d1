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
    waiting = np.empty(states, dtype=np.int32)
    every = len(certain) == 0
    left = missing(sources, certain, policy, states)
    if goal_by_edge:
        waits = at_the_goal(sources, certain, policy, goal, left, rank, waiting)
    else:
        waits = 0
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
                if policy == ANY or joins(policy, left, s, every or certain[e] != 0):
                    rank[s] = rank[t] + 1
                    waiting[waits] = s
                    waits += 1
        done = layer_end
        layer_end = waits
    return rank


def missing(sources: Ints, certain: Bytes, policy: int, states: int) -> Ints:
    """How many positions of each state have to join before it does, unless one is enough."""
    left = np.zeros(states, dtype=np.int32)
    if policy != ANY:
        for e in range(len(sources)):
            if policy != COVER or len(certain) == 0 or certain[e] != 0:
                left[sources[e]] += 1
    return left


def joins(policy: int, left: Ints, state: int, sure: bool) -> bool:
    """Whether a state joins, now that one of its positions has, a certain one or not; not for `ANY`."""
    if policy != COVER or sure:
        left[state] -= 1
    return left[state] == 0 or (policy == SURE and sure)


def at_the_goal(sources: Ints, certain: Bytes, policy: int, goal: Bytes, left: Ints, rank: Ints, waiting: Ints) -> int:
    """Lists the states that join at once because their positions are of the goal, and returns how many there are."""
    waits = 0
    for e in range(len(sources)):
        s = sources[e]
        if goal[e] == 0:
            continue
        now = policy == ANY or joins(policy, left, s, len(certain) == 0 or certain[e] != 0)
        if now and policy != COVER and rank[s] < 0:
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
    return waits


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
