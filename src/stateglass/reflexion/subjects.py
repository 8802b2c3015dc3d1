"""What a comparison says of which number: `(unsigned char)(s - 1) == 0` says of `s` that it is 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.program.bits import ones, signed
from stateglass.reflexion.intervals import Interval, Intervals, joined, moved, shared, without
from stateglass.smt import Operator, Term, Terms

_SIGNED: Final = (Operator.SIGNED_LESS, Operator.SIGNED_LESS_EQUAL)
_STRICT: Final = (Operator.LESS, Operator.SIGNED_LESS)
_ORDER: Final = (Operator.LESS, Operator.LESS_EQUAL, *_SIGNED)
_DIVISIONS: Final = (Operator.DIVIDE, Operator.SIGNED_DIVIDE)
_SHIFTS: Final = (Operator.SHIFT_RIGHT, Operator.SIGNED_SHIFT_RIGHT)
_LOW_BITS: Final = (Operator.ADD, Operator.SUBTRACT, Operator.NEGATE, Operator.COMPLEMENT)
"""The lower bits of what these come to depend on the lower bits of their operands alone."""


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A number that is compared with constants, as C reads it."""

    term: Term
    is_signed: bool

    @property
    def domain(self) -> Interval:
        width = self.term.width
        return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if self.is_signed else (0, ones(width))


@final
@dataclass(frozen=True, slots=True)
class Order:
    """Two numbers that are compared: -1 if the first one is less, 0 if they are equal, 1 if it is greater."""

    left: Term
    right: Term
    is_signed: bool

    @property
    def domain(self) -> Interval:
        return -1, 1


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """Anything else: 1 if it holds, 0 if it does not."""

    term: Term

    @property
    def domain(self) -> Interval:
        return 0, 1


Subject = Number | Order | Truth


@final
class Reader:
    """Reads comparisons."""

    def __init__(self, terms: Terms, is_signed: Callable[[Term], bool | None], *, divides: bool = False) -> None:
        """`is_signed` is how C reads a number; None for one that has no name. `divides` is whether what is said of a
        quotient is also read as something that is said of what is divided: with other constants than the code has."""
        self._terms = terms
        self._is_signed = is_signed
        self._divides = divides

    def read(self, literal: Term) -> tuple[Subject, Intervals]:
        """What a comparison, or its opposite, is about, and for which of its values it holds."""
        if literal.operator is Operator.NOT:
            subject, holds = self.read(literal.operands[0])
            return subject, without(subject.domain, holds)
        if literal.operator is not Operator.EQUAL and literal.operator not in _ORDER:
            return Truth(literal), ((1, 1),)
        left, right = literal.operands
        if not left.width:
            return Truth(literal), ((1, 1),)
        if right.operator is Operator.VALUE:
            return self._with_constant(left, right.extra, literal.operator, is_left=True)
        if left.operator is Operator.VALUE:
            return self._with_constant(right, left.extra, literal.operator, is_left=False)
        if literal.operator is Operator.EQUAL:
            left, right = self._balanced(left, right)
            names = [s for s in (self._is_signed(left), self._is_signed(right)) if s is not None]
            return self._ordered(left, right, ((0, 0),), is_signed=all(names))
        holds = ((-1, -1),) if literal.operator in _STRICT else ((-1, 0),)
        return self._ordered(left, right, holds, is_signed=literal.operator in _SIGNED)

    def _balanced(self, left: Term, right: Term) -> tuple[Term, Term]:
        """The sides of an equation, a constant moved from one to the other where that cannot overflow."""
        for one, other in ((left, right), (right, left)):
            is_sum = one.operator is Operator.ADD and one.operands[1].operator is Operator.VALUE
            if is_sum and other.operator in (Operator.ZERO_EXTEND, Operator.SIGN_EXTEND):
                return one.operands[0], self._terms.subtract(other, one.operands[1])
        return left, right

    def _ordered(self, left: Term, right: Term, holds: Intervals, *, is_signed: bool) -> tuple[Subject, Intervals]:
        """A comparison of two numbers in a fixed order of these, so that `a < b` and `b > a` have one subject."""
        if left.number > right.number:
            return Order(right, left, is_signed), tuple(sorted((-high, -low) for low, high in holds))
        return Order(left, right, is_signed), holds

    def _with_constant(self, term: Term, bits: int, operator: Operator, *, is_left: bool) -> tuple[Subject, Intervals]:
        is_signed = operator in _SIGNED
        number = Number(term, is_signed)
        value = signed(bits, term.width) if is_signed else bits
        low, high = number.domain
        step = 1 if operator in _STRICT else 0
        if operator is Operator.EQUAL:
            holds: Intervals = ((value, value),)
        elif is_left:
            holds = ((low, value - step),) if value - step >= low else ()
        else:
            holds = ((value + step, high),) if value + step <= high else ()
        return self._solved(number, holds, is_known=operator is not Operator.EQUAL)

    def _solved(self, number: Number, holds: Intervals, *, is_known: bool) -> tuple[Subject, Intervals]:
        """Takes away what is done to a number, one operation after the other, as long as the rest can be told exactly.

        `is_known` is whether the code itself says how the number is to be read.
        """
        terms = self._terms
        while self._is_signed(number.term) is None:
            term, (low, high) = number.term, number.domain
            if term.operator in (Operator.ADD, Operator.SUBTRACT) and term.operands[1].operator is Operator.VALUE:
                by = term.operands[1].extra
                holds = moved(holds, -by if term.operator is Operator.ADD else by, (low, high))
                number = Number(term.operands[0], number.is_signed)
            elif term.operator is Operator.SUBTRACT and term.operands[0].operator is Operator.VALUE:
                mirrored = joined((-b, -a) for a, b in holds)
                holds = moved(mirrored, term.operands[0].extra, (low, high))
                number = Number(term.operands[1], number.is_signed)
            elif term.operator in (Operator.NEGATE, Operator.COMPLEMENT):
                mirrored = joined((-b, -a) for a, b in holds)
                holds = moved(mirrored, 0 if term.operator is Operator.NEGATE else -1, (low, high))
                number = Number(term.operands[0], number.is_signed)
            elif term.operator in (Operator.ZERO_EXTEND, Operator.SIGN_EXTEND):
                inner = Number(term.operands[0], term.operator is Operator.SIGN_EXTEND)
                holds = shared(_read_as(inner.is_signed, number, holds), (inner.domain,))
                number, is_known = inner, True
            elif self._divides and (by := _divisor(term)):
                is_signed = term.operator not in (Operator.DIVIDE, Operator.SHIFT_RIGHT)
                inner = Number(term.operands[0], is_signed)
                # A shift to the right rounds down, a division towards zero.
                to_zero = term.operator is Operator.SIGNED_DIVIDE
                multiplied = (_multiplied(i, by, to_zero=to_zero) for i in _read_as(is_signed, number, holds))
                holds = shared(joined(multiplied), (inner.domain,))
                number, is_known = inner, True
            elif term.operator is Operator.PART and (shorter := _shortened(terms, term)) is not None:
                number = Number(shorter, number.is_signed)
            else:
                break
        own = self._is_signed(number.term)
        is_signed = own if own is not None else number.is_signed if is_known else True
        return Number(number.term, is_signed), _read_as(is_signed, number, holds)


def _read_as(is_signed: bool, number: Number, holds: Intervals) -> Intervals:
    """A set of numbers as the same rows of bits read with, or without, a sign."""
    if is_signed == number.is_signed:
        return holds
    return moved(holds, 0, Number(number.term, is_signed).domain)


def _divisor(term: Term) -> int:
    """A positive constant that a number is divided by, or 0."""
    if term.operator not in (*_DIVISIONS, *_SHIFTS) or term.operands[1].operator is not Operator.VALUE:
        return 0
    by: int = term.operands[1].extra
    if term.operator in _SHIFTS:
        return 1 << by if by < term.width else 0
    return by if term.operator is Operator.DIVIDE or signed(by, term.width) > 0 else 0


def _multiplied(quotient: Interval, by: int, *, to_zero: bool) -> Interval:
    """The numbers whose quotient by a constant is in an interval."""
    low, high = quotient
    least = low * by - (by - 1 if to_zero and low <= 0 else 0)
    return least, high * by + (0 if to_zero and high < 0 else by - 1)


def _shortened(terms: Terms, part: Term) -> Term | None:
    """The low bits of a sum (or the like) as the sum of low bits; None if it is none."""
    inner = part.operands[0]
    if part.extra[1] != 0 or inner.operator not in _LOW_BITS:
        return None
    return terms.remade(inner, tuple(terms.part(o, *part.extra) for o in inner.operands))


def term_of(terms: Terms, subject: Subject, holds: Intervals) -> Term:
    """A term that holds for these values."""
    if holds == (subject.domain,):
        return terms.true
    return terms.either(*(interval_term(terms, subject, interval) for interval in holds))


def interval_term(terms: Terms, subject: Subject, interval: Interval) -> Term:
    low, high = interval
    match subject:
        case Number(term):
            if low == high:
                return terms.equal(term, terms.constant(low, term.width))
            least, most = subject.domain
            parts = [] if low == least else [at_least(terms, subject, low)]
            return terms.both(*parts, *([] if high == most else [at_most(terms, subject, high)]))
        case Order(left, right, is_signed):
            less = Operator.SIGNED_LESS if is_signed else Operator.LESS
            less_equal = Operator.SIGNED_LESS_EQUAL if is_signed else Operator.LESS_EQUAL
            # The first one stays on the left.
            return {
                (-1, -1): lambda: terms.compare(less, left, right),
                (-1, 0): lambda: terms.compare(less_equal, left, right),
                (0, 0): lambda: terms.equal(left, right),
                (0, 1): lambda: terms.negation(terms.compare(less, left, right)),
                (1, 1): lambda: terms.negation(terms.compare(less_equal, left, right)),
                (-1, 1): lambda: terms.true,
            }[interval]()
        case Truth(term):
            return terms.true if low < high else term if low else terms.negation(term)
        case _:
            assert_never(subject)


def at_least(terms: Terms, number: Number, limit: int) -> Term:
    operator = Operator.SIGNED_LESS_EQUAL if number.is_signed else Operator.LESS_EQUAL
    return terms.compare(operator, terms.constant(limit, number.term.width), number.term)


def at_most(terms: Terms, number: Number, limit: int) -> Term:
    operator = Operator.SIGNED_LESS_EQUAL if number.is_signed else Operator.LESS_EQUAL
    return terms.compare(operator, number.term, terms.constant(limit, number.term.width))
