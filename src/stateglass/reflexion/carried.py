"""A formula that tasks share, as plain data on its way to the processes that do them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import final

from stateglass.reflexion.chance import Ground
from stateglass.reflexion.formula import Formula
from stateglass.smt import Mark, Packed, Term


@final
class Carried:
    """Plain data of which each thread makes terms once, however many tasks it does."""

    def __init__(self, formula: Formula, more: Sequence[Term] = ()) -> None:
        """`more` terms go with it."""
        self.__setstate__((formula.packed(more), len(formula.inside), len(formula.events)))

    def __getstate__(self) -> tuple[Packed, int, int]:
        return self._data

    def __setstate__(self, data: tuple[Packed, int, int]) -> None:
        self._data = data
        self._local = threading.local()

    def made(self) -> tuple[Ground, list[Term]]:
        """The formula and the other terms, made once for each thread.

        Terms that an earlier task has added are forgotten: what a task answers must not depend on those before it.
        """
        known: tuple[Ground, list[Term], Mark] | None = getattr(self._local, "known", None)
        if known is None:
            formula, more = Formula.unpacked(*self._data)
            known = self._local.known = Ground(formula), more, formula.terms.mark()
        ground, more, mark = known
        ground.formula.terms.forget(mark)
        return ground, more
