"""Where many valuations are before a call, and where it leads: all of them at once.

States are looked up, not tried one after the other. Most are conjunctions of equations over the same few terms, such as
`mode == 3 && sub == 1`: a decision tree over these terms leads a valuation to the few states that it may be in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.reflexion.formula import Formula
from stateglass.smt import WIDEST, Column, Operator, Term, evaluated

FEWEST: Final = 4
"""A term that fewer than one in so many states speak of is no use for telling them apart."""
NONE: Final = np.iinfo(np.int64).max
"""Greater than the number of any state."""

_State = tuple[int, dict[Term, int]]
"""The number of a state, and what it says of terms: all of that together is the state."""
_Rows = slice | Column
"""Some of the valuations."""


@final
@dataclass(frozen=True, slots=True)
class Placed:
    """For each valuation: whether it counts, and the numbers of its state and of what the call leads to."""

    counted: Column
    sources: Column
    targets: Column


@final
class Placing:
    """Places the valuations of one formula."""

    def __init__(self, formula: Formula) -> None:
        self._formula = formula
        self._before, self._after = (
            _Tree([(n, _said(s)) for n, s in enumerate(states) if s is not formula.terms.false])
            for states in (formula.inside, formula.after)
        )
        trees = (*self._before.terms(), *self._after.terms())
        self.roots: tuple[Term, ...] = tuple(dict.fromkeys((formula.counts, formula.early, *trees)))

    def of(self, columns: Mapping[Term, Column]) -> Placed:
        """From the columns of the roots."""
        formula, other = self._formula, self._formula.numbers.other
        early = columns[formula.early].astype(np.int64)
        before, after = np.full(len(early), other), np.full(len(early), other)
        self._before.look_up(columns, slice(None), before)
        self._after.look_up(columns, slice(None), after)
        return Placed(columns[formula.counts], before, np.where(early == other, after, early))

    def pair_of(self, valuation: Mapping[Term, int]) -> tuple[int, int]:
        """Where one valuation is, and where the call leads."""
        values = zip(self.roots, evaluated(self.roots, valuation), strict=True)
        where = self.of({term: np.array([value], _kind(term)) for term, value in values})
        return int(where.sources[0]), int(where.targets[0])


@final
class _Tree:
    """A decision tree: finds, for each valuation, the first state that it is in."""

    def __init__(self, states: Sequence[_State]) -> None:
        self._forks: list[_Fork] = []
        left = list(states)
        while (term := _telling(left)) is not None:
            self._forks.append(_Fork(term, [s for s in left if term in s[1]]))
            left = [s for s in left if term not in s[1]]
        self._left = left

    def terms(self) -> Iterator[Term]:
        """The terms whose values the tree asks for."""
        for fork in self._forks:
            yield from fork.terms()
        for _, said in self._left:
            yield from said

    def look_up(self, columns: Mapping[Term, Column], rows: _Rows, found: Column) -> None:
        """Lowers `found`, at these rows, to the number of the first state of this tree that a valuation is in."""
        for fork in self._forks:
            fork.look_up(columns, rows, found)
        for number, said in self._left:
            inside = found[rows] > number
            for term, value in said.items():
                inside &= columns[term][rows] == value
            found[np.flatnonzero(inside) if isinstance(rows, slice) else rows[inside]] = number


@final
class _Fork:
    """A node of a tree: states that say which value a term has, by that value."""

    def __init__(self, term: Term, states: Sequence[_State]) -> None:
        self._term = term
        by_value: dict[int, list[_State]] = {}
        for number, said in states:
            by_value.setdefault(said[term], []).append((number, {t: v for t, v in said.items() if t is not term}))
        self._values: Column = np.array(sorted(by_value), _kind(term))
        groups = [by_value[value] for value in sorted(by_value)]
        # A state that says nothing else holds for all with this value: whatever comes after it is never found.
        plain = [min((n for n, said in group if not said), default=NONE) for group in groups]
        self._plain = np.array(plain)
        self._inner = {
            place: _Tree([(n, said) for n, said in group if n < plain[place]])
            for place, group in enumerate(groups)
            if any(n < plain[place] for n, _ in group)
        }

    def terms(self) -> Iterator[Term]:
        yield self._term
        for tree in self._inner.values():
            yield from tree.terms()

    def look_up(self, columns: Mapping[Term, Column], rows: _Rows, found: Column) -> None:
        column = columns[self._term][rows]
        places = np.minimum(np.searchsorted(self._values, column), len(self._values) - 1)
        fits = self._values[places] == column
        found[rows] = np.minimum(found[rows], np.where(fits, self._plain[places], found[rows]))
        mine = np.flatnonzero(fits)
        if not self._inner or not len(mine):
            return
        mine = mine[np.argsort(places[mine], kind="stable")]
        distinct, starts = np.unique(places[mine], return_index=True)
        every = mine if isinstance(rows, slice) else rows[mine]
        for place, group in zip(distinct.tolist(), np.split(every, starts[1:]), strict=True):
            if place in self._inner:
                self._inner[place].look_up(columns, group, found)


def _telling(states: Sequence[_State]) -> Term | None:
    """The term that most of these states say a value of, if enough of them do."""
    counts: dict[Term, int] = {}
    for _, said in states:
        for term in said:
            counts[term] = counts.get(term, 0) + 1
    best = max(counts, key=lambda t: (counts[t], bool(t.width)), default=None)
    return best if best is not None and counts[best] >= max(2, len(states) // FEWEST) else None


def _said(state: Term) -> dict[Term, int]:
    """A state as the values that it says terms have; a condition that is no equation is a term with the value 1."""
    found: dict[Term, int] = {}
    for part in state.operands if state.operator is Operator.AND else (state,):
        term, value = part, 1
        if part.operator is Operator.NOT:
            term, value = part.operands[0], 0
        elif part.operator is Operator.EQUAL and part.operands[1].value is not None:
            term, value = part.operands[0], part.operands[1].extra
        if found.setdefault(term, value) != value:
            return {state: 1}  # x is 1 and x is 2
    return found


def _kind(term: Term) -> type:
    """The type of numbers in the column of a term."""
    if term.width == 0:
        return np.bool_
    return np.uint64 if term.width <= WIDEST else object
