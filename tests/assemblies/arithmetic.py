"""The arithmetic of C on integers, as the action language of statecharts has it, written down by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Final, assert_never, final

from stateglass.design import Constant, Expression, Name, Operation
from stateglass.logic.predicates import Operator as O


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """An integer type of C; `bool` is one of one bit that is never truncated."""

    bits: int
    signed: bool

    def holds(self, value: int) -> bool:
        low = -(1 << (self.bits - 1)) if self.signed else 0
        return low <= value < low + (1 << self.bits)

    def converted(self, value: int) -> int:
        if self is BOOL:
            return int(value != 0)
        wrapped = value & ((1 << self.bits) - 1)
        return wrapped - (1 << self.bits) if self.signed and wrapped >> (self.bits - 1) else wrapped


BOOL: Final = Kind(1, False)
INT: Final = Kind(32, True)
KINDS: Final = {
    "bool": BOOL,
    "_Bool": BOOL,
    "char": Kind(8, True),
    "signed char": Kind(8, True),
    "unsigned char": Kind(8, False),
    "short": Kind(16, True),
    "unsigned short": Kind(16, False),
    "int": INT,
    "unsigned": Kind(32, False),
    "unsigned int": Kind(32, False),
    "long": Kind(64, True),
    "unsigned long": Kind(64, False),
}

Number = tuple[int, Kind]
"""A value and its type."""
Reads = Generator[Any, Any, Number]


class UndefinedInC(Exception):
    """What C leaves undefined; the text is the kind of error."""


def evaluated(expression: Expression, read: Callable[[Name], Reads]) -> Reads:
    """The value of an expression; each name is read when its turn comes, and only if it does."""
    match expression:
        case Constant(value, text=text):
            return value, kind_of_number(value, text)
        case Name():
            return (yield from read(expression))
        case Operation(O.AND_ALSO | O.OR_ELSE as operator, (left, right)):
            first, _ = yield from evaluated(left, read)
            if bool(first) is (operator is O.OR_ELSE):
                return int(first != 0), INT
            second, _ = yield from evaluated(right, read)
            return int(second != 0), INT
        case Operation(operator, (operand,)):
            return _unary(operator, (yield from evaluated(operand, read)))
        case Operation(operator, (left, right)):
            one = yield from evaluated(left, read)
            return _binary(operator, one, (yield from evaluated(right, read)))
        case Operation():
            raise AssertionError(expression)
        case other:
            assert_never(other)


def kind_of_number(value: int, text: str) -> Kind:
    """The type of a number as it is written (C11 6.4.4.1)."""
    match = re.fullmatch(r"(0x[0-9a-f]+|0[0-7]+|[0-9]+)(u?)(l?l?)(u?)", text.lower())
    base, *ends = match.groups() if match else (str(value), "", "", "")
    unsigned, wide = "u" in ends, bool(ends[1])
    kinds = [KINDS[name] for name in ("int", "unsigned int", "long", "unsigned long")]
    if wide:
        kinds = kinds[2:]
    if unsigned:
        kinds = [kind for kind in kinds if not kind.signed]
    elif base[0] != "0" or base == "0":
        kinds = [kind for kind in kinds if kind.signed]
    return next((kind for kind in kinds if kind.holds(value)), KINDS["unsigned long"])


def _unary(operator: O, operand: Number) -> Number:
    if operator is O.NOT:
        return int(not operand[0]), INT
    value, kind = _promoted(operand)
    return _result(-value if operator is O.MINUS else ~value, kind)


def _binary(operator: O, left: Number, right: Number) -> Number:
    if operator in (O.SHIFT_LEFT, O.SHIFT_RIGHT):
        return _shifted(operator, _promoted(left), _promoted(right)[0])
    (_, one), (_, other) = _promoted(left), _promoted(right)
    wide = max(one, other, key=lambda kind: (kind.bits, not kind.signed))
    a, b = wide.converted(left[0]), wide.converted(right[0])
    if operator in _COMPARISONS:
        return int(_COMPARISONS[operator](a, b)), INT
    if operator in (O.DIVIDE, O.REMAINDER):
        if b == 0:
            raise UndefinedInC("division")
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        _result(quotient, wide)
        return _result(quotient if operator is O.DIVIDE else a - quotient * b, wide)
    return _result(_OPERATIONS[operator](a, b), wide)


def _shifted(operator: O, left: Number, count: int) -> Number:
    value, kind = left
    if not 0 <= count < kind.bits:
        raise UndefinedInC("shift")
    if operator is O.SHIFT_RIGHT:
        return value >> count, kind
    if kind.signed and (value < 0 or not kind.holds(value << count)):
        raise UndefinedInC("shift")
    return kind.converted(value << count), kind


def _promoted(number: Number) -> Number:
    value, kind = number
    return number if kind.bits >= INT.bits else (value, INT)


def _result(value: int, kind: Kind) -> Number:
    if kind.signed and not kind.holds(value):
        raise UndefinedInC("overflow")
    return kind.converted(value), kind


_COMPARISONS: Final[dict[O, Callable[[int, int], bool]]] = {
    O.LESS: lambda a, b: a < b,
    O.LESS_EQUAL: lambda a, b: a <= b,
    O.GREATER: lambda a, b: a > b,
    O.GREATER_EQUAL: lambda a, b: a >= b,
    O.EQUAL: lambda a, b: a == b,
    O.NOT_EQUAL: lambda a, b: a != b,
}
_OPERATIONS: Final[dict[O, Callable[[int, int], int]]] = {
    O.ADD: lambda a, b: a + b,
    O.MINUS: lambda a, b: a - b,
    O.MULTIPLY: lambda a, b: a * b,
    O.BIT_AND: lambda a, b: a & b,
    O.BIT_OR: lambda a, b: a | b,
    O.BIT_XOR: lambda a, b: a ^ b,
}
