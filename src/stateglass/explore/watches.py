"""Conditions of a label map as functions on the cells; numbers are computed in 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, assert_never, final

from stateglass.explore.places import Evaluate
from stateglass.program import BinaryOperator, Comparison, Int, Scalar, UnaryOperator
from stateglass.source import NOWHERE
from stateglass.system.maps import Combined, Condition, Infix, Named, Number, Prefix, Prefixed, Target
from stateglass.values import Domain
from stateglass.values.abstract import MAYBE

WIDE: Final = Int(64, signed=True)
_COMPARISONS: Final = {o.value: o for o in Comparison}
_ARITHMETIC: Final = {o.value: o for o in BinaryOperator}

LoadOf = Callable[[Target], tuple[Evaluate, Scalar]]


@final
class Watches:
    """Builds the functions; `load_of` says how a variable of a condition is read."""

    def __init__(self, domain: Domain[Any], load_of: LoadOf) -> None:
        self._domain = domain
        self._load_of = load_of

    def value(self, condition: Condition) -> Evaluate:
        match condition:
            case Number(number):
                return lambda cells: number
            case Target():
                load, type = self._load_of(condition)
                widen = self._domain.convert(type, WIDE, NOWHERE)
                return load if widen is None else (lambda cells: widen(load(cells)))
            case Prefixed(operator, operand):
                return self._prefixed(operator, self.value(operand))
            case Combined(operator, left, right):
                return self._combined(operator, self.value(left), self.value(right))
            case Named():
                raise AssertionError("names were resolved")
            case _:
                assert_never(condition)

    def _prefixed(self, operator: Prefix, operand: Evaluate) -> Evaluate:
        match operator:
            case Prefix.NOT:
                return lambda cells: _truth(_negated(self._domain.decide(operand(cells))))
            case Prefix.NEGATE | Prefix.COMPLEMENT:
                compute = self._domain.unary(UnaryOperator(operator.value), WIDE, NOWHERE)
                return lambda cells: compute(operand(cells))
            case _:
                assert_never(operator)

    def _combined(self, operator: Infix, left: Evaluate, right: Evaluate) -> Evaluate:
        decide = self._domain.decide
        if operator in (Infix.AND_ALSO, Infix.OR_ELSE):
            # What decides alone: false for `&&`, true for `||`.
            strong = operator is Infix.OR_ELSE

            def either(cells: Any) -> Any:
                first = decide(left(cells))
                if first is strong:
                    return int(strong)
                second = decide(right(cells))
                return int(strong) if second is strong else _truth(None if None in (first, second) else not strong)

            return either
        if operator.value in _COMPARISONS:
            compute = self._domain.compare(_COMPARISONS[operator.value], WIDE)
        else:
            compute = self._domain.binary(_ARITHMETIC[operator.value], WIDE, NOWHERE)
        return lambda cells: compute(left(cells), right(cells))


def _negated(outcome: bool | None) -> bool | None:
    return None if outcome is None else not outcome


def _truth(outcome: bool | None) -> Any:
    return MAYBE if outcome is None else int(outcome)
