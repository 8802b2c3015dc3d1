"""Calls that are known in full: where they lead, and which comparisons hold before them.

Most wrong guesses at a condition are refuted by one of these, and the solver need not be asked about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from stateglass.program.bits import ones
from stateglass.reflexion.chance import Chance, Ground, Pair, Valuation
from stateglass.smt import Batch, Column, Columns, NotInBatches, Operator, Term, needed

FEWEST: Final = 4
MOST: Final = 64
"""Calls that are computed for each example, itself and others like it."""
STEPS: Final = 60_000_000
"""Terms that are computed over all calls together: a large machine gets fewer calls."""
TOGETHER: Final = 4096
"""Calls that are computed in one go."""

Truths = NDArray[np.bool_]
"""For each call, whether each comparison holds."""
Set = int
"""A set of calls: bit n is whether the n-th is in it."""


@final
class Calls:
    """Those from one state; the first are the simplest."""

    def __init__(
        self, targets: NDArray[np.int64], truths: Truths, valuations: Mapping[Term, Column] | None = None
    ) -> None:
        self.valuations = Columns(valuations or {}, len(targets))  # those of the first calls
        self._count = len(targets)
        self._leading = {int(t): _set_of(targets == t) for t in np.unique(targets)}
        self.before: list[Set] = [_set_of(column) for column in truths.T]  # which of the comparisons

    @property
    def every(self) -> Set:
        return (1 << self._count) - 1

    def leading_to(self, targets: Sequence[int]) -> Set:
        found = 0
        for target in targets:
            found |= self._leading.get(target, 0)
        return found

    def with_all(self, case: Iterable[tuple[int, bool]]) -> Set:
        """Before which all of some comparisons hold, or do not."""
        found = self.every
        for place, holds in case:
            found &= self.before[place] if holds else ~self.before[place]
        return found

    def truths(self, call: int) -> list[bool]:
        """What holds before one call."""
        return [bool(holds >> call & 1) for holds in self.before]

    def add(self, target: int, truths: Iterable[object]) -> None:
        one = 1 << self._count
        self._count += 1
        self._leading[target] = self._leading.get(target, 0) | one
        for place, holds in enumerate(truths):
            if holds:
                self.before[place] |= one


@final
class Samples:
    """Calls by the state before them."""

    def __init__(self, ground: Ground, atoms: Sequence[Term], examples: Mapping[Pair, Valuation]) -> None:
        self._atoms = len(atoms)
        self._calls: dict[int, Calls] = {}
        roots = list(dict.fromkeys([*ground.placing.roots, *atoms]))
        try:
            batch = Batch(roots)
        except NotInBatches:
            return
        chance = Chance(ground, seed=len(examples))
        size = len(ground.terms) + sum(t not in ground.terms for t in needed(atoms))
        each = max(FEWEST, min(MOST, STEPS // max(1, len(examples) * size)))
        pools = _pools(atoms)
        valuations = list(examples.values())
        sources, targets, truths, given = [], [], [], []
        for start in range(0, len(valuations), TOGETHER // each):
            some = valuations[start : start + TOGETHER // each]
            count = len(some) * each
            given.append(chance.like(some, each, pools))
            columns = dict(zip(roots, batch.run(given[-1], count), strict=True))
            where = ground.placing.of(columns)
            sources.append(np.where(where.counted, where.sources, -1))
            targets.append(where.targets)
            truths.append(np.array([columns[a] for a in atoms], np.bool_).reshape(len(atoms), count).T)
        if valuations:
            known = {variable: np.concatenate([columns[variable] for columns in given]) for variable in given[0]}
            self._sort({s for s, _ in examples}, known, *map(np.concatenate, (sources, targets, truths)))

    def _sort(
        self,
        wanted: set[int],
        known: Mapping[Term, Column],
        sources: NDArray[np.int64],
        targets: NDArray[np.int64],
        truths: Truths,
    ) -> None:
        """Sorts calls by source; of those that lead to one state, with the same comparisons true, the first is kept."""
        for source in wanted:
            mine = np.flatnonzero(sources == source)
            alike = np.column_stack((targets[mine], np.packbits(truths[mine], axis=1)))
            _, first = np.unique(alike, axis=0, return_index=True)
            chosen = mine[np.sort(first)]
            self._calls[source] = Calls(targets[chosen], truths[chosen], {v: c[chosen] for v, c in known.items()})

    def of(self, source: int) -> Calls:
        """The calls from a state."""
        if source not in self._calls:
            self._calls[source] = Calls(np.zeros(0, np.int64), np.zeros((0, self._atoms), np.bool_))
        return self._calls[source]


def first_of(calls: Set) -> int:
    """The number of the first call of a set that has some."""
    return (calls & -calls).bit_length() - 1


def _set_of(calls: Truths) -> Set:
    return int.from_bytes(np.packbits(calls, bitorder="little").tobytes(), "little")


def _pools(atoms: Sequence[Term]) -> dict[Term, list[int]]:
    """For each variable, what it is compared with, and what lies beside that."""
    found: dict[Term, set[int]] = {}
    for atom in atoms:
        parts = needed([atom])
        constants = [t.extra for t in parts if t.operator is Operator.VALUE and t.width]
        for variable in (t for t in parts if t.operator is Operator.VARIABLE and t.width):
            near = {c + by & ones(variable.width) for c in constants for by in (-1, 0, 1)}
            found.setdefault(variable, {0, 1}).update(near)
    return {variable: sorted(values) for variable, values in found.items()}
