"""The variables that somebody watches: whether a piece of code has changed what they show."""

from __future__ import annotations

from typing import final

from stateglass.explore.merging.contents import Content
from stateglass.explore.merging.context import Context
from stateglass.explore.stretches.shapes import known_value
from stateglass.explore.stretches.whole import Whole
from stateglass.smt import Term


@final
class Watching:
    """Those of one run."""

    def __init__(self, whole: Whole, context: Context) -> None:
        self._cells = sorted(whole.watched)
        self._terms = whole.terms
        self._context = context

    def now(self) -> dict[int, Content]:
        """What they hold, by cell."""
        return {cell: self._context.content(cell) for cell in self._cells}

    def same(self, before: dict[int, Content]) -> Term:
        """Whether all of them show what they showed before."""
        pairs = [(cell, before[cell], content) for cell, content in self.now().items()]
        return self._terms.both(*(self._alike(a, b, self._context.width(cell)) for cell, a, b in pairs if a is not b))

    def _alike(self, one: Content, other: Content, width: int) -> Term:
        """Whether two contents show the same: of what has no value, one is like another."""
        terms = self._terms
        (a, is_one), (b, is_other) = (known_value(terms, content, width) for content in (one, other))
        return terms.either(
            terms.both(is_one, is_other, terms.equal(a, b)),
            terms.both(terms.negation(is_one), terms.negation(is_other)),
        )
