"""`&`, `|` and `^` of two ranges: the least and greatest result, found bit by bit from the highest one.

The idea, deciding at each bit whether one operand can be moved so that all lower bits become free, is that of
H. S. Warren, Hacker's Delight, section 4-3: linear in the width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from stateglass.program import BinaryOperator
from stateglass.values.abstract.ranges import Range

# Constants with at most this many bits are taken apart: `x & 5` is 0, 1, 4 or 5.
FEW_BITS = 5


def bitwise(operator: BinaryOperator) -> Callable[[Range, Range, int], Iterator[Range]]:
    """The operator on ranges of a width; negative numbers stand for their two's complement."""
    bounds = _BOUNDS[operator]

    def apply(a: Range, b: Range, width: int) -> Iterator[Range]:
        all_bits = (1 << width) - 1
        for x in _halves(a):
            for y in _halves(b):
                low, high = bounds(_pattern(x, all_bits), _pattern(y, all_bits), all_bits)
                # The sign of the result follows from the signs of the halves.
                if operator is BinaryOperator.AND:
                    negative = x[0] < 0 and y[0] < 0
                elif operator is BinaryOperator.OR:
                    negative = x[0] < 0 or y[0] < 0
                else:
                    negative = (x[0] < 0) != (y[0] < 0)
                offset = all_bits + 1 if negative else 0
                yield low - offset, high - offset

    return apply


def parts_of_constant(constant: int, other: Range) -> list[int] | None:
    """All that `constant & x` can be for some x of a range; None if these are too many to list."""
    if constant < 0 or constant.bit_count() > FEW_BITS or other[1] - other[0] < constant:
        return None
    found, part = [0], 0
    while part != constant:
        part = (part - constant) & constant  # the next larger subset of the bits
        found.append(part)
    return found


def _halves(range: Range) -> Iterator[Range]:
    """The negative and the other numbers of a range."""
    low, high = range
    if low < 0:
        yield low, min(high, -1)
    if high >= 0:
        yield max(low, 0), high


def _pattern(half: Range, all_bits: int) -> Range:
    return half[0] & all_bits, half[1] & all_bits


def _least_or(a: Range, b: Range, all_bits: int) -> int:
    """Raises one operand to a bit that the other has, if it can: its lower bits then become 0."""
    # The result has the bit anyway, so that raising costs nothing; the highest bit that can be raised to clears most.
    (low, high), (other_low, other_high) = a, b
    bit = (all_bits + 1) >> 1
    while bit:
        if ~low & other_low & bit:
            raised = (low | bit) & -bit
            if raised <= high:
                return raised | other_low
        elif low & ~other_low & bit:
            raised = (other_low | bit) & -bit
            if raised <= other_high:
                return low | raised
        bit >>= 1
    return low | other_low


def _greatest_or(a: Range, b: Range, all_bits: int) -> int:
    """Where both have a bit, lowers one operand below it, if it can: its lower bits then become 1."""
    # The other one still has the bit, so that nothing is lost; the highest bit that can be given up gains most.
    (low, high), (other_low, other_high) = a, b
    bit = (all_bits + 1) >> 1
    while bit:
        if high & other_high & bit:
            lowered = (high - bit) | (bit - 1)
            if lowered >= low:
                return lowered | other_high
            lowered = (other_high - bit) | (bit - 1)
            if lowered >= other_low:
                return high | lowered
        bit >>= 1
    return high | other_high


def _complement(a: Range, all_bits: int) -> Range:
    return all_bits - a[1], all_bits - a[0]


def _or(a: Range, b: Range, all_bits: int) -> Range:
    return _least_or(a, b, all_bits), _greatest_or(a, b, all_bits)


def _and(a: Range, b: Range, all_bits: int) -> Range:
    return _complement(_or(_complement(a, all_bits), _complement(b, all_bits), all_bits), all_bits)


def _xor(a: Range, b: Range, all_bits: int) -> Range:
    """Bits of the one only, or of the other only; as if the two were independent."""
    left = _and(a, _complement(b, all_bits), all_bits)
    right = _and(_complement(a, all_bits), b, all_bits)
    return _or(left, right, all_bits)


_BOUNDS: dict[BinaryOperator, Callable[[Range, Range, int], Range]] = {
    BinaryOperator.AND: _and,
    BinaryOperator.OR: _or,
    BinaryOperator.XOR: _xor,
}
