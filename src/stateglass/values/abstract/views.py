"""Abstract values seen as sets: how many integers, which ones, whether they contain others; values made from sets.

A value means a set of integers only together with its type: `TOP` is all of it, and nothing outside it counts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from math import gcd, lcm
from typing import assert_never

from stateglass.program import Scalar
from stateglass.values.abstract import residues
from stateglass.values.abstract.ranges import Ranges, coarsened, count, extent, intersected, of_numbers, united
from stateglass.values.abstract.sets import TOP, Anything, Interval, Pieces, Remainders, Value

# Sets up to this size are also computed with number by number.
FEW = 64
# Remainders are compared modulo a common multiple up to this; beyond it `is_subset` does not know.
MOST_COMMON = 1 << 20

Residues = tuple[int, int]  # a modulus and the remainders as bits


# ---- what a value consists of


def size(value: Value, type: Scalar) -> int:
    """How many integers are possible."""
    match value:
        case int():
            return 1
        case Remainders(modulus, mask):
            return residues.count_in(modulus, mask, *extent(type))
        case Interval() | Pieces() | Anything():
            return count(ranges_of(value, type))
        case _:
            assert_never(value)


def contains(value: Value, number: int, type: Scalar) -> bool:
    """Whether a number of the type is possible."""
    match value:
        case int():
            return value == number
        case Interval(low, high):
            return low <= number <= high
        case Remainders(modulus, mask):
            return bool(mask >> number % modulus & 1)
        case Pieces(points, mask):
            return bool(mask >> bisect_right(points, number) & 1)
        case Anything():
            low, high = extent(type)
            return low <= number <= high
        case _:
            assert_never(value)


def ranges_of(value: Value, type: Scalar) -> Ranges:
    """The possible integers as ranges; of remainders the numbers if they are few, else all between the extremes."""
    return ((value, value),) if isinstance(value, int) else _ranges_of_set(value, type)


@lru_cache(maxsize=1 << 12)
def _ranges_of_set(value: Interval | Remainders | Pieces | Anything, type: Scalar) -> Ranges:
    low, high = extent(type)
    match value:
        case Interval():
            return ((value.low, value.high),)
        case Anything():
            return ((low, high),)
        case Remainders(modulus, mask):
            if residues.count_in(modulus, mask, low, high) <= FEW:
                return of_numbers(residues.members(modulus, mask, low, high))
            return ((residues.first_from(modulus, mask, low), residues.last_until(modulus, mask, high)),)
        case Pieces(points, mask):
            starts, ends = (low, *points), (*(p - 1 for p in points), high)
            return united(
                (max(low, starts[i]), min(high, ends[i]))
                for i in residues.bits(mask)
                if max(low, starts[i]) <= min(high, ends[i])
            )
        case _:
            assert_never(value)


def residues_of(value: Value, modulus: int, type: Scalar) -> int:
    """The remainders modulo `modulus` that are possible."""
    if isinstance(value, int):
        return 1 << value % modulus
    if isinstance(value, Remainders):
        if value.modulus == modulus:
            return value.mask
        if size(value, type) <= FEW:
            return residues.of_ranges(ranges_of(value, type), modulus)
        common = gcd(value.modulus, modulus)
        return residues.expanded(residues.folded(value.mask, value.modulus, common), common, modulus)
    return residues.of_ranges(ranges_of(value, type), modulus)


def low(value: Value, type: Scalar) -> int:
    """The least possible integer."""
    return value if isinstance(value, int) else ranges_of(value, type)[0][0]


def high(value: Value, type: Scalar) -> int:
    """The greatest possible integer."""
    return value if isinstance(value, int) else ranges_of(value, type)[-1][1]


def possible(value: Value, type: Scalar) -> Iterator[int]:
    """The possible integers in ascending order. Ask for the `size` first."""
    if isinstance(value, Remainders):
        return residues.members(value.modulus, value.mask, *extent(type))
    return chain.from_iterable(range(low, high + 1) for low, high in ranges_of(value, type))


# ---- values made from sets


def from_ranges(ranges: Ranges, type: Scalar) -> Value:
    """The value that stands for ranges within the type, of which there is at least one."""
    least, most = extent(type)
    if len(ranges) == 1:
        [(low, high)] = ranges
        if low == high:
            return low
        return TOP if (low, high) == (least, most) else Interval(low, high)
    points: list[int] = []
    mask = 0
    for low, high in ranges:
        if low > least:
            points.append(low)
        mask |= 1 << len(points)
        if high < most:
            points.append(high + 1)
    return Pieces(tuple(points), mask)


def from_numbers(numbers: Iterable[int], type: Scalar) -> Value:
    return from_ranges(of_numbers(numbers), type)


def from_residues(modulus: int, mask: int, type: Scalar) -> Value:
    """The value that stands for the integers of the type with these remainders, of which there is at least one."""
    if mask == residues.full(modulus):
        return TOP
    low, high = extent(type)
    if modulus > high - low + 1:
        # Some remainders occur nowhere in the type: a set has one representation only.
        mask = residues.within(modulus, mask, ((low, high),))
    found = residues.count_in(modulus, mask, low, high)
    if found == 1:
        return residues.first_from(modulus, mask, low)
    return TOP if found == high - low + 1 else Remainders(modulus, mask)


def from_pieces(points: tuple[int, ...], mask: int, type: Scalar) -> Value:
    """The value that stands for pieces, of which at least one has something in the type."""
    ranges = _ranges_of_set(Pieces(points, mask), type)
    if len(ranges) == 1 and (ranges[0][0] == ranges[0][1] or ranges[0] == extent(type)):
        return from_ranges(ranges, type)
    return Pieces(points, mask)


def from_both(ranges: Ranges, known: Residues | None, type: Scalar) -> Value:
    """A value for results that lie in ranges and have certain remainders: the representation that says more."""
    ranges = coarsened(ranges)
    if known is None or known[1] == residues.full(known[0]):
        return from_ranges(ranges, type)
    modulus, mask = known
    if sum(residues.count_in(modulus, mask, low, high) for low, high in ranges) <= FEW:
        return from_numbers(_members(ranges, known), type)
    if residues.count_in(modulus, mask, *extent(type)) <= count(ranges):
        return from_residues(modulus, mask, type)
    return from_ranges(ranges, type)


def _members(ranges: Ranges, known: Residues) -> Iterator[int]:
    return chain.from_iterable(residues.members(*known, low, high) for low, high in ranges)


# ---- relations


def is_subset(a: Value, b: Value, type: Scalar) -> bool:
    """Whether everything that `a` can be is known to be possible in `b` too."""
    if a is b or b is TOP:
        return True
    if isinstance(a, int):
        return contains(b, a, type)
    if isinstance(a, Remainders):
        if not isinstance(b, Remainders):
            inside = sum(residues.count_in(a.modulus, a.mask, low, high) for low, high in ranges_of(b, type))
            return inside == size(a, type)
        common = lcm(a.modulus, b.modulus)
        if common > MOST_COMMON:
            return False
        rest = residues_of(a, common, type) & ~residues_of(b, common, type)
        return residues.count_in(common, rest, *extent(type)) == 0
    if isinstance(b, Remainders):
        counted = sum(residues.count_in(b.modulus, b.mask, low, high) for low, high in ranges_of(a, type))
        return counted == size(a, type)
    ranges = ranges_of(a, type)
    return intersected(ranges, ranges_of(b, type)) == ranges


def join(a: Value, b: Value, type: Scalar) -> Value:
    """What is possible in `a` or in `b`, and where no representation says exactly that, somewhat more."""
    return a if a is b or a == b else _joined(a, b, type)


@lru_cache(maxsize=1 << 12)
def _joined(a: Value, b: Value, type: Scalar) -> Value:
    if isinstance(a, Pieces) and isinstance(b, Pieces) and a.points == b.points:
        return from_pieces(a.points, a.mask | b.mask, type)
    known: Residues | None = None
    moduli = [value.modulus for value in (a, b) if isinstance(value, Remainders)]
    if moduli:
        modulus = gcd(*moduli)
        known = modulus, residues_of(a, modulus, type) | residues_of(b, modulus, type)
    return from_both(united(ranges_of(a, type) + ranges_of(b, type)), known, type)


def meet(a: Value, b: Value, type: Scalar) -> Value | None:
    """What is possible in `a` and in `b`, and where no representation says exactly that, more of `a`.

    None if nothing is.
    """
    if isinstance(a, int):
        return a if contains(b, a, type) else None
    if isinstance(b, int):
        return b if contains(a, b, type) else None
    if a is b or b is TOP:
        return a
    if a is TOP:
        return b
    ranges = intersected(ranges_of(a, type), ranges_of(b, type))
    known = _common_residues(a, b)
    if known is None:
        return from_ranges(ranges, type) if ranges else None
    found = sum(residues.count_in(*known, low, high) for low, high in ranges)
    if found <= FEW:
        return from_numbers(_members(ranges, known), type) if found else None
    if isinstance(a, Remainders):
        return from_residues(a.modulus, _restricted(a, known) & residues.of_ranges(ranges, a.modulus), type)
    kept = ((residues.first_from(*known, low), residues.last_until(*known, high)) for low, high in ranges)
    return from_ranges(tuple((low, high) for low, high in kept if low <= high), type)


def _common_residues(a: Value, b: Value) -> Residues | None:
    """What the remainders of a number in both are; modulo the product of both moduli if that is not too large."""
    pairs = [(v.modulus, v.mask) for v in (a, b) if isinstance(v, Remainders)]
    if len(pairs) < 2:
        return pairs[0] if pairs else None
    (k, mask), (other, others) = pairs
    common = lcm(k, other) if lcm(k, other) <= residues.MOST_MODULUS else gcd(k, other)
    if common < max(k, other):
        # Too large: only the first one, less what the greatest common divisor excludes.
        allowed = residues.expanded(residues.folded(others, other, common), common, k)
        return k, mask & allowed
    return common, residues.expanded(mask, k, common) & residues.expanded(others, other, common)


def _restricted(a: Remainders, known: Residues) -> int:
    """The remainders of `a` that `known`, modulo a multiple of its modulus, leaves possible."""
    return a.mask & residues.folded(known[1], known[0], a.modulus)
