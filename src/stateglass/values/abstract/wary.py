"""The abstract domain for those who want to hear of undefined behaviour: what C gives no meaning does not just wrap."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import final

from stateglass.program import BinaryOperator, Comparison, Int, Number, Scalar, UnaryOperator
from stateglass.program.faults import FaultKind
from stateglass.source import Span
from stateglass.values.abstract.domain import AbstractDomain, Operation
from stateglass.values.abstract.faults import may_fault, may_fault_converting, must_fault
from stateglass.values.abstract.sets import Value
from stateglass.values.domain import TRUTH, Fault

Note = Callable[[FaultKind, Span], None]
"""Hears of a fault that some of the values at hand have, and others do not."""


@final
class WaryDomain:
    """The abstract domain, except that operators note for which values C gives them no meaning."""

    def __init__(self, heeded: Collection[FaultKind], note: Note) -> None:
        """Faults that are not `heeded` wrap as in the plain domain; one that all values have is raised."""
        self._domain = AbstractDomain()
        self._heeded = heeded
        self._note = note
        self.constant = self._domain.constant
        self.decide = self._domain.decide

    def compare(self, operator: Comparison, type: Scalar, result: Int = TRUTH) -> Operation:
        return self._domain.compare(operator, type, result)

    def unary(self, operator: UnaryOperator, type: Number, span: Span) -> Callable[[Value], Value]:
        compute = self._domain.unary(operator, type, span)

        def wary(a: Value) -> Value:
            self._heed(may_fault(operator, a, 0, type), lambda: must_fault(operator, a, 0, type), span)
            return compute(a)

        return wary

    def binary(self, operator: BinaryOperator, type: Number, span: Span, counted: Scalar | None = None) -> Operation:
        compute = self._domain.binary(operator, type, span, counted)

        def wary(a: Value, b: Value) -> Value:
            kinds = may_fault(operator, a, b, type, counted)
            self._heed(kinds, lambda: must_fault(operator, a, b, type, counted), span)
            return compute(a, b)

        return wary

    def convert(self, source: Scalar, target: Scalar, span: Span) -> Callable[[Value], Value] | None:
        compute = self._domain.convert(source, target, span)
        if compute is None:
            return None
        change = compute

        def wary(a: Value) -> Value:
            self._heed(may_fault_converting(a, source, target), lambda: isinstance(a, int), span)
            return change(a)

        return wary

    def _heed(self, kinds: tuple[FaultKind, ...], certain: Callable[[], bool], span: Span) -> None:
        for kind in kinds:
            if kind not in self._heeded:
                continue
            if certain():
                raise Fault(kind, span)
            self._note(kind, span)
