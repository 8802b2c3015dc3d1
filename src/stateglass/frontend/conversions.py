"""The conversions of C 6.3: promotions, usual arithmetic conversions, and constants converted at once."""

from __future__ import annotations

from stateglass.program import (
    Bool,
    Compare,
    Comparison,
    Constant,
    Convert,
    Enum,
    Expression,
    Int,
    Pointer,
    Scalar,
    Type,
    representation,
)
from stateglass.source import Span


def promote(type: Type, int_type: Int) -> Int:
    """The integer promotions."""
    assert isinstance(type, Bool | Int | Enum)
    plain = representation(type)
    if plain.bits < int_type.bits:
        return int_type
    return plain


def common_type(left: Type, right: Type, int_type: Int) -> Int:
    """The usual arithmetic conversions. Types of the same width and sign are one type here, whatever their rank."""
    a, b = promote(left, int_type), promote(right, int_type)
    if a.signed == b.signed:
        return a if a.bits >= b.bits else b
    signed, unsigned = (a, b) if a.signed else (b, a)
    return signed if signed.bits > unsigned.bits else unsigned


def wrap(value: int, type: Int) -> int:
    """An integer brought into the range of a type by dropping high bits."""
    value &= (1 << type.bits) - 1
    if type.signed and value >> (type.bits - 1):
        value -= 1 << type.bits
    return value


def convert(expression: Expression, type: Scalar, span: Span) -> Expression:
    """`expression` as a value of `type`."""
    if expression.type == type:
        return expression
    if isinstance(expression, Constant):
        if isinstance(type, Bool):
            return Constant(int(expression.value != 0), type, span)
        return Constant(wrap(expression.value, representation(type)), type, span)
    return Convert(expression, type, span)


def is_zero(expression: Expression, int_type: Int, span: Span) -> Expression:
    """`!expression`."""
    assert isinstance(expression.type, Bool | Int | Enum | Pointer)
    if isinstance(expression, Constant):
        return Constant(int(expression.value == 0), int_type, span)
    return Compare(Comparison.EQUAL, expression, Constant(0, expression.type, span), int_type, span)


def negated_constant(operator: str, operand: Expression) -> Constant | None:
    """`-c` and `~c` computed at once, unless that overflows (which is the program's business)."""
    if not isinstance(operand, Constant) or not isinstance(operand.type, Int):
        return None
    value = -operand.value if operator == "-" else ~operand.value
    type = operand.type
    if type.signed and not type.low <= value <= type.high:
        return None
    return Constant(wrap(value, type), type, operand.span)
