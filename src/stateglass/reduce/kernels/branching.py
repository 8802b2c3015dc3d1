"""Branching bisimulation: rounds of inductive signatures, and the exact check of their outcome.

Blom, van de Pol: Distributed branching bisimulation minimization by inductive signatures, 2009. States are numbered so
that silent steps lead to lower numbers. One pass in this order gives each state its new block at once: its observations
are what leaves its old block, and the new blocks of its inert successors. If all of them, but for one inert successor's
block itself, are observations of that block, the state joins it. The only candidate is the block that came last: the
others must be among its observations, so they came earlier.

Sets are kept as hashes, of a whole set and of (block, element). Equal hashes of different things only keep states
together that differ, which the exact check finds.
"""

from __future__ import annotations

import numpy as np

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.keys import Bytes, Hashes, Ints, Longs, distinct, hashed, mixed

USED, ELEMENTS = 0, 1
"""Where the counters are in `state`: blocks, elements in the table of elements.

An observation is `action + 1 << 32 | block`, so that a number below 2**32 is the new block of an inert successor.
"""


@kernel
def inductive(
    first: Ints,
    actions: Ints,
    targets: Ints,
    silent: int,
    entered: Bytes,
    blocks: Ints,
    start: int,
    stop: int,
    salt: int,
    scratch: Longs,
    keys: Hashes,
    values: Ints,
    stored: Bytes,
    elements: Hashes,
    state: Longs,
    out: Ints,
) -> int:
    """New blocks for the states `start` … `stop`; `entered` marks states that silent steps lead to, `stored` blocks
    whose elements are in the table.

    Stops where the table of elements is too full; returns the state to go on with.
    """
    # Open addressing stays quick as long as a third of the table is free.
    room = len(elements) // 3 * 2
    mask = np.uint64(len(keys) - 1)
    used = state[USED]
    count = state[ELEMENTS]
    for s in range(start, stop):
        if count + first[s + 1] - first[s] > room:
            stop = s
            break
        own = blocks[s]
        candidate = np.int32(-1)
        length = 0
        for i in range(first[s], first[s + 1]):
            t = targets[i]
            if actions[i] == silent and blocks[t] == own:
                # Silent steps lead to lower numbers: its new block is known.
                scratch[length] = np.int64(out[t])
                candidate = max(candidate, out[t])
            else:
                scratch[length] = (np.int64(actions[i] + 1) << 32) | np.int64(blocks[t])
            length += 1
        length = distinct(scratch, length)
        if candidate >= 0:
            seed = mixed(np.uint64(candidate) + np.uint64(salt))
            joins = True
            i = 0
            while joins and i < length:
                if scratch[i] != candidate:
                    joins = has(elements, hashed(scratch[i], salt) + seed)
                i += 1
            if joins:
                out[s] = candidate
                continue
        # The old block is part of the signature, so that blocks are only ever cut.
        value = mixed(np.uint64(own) + np.uint64(salt))
        for i in range(length):
            value += hashed(scratch[i], salt)
        slot = value & mask
        while values[slot] >= 0 and keys[slot] != value:
            slot = (slot + np.uint64(1)) & mask
        if values[slot] < 0:
            keys[slot] = value
            values[slot] = used
            stored[used] = 0
            used += 1
        new = values[slot]
        out[s] = new
        # Only the successor of a silent step is ever a candidate: the elements of other blocks are not needed.
        if entered[s] != 0 and stored[new] == 0:
            stored[new] = 1
            seed = mixed(np.uint64(new) + np.uint64(salt))
            for i in range(length):
                count += enter(elements, hashed(scratch[i], salt) + seed)
    state[USED] = used
    state[ELEMENTS] = count
    return stop


@kernel
def has(table: Hashes, value: np.uint64) -> bool:
    mask = np.uint64(len(table) - 1)
    value |= np.uint64(1)  # 0 is a free slot
    slot = (value >> np.uint64(1)) & mask
    while table[slot] != 0:
        if table[slot] == value:
            return True
        slot = (slot + np.uint64(1)) & mask
    return False


@kernel
def enter(table: Hashes, value: np.uint64) -> int:
    mask = np.uint64(len(table) - 1)
    value |= np.uint64(1)
    slot = (value >> np.uint64(1)) & mask
    while table[slot] != 0:
        if table[slot] == value:
            return 0
        slot = (slot + np.uint64(1)) & mask
    table[slot] = value
    return 1


@kernel
def enlarged(table: Hashes, capacity: int) -> Hashes:
    """The same elements with more free slots."""
    larger = np.zeros(capacity, dtype=np.uint64)
    for value in table:
        if value != 0:
            enter(larger, value)
    return larger


@kernel
def entries(actions: Ints, targets: Ints, silent: int, states: int) -> Bytes:
    """Which states silent steps lead to."""
    entered = np.zeros(states, dtype=np.uint8)
    for i in range(len(actions)):
        if actions[i] == silent:
            entered[targets[i]] = 1
    return entered


@kernel
def unstable(
    first: Ints,
    actions: Ints,
    targets: Ints,
    silent: int,
    blocks: Ints,
    members: Ints,
    begins: Ints,
    start: int,
    stop: int,
    scratch: Longs,
    expected: Longs,
) -> bool:
    """Whether one of these blocks is no class of a branching bisimulation; compares the sets themselves.

    It is one if all states without inert steps have the same observations and all others have some of these.
    """
    for b in range(start, stop):
        known = -1
        # States without inert steps first: they say what the others may have.
        for turn in range(2):
            for m in range(begins[b], begins[b + 1]):
                s = members[m]
                inert = False
                length = 0
                for i in range(first[s], first[s + 1]):
                    if actions[i] == silent and blocks[targets[i]] == b:
                        inert = True
                    else:
                        scratch[length] = (np.int64(actions[i] + 1) << 32) | np.int64(blocks[targets[i]])
                        length += 1
                if inert != (turn == 1):
                    continue
                length = distinct(scratch, length)
                if known < 0:
                    known = length
                    for i in range(length):
                        expected[i] = scratch[i]
                    continue
                if not inert and length != known:
                    return True
                j = 0
                for i in range(length):
                    while j < known and expected[j] < scratch[i]:
                        j += 1
                    if j == known or expected[j] != scratch[i]:
                        return True
    return False
