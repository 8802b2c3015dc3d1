"""Strong bisimulation: rounds of hashed signatures over all states, and the exact check of their outcome.

Equal hashes of different signatures can only keep states together that differ. They never part equivalent ones, so that
the result is too coarse at worst, which the exact check finds.
"""

from __future__ import annotations

import numpy as np

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.keys import Hashes, Ints, Longs, distinct, hashed, mixed


@kernel
def signatures(
    first: Ints,
    actions: Ints,
    targets: Ints,
    blocks: Ints,
    start: int,
    stop: int,
    salt: int,
    scratch: Longs,
    out: Hashes,
) -> None:
    """A hash of each state's block and its set of observations (Blom, Orzan: A distributed algorithm for strong
    bisimulation reduction of state spaces, 2002); linear, given that few transitions leave each state."""
    for s in range(start, stop):
        length = 0
        for i in range(first[s], first[s + 1]):
            scratch[length] = (np.int64(actions[i]) << 32) | np.int64(blocks[targets[i]])
            length += 1
        length = distinct(scratch, length)
        value = mixed(np.uint64(blocks[s]) + np.uint64(salt))
        for i in range(length):
            value += hashed(scratch[i], salt)
        out[s] = value


@kernel
def by_block(blocks: Ints, count: int) -> tuple[Ints, Ints]:
    """The states in the order of their blocks, and where each block begins."""
    begins = np.zeros(count + 1, dtype=np.int32)
    for s in range(len(blocks)):
        begins[blocks[s] + 1] += 1
    for b in range(count):
        begins[b + 1] += begins[b]
    members = np.empty(len(blocks), dtype=np.int32)
    free = begins.copy()
    for s in range(len(blocks)):
        members[free[blocks[s]]] = s
        free[blocks[s]] += 1
    return members, begins


@kernel
def separate(
    first: Ints,
    actions: Ints,
    targets: Ints,
    blocks: Ints,
    members: Ints,
    begins: Ints,
    start: int,
    stop: int,
    scratch: Longs,
    other: Longs,
    odd: Ints,
    found: int,
) -> int:
    """Appends to `odd` all states of the blocks `start` … `stop` whose observations are not those of the block's first
    member; compares the sets themselves, not their hashes. Returns the length of `odd`."""
    for b in range(start, stop):
        if begins[b + 1] - begins[b] < 2:
            continue
        expected = -1
        for m in range(begins[b], begins[b + 1]):
            s = members[m]
            length = 0
            for i in range(first[s], first[s + 1]):
                other[length] = (np.int64(actions[i]) << 32) | np.int64(blocks[targets[i]])
                length += 1
            length = distinct(other, length)
            if expected < 0:
                expected = length
                for i in range(length):
                    scratch[i] = other[i]
                continue
            same = length == expected
            i = 0
            while same and i < length:
                same = scratch[i] == other[i]
                i += 1
            if not same:
                odd[found] = s
                found += 1
    return found
