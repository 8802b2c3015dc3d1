"""Where control goes for all inputs at once: each way with its conditions."""

from __future__ import annotations

from typing import assert_never, final

from stateglass.explore.meaning.statements import ranges_by_target
from stateglass.explore.merging.contents import Guard
from stateglass.explore.merging.context import Context, Lost
from stateglass.explore.merging.frames import Value
from stateglass.explore.merging.outcome import Kind
from stateglass.program import Branch, Comparison, Drop, Exit, Fail, Jump, Return, Scalar, Switch, Terminator
from stateglass.smt import Operator, Term
from stateglass.values import FaultKind


@final
class Control:
    """Goes on from the way at hand."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._terms = context.terms

    def ways_out(self, terminator: Terminator, operand: Value) -> list[tuple[int, Guard]]:
        """The blocks that follow, and under which conditions; `Lost` if the run is over."""
        context, terms = self._context, self._terms
        guard = context.way.guard
        match terminator:
            case Jump(target):
                return [(target, guard)]
            case Branch(_, then, other):
                assert isinstance(operand, Term)
                truth = context.domain.truth(operand)
                if truth.operator is Operator.VALUE:
                    return [(then if truth is terms.true else other, guard)]
                context.decisions[truth] = None
                return [(then, (*guard, truth)), (other, (*guard, terms.negation(truth)))]
            case Switch():
                assert isinstance(operand, Term)
                return self._switch(terminator, operand)
            case Exit(_, span):
                context.end(Kind.EXIT, "exit", terms.true, span)
                raise Lost
            case Fail(kind, span):
                context.note(FaultKind(kind), terms.true, span)
                raise Lost
            case Drop(span):
                context.end(Kind.DROPPED, "assumed otherwise", terms.true, span)
                raise Lost
            case Return():
                raise AssertionError("returns are dealt with before")
            case _:
                assert_never(terminator)

    def _switch(self, switch: Switch, value: Term) -> list[tuple[int, Guard]]:
        context, terms = self._context, self._terms
        fitting = {
            target: terms.either(*(self._is_within(value, *range, switch.value.type) for range in ranges))
            for target, ranges in ranges_by_target(switch).items()
        }
        none = terms.negation(terms.either(*fitting.values()))
        default = fitting.get(switch.default, terms.false)
        fitting[switch.default] = terms.either(default, none)
        ways = []
        for target, condition in fitting.items():
            if condition is terms.false:
                continue
            if condition is not terms.true:
                context.decisions[condition] = None
            ways.append((target, context.way.guard if condition is terms.true else (*context.way.guard, condition)))
        return ways

    def _is_within(self, value: Term, low: int, high: int, type: Scalar) -> Term:
        terms, domain = self._terms, self._context.domain
        least, most = domain.constant(low, type), domain.constant(high, type)
        if low == high:
            return terms.equal(value, least)
        at_least = domain.holds(Comparison.LESS_EQUAL, type, least, value)
        return terms.both(at_least, domain.holds(Comparison.LESS_EQUAL, type, value, most))
