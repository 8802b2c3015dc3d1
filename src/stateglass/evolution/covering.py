"""Which few of many tests, joined by "and" and "or", are true exactly for the wanted rows: a search on bare numbers.

Greedy covers in the manner of separate-and-conquer rule learning (Fürnkranz, Separate-and-conquer rule learning, 1999),
with all pairs of tests tried first. What comes out is right for the rows given; that it is smallest is not promised.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]
Rules = tuple[tuple[int, ...], ...]
"""Numbers of tests: an "or" of "and"s."""

MOST_TERMS: Final = 4
MOST_TESTS: Final = 7
_MOST_IN_PAIRS: Final = 600
"""Of so many tests all pairs are tried."""
_MOST_MIXED: Final = 240
_BEAM: Final = 5
_MOST_IN_RULE: Final = 4


@final
@dataclass(frozen=True, eq=False)
class Tests:
    """What each test says of each row, how much a reader minds it, and which rows are wanted."""

    true: Flags  # tests × rows
    costs: npt.NDArray[np.float64]
    wanted: Flags

    @cached_property
    def good(self) -> Flags:
        """Columns of the wanted rows."""
        return np.ascontiguousarray(self.true[:, self.wanted])

    @cached_property
    def bad(self) -> Flags:
        return np.ascontiguousarray(self.true[:, ~self.wanted])

    def cost(self, rules: Rules) -> float:
        # Another alternative is harder to read than another condition.
        return sum(float(self.costs[list(rule)].sum()) for rule in rules) + 0.5 * (len(rules) - 1)

    def holds(self, rules: Rules) -> Flags:
        """Where one of the rules is true."""
        result = np.zeros(self.true.shape[1], dtype=np.bool_)
        for rule in rules:
            result |= self.true[list(rule)].all(axis=0)
        return result


def smallest(tests: Tests, *, mixed: bool = True) -> Rules | None:
    """Few tests that are true exactly for the wanted rows; None if no few are. Without `mixed`, "and" or "or" alone."""
    assert tests.wanted.any() and not tests.wanted.all()
    found = [rules for rules in (_conjunction(tests), _disjunction(tests)) if rules is not None]
    if mixed and (not found or min(map(tests.cost, found)) > 2.5):
        telling = _most_telling(tests)
        few = Tests(tests.true[telling], tests.costs[telling], tests.wanted)
        more = [rules for rules in (_alternatives(few, ()), _inside(few)) if rules is not None]
        found += [tuple(sorted(tuple(int(telling[n]) for n in rule) for rule in rules)) for rules in more]
    readable = [r for r in found if len(r) <= MOST_TERMS and len(set().union(*r)) <= MOST_TESTS]
    return min(readable, key=lambda rules: (tests.cost(rules), rules), default=None)


def _most_telling(tests: Tests) -> Counts:
    """The tests that tell most by themselves, those that are true for all wanted rows among them, in their order."""
    kept, wrong = tests.good.sum(axis=1), tests.bad.sum(axis=1)
    gains = _gains(kept, wrong, tests.good.shape[1], tests.bad.shape[1]) / tests.costs
    return np.sort(np.argsort(-gains, kind="stable")[:_MOST_MIXED])


def widest(tests: Tests, most: int = 3) -> tuple[int, ...]:
    """Up to `most` tests that are true for all wanted rows and for as few others as possible; perhaps none."""
    valid = np.flatnonzero(tests.good.all(axis=1))
    rest = np.ones(tests.bad.shape[1], dtype=np.bool_)
    total = int(rest.sum())
    chosen: list[int] = []
    while len(valid) and rest.any() and len(chosen) < most:
        removed = (rest & ~tests.bad[valid]).sum(axis=1)
        best = int(np.argmax(removed / tests.costs[valid]))
        # What excludes next to nothing tells next to nothing.
        if removed[best] * 20 < total:
            break
        chosen.append(int(valid[best]))
        rest &= tests.bad[valid[best]]
    return tuple(_without_needless(chosen, tests.bad, rest))


def _conjunction(tests: Tests) -> Rules | None:
    """Tests that are true for all wanted rows and together for no other."""
    valid = np.flatnonzero(tests.good.all(axis=1))
    chosen = _cover(~tests.bad[valid], tests.costs[valid])
    return None if chosen is None else (tuple(sorted(int(valid[n]) for n in chosen)),)


def _disjunction(tests: Tests) -> Rules | None:
    """Tests that are true for no other rows and together for all wanted ones."""
    valid = np.flatnonzero(~tests.bad.any(axis=1))
    chosen = _cover(tests.good[valid], tests.costs[valid] + 0.5)
    return None if chosen is None else tuple(sorted((int(valid[n]),) for n in chosen))


def _cover(sets: Flags, costs: npt.NDArray[np.float64]) -> list[int] | None:
    """Few of the sets (rows) that together have all columns: one, two, or a greedy choice; None if all do not."""
    if not len(sets) or not sets.any(axis=0).all():
        return None
    whole = np.flatnonzero(sets.all(axis=1))
    if len(whole):
        return [int(whole[np.argmin(costs[whole])])]
    return _cover_by_two(sets, costs) or _greedy_cover(sets, costs)


def _cover_by_two(sets: Flags, costs: npt.NDArray[np.float64]) -> list[int] | None:
    large = np.argsort(-sets.sum(axis=1), kind="stable")[:_MOST_IN_PAIRS]
    missing = (~sets[large]).astype(np.float32)
    lacking = missing @ missing.T
    first, second = np.nonzero(lacking < 0.5)
    if not len(first):
        return None
    best = int(np.argmin(costs[large[first]] + costs[large[second]]))
    return [int(large[first[best]]), int(large[second[best]])]


def _greedy_cover(sets: Flags, costs: npt.NDArray[np.float64]) -> list[int]:
    rest = np.ones(sets.shape[1], dtype=np.bool_)
    chosen: list[int] = []
    while rest.any():
        gains = (sets & rest).sum(axis=1) / costs
        best = int(np.argmax(gains))
        chosen.append(best)
        rest &= ~sets[best]
    return [n for n in chosen if n in set(_without_needless(chosen, ~sets, np.zeros(sets.shape[1], dtype=np.bool_)))]


def _without_needless(chosen: list[int], true: Flags, result: Flags) -> list[int]:
    """Of tests whose conjunction is `result`, those that are needed for it; the last ones chosen stay."""
    kept = list(chosen)
    for number in chosen:
        others = [n for n in kept if n != number]
        joint = true[others].all(axis=0) if others else np.ones(true.shape[1], dtype=np.bool_)
        if (joint == result).all():
            kept = others
    return kept


def _inside(tests: Tests) -> Rules | None:
    """Alternatives inside of what all wanted rows have in common."""
    common = widest(tests)
    return _alternatives(tests, common) if common else None


def _alternatives(tests: Tests, common: tuple[int, ...]) -> Rules | None:
    """Rules one after the other, each for some of the wanted rows that are left and for no other row."""
    within: Flags = np.ones(tests.bad.shape[1], dtype=np.bool_)
    if common:
        within = within & tests.bad[list(common)].all(axis=0)
    rest = np.ones(tests.good.shape[1], dtype=np.bool_)
    rules: list[tuple[int, ...]] = []
    while rest.any():
        rule = _rule(tests, rest, within)
        if rule is None or len(rules) == MOST_TERMS:
            return None
        rules.append(rule)
        rest &= ~tests.good[list(rule)].all(axis=0)
    rules = _needed(tests, rules)
    return tuple(sorted(tuple(sorted({*common, *rule})) for rule in rules))


def _needed(tests: Tests, rules: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    kept = list(rules)
    for rule in rules:
        others = [r for r in kept if r != rule]
        if others and _all_covered(tests, others):
            kept = others
    return kept


def _all_covered(tests: Tests, rules: list[tuple[int, ...]]) -> bool:
    """Whether each wanted row has a rule that is true for it."""
    return bool(np.any([tests.good[list(rule)].all(axis=0) for rule in rules], axis=0).all())


def _rule(tests: Tests, rest: Flags, within: Flags) -> tuple[int, ...] | None:
    """A conjunction that is true for many of the rows that are left and for none that is not wanted."""
    good, bad = tests.good[:, rest].astype(np.float32), tests.bad[:, within].astype(np.float32)
    if not bad.shape[1]:
        return None
    best: tuple[float, tuple[int, ...]] | None = None
    beam: list[tuple[int, ...]] = [()]
    here, there = np.ones((good.shape[1], 1), dtype=np.float32), np.ones((bad.shape[1], 1), dtype=np.float32)
    for _ in range(_MOST_IN_RULE):
        tried: list[tuple[float, tuple[int, ...], int]] = []
        kept_by, wrong_by = (good @ here).astype(np.int64), (bad @ there).astype(np.int64)
        for place, rule in enumerate(beam):
            kept, wrong = kept_by[:, place], wrong_by[:, place]
            gains = _gains(kept, wrong, int(here[:, place].sum()), int(there[:, place].sum()))
            for number in _promising(kept, wrong, gains, tests.costs):
                longer = (*rule, int(number))
                worth = float(kept[number]) / (2 + float(tests.costs[list(longer)].sum()))
                if wrong[number]:
                    tried.append((float(gains[number]), longer, place))
                elif best is None or worth > best[0]:
                    best = worth, longer
        if (best is not None and len(best[1]) > 1) or not tried:
            break
        tried.sort(key=lambda item: (-item[0], item[1]))
        tried = tried[:_BEAM]
        beam, places, last = [t[1] for t in tried], [t[2] for t in tried], [t[1][-1] for t in tried]
        here, there = here[:, places] * good[last].T, there[:, places] * bad[last].T
    if best is None:
        return None
    among = tests.bad[:, within]
    return tuple(_without_needless(list(best[1]), among, np.zeros(among.shape[1], dtype=np.bool_)))


def _promising(kept: Counts, wrong: Counts, gains: Scores, costs: Scores) -> Counts:
    """The tests that tell most, and those that leave nothing wrong and most of what is wanted."""
    useful = np.flatnonzero(gains > 0)
    telling = useful[np.lexsort((costs[useful], -gains[useful]))[: 4 * _BEAM]]
    exact = np.flatnonzero((kept > 0) & (wrong == 0))
    largest = exact[np.argsort(-kept[exact] / (1 + costs[exact]), kind="stable")[:_BEAM]]
    return np.unique(np.concatenate([telling, largest]))


def _gains(kept: Counts, wrong: Counts, kept_before: int, wrong_before: int) -> Scores:
    """How much more is known of a row, in bits, over all wanted rows that are left (Quinlan, Learning logical
    definitions from relations, 1990)."""
    before = np.log2(kept_before / (kept_before + wrong_before))
    share = np.maximum(kept, 1) / np.maximum(kept + wrong, 1)
    gains: Scores = np.where(kept > 0, kept * (np.log2(share) - before), 0.0)
    return gains
