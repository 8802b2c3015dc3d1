"""What became of each step: from paired states, by the same action and with the same choices of the surroundings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

import numpy as np

from stateglass.evolution.likeness import most_alike
from stateglass.evolution.matching import combined, joined
from stateglass.evolution.pairing import Pairing, Refusal
from stateglass.evolution.visits import Visited
from stateglass.graphs.adjacency import Indices
from stateglass.model import Model
from stateglass.model.model import Flags, Ints

_MOST_ROWS: Final = 6_000_000


@final
@unique
class Became(Enum):
    """How a step of the one version differs from those of the other."""

    POSSIBLE = "possible"  # nothing could be done by this action before
    IMPOSSIBLE = "impossible"  # nothing can be done by it now
    MOVED = "moved"  # it leads elsewhere, or other things are said
    GAINED = "gained"  # one more outcome beside those that there were
    LOST = "lost"


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """Steps from pairs of states: `old` and `new` are numbers of visits, -1 where a version has none."""

    pairs: Indices
    calls: Indices
    inputs: Indices
    old: Indices
    new: Indices
    places: Indices  # where they stand among all steps that were compared

    def __len__(self) -> int:
        return len(self.pairs)

    def at(self, which: Flags | Indices) -> Rows:
        return Rows(*(column[which] for column in self._columns))

    @property
    def _columns(self) -> tuple[Indices, ...]:
        return self.pairs, self.calls, self.inputs, self.old, self.new, self.places


@final
@dataclass(frozen=True, eq=False)
class Compared:
    """The steps that differ, by how they do, and all steps that were compared, each once."""

    pairs: Pairing
    steps: Visited
    differing: dict[Became, Rows]
    asked: Rows  # where other things are asked of the surroundings than before: all ways of both versions
    everything: Rows
    pair_numbers: Indices  # the pairs from which steps were compared
    skipped: int  # pairs from which not all steps are known


def compared(pairs: Pairing, steps: Visited, *, closely: bool = False) -> Compared | Refusal:
    """Compares what each pair of states can do; linear in the steps, up to sorting.

    Steps lead to the same if the values there are the same; `closely`, only if the states are versions of each other.
    """
    known = ~(steps.old.open_sources[pairs.pair_old] | steps.new.open_sources[pairs.pair_new])
    bases = steps.old.bases[pairs.pair_old] & steps.new.bases[pairs.pair_new]
    alike = np.ones(len(bases), dtype=np.bool_) if pairs.by_runs else most_alike(pairs)
    bases &= alike
    numbers = np.flatnonzero(known & bases)
    sides = []
    for states, visits in ((pairs.pair_old, steps.old), (pairs.pair_new, steps.new)):
        counts = np.bincount(visits.sources, minlength=visits.model.states)
        if int(counts[states[numbers]].sum()) > _MOST_ROWS:
            return Refusal("states have so many versions that their steps cannot be compared one by one")
        place, visit = joined(states[numbers], visits.sources)
        sides.append((numbers[place], visit))
    seen = _versions(pairs, alike) if closely else (pairs.agreed.old, pairs.agreed.new)
    return _Comparison(pairs, steps, sides[0], sides[1], seen).result(numbers, int((bases & ~known).sum()))


@final
class _Comparison:
    """The steps of both versions in one table, the old ones first."""

    def __init__(
        self,
        pairs: Pairing,
        steps: Visited,
        old: tuple[Indices, Indices],
        new: tuple[Indices, Indices],
        seen: tuple[Ints, Ints],
    ) -> None:
        self._pairs, self._steps = pairs, steps
        self._olds = len(old[0])
        self._size = self._olds + len(new[0])
        self._pair = np.concatenate([old[0], new[0]])
        self._visit = np.concatenate([old[1], new[1]])
        self._call = self._column("calls")
        self._input = self._column("inputs")
        targets = np.concatenate(
            [
                _seen(seen[0], pairs.old)[steps.old.targets[old[1]]],
                _seen(seen[1], pairs.new)[steps.new.targets[new[1]]],
            ]
        )
        self._outcome = self._numbered(self._column("outputs"), targets)
        self._is_old = np.arange(self._size) < self._olds
        self._place: Ints = np.zeros(0, dtype=np.int32)

    def result(self, numbers: Indices, skipped: int) -> Compared:
        by_call = self._numbered(self._pair, self._call)
        by_input = self._place = self._numbered(by_call, self._input)
        alone = ~self._in_both(by_call)
        # Where other things are asked of the surroundings now, choices cannot be compared one by one.
        unlike = np.zeros(int(by_call.max(initial=-1)) + 1, dtype=np.bool_)
        unlike[by_call[~self._in_both(by_input)]] = True
        same_inputs = ~unlike[by_call]
        differs = ~self._in_both(self._numbered(by_input, self._outcome)) & same_inputs
        differing = self._alone(alone, by_call) | self._changed(differs, by_input)
        firsts = np.unique(by_input, return_index=True)[1]
        everything = self._rows(firsts)
        asked = self._rows(np.flatnonzero(~same_inputs & ~alone))
        return Compared(self._pairs, self._steps, differing, asked, everything, numbers, skipped)

    def _alone(self, alone: Flags, by_call: Ints) -> dict[Became, Rows]:
        found: dict[Became, Rows] = {}
        for became, side in ((Became.IMPOSSIBLE, self._is_old), (Became.POSSIBLE, ~self._is_old)):
            chosen = np.flatnonzero(alone & side)
            firsts = np.unique(by_call[chosen], return_index=True)[1]
            found[became] = self._rows(chosen[firsts])
        return found

    def _changed(self, differs: Flags, unit: Ints) -> dict[Became, Rows]:
        counts = int(unit.max(initial=-1)) + 1
        gone, come = np.flatnonzero(differs & self._is_old), np.flatnonzero(differs & ~self._is_old)
        single = (np.bincount(unit[gone], minlength=counts) == 1) & (np.bincount(unit[come], minlength=counts) == 1)
        moved_old, moved_new = gone[single[unit[gone]]], come[single[unit[come]]]
        moved_old = moved_old[np.argsort(unit[moved_old], kind="stable")]
        moved_new = moved_new[np.argsort(unit[moved_new], kind="stable")]
        moved = Rows(
            self._pair[moved_new],
            self._call[moved_new],
            self._input[moved_new],
            self._visit[moved_old],
            self._visit[moved_new],
            self._place[moved_new].astype(np.int64),
        )
        return {
            Became.MOVED: moved,
            Became.LOST: self._rows(gone[~single[unit[gone]]]),
            Became.GAINED: self._rows(come[~single[unit[come]]]),
        }

    def _rows(self, places: Indices) -> Rows:
        is_old = self._is_old[places]
        visits = self._visit[places]
        return Rows(
            self._pair[places],
            self._call[places],
            self._input[places],
            np.where(is_old, visits, -1),
            np.where(is_old, -1, visits),
            self._place[places].astype(np.int64),
        )

    def _in_both(self, keys: Ints) -> Flags:
        """For each row, whether both versions have rows with its key."""
        size = int(keys.max(initial=-1)) + 1
        has = [np.zeros(size, dtype=np.bool_) for _ in range(2)]
        has[0][keys[: self._olds]] = True
        has[1][keys[self._olds :]] = True
        both: Flags = (has[0] & has[1])[keys]
        return both

    def _column(self, name: str) -> Indices:
        sides = getattr(self._steps.old, name), getattr(self._steps.new, name)
        return np.concatenate([sides[0][self._visit[: self._olds]], sides[1][self._visit[self._olds :]]])

    def _numbered(self, *columns: Indices | Ints) -> Ints:
        return combined((column.astype(np.int32) for column in columns), self._size)


def _versions(pairs: Pairing, alike: Flags) -> tuple[Ints, Ints]:
    """A number for each state of both models; versions of each other, however indirectly, have the same one."""
    numbers = np.arange(pairs.old.states + pairs.new.states, dtype=np.int64)
    left, right = pairs.pair_old[alike].astype(np.int64), pairs.pair_new[alike] + np.int64(pairs.old.states)
    while True:
        least = np.minimum(numbers[left], numbers[right])
        if (numbers[left] == least).all() and (numbers[right] == least).all():
            break
        np.minimum.at(numbers, left, least)
        np.minimum.at(numbers, right, least)
    found = combined((numbers.astype(np.int32),), len(numbers))
    return found[: pairs.old.states], found[pairs.old.states :]


def _seen(classes: Ints, model: Model) -> Ints:
    """A number for what is seen of a state: the values that both models have, and whether the program has ended."""
    seen: Ints = classes * np.int32(2)
    return seen if model.terminal is None else seen + model.terminal
