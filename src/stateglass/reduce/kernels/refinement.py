"""Refinement in which only what changed is looked at again, in time O(m log n).

The idea is Hopcroft's: of the parts into which a block falls, the largest keeps its number, so that a state changes its
block at most log n times, and only then are the transitions into it visited (Paige, Tarjan: Three partition refinement
algorithms, 1987; for signatures: Wißmann, Dorsch, Milius, Schröder: Efficient and modular coalgebraic partition
refinement, 2020). As there, transitions of one state with one action into one block are counted as a group; the
signature of a state is the sum of the hashes of its groups, so that it changes in constant time per transition.
"""

from __future__ import annotations

import numpy as np

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.keys import Bytes, Hashes, Ints, Longs, distinct, hashed

BLOCKS, MOVED, FREE = 0, 1, 2
"""Where the counters are in `state`: blocks, states that moved in the last round, head of the free groups."""

ALONE = -1
"""The group of a transition that shares it with no other, which need not be written down.

Of the others, `groups[4 * g]` is the number of transitions; `groups[4 * g + 1]` and `groups[4 * g + 2]` are the group
that was cut from it last and the block for which; the former links the free groups, too.
"""


@kernel
def into_states(targets: Ints, states: int) -> Ints:
    """Where the transitions into each state begin, when they are in the order of their targets."""
    into = np.zeros(states + 1, dtype=np.int32)
    for i in range(len(targets)):
        into[targets[i] + 1] += 1
    for s in range(states):
        into[s + 1] += into[s]
    return into


@kernel
def sharing(first: Ints, actions: Ints, targets: Ints, blocks: Ints, scratch: Longs) -> int:
    """How many transitions share their group with another one."""
    found = 0
    for s in range(len(first) - 1):
        length = first[s + 1] - first[s]
        for k in range(length):
            i = first[s] + k
            scratch[k] = (np.int64(actions[i]) << 32) | np.int64(blocks[targets[i]])
        different = distinct(scratch, length)
        if different < length:
            found += 2 * (length - different)
    return found


@kernel
def grouped(
    first: Ints,
    actions: Ints,
    targets: Ints,
    blocks: Ints,
    salt: int,
    free: Ints,
    scratch: Longs,
    order: Ints,
    hashes: Hashes,
    edges: Ints,
    groups: Ints,
) -> int:
    """Fills in the transitions by target, their groups and the signatures of all states; returns the first free group.

    `free` is where the next transition into each state goes: `into_states` at first. Transition j is `edges[3 * j]`
    (its source), `edges[3 * j + 1]` (its action) and `edges[3 * j + 2]` (its group).
    """
    used = 0
    for s in range(len(first) - 1):
        begin = first[s]
        length = first[s + 1] - begin
        for k in range(length):
            scratch[k] = (np.int64(actions[begin + k]) << 32) | np.int64(blocks[targets[begin + k]])
        if length > 24:
            order[:length] = np.argsort(scratch[:length], kind="mergesort")
        else:
            for k in range(length):
                j = k - 1
                while j >= 0 and scratch[order[j]] > scratch[k]:
                    order[j + 1] = order[j]
                    j -= 1
                order[j + 1] = k
        value = np.uint64(0)
        k = 0
        while k < length:
            key = scratch[order[k]]
            same = k + 1
            while same < length and scratch[order[same]] == key:
                same += 1
            value += hashed(key, salt)
            number = ALONE
            if same - k > 1:
                number = used
                groups[4 * used] = same - k
                groups[4 * used + 2] = -1
                used += 1
            while k < same:
                i = begin + order[k]
                edge = 3 * np.int64(free[targets[i]])
                free[targets[i]] += 1
                edges[edge] = s
                edges[edge + 1] = actions[i]
                edges[edge + 2] = number
                k += 1
        hashes[s] = value
    for g in range(used, len(groups) // 4):
        groups[4 * g + 1] = g + 1
    return used


@kernel
def refine(
    into: Ints,
    edges: Ints,
    blocks: Ints,
    members: Ints,
    place: Ints,
    begins: Ints,
    ends: Ints,
    parent: Ints,
    marked: Ints,
    single: Bytes,
    groups: Ints,
    hashes: Hashes,
    salt: int,
    moved: Ints,
    touched: Ints,
    slots: Ints,
    part: Ints,
    sizes: Ints,
    ordered: Ints,
    state: Longs,
    work: int,
) -> bool:
    """Rounds until nothing moves (returns True) or about `work` transitions were visited.

    In `members` the states of block b stand at `begins[b]` … `ends[b]`, state s at `place[s]`; `moved` lists states
    whose new block no transition knows of yet, block by block, and `parent` the block from which each was cut.
    `single` marks states that are a block of their own, whose signatures no longer matter.
    """
    blocks_used = state[BLOCKS]
    free = state[FREE]
    moves = state[MOVED]
    while moves > 0 and work > 0:
        blocks_touched = 0
        for m in range(moves):
            t = moved[m]
            new = blocks[t]
            old = parent[new]
            work -= into[t + 1] - into[t] + 1
            for j in range(3 * np.int64(into[t]), 3 * np.int64(into[t + 1]), 3):
                s = edges[j]
                if single[s] != 0:
                    continue
                g = 4 * np.int64(edges[j + 2])
                label = np.int64(edges[j + 1]) << 32
                if g >= 0 and groups[g + 2] == new:
                    h = groups[g + 1]
                    groups[4 * np.int64(h)] += 1
                    groups[g] -= 1
                    if groups[g] == 0:
                        hashes[s] -= hashed(label | np.int64(old), salt)
                        groups[g + 1] = free
                        free = np.int64(edges[j + 2])
                    edges[j + 2] = h
                elif g < 0 or groups[g] == 1:
                    hashes[s] += hashed(label | np.int64(new), salt) - hashed(label | np.int64(old), salt)
                else:
                    h = 4 * free
                    edges[j + 2] = free
                    groups[g] -= 1
                    groups[g + 1] = free
                    groups[g + 2] = new
                    free = np.int64(groups[h + 1])
                    groups[h] = 1
                    groups[h + 2] = -1
                    hashes[s] += hashed(label | np.int64(new), salt)
                b = blocks[s]
                front = begins[b] + marked[b]
                if place[s] >= front:
                    if marked[b] == 0:
                        touched[blocks_touched] = b
                        blocks_touched += 1
                    u = members[front]
                    members[place[s]] = u
                    place[u] = place[s]
                    members[front] = s
                    place[s] = front
                    marked[b] += 1
        moves = 0
        for k in range(blocks_touched):
            b = touched[k]
            blocks_used, moves = split(
                b, blocks, members, place, begins, ends, parent, marked, single, hashes, moved, slots, part, sizes,
                ordered, blocks_used, moves,
            )  # fmt: skip
    state[BLOCKS] = blocks_used
    state[FREE] = free
    state[MOVED] = moves
    return bool(moves == 0)


@kernel
def split(
    b: int,
    blocks: Ints,
    members: Ints,
    place: Ints,
    begins: Ints,
    ends: Ints,
    parent: Ints,
    marked: Ints,
    single: Bytes,
    hashes: Hashes,
    moved: Ints,
    slots: Ints,
    part: Ints,
    sizes: Ints,
    ordered: Ints,
    blocks_used: int,
    moves: int,
) -> tuple[int, int]:
    """Cuts a block by the signatures of its marked states, which stand in front; the rest have kept theirs."""
    begin, end = begins[b], ends[b]
    length = marked[b]
    marked[b] = 0
    rest = end - begin - length
    # Parts are numbered in the order of their first state; the one that matches the rest, if there is a rest, is 0.
    parts = 0
    capacity = 4
    while capacity < 2 * length + 2:
        capacity *= 2
    mask = np.uint64(capacity - 1)
    for j in range(capacity):
        slots[j] = -1
    if rest > 0:
        slots[hashes[members[end - 1]] & mask] = 0
        ordered[0] = members[end - 1]
        sizes[0] = 0
        parts = 1
    for j in range(length):
        s = members[begin + j]
        slot = hashes[s] & mask
        while slots[slot] >= 0 and hashes[ordered[slots[slot]]] != hashes[s]:
            slot = (slot + np.uint64(1)) & mask
        p = slots[slot]
        if p < 0:
            p = parts
            slots[slot] = p
            ordered[p] = s
            sizes[p] = 0
            parts += 1
        part[j] = p
        sizes[p] += 1
    if parts == 1:
        return blocks_used, moves
    # The parts in reverse, so that part 0 stands beside the rest.
    at = begin
    largest = 0
    most = -1
    for p in range(parts - 1, -1, -1):
        size = sizes[p]
        whole = size + (rest if p == 0 else 0)
        if whole > most:
            most = whole
            largest = p
        sizes[p] = at
        at += size
    for j in range(length):
        ordered[j] = members[begin + j]
    for j in range(length):
        p = part[j]
        members[sizes[p]] = ordered[j]
        place[ordered[j]] = sizes[p]
        sizes[p] += 1
    # Now sizes[p] is where part p ends (part 0 without the rest).
    low = begin
    for p in range(parts - 1, -1, -1):
        high = end if p == 0 else sizes[p]
        if p == largest:
            begins[b], ends[b] = low, high
            if high - low == 1:
                single[members[low]] = 1
        else:
            new = blocks_used
            blocks_used += 1
            begins[new], ends[new] = low, high
            parent[new] = b
            marked[new] = 0
            for j in range(low, high):
                s = members[j]
                blocks[s] = new
                single[s] = high - low == 1
                moved[moves] = s
                moves += 1
        low = high
    return blocks_used, moves


@kernel
def split_all(
    blocks: Ints,
    members: Ints,
    place: Ints,
    begins: Ints,
    ends: Ints,
    parent: Ints,
    marked: Ints,
    single: Bytes,
    hashes: Hashes,
    moved: Ints,
    slots: Ints,
    part: Ints,
    sizes: Ints,
    ordered: Ints,
    state: Longs,
) -> None:
    """Cuts every block by the signatures of all its states: the beginning, when no signature was looked at yet."""
    blocks_used = state[BLOCKS]
    moves = 0
    for b in range(state[BLOCKS]):
        if ends[b] - begins[b] > 1:
            marked[b] = ends[b] - begins[b]
            blocks_used, moves = split(
                b, blocks, members, place, begins, ends, parent, marked, single, hashes, moved, slots, part, sizes,
                ordered, blocks_used, moves,
            )  # fmt: skip
    state[BLOCKS] = blocks_used
    state[MOVED] = moves
