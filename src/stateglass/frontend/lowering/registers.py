"""Registers: what lies at a fixed address, as in `*(volatile unsigned char *)0x46`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.conversions import wrap
from stateglass.program import Binary, BinaryOperator, Constant, Convert, Expression, Global, Int, Load, PointerAdd

_COMPUTED: Final[dict[BinaryOperator, Callable[[int, int], int]]] = {
    BinaryOperator.ADD: operator.add,
    BinaryOperator.SUBTRACT: operator.sub,
    BinaryOperator.MULTIPLY: operator.mul,
    BinaryOperator.OR: operator.or_,
}
"""What headers make addresses with."""


def fixed_address(pointer: Expression, symbols: Symbols) -> int | None:
    """The number that a pointer is made of; None if it is not made of one, or null."""
    number = _number(pointer, symbols)
    return number if number is not None and number > 0 else None


def _number(expression: Expression, symbols: Symbols) -> int | None:
    match expression:
        case Constant(value):
            return value
        case Convert(operand, type):
            number = _number(operand, symbols)
            return wrap(number, type) if number is not None and isinstance(type, Int) else number
        case Binary(kind, left, right, type) if kind in _COMPUTED and isinstance(type, Int):
            a, b = _number(left, symbols), _number(right, symbols)
            return None if a is None or b is None else wrap(_COMPUTED[kind](a, b), type)
        case PointerAdd(pointer, index, scale):
            start, steps = _number(pointer, symbols), _number(index, symbols)
            return None if start is None or steps is None else start + steps * scale
        case Load(Global(name)):
            constant = symbols.constant_pointer(name)
            return None if constant is None else _number(constant, symbols)
        case _:
            return None
