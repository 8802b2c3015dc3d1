"""Finds all transitions: random valuations find most, the solver the rest, and proves that there are no others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, final

import numpy as np

from stateglass.reflexion.encoding import Encoding
from stateglass.smt import Answer, Batch, Column, NotInBatches, Operator, Solver, Term, Unanswered, needed

ROUND: Final = 1024
"""Valuations that are tried together."""
MOST_ROUNDS: Final = 60
FRUITLESS: Final = 6
"""Rounds without anything new after which the solver takes over."""
SIMPLER: Final = 6
"""Rounds that look for simpler valuations."""
GROUP: Final = 24
"""Sources that one question to the solver is about."""

Valuation = Mapping[Term, int]
Pair = tuple[int, int]


@final
class Search:
    """One search for valuations; everything found is kept for later questions."""

    def __init__(self, encoding: Encoding, seconds_each: float = 10.0, seed: int = 1) -> None:
        self._encoding = encoding
        self._terms = encoding.terms
        self._dice = np.random.default_rng(seed)
        self.pairs: dict[Pair, Valuation] = {}
        self._targets: dict[int, list[int]] = {}
        self._costs: dict[Pair, float] = {}
        self.undecided: set[int] = set()  # sources of which not all transitions may be known
        self.solver = Solver(milliseconds=max(1, int(seconds_each * 1000)))
        self.solver.add(encoding.counts)
        self._variables = [
            t for t in needed([encoding.counts, encoding.source, encoding.target]) if t.operator is Operator.VARIABLE
        ]
        self._pool = _constants(needed([encoding.source, encoding.target]))
        self.tried = 0

    def _keep(self, pair: Pair, valuation: Valuation) -> None:
        if pair not in self.pairs:
            self._targets.setdefault(pair[0], []).append(pair[1])
        self.pairs[pair] = valuation

    def targets(self, source: int) -> Sequence[int]:
        """Where calls lead from a state, in the order in which it was found out."""
        return self._targets.get(source, ())

    # ---- valuations by chance

    def by_chance(self, seconds: float) -> None:
        """Try random valuations as long as they find something new, then make those that were found simpler."""
        try:
            batch = Batch([self._encoding.counts, self._encoding.source, self._encoding.target])
        except NotInBatches:
            return
        deadline, fruitless = time.monotonic() + seconds, 0
        for number in range(MOST_ROUNDS):
            if fruitless >= FRUITLESS or time.monotonic() > deadline:
                break
            known = len(self.pairs)
            self._try(batch, self._columns(varied=number % 2 == 1))
            fruitless = fruitless + 1 if len(self.pairs) == known else 0
        for _ in range(SIMPLER):
            if self.pairs and time.monotonic() < deadline:
                self._try(batch, self._simpler_columns())

    def _try(self, batch: Batch, columns: dict[Term, Column]) -> None:
        counted, sources, targets = batch.run(columns, ROUND)
        self.tried += ROUND
        costs = sum((_cost(c, v.width) for v, c in columns.items()), np.zeros(ROUND))
        keys = np.where(counted, sources << np.uint64(16) | targets, np.uint64(0xFFFFFFFF))
        cheapest = np.lexsort((costs, keys))
        distinct, first = np.unique(keys[cheapest], return_index=True)
        for key, position in zip(distinct, cheapest[first], strict=True):
            pair = int(key) >> 16, int(key) & 0xFFFF
            if key != 0xFFFFFFFF and costs[position] < self._costs.get(pair, np.inf):
                self._costs[pair] = float(costs[position])
                self._keep(pair, {v: int(c[position]) for v, c in columns.items()})

    def _columns(self, *, varied: bool) -> dict[Term, Column]:
        """Constants of the code and their neighbours, small numbers, any numbers; or changes to what was found."""
        dice = self._dice
        seeds = list(self.pairs.values())
        chosen = [seeds[i] for i in dice.integers(len(seeds), size=ROUND)] if seeds and varied else []
        columns = {}
        for variable in self._variables:
            fresh = self._column(variable)
            if chosen:
                old = np.array([s.get(variable, 0) for s in chosen], fresh.dtype)
                fresh = np.where(dice.random(ROUND) < 0.7, old, fresh)
            columns[variable] = fresh
        return columns

    def _simpler_columns(self) -> dict[Term, Column]:
        """What was found, with some variables at 0 or 1, as many as chance will have it."""
        dice = self._dice
        seeds = list(self.pairs.values())
        chosen = [seeds[i] for i in np.arange(ROUND) % len(seeds)]
        share = dice.random(ROUND)
        columns = {}
        for variable in self._variables:
            old = np.array([s.get(variable, 0) for s in chosen], np.uint64 if variable.width else np.bool_)
            plain = (dice.random(ROUND) < 0.1).astype(old.dtype)
            columns[variable] = np.where(dice.random(ROUND) < share, plain, old)
        return columns

    def _column(self, variable: Term) -> Column:
        dice, width = self._dice, variable.width
        if width == 0:
            return dice.integers(2, size=ROUND).astype(np.bool_)
        mask = np.uint64((1 << width) - 1)
        pool = self._pool.get(width, [0, 1])
        constants = np.array(pool, np.uint64)[dice.integers(len(pool), size=ROUND)]
        anything = dice.integers(0, 1 << 63, size=ROUND, dtype=np.uint64) << np.uint64(1) | dice.integers(
            2, size=ROUND, dtype=np.uint64
        )
        small = dice.integers(0, 12, size=ROUND, dtype=np.uint64)
        kind = dice.random(ROUND)
        return np.where(kind < 0.6, constants, np.where(kind < 0.85, small, anything)) & mask

    # ---- valuations by proof

    def complete(self, sources: Iterable[int], progress: Callable[[int], None] = lambda done: None) -> None:
        """Find every transition out of some states, or know that it was not possible."""
        left = list(sources)
        eventful = self._eventful(left)
        done = 0
        for start in range(0, len(left), GROUP):
            group = left[start : start + GROUP]
            # Most often no transition is left even if nothing ever went wrong in a call, which is easier to prove.
            if not self._complete(group, self._encoding.would_lead_to, self._terms.true, tentative=True):
                self._complete(group, self._encoding.leads_to, self._returns())
            if eventful is not None:
                self._complete(group, self._encoding.leads_to, eventful)
            done += len(group)
            progress(done)

    def _eventful(self, sources: list[int]) -> Term | None:
        """Whether a call ends early; None if none does, whatever the valuation."""
        alive = [e.when for e in self._encoding.outcome.events if self.solver.check([e.when]) is not Answer.NO]
        return self._terms.either(*alive) if alive else None

    def _returns(self) -> Term:
        encoding, terms = self._encoding, self._terms
        return terms.either(*(encoding.leads_to(n) for n in range(encoding.numbers.other + 1)))

    def _complete(
        self, group: list[int], leads_to: Callable[[int], Term], within: Term, *, tentative: bool = False
    ) -> bool:
        """Find what is left; a tentative question only asks whether anything may be."""
        encoding, terms = self._encoding, self._terms
        while True:
            new = terms.either(*(self._unfound(s, leads_to) for s in group))
            answer = self.solver.check([new, within])
            if answer is Answer.NO:
                return True
            if answer is Answer.YES:
                pair = self.solver.value(encoding.source), self.solver.value(encoding.target)
                if pair not in self.pairs:
                    self._keep(pair, self.valuation())
                    continue
                assert tentative
            if tentative:
                return False
            if len(group) == 1:
                self.undecided.update(group)
                return False
            middle = len(group) // 2
            first = self._complete(group[:middle], leads_to, within)
            return self._complete(group[middle:], leads_to, within) and first

    def _unfound(self, source: int, leads_to: Callable[[int], Term]) -> Term:
        terms = self._terms
        found = [leads_to(t) for t in self._targets.get(source, ())]
        return terms.both(self._encoding.here(source), terms.negation(terms.either(*found)))

    def example(self, *facts: Term) -> Valuation | None:
        """A valuation for which all of some facts are true; None if there is none."""
        match self.solver.check(facts):
            case Answer.YES:
                return self.valuation()
            case Answer.NO:
                return None
            case _:
                raise Unanswered

    def valuation(self) -> Valuation:
        """The one that the solver has found."""
        return {v: self.solver.value(v) for v in self._terms.variables}


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
            near = {(term.extra + by) & ((1 << term.width) - 1) for by in (-1, 0, 1)}
            for width in {term.width, *(w for w in (8, 16, 32, 64) if w <= term.width)}:
                found.setdefault(width, {0, 1}).update(n & ((1 << width) - 1) for n in near)
    return {width: sorted(values) for width, values in found.items()}
