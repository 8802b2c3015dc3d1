"""Refinement in which only what changed is looked at again, in time O(m log n).

The idea is Hopcroft's: of the parts into which a block falls, the largest keeps its number, so that a state changes its
block at most log n times, and only then are the transitions into it visited (Paige, Tarjan: Three partition refinement
algorithms, 1987; for signatures: Wißmann, Dorsch, Milius, Schröder: Efficient and modular coalgebraic partition
refinement, 2020). As there, transitions of one state with one action into one block are counted as a group; the
signature of a state is the sum of the hashes of its groups, so that it changes in constant time per transition: a sum,
modulo 2**64, can be corrected by adding and subtracting, in whatever order transitions are visited.

Between rounds, all states of a block have the same signature. What transitions know (their groups, and with them the
signatures) lags behind by the states in `moved`, and by nothing else but what single states have.
"""

from __future__ import annotations

import numpy as np

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.keys import Hashes, Ints, Longs, distinct, hashed

BLOCKS, MOVED, FREE = 0, 1, 2
"""Where the counters are in `state`: blocks, states that moved in the last round, head of the free groups."""

ALONE = -1
"""The group of a transition that shares it with no other, which need not be written down.

Of the others, `groups[4 * g]` is the number of transitions; `groups[4 * g + 1]` and `groups[4 * g + 2]` are the group
that was cut from it last and the block for which; the former links the free groups, too.
"""

BLOCK, PLACE = 2, 3
"""What is said of one state stands together, since it is looked at together: of state s, `hashes[2 * s]` is the
signature, `cells[4 * s + BLOCK]` the block and `cells[4 * s + PLACE]` the place in `members`, where `cells` is the
memory of `hashes`. The place is SINGLE if the state is a block of its own, whose signature no longer matters."""

SINGLE = -1

BEGIN, END, MARKED, PARENT = 0, 1, 2, 3
"""Of block b, `spans[4 * b + BEGIN]` … `spans[4 * b + END]` is the part of `members` with its states, of which the
first `spans[4 * b + MARKED]` are to be looked at; it was cut from block `spans[4 * b + PARENT]`."""


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
    """At least as many as there are transitions that share their group with another one: room for all groups ever."""
    found = 0
    for s in range(len(first) - 1):
        length = first[s + 1] - first[s]
        for k in range(length):
            i = first[s] + k
            scratch[k] = (np.int64(actions[i]) << 32) | np.int64(blocks[targets[i]])
        different = distinct(scratch, length)
        if different < length:
            # A group of k transitions adds 2 * (k - 1), which is never less than k.
            found += 2 * (length - different)
    return found


@kernel
def placed(members: Ints, starts: Ints, cells: Ints, spans: Ints) -> None:
    """Fills in blocks and places of states, given these in the order of their blocks and where each block starts."""
    for b in range(len(starts) - 1):
        begin, end = starts[b], starts[b + 1]
        spans[4 * b + BEGIN] = begin
        spans[4 * b + END] = end
        spans[4 * b + MARKED] = 0
        for i in range(begin, end):
            cell = 4 * np.int64(members[i])
            cells[cell + BLOCK] = b
            cells[cell + PLACE] = i if end - begin > 1 else SINGLE


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
    width: int,
    groups: Ints,
) -> int:
    """Fills in the transitions by target, their groups and the signatures of all states; returns the first free group.

    `free` is where the next transition into each state goes: `into_states` at first. Transition j is
    `edges[width * j]` (its source), `edges[width * j + 1]` (its action) and, if `width` is 3, `edges[width * j + 2]`
    (its group); it is 2 if all are ALONE.
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
            # Once for the group, however many transitions are in it: a signature is that of a set.
            value += hashed(key, salt)
            number = ALONE
            if same - k > 1:
                number = used
                groups[4 * used] = same - k
                groups[4 * used + 2] = -1
                used += 1
            while k < same:
                i = begin + order[k]
                edge = width * np.int64(free[targets[i]])
                free[targets[i]] += 1
                edges[edge] = s
                edges[edge + 1] = actions[i]
                if width == 3:
                    edges[edge + 2] = number
                k += 1
        hashes[2 * s] = value
    for g in range(used, len(groups) // 4):
        groups[4 * g + 1] = g + 1
    return used


@kernel
def refine(
    into: Ints,
    edges: Ints,
    width: int,
    members: Ints,
    cells: Ints,
    hashes: Hashes,
    spans: Ints,
    groups: Ints,
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

    `moved` lists states whose new block no transition knows of yet, block by block.
    """
    blocks_used = state[BLOCKS]
    free = state[FREE]
    moves = state[MOVED]
    while moves > 0 and work > 0:
        blocks_touched = 0
        # All of them are seen to before any block is cut: so what transitions know is always the parent.
        for m in range(moves):
            t = moved[m]
            new = np.int64(cells[4 * np.int64(t) + BLOCK])
            old = np.int64(spans[4 * new + PARENT])
            work -= into[t + 1] - into[t] + 1
            for j in range(width * np.int64(into[t]), width * np.int64(into[t + 1]), width):
                s = np.int64(edges[j])
                if cells[4 * s + PLACE] == SINGLE:
                    # Nothing can split it, so nobody asks for its signature; its groups may get out of date.
                    continue
                label = np.int64(edges[j + 1]) << 32
                number = np.int64(edges[j + 2]) if width == 3 else np.int64(ALONE)
                g = 4 * number
                if number >= 0 and groups[g + 2] == new:
                    # Another transition of the group went this way before: it joins that one, and the state loses
                    # the old observation only when the last has gone.
                    h = groups[g + 1]
                    groups[4 * np.int64(h)] += 1
                    groups[g] -= 1
                    if groups[g] == 0:
                        hashes[2 * s] -= hashed(label | old, salt)
                        groups[g + 1] = free
                        free = number
                    edges[j + 2] = h
                elif number < 0 or groups[g] == 1:
                    # The whole group leads to the new block now.
                    hashes[2 * s] += hashed(label | new, salt) - hashed(label | old, salt)
                else:
                    # The first of several to go: it gets a group of its own, and the others will find it there.
                    h = 4 * free
                    edges[j + 2] = free
                    groups[g] -= 1
                    groups[g + 1] = free
                    groups[g + 2] = new
                    free = np.int64(groups[h + 1])
                    groups[h] = 1
                    groups[h + 2] = -1
                    hashes[2 * s] += hashed(label | new, salt)
                # Its signature may have changed: among those of its block that `split` has to look at.
                blocks_touched = _marked(s, members, cells, spans, touched, blocks_touched)
        moves = 0
        for k in range(blocks_touched):
            blocks_used, moves = split(
                touched[k], members, cells, hashes, spans, moved, slots, part, sizes, ordered, blocks_used, moves
            )
    state[BLOCKS] = blocks_used
    state[FREE] = free
    state[MOVED] = moves
    return bool(moves == 0)


@kernel
def _marked(s: np.int64, members: Ints, cells: Ints, spans: Ints, touched: Ints, blocks_touched: int) -> int:
    """Puts a state among the marked ones in front of its block, and lists the block if it is the first of them."""
    place = cells[4 * s + PLACE]
    b = 4 * np.int64(cells[4 * s + BLOCK])
    front = spans[b + BEGIN] + spans[b + MARKED]
    if place >= front:
        if spans[b + MARKED] == 0:
            touched[blocks_touched] = b // 4
            blocks_touched += 1
        u = members[front]
        members[place] = u
        cells[4 * np.int64(u) + PLACE] = place
        members[front] = s
        cells[4 * s + PLACE] = front
        spans[b + MARKED] += 1
    return blocks_touched


@kernel
def split(
    block: int,
    members: Ints,
    cells: Ints,
    hashes: Hashes,
    spans: Ints,
    moved: Ints,
    slots: Ints,
    part: Ints,
    sizes: Ints,
    ordered: Ints,
    blocks_used: int,
    moves: int,
) -> tuple[int, int]:
    """Cuts a block by the signatures of its marked states, which stand in front; the rest have kept theirs.

    Takes time linear in the marked states, not in the block: the rest has one signature and is not looked at. The
    largest part keeps the block's number, so that whoever moves is in a block of at most half the size.
    """
    b = 4 * np.int64(block)
    begin, end = spans[b + BEGIN], spans[b + END]
    length = spans[b + MARKED]
    spans[b + MARKED] = 0
    rest = end - begin - length
    parts = _parts(begin, end, length, members, hashes, slots, part, sizes, ordered)
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
        cells[4 * np.int64(ordered[j]) + PLACE] = sizes[p]
        sizes[p] += 1
    # Now sizes[p] is where part p ends (part 0 without the rest).
    low = begin
    for p in range(parts - 1, -1, -1):
        high = end if p == 0 else sizes[p]
        if p == largest:
            spans[b + BEGIN], spans[b + END] = low, high
        else:
            new = 4 * np.int64(blocks_used)
            spans[new + BEGIN], spans[new + END], spans[new + MARKED], spans[new + PARENT] = low, high, 0, block
            for j in range(low, high):
                s = members[j]
                cells[4 * np.int64(s) + BLOCK] = blocks_used
                moved[moves] = s
                moves += 1
            blocks_used += 1
        if high - low == 1:
            cells[4 * np.int64(members[low]) + PLACE] = SINGLE
        low = high
    return blocks_used, moves


@kernel
def _parts(
    begin: int,
    end: int,
    length: int,
    members: Ints,
    hashes: Hashes,
    slots: Ints,
    part: Ints,
    sizes: Ints,
    ordered: Ints,
) -> int:
    """Numbers the signatures of the marked states of a block in the order of their first state; returns how many.

    Where states are left that are not marked, theirs is 0.
    """
    parts = 0
    capacity = 4
    while capacity < 2 * length + 2:
        capacity *= 2
    mask = np.uint64(capacity - 1)
    for j in range(capacity):
        slots[j] = -1
    if end - begin > length:
        slots[hashes[2 * np.int64(members[end - 1])] & mask] = 0
        ordered[0] = members[end - 1]
        sizes[0] = 0
        parts = 1
    for j in range(length):
        s = members[begin + j]
        signature = hashes[2 * np.int64(s)]
        slot = signature & mask
        while slots[slot] >= 0 and hashes[2 * np.int64(ordered[slots[slot]])] != signature:
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
    return parts


@kernel
def split_all(
    members: Ints,
    cells: Ints,
    hashes: Hashes,
    spans: Ints,
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
        length = spans[4 * b + END] - spans[4 * b + BEGIN]
        if length > 1:
            spans[4 * b + MARKED] = length
            blocks_used, moves = split(
                b, members, cells, hashes, spans, moved, slots, part, sizes, ordered, blocks_used, moves
            )
    state[BLOCKS] = blocks_used
    state[MOVED] = moves
