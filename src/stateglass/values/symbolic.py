"""C's operators on SMT terms: every value at once, and under which condition the machine would have had a fault."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Final, assert_never, final

from stateglass.program import (
    BinaryOperator,
    Bool,
    Comparison,
    Float,
    Int,
    Number,
    Scalar,
    UnaryOperator,
    representation,
)
from stateglass.program.bits import ones
from stateglass.program.faults import FaultKind
from stateglass.smt import Operator, Term, Terms
from stateglass.source import Span
from stateglass.values.domain import TRUTH

Note = Callable[[FaultKind, Term, Span], None]
"""Hears of a fault, of the condition under which it happens, and of where that is."""
Unary = Callable[[Term], Term]
Operation = Callable[[Term, Term], Term]

_PLAIN: Final = {
    BinaryOperator.ADD: Operator.ADD,
    BinaryOperator.SUBTRACT: Operator.SUBTRACT,
    BinaryOperator.MULTIPLY: Operator.MULTIPLY,
    BinaryOperator.AND: Operator.BIT_AND,
    BinaryOperator.OR: Operator.BIT_OR,
    BinaryOperator.XOR: Operator.BIT_XOR,
}
_OVERFLOWS: Final = {
    BinaryOperator.ADD: Operator.ADD_OVERFLOWS,
    BinaryOperator.SUBTRACT: Operator.SUBTRACT_OVERFLOWS,
    BinaryOperator.MULTIPLY: Operator.MULTIPLY_OVERFLOWS,
}


@final
class NoTerms(Exception):
    """An operation that terms cannot express; carries what it is. Operators raise it when they are applied."""


@final
class Symbolic:
    """What the concrete domain does to a number, this does to terms of the width of the type."""

    def __init__(self, terms: Terms, note: Note, wrap: Collection[FaultKind] = (), *, fits: bool = False) -> None:
        """What is in `wrap` (overflow, shifts) wraps instead of being a fault.

        With `fits`, an unsigned sum, difference or product that does not fit is an overflow as well.
        """
        self.terms = terms
        self._note = note
        self._wrap_overflow = FaultKind.OVERFLOW in wrap
        self._wrap_shift = FaultKind.SHIFT in wrap
        self._fits = fits

    def constant(self, value: int, type: Scalar) -> Term:
        return self.terms.constant(value, representation(type).bits)

    def decide(self, value: Term) -> bool | None:
        return None if value.value is None else value.value != 0

    def truth(self, value: Term) -> Term:
        """Whether a value is not 0."""
        return self.terms.negation(self.terms.equal(value, self.terms.constant(0, value.width)))

    def compare(self, operator: Comparison, type: Scalar, result: Int = TRUTH) -> Operation:
        return lambda a, b: self.terms.bit(self.holds(operator, type, a, b), result.bits)

    def holds(self, operator: Comparison, type: Scalar, a: Term, b: Term) -> Term:
        """A comparison as a truth value."""
        if isinstance(type, Float):
            return self._compare_floats(operator, type, a, b)
        return compared(self.terms, operator, a, b, is_signed=representation(type).signed)

    def unary(self, operator: UnaryOperator, type: Number, span: Span) -> Unary:
        terms = self.terms
        if isinstance(type, Float):
            sign = type.format.sign_bit
            return lambda a: terms.binary(Operator.BIT_XOR, a, terms.constant(sign, a.width))
        match operator:
            case UnaryOperator.NEGATE:
                return partial(self._negate, type, span)
            case UnaryOperator.COMPLEMENT:
                return partial(terms.unary, Operator.COMPLEMENT)
            case _:
                assert_never(operator)

    def _negate(self, type: Int, span: Span, a: Term) -> Term:
        if type.signed and not self._wrap_overflow:
            self._note(FaultKind.OVERFLOW, self.terms.equal(a, self.constant(type.low, type)), span)
        if not type.signed and self._fits:
            self._note(FaultKind.OVERFLOW, self.truth(a), span)
        return self.terms.unary(Operator.NEGATE, a)

    def binary(self, operator: BinaryOperator, type: Number, span: Span, counted: Scalar | None = None) -> Operation:
        """A shift count may have a width of its own; without `counted`, it has the type of what is shifted."""
        if isinstance(type, Float):
            return partial(self._compute_floats, operator, type)
        match operator:
            case BinaryOperator.DIVIDE | BinaryOperator.REMAINDER:
                return partial(self._division, operator, type, span)
            case BinaryOperator.SHIFT_LEFT | BinaryOperator.SHIFT_RIGHT:
                return partial(self._shift, operator, type, representation(counted or type), span)
            case _:
                return partial(self._arithmetic, operator, type, span)

    def _arithmetic(self, operator: BinaryOperator, type: Int, span: Span, a: Term, b: Term) -> Term:
        overflows = _OVERFLOWS.get(operator)
        if overflows is not None and type.signed and not self._wrap_overflow:
            self._note(FaultKind.OVERFLOW, self.terms.overflows(overflows, a, b), span)
        if overflows is not None and not type.signed and self._fits:
            self._note(FaultKind.OVERFLOW, self._leaves_unsigned(operator, a, b), span)
        return self.terms.binary(_PLAIN[operator], a, b)

    def _leaves_unsigned(self, operator: BinaryOperator, a: Term, b: Term) -> Term:
        """Whether an unsigned sum, difference or product is not what it is in mathematics."""
        terms, width = self.terms, a.width
        if operator is BinaryOperator.SUBTRACT:
            return terms.compare(Operator.LESS, a, b)
        if operator is BinaryOperator.ADD:
            return terms.compare(Operator.LESS, terms.unary(Operator.COMPLEMENT, a), b)
        if a.value is not None:
            a, b = b, a
        if b.value is not None:
            most = terms.constant(ones(width) // b.value, width) if b.value else a
            return terms.compare(Operator.LESS, most, a)
        wide = [terms.extend(number, 2 * width, is_signed=False) for number in (a, b)]
        limit = terms.constant(ones(width), 2 * width)
        return terms.compare(Operator.LESS, limit, terms.binary(Operator.MULTIPLY, *wide))

    def _division(self, operator: BinaryOperator, type: Int, span: Span, a: Term, b: Term) -> Term:
        terms = self.terms
        self._note(FaultKind.DIVISION, terms.equal(b, self.constant(0, type)), span)
        if type.signed and not self._wrap_overflow:
            least, minus_one = self.constant(type.low, type), self.constant(-1, type)
            self._note(FaultKind.OVERFLOW, terms.both(terms.equal(a, least), terms.equal(b, minus_one)), span)
        divide = operator is BinaryOperator.DIVIDE
        if type.signed:
            return terms.binary(Operator.SIGNED_DIVIDE if divide else Operator.SIGNED_REMAINDER, a, b)
        return terms.binary(Operator.DIVIDE if divide else Operator.REMAINDER, a, b)

    def _shift(self, operator: BinaryOperator, type: Int, counted: Int, span: Span, a: Term, count: Term) -> Term:
        """Shifts as C11 has them: a wrong count, or bits of a signed number that do not fit, are faults."""
        terms, bits = self.terms, type.bits
        wide = max(bits, count.width)
        amount = terms.extend(count, wide, is_signed=counted.signed)
        # No bit of a signed number may reach the sign; if it is known, that limits the count.
        is_limited = operator is BinaryOperator.SHIFT_LEFT and type.signed
        known = a.value if is_limited and a.value is not None and a.value <= type.high else 0
        if self._wrap_shift:
            amount = terms.binary(Operator.REMAINDER, amount, terms.constant(bits, wide))  # widths are powers of two
        else:
            self._note(FaultKind.SHIFT, self._count_beyond(bits - known.bit_length(), count, counted), span)
        by = terms.resize(amount, bits, is_signed=False)
        if operator is BinaryOperator.SHIFT_RIGHT:
            return terms.binary(Operator.SIGNED_SHIFT_RIGHT if type.signed else Operator.SHIFT_RIGHT, a, by)
        result = terms.binary(Operator.SHIFT_LEFT, a, by)
        if is_limited and not known and not self._wrap_shift:
            self._note(FaultKind.SHIFT, self._reaches_sign(type, a, by, result), span)
        return result

    def _count_beyond(self, room: int, count: Term, counted: Int) -> Term:
        """Whether a count is negative, or not less than there is room for."""
        terms = self.terms
        if room > counted.high:
            return (
                terms.compare(Operator.SIGNED_LESS, count, self.constant(0, counted)) if counted.signed else terms.false
            )
        limit = self.constant(room, counted)
        if not counted.signed:
            return terms.compare(Operator.LESS_EQUAL, limit, count)
        negative = terms.compare(Operator.SIGNED_LESS, count, self.constant(0, counted))
        return terms.either(negative, terms.compare(Operator.SIGNED_LESS_EQUAL, limit, count))

    def _reaches_sign(self, type: Int, a: Term, by: Term, result: Term) -> Term:
        """Whether a bit of a signed number reaches or leaves the sign, or the number was negative."""
        terms = self.terms
        if by.value is not None:
            negative = terms.compare(Operator.SIGNED_LESS, a, self.constant(0, type))
            return terms.either(
                negative, terms.compare(Operator.SIGNED_LESS, self.constant(type.high >> by.value, type), a)
            )
        # Shifted back, the number is the same and not negative.
        back = terms.binary(Operator.SIGNED_SHIFT_RIGHT, result, by)
        negative = terms.compare(Operator.SIGNED_LESS, result, self.constant(0, type))
        return terms.either(terms.negation(terms.equal(back, a)), negative)

    def convert(self, source: Scalar, target: Scalar, span: Span) -> Unary | None:
        terms, width = self.terms, representation(target).bits
        if isinstance(source, Float) or isinstance(target, Float):
            return None if source == target else partial(self._convert_floats, source, target, span)
        if isinstance(target, Bool):
            return None if isinstance(source, Bool) else (lambda a: terms.bit(self.truth(a), width))
        plain = representation(source)
        return None if plain.bits == width else partial(terms.resize, width=width, is_signed=plain.signed)

    # ---- floating-point numbers

    def _compare_floats(self, operator: Comparison, type: Float, a: Term, b: Term) -> Term:
        format = _ieee(type)

        def by(relation: Operator) -> Operation:
            return lambda one, other: self.terms.floating(relation, (one, other), 0, format)

        equal, less, less_equal = by(Operator.FLOAT_EQUAL), by(Operator.FLOAT_LESS), by(Operator.FLOAT_LESS_EQUAL)
        return _compared(self.terms, operator, a, b, equal, less, less_equal)

    def _compute_floats(self, operator: BinaryOperator, type: Float, a: Term, b: Term) -> Term:
        found = {
            BinaryOperator.ADD: Operator.FLOAT_ADD,
            BinaryOperator.SUBTRACT: Operator.FLOAT_SUBTRACT,
            BinaryOperator.MULTIPLY: Operator.FLOAT_MULTIPLY,
            BinaryOperator.DIVIDE: Operator.FLOAT_DIVIDE,
        }[operator]
        return self.terms.floating(found, (a, b), a.width, _ieee(type))

    def _convert_floats(self, source: Scalar, target: Scalar, span: Span, a: Term) -> Term:
        terms, width = self.terms, representation(target).bits
        if not isinstance(source, Float):
            assert isinstance(target, Float)
            signed = representation(source).signed
            operator = Operator.FLOAT_FROM_SIGNED if signed else Operator.FLOAT_FROM_UNSIGNED
            return terms.floating(operator, (a,), width, _ieee(target))
        format = _ieee(source)
        if isinstance(target, Float):
            return terms.floating(Operator.FLOAT_FROM_FLOAT, (a,), width, (format, _ieee(target)))
        if isinstance(target, Bool):
            zero = self.constant(0, source)
            return terms.bit(terms.negation(terms.floating(Operator.FLOAT_EQUAL, (a, zero), 0, format)), width)
        plain = representation(target)
        kind = (format, plain.bits, plain.signed)
        fits = terms.floating(Operator.FLOAT_FITS, (a,), 0, kind)
        number = terms.floating(Operator.FLOAT_TO_INTEGER, (a,), width, kind)
        if not self._wrap_overflow:
            self._note(FaultKind.OVERFLOW, terms.negation(fits), span)
            return number
        return terms.choose(fits, number, terms.constant(1 << (plain.bits - 1), width))  # what x86 gives


def compared(terms: Terms, operator: Comparison, a: Term, b: Term, *, is_signed: bool) -> Term:
    """A comparison of whole numbers in rows of the same width, as a truth value."""
    less = Operator.SIGNED_LESS if is_signed else Operator.LESS
    less_equal = Operator.SIGNED_LESS_EQUAL if is_signed else Operator.LESS_EQUAL
    return _compared(
        terms, operator, a, b, terms.equal, partial(terms.compare, less), partial(terms.compare, less_equal)
    )


def _compared(
    terms: Terms, operator: Comparison, a: Term, b: Term, equal: Operation, less: Operation, less_equal: Operation
) -> Term:
    match operator:
        case Comparison.EQUAL:
            return equal(a, b)
        case Comparison.UNEQUAL:
            return terms.negation(equal(a, b))
        case Comparison.LESS:
            return less(a, b)
        case Comparison.LESS_EQUAL:
            return less_equal(a, b)
        case Comparison.GREATER:
            return less(b, a)
        case Comparison.GREATER_EQUAL:
            return less_equal(b, a)
        case _:
            assert_never(operator)


def _ieee(type: Float) -> tuple[int, int]:
    """Bits of the exponent and of the significand, its leading one included."""
    widths = {11: 5, 24: 8, 53: 11}
    if type.digits not in widths:
        raise NoTerms("long double arithmetic")
    return widths[type.digits], type.digits
