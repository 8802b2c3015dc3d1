"""Conditions of a label map as functions on the cells; numbers are computed in 64 bits and wrap around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, assert_never, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.vague import as_number, is_vague
from stateglass.explore.code.computations import Evaluate
from stateglass.explore.doubts import Doubts
from stateglass.logic.predicates import Operator
from stateglass.program import BinaryOperator, Comparison, Int, Scalar, UnaryOperator
from stateglass.source import NOWHERE
from stateglass.system.maps import Combined, Condition, Named, Number, Prefixed, Target
from stateglass.values import Concrete, Domain, Fault, FaultKind
from stateglass.values.abstract import MAYBE, AbstractDomain, contains

WIDE: Final = Int(64, signed=True)
_COMPARISONS: Final = {o.value: o for o in Comparison}
_ARITHMETIC: Final = {o.value: o for o in BinaryOperator}
_DIVISIONS: Final = (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)

LoadOf = Callable[[Target], tuple[Evaluate, Scalar]]


@final
class Watches:
    """Builds the functions; `load_of` says how a variable of a condition is read, `vague` that values are abstract."""

    def __init__(self, load_of: LoadOf, doubts: Doubts, *, vague: bool) -> None:
        self._domain: Domain[Any] = AbstractDomain() if vague else Concrete((FaultKind.OVERFLOW, FaultKind.SHIFT))
        self._load_of = load_of
        self._doubts = doubts
        self._may_fail = False  # some of the values at hand have no result, others do

    def outcome(self, condition: Condition) -> Callable[[Cells], bool | None]:
        """Whether a condition holds. One that has no value does not: a variable has none yet, or 0 divides."""
        evaluate, decide, doubts = self._value(condition), self._domain.decide, self._doubts

        def outcome(cells: Cells) -> bool | None:
            self._may_fail = doubts.any = False
            try:
                found: bool | None = decide(evaluate(cells))
            except Fault:
                return False
            return None if found and (self._may_fail or doubts.any) else found

        return outcome

    def _value(self, condition: Condition) -> Evaluate:
        match condition:
            case Number(number):
                return lambda cells: number
            case Target():
                return self._variable(condition)
            case Prefixed(operator, operand):
                return self._prefixed(operator, self._value(operand))
            case Combined(operator, left, right):
                return self._combined(operator, self._value(left), self._value(right))
            case Named():
                raise AssertionError("names were resolved")
            case _:
                assert_never(condition)

    def _variable(self, target: Target) -> Evaluate:
        load, type = self._load_of(target)
        widen = self._domain.convert(type, WIDE, NOWHERE)
        if widen is None:
            return lambda cells: as_number(load(cells), WIDE)
        return lambda cells: widen(as_number(load(cells), type))

    def _prefixed(self, operator: Operator, operand: Evaluate) -> Evaluate:
        if operator is Operator.NOT:
            return lambda cells: _truth(_negated(self._domain.decide(operand(cells))))
        compute = self._domain.unary(UnaryOperator(operator.value), WIDE, NOWHERE)
        return lambda cells: compute(operand(cells))

    def _combined(self, operator: Operator, left: Evaluate, right: Evaluate) -> Evaluate:
        decide = self._domain.decide
        if operator in (Operator.AND_ALSO, Operator.OR_ELSE):
            # What decides alone: false for `&&`, true for `||`.
            strong = operator is Operator.OR_ELSE

            def either(cells: Any) -> Any:
                first = decide(left(cells))
                if first is strong:
                    return int(strong)
                try:
                    second = decide(right(cells))
                except Fault:
                    if first is not None:
                        raise
                    self._may_fail = True  # unless the left one alone decides
                    return int(strong)
                return int(strong) if second is strong else _truth(None if None in (first, second) else not strong)

            return either
        if operator.value in _COMPARISONS:
            compute = self._domain.compare(_COMPARISONS[operator.value], WIDE)
            return lambda cells: compute(left(cells), right(cells))
        return self._arithmetic(_ARITHMETIC[operator.value], left, right)

    def _arithmetic(self, operator: BinaryOperator, left: Evaluate, right: Evaluate) -> Evaluate:
        compute, divides = self._domain.binary(operator, WIDE, NOWHERE), operator in _DIVISIONS

        def apply(cells: Cells) -> Any:
            a, b = left(cells), right(cells)
            self._may_fail |= divides and is_vague(b) and contains(b, 0, WIDE)
            return compute(a, b)

        return apply


def _negated(outcome: bool | None) -> bool | None:
    return None if outcome is None else not outcome


def _truth(outcome: bool | None) -> Any:
    return MAYBE if outcome is None else int(outcome)
