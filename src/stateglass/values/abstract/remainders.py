"""What C's operators do to remainders: `(x + 1) & 7` stays known when only `x` modulo 8 is.

Every function gives a modulus with the remainders that results can have, or None where an operator loses them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from math import gcd

from stateglass.program import BinaryOperator, Int, Scalar
from stateglass.values.abstract.arithmetic import counts
from stateglass.values.abstract.residues import MOST_DERIVED, bits, folded, negated, rotated, wrapped
from stateglass.values.abstract.sets import Remainders, Value
from stateglass.values.abstract.views import Residues, high, low, residues_of

# Pairs of remainders that one operation looks at.
MOST_PAIRS = 1 << 12


def remainders(operator: BinaryOperator, a: Value, b: Value, type: Int, counted: Scalar | None) -> Residues | None:
    """The remainders of the results, if one of the operands is known by its remainders."""
    moduli = [value.modulus for value in (a, b) if isinstance(value, Remainders)]
    if not moduli:
        return None
    if operator in _SHIFTS:
        amounts = counts(b, type.bits, counted)
        return _SHIFTS[operator](a, amounts, type) if isinstance(a, Remainders) else None
    return _OPERATIONS[operator](a, b, gcd(*moduli), type)


def negate(a: Remainders, type: Int) -> Residues:
    found = wrapped(a.modulus, negated(a.mask, a.modulus), -high(a, type), -low(a, type), type)
    return a.modulus, found


def complement(a: Remainders, type: Int) -> Residues:
    mirrored = rotated(negated(a.mask, a.modulus), a.modulus, -1)
    return a.modulus, wrapped(a.modulus, mirrored, ~high(a, type), ~low(a, type), type)


def _add(a: Value, b: Value, modulus: int, type: Int) -> Residues:
    left, right = residues_of(a, modulus, type), residues_of(b, modulus, type)
    if left.bit_count() < right.bit_count():
        left, right = right, left
    total = _any(rotated(left, modulus, r) for r in bits(right))
    return modulus, wrapped(modulus, total, low(a, type) + low(b, type), high(a, type) + high(b, type), type)


def _subtract(a: Value, b: Value, modulus: int, type: Int) -> Residues:
    left, right = residues_of(a, modulus, type), residues_of(b, modulus, type)
    total = _any(rotated(left, modulus, -r) for r in bits(right))
    return modulus, wrapped(modulus, total, low(a, type) - high(b, type), high(a, type) - low(b, type), type)


def _multiply(a: Value, b: Value, modulus: int, type: Int) -> Residues | None:
    if isinstance(a, int):
        a, b = b, a
    corners = [x * y for x in (low(a, type), high(a, type)) for y in (low(b, type), high(b, type))]
    if isinstance(a, Remainders) and isinstance(b, int):
        scaled, mask = _scaled(a, b)
        return scaled, wrapped(scaled, mask, min(corners), max(corners), type)
    found = _pairs(lambda x, y: x * y, residues_of(a, modulus, type), residues_of(b, modulus, type), modulus)
    return None if found is None else (modulus, wrapped(modulus, found, min(corners), max(corners), type))


def _scaled(a: Remainders, factor: int) -> Residues:
    """Products with a constant, modulo as much as is known of them."""
    larger = a.modulus * abs(factor)
    modulus = larger if a.modulus <= larger <= MOST_DERIVED else a.modulus
    return modulus, _any(1 << r * factor % modulus for r in bits(a.mask))


def _divide(a: Value, b: Value, modulus: int, type: Int) -> Residues | None:
    if not isinstance(a, Remainders) or not isinstance(b, int) or low(a, type) < 0:
        return None
    if b < 1 or a.modulus % b or a.modulus == b:
        return None
    return a.modulus // b, _any(1 << r // b for r in bits(a.mask))


def _remainder(a: Value, b: Value, modulus: int, type: Int) -> Residues | None:
    """`a % b` differs from `a` by a multiple of `b`."""
    if not isinstance(a, Remainders):
        return None
    if isinstance(b, Remainders):
        divisor = gcd(b.modulus, *bits(b.mask))
    elif isinstance(b, int):
        divisor = b
    else:
        return None
    common = gcd(a.modulus, divisor)
    return (common, folded(a.mask, a.modulus, common)) if common > 1 else None


def _bitwise(compute: Callable[[int, int], int]) -> Callable[[Value, Value, int, Int], Residues | None]:
    def apply(a: Value, b: Value, modulus: int, type: Int) -> Residues | None:
        # The lowest bits of the result follow from the lowest bits of the operands.
        common = gcd(modulus, 1 << type.bits)
        if common == 1:
            return None
        found = _pairs(compute, residues_of(a, common, type), residues_of(b, common, type), common)
        return None if found is None else (common, found)

    return apply


def _shift_left(a: Remainders, amounts: list[int], type: Int) -> Residues:
    least, most = low(a, type), high(a, type)
    if len(amounts) == 1:
        [amount] = amounts
        modulus, mask = _scaled(a, 1 << amount)
        return modulus, wrapped(modulus, mask, least << amount, most << amount, type)
    return a.modulus, _any(
        wrapped(a.modulus, _shifted(a, amount), least << amount, most << amount, type) for amount in amounts
    )


def _shifted(a: Remainders, amount: int) -> int:
    return _any(1 << (r << amount) % a.modulus for r in bits(a.mask))


def _shift_right(a: Remainders, amounts: list[int], type: Int) -> Residues | None:
    if len(amounts) != 1:
        return None
    [amount] = amounts
    smaller = a.modulus >> amount
    if smaller < 2 or a.modulus != smaller << amount:
        return None
    return smaller, _any(1 << (r >> amount) for r in bits(a.mask))


def _pairs(compute: Callable[[int, int], int], left: int, right: int, modulus: int) -> int | None:
    if left.bit_count() * right.bit_count() > MOST_PAIRS:
        return None
    return _any(1 << compute(x, y) % modulus for x, y in product(bits(left), list(bits(right))))


def _any(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


_OPERATIONS: dict[BinaryOperator, Callable[[Value, Value, int, Int], Residues | None]] = {
    BinaryOperator.ADD: _add,
    BinaryOperator.SUBTRACT: _subtract,
    BinaryOperator.MULTIPLY: _multiply,
    BinaryOperator.DIVIDE: _divide,
    BinaryOperator.REMAINDER: _remainder,
    BinaryOperator.AND: _bitwise(lambda a, b: a & b),
    BinaryOperator.OR: _bitwise(lambda a, b: a | b),
    BinaryOperator.XOR: _bitwise(lambda a, b: a ^ b),
}
_SHIFTS: dict[BinaryOperator, Callable[[Remainders, list[int], Int], Residues | None]] = {
    BinaryOperator.SHIFT_LEFT: _shift_left,
    BinaryOperator.SHIFT_RIGHT: _shift_right,
}
assert _OPERATIONS.keys() | _SHIFTS.keys() == set(BinaryOperator)
