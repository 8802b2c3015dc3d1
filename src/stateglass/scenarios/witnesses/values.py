"""The truth of a predicate in a single state, with Python's numbers; what is out of the ordinary is not known here."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Final, assert_never

from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate, Text
from stateglass.model import Model, Proposition, Relation, Sort

_COMPARISONS: Final[dict[Operator, Callable[[int, int], bool]]] = {
    Operator.LESS: operator.lt,
    Operator.LESS_EQUAL: operator.le,
    Operator.GREATER: operator.gt,
    Operator.GREATER_EQUAL: operator.ge,
    Operator.EQUAL: operator.eq,
    Operator.NOT_EQUAL: operator.ne,
}
_ARITHMETIC: Final[dict[Operator, Callable[[int, int], int]]] = {
    Operator.ADD: operator.add,
    Operator.MINUS: operator.sub,
    Operator.MULTIPLY: operator.mul,
    Operator.BIT_AND: operator.and_,
    Operator.BIT_OR: operator.or_,
    Operator.BIT_XOR: operator.xor,
}


class _Unknown(Exception):
    """What a value is cannot be said here."""


class _Nothing(Exception):
    """There is no value: what has none does not hold."""


def is_true(predicate: Predicate, model: Model, state: int) -> bool | None:
    """Whether a predicate holds in a state; None: not known."""
    try:
        return _number(predicate, model, state) != 0
    except _Nothing:
        return False
    except (_Unknown, RecursionError):
        return None


def _number(predicate: Predicate, model: Model, state: int, beside: Proposition | None = None) -> int:
    match predicate:
        case Number(value):
            if isinstance(value, float):
                raise _Unknown
            return value
        case Text():
            raise _Unknown
        case Named():
            return _named(predicate, model, state, beside)
        case Applied(operator_, (inner,)):
            return _unary(operator_, _number(inner, model, state))
        case Applied(Operator.AND_ALSO, (left, right)):
            return int(_number(left, model, state) != 0 and _number(right, model, state) != 0)
        case Applied(Operator.OR_ELSE, (left, right)):
            return int(_number(left, model, state) != 0 or _number(right, model, state) != 0)
        case Applied(operator_, (left, right)):
            if Text in (type(left), type(right)):
                return _same_text(operator_, left, right, model, state)
            a = _number(left, model, state, _proposition(right, model))
            return _binary(operator_, a, _number(right, model, state, _proposition(left, model)))
        case Applied():
            raise _Unknown
        case _:
            assert_never(predicate)


def _proposition(predicate: Predicate, model: Model) -> Proposition | None:
    name = predicate.name if isinstance(predicate, Named) else None
    return next((own for own in model.propositions if own.name == name), None)


def _named(named: Named, model: Model, state: int, beside: Proposition | None) -> int:
    own = _proposition(named, model)
    if own is None:
        for known in [beside] if beside is not None else model.propositions:
            for value, text in known.names:
                if text == named.name and model.origin.relation is not Relation.OVER:
                    return value
        if named.name in ("true", "false"):
            return int(named.name == "true")
        raise _Unknown
    if own.defined is not None and not own.defined[state]:
        raise _Nothing
    if own.sort is Sort.FLOAT or model.origin.relation is Relation.OVER:
        raise _Unknown
    return int(own.values[state])


def _same_text(operator_: Operator, left: Predicate, right: Predicate, model: Model, state: int) -> int:
    named, text = (left, right) if isinstance(right, Text) else (right, left)
    own = _proposition(named, model)
    if own is None or not isinstance(text, Text) or model.origin.relation is Relation.OVER:
        raise _Unknown
    if own.defined is not None and not own.defined[state] and text.text != "?":
        raise _Nothing
    same = own.text(state) == text.text
    return int(same if operator_ is Operator.EQUAL else not same)


def _unary(operator_: Operator, value: int) -> int:
    match operator_:
        case Operator.NOT:
            return int(value == 0)
        case Operator.MINUS:
            return _fitting(-value)
        case Operator.COMPLEMENT:
            return _fitting(~value)
        case _:
            raise _Unknown


def _binary(operator_: Operator, a: int, b: int) -> int:
    if operator_ in _COMPARISONS:
        return int(_COMPARISONS[operator_](a, b))
    if operator_ in _ARITHMETIC:
        return _fitting(_ARITHMETIC[operator_](a, b))
    if operator_ in (Operator.DIVIDE, Operator.REMAINDER):
        if b == 0:
            raise _Nothing
        quotient = abs(a) // abs(b) * int(math.copysign(1, a) * math.copysign(1, b))
        return _fitting(quotient if operator_ is Operator.DIVIDE else a - quotient * b)
    if not 0 <= b <= 63:
        raise _Nothing
    if operator_ is Operator.SHIFT_RIGHT:
        return a >> b
    if a < 0:
        raise _Nothing
    return _fitting(a << b)


def _fitting(value: int) -> int:
    if not -(1 << 63) <= value < 1 << 63:
        raise _Unknown
    return value
