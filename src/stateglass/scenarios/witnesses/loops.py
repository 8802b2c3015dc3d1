"""Least-cost searches through places and phases that small models run as they stand and large ones compiled.

A node is a phase and a state: `phase * states + state`. Costs are rows of numbers, compared from the first to the last.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

UNMET = -1
SETTLED = -2


def less(costs: Longs, stamps: Longs, one: int, other: int) -> bool:
    """Whether a node comes before another: it costs less, or as much and was met earlier."""
    for k in range(costs.shape[1]):
        if costs[one, k] != costs[other, k]:
            return bool(costs[one, k] < costs[other, k])
    return bool(stamps[one] < stamps[other])


def rise(heap: Ints, place: Ints, costs: Longs, stamps: Longs, at: int) -> None:
    """Moves a node of the heap up to where it belongs."""
    node = heap[at]
    while at > 0:
        above = (at - 1) >> 1
        if not less(costs, stamps, node, heap[above]):
            break
        heap[at] = heap[above]
        place[heap[at]] = at
        at = above
    heap[at] = node
    place[node] = at


def take(heap: Ints, place: Ints, costs: Longs, stamps: Longs, size: int) -> int:
    """The first node of a heap, taken out; the heap has one less."""
    top = heap[0]
    place[top] = SETTLED
    last = heap[size - 1]
    size -= 1
    if size > 0:
        at = 0
        while True:
            below = 2 * at + 1
            if below >= size:
                break
            if below + 1 < size and less(costs, stamps, heap[below + 1], heap[below]):
                below += 1
            if not less(costs, stamps, heap[below], last):
                break
            heap[at] = heap[below]
            place[heap[at]] = at
            at = below
        heap[at] = last
        place[last] = at
    return int(top)


def offer(costs: Longs, node: int, came_from: int, step: Longs, is_new: bool) -> bool:
    """Notes what a node costs by way of another if that is less than what is known, or nothing is."""
    better = is_new
    if not is_new:
        for k in range(costs.shape[1]):
            price = costs[came_from, k] + step[k]
            if price != costs[node, k]:
                better = price < costs[node, k]
                break
    if better:
        for k in range(costs.shape[1]):
            costs[node, k] = costs[came_from, k] + step[k]
    return better


def least(
    first: Longs,
    numbers: Ints,
    targets: Ints,
    wheres: Bytes,
    ways: Ints,
    afters: Ints,
    steps: Longs,
    states: int,
    start: int,
    goal: Bytes,
    all_of_them: bool,
) -> tuple[int, Longs, Ints, Ints, Ints]:
    """The goal that costs least from a start, or -1, with the cost of each node and how it was come to.

    Positions of state s are `numbers[first[s]:first[s + 1]]`; the ways of phase q are `ways[q]` to `ways[q + 1] - 1`.
    Unless all nodes are asked for, the search ends at the goal (Dijkstra: A note on two problems in connexion with
    graphs, 1959).
    """
    nodes = len(goal)
    costs = np.zeros((nodes, steps.shape[1]), dtype=np.int64)
    stamps = np.zeros(nodes, dtype=np.int64)
    before = np.full(nodes, -1, dtype=np.int32)
    by_position = np.full(nodes, -1, dtype=np.int32)
    by_way = np.full(nodes, -1, dtype=np.int32)
    place = np.full(nodes, UNMET, dtype=np.int32)
    heap = np.empty(nodes, dtype=np.int32)
    found = -1
    heap[0] = start
    place[start] = 0
    size = 1
    met = 0
    while size > 0:
        node = take(heap, place, costs, stamps, size)
        size -= 1
        if goal[node] != 0 and found < 0:
            found = node
            if not all_of_them:
                break
        phase = node // states
        state = node - phase * states
        if phase + 1 >= len(ways):
            continue
        for way in range(ways[phase], ways[phase + 1]):
            for i in range(first[state], first[state + 1]):
                p = numbers[i]
                if wheres[way, p] == 0:
                    continue
                other = afters[way] * states + targets[p]
                if place[other] == SETTLED:
                    continue
                is_new = place[other] == UNMET
                if not offer(costs, other, node, steps[p], is_new):
                    continue
                before[other] = node
                by_position[other] = p
                by_way[other] = way
                met += 1
                stamps[other] = met
                if is_new:
                    place[other] = size
                    heap[size] = other
                    size += 1
                rise(heap, place, costs, stamps, place[other])
    for node in range(nodes):
        if place[node] == UNMET:
            costs[node, 0] = -1
    return found, costs, before, by_position, by_way


def rounds(
    first: Longs,
    numbers: Ints,
    targets: Ints,
    inside: Bytes,
    marks: Ints,
    wanted: Ints,
    steps: Longs,
    entries: Ints,
    reached: Longs,
    best: Longs,
    budget: int,
) -> tuple[int, Ints]:
    """Of the rounds that begin and end in an entry, the one that costs least together with the way there.

    A round takes positions that are `inside` and collects their marks; it counts if it has all that are wanted in its
    entry. Entries come in the order of what it takes to reach them. It costs less than `best`; -1 if there is none, or
    none was found by looking at as many positions as the budget has.
    """
    states = len(first) - 1
    layers = 1
    for e in range(len(entries)):
        while layers <= wanted[entries[e]]:
            layers *= 2
    # The start of a round is a node of its own: the round is to come back to the entry.
    nodes = states * layers + 1
    costs = np.zeros((nodes, steps.shape[1]), dtype=np.int64)
    stamps = np.zeros(nodes, dtype=np.int64)
    before = np.full(nodes, -1, dtype=np.int32)
    by_position = np.full(nodes, -1, dtype=np.int32)
    place = np.full(nodes, UNMET, dtype=np.int32)
    heap = np.empty(nodes, dtype=np.int32)
    touched = np.empty(nodes, dtype=np.int32)
    found = -1
    best = best.copy()
    taken = np.empty(0, dtype=np.int32)
    seen = 0
    for e in range(len(entries)):
        entry = entries[e]
        costs[nodes - 1] = reached[e]
        end, count, looked = round_from(
            first, numbers, targets, inside, marks, wanted[entry], steps, entry, best, budget - seen,
            costs, stamps, before, by_position, place, heap, touched,
        )  # fmt: skip
        if end >= 0:
            found = entry
            best = costs[end].copy()
            taken = traced(before, by_position, end, nodes - 1)
        for i in range(count):
            place[touched[i]] = UNMET
        seen += looked
        if seen >= budget:
            break
    return found, taken


def round_from(
    first: Longs,
    numbers: Ints,
    targets: Ints,
    inside: Bytes,
    marks: Ints,
    wanted: int,
    steps: Longs,
    entry: int,
    best: Longs,
    budget: int,
    costs: Longs,
    stamps: Longs,
    before: Ints,
    by_position: Ints,
    place: Ints,
    heap: Ints,
    touched: Ints,
) -> tuple[int, int, int]:
    """The node at the end of the best round from an entry, or -1; how many nodes were met, and positions looked at."""
    states = len(first) - 1
    start = len(place) - 1
    heap[0] = start
    place[start] = 0
    touched[0] = start
    count = 1
    size = 1
    seen = 0
    while size > 0 and seen < budget:
        node = take(heap, place, costs, stamps, size)
        size -= 1
        if not beats(costs[node], best):
            break
        if node == wanted * states + entry:
            return node, count, seen
        state = entry if node == start else node % states
        has = 0 if node == start else node // states
        for i in range(first[state], first[state + 1]):
            seen += 1
            p = numbers[i]
            if inside[p] == 0:
                continue
            other = (has | (marks[p] & wanted)) * states + targets[p]
            if place[other] == SETTLED:
                continue
            is_new = place[other] == UNMET
            if not offer(costs, other, node, steps[p], is_new):
                continue
            before[other] = node
            by_position[other] = p
            stamps[other] = seen
            if is_new:
                place[other] = size
                heap[size] = other
                size += 1
                touched[count] = other
                count += 1
            rise(heap, place, costs, stamps, place[other])
    return -1, count, seen


def beats(one: Longs, other: Longs) -> bool:
    """Whether one row of costs is less than another."""
    for k in range(len(one)):
        if one[k] != other[k]:
            return bool(one[k] < other[k])
    return False


def traced(before: Ints, by_position: Ints, end: int, start: int) -> Ints:
    """The positions that lead from one node to another."""
    length = 0
    at = end
    while at != start:
        length += 1
        at = before[at]
    taken = np.empty(length, dtype=np.int32)
    at = end
    while at != start:
        length -= 1
        taken[length] = by_position[at]
        at = before[at]
    return taken


def ranks(
    first: Longs,
    edges: Ints,
    origins: Ints,
    wheres: Bytes,
    phases: Ints,
    afters: Ints,
    states: int,
    goal: Bytes,
) -> Ints:
    """How many steps it takes from each node to a goal, or -1: backwards from the goals, layer by layer.

    The positions into state s are `edges[first[s]:first[s + 1]]`, beside them stands where they come from; way w goes
    from `phases[w]` to `afters[w]`.
    """
    nodes = len(goal)
    rank = np.full(nodes, -1, dtype=np.int32)
    waiting = np.empty(nodes, dtype=np.int32)
    waits = 0
    for node in range(nodes):
        if goal[node] != 0:
            rank[node] = 0
            waiting[waits] = node
            waits += 1
    done = 0
    while done < waits:
        node = waiting[done]
        done += 1
        phase = node // states
        state = node - phase * states
        for way in range(len(afters)):
            if afters[way] != phase:
                continue
            for i in range(first[state], first[state + 1]):
                if wheres[way, edges[i]] == 0:
                    continue
                other = phases[way] * states + origins[i]
                if rank[other] < 0:
                    rank[other] = rank[node] + 1
                    waiting[waits] = other
                    waits += 1
    return rank
