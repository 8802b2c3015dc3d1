"""Sets of remainders as bit sets: rotating, folding, counting, and what wrapping in a machine integer does to them."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

from stateglass.program import Int
from stateglass.program.abstractions import MOST_REMAINDERS
from stateglass.values.abstract.ranges import Ranges

# What `mod(k)` may be given, and up to where operators multiply moduli.
MOST_MODULUS = MOST_REMAINDERS
MOST_DERIVED = 1 << 12


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def full(modulus: int) -> int:
    return (1 << modulus) - 1


def rotated(mask: int, modulus: int, distance: int) -> int:
    """Every remainder plus a distance."""
    distance %= modulus
    return (mask << distance | mask >> (modulus - distance)) & full(modulus)


def negated(mask: int, modulus: int) -> int:
    result = 0
    for r in bits(mask):
        result |= 1 << (-r % modulus)
    return result


def folded(mask: int, modulus: int, smaller: int) -> int:
    """The remainders modulo a divisor of the modulus."""
    result, part = 0, full(smaller)
    for _ in range(modulus // smaller):
        result |= mask & part
        mask >>= smaller
    return result


def expanded(mask: int, modulus: int, larger: int) -> int:
    """The same set modulo a multiple of the modulus."""
    while modulus < larger and larger % (2 * modulus) == 0:
        mask, modulus = mask | mask << modulus, 2 * modulus
    return sum(mask << start for start in range(0, larger, modulus))


def of_ranges(ranges: Ranges, modulus: int) -> int:
    """The remainders of the numbers in ranges."""
    result = 0
    for low, high in ranges:
        if high - low + 1 >= modulus:
            return full(modulus)
        result |= rotated(full(high - low + 1), modulus, low)
    return result


def count_in(modulus: int, mask: int, low: int, high: int) -> int:
    """How many numbers of low…high have such a remainder."""
    if high < low:
        return 0
    rounds = (high + 1) // modulus - low // modulus
    return (
        rounds * mask.bit_count()
        + (mask & full((high + 1) % modulus)).bit_count()
        - (mask & full(low % modulus)).bit_count()
    )


def first_from(modulus: int, mask: int, number: int) -> int:
    """The least number of the set that is not below `number`."""
    turned = rotated(mask, modulus, -number)
    return number + (turned & -turned).bit_length() - 1


def last_until(modulus: int, mask: int, number: int) -> int:
    """The greatest number of the set that is not above `number`."""
    return number + rotated(mask, modulus, -number - 1).bit_length() - modulus


def members(modulus: int, mask: int, low: int, high: int) -> Iterator[int]:
    """The numbers of the set in low…high, ascending."""
    while low <= high:
        low = first_from(modulus, mask, low)
        if low <= high:
            yield low
        low += 1


def within(modulus: int, mask: int, ranges: Ranges) -> int:
    """The remainders that a number of the set in these ranges has."""
    return mask & of_ranges(ranges, modulus)


def wrapped(modulus: int, mask: int, low: int, high: int, type: Int) -> int:
    """The remainders of mathematical results between low and high once their surplus bits are dropped."""
    period = 1 << type.bits
    first, last = (low - type.low) // period, (high - type.low) // period
    # Dropping bits subtracts a multiple of the period; the multiples repeat modulo the modulus.
    repeats = lcm(modulus, period) // period
    result = 0
    for turn in range(first, min(last, first + repeats - 1) + 1):
        result |= rotated(mask, modulus, -turn * period)
        if result == full(modulus):
            break
    return result
