"""What the loops share: numbers for observations, their hashes, and sorting short runs of them.

An observation of a state, "action `a` into block `b`", is one number, `a << 32 | b`: sets of them can be sorted and
compared as numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stateglass.reduce.kernels import kernel

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]

_SHORT = 24
"""So many items are sorted faster by insertion: most states have few transitions."""


@kernel
def mixed(value: Any) -> Any:
    """The finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014)."""
    x = np.uint64(value)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def wide(value: Any) -> Any:
    """The same number, always as 64 bits: numba compiles a loop anew for each type of argument, constants included."""
    return np.int64(value)


@kernel
def hashed(key: int | np.int64, salt: int) -> Any:
    """A hash of an observation."""
    return mixed(np.uint64(key) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(salt))


@kernel
def heap_sorted(items: Any, length: int) -> None:
    """Sorts the first items in place. (The quicksort that comes with numba is quadratic on some plain inputs.)"""
    for start in range(length // 2 - 1, -1, -1):
        _sift(items, start, length)
    for end in range(length - 1, 0, -1):
        items[0], items[end] = items[end], items[0]
        _sift(items, 0, end)


@kernel
def _sift(items: Any, start: int, end: int) -> None:
    """Moves an item down to where the heap below it is in order."""
    item = items[start]
    at = start
    child = 2 * at + 1
    while child < end:
        if child + 1 < end and items[child + 1] > items[child]:
            child += 1
        if items[child] <= item:
            break
        items[at] = items[child]
        at = child
        child = 2 * at + 1
    items[at] = item


@kernel
def distinct(keys: Longs, length: int) -> int:
    """Sorts the first keys in place and drops duplicates; returns how many are left."""
    if length > _SHORT:
        heap_sorted(keys, length)
    else:
        for i in range(1, length):
            key = keys[i]
            j = i - 1
            while j >= 0 and keys[j] > key:
                keys[j + 1] = keys[j]
                j -= 1
            keys[j + 1] = key
    left = 0
    for i in range(length):
        if left == 0 or keys[i] != keys[left - 1]:
            keys[left] = keys[i]
            left += 1
    return left


@kernel
def numbered(hashes: Hashes, start: int, stop: int, keys: Hashes, values: Ints, used: int, out: Ints) -> int:
    """Numbers hashes in the order of their first occurrence; `values` is -1 where the table is free.

    Returns how many numbers are in use. The length of the table is a power of two.
    """
    mask = np.uint64(len(keys) - 1)
    for s in range(start, stop):
        value = hashes[s]
        slot = value & mask
        while values[slot] >= 0 and keys[slot] != value:
            slot = (slot + np.uint64(1)) & mask
        if values[slot] < 0:
            keys[slot] = value
            values[slot] = used
            used += 1
        out[s] = values[slot]
    return used
