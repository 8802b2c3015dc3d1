"""Floating-point operators on IEEE bit patterns, for many valuations at once.

A NaN among the operands is the result, made quiet; an operation that has no result gives the default NaN, which is
negative as on x86. Both are what the concrete domain has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from stateglass.program.bits import ones
from stateglass.program.floats import FORMATS, FloatFormat
from stateglass.smt.operators import Operator

Column = NDArray[Any]
FloatKind = tuple[int, int]
"""Bits of the exponent and of the significand, its leading one included."""

_TYPES: Final = {11: (np.uint16, np.float16), 24: (np.uint32, np.float32), 53: (np.uint64, np.float64)}
_ARITHMETIC: Final[dict[Operator, Callable[[Column, Column], Column]]] = {
    Operator.FLOAT_ADD: np.add,
    Operator.FLOAT_SUBTRACT: np.subtract,
    Operator.FLOAT_MULTIPLY: np.multiply,
    Operator.FLOAT_DIVIDE: np.divide,
}
_COMPARED: Final[dict[Operator, Callable[[Column, Column], Column]]] = {
    Operator.FLOAT_EQUAL: np.equal,
    Operator.FLOAT_LESS: np.less,
    Operator.FLOAT_LESS_EQUAL: np.less_equal,
}


def format_of(kind: FloatKind) -> FloatFormat:
    return FORMATS[kind[1]]


def computed(operator: Operator, extra: Any, operands: Sequence[Column], widths: Sequence[int]) -> Column:
    """The result for each valuation; a number that does not fit into an integer becomes 0."""
    if operator in _ARITHMETIC:
        return _calculated(operator, format_of(extra), operands)
    if operator in _COMPARED:
        return _COMPARED[operator](*(_numbers(o, format_of(extra)) for o in operands))
    match operator:
        case Operator.FLOAT_FROM_FLOAT:
            return _converted(operands[0], format_of(extra[0]), format_of(extra[1]))
        case Operator.FLOAT_FROM_SIGNED:
            shift = 64 - widths[0]
            exact = (operands[0] << np.uint64(shift)).view(np.int64) >> np.int64(shift)
            return _bits(exact.astype(_TYPES[extra[1]][1]), format_of(extra))
        case Operator.FLOAT_FROM_UNSIGNED:
            return _bits(operands[0].astype(_TYPES[extra[1]][1]), format_of(extra))
        case _:
            kind, width, signed = extra
            whole = np.trunc(_numbers(operands[0], format_of(kind)).astype(np.float64))
            fits = _fitting(whole, width, signed)
            return fits if operator is Operator.FLOAT_FITS else _integers(np.where(fits, whole, 0.0), width, signed)


def single(operator: Operator, extra: Any, operands: Sequence[int], widths: Sequence[int]) -> int:
    """For one valuation."""
    with np.errstate(all="ignore"):
        return int(computed(operator, extra, [np.array([o], np.uint64) for o in operands], widths)[0])


def _numbers(bits: Column, format: FloatFormat) -> Column:
    integer, number = _TYPES[format.digits]
    return bits.astype(integer).view(number)


def _bits(numbers: Column, format: FloatFormat) -> Column:
    return numbers.view(_TYPES[format.digits][0]).astype(np.uint64)


def _calculated(operator: Operator, format: FloatFormat, operands: Sequence[Column]) -> Column:
    a, b = (_numbers(o, format) for o in operands)
    result = _ARITHMETIC[operator](a, b)
    quiet = np.uint64(format.quiet_bit)
    bits = np.where(np.isnan(result), np.uint64(format.default_nan), _bits(result, format))
    bits = np.where(np.isnan(b), operands[1] | quiet, bits)
    return np.where(np.isnan(a), operands[0] | quiet, bits)


def _converted(bits: Column, source: FloatFormat, target: FloatFormat) -> Column:
    numbers = _numbers(bits, source)
    sign = bits >> np.uint64(source.width - 1) << np.uint64(target.width - 1)
    payload, shift = bits & np.uint64(ones(source.digits - 1)), target.digits - source.digits
    payload = payload << np.uint64(shift) if shift >= 0 else payload >> np.uint64(-shift)
    nan = sign | np.uint64(target.infinity | target.quiet_bit) | payload
    return np.where(np.isnan(numbers), nan, _bits(numbers.astype(_TYPES[target.digits][1]), target))


def _fitting(whole: Column, width: int, signed: bool) -> Column:
    low, high = (-(2.0 ** (width - 1)), 2.0 ** (width - 1)) if signed else (0.0, 2.0**width)
    inside: Column = (whole >= low) & (whole < high)
    return inside


def _integers(whole: Column, width: int, signed: bool) -> Column:
    exact = whole.astype(np.int64).view(np.uint64) if signed else whole.astype(np.uint64)
    return exact & np.uint64(ones(width))
