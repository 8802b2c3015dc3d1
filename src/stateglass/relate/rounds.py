"""Approximations of a bisimulation from above: after round k, states are together if k steps cannot tell them apart.

The rounds of Kanellakis and Smolka (CCS expressions, finite state processes, and three problems of equivalence, 1990)
and, for branching bisimulation, of Blom and Orzan (Distributed branching bisimulation reduction of state spaces, 2003).
They stop when the two states in question are apart: no formula of fewer nested modalities distinguishes these. What a
state does is a sum of random numbers, so that unlike states may stay together by chance; formulas are therefore
checked before they are shown.
"""

from __future__ import annotations

from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.model.adjacency import Adjacency, Indices, distinct, without
from stateglass.model.model import Flags
from stateglass.reduce import Progress
from stateglass.relate.arena import Arena
from stateglass.relate.saturation import Steps, TooMany

Hashes = npt.NDArray[np.uint64]

MOST_ROUNDS: Final = 200
"""A formula with more modalities within each other explains nothing to anybody."""
_SALT = np.uint64(1 << 62)  # classes and steps must not be given the same random numbers


@final
class Rounds:
    """The class of every state after every round."""

    def __init__(self, colours: Indices) -> None:
        self.history = [np.unique(colours, return_inverse=True)[1].astype(np.int32)]

    def apart(self, a: int, b: int) -> int:
        """The first round after which the two states are in different classes; -1 if they never are."""
        low, high = 0, len(self.history)
        while low < high:  # once apart, always apart
            middle = (low + high) // 2
            if self.history[middle][a] != self.history[middle][b]:
                high = middle
            else:
                low = middle + 1
        return low if low < len(self.history) else -1

    def refine(self, signatures: Hashes) -> bool:
        """One more round; False if it changes nothing."""
        before = self.history[-1]
        combined = _mixed(before.astype(np.uint64) + _SALT) + signatures
        after = np.unique(combined, return_inverse=True)[1].astype(np.int32)
        if after.max() <= before.max():
            return False
        self.history.append(after)
        return True


def strong_rounds(steps: Steps, colours: Indices, left: int, right: int, most: int, progress: Progress) -> Rounds:
    """Rounds until the two are apart; at most `most` classes are remembered over all rounds."""
    rounds = Rounds(colours)
    while rounds.apart(left, right) < 0:
        _watch(rounds, most, progress)
        if not rounds.refine(_signatures(steps.sources, steps.labels, rounds.history[-1][steps.targets], steps.states)):
            break
    return rounds


def branching_rounds(arena: Arena, divergence: bool, most: int, progress: Progress) -> Rounds:
    """The same where silent steps within a class do not count; with `divergence`, endless ones do."""
    rounds = Rounds(arena.colours.astype(np.int64))
    while rounds.apart(arena.left, arena.right) < 0:
        _watch(rounds, most, progress)
        classes = rounds.history[-1]
        inert = arena.silent & (classes[arena.sources] == classes[arena.targets])
        signatures = _inherited(arena, classes, inert, most)
        if divergence:
            into = Adjacency.of(arena.targets[inert], arena.sources[inert], arena.states)
            nowhere = np.zeros(arena.states, dtype=np.bool_)
            signatures = signatures + into.endless(~nowhere, nowhere).astype(np.uint64)
        if not rounds.refine(signatures):
            break
    return rounds


def _inherited(arena: Arena, classes: npt.NDArray[np.int32], inert: Flags, most: int) -> Hashes:
    """What each state can do after silent steps within its class: label and class of the target."""
    kinds = int(classes.max()) + 1
    chosen = ~inert
    does = arena.actions[chosen].astype(np.int64) * kinds + classes[arena.targets[chosen]]
    values, does = np.unique(does, return_inverse=True)
    width = max(len(values), 1)
    into = Adjacency.of(arena.targets[inert], arena.sources[inert], arena.states)
    known = new = distinct(arena.sources[chosen].astype(np.int64) * width + does)
    while len(new):
        at, which = into.positions(new // width)
        found = distinct(into.ends[at] * width + (new % width)[which])
        new = without(found, known)
        known = np.sort(np.concatenate([known, new]))
        if len(known) > most:
            raise TooMany(f"more than {most:,} things that states can do after silent steps")
    return _signatures(known // width, values[known % width], np.zeros(len(known), np.int32), arena.states)


def _watch(rounds: Rounds, most: int, progress: Progress) -> None:
    states = len(rounds.history[0])
    progress("explaining", rounds=len(rounds.history))
    if len(rounds.history) > MOST_ROUNDS:
        raise TooMany(f"more than {MOST_ROUNDS} steps deep")
    if len(rounds.history) * states > most:
        raise TooMany(f"more than {most // states:,} rounds for {states:,} states")


def _signatures(sources: Indices, labels: Indices, classes: npt.NDArray[np.int32], states: int) -> Hashes:
    """The sum of a random number for each label and class that a state has a step to."""
    kinds = int(classes.max(initial=0)) + 1
    key = labels.astype(np.int64) * kinds + classes
    values, number = np.unique(key, return_inverse=True)
    width = max(len(values), 1)
    pairs = distinct(sources.astype(np.int64) * width + number)
    sums: Hashes = np.zeros(states, dtype=np.uint64)
    np.add.at(sums, pairs // width, _mixed(values.astype(np.uint64))[pairs % width])
    return sums


def _mixed(numbers: Hashes) -> Hashes:
    """Steele, Lea and Flood's SplittableRandom (2014): every number becomes one that looks random."""
    z = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = z ^ (z >> np.uint64(31))
    return mixed
