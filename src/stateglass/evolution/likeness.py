"""Of several states that look the same, which ones of two versions are most alike in what can be done in them.

Values may leave open which state of the new version an old one is: what is executed next, and variables that are not
shown, do not count. Then pairs are looked at whose states behave the same for the largest number of steps.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stateglass.evolution.matching import coded, combined, numbered
from stateglass.evolution.pairing import Pairing
from stateglass.graphs.adjacency import Indices
from stateglass.model import Model
from stateglass.model.model import Flags, Ints

_MOST_ROUNDS: Final = 32


def most_alike(pairs: Pairing) -> Flags:
    """The pairs to look at: those of states that are most like each other, and where one has no such partner, its best.

    A partner counts only if it shows the same values as the one at hand, those of added and deleted variables included.
    """
    old_looks, new_looks = _looks(pairs.old), _looks(pairs.new)
    by_old = combined((pairs.pair_old, new_looks[pairs.pair_new]), len(pairs.pair_old))
    by_new = combined((pairs.pair_new, old_looks[pairs.pair_old]), len(pairs.pair_old))
    unsure = (np.bincount(by_old)[by_old] > 1) | (np.bincount(by_new)[by_new] > 1)
    if not unsure.any():
        return ~unsure
    depths = _depths(pairs)
    best_old, best_new = depths == _largest(depths, by_old), depths == _largest(depths, by_new)
    mutual = best_old & best_new
    kept: Flags = mutual | (best_old & ~_has(mutual, by_old)) | (best_new & ~_has(mutual, by_new))
    return kept


def _looks(model: Model) -> Ints:
    """A number for all that a state shows."""
    return combined((coded(p).codes for p in model.propositions), model.states)


def _largest(values: Indices, groups: Ints) -> Indices:
    best = np.zeros(int(groups.max()) + 1, dtype=np.int64)
    np.maximum.at(best, groups, values)
    return best[groups]


def _has(flags: Flags, groups: Ints) -> Flags:
    """For each place, whether a flag is set in its group."""
    has = np.zeros(int(groups.max()) + 1, dtype=np.bool_)
    has[groups[flags]] = True
    return has[groups]


def _depths(pairs: Pairing) -> Indices:
    """For how many steps the states of each pair behave the same."""
    old, new = pairs.old, pairs.new
    _, old_numbers, new_numbers = pairs.labels
    sources = np.concatenate([old.sources, new.sources + np.int32(old.states)])
    targets = np.concatenate([old.targets, new.targets + np.int32(old.states)])
    actions = np.concatenate([_at(old_numbers, old.actions), _at(new_numbers, new.actions)])
    ended = np.concatenate([_marked(old), _marked(new)])
    colours = combined((np.concatenate([pairs.agreed.old, pairs.agreed.new]), ended), old.states + new.states)
    depths = np.zeros(len(pairs.pair_old), dtype=np.int64)
    before = -1
    for _ in range(_MOST_ROUNDS):
        # Once apart, states stay apart.
        depths += colours[pairs.pair_old] == colours[old.states + pairs.pair_new]
        count = int(colours.max()) + 1
        if count == before:
            break
        before, colours = count, _refined(colours, sources, actions, targets)
    return depths


def _refined(colours: Ints, sources: Ints, actions: Ints, targets: Ints) -> Ints:
    """Colours that also tell what a state can do, and where to; unlike states stay together by chance at most."""
    if not len(sources):
        return colours
    steps = combined((sources, actions, colours[targets]), len(sources))
    firsts = np.unique(steps, return_index=True)[1]
    kinds = combined((actions[firsts], colours[targets[firsts]]), len(firsts))
    chance = np.random.default_rng(1).integers(0, 1 << 63, int(kinds.max()) + 1, dtype=np.int64)
    sums: npt.NDArray[np.int64] = np.zeros(len(colours), dtype=np.int64)
    with np.errstate(over="ignore"):
        np.add.at(sums, sources[firsts], chance[kinds])
    return combined((colours, numbered(sums)[1]), len(colours))


def _at(numbers: Ints, actions: Ints) -> Ints:
    return numbers[actions] if len(actions) else actions


def _marked(model: Model) -> Ints:
    return np.zeros(model.states, dtype=np.int32) if model.terminal is None else model.terminal.astype(np.int32)
