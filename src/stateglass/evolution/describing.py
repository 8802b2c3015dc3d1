"""Sets of states in words: a small condition over propositions that is true exactly there.

The condition is searched on a sample of the rows; rows for which it turns out wrong join the sample, until it is right
for all of them or no small condition is left. Then the best one that is true for all of the set is said as what it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.check.names import Names
from stateglass.check.predicates import predicate_truth
from stateglass.evolution.comparisons import Comparisons, Test
from stateglass.evolution.covering import Rules, Tests, smallest, widest
from stateglass.evolution.matching import coded, combined
from stateglass.logic.expressions import predicate_text
from stateglass.logic.predicates import Applied, Named, Operator, Predicate, Text, joined_by
from stateglass.model import Model, Origin, Proposition, Relation
from stateglass.model.model import Flags

_SAMPLE: Final = 800
"""So many rows of each side are looked at first."""
_MORE: Final = 200
_ROUNDS: Final = 4
_SHORT: Final = 2.2
"""A condition that costs no more is not worth a search for a shorter one."""
_CALL: Final = r"`((?:[^`\\()]+)\(\)(?: #\d+)?)`"
_THROWS: Final = re.compile(rf'{_CALL} == "((?:throws|returns)\b[^"\\]*)"')
_UNASKED: Final = re.compile(rf'{_CALL} ([!=]=) "\?"')
_NO_VALUE: Final = re.compile(r'([\w.:\[\]>-]+) ([!=]=) "\?"')
_IN_QUOTES: Final = re.compile(
    r"`((?:[\w.:\[\]]+\((?:[\w.:\[\]]*)\)|argument \d+|choice \d+|the given [\w.]+)(?: #\d+)?)`"
)


@final
@dataclass(frozen=True, eq=False)
class Description:
    """A condition; without a predicate it is always true. Exact: it is true for the set and nothing else."""

    predicate: Predicate | None
    exact: bool

    @property
    def text(self) -> str:
        """The condition in C's notation; empty if there is none."""
        return "" if self.predicate is None else predicate_text(self.predicate)

    @property
    def prose(self) -> str:
        """The condition in a sentence: `f() throws E`, where in C's notation texts and quotes would be needed."""
        text = _THROWS.sub(r"\1 \2", self.text)
        text = _UNASKED.sub(lambda found: f"{found[1]} is {'not ' if found[2] == '==' else ''}called", text)
        text = _NO_VALUE.sub(lambda found: f"{found[1]} has {'no' if found[2] == '==' else 'a'} value", text)
        return _IN_QUOTES.sub(r"\1", text)

    def when(self, states: str = "cases") -> str:
        """The end of a sentence, with a blank before it: ` when x > 3`; empty where nothing need be said."""
        if self.exact:
            return f" when {self.prose}" if self.predicate is not None else ""
        return f" in some of the {states} where {self.prose}" if self.predicate is not None else f" in some {states}"


def at_rows(proposition: Proposition, rows: npt.NDArray[np.int64]) -> Proposition:
    """A proposition as a column of a table whose rows are about these states."""
    defined = None if proposition.defined is None else proposition.defined[rows]
    return replace(proposition, values=proposition.values[rows], defined=defined)


@final
class Among:
    """The rows of a table, among which sets of them are described, one after the other."""

    def __init__(self, columns: Sequence[Proposition], relation: Relation = Relation.EXACT) -> None:
        self._taken = frozenset(p.name for p in columns)
        told = _told_exactly(columns, relation)
        numbers = [coded(p).codes for p in told]
        varied = [n for n, codes in enumerate(numbers) if (codes != codes[0]).any()]
        rows = len(columns[0].values) if columns else 0
        self._classes = combined((numbers[n] for n in varied), rows)
        firsts = np.zeros(int(self._classes.max(initial=0)) + 1, dtype=np.int64)
        # From behind: the first row of each class stays.
        firsts[self._classes[::-1]] = np.arange(rows, dtype=np.int64)[::-1]
        self._columns = [at_rows(told[n], firsts) for n in varied]

    def describe(self, wanted: Flags) -> Description:
        """A condition that is true for these rows and no others."""
        assert wanted.any()
        if wanted.all():
            return Description(None, exact=True)
        if not self._columns:
            return Description(None, exact=False)
        good = np.bincount(self._classes, weights=wanted)
        # Rows that look like wanted ones and are not keep any condition from being exact.
        separable = bool(((good == 0) | (good == np.bincount(self._classes))).all())
        table = _Table(self._columns, good > 0, self._taken)
        found = table.search()
        if found is not None:
            return Description(found, exact=separable)
        return Description(table.approximation(), exact=False)


@final
class _Table:
    """Distinct rows, some of which are wanted."""

    def __init__(self, columns: Sequence[Proposition], wanted: Flags, taken: frozenset[str]) -> None:
        self._columns, self._wanted = columns, wanted
        self._comparisons = Comparisons(columns, wanted, taken)
        self._judge = _table_model(columns, len(wanted), Relation.EXACT)

    def search(self) -> Predicate | None:
        """A small condition for exactly the wanted rows, with comparisons of two variables where that is shorter."""
        if self._wanted.all():
            return None
        plain = self._found(between=False)
        if plain is not None and plain[0] <= _SHORT:
            return plain[1]
        crossed = self._found(between=True, mixed=plain is None)
        found = [rules for rules in (plain, crossed) if rules is not None]
        return min(found, key=lambda rules: rules[0])[1] if found else None

    def _found(self, *, between: bool, mixed: bool = True) -> tuple[float, Predicate] | None:
        """A condition for exactly the wanted rows, and how hard it is to read."""
        sample = self._first_sample()
        for _ in range(_ROUNDS):
            tests = self._comparisons.tests(sample, between=between)
            numbers = _numbers(tests, self._wanted[sample])
            rules = smallest(numbers, mixed=mixed) if tests else None
            if rules is None:
                return None
            predicate, wrong = self._judged(rules, tests)
            if not len(wrong):
                return numbers.cost(rules), predicate
            sample = np.union1d(sample, _some(wrong, _MORE))
        return None

    def approximation(self) -> Predicate | None:
        """The best condition that is true for all wanted rows, and for some others."""
        if self._wanted.all():
            return None
        sample = self._first_sample()
        for _ in range(_ROUNDS):
            tests = self._comparisons.tests(sample, between=True)
            chosen = widest(_numbers(tests, self._wanted[sample])) if tests else ()
            if not chosen:
                return None
            predicate = joined_by(Operator.AND_ALSO, (tests[n].predicate for n in chosen))
            missed = np.flatnonzero(self._wanted & ~self._where(predicate))
            if not len(missed):
                return predicate
            sample = np.union1d(sample, _some(missed, _MORE))
        return None

    def _first_sample(self) -> npt.NDArray[np.int64]:
        parts = [_some(np.flatnonzero(self._wanted), _SAMPLE), _some(np.flatnonzero(~self._wanted), _SAMPLE)]
        return np.sort(np.concatenate(parts))

    def _judged(self, rules: Rules, tests: list[Test]) -> tuple[Predicate, npt.NDArray[np.int64]]:
        """The condition as it is read, and the rows for which it is wrong."""
        predicate = _written(rules, tests, frozenset())
        wrong = np.flatnonzero(self._where(predicate) != self._wanted)
        vague = frozenset(p.name for p in self._columns if p.defined is not None and not p.defined.all())
        if len(wrong) and vague and len(rules) > 1:
            # In C's order, what does not exist on the left of an "or" keeps the right from being looked at.
            guarded = _written(rules, tests, vague)
            still = np.flatnonzero(self._where(guarded) != self._wanted)
            if len(still) < len(wrong):
                return guarded, still
        return predicate, wrong

    def _where(self, predicate: Predicate) -> Flags:
        return predicate_truth(predicate, self._judge).must


def _told_exactly(columns: Sequence[Proposition], relation: Relation) -> list[Proposition]:
    """The columns whose values are single ones: in an abstraction a value may stand for several."""
    if relation is not Relation.OVER:
        return list(columns)
    names = Names(_table_model(columns, len(columns[0].values) if columns else 1, relation))
    return [p for p in columns if not names.is_vague(p.name)]


def _table_model(columns: Sequence[Proposition], rows: int, relation: Relation) -> Model:
    """A table as a model without transitions: predicates are decided on models."""
    none = np.zeros(0, dtype=np.int32)
    origin = Origin(relation=relation)
    return Model(rows, 0, none, none, none, labels=(), propositions=tuple(columns), origin=origin)


def _some(rows: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.int64]:
    """At most so many of the rows, from everywhere; the same ones each time."""
    if len(rows) <= most:
        return rows
    return np.sort(np.random.default_rng(len(rows)).choice(rows, most, replace=False))


def _numbers(tests: list[Test], wanted: Flags) -> Tests:
    return Tests(np.array([test.true for test in tests]), np.array([test.cost for test in tests]), wanted)


def _written(rules: Rules, tests: list[Test], vague: frozenset[str]) -> Predicate:
    """Rules as a predicate: what all have in common stands before the alternatives."""
    common = sorted(set(rules[0]).intersection(*rules[1:]))
    alternatives = [sorted(set(rule) - set(common)) for rule in rules]
    parts = [tests[n].predicate for n in common]
    if all(alternatives):
        guarded = (_guarded([tests[n] for n in rule], vague) for rule in alternatives)
        parts.append(joined_by(Operator.OR_ELSE, guarded))
    return joined_by(Operator.AND_ALSO, parts)


def _guarded(tests: list[Test], vague: frozenset[str]) -> Predicate:
    names = dict.fromkeys(name for test in tests for name in test.columns if name in vague)
    guards = [Applied(Operator.NOT_EQUAL, (Named(name), Text("?"))) for name in names]
    return joined_by(Operator.AND_ALSO, (*guards, *(test.predicate for test in tests)))
