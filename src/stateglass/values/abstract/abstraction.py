"""What a variable with an abstraction keeps of the values that are assigned to it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import assert_never

from stateglass.program import Float, Scalar
from stateglass.program.abstractions import Abstraction, Exact, Free, MinMax, Mod, Part, Top, Truth
from stateglass.values.abstract import residues
from stateglass.values.abstract.ranges import extent
from stateglass.values.abstract.sets import MAYBE, TOP, Remainders, Value
from stateglass.values.abstract.views import (
    contains,
    from_pieces,
    from_ranges,
    from_residues,
    high,
    is_subset,
    low,
    ranges_of,
    residues_of,
)

# Sets of which a variable remembers what it keeps; it forgets all of them when there are more.
MOST_REMEMBERED = 1 << 12


def keep(abstraction: Abstraction, value: Value, type: Scalar) -> Value:
    """What a variable with this abstraction keeps of a value of its type: never less than the value.

    Keeping twice is keeping once, and what is kept of a smaller set is a smaller set. Of a floating-point value only
    `int` and `free` keep anything.
    """
    match abstraction:
        case Free():
            return value
        case Top():
            return TOP
        case Exact():
            return value if isinstance(value, int) else TOP
        case _ if isinstance(type, Float) or value is TOP:
            return TOP
        case MinMax():
            return from_ranges(((low(value, type), high(value, type)),), type)
        case Mod(modulus):
            return from_residues(modulus, residues_of(value, modulus, type), type)
        case Part(points):
            return from_pieces(points, pieces_of(points, value, type), type)
        case Truth():
            return _truth(value, type)
        case _:
            assert_never(abstraction)


def keeper(abstraction: Abstraction, type: Scalar) -> Callable[[Value], Value]:
    """`keep` for one variable, built once: it remembers what it kept of which value."""
    if isinstance(abstraction, Part) and not isinstance(type, Float):
        points = abstraction.points
        return _remembering(abstraction, type, lambda number: bisect_right(points, number))
    if isinstance(abstraction, Mod) and not isinstance(type, Float):
        modulus = abstraction.modulus
        return _remembering(abstraction, type, lambda number: number % modulus)
    return lambda value: keep(abstraction, value, type)


def _remembering(abstraction: Abstraction, type: Scalar, place: Callable[[int], int]) -> Callable[[Value], Value]:
    numbers: dict[int, Value] = {}
    sets: dict[Value, Value] = {}

    def kept(value: Value) -> Value:
        if isinstance(value, int):
            found = numbers.get(where := place(value))
            if found is None:
                found = numbers[where] = keep(abstraction, value, type)
            return found
        found = sets.get(value)
        if found is None:
            if len(sets) >= MOST_REMEMBERED:
                sets.clear()
            found = sets[value] = keep(abstraction, value, type)
        return found

    return kept


def pieces_of(points: tuple[int, ...], value: Value, type: Scalar) -> int:
    """The pieces in which something of a value lies, as bits."""
    if isinstance(value, int):
        return 1 << bisect_right(points, value)
    mask = 0
    for start, end in ranges_of(value, type):
        first, last = bisect_right(points, start), bisect_right(points, end)
        mask |= residues.full(last - first + 1) << first
    if not isinstance(value, Remainders):
        return mask
    least, most = extent(type)
    starts, ends = (least, *points), (*(p - 1 for p in points), most)
    for i in residues.bits(mask):
        start, end = max(starts[i], least), min(ends[i], most)
        if not residues.count_in(value.modulus, value.mask, start, end):
            mask ^= 1 << i
    return mask


def _truth(value: Value, type: Scalar) -> Value:
    if isinstance(value, int) and value in (0, 1):
        return value
    if is_subset(value, MAYBE, type):
        return from_ranges(((0, 1),), type)
    if contains(value, 0, type):
        return TOP
    least, most = extent(type)
    return from_ranges(tuple((a, b) for a, b in ((least, -1), (1, most)) if a <= b), type)
