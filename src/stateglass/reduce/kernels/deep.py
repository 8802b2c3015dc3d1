"""Branching refinement in which only what changed is looked at again.

As in `refinement.py` the largest part of a block keeps its number. When blocks were cut, the states with a transition
into a part that got a new number are looked at again, and those that reach them by inert steps, each block's states by
inductive signatures as in `branching.py`. The others of a block kept what they see; a state sees no more than they do
exactly if it reaches one of them by an inert step and all its transitions lead to blocks that kept their numbers, or
inertly to states of which the same is true.

Without inert steps the work is as in `refinement.py`, O(m log n) if few transitions leave each state. Long inert paths
can be looked at again in every round.
"""

from __future__ import annotations

import numpy as np

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.branching import enter, has
from stateglass.reduce.kernels.keys import Bytes, Hashes, Ints, Longs, distinct, hashed, heap_sorted, mixed
from stateglass.reduce.kernels.refinement import BLOCKS, MOVED, split

FRESH = 2
"""Where in `state` the least block number is that was given out in the last round."""


@kernel
def by_target(first: Ints, actions: Ints, targets: Ints, into: Ints) -> tuple[Ints, Ints]:
    """Sources and actions of the transitions in the order of their targets."""
    free = into[:-1].copy()
    origins = np.empty(len(actions), dtype=np.int32)
    labels = np.empty(len(actions), dtype=np.int32)
    for s in range(len(first) - 1):
        for i in range(first[s], first[s + 1]):
            j = free[targets[i]]
            free[targets[i]] += 1
            origins[j] = s
            labels[j] = actions[i]
    return origins, labels


@kernel
def refine(
    first: Ints,
    actions: Ints,
    targets: Ints,
    silent: int,
    endless: Bytes,
    entered: Bytes,
    into: Ints,
    origins: Ints,
    labels: Ints,
    blocks: Ints,
    members: Ints,
    place: Ints,
    begins: Ints,
    ends: Ints,
    parent: Ints,
    marked: Ints,
    single: Bytes,
    hashes: Hashes,
    salt: int,
    moved: Ints,
    touched: Ints,
    slots: Ints,
    part: Ints,
    sizes: Ints,
    ordered: Ints,
    affected: Ints,
    scratch: Longs,
    keys: Hashes,
    values: Ints,
    elements: Hashes,
    state: Longs,
    work: int,
) -> bool:
    """Rounds until nothing moves (returns True) or about `work` transitions were visited.

    The arrays are those of `refinement.refine`. `hashes` is 0 between rounds; within one it has a number for the new
    part that a state belongs to, 0 for that of the states which were not looked at.
    """
    while state[MOVED] > 0 and work > 0:
        found = 0
        blocks_touched = 0
        for m in range(state[MOVED]):
            t = moved[m]
            work -= into[t + 1] - into[t] + 1
            for j in range(into[t], into[t + 1]):
                s = origins[j]
                if single[s] == 0 and _mark(s, blocks, members, place, begins, marked):
                    affected[found] = s
                    found += 1
                    if marked[blocks[s]] == 1:
                        touched[blocks_touched] = blocks[s]
                        blocks_touched += 1
        done = 0
        while done < found:
            t = affected[done]
            done += 1
            if entered[t] == 0:
                continue
            work -= into[t + 1] - into[t] + 1
            for j in range(into[t], into[t + 1]):
                s = origins[j]
                if labels[j] == silent and blocks[s] == blocks[t] and _mark(s, blocks, members, place, begins, marked):
                    affected[found] = s
                    found += 1
        work -= number_parts(
            first, actions, targets, silent, endless, entered, blocks, place, begins, marked, hashes, salt, affected,
            found, scratch, keys, values, elements, state[FRESH],
        )  # fmt: skip
        state[FRESH] = state[BLOCKS]
        used = state[BLOCKS]
        moves = 0
        for k in range(blocks_touched):
            used, moves = split(
                touched[k], blocks, members, place, begins, ends, parent, marked, single, hashes, moved, slots, part,
                sizes, ordered, used, moves,
            )  # fmt: skip
        state[BLOCKS] = used
        state[MOVED] = moves
        for k in range(found):
            hashes[affected[k]] = 0
    return bool(state[MOVED] == 0)


@kernel
def _mark(s: int, blocks: Ints, members: Ints, place: Ints, begins: Ints, marked: Ints) -> bool:
    """Moves a state to the front of its block, among the marked ones; False if it was there."""
    b = blocks[s]
    front = begins[b] + marked[b]
    if place[s] < front:
        return False
    u = members[front]
    members[place[s]] = u
    place[u] = place[s]
    members[front] = s
    place[s] = front
    marked[b] += 1
    return True


@kernel
def number_parts(
    first: Ints,
    actions: Ints,
    targets: Ints,
    silent: int,
    endless: Bytes,
    entered: Bytes,
    blocks: Ints,
    place: Ints,
    begins: Ints,
    marked: Ints,
    hashes: Hashes,
    salt: int,
    affected: Ints,
    found: int,
    scratch: Longs,
    keys: Hashes,
    values: Ints,
    elements: Hashes,
    fresh: int,
) -> int:
    """Numbers the parts that the affected states belong to, in `hashes`, from 1 on; returns the transitions visited.

    Sorts them so that silent steps lead back. Blocks from `fresh` on got their numbers in the last round.
    """
    if found * 16 > len(blocks):
        found = 0
        for s in range(len(blocks)):
            if place[s] < begins[blocks[s]] + marked[blocks[s]]:
                affected[found] = s
                found += 1
    else:
        heap_sorted(affected, found)
    visited = 0
    for k in range(found):
        visited += first[affected[k] + 1] - first[affected[k]] + 1
    # Only as much of the tables as is needed is made empty.
    capacity = 4
    while capacity < 2 * found:
        capacity *= 2
    mask = np.uint64(capacity - 1)
    values[:capacity] = -1
    room = 4
    while room < visited + visited // 2:
        room *= 2
    elements[:room] = 0
    parts = 0
    for k in range(found):
        s = affected[k]
        own = blocks[s]
        front = begins[own] + marked[own]
        inert = False
        changed = False
        last = np.uint64(0)
        length = 0
        for i in range(first[s], first[s + 1]):
            t = targets[i]
            b = blocks[t]
            if actions[i] == silent and b == own:
                inert = True
                number = hashes[t] if place[t] < front else np.uint64(0)
                last = max(last, number)
                scratch[length] = np.int64(number)
            else:
                changed = changed or b >= fresh
                scratch[length] = (np.int64(actions[i] + 1) << 32) | np.int64(b)
            length += 1
        if endless[s] != 0:
            scratch[length] = np.int64(0x7FFFFFFF) << 32
            length += 1
        if inert and last == 0 and not changed:
            hashes[s] = 0
            continue
        length = distinct(scratch, length)
        if last > 0:
            seed = mixed(last + np.uint64(salt))
            joins = True
            i = 0
            while joins and i < length:
                if scratch[i] != np.int64(last):
                    joins = has(elements[:room], hashed(scratch[i], salt) + seed)
                i += 1
            if joins:
                hashes[s] = last
                continue
        value = mixed(np.uint64(own) + np.uint64(salt))
        for i in range(length):
            value += hashed(scratch[i], salt)
        slot = value & mask
        while values[slot] >= 0 and keys[slot] != value:
            slot = (slot + np.uint64(1)) & mask
        if values[slot] < 0:
            keys[slot] = value
            parts += 1
            values[slot] = parts
        hashes[s] = np.uint64(values[slot])
        if entered[s] != 0:
            seed = mixed(hashes[s] + np.uint64(salt))
            for i in range(length):
                enter(elements[:room], hashed(scratch[i], salt) + seed)
    return visited
