"""What expressions come to, once the variables in them have values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never, final

from stateglass.system.fsp.actions import Truth, Value, Whole
from stateglass.system.fsp.nodes import (
    Booleans,
    Constant,
    Domain,
    Expression,
    Infix,
    Interval,
    Listed,
    Negative,
    Not,
    Operator,
    Variable,
)

Valuation = Mapping[str, Value]


@final
class Undefined(Exception):
    """Something has no value, or a process goes where it must not: it is in error, and the text says why."""


def evaluate(expression: Expression, valuation: Valuation) -> Value:
    match expression:
        case Constant(value):
            return value
        case Variable(name):
            return valuation[name]
        case Negative(operand):
            return Whole(-_number(evaluate(operand, valuation)))
        case Not(operand):
            return Truth(not holds(operand, valuation))
        case Infix(Operator.OR, left, right):
            return Truth(holds(left, valuation) or holds(right, valuation))
        case Infix(Operator.AND, left, right):
            return Truth(holds(left, valuation) and holds(right, valuation))
        case Infix(operator, left, right):
            return _combined(operator, evaluate(left, valuation), evaluate(right, valuation))
        case _:
            assert_never(expression)


def holds(condition: Expression, valuation: Valuation) -> bool:
    value = evaluate(condition, valuation)
    assert isinstance(value, Truth), "sorts were checked when the process was read"
    return value.holds


def contains(domain: Domain, value: Value, valuation: Valuation) -> bool:
    match domain:
        case Interval(low, high):
            if not isinstance(value, Whole):
                return False
            return _number(evaluate(low, valuation)) <= value.number <= _number(evaluate(high, valuation))
        case Booleans():
            return isinstance(value, Truth)
        case Listed(items):
            return any(evaluate(item, valuation) == value for item in items)
        case _:
            assert_never(domain)


def size(domain: Domain, valuation: Valuation) -> int:
    """How many values a domain has at most."""
    match domain:
        case Interval(low, high):
            return max(0, _number(evaluate(high, valuation)) - _number(evaluate(low, valuation)) + 1)
        case Booleans():
            return 2
        case Listed(items):
            return len(items)
        case _:
            assert_never(domain)


def members(domain: Domain, valuation: Valuation) -> list[Value]:
    """The values of a domain, each once, in order."""
    match domain:
        case Interval(low, high):
            numbers = range(_number(evaluate(low, valuation)), _number(evaluate(high, valuation)) + 1)
            return [Whole(number) for number in numbers]
        case Booleans():
            return [Truth(False), Truth(True)]
        case Listed(items):
            return list(dict.fromkeys(evaluate(item, valuation) for item in items))
        case _:
            assert_never(domain)


def _number(value: Value) -> int:
    assert isinstance(value, Whole), "sorts were checked when the process was read"
    return value.number


def _combined(operator: Operator, left: Value, right: Value) -> Value:
    if operator is Operator.EQUAL:
        return Truth(left == right)
    if operator is Operator.UNEQUAL:
        return Truth(left != right)
    a, b = _number(left), _number(right)
    match operator:
        case Operator.LESS:
            return Truth(a < b)
        case Operator.LESS_EQUAL:
            return Truth(a <= b)
        case Operator.GREATER:
            return Truth(a > b)
        case Operator.GREATER_EQUAL:
            return Truth(a >= b)
        case Operator.ADD:
            return Whole(a + b)
        case Operator.SUBTRACT:
            return Whole(a - b)
        case Operator.MULTIPLY:
            return Whole(a * b)
        case Operator.DIVIDE | Operator.REMAINDER:
            return Whole(_divided(operator, a, b))
        case Operator.OR | Operator.AND:
            raise AssertionError("evaluated only as far as needed, by the caller")
        case _:
            assert_never(operator)


def _divided(operator: Operator, a: int, b: int) -> int:
    """As C does: the quotient is cut towards zero, the remainder has the sign of the dividend."""
    if not b:
        raise Undefined(f"{a} {operator.value} 0 has no value")
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if operator is Operator.DIVIDE else a - quotient * b
