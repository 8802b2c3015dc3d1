"""What a condition tells: the values that its operands can still have once its outcome is known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import assert_never

from stateglass.program import Bool, Comparison, Float, Scalar, representation
from stateglass.program.abstractions import Abstraction, Exact, Free, MinMax, Mod, Part, Top, Truth
from stateglass.source import NOWHERE
from stateglass.values.abstract import residues
from stateglass.values.abstract.abstraction import (
    keep,
    pieces_of,
)
from stateglass.values.abstract.comparison import MIRRORED, NEGATED
from stateglass.values.abstract.ranges import MOST_RANGES, extent, intersected, united, without
from stateglass.values.abstract.sets import TOP, Remainders, Value
from stateglass.values.abstract.views import (
    FEW,
    contains,
    from_numbers,
    from_pieces,
    from_ranges,
    from_residues,
    high,
    join,
    low,
    meet,
    possible,
    ranges_of,
    residues_of,
    size,
)
from stateglass.values.concrete import Concrete

# A value is taken apart only if a condition need not be tried more often than this.
MOST_ATOMS = 64

_CONCRETE = Concrete()


def narrow(
    comparison: Comparison,
    left: Value,
    right: Value,
    type: Scalar,
    outcome: bool,
) -> tuple[Value, Value] | None:
    """Both operands of a comparison with this outcome; None if it cannot have this outcome.

    Neither becomes larger, and no pair of values with this outcome is lost. What a variable keeps of its value
    then is no larger than what it held, either: of a smaller set no more is kept.
    """
    if isinstance(type, Float):
        if isinstance(left, int) and isinstance(right, int):
            return (left, right) if bool(_CONCRETE.compare(comparison, type)(left, right)) is outcome else None
        return left, right
    wanted = comparison if outcome else NEGATED[comparison]
    new_left = _narrowed(wanted, left, right, type)
    new_right = _narrowed(MIRRORED[wanted], right, left, type)
    return None if new_left is None or new_right is None else (new_left, new_right)


def narrow_converted(operand: Value, result: Value, source: Scalar, target: Scalar) -> Value | None:
    """What the operand of a conversion can still be once its result is known to be in `result`; None if nothing."""
    if isinstance(source, Float) or isinstance(target, Float):
        return operand
    if isinstance(target, Bool):
        if not isinstance(result, int):
            return operand
        return _narrowed(Comparison.UNEQUAL if result else Comparison.EQUAL, operand, 0, source)
    if size(operand, source) <= FEW:
        change = _CONCRETE.convert(source, target, NOWHERE)
        found = [n for n in possible(operand, source) if contains(result, n if change is None else change(n), target)]
        return from_numbers(found, source) if found else None
    return _before(operand, result, source, target)


def atoms(value: Value, type: Scalar, abstraction: Abstraction) -> tuple[Value, ...]:
    """The smallest values of an abstraction that a value consists of: any condition can be tried on each of them.

    Those for which an outcome is impossible may be left out, and `rejoined` puts the others together. A value that
    cannot be taken apart, or has too many parts, stays whole.
    """
    value = keep(abstraction, value, type)
    if isinstance(value, int) or isinstance(type, Float) or isinstance(abstraction, Top):
        return (value,)
    match abstraction:
        case Part(points):
            pieces = pieces_of(points, value, type)
            if pieces.bit_count() > MOST_ATOMS:
                return (value,)
            return tuple(from_pieces(points, 1 << i, type) for i in residues.bits(pieces))
        case Mod(modulus):
            classes = residues_of(value, modulus, type)
            there = [r for r in residues.bits(classes) if residues.count_in(modulus, 1 << r, *extent(type))]
            return tuple(from_residues(modulus, 1 << r, type) for r in there) if len(there) <= MOST_ATOMS else (value,)
        case Truth() if value is TOP:
            others = remove(value, 0, type)
            return (0,) if others is None else (0, others)
        case MinMax() | Exact() | Free() | Truth():
            return tuple(possible(value, type)) if size(value, type) <= MOST_ATOMS else (value,)
        case _:
            assert_never(abstraction)


def rejoined(values: Iterable[Value], type: Scalar, abstraction: Abstraction) -> Value:
    """Several values, at least one, as one that the abstraction can hold."""
    return keep(abstraction, reduce(lambda a, b: join(a, b, type), values), type)


def remove(value: Value, number: int, type: Scalar) -> Value | None:
    """A value without one number, where that can be represented; None if nothing is left."""
    if not contains(value, number, type):
        return value
    if isinstance(value, int):
        return None
    if isinstance(value, Remainders):
        left = [n for n in possible(value, type) if n != number] if size(value, type) <= FEW else []
        return from_numbers(left, type) if left else value
    return from_ranges(without(ranges_of(value, type), number), type)


def _narrowed(wanted: Comparison, a: Value, b: Value, type: Scalar) -> Value | None:
    """The values of `a` for which the comparison holds with some value of `b`."""
    least, most = extent(type)
    match wanted:
        case Comparison.EQUAL:
            return meet(a, b, type)
        case Comparison.UNEQUAL:
            return remove(a, b, type) if isinstance(b, int) else a
        case Comparison.LESS:
            return _between(a, least, high(b, type) - 1, type)
        case Comparison.LESS_EQUAL:
            return _between(a, least, high(b, type), type)
        case Comparison.GREATER:
            return _between(a, low(b, type) + 1, most, type)
        case Comparison.GREATER_EQUAL:
            return _between(a, low(b, type), most, type)
        case _:
            assert_never(wanted)


def _between(a: Value, least: int, most: int, type: Scalar) -> Value | None:
    return meet(a, from_ranges(((least, most),), type), type) if least <= most else None


def _before(operand: Value, result: Value, source: Scalar, target: Scalar) -> Value | None:
    """The part of an operand that is converted into `result`, by ranges."""
    least, most = extent(source)
    plain = representation(target)
    if isinstance(result, Remainders) and plain.low <= least and most <= plain.high:
        if not residues.count_in(result.modulus, result.mask, least, most):
            return None
        return meet(operand, from_residues(result.modulus, result.mask, source), source)
    # Numbers that are converted into the same one are a multiple of the period apart: the ranges of the result are
    # moved by each multiple that comes near the operand.
    period = 1 << plain.bits
    first, last = ((n - plain.low) // period for n in (low(operand, source), high(operand, source)))
    after = ranges_of(result, target)
    if (last - first + 1) * len(after) > MOST_RANGES:
        return operand
    turns = (turn * period for turn in range(first, last + 1))
    found = intersected(united((a + turn, b + turn) for turn in turns for a, b in after), ((least, most),))
    return meet(operand, from_ranges(found, source), source) if found else None
