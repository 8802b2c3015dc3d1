"""Calls that are known in full: where they lead, and which comparisons hold before them.

Most wrong guesses at a condition are refuted by one of these, and the solver need not be asked about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from stateglass.program.bits import ones
from stateglass.reflexion.chance import Chance, Ground, Pair, Valuation
from stateglass.smt import Batch, NotInBatches, Operator, Term, needed

FEWEST: Final = 4
MOST: Final = 64
"""Calls that are computed for each example, itself and others like it."""
STEPS: Final = 60_000_000
"""Terms that are computed over all calls together: a large machine gets fewer calls."""
TOGETHER: Final = 4096
"""Calls that are computed in one go."""

Truths = NDArray[np.bool_]
"""For each call, or for one, whether each comparison holds."""


@final
class Samples:
    """Calls by the state before them; those that come first are the simplest."""

    def __init__(self, ground: Ground, atoms: Sequence[Term], examples: Mapping[Pair, Valuation]) -> None:
        self._atoms = len(atoms)
        self._targets: dict[int, NDArray[np.int64]] = {}
        self._truths: dict[int, Truths] = {}
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
        sources, targets, truths = [], [], []
        for start in range(0, len(valuations), TOGETHER // each):
            some = valuations[start : start + TOGETHER // each]
            count = len(some) * each
            columns = dict(zip(roots, batch.run(chance.like(some, each, pools), count), strict=True))
            where = ground.placing.of(columns)
            sources.append(np.where(where.counted, where.sources, -1))
            targets.append(where.targets)
            truths.append(np.array([columns[a] for a in atoms], np.bool_).reshape(len(atoms), count).T)
        if valuations:
            self._sort({s for s, _ in examples}, *map(np.concatenate, (sources, targets, truths)))

    def _sort(self, wanted: set[int], sources: NDArray[np.int64], targets: NDArray[np.int64], truths: Truths) -> None:
        """Sorts calls by source; of those that lead to one state, with the same comparisons true, the first is kept."""
        for source in wanted:
            mine = np.flatnonzero(sources == source)
            alike = np.column_stack((targets[mine], np.packbits(truths[mine], axis=1)))
            _, first = np.unique(alike, axis=0, return_index=True)
            chosen = mine[np.sort(first)]
            self._targets[source], self._truths[source] = targets[chosen], truths[chosen]

    def of(self, source: int) -> tuple[NDArray[np.int64], Truths]:
        """Where the calls from a state lead, and what holds before each."""
        nothing = np.zeros(0, np.int64), np.zeros((0, self._atoms), np.bool_)
        return self._targets.get(source, nothing[0]), self._truths.get(source, nothing[1])

    def add(self, source: int, target: int, truths: Truths) -> None:
        targets, rows = self.of(source)
        self._targets[source] = np.append(targets, target)
        self._truths[source] = np.vstack((rows, truths))


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
