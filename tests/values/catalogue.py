"""Abstract values of small types in every representation, and what they mean by definition.

`meaning` repeats the definitions number by number: it is what the package is held against. Sets are bit sets over the
numbers of a type: bit 0 stands for the least one.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

from stateglass.program import Bool, Float, Int, Scalar, representation
from stateglass.values.abstract import (
    TOP,
    Abstraction,
    Anything,
    Exact,
    Free,
    Interval,
    MinMax,
    Mod,
    Part,
    Pieces,
    Remainders,
    Top,
    Truth,
    Value,
    keep,
    size,
)

SIGNS = (True, False)


def least_and_most(type: Scalar) -> tuple[int, int]:
    assert not isinstance(type, Float)
    if isinstance(type, Bool):
        return 0, 1
    return representation(type).low, representation(type).high


def numbers(type: Scalar) -> range:
    least, most = least_and_most(type)
    return range(least, most + 1)


def member(value: Value, number: int) -> bool:
    """Whether a number of the type is in a value, by the definition of each representation."""
    match value:
        case int():
            return number == value
        case Anything():
            return True
        case Interval(low, high):
            return low <= number <= high
        case Remainders(modulus, mask):
            return mask & (1 << (number % modulus)) != 0
        case Pieces(points, mask):
            piece = sum(point <= number for point in points)
            return mask & (1 << piece) != 0


@cache
def meaning(value: Value, type: Scalar) -> int:
    """The numbers of a small type that are in a value."""
    return sum(1 << i for i, number in enumerate(numbers(type)) if member(value, number))


def is_proper(value: Value, type: Scalar) -> bool:
    """Whether a value is what its kind promises: at least two numbers, not all of the type, nothing beyond it."""
    least, most = least_and_most(type)
    if isinstance(value, Interval):
        return least <= value.low < value.high <= most and (value.low, value.high) != (least, most)
    if isinstance(value, int):
        return least <= value <= most
    return value is TOP or 1 < meaning(value, type).bit_count() <= most - least


def set_of(found: list[int], type: Scalar) -> int:
    least = least_and_most(type)[0]
    return sum(1 << (n - least) for n in set(found))


def members(bits: int, type: Scalar) -> list[int]:
    return [number for i, number in enumerate(numbers(type)) if bits >> i & 1]


def partitions(type: Scalar) -> list[tuple[int, ...]]:
    """Points for `part`: near zero, at the ends of the type, beyond them."""
    least, most = least_and_most(type)
    middle = (least + most) // 2
    around = [(0, 1, 2), (least + 1, middle, most), (least - 3, middle - 1, middle + 2, most + 1), (-1, 0, 1)]
    return [tuple(sorted(set(points))) for points in around]


def abstractions(type: Scalar) -> list[Abstraction]:
    parts: list[Abstraction] = [Part(points) for points in partitions(type)]
    moduli: list[Abstraction] = [Mod(k) for k in (1, 2, 3, 4, 6, 8, 13)]
    return [Top(), MinMax(), Exact(), Truth(), Free(), *parts, *moduli]


@cache
def catalogue(type: Scalar, dense: bool = False) -> tuple[Value, ...]:
    """Values of every kind. A dense catalogue has all intervals and every set of remainders up to modulus 5."""
    least, most = least_and_most(type)
    found: list[Value] = [TOP, *_some(list(numbers(type)), 1 if dense else 5)]
    ends = sorted({least, least + 1, -1, 0, 2, (least + most) // 2, most} & set(numbers(type)))
    for low, high in combinations(list(numbers(type)) if dense else ends, 2):
        found.append(keep(MinMax(), Pieces((low, low + 1, high, high + 1), 0b01010), type))
    for modulus in (2, 3, 4, 5) if dense else (2, 3, 4):
        found += [Remainders(modulus, mask) for mask in range(1, (1 << modulus) - 1)]
    for modulus, distance in product((6, 7, 8, 12), (0, 1, 4)):
        found += [Remainders(modulus, 1 << r | 1 << (r + distance) % modulus) for r in range(1, modulus, 3)]
    for points in partitions(type) if dense else partitions(type)[:2]:
        found += [Pieces(points, mask) for mask in range(1, 1 << (len(points) + 1))]
    # What has nothing in the type, or one number only, is no set.
    proper = [v for v in found if isinstance(v, int) or size(v, type) > 1]
    return tuple(dict.fromkeys(proper if dense else [v for i, v in enumerate(proper) if i % 3 or isinstance(v, int)]))


def _some(values: list[int], step: int) -> list[int]:
    return sorted({*values[::step], *[n for n in values if n in (-1, 0, 1)], values[-1]})


def small_types(widths: tuple[int, ...]) -> list[Int]:
    return [Int(bits, signed) for bits in widths for signed in SIGNS]
