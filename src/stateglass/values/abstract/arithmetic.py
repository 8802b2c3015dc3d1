"""C's operators on sets of ranges, in the exact width of the type: signed results wrap as unsigned ones do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from math import gcd
from typing import assert_never

from stateglass.program import BinaryOperator, Int, Scalar
from stateglass.values.abstract import residues
from stateglass.values.abstract.bitwise import bitwise, parts_of_constant
from stateglass.values.abstract.ranges import Range, Ranges, coarsened, united, wrapped
from stateglass.values.abstract.sets import Anything, Interval, Pieces, Remainders, Value
from stateglass.values.abstract.views import ranges_of

# Pairs of ranges that one operation looks at; operands with more are made coarser first.
MOST_PAIRS = 256


def operate(operator: BinaryOperator, a: Ranges, b: Ranges, type: Int) -> Ranges:
    """The results for all pairs; those that divide by zero have none. Shifts have a function of their own."""
    if len(a) * len(b) > MOST_PAIRS:
        side = int(MOST_PAIRS**0.5)
        a, b = coarsened(a, max(side, MOST_PAIRS // len(b))), coarsened(b, max(side, MOST_PAIRS // len(a)))
    each = _EACH[operator]
    return united(part for x, y in product(a, b) for part in each(x, y, type))


def negate(a: Ranges, type: Int) -> Ranges:
    return united(part for low, high in a for part in wrapped(-high, -low, type))


def complement(a: Ranges, type: Int) -> Ranges:
    return united(part for low, high in a for part in wrapped(~high, ~low, type))


def shift(operator: BinaryOperator, a: Ranges, counts: Iterable[int], type: Int) -> Ranges:
    """The results for counts that are smaller than the width."""
    a = coarsened(a, 8)
    match operator:
        case BinaryOperator.SHIFT_LEFT:
            return united(part for c in counts for low, high in a for part in wrapped(low << c, high << c, type))
        case BinaryOperator.SHIFT_RIGHT:
            return united((low >> c, high >> c) for c in counts for low, high in a)
        case _:
            raise AssertionError(f"{operator} is no shift")


def counts(value: Value, width: int, type: Scalar | None) -> list[int]:
    """By how much a shift may shift: a count is taken modulo the width."""
    ranges = count_ranges(value, type)
    if isinstance(value, Remainders):
        common = gcd(value.modulus, width)
        known = residues.expanded(residues.folded(value.mask, value.modulus, common), common, width)
    else:
        known = residues.full(width)
    mask = known if ranges is None else known & residues.of_ranges(ranges, width)
    return list(residues.bits(mask))


def count_ranges(value: Value, type: Scalar | None) -> Ranges | None:
    """What a count may be. Where its type is not known, None stands for a set that may reach to the ends of it."""
    if type is not None:
        return ranges_of(value, type)
    match value:
        case int():
            return ((value, value),)
        case Interval(low, high):
            return ((low, high),)
        case Pieces(points, mask) if not mask & 1 and not mask >> len(points) & 1:
            return tuple((points[i - 1], points[i] - 1) for i in residues.bits(mask))
        case Pieces() | Remainders() | Anything():
            return None
        case _:
            assert_never(value)


# ---- one range with another


def _add(a: Range, b: Range, type: Int) -> Ranges:
    return wrapped(a[0] + b[0], a[1] + b[1], type)


def _subtract(a: Range, b: Range, type: Int) -> Ranges:
    return wrapped(a[0] - b[1], a[1] - b[0], type)


def _multiply(a: Range, b: Range, type: Int) -> Ranges:
    corners = [x * y for x in a for y in b]
    return wrapped(min(corners), max(corners), type)


def quotient(a: int, b: int) -> int:
    """C rounds towards zero."""
    return -(-a // b) if (a < 0) != (b < 0) else a // b


def without_zero(b: Range) -> Iterator[Range]:
    """The negative and the positive numbers of a range."""
    low, high = b
    if low < 0:
        yield low, min(high, -1)
    if high > 0:
        yield max(low, 1), high


def _divide(a: Range, b: Range, type: Int) -> Iterator[Range]:
    for divisor in without_zero(b):
        # Monotonic in each operand on either side of zero, so that the extremes are at the corners.
        corners = [quotient(x, y) for x in a for y in divisor]
        yield from wrapped(min(corners), max(corners), type)


def _remainder(a: Range, b: Range, type: Int) -> Iterator[Range]:
    """The sign follows the dividend, the size stays below the divisor; the divisor's sign does not matter."""
    for low, high in without_zero(b):
        least, most = (low, high) if low > 0 else (-high, -low)
        if a[1] >= 0:
            yield from _remainder_of_positive((max(a[0], 0), a[1]), least, most)
        if a[0] < 0:
            for x, y in _remainder_of_positive((max(-a[1], 1), -a[0]), least, most):
                yield -y, -x


def _remainder_of_positive(a: Range, least: int, most: int) -> Iterator[Range]:
    low, high = a
    if high < least:
        yield a
    elif least == most and high - low < least:
        start, end = low % least, high % least
        if start <= end:
            yield start, end
        else:
            yield 0, end
            yield start, least - 1
    else:
        yield 0, min(high, most - 1)


def _and(a: Range, b: Range, type: Int) -> Iterable[Range]:
    for constant, other in ((a, b), (b, a)):
        if constant[0] == constant[1]:
            parts = parts_of_constant(constant[0], other)
            if parts is not None:
                return ((part, part) for part in parts)
    return _bounded_and(a, b, type)


def _bits(operator: BinaryOperator, a: Range, b: Range, type: Int) -> Iterator[Range]:
    return _OF_BITS[operator](a, b, type.bits)


_OF_BITS = {operator: bitwise(operator) for operator in (BinaryOperator.AND, BinaryOperator.OR, BinaryOperator.XOR)}
_bounded_and = partial(_bits, BinaryOperator.AND)
_EACH: dict[BinaryOperator, Callable[[Range, Range, Int], Iterable[Range]]] = {
    BinaryOperator.ADD: _add,
    BinaryOperator.SUBTRACT: _subtract,
    BinaryOperator.MULTIPLY: _multiply,
    BinaryOperator.DIVIDE: _divide,
    BinaryOperator.REMAINDER: _remainder,
    BinaryOperator.AND: _and,
    BinaryOperator.OR: partial(_bits, BinaryOperator.OR),
    BinaryOperator.XOR: partial(_bits, BinaryOperator.XOR),
}
