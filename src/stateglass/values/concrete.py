"""Machine integers as Python integers in the range of their type: the reference semantics of operators."""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Collection
from functools import partial
from typing import assert_never, final

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
from stateglass.program.faults import FaultKind
from stateglass.program.floats import convert_float, from_int
from stateglass.source import Span
from stateglass.values.domain import TRUTH, Fault
from stateglass.values.floats import float_comparison, float_operation, truncated

Operation = Callable[[int, int], int]

_COMPARISONS: dict[Comparison, Callable[[int, int], bool]] = {
    Comparison.EQUAL: python.eq,
    Comparison.UNEQUAL: python.ne,
    Comparison.LESS: python.lt,
    Comparison.LESS_EQUAL: python.le,
    Comparison.GREATER: python.gt,
    Comparison.GREATER_EQUAL: python.ge,
}
_EXACT: dict[BinaryOperator, Operation] = {
    BinaryOperator.ADD: python.add,
    BinaryOperator.SUBTRACT: python.sub,
    BinaryOperator.MULTIPLY: python.mul,
    BinaryOperator.AND: python.and_,
    BinaryOperator.OR: python.or_,
    BinaryOperator.XOR: python.xor,
}


@final
class Concrete:
    """C's arithmetic. What is in `wrap` (overflow, shifts) wraps as most machines do, instead of being a fault."""

    def __init__(self, wrap: Collection[FaultKind] = ()) -> None:
        self._wrap_overflow = FaultKind.OVERFLOW in wrap
        self._wrap_shift = FaultKind.SHIFT in wrap

    def constant(self, value: int, type: Scalar) -> int:
        return value

    def decide(self, value: int) -> bool:
        return value != 0

    def compare(self, operator: Comparison, type: Scalar, result: Int = TRUTH) -> Callable[[int, int], int]:
        if isinstance(type, Float):
            return float_comparison(operator, type)
        test = _COMPARISONS[operator]
        # True and False would do as numbers but show up as such in states.
        return lambda a, b: 1 if test(a, b) else 0

    def unary(self, operator: UnaryOperator, type: Number, span: Span) -> Callable[[int], int]:
        if isinstance(type, Float):
            sign = type.format.sign_bit
            return lambda a: a ^ sign
        match operator:
            case UnaryOperator.NEGATE:
                fit = self._fit(type, FaultKind.OVERFLOW, span)
                return lambda a: fit(-a)
            case UnaryOperator.COMPLEMENT:
                wrapped = wrapper(type)
                return lambda a: wrapped(~a)
            case _:
                assert_never(operator)

    def binary(self, operator: BinaryOperator, type: Number, span: Span, counted: Scalar | None = None) -> Operation:
        if isinstance(type, Float):
            return float_operation(operator, type)
        match operator:
            case BinaryOperator.AND | BinaryOperator.OR | BinaryOperator.XOR:
                return _EXACT[operator]
            case BinaryOperator.ADD | BinaryOperator.SUBTRACT | BinaryOperator.MULTIPLY:
                return self._arithmetic(_EXACT[operator], type, span)
            case BinaryOperator.DIVIDE | BinaryOperator.REMAINDER:
                return self._division(operator, type, span)
            case BinaryOperator.SHIFT_LEFT | BinaryOperator.SHIFT_RIGHT:
                return self._shift(operator, type, span)
            case _:
                assert_never(operator)

    def _fit(self, type: Int, kind: FaultKind, span: Span) -> Callable[[int], int]:
        """A mathematical result as a value of `type`: unsigned wraps, signed overflow is a fault."""
        if self._wrap_overflow or not type.signed:
            return wrapper(type)
        low, high = type.low, type.high

        def fit(value: int) -> int:
            if low <= value <= high:
                return value
            raise Fault(kind, span)

        return fit

    def _arithmetic(self, exact: Operation, type: Int, span: Span) -> Operation:
        if not type.signed:
            mask = type.high
            return lambda a, b: exact(a, b) & mask
        if self._wrap_overflow:
            wrapped = wrapper(type)
            return lambda a, b: wrapped(exact(a, b))
        low, high = type.low, type.high

        def checked(a: int, b: int) -> int:
            result = exact(a, b)
            if low <= result <= high:
                return result
            raise Fault(FaultKind.OVERFLOW, span)

        return checked

    def _division(self, operator: BinaryOperator, type: Int, span: Span) -> Operation:
        fit = self._fit(type, FaultKind.OVERFLOW, span)
        quotient_wanted = operator is BinaryOperator.DIVIDE

        def divide(a: int, b: int) -> int:
            if b == 0:
                raise Fault(FaultKind.DIVISION, span)
            # C rounds towards zero, Python down. INT_MIN % -1 overflows in C as the division does.
            exact = -(-a // b) if (a < 0) != (b < 0) else a // b
            quotient = fit(exact)
            return quotient if quotient_wanted else a - exact * b

        return divide

    def _shift(self, operator: BinaryOperator, type: Int, span: Span) -> Operation:
        """Shifts as C11 has them: a wrong count, or bits of a signed number that do not fit, are faults."""
        bits, wrap, high, signed = type.bits, self._wrap_shift, type.high, type.signed
        wrapped = wrapper(type)
        left = operator is BinaryOperator.SHIFT_LEFT

        def shift(a: int, count: int) -> int:
            if not 0 <= count < bits:
                if not wrap:
                    raise Fault(FaultKind.SHIFT, span)
                count %= bits
            if not left:
                return a >> count
            result = a << count
            if signed and not wrap and not 0 <= result <= high:
                raise Fault(FaultKind.SHIFT, span)
            return wrapped(result)

        return shift

    def convert(self, source: Scalar, target: Scalar, span: Span) -> Callable[[int], int] | None:
        if isinstance(source, Float):
            return self._convert_float(source, target, span)
        if isinstance(target, Float):
            return partial(from_int, format=target.format)
        if isinstance(target, Bool):
            return None if isinstance(source, Bool) else lambda a: 1 if a else 0
        a, b = representation(source), representation(target)
        if a.low >= b.low and a.high <= b.high:
            return None
        return wrapper(b)

    def _convert_float(self, source: Float, target: Scalar, span: Span) -> Callable[[int], int] | None:
        format = source.format
        if isinstance(target, Float):
            return None if target == source else partial(convert_float, source=format, target=target.format)
        if isinstance(target, Bool):
            magnitude = ~format.sign_bit
            return lambda a: 1 if a & magnitude else 0
        plain, wrap = representation(target), self._wrap_overflow

        def truncate(bits: int) -> int:
            value = truncated(bits, format)
            if value is not None and plain.low <= value <= plain.high:
                return value
            if wrap:
                return plain.low if plain.signed else 1 << (plain.bits - 1)  # what x86 gives
            raise Fault(FaultKind.OVERFLOW, span)

        return truncate


def wrapper(type: Int) -> Callable[[int], int]:
    """Drops the bits that do not fit."""
    mask = (1 << type.bits) - 1
    if not type.signed:
        return lambda a: a & mask
    sign = 1 << (type.bits - 1)
    return lambda a: ((a & mask) ^ sign) - sign
