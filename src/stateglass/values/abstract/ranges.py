"""Sets of integers as ascending, disjoint, non-adjacent ranges; wrapping them into a machine integer.

Everything here is pure arithmetic on pairs (low, high), both ends included. Operations are linear in the number of
ranges unless they sort.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from stateglass.program import Bool, Int, Scalar, representation

Range = tuple[int, int]
Ranges = tuple[Range, ...]

# A set with more gaps than this loses its smallest ones: what is kept stays a superset, and operators stay fast.
MOST_RANGES = 64


@lru_cache(maxsize=256)
def extent(type: Scalar) -> Range:
    """The least and greatest value of a type; of a floating-point type, its bit patterns."""
    if isinstance(type, Bool):
        return 0, 1
    plain = representation(type)
    return plain.low, plain.high


def united(parts: Iterable[Range]) -> Ranges:
    """The union, in order, with neighbours merged."""
    merged: list[Range] = []
    for low, high in sorted(parts):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def coarsened(ranges: Ranges, most: int = MOST_RANGES) -> Ranges:
    """A superset with at most `most` ranges: the smallest gaps are filled."""
    if len(ranges) <= most:
        return ranges
    gaps = sorted(range(1, len(ranges)), key=lambda i: (ranges[i][0] - ranges[i - 1][1], i))
    filled = set(gaps[: len(ranges) - most])
    result: list[Range] = []
    for i, (low, high) in enumerate(ranges):
        if i in filled:
            result[-1] = (result[-1][0], high)
        else:
            result.append((low, high))
    return tuple(result)


def intersected(a: Ranges, b: Ranges) -> Ranges:
    result: list[Range] = []
    i = j = 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if low <= high:
            result.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return tuple(result)


def without(ranges: Ranges, number: int) -> Ranges:
    """The set less one number."""
    result: list[Range] = []
    for low, high in ranges:
        if low <= number <= high:
            result += [(a, b) for a, b in ((low, number - 1), (number + 1, high)) if a <= b]
        else:
            result.append((low, high))
    return tuple(result)


def count(ranges: Ranges) -> int:
    return sum(high - low + 1 for low, high in ranges)


def of_numbers(numbers: Iterable[int]) -> Ranges:
    return united((n, n) for n in numbers)


def wrapped(low: int, high: int, type: Int) -> Ranges:
    """What the mathematical results low…high are as values of `type`, whose surplus bits are dropped."""
    least, most = type.low, type.high
    if least <= low and high <= most:
        return ((low, high),)
    period = 1 << type.bits
    if high - low >= period - 1:
        return ((least, most),)
    shift = (low - least) // period * period
    low, high = low - shift, high - shift
    return ((low, high),) if high <= most else ((least, high - period), (low, most))
