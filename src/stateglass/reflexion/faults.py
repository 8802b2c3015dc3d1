"""The conditions of faults as comparisons that C has words for: there is no operator that says that a sum overflows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stateglass.program.bits import ones, signed
from stateglass.program.floats import FORMATS, exact, from_int
from stateglass.smt import Operator, Term, Terms

WIDE: Final = 64
"""A sum or product of numbers with half as many bits has room in this."""
_COMPUTED: Final = {Operator.ADD_OVERFLOWS: Operator.ADD, Operator.SUBTRACT_OVERFLOWS: Operator.SUBTRACT}
_WIDENED: Final = frozenset(_COMPUTED.values())
_COMPARED: Final = frozenset(
    {
        Operator.EQUAL,
        Operator.LESS,
        Operator.LESS_EQUAL,
        Operator.SIGNED_LESS,
        Operator.SIGNED_LESS_EQUAL,
    }
)
_SIGNED: Final = (Operator.SIGNED_LESS, Operator.SIGNED_LESS_EQUAL)


def comparisons_of(terms: Terms, fault: Term) -> Iterator[Term]:
    """Comparisons of which one holds if there is an overflow, or all if a number fits; none for anything else.

    Nor are there any for a product: what the solver knows of it does not help with what it comes to in a wider type.
    """
    if fault.operator in _COMPUTED:
        a, b = fault.operands
        low, high = -(1 << (a.width - 1)), (1 << (a.width - 1)) - 1
        if 2 * a.width <= WIDE:
            result = terms.binary(_COMPUTED[fault.operator], *(terms.extend(x, WIDE, is_signed=True) for x in (a, b)))
            yield terms.compare(Operator.SIGNED_LESS, terms.constant(high, WIDE), result)
            yield terms.compare(Operator.SIGNED_LESS, result, terms.constant(low, WIDE))
        else:
            yield from _without_room(terms, fault, low, high)
    elif fault.operator is Operator.FLOAT_FITS:
        yield from _fitting(terms, fault)


def _without_room(terms: Terms, fault: Term, low: int, high: int) -> Iterator[Term]:
    """Where there is no wider type: what is added is held against what is left."""
    a, b = fault.operands
    is_sum = fault.operator is Operator.ADD_OVERFLOWS
    zero = terms.constant(0, b.width)
    is_positive, is_negative = (
        terms.compare(Operator.SIGNED_LESS, zero, b),
        terms.compare(Operator.SIGNED_LESS, b, zero),
    )
    back = Operator.SUBTRACT if is_sum else Operator.ADD
    upper, lower = (terms.binary(back, terms.constant(limit, b.width), b) for limit in (high, low))
    above = terms.compare(Operator.SIGNED_LESS, upper, a)
    below = terms.compare(Operator.SIGNED_LESS, a, lower)
    yield terms.both(is_positive if is_sum else is_negative, above)
    yield terms.both(is_negative if is_sum else is_positive, below)


def _fitting(terms: Terms, fits: Term) -> Iterator[Term]:
    """Whether a floating-point number, cut to a whole one, is in the range of an integer's type."""
    (format, bits, is_signed), number = fits.extra, fits.operands[0]
    ieee = FORMATS[format[1]]
    least, beyond = (-(1 << (bits - 1)), 1 << (bits - 1)) if is_signed else (0, 1 << bits)

    def constant(value: int) -> Term:
        return terms.constant(from_int(value, ieee), number.width)

    yield terms.floating(Operator.FLOAT_LESS, (number, constant(beyond)), 0, format)
    below = constant(least - 1)
    if exact(below.extra, ieee) == least - 1:
        yield terms.floating(Operator.FLOAT_LESS, (below, number), 0, format)
    else:
        # There is no number between the two.
        yield terms.floating(Operator.FLOAT_LESS_EQUAL, (constant(least), number), 0, format)


def widened(terms: Terms, comparison: Term) -> Term | None:
    """A comparison of sums and differences with room for what they come to; None if it is none."""
    if comparison.operator is not Operator.EQUAL and comparison.operator not in _SIGNED:
        return None
    left, right = comparison.operands
    if not 0 < 2 * left.width <= WIDE:
        return None
    a, b = _wide(terms, left), _wide(terms, right)
    if comparison.operator is Operator.EQUAL:
        return terms.equal(a, b)
    return _without_step(terms, comparison.operator, a, b) or terms.compare(comparison.operator, a, b)


def _without_step(terms: Terms, operator: Operator, a: Term, b: Term) -> Term | None:
    """`a < b + 1` as `a <= b`, and `a + 1 <= b` as `a < b`: with room for the sums that is the same."""
    strict = operator is Operator.SIGNED_LESS
    other = Operator.SIGNED_LESS_EQUAL if strict else Operator.SIGNED_LESS
    step = 1 if strict else -1
    if (less := _less_by(b, step)) is not None:
        return terms.compare(other, a, less)
    if (less := _less_by(a, -step)) is not None:
        return terms.compare(other, less, b)
    return None


def _less_by(term: Term, step: int) -> Term | None:
    """The number that a term is the sum of with a step, if it is one."""
    if term.operator is not Operator.ADD or (by := term.operands[1]).operator is not Operator.VALUE:
        return None
    return term.operands[0] if signed(by.extra, by.width) == step else None


def _wide(terms: Terms, term: Term) -> Term:
    if term.operator in _WIDENED:
        return terms.binary(term.operator, *(_wide(terms, o) for o in term.operands))
    if term.operator is Operator.NEGATE:
        return terms.unary(Operator.NEGATE, _wide(terms, term.operands[0]))
    return terms.extend(term, WIDE, is_signed=True)


def unwrapped(terms: Terms, comparison: Term) -> Iterator[Term]:
    """`(signed char)(x + 1) > 0` as `x > -1`, and where that is not the same as `x > 126`; the solver tells which."""
    for place, side in enumerate(comparison.operands if comparison.operator in _COMPARED else ()):
        other = comparison.operands[1 - place]
        found = _moved(terms, side)
        if found is None or other.operator is not Operator.VALUE:
            continue
        number, by = found
        width, limit = number.width, other.extra
        is_signed = comparison.operator in _SIGNED or comparison.operator is Operator.EQUAL
        value = signed(limit, other.width) if is_signed else limit
        low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, ones(width))
        moved = value - by
        if low <= moved <= high:
            constant = terms.constant(moved, width)
            sides = (number, constant) if place == 0 else (constant, number)
            equal = comparison.operator is Operator.EQUAL
            yield terms.equal(*sides) if equal else terms.compare(comparison.operator, *sides)
        less = Operator.SIGNED_LESS if is_signed else Operator.LESS
        if comparison.operator is not Operator.EQUAL and side.operator is Operator.PART:
            end = terms.constant(high - by if by > 0 else low - by, width)
            yield terms.compare(less, end, number) if by > 0 else terms.compare(less, number, end)


def _moved(terms: Terms, term: Term) -> tuple[Term, int] | None:
    """A number of which another one is the sum with a constant, in as many bits."""
    inner = term
    if term.operator is Operator.PART and term.extra[1] == 0:
        inner = term.operands[0]
    if inner.operator is not Operator.ADD or inner.operands[1].operator is not Operator.VALUE:
        return None
    number, by = inner.operands
    if inner is not term:
        number = terms.part(number, term.width - 1, 0)
    return number, signed(by.extra, by.width)
