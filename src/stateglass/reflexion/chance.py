"""Valuations by chance: they find most transitions without the solver.

Dice begin with a seed of their own for each task, and how many valuations are tried does not depend on time: so the
answer is the same on every machine. Values are drawn from the constants of the code and their neighbours, from small
numbers, and from anything: conditions mostly compare with constants, but not all do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, final

import numpy as np

from stateglass.program.bits import ones
from stateglass.reflexion.formula import Formula
from stateglass.reflexion.placing import Placing
from stateglass.smt import Batch, Column, NotInBatches, Operator, Term, needed

ROUND: Final = 1024
"""Valuations that are tried together."""
MOST_ROUNDS: Final = 60
LEAST_ROUNDS: Final = 8
MOST_STEPS: Final = 400_000
"""Terms that are computed over all rounds together: a larger function gets fewer rounds."""
FRUITLESS: Final = 6
"""Rounds without anything new after which the solver takes over."""
SIMPLER: Final = 6
"""Rounds that look for simpler valuations."""
NEAR: Final = 256
"""Valuations that are tried around one that the solver has found."""

NO_CONSTANTS: Final = np.array([0, 1], np.uint64)

Valuation = Mapping[Term, int]
Pair = tuple[int, int]


@final
class Ground:
    """What all who try valuations of one formula have in common."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.placing = Placing(formula)
        every = needed(formula.roots)
        self.terms: frozenset[Term] = frozenset(every)
        self.variables = [t for t in every if t.operator is Operator.VARIABLE]
        self.inside: frozenset[Term] = frozenset(needed(formula.inside))
        self.pool = {width: np.array(values, np.uint64) for width, values in _constants(every).items()}
        try:
            self.batch: Batch | None = Batch(self.placing.roots)
        except NotInBatches:
            self.batch = None


@final
class Chance:
    """Tries valuations, many at a time; of those that lead from one state to another the simplest is kept."""

    def __init__(self, ground: Ground, seed: int) -> None:
        self._ground = ground
        self._seed = seed
        self._dice = np.random.default_rng(seed)
        self.pairs: dict[Pair, Valuation] = {}
        self.targets: dict[int, list[int]] = {}
        self._costs: dict[Pair, float] = {}
        self._batch = ground.batch
        self.variables = ground.variables

    def keep(self, pair: Pair, valuation: Valuation) -> None:
        if pair not in self.pairs:
            self.targets.setdefault(pair[0], []).append(pair[1])
        self.pairs[pair] = valuation

    def search(self) -> None:
        """Try valuations as long as they find something new, then make those that were found simpler."""
        fruitless = 0
        for number in range(max(LEAST_ROUNDS, min(MOST_ROUNDS, MOST_STEPS // len(self._ground.terms)))):
            if fruitless >= FRUITLESS or self._batch is None:
                break
            known = len(self.pairs)
            self._try(self._columns(varied=number % 2 == 1), ROUND)
            fruitless = fruitless + 1 if len(self.pairs) == known else 0
        for _ in range(SIMPLER):
            if self.pairs and self._batch is not None:
                self._try(self._simpler_columns(), ROUND)

    def search_near(self, valuation: Valuation) -> Pair | None:
        """Tries valuations like this one; returns where this one leads, None if there is no batch to tell it.

        What the solver has found is often the first of a whole region: its neighbours are found without it.
        """
        if self._batch is None:
            return None
        columns = {}
        for variable in self.variables:
            fresh = self._column(variable, NEAR)
            fresh = np.where(self._dice.random(NEAR) < 0.8, fresh.dtype.type(valuation.get(variable, 0)), fresh)
            fresh[0] = valuation.get(variable, 0)
            columns[variable] = fresh
        return self._try(columns, NEAR)

    def like(
        self, valuations: Sequence[Valuation], each: int, pools: Mapping[Term, Sequence[int]]
    ) -> dict[Term, Column]:
        """Each of these valuations, followed by `each` - 1 others that differ from it in some variables.

        The new values are those of another valuation, or from a pool. Variables that the states speak of change seldom,
        so that most of the others are in the same state.
        """
        dice, count = self._dice, len(valuations) * each
        others = dice.integers(len(valuations), size=count)
        share = np.where(np.arange(count) % each == 0, 0.0, dice.random(count))
        within = [v for v in self.variables if v in self._ground.inside]
        columns = {}
        for variable in self.variables:
            fresh = self._column(variable, count)
            known = np.array([v.get(variable, 0) for v in valuations], fresh.dtype)
            if variable in pools:
                pool = np.array(pools[variable], fresh.dtype)
                fresh = np.where(dice.random(count) < 0.8, pool[dice.integers(len(pool), size=count)], fresh)
            fresh = np.where(dice.random(count) < 0.7, fresh, known[others])
            changed = dice.random(count) < (share / len(within) if variable in within else share)
            columns[variable] = np.where(changed, fresh, np.repeat(known, each))
        return columns

    def simplest(self, facts: Sequence[Term], valuation: Valuation) -> Valuation:
        """A simpler valuation for which the facts hold, too; it does not depend on what was tried before."""
        roots = [self._ground.formula.counts, *facts]
        try:
            batch = Batch(roots)
        except NotInBatches:
            return valuation
        dice = self._dice = np.random.default_rng(self._seed)
        best = {v: valuation.get(v, 0) for v in needed(roots) if v.operator is Operator.VARIABLE}
        for _ in range(SIMPLER):
            share = dice.random(ROUND)
            columns = {}
            for variable, value in best.items():
                fresh = self._column(variable, ROUND)
                plain = np.where(dice.random(ROUND) < 0.6, (dice.random(ROUND) < 0.2).astype(fresh.dtype), fresh)
                column = np.where(dice.random(ROUND) < share, plain, fresh.dtype.type(value))
                column[0] = value
                columns[variable] = column
            holds = np.logical_and.reduce(batch.run(columns, ROUND))
            assert holds[0], "the solver has found what is none"
            costs = sum((_cost(c, v.width) for v, c in columns.items()), np.zeros(ROUND))
            place = int(np.argmin(np.where(holds, costs, np.inf)))
            best = {v: int(c[place]) for v, c in columns.items()}
        return best

    def _try(self, columns: dict[Term, Column], count: int) -> Pair:
        """Runs a batch and keeps what is new or simpler; returns where the first of the valuations leads."""
        assert self._batch is not None
        placing = self._ground.placing
        where = placing.of(dict(zip(placing.roots, self._batch.run(columns, count), strict=True)))
        costs = sum((_cost(c, v.width) for v, c in columns.items()), np.zeros(count))
        # The cheapest of each pair comes first among those of its key.
        keys = np.where(where.counted, where.sources << 16 | where.targets, -1)
        cheapest = np.lexsort((costs, keys))
        distinct, first = np.unique(keys[cheapest], return_index=True)
        for key, position in zip(distinct.tolist(), cheapest[first].tolist(), strict=True):
            pair = key >> 16, key & 0xFFFF
            if key >= 0 and costs[position] < self._costs.get(pair, np.inf):
                self._costs[pair] = float(costs[position])
                self.keep(pair, {v: int(c[position]) for v, c in columns.items()})
        return int(where.sources[0]), int(where.targets[0])

    def _columns(self, *, varied: bool) -> dict[Term, Column]:
        """New valuations; `varied`: most variables are as in a valuation that was found before."""
        dice = self._dice
        seeds = list(self.pairs.values())
        chosen = [seeds[i] for i in dice.integers(len(seeds), size=ROUND)] if seeds and varied else []
        columns = {}
        for variable in self.variables:
            fresh = self._column(variable, ROUND)
            if chosen:
                old = np.array([s.get(variable, 0) for s in chosen], fresh.dtype)
                fresh = np.where(dice.random(ROUND) < 0.7, old, fresh)
            columns[variable] = fresh
        return columns

    def _simpler_columns(self) -> dict[Term, Column]:
        """The valuations that were found, with a random share of their variables set to 0 or 1."""
        dice = self._dice
        seeds = list(self.pairs.values())
        chosen = [seeds[i] for i in np.arange(ROUND) % len(seeds)]
        share = dice.random(ROUND)
        columns = {}
        for variable in self.variables:
            old = np.array([s.get(variable, 0) for s in chosen], np.uint64 if variable.width else np.bool_)
            plain = (dice.random(ROUND) < 0.1).astype(old.dtype)
            columns[variable] = np.where(dice.random(ROUND) < share, plain, old)
        return columns

    def _column(self, variable: Term, count: int) -> Column:
        dice, width = self._dice, variable.width
        if width == 0:
            return dice.integers(2, size=count).astype(np.bool_)
        mask = np.uint64(ones(width))
        pool = self._ground.pool.get(width, NO_CONSTANTS)
        constants = pool[dice.integers(len(pool), size=count)]
        anything = dice.integers(0, 1 << 63, size=count, dtype=np.uint64) << np.uint64(1) | dice.integers(
            2, size=count, dtype=np.uint64
        )
        small = dice.integers(0, 12, size=count, dtype=np.uint64)
        kind = dice.random(count)
        return np.where(kind < 0.6, constants, np.where(kind < 0.85, small, anything)) & mask


def _cost(column: Column, width: int) -> Column:
    """How much a value asks of a reader: nothing for 0, little for small numbers, whatever their sign."""
    if width == 0:
        return column.astype(np.float64) * 0.1
    shift = np.uint64(64 - width)
    size: Column = np.log2(1 + np.abs(((column << shift).view(np.int64) >> np.int64(64 - width)).astype(np.float64)))
    return size


def _constants(terms: Sequence[Term]) -> dict[int, list[int]]:
    """The constants of each width, and what lies beside them."""
    found: dict[int, set[int]] = {}
    for term in terms:
        if term.operator is Operator.VALUE and term.width:
            near = {(term.extra + by) & ones(term.width) for by in (-1, 0, 1)}
            for width in {term.width, *(w for w in (8, 16, 32, 64) if w <= term.width)}:
                found.setdefault(width, {0, 1}).update(n & ones(width) for n in near)
    return {width: sorted(values) for width, values in found.items()}
