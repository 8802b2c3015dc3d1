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
    Float,
    Int,
    Number,
    Pointer,
    Scalar,
    Type,
    representation,
)
from stateglass.program.floats import convert_float, from_int
from stateglass.source import Span


def promote(type: Type, int_type: Int) -> Number:
    """The integer promotions; floating-point numbers stay what they are."""
    if isinstance(type, Float):
        return type
    assert isinstance(type, Bool | Int | Enum)
    plain = representation(type)
    if plain.bits < int_type.bits:
        return int_type
    return plain


def common_type(left: Type, right: Type, int_type: Int) -> Number:
    """The usual arithmetic conversions. Types of the same width and sign are one type here, whatever their rank."""
    a, b = promote(left, int_type), promote(right, int_type)
    if isinstance(a, Float) or isinstance(b, Float):
        return max((t for t in (a, b) if isinstance(t, Float)), key=lambda t: t.digits)
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
    source = expression.type
    if isinstance(expression, Constant) and isinstance(type, Float) and not isinstance(source, Float):
        return Constant(from_int(expression.value, type.format), type, span)
    if isinstance(expression, Constant) and isinstance(type, Float) and isinstance(source, Float):
        return Constant(convert_float(expression.value, source.format, type.format), type, span)
    if isinstance(expression, Constant) and not isinstance(source, Float):
        if isinstance(type, Bool):
            return Constant(int(expression.value != 0), type, span)
        return Constant(wrap(expression.value, representation(type)), type, span)
    return Convert(expression, type, span)


def is_zero(expression: Expression, int_type: Int, span: Span) -> Expression:
    """`!expression`."""
    if isinstance(expression, Constant) and not isinstance(expression.type, Float):
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


def is_nonzero(expression: Expression, int_type: Int, span: Span) -> Expression:
    """A condition as something that is 0 or not: floating-point numbers have two zeros."""
    if not isinstance(expression.type, Float):
        return expression
    return Compare(Comparison.UNEQUAL, expression, Constant(0, expression.type, span), int_type, span)


def one(type: Number, span: Span) -> Constant:
    return Constant(from_int(1, type.format) if isinstance(type, Float) else 1, type, span)


def same_kind(one: Type, other: Type) -> bool:
    """Whether values of one type are values of the other as they are: all but what pointers point to is the same."""
    if isinstance(one, Pointer) and isinstance(other, Pointer):
        return True
    if isinstance(one, Int | Enum) and isinstance(other, Int | Enum):
        return representation(one) == representation(other)
    return one == other
