"""A formula that is true of one state and false of another, from the rounds or the game that told them apart.

After Cleaveland (On automatically explaining bisimulation inequivalence, 1990): a step of one state that the other
cannot match, and for each of the other's steps with the same label a formula that tells the two targets apart. The
depth is the least possible (Martens and Groote, Computing minimal distinguishing Hennessy-Milner formulas is NP-hard,
but variants are tractable, 2023). Of a few such steps the one with the smallest formula is taken, and what is not
needed is left out; the size is small, but not always the smallest.
"""

from __future__ import annotations

from collections import OrderedDict
from enum import Enum, unique
from typing import Final, assert_never, final

import numpy as np

from stateglass.graphs.adjacency import Indices
from stateglass.logic import (
    SILENTLY,
    TRUE,
    Do,
    Forever,
    Formula,
    Piece,
    Reaching,
    conjunction,
    negation,
    possible,
)
from stateglass.relate.arena import Arena
from stateglass.relate.game import Challenge, Game
from stateglass.relate.observations import Seen, Step, Test, Truths, Way, look, seen_difference, seen_test
from stateglass.relate.rounds import Rounds
from stateglass.work import Progress

MOST_ALTERNATIVES: Final = 6
"""How many steps are tried to find one with a small formula."""
TESTS_WITH_ALTERNATIVES: Final = 600
"""After so many tests, the first step that seems good is taken."""
_REMEMBERED: Final = 256


@final
class FromRounds:
    """Explains why two states are apart after some round."""

    def __init__(self, arena: Arena, rounds: Rounds, *, weak: bool, divergence: bool, progress: Progress) -> None:
        self._arena = arena
        self._rounds = rounds
        self._truths = Truths(arena, arena.silent if weak else None)
        self._after = Successors(arena, self._truths, weak=weak, divergence=divergence)
        self._progress = progress
        self._known: dict[tuple[int, int], Test] = {}

    def test(self, a: int, b: int) -> Test:
        """A test that succeeds in the first state and fails in the second."""
        if (a, b) not in self._known:
            self._known[a, b] = self._new(a, b)
        return self._known[a, b]

    def _new(self, a: int, b: int) -> Test:
        self._progress("explaining", tests=len(self._known))
        apart = self._rounds.apart(a, b)
        assert apart >= 0
        if apart == 0:
            return seen_test(self._arena, a, b)
        candidates = sorted(self._candidates(a, b, apart - 1))
        assert candidates, "two states differ by chance only"
        best: Step | None = None
        for _, turn, label, target in candidates[:MOST_ALTERNATIVES]:
            if best is not None and (best.size == 1 or len(self._known) > TESTS_WITH_ALTERNATIVES):
                break
            found = self._step(*((b, a) if turn else (a, b)), label, target, positive=not turn)
            if best is None or found.size < best.size:
                best = found
        assert best is not None
        return best

    def _candidates(self, a: int, b: int, history: int) -> list[tuple[int, int, int, int]]:
        """Steps of one state that the other cannot match, beside how many classes its steps lead to."""
        classes = self._rounds.history[history]
        found = []
        for turn, (one, other) in enumerate(((a, b), (b, a))):
            theirs = self._after.of(other)
            for label, targets in self._after.of(one).items():
                matched = np.unique(classes[theirs[label]]) if label in theirs else np.zeros(0, dtype=np.int32)
                fresh = targets[~np.isin(classes[targets], matched)]
                firsts = np.sort(np.unique(classes[fresh], return_index=True)[1])
                found += [(len(matched), turn, label, target) for target in fresh[firsts[:MOST_ALTERNATIVES]].tolist()]
        return found

    def _step(self, one: int, other: int, label: int, target: int, *, positive: bool) -> Step:
        rivals = self._after.of(other).get(label, np.zeros(0, dtype=np.int64))
        inner: list[Test] = []
        left = rivals
        # What is hardest to tell apart first: its test is likely to serve for others.
        while len(left):
            test = self.test(target, self._rounds.hardest(target, left))
            inner.append(test)
            left = left[self._truths.holds(test, left)]
        inner = needed(inner, rivals, self._truths)
        return Step(one, label, target, tuple(inner), positive, 1 + sum(test.size for test in inner))


def needed(tests: list[Test], rivals: Indices, truths: Truths) -> list[Test]:
    """The tests without those that are not needed to rule out each rival; the largest are the first to go."""
    for test in sorted(tests, key=lambda test: -test.size):
        rest = [other for other in tests if other is not test]
        if rest and not truths.every(rest, rivals).any():
            tests = rest
    return tests


@final
class Successors:
    """The targets of each state by label, found when they are asked for; the last ones are remembered."""

    def __init__(self, arena: Arena, truths: Truths, *, weak: bool, divergence: bool) -> None:
        self._arena = arena
        self._truths = truths
        self._weak = weak
        self._divergence = divergence
        self._known: OrderedDict[int, dict[int, Indices]] = OrderedDict()

    def of(self, state: int) -> dict[int, Indices]:
        found = self._known.pop(state, None)
        if found is None:
            found = self._weakly(state) if self._weak else self._directly(np.array([state]))
        self._known[state] = found
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return found

    def _directly(self, states: Indices) -> dict[int, Indices]:
        edges = self._arena.edges(states)
        if self._weak:
            edges = edges[~self._arena.silent[edges]]
        labels, targets = self._arena.actions[edges], self._arena.targets[edges].astype(np.int64)
        return {label: targets[labels == label] for label in np.unique(labels).tolist()}

    def _weakly(self, state: int) -> dict[int, Indices]:
        near = self._silently(np.array([state]))
        found = {self._arena.silently: near}
        lasting = near[self._truths.cyclic[near]]
        if self._divergence and len(lasting):
            found[self._arena.divergence] = lasting
        return found | {label: self._silently(targets) for label, targets in self._directly(near).items()}

    def _silently(self, states: Indices) -> Indices:
        return np.flatnonzero(self._truths.onward.reach(self._truths.flags(states)))


@final
@unique
class Looking(Enum):
    """Whether formulas say what is seen of states.

    Silent steps in formulas may change what is seen, those of a model do not. That seldom makes a difference.
    """

    NEVER = "never"
    AFTER_STEPS = "after steps"
    ALWAYS = "always"

    @staticmethod
    def ways(arena: Arena, *, weak: bool) -> tuple[Looking, ...]:
        """The ways that can differ, the shortest formulas first; the last one is always right."""
        return tuple(Looking) if arena.colour_count > 1 and weak else (Looking.NEVER,)


def from_rounds(arena: Arena, rounds: Rounds, *, weak: bool, divergence: bool, progress: Progress) -> list[Formula]:
    """True of the arena's left state and false of its right one, if the last of them is not."""
    tests = FromRounds(arena, rounds, weak=weak, divergence=divergence, progress=progress)
    test = tests.test(arena.left, arena.right)
    return [_Translation(arena, weak, looking).of_test(test) for looking in Looking.ways(arena, weak=weak)]


def from_game(arena: Arena, game: Game, *, weak: bool, progress: Progress) -> list[Formula]:
    """True of the left state and false of the right one of the lost initial pair, if the last of them is not."""
    ways = Looking.ways(arena, weak=weak)
    return [_Translation(arena, weak, looking).of_lost(game, progress) for looking in ways]


def weak_step(arena: Arena, source: int, label: int, target: int, inner: Formula, looking: Looking) -> Formula:
    """Silently, a step with this label, silently, and then `inner`; -1: only silently."""
    seen = look(arena, target) if looking is not Looking.NEVER else TRUE
    do: tuple[Piece, ...] = (Do(arena.labels[label]),) if label >= 0 else ()
    if looking is not Looking.ALWAYS:
        path = (SILENTLY, *do, SILENTLY) if do else (SILENTLY,)
        return possible(path, conjunction([seen, inner]))
    reached: Formula = seen if inner == TRUE else Reaching(seen, inner)
    return Reaching(look(arena, source), possible(do, reached)) if do else reached


@final
class _Translation:
    """From what tells states apart to formulas; what is needed twice is translated once."""

    def __init__(self, arena: Arena, weak: bool, looking: Looking) -> None:
        self._arena = arena
        self._weak = weak
        self._looking = looking
        self._tests: dict[Test, Formula] = {}

    def of_test(self, test: Test) -> Formula:
        if test not in self._tests:
            match test:
                case Seen():
                    formula = test.formula
                case Step():
                    inner = conjunction(map(self.of_test, test.inner))
                    formula = self._after(test.source, test.label, test.target, inner)
                    formula = formula if test.positive else negation(formula)
                case Way():
                    raise AssertionError("a way of branching bisimulation")
                case _:
                    assert_never(test)
            self._tests[test] = formula
        return self._tests[test]

    def of_lost(self, game: Game, progress: Progress) -> Formula:
        """Pairs are lost in rounds: what a pair needs was lost before it."""
        known: dict[int, Formula] = {}
        for number in sorted(_needed_pairs(game, progress), key=lambda number: int(game.rank[number])):
            known[number] = self._lost(game, number, known)
        return known[0]

    def _lost(self, game: Game, number: int, known: dict[int, Formula]) -> Formula:
        left, right = game.pair(number)
        if game.clashes(number):
            return seen_difference(self._arena, left, right)
        challenge = _best(game, number)
        parts = [known[answer] for answer in challenge.answers]
        if challenge.from_left:
            return self._after(left, challenge.label, challenge.target, conjunction(parts))
        inner = conjunction(negation(part) for part in parts)
        return negation(self._after(right, challenge.label, challenge.target, inner))

    def _after(self, source: int, label: int, target: int, inner: Formula) -> Formula:
        arena = self._arena
        if not self._weak:
            return possible((Do(arena.labels[label]),), inner)
        if label == arena.divergence:
            seen = look(arena, target) if self._looking is not Looking.NEVER else TRUE
            label, inner = arena.silently, Forever(conjunction([seen, inner]))
        return weak_step(arena, source, -1 if label == arena.silently else label, target, inner, self._looking)


def _needed_pairs(game: Game, progress: Progress) -> set[int]:
    """The pairs that a formula for the first one needs formulas for."""
    found, work = {0}, [0]
    while work:
        number = work.pop()
        progress("explaining", pairs=len(found))
        if not game.clashes(number):
            new = set(_best(game, number).answers) - found
            found |= new
            work += new
    return found


def _best(game: Game, number: int) -> Challenge:
    return min(game.unanswered(number), key=lambda c: (len(c.answers), not c.from_left, c.label, c.target))
