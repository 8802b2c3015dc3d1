"""Sets of whole numbers as the intervals they consist of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Interval = tuple[int, int]
"""The least and the greatest number."""
Intervals = tuple[Interval, ...]
"""In order, with a gap between any two of them."""


def joined(some: Iterable[Interval]) -> Intervals:
    """All numbers that are in one of them."""
    found: list[Interval] = []
    for low, high in sorted(some):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return tuple(found)


def shared(one: Intervals, other: Intervals) -> Intervals:
    """The numbers that are in both."""
    pairs = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return tuple(sorted((low, high) for low, high in pairs if low <= high))


def without(domain: Interval, some: Intervals) -> Intervals:
    """The numbers of the domain that are in none of them."""
    found = []
    begin = domain[0]
    for low, high in some:
        if low > begin:
            found.append((begin, low - 1))
        begin = max(begin, high + 1)
    if begin <= domain[1]:
        found.append((begin, domain[1]))
    return tuple(found)


def contains(outer: Intervals, inner: Intervals) -> bool:
    return shared(outer, inner) == inner


def moved(some: Intervals, by: int, domain: Interval) -> Intervals:
    """The numbers of a set, each plus another number, modulo the domain."""
    low, high = domain
    size = high - low + 1
    found: list[Interval] = []
    for first, last in some:
        if last - first + 1 >= size:
            return (domain,)
        begin = (first + by - low) % size + low
        end = begin + last - first
        found += [(begin, end)] if end <= high else [(begin, high), (low, end - size)]
    return joined(found)


def cells(domain: Interval, sets: Sequence[Intervals]) -> Intervals:
    """The domain, cut wherever one of the sets begins or ends: each set is a union of these cells."""
    begins = {domain[0]}
    for each in sets:
        for low, high in each:
            begins |= {low, high + 1}
    inside = sorted(b for b in begins if domain[0] <= b <= domain[1])
    return tuple((low, high - 1) for low, high in zip(inside, [*inside[1:], domain[1] + 1], strict=True))
