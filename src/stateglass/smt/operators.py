"""The operators of terms and what they do to numbers: the meaning that every evaluation of a term agrees with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum, auto, unique
from typing import Final, final

from stateglass.program.bits import ones, quotient, signed


@final
@unique
class Operator(IntEnum):
    """What a term is made with. Truth values have width 0, everything else is a row of bits."""

    VALUE = auto()
    VARIABLE = auto()
    # truth values
    NOT = auto()
    AND = auto()
    OR = auto()
    # comparisons
    EQUAL = auto()
    LESS = auto()  # unsigned
    LESS_EQUAL = auto()
    SIGNED_LESS = auto()
    SIGNED_LESS_EQUAL = auto()
    ADD_OVERFLOWS = auto()  # signed, like the next two
    SUBTRACT_OVERFLOWS = auto()
    MULTIPLY_OVERFLOWS = auto()
    # either kind
    CHOOSE = auto()
    # rows of bits
    NEGATE = auto()
    COMPLEMENT = auto()
    ADD = auto()
    SUBTRACT = auto()
    MULTIPLY = auto()
    DIVIDE = auto()  # by zero: all bits are ones
    REMAINDER = auto()  # by zero: the dividend
    SIGNED_DIVIDE = auto()  # rounds towards zero; by zero: 1 or -1, away from the dividend's sign
    SIGNED_REMAINDER = auto()
    BIT_AND = auto()
    BIT_OR = auto()
    BIT_XOR = auto()
    SHIFT_LEFT = auto()  # by the width or more: 0, or all bits like the sign
    SHIFT_RIGHT = auto()
    SIGNED_SHIFT_RIGHT = auto()
    JOIN = auto()  # the first operand has the high bits
    PART = auto()  # extra: highest and lowest bit
    ZERO_EXTEND = auto()
    SIGN_EXTEND = auto()
    # floating-point numbers as IEEE bit patterns; extra: bits of exponent and significand
    FLOAT_ADD = auto()
    FLOAT_SUBTRACT = auto()
    FLOAT_MULTIPLY = auto()
    FLOAT_DIVIDE = auto()
    FLOAT_EQUAL = auto()
    FLOAT_LESS = auto()
    FLOAT_LESS_EQUAL = auto()
    FLOAT_FROM_FLOAT = auto()  # extra: source format, target format
    FLOAT_FROM_SIGNED = auto()
    FLOAT_FROM_UNSIGNED = auto()
    FLOAT_FITS = auto()  # whether a number, truncated, fits; extra: format, width, signed
    FLOAT_TO_INTEGER = auto()  # truncated; extra: format, width, signed; without meaning where it does not fit


def _signed_divide(a: int, b: int, width: int) -> int:
    x, y = signed(a, width), signed(b, width)
    if y == 0:
        return 1 if x < 0 else ones(width)
    return quotient(x, y) & ones(width)


def _signed_remainder(a: int, b: int, width: int) -> int:
    x, y = signed(a, width), signed(b, width)
    return a if y == 0 else (x - quotient(x, y) * y) & ones(width)


def _leaves(result: int, width: int) -> int:
    return int(not -(1 << (width - 1)) <= result < 1 << (width - 1))


Fold = Callable[[Sequence[int], int], int]
"""From the operands, as unsigned numbers, and the width of the first one, to the result."""

FOLDS: Final[dict[Operator, Fold]] = {
    Operator.NOT: lambda v, w: 1 - v[0],
    Operator.AND: lambda v, w: int(all(v)),
    Operator.OR: lambda v, w: int(any(v)),
    Operator.EQUAL: lambda v, w: int(v[0] == v[1]),
    Operator.LESS: lambda v, w: int(v[0] < v[1]),
    Operator.LESS_EQUAL: lambda v, w: int(v[0] <= v[1]),
    Operator.SIGNED_LESS: lambda v, w: int(signed(v[0], w) < signed(v[1], w)),
    Operator.SIGNED_LESS_EQUAL: lambda v, w: int(signed(v[0], w) <= signed(v[1], w)),
    Operator.ADD_OVERFLOWS: lambda v, w: _leaves(signed(v[0], w) + signed(v[1], w), w),
    Operator.SUBTRACT_OVERFLOWS: lambda v, w: _leaves(signed(v[0], w) - signed(v[1], w), w),
    Operator.MULTIPLY_OVERFLOWS: lambda v, w: _leaves(signed(v[0], w) * signed(v[1], w), w),
    Operator.NEGATE: lambda v, w: -v[0] & ones(w),
    Operator.COMPLEMENT: lambda v, w: ~v[0] & ones(w),
    Operator.ADD: lambda v, w: (v[0] + v[1]) & ones(w),
    Operator.SUBTRACT: lambda v, w: (v[0] - v[1]) & ones(w),
    Operator.MULTIPLY: lambda v, w: (v[0] * v[1]) & ones(w),
    Operator.DIVIDE: lambda v, w: v[0] // v[1] if v[1] else ones(w),
    Operator.REMAINDER: lambda v, w: v[0] % v[1] if v[1] else v[0],
    Operator.SIGNED_DIVIDE: lambda v, w: _signed_divide(v[0], v[1], w),
    Operator.SIGNED_REMAINDER: lambda v, w: _signed_remainder(v[0], v[1], w),
    Operator.BIT_AND: lambda v, w: v[0] & v[1],
    Operator.BIT_OR: lambda v, w: v[0] | v[1],
    Operator.BIT_XOR: lambda v, w: v[0] ^ v[1],
    Operator.SHIFT_LEFT: lambda v, w: v[0] << v[1] & ones(w) if v[1] < w else 0,
    Operator.SHIFT_RIGHT: lambda v, w: v[0] >> v[1] if v[1] < w else 0,
    Operator.SIGNED_SHIFT_RIGHT: lambda v, w: signed(v[0], w) >> min(v[1], w - 1) & ones(w),
}
