"""Approximations of a bisimulation from above: after round k, states are together if k steps cannot tell them apart.

The rounds of Kanellakis and Smolka (CCS expressions, finite state processes, and three problems of equivalence, 1990)
and, for branching bisimulation, of Blom and Orzan (Distributed branching bisimulation reduction of state spaces, 2003).
They stop when the two states in question are apart: no formula of fewer nested modalities distinguishes these.

What a state does is summed up in one number, a sum of pseudo-random numbers, one for each thing it can do. Unlike
states may stay together by chance; then a formula comes out wrong, and it is checked before it is shown. Each round is
linear, up to sorting; there can be as many rounds as states.
"""

from __future__ import annotations

from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.graphs.adjacency import Adjacency, Indices, distinct
from stateglass.model.model import Flags, Ints
from stateglass.relate.arena import Arena
from stateglass.relate.saturation import Steps, TooMany, strong_steps, weak_steps
from stateglass.relate.silence import MOST_BITS, Descent, weak_signatures
from stateglass.work import Progress

Hashes = npt.NDArray[np.uint64]

MOST_ROUNDS: Final = 200
"""A formula with more modalities within each other explains nothing to anybody."""
MOST_IN_BITS: Final = 20_000
"""Up to so many states, what weak steps lead to is kept as sets of bits; above, as a list of weak steps."""
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

    def hardest(self, state: int, others: Indices) -> int:
        """Of states that are all apart from this one in the end, the first of those that stay with it longest."""
        for classes in self.history:
            together = others[classes[others] == classes[state]]
            if not len(together):
                break
            others = together
        return int(others[0])

    def refine(self, signatures: Hashes) -> bool:
        """One more round; False if it changes nothing."""
        combined = _mixed(self.history[-1].astype(np.uint64) + _SALT) + signatures
        return self.add(np.unique(combined, return_inverse=True)[1].astype(np.int32))

    def add(self, after: Ints) -> bool:
        """The classes of one more round; False if it changes nothing."""
        if after.max() <= self.history[-1].max():
            return False
        self.history.append(after)
        return True


def strong_rounds(arena: Arena, most: int, progress: Progress) -> Rounds:
    """Rounds until the arena's two states are apart; `most` limits the memory, states times rounds."""
    return _over(strong_steps(arena), arena, most, progress)


def weak_rounds(arena: Arena, divergence: bool, most: int, progress: Progress) -> Rounds:
    """Rounds over weak steps; with `divergence`, weak steps to endless silence count as well."""
    if arena.states > MOST_IN_BITS:
        return _over(weak_steps(arena, most, divergence=divergence, progress=progress), arena, most, progress)
    rounds = Rounds(arena.colours.astype(np.int64))
    descent = Descent(arena)
    while rounds.apart(arena.left, arena.right) < 0:
        _check_limits(rounds, most, progress)
        if not rounds.add(weak_signatures(arena, descent, rounds.history[-1], divergence, progress)):
            break
    return rounds


def branching_rounds(arena: Arena, divergence: bool, most: int, progress: Progress) -> Rounds:
    """Rounds in which silent steps within a class do not count; with `divergence`, endless ones do."""
    rounds = Rounds(arena.colours.astype(np.int64))
    descent = Descent(arena)
    while rounds.apart(arena.left, arena.right) < 0:
        _check_limits(rounds, most, progress)
        classes = rounds.history[-1]
        inert = arena.silent & (classes[arena.sources] == classes[arena.targets])
        signatures = _inherited(arena, descent, classes, inert, progress)
        if divergence:
            into = Adjacency.of(arena.targets[inert], arena.sources[inert], arena.states)
            nowhere = np.zeros(arena.states, dtype=np.bool_)
            # One more or not: what tells a state that can stay in its class for ever.
            signatures = signatures + into.endless(~nowhere, nowhere).astype(np.uint64)
        if not rounds.refine(signatures):
            break
    return rounds


def _over(steps: Steps, arena: Arena, most: int, progress: Progress) -> Rounds:
    rounds = Rounds(arena.colours.astype(np.int64))
    while rounds.apart(arena.left, arena.right) < 0:
        _check_limits(rounds, most, progress)
        if not rounds.refine(_signatures(steps.sources, steps.labels, rounds.history[-1][steps.targets], steps.states)):
            break
    return rounds


def _inherited(
    arena: Arena, descent: Descent, classes: npt.NDArray[np.int32], inert: Flags, progress: Progress
) -> Hashes:
    """What each state can do after silent steps within its class: label and class of the target."""
    kinds = int(classes.max()) + 1
    does = np.flatnonzero(~inert)
    keys = arena.actions[does].astype(np.int64) * kinds + classes[arena.targets[does]]
    signatures = _sums(arena.sources[does], keys, arena.states)
    # Most states have no silent step within their class, or come to none that has: these are done.
    moves = np.zeros(arena.states, dtype=np.bool_)
    moves[arena.sources[inert]] = moves[arena.targets[inert]] = True
    does, keys = does[moves[arena.sources[does]]], keys[moves[arena.sources[does]]]
    values, number = np.unique(keys, return_inverse=True)
    if int(moves.sum()) * len(values) > MOST_BITS:
        raise TooMany("sets of what states can do of more than 256 MB")
    own: dict[int, int] = {}
    for source, bit in zip(arena.sources[does].tolist(), number.tolist(), strict=True):
        own[source] = own.get(source, 0) | 1 << bit
    every = descent.joined(own, classes.tolist(), progress)
    random = _mixed(values.astype(np.uint64))
    sums: dict[int, np.uint64] = {}
    for state in np.unique(arena.sources[inert]).tolist():
        can = every.get(state, 0)
        if can not in sums:
            sums[can] = random[_bits(can, len(values))].sum(dtype=np.uint64)
        signatures[state] = sums[can]
    return signatures


def _bits(number: int, width: int) -> Indices:
    """The places of the bits that are set."""
    row = np.frombuffer(number.to_bytes((width + 7) // 8, "little"), dtype=np.uint8)
    return np.flatnonzero(np.unpackbits(row, bitorder="little"))


def _check_limits(rounds: Rounds, most: int, progress: Progress) -> None:
    states = len(rounds.history[0])
    progress("explaining", rounds=len(rounds.history))
    if len(rounds.history) > MOST_ROUNDS:
        raise TooMany(f"more than {MOST_ROUNDS} steps deep")
    if len(rounds.history) * states > most:
        raise TooMany(f"more than {most // states:,} rounds for {states:,} states")


def _signatures(sources: Indices, labels: Indices, classes: npt.NDArray[np.int32], states: int) -> Hashes:
    """The sum of a random number for each label and class that a state has a step to."""
    kinds = int(classes.max(initial=0)) + 1
    return _sums(sources, labels.astype(np.int64) * kinds + classes, states)


def _sums(sources: npt.NDArray[np.integer], keys: Indices, states: int) -> Hashes:
    """The sum of a random number for each of the keys that a state has."""
    values, number = np.unique(keys, return_inverse=True)
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
