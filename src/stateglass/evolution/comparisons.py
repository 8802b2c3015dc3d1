"""What conditions can be made of: comparisons of the columns of a table with constants and with each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.check.arithmetic import Column
from stateglass.evolution.matching import numbered
from stateglass.graphs.adjacency import Indices
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate, Text
from stateglass.model import Proposition, Sort
from stateglass.model.model import Flags

_MOST_CONSTANTS: Final = 16
"""A column with more values is compared with some of them only."""
_ORDERED: Final = (Sort.INT, Sort.FLOAT)
_SAME: Final = (Operator.EQUAL, Operator.NOT_EQUAL)
_COSTS: Final = {
    Operator.EQUAL: 1.0,
    Operator.NOT_EQUAL: 1.3,
    Operator.LESS: 1.15,
    Operator.GREATER: 1.15,
    Operator.LESS_EQUAL: 1.2,
    Operator.GREATER_EQUAL: 1.2,
}
_COMPARE: Final = {
    Operator.EQUAL: np.equal,
    Operator.NOT_EQUAL: np.not_equal,
    Operator.LESS: np.less,
    Operator.GREATER: np.greater,
    Operator.LESS_EQUAL: np.less_equal,
    Operator.GREATER_EQUAL: np.greater_equal,
}
_TWO, _TWO_UNORDERED = 1.0, 1.4
"""What a second variable costs more than a constant: that two flags are equal is mostly chance."""


@final
@dataclass(frozen=True, eq=False)
class Test:
    """A condition on one row, where it is true, and how much a reader minds it. `columns` are those it reads."""

    predicate: Predicate
    true: Flags
    cost: float
    columns: tuple[str, ...]


@final
class Comparisons:
    """All conditions on some rows of a table; `taken` are names that constants must not be taken for."""

    def __init__(self, columns: Sequence[Proposition], wanted: Flags, taken: Collection[str]) -> None:
        self._columns = columns
        self._taken = frozenset(taken)
        # From all rows, so that a limit is met even if a sample has no row at it.
        self._constants = [_constants(p, wanted) for p in columns]

    def tests(self, rows: npt.NDArray[np.int64], *, between: bool) -> list[Test]:
        """What can be asked of these rows and is not the same for all of them; `between` variables, too, or not."""
        parts = [(p, p.values[rows], None if p.defined is None else p.defined[rows]) for p in self._columns]
        found: list[Test] = []
        for (proposition, values, defined), constants in zip(parts, self._constants, strict=True):
            if defined is not None and not defined.all():
                found += self._undefined(proposition, defined)
            single = self._single(proposition, Column(values, defined), constants)
            # What is true of all values that there are says no more than that there is one.
            found += [test for test in single if defined is None or (test.true != defined).any()]
        for (one, left, in_left), (other, right, in_right) in combinations(parts, 2) if between else ():
            if _comparable(one, other, left, right):
                found += _between(one, other, Column(left, in_left), Column(right, in_right))
        return [test for test in found if test.true.any() and not test.true.all()]

    def _undefined(self, proposition: Proposition, defined: Flags) -> Iterator[Test]:
        for operator, true in ((Operator.EQUAL, ~defined), (Operator.NOT_EQUAL, defined)):
            predicate = Applied(operator, (Named(proposition.name), Text("?")))
            yield Test(predicate, true, 2.0, (proposition.name,))

    def _single(self, proposition: Proposition, column: Column, constants: list[Any]) -> Iterator[Test]:
        name = Named(proposition.name)
        values, defined = column.values, column.defined
        if proposition.sort is Sort.BOOL and not proposition.names:
            yield Test(name, _true(values != 0, defined), 0.9, (name.name,))
            yield Test(Applied(Operator.NOT, (name,)), _true(values == 0, defined), 0.95, (name.name,))
            return
        for value in constants:
            shown = self._constant(proposition, value)
            ordered = proposition.sort in _ORDERED and isinstance(shown, Number)
            for operator in (*_SAME, *_limits(value)) if ordered else _SAME:
                true = _true(_COMPARE[operator](values, value), defined)
                yield Test(Applied(operator, (name, shown)), true, _COSTS[operator], (name.name,))

    def _constant(self, proposition: Proposition, value: Any) -> Predicate:
        """A value as it is written beside the proposition: by name, unless that could be taken for something else."""
        if proposition.sort is Sort.FLOAT:
            return Number(float(value))
        number = int(value)
        named = dict(proposition.names).get(number)
        if named is None or [text for _, text in proposition.names].count(named) > 1:
            return Number(number)
        plain = proposition.sort is Sort.ENUM and named not in self._taken
        return Named(named) if plain else Text(named)


def _limits(value: Any) -> tuple[Operator, Operator]:
    """How to say that something is beyond a value; `x > 0` is what people write for `x >= 1`."""
    if value == 0:
        return Operator.LESS, Operator.GREATER
    return Operator.LESS_EQUAL, Operator.GREATER_EQUAL


def _constants(proposition: Proposition, wanted: Flags) -> list[Any]:
    """The values to compare with: all if they are few, else the most frequent of the wanted rows, and limits."""
    values = proposition.values
    if proposition.defined is not None:
        values, wanted = values[proposition.defined], wanted[proposition.defined]
    if not len(values):
        return []
    if values.dtype == np.int64:
        distinct, numbers = numbered(values)
    else:
        distinct, places = np.unique(values, return_inverse=True)
        numbers = places.astype(np.int32)
    if len(distinct) <= _MOST_CONSTANTS:
        return list(distinct)
    inside = np.bincount(numbers[wanted], minlength=len(distinct))
    outside = np.bincount(numbers[~wanted], minlength=len(distinct))
    chosen = set(np.argsort(-inside, kind="stable")[: _MOST_CONSTANTS // 4].tolist())
    met = np.flatnonzero(inside)
    chosen |= {int(met[0]), int(met[-1])} if len(met) else set()
    _add_limits(inside, outside, 0, len(distinct), chosen, depth=3)
    return [distinct[n] for n in sorted(chosen)]


def _add_limits(inside: Indices, outside: Indices, start: int, end: int, chosen: set[int], depth: int) -> None:
    """Adds the values on both sides of the limit that parts the wanted rows best from the others, then within parts."""
    here, there = inside[start:end], outside[start:end]
    if depth == 0 or end - start < 2 or not here.any() or not there.any():
        return
    apart = np.abs(np.cumsum(here) / here.sum() - np.cumsum(there) / there.sum())
    limit = start + int(np.argmax(apart[:-1]))
    chosen.update((limit, limit + 1))
    _add_limits(inside, outside, start, limit + 1, chosen, depth - 1)
    _add_limits(inside, outside, limit + 1, end, chosen, depth - 1)


def _comparable(one: Proposition, other: Proposition, left: npt.NDArray[Any], right: npt.NDArray[Any]) -> bool:
    """Whether a comparison of two columns can tell more than one with a constant, and means something."""
    if one.sort is not other.sort or one.sort is Sort.POINTER or left.dtype != right.dtype:
        return False
    if one.sort is Sort.ENUM and one.names != other.names:
        return False
    return bool(left.min() <= right.max() and right.min() <= left.max())


def _between(one: Proposition, other: Proposition, left: Column, right: Column) -> Iterator[Test]:
    defined = left.defined if right.defined is None else right.defined
    if left.defined is not None and right.defined is not None:
        defined = left.defined & right.defined
    less, equal = np.less(left.values, right.values), np.equal(left.values, right.values)
    truths = {Operator.EQUAL: equal, Operator.NOT_EQUAL: ~equal}
    if one.sort in _ORDERED:
        truths[Operator.LESS], truths[Operator.LESS_EQUAL] = less, less | equal
        truths[Operator.GREATER], truths[Operator.GREATER_EQUAL] = ~(less | equal), ~less
    more = _TWO if one.sort in _ORDERED else _TWO_UNORDERED
    for operator, true in truths.items():
        predicate = Applied(operator, (Named(one.name), Named(other.name)))
        yield Test(predicate, _true(true, defined), _COSTS[operator] + more, (one.name, other.name))


def _true(values: Flags, defined: Flags | None) -> Flags:
    return values if defined is None else values & defined
