"""The truth of a predicate in a single state, with Python's numbers; what is out of the ordinary is not known here."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Final, assert_never, final

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


@final
class _Unknown(Exception):
    """What a value is cannot be said here."""


@final
class _Nothing(Exception):
    """There is no value: what has none does not hold."""


@final
class Values:
    """The values of one model, state by state."""

    def __init__(self, model: Model) -> None:
        self._propositions = {own.name: own for own in model.propositions}
        self._abstract = model.origin.relation is Relation.OVER
        self._known: dict[tuple[int, int], bool | None] = {}

    def is_true(self, predicate: Predicate, state: int) -> bool | None:
        """Whether a predicate holds in a state; None: not known."""
        key = (id(predicate), state)
        if key not in self._known:
            self._known[key] = self._truth(predicate, state)
        return self._known[key]

    def _truth(self, predicate: Predicate, state: int) -> bool | None:
        try:
            return self._number(predicate, state) != 0
        except _Nothing:
            return False
        except (_Unknown, RecursionError):
            return None

    def _number(self, predicate: Predicate, state: int, beside: Proposition | None = None) -> int:
        match predicate:
            case Number(value):
                if isinstance(value, float):
                    raise _Unknown
                return value
            case Text():
                raise _Unknown
            case Named():
                return self._named(predicate, state, beside)
            case Applied(operator_, (inner,)):
                return _unary(operator_, self._number(inner, state))
            case Applied(Operator.AND_ALSO, (left, right)):
                return int(self._number(left, state) != 0 and self._number(right, state) != 0)
            case Applied(Operator.OR_ELSE, (left, right)):
                return int(self._number(left, state) != 0 or self._number(right, state) != 0)
            case Applied(operator_, (left, right)):
                if isinstance(left, Text) or isinstance(right, Text):
                    return self._same_text(operator_, left, right, state)
                a = self._number(left, state, self._proposition(right))
                return _binary(operator_, a, self._number(right, state, self._proposition(left)))
            case Applied():
                raise _Unknown
            case _:
                assert_never(predicate)

    def _proposition(self, predicate: Predicate) -> Proposition | None:
        return self._propositions.get(predicate.name) if isinstance(predicate, Named) else None

    def _named(self, named: Named, state: int, beside: Proposition | None) -> int:
        own = self._propositions.get(named.name)
        if own is None:
            return self._enumerator(named.name, beside)
        if own.defined is not None and not own.defined[state]:
            raise _Nothing
        if own.sort is Sort.FLOAT or self._abstract:
            raise _Unknown
        return int(own.values[state])

    def _enumerator(self, name: str, beside: Proposition | None) -> int:
        if self._abstract:
            raise _Unknown
        for known in ([beside] if beside is not None else []) + list(self._propositions.values()):
            for value, text in known.names:
                if text == name:
                    return value
        if name not in ("true", "false"):
            raise _Unknown
        return int(name == "true")

    def _same_text(self, operator_: Operator, left: Predicate, right: Predicate, state: int) -> int:
        named, text = (left, right) if isinstance(right, Text) else (right, left)
        own = self._proposition(named)
        if own is None or not isinstance(text, Text) or self._abstract:
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
