"""C's operators on columns of values, one for each state; where there is no result, `defined` says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.logic.predicates import Operator
from stateglass.model.model import Flags

Values = Any  # an array of numpy, or one of its numbers, which stands for a column of equal ones
_LEAST: Final = np.int64(-(1 << 63))
_LARGE: Final = frozenset((np.dtype(np.uint64), np.dtype(object)))
"""Of numbers that 64 bits with a sign do not hold; those of Python only where negative ones are among them."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Values, and where they exist; None: everywhere."""

    values: Values
    defined: Flags | None


@final
class NeedsIntegers(Exception):
    """An operator of integers was applied to something else."""


def apply(operator: Operator, operands: Sequence[Column]) -> Column:
    """The result of an operator for every state."""
    with np.errstate(all="ignore"):
        if operator in (Operator.AND_ALSO, Operator.OR_ELSE):
            return _in_order(operator, truth(operands[0]), truth(operands[1]))
        if operator is Operator.NOT:
            return Column(~truth(operands[0]).values, operands[0].defined)
        defined = _both(*(operand.defined for operand in operands))
        values = [_numbers(operand.values) for operand in operands]
        if len(values) == 1:
            result, bad = _unary(operator, values[0])
        elif operator in _COMPARISONS:
            result, bad = _COMPARISONS[operator](*values), None
        else:
            result, bad = _binary(operator, *values)
        return Column(result, defined if bad is None else _both(defined, ~bad))


def truth(column: Column) -> Column:
    """Whether each value is other than zero."""
    return column if column.values.dtype == np.bool_ else Column(column.values != 0, column.defined)


def _both(*flags: Flags | None) -> Flags | None:
    known = [f for f in flags if f is not None]
    return None if not known else known[0] if len(known) == 1 else np.logical_and(*known)


def _in_order(operator: Operator, left: Column, right: Column) -> Column:
    """The right side does not matter where the left side decides."""
    decided = left.values if operator is Operator.OR_ELSE else ~left.values
    joined = np.logical_or if operator is Operator.OR_ELSE else np.logical_and
    values = joined(left.values, right.values)
    if right.defined is None:
        return Column(values, left.defined)
    # Where the right side has no value, its number must not count.
    values = np.where(decided, operator is Operator.OR_ELSE, values)
    return Column(values, _both(left.defined, decided | right.defined))


def _numbers(values: Values) -> Values:
    return values.astype(np.int64) if values.dtype == np.bool_ else values


def _unary(operator: Operator, a: Values) -> tuple[Values, Any]:
    if operator is Operator.COMPLEMENT and a.dtype == np.float64:
        raise NeedsIntegers
    if a.dtype in _LARGE:
        return _exactly(Operator.MINUS, np.int64(0 if operator is Operator.MINUS else -1), a)
    if operator is Operator.MINUS:
        return -a, (a == _LEAST if a.dtype == np.int64 else None)
    assert operator is Operator.COMPLEMENT
    return ~a, None


_COMPARISONS: Final[dict[Operator, Callable[[Values, Values], Values]]] = {
    Operator.LESS: np.less,
    Operator.LESS_EQUAL: np.less_equal,
    Operator.GREATER: np.greater,
    Operator.GREATER_EQUAL: np.greater_equal,
    Operator.EQUAL: np.equal,
    Operator.NOT_EQUAL: np.not_equal,
}
_FLOATS: Final[dict[Operator, Callable[[Values, Values], Values]]] = {
    Operator.ADD: np.add,
    Operator.MINUS: np.subtract,
    Operator.MULTIPLY: np.multiply,
    Operator.DIVIDE: np.divide,
}
_BITS: Final[dict[Operator, Callable[[Values, Values], Values]]] = {
    Operator.BIT_AND: np.bitwise_and,
    Operator.BIT_OR: np.bitwise_or,
    Operator.BIT_XOR: np.bitwise_xor,
}


def _binary(operator: Operator, a: Values, b: Values) -> tuple[Values, Any]:
    """The results, and where there is none."""
    if operator in (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT):
        return _shifted(operator, a, b)
    kinds = {a.dtype, b.dtype}
    if np.dtype(np.float64) in kinds:
        if operator not in _FLOATS:
            raise NeedsIntegers
        return _FLOATS[operator](a.astype(np.float64), b.astype(np.float64)), None
    if kinds & _LARGE:
        return _exactly(operator, a, b)
    return _signed(operator, a, b)


def _exactly(operator: Operator, a: Values, b: Values) -> tuple[Values, Any]:
    """The results for numbers that may need all 64 bits, computed with Python's integers."""
    a, b = _objects(a), _objects(b)
    if operator in _BITS:
        return _fitting(_BITS[operator](a, b))
    if operator not in (Operator.DIVIDE, Operator.REMAINDER):
        return _fitting(_FLOATS[operator](a, b))
    none = np.equal(b, 0)
    divisor = np.where(none, 1, b)
    sign = _objects(np.where(np.less(a, 0) != np.less(divisor, 0), -1, 1))
    quotient = _objects(np.abs(a)) // _objects(np.abs(divisor)) * sign
    result, bad = _fitting(quotient if operator is Operator.DIVIDE else a - quotient * divisor)
    return result, none | bad


def _objects(values: Values) -> Values:
    """The values as integers of Python, which have no limits."""
    return np.asarray(values, dtype=object) if isinstance(values, int) else np.asarray(values).astype(object)


def _fitting(results: Values) -> tuple[Values, Any]:
    """Integers of Python as a column, and where 64 bits, with or without a sign, do not hold them."""
    results = _objects(results)
    bad = np.less(results, int(_LEAST)) | np.greater_equal(results, 1 << 64)
    kept = _objects(np.where(bad, 0, results))
    for dtype, low, high in ((np.int64, int(_LEAST), 1 << 63), (np.uint64, 0, 1 << 64)):
        if np.all(np.greater_equal(kept, low) & np.less(kept, high)):
            return kept.astype(dtype), bad
    return kept, bad


def _signed(operator: Operator, a: Values, b: Values) -> tuple[Values, Any]:
    match operator:
        case Operator.ADD:
            result = a + b
            return result, ((a ^ result) & (b ^ result)) < 0
        case Operator.MINUS:
            result = a - b
            return result, ((a ^ b) & (a ^ result)) < 0
        case Operator.MULTIPLY:
            result = a * b
            divisor = np.where(a == 0, np.int64(1), a)
            wrong = (a != 0) & ((result // divisor != b) | (result % divisor != 0))
            return result, wrong | ((a == -1) & (b == _LEAST)) | ((b == -1) & (a == _LEAST))
        case Operator.DIVIDE | Operator.REMAINDER:
            bad = (b == 0) | ((a == _LEAST) & (b == -1))
            divisor = np.where(bad, np.int64(1), b)
            rest = np.fmod(a, divisor)
            return (rest if operator is Operator.REMAINDER else (a - rest) // divisor), bad
        case _:
            return _BITS[operator](a, b), None


def _shifted(operator: Operator, a: Values, b: Values) -> tuple[Values, npt.NDArray[np.bool_]]:
    if np.dtype(np.float64) in (a.dtype, b.dtype):
        raise NeedsIntegers
    bad = np.less(b, 0) | np.greater(b, 63)
    count = np.where(bad, 0, b).astype(np.int64)
    if a.dtype in _LARGE:
        left = operator is Operator.SHIFT_LEFT
        result, large = _fitting((np.left_shift if left else np.right_shift)(_objects(a), _objects(count)))
        return result, bad | large | (left & np.less(a, 0))
    if operator is Operator.SHIFT_RIGHT:
        return a >> count, bad
    result = a << count
    return result, bad | (a < 0) | (result >> count != a)
