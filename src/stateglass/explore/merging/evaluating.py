"""Expressions as terms, in the frame and on the way at hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import final

from stateglass.explore.meaning.expressions import Expressions
from stateglass.explore.meaning.paths import Paths
from stateglass.explore.merging.contents import Content
from stateglass.explore.merging.context import Context
from stateglass.explore.merging.places import Later, MergedPlaces
from stateglass.explore.merging.pointers import MergedPointers
from stateglass.program import Constant, Convert, Expression, Function, Pointer, Scalar
from stateglass.program.walk import nodes_in
from stateglass.smt import Term
from stateglass.source import Span
from stateglass.values.symbolic import NoTerms


@final
class Applying:
    """Applies operators at once; what terms cannot express ends the way at hand."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def constant(self, value: Term) -> Term:
        return value

    def one(self, apply: Callable[[Term], Term], a: Term, span: Span) -> Term:
        try:
            return apply(a)
        except NoTerms as reason:
            raise self._refused(reason, span) from reason

    def two(self, apply: Callable[[Term, Term], Term], a: Term, b: Term, span: Span) -> Term:
        try:
            return apply(a, b)
        except NoTerms as reason:
            raise self._refused(reason, span) from reason

    with_constant = two

    def _refused(self, reason: NoTerms, span: Span) -> AssertionError:
        self._context.lose(f"{reason} for all inputs at once", self._context.terms.true, span)
        return AssertionError("the way at hand has ended")


@final
class Evaluating:
    """Evaluates what the functions of a program compute."""

    def __init__(self, context: Context) -> None:
        self._domain = context.domain
        self._applying = Applying(context)
        paths = Paths(context.memory, context.find, self._later)
        self.places = MergedPlaces(context, paths)
        self.expressions: Expressions[Term, Term, list[Content]]
        self.expressions = Expressions(
            context.domain, self._applying, MergedPointers(context, self.places), self.places
        )

    def value(self, node: Expression) -> Term:
        return self.expressions.value(node)

    def _later(self, node: Expression) -> Later:
        """What is wrong with a subscript shows after what is wrong with the pointer before it."""
        return partial(self.value, node)

    def converted(self, source: Scalar, target: Scalar, value: Term, span: Span) -> Term:
        convert = self._domain.convert(source, target, span)
        return value if convert is None else self._applying.one(convert, value, span)


def fixed_addresses(function: Function) -> set[int]:
    """The numbers that a function uses as addresses."""
    found: set[int] = set()
    for block in function.blocks:
        for node in (*block.statements, block.terminator):
            for inner in nodes_in(node):
                match inner:
                    case Constant(number, Pointer()) | Convert(Constant(number), Pointer()) if number:
                        found.add(number)
                    case _:
                        pass
    return found
