"""C's floating-point operators on bit patterns: IEEE 754 with the rounding every target uses by default."""

from __future__ import annotations

import math
import operator as python
import struct
from collections.abc import Callable
from fractions import Fraction

from stateglass.program import BinaryOperator, Comparison, Float
from stateglass.program.floats import (
    FloatFormat,
    encode,
    exact,
    is_infinite,
    is_nan,
)

Operation = Callable[[int, int], int]
_OPERATIONS: dict[BinaryOperator, Callable[[float, float], float]] = {
    BinaryOperator.ADD: python.add,
    BinaryOperator.SUBTRACT: python.sub,
    BinaryOperator.MULTIPLY: python.mul,
    BinaryOperator.DIVIDE: python.truediv,
}


def float_operation(operator: BinaryOperator, type: Float) -> Operation:
    """`+ - * /`: by the machine where Python has the format, by exact arithmetic and one rounding elsewhere."""
    format = type.format
    if format.digits == 53:
        return _by_machine(operator, format, "<Q", "<d")
    if format.digits == 24:
        return _by_machine(operator, format, "<I", "<f")
    return _by_rounding(operator, format)


def _by_machine(operator: BinaryOperator, format: FloatFormat, integer: str, number: str) -> Operation:
    """A double has more than twice the digits of a float, so rounding twice gives what rounding once would."""
    soft = _by_rounding(operator, format)
    pack_integer, pack_number = struct.Struct(integer), struct.Struct(number)
    compute = _OPERATIONS[operator]

    def operate(a: int, b: int) -> int:
        x: float = pack_number.unpack(pack_integer.pack(a))[0]
        y: float = pack_number.unpack(pack_integer.pack(b))[0]
        try:
            result = compute(x, y)
            if math.isfinite(result):
                bits: int = pack_integer.unpack(pack_number.pack(result))[0]
                return bits
        except (ZeroDivisionError, OverflowError):
            pass
        return soft(a, b)  # infinities and NaNs

    return operate


def _by_rounding(operator: BinaryOperator, format: FloatFormat) -> Operation:
    def operate(a: int, b: int) -> int:
        for operand in (a, b):
            if is_nan(operand, format):
                return operand | format.quiet_bit
        flipped = b ^ format.sign_bit if operator is BinaryOperator.SUBTRACT else b
        match operator:
            case BinaryOperator.ADD | BinaryOperator.SUBTRACT:
                return _add(a, flipped, format)
            case BinaryOperator.MULTIPLY:
                return _multiply(a, b, format)
            case _:
                return _divide(a, b, format)

    return operate


def _sign(bits: int, format: FloatFormat) -> int:
    return bits >> (format.width - 1) & 1


def _add(a: int, b: int, format: FloatFormat) -> int:
    if is_infinite(a, format) or is_infinite(b, format):
        if is_infinite(a, format) and is_infinite(b, format) and a != b:
            return format.default_nan
        return a if is_infinite(a, format) else b
    total = exact(a, format) + exact(b, format)
    if total == 0:
        # The sum of two zeros keeps a sign they share; a difference of equals is +0.
        return a & b & format.sign_bit
    return encode(int(total < 0), abs(total), format)


def _multiply(a: int, b: int, format: FloatFormat) -> int:
    sign = _sign(a, format) ^ _sign(b, format)
    if is_infinite(a, format) or is_infinite(b, format):
        other = b if is_infinite(a, format) else a
        if other & ~format.sign_bit == 0:
            return format.default_nan
        return sign * format.sign_bit | format.infinity
    return encode(sign, abs(exact(a, format) * exact(b, format)), format)


def _divide(a: int, b: int, format: FloatFormat) -> int:
    sign = _sign(a, format) ^ _sign(b, format)
    a_infinite, b_infinite = is_infinite(a, format), is_infinite(b, format)
    a_zero, b_zero = a & ~format.sign_bit == 0, b & ~format.sign_bit == 0
    if (a_infinite and b_infinite) or (a_zero and b_zero):
        return format.default_nan
    if a_infinite or b_zero:
        return sign * format.sign_bit | format.infinity
    if b_infinite:
        return sign * format.sign_bit
    return encode(sign, abs(exact(a, format) / exact(b, format)), format)


def float_comparison(operator: Comparison, type: Float) -> Callable[[int, int], int]:
    """0 or 1; a NaN is unequal to everything, and neither less nor greater."""
    format = type.format

    def compare(a: int, b: int) -> int:
        if is_nan(a, format) or is_nan(b, format):
            return int(operator is Comparison.UNEQUAL)
        x, y = _ordered(a, format), _ordered(b, format)
        match operator:
            case Comparison.EQUAL:
                return int(x == y)
            case Comparison.UNEQUAL:
                return int(x != y)
            case Comparison.LESS:
                return int(x < y)
            case Comparison.LESS_EQUAL:
                return int(x <= y)
            case Comparison.GREATER:
                return int(x > y)
            case Comparison.GREATER_EQUAL:
                return int(x >= y)

    return compare


def _ordered(bits: int, format: FloatFormat) -> int:
    """An integer that is ordered as the numbers are; both zeros are 0."""
    magnitude = bits & ~format.sign_bit
    return -magnitude if bits & format.sign_bit else magnitude


def truncated(bits: int, format: FloatFormat) -> int | None:
    """The integer part, None for infinities and NaNs."""
    if is_nan(bits, format) or is_infinite(bits, format):
        return None
    value: Fraction = exact(bits, format)
    return math.trunc(value)
