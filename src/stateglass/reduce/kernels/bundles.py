"""Bundles: the transitions of one block with one action into one constellation, and how they are kept.

A constellation is a set of blocks, a range of `members`. Transitions within a block that are silent are inert and in no
bundle; neither are those of a state that is a block by itself, which nothing can split. Bundles are linked lists, with
the transitions of bottom states (those without inert transitions) in front.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.keys import Ints, Longs, hashed

# Columns of `states`: block, place in `members`, number of inert transitions; UNTESTED belongs to `cutting`.
BLOCK, PLACE, INERT, UNTESTED = 0, 1, 2, 3
# Columns of `edges`, the transitions: source, bundle or -1, neighbours in the bundle.
SOURCE, BUNDLE, BEFORE, AFTER = 0, 1, 2, 3
# Columns of `groups`: transitions of one state with one action into one constellation are counted, if there are
# several. FROM is the group of which this one is a part, or -1 if nothing was left of that; PART the part that was cut
# off last and PART_FOR the constellation for which.
COUNT, FROM, PART, PART_FOR = 0, 1, 2, 3
# Columns of `blocks`: its range in `members`, bottom states before MIDDLE; constellation; the bundle of silent
# transitions into the own constellation; the first of its bundles.
BEGIN, MIDDLE, END, CONSTELLATION, OWN, BUNDLES = 0, 1, 2, 3, 4, 5
# Columns of `constellations`: its range in `members` (BEGIN, and STOP), the next one to be cut or NOT_LISTED.
STOP, NEXT_TO_CUT = 1, 2
# Columns of `bundles`: first and last transition, neighbours among the block's bundles; the bundle that was cut off
# last and for which block or constellation, and the bundle that this one was cut off; the bundle of the same
# transitions into the constellation's rest; whether bottom states may lack it; the next one to be looked at or
# NOT_LISTED.
HEAD, TAIL, PREVIOUS, NEXT, CUT, CUT_FOR, ORIGIN, REST, UNSURE, NEXT_UNSURE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
# Places in `counters`; free bundles and groups are linked by NEXT and PART, the first constellations and bundles to be
# looked at by NEXT_TO_CUT and NEXT_UNSURE.
USED_BLOCKS, USED_CONSTELLATIONS, USED_BUNDLES, FREE_BUNDLE, USED_GROUPS, FREE_GROUP = 0, 1, 2, 3, 4, 5
FIRST_TO_CUT, FIRST_UNSURE, PARENT, LOSERS, WORK, SALT = 6, 7, 8, 9, 10, 11
COUNTERS = 12
NOT_LISTED = -2


class Tables(NamedTuple):
    """All that refinement works on; the first three are the graph's.

    `members` has the states constellation by constellation, in each block by block, and in each block the bottom states
    first: all three are ranges, and to cut one is to swap states and to move a border. The lists of this module link
    rows of tables by their numbers, since numba has no cheap objects.
    """

    first: Ints
    actions: Ints
    targets: Ints
    into: Ints  # where the transitions into each state begin in `arriving`, silent ones first
    silent_into: Ints  # where the silent ones end
    arriving: Ints
    members: Ints
    states: Ints
    edges: Ints
    group_of: Ints  # the group of each transition or -1; empty if there are no groups at all
    groups: Ints
    blocks: Ints
    constellations: Ints
    bundles: Ints
    queue: Ints
    visited: Ints
    losers: Ints  # states of which inert transitions became others
    counters: Longs


@kernel
def arrivals(actions: Ints, targets: Ints, silent: int, into: Ints, silent_into: Ints, arriving: Ints) -> None:
    """The transitions in the order of their targets, silent ones first."""
    n = len(silent_into)
    into[:] = 0
    silent_into[:] = 0
    for i in range(len(actions)):
        into[targets[i] + 1] += 1
        if actions[i] == silent:
            silent_into[targets[i]] += 1
    for s in range(n):
        into[s + 1] += into[s]
        silent_into[s] += into[s]
    free_silent = into[:-1].copy()
    free = silent_into.copy()
    for i in range(len(actions)):
        t = targets[i]
        if actions[i] == silent:
            arriving[free_silent[t]] = i
            free_silent[t] += 1
        else:
            arriving[free[t]] = i
            free[t] += 1


@kernel
def arranged(fine: Ints, coarse: Ints, count: int, coarse_count: int, t: Tables, silent: int) -> int:
    """Fills in states, blocks (`fine`) and constellations (`coarse`), each of which is a union of blocks.

    Returns the most transitions that leave a block of several states.
    """
    members, states, blocks, constellations = t.members, t.states, t.blocks, t.constellations
    n = len(members)
    # By block, then by constellation; counting sorts are stable, so that blocks stay together.
    by_fine = np.empty(n, dtype=np.int32)
    free = np.zeros(max(count, coarse_count) + 1, dtype=np.int32)
    for s in range(n):
        free[fine[s] + 1] += 1
    for b in range(count):
        free[b + 1] += free[b]
    for s in range(n):
        by_fine[free[fine[s]]] = s
        free[fine[s]] += 1
    free[:] = 0
    for s in range(n):
        free[coarse[s] + 1] += 1
    for c in range(coarse_count):
        free[c + 1] += free[c]
        constellations[c, BEGIN] = free[c]
        constellations[c, STOP] = free[c + 1]
        constellations[c, NEXT_TO_CUT] = NOT_LISTED
    for k in range(n):
        s = by_fine[k]
        members[free[coarse[s]]] = s
        free[coarse[s]] += 1
    most = 0
    k = 0
    while k < n:
        b = fine[members[k]]
        blocks[b, BEGIN] = k
        length = 0
        while k < n and fine[members[k]] == b:
            s = members[k]
            states[s, BLOCK] = b
            states[s, PLACE] = k
            inert = 0
            length += t.first[s + 1] - t.first[s]
            for i in range(t.first[s], t.first[s + 1]):
                inert += t.actions[i] == silent and fine[t.targets[i]] == b
            states[s, INERT] = inert
            states[s, UNTESTED] = 0
            k += 1
        blocks[b, END] = k
        blocks[b, CONSTELLATION] = coarse[members[k - 1]]
        blocks[b, OWN] = -1
        blocks[b, BUNDLES] = -1
        middle = blocks[b, BEGIN]
        for j in range(middle, k):
            s = members[j]
            if states[s, INERT] == 0:
                swap(members, states, j, middle)
                middle += 1
        blocks[b, MIDDLE] = middle
        if k - blocks[b, BEGIN] > 1:
            most = max(most, length)
    for c in range(coarse_count):
        if blocks[fine[members[constellations[c, BEGIN]]], END] < constellations[c, STOP]:
            constellations[c, NEXT_TO_CUT] = t.counters[FIRST_TO_CUT]
            t.counters[FIRST_TO_CUT] = c
    return int(most)


@kernel
def swap(members: Ints, states: Ints, p: int, q: int) -> None:
    s, u = members[p], members[q]
    members[p], members[q] = u, s
    states[s, PLACE], states[u, PLACE] = q, p


@kernel
def bundled(t: Tables, silent: int, slots: Ints) -> None:
    """Fills in the bundles of all blocks and the groups; `slots` is four times as long as a block has transitions."""
    first, edges, states, blocks, bundles = t.first, t.edges, t.states, t.blocks, t.bundles
    for s in range(len(first) - 1):
        for i in range(first[s], first[s + 1]):
            edges[i, SOURCE] = s
            edges[i, BUNDLE] = -1
    t.group_of[:] = -1
    for b in range(t.counters[USED_BLOCKS]):
        begin, end = blocks[b, BEGIN], blocks[b, END]
        if end - begin == 1:
            continue
        # Begun small and enlarged: most blocks have few bundles, and to empty all slots for each would be quadratic.
        mask = _emptied(slots, 4)
        found = 0
        for k in range(begin, end):
            s = t.members[k]
            for i in range(first[s], first[s + 1]):
                c = blocks[states[t.targets[i], BLOCK], CONSTELLATION]
                if t.actions[i] == silent and states[t.targets[i], BLOCK] == b:
                    continue
                slot = _slot(t, i, mask)
                while slots[slot] >= 0 and not _alike(t, bundles[slots[slot], HEAD], i):
                    slot = (slot + np.uint64(1)) & mask
                x = slots[slot]
                if x < 0:
                    x = made(bundles, blocks, t.counters, b)
                    slots[slot] = x
                    found += 1
                    if t.actions[i] == silent and c == blocks[b, CONSTELLATION]:
                        blocks[b, OWN] = x
                attach(edges, states, bundles, i, x)
                if np.uint64(2 * found) > mask:
                    mask = _emptied(slots, 4 * found)
                    x = blocks[b, BUNDLES]
                    while x >= 0:
                        slot = _slot(t, bundles[x, HEAD], mask)
                        while slots[slot] >= 0:
                            slot = (slot + np.uint64(1)) & mask
                        slots[slot] = x
                        x = bundles[x, NEXT]
        if len(t.group_of) > 0:
            for k in range(begin, end):
                _grouped(t, t.members[k], slots)


@kernel
def _grouped(t: Tables, s: int, slots: Ints) -> None:
    """Fills in the groups of a state's transitions."""
    group_of, groups = t.group_of, t.groups
    mask = _emptied(slots, 2 * (t.first[s + 1] - t.first[s]))
    for i in range(t.first[s], t.first[s + 1]):
        slot = _slot(t, i, mask)
        while slots[slot] >= 0 and not _alike(t, slots[slot], i):
            slot = (slot + np.uint64(1)) & mask
        other = slots[slot]
        if other < 0:
            slots[slot] = i
            continue
        if group_of[other] < 0:
            g = t.counters[USED_GROUPS]
            t.counters[USED_GROUPS] += 1
            groups[g, COUNT] = 1
            groups[g, PART_FOR] = -1
            group_of[other] = g
        group_of[i] = group_of[other]
        groups[group_of[i], COUNT] += 1


@kernel
def _emptied(slots: Ints, least: int) -> np.uint64:
    """Makes so many slots or more free; returns their number less one."""
    capacity = 8
    while capacity < least:
        capacity *= 2
    for k in range(capacity):
        slots[k] = -1
    return np.uint64(capacity - 1)


@kernel
def _slot(t: Tables, i: int, mask: np.uint64) -> np.uint64:
    """Where to look for the action and the constellation of a transition."""
    c = t.blocks[t.states[t.targets[i], BLOCK], CONSTELLATION]
    return np.uint64(hashed((np.int64(t.actions[i]) << 32) | np.int64(c), t.counters[SALT]) & mask)


@kernel
def _alike(t: Tables, i: int, j: int) -> bool:
    """Whether two transitions of one block belong into one bundle."""
    c = t.blocks[t.states[t.targets[i], BLOCK], CONSTELLATION]
    d = t.blocks[t.states[t.targets[j], BLOCK], CONSTELLATION]
    return bool(t.actions[i] == t.actions[j] and c == d)


@kernel
def made(bundles: Ints, blocks: Ints, counters: Longs, b: int) -> int:
    """A new, empty bundle of a block."""
    x = counters[FREE_BUNDLE]
    if x >= 0:
        counters[FREE_BUNDLE] = bundles[x, NEXT]
    else:
        x = counters[USED_BUNDLES]
        counters[USED_BUNDLES] += 1
        # One that was used before may still be listed.
        bundles[x, NEXT_UNSURE] = NOT_LISTED
    bundles[x, HEAD] = -1
    bundles[x, TAIL] = -1
    bundles[x, CUT_FOR] = -1
    bundles[x, ORIGIN] = -1
    bundles[x, REST] = -1
    bundles[x, UNSURE] = 0
    given(bundles, blocks, x, b)
    return int(x)


@kernel
def given(bundles: Ints, blocks: Ints, x: int, b: int) -> None:
    """Puts a bundle among those of a block."""
    head = blocks[b, BUNDLES]
    bundles[x, PREVIOUS] = -1
    bundles[x, NEXT] = head
    if head >= 0:
        bundles[head, PREVIOUS] = x
    blocks[b, BUNDLES] = x


@kernel
def taken(bundles: Ints, blocks: Ints, x: int, b: int) -> None:
    """Takes a bundle from those of its block."""
    before, after = bundles[x, PREVIOUS], bundles[x, NEXT]
    if before >= 0:
        bundles[before, NEXT] = after
    else:
        blocks[b, BUNDLES] = after
    if after >= 0:
        bundles[after, PREVIOUS] = before
    if blocks[b, OWN] == x:
        blocks[b, OWN] = -1


@kernel
def freed(bundles: Ints, counters: Longs, x: int) -> None:
    """Makes a bundle that no block has any more ready for another use."""
    bundles[x, HEAD] = -1
    bundles[x, UNSURE] = 0
    bundles[x, NEXT] = counters[FREE_BUNDLE]
    counters[FREE_BUNDLE] = x


@kernel
def doubted(bundles: Ints, counters: Longs, x: int) -> None:
    """Lists a bundle that bottom states of its block may lack."""
    bundles[x, UNSURE] = 1
    if bundles[x, NEXT_UNSURE] == NOT_LISTED:
        bundles[x, NEXT_UNSURE] = counters[FIRST_UNSURE]
        counters[FIRST_UNSURE] = x


@kernel
def attach(edges: Ints, states: Ints, bundles: Ints, i: int, x: int) -> None:
    """Puts a transition into a bundle: in front if its source is a bottom state, else at the back.

    So whoever wants the bottom states of a bundle stops at the first other one, and pays for no more than these.
    """
    edges[i, BUNDLE] = x
    head, tail = bundles[x, HEAD], bundles[x, TAIL]
    if head < 0:
        edges[i, BEFORE] = -1
        edges[i, AFTER] = -1
        bundles[x, HEAD] = i
        bundles[x, TAIL] = i
    elif states[edges[i, SOURCE], INERT] == 0:
        edges[i, BEFORE] = -1
        edges[i, AFTER] = head
        edges[head, BEFORE] = i
        bundles[x, HEAD] = i
    else:
        edges[i, BEFORE] = tail
        edges[i, AFTER] = -1
        edges[tail, AFTER] = i
        bundles[x, TAIL] = i


@kernel
def detach(edges: Ints, bundles: Ints, i: int) -> None:
    """Takes a transition from its bundle."""
    x = edges[i, BUNDLE]
    before, after = edges[i, BEFORE], edges[i, AFTER]
    if before >= 0:
        edges[before, AFTER] = after
    else:
        bundles[x, HEAD] = after
    if after >= 0:
        edges[after, BEFORE] = before
    else:
        bundles[x, TAIL] = before
    edges[i, BUNDLE] = -1
