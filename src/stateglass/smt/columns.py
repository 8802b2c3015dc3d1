"""Terms computed for valuations that stay the same, each term once, when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

import numpy as np

from stateglass.smt.batch import WIDEST, Column, computed
from stateglass.smt.term import Term


@final
class Columns:
    """Some valuations; a variable that they do not give is 0."""

    def __init__(self, values: Mapping[Term, Column], count: int) -> None:
        self._values = values
        self._count = count
        self._known: dict[Term, Column | None] = {}  # None: wider than the machine's numbers, or made of such

    def any_with(self, facts: Iterable[Term]) -> bool:
        """Whether all of some facts are known to be true of one of the valuations."""
        found = np.ones(self._count, np.bool_)
        for fact in facts:
            column = self._column(fact)
            if column is None:
                return False
            found &= column
        return bool(found.any())

    def _column(self, term: Term) -> Column | None:
        known = self._known
        stack = [term]
        while stack:
            node = stack[-1]
            missing = [o for o in node.operands if o not in known]
            if missing and node not in known:
                stack += missing
                continue
            stack.pop()
            if node not in known:
                known[node] = self._made(node)
        return known[term]

    def _made(self, node: Term) -> Column | None:
        given: dict[Term, Column] = {}
        for operand in node.operands:
            column = self._known[operand]
            if column is None:
                return None
            given[operand] = column
        if node.width > WIDEST:
            return None
        with np.errstate(all="ignore"):
            return computed(node, given, self._values, self._count)
