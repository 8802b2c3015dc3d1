"""A formula that is true of one state and false of another, from the rounds or the game that told them apart.

After Cleaveland (On automatically explaining bisimulation inequivalence, 1990): a step of one state that the other
cannot match, and for each of the other's steps with the same label a formula that tells the two targets apart. Of
several such steps, the one with the least to tell apart is taken, and a formula that is true of no other target either
is not needed twice; the depth is the least possible (Martens and Groote, Computing minimal distinguishing
Hennessy-Milner formulas is NP-hard, but variants are tractable, 2023), the size is small but not always the smallest.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import assert_never, final

import numpy as np

from stateglass.logic import (
    SILENTLY,
    TRUE,
    Do,
    Ended,
    Equals,
    Forever,
    Formula,
    Piece,
    Reaching,
    conjunction,
    negation,
    possible,
)
from stateglass.relate.arena import Arena
from stateglass.relate.game import Game
from stateglass.relate.rounds import Rounds
from stateglass.relate.saturation import Steps


@final
@dataclass(frozen=True, eq=False, slots=True)
class Seen:
    """What is seen of a state itself: a formula, and the states in which it holds."""

    formula: Formula
    where: frozenset[int]


@final
@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """Some step with this label leads to a state in which all inner tests succeed; the opposite if not `positive`."""

    source: int
    label: int
    target: int
    inner: tuple[Test, ...]
    positive: bool = True


Test = Seen | Step


def seen_difference(arena: Arena, a: int, b: int) -> Formula:
    """True of the first state and false of the second, which have different colours."""
    if arena.ended[a] != arena.ended[b]:
        return Ended() if arena.ended[a] else negation(Ended())
    for proposition in arena.kept:
        if proposition.values[a] != proposition.values[b]:
            return Equals(proposition.name, proposition.text(a))
    raise AssertionError("the states look the same")


def seen_test(arena: Arena, a: int, b: int) -> Seen:
    """The same as a test."""
    formula = seen_difference(arena, a, b)
    return Seen(formula, frozenset(np.flatnonzero(_where(arena, formula)).tolist()))


def look(arena: Arena, state: int) -> Formula:
    """All that is seen of a state itself, as far as states differ in it."""
    parts: list[Formula] = []
    if arena.ended.any():
        parts.append(Ended() if arena.ended[state] else negation(Ended()))
    parts += [Equals(p.name, p.text(state)) for p in arena.kept if (p.values != p.values[0]).any()]
    return conjunction(parts)


@final
class FromRounds:
    """Explains why two states are apart after some round."""

    def __init__(self, arena: Arena, steps: Steps, rounds: Rounds) -> None:
        self._arena = arena
        self._rounds = rounds
        self._after = Successors(steps)
        self._holds: dict[tuple[int, int], bool] = {}
        self._known: dict[tuple[int, int], Test] = {}

    def test(self, a: int, b: int) -> Test:
        """Succeeds in the first state and fails in the second."""
        if (a, b) not in self._known:
            self._known[a, b] = self._new(a, b)
        return self._known[a, b]

    def _new(self, a: int, b: int) -> Test:
        apart = self._rounds.apart(a, b)
        assert apart >= 0
        if apart == 0:
            return seen_test(self._arena, a, b)
        classes = self._rounds.history[apart - 1]
        best: tuple[int, int, int, int] | None = None
        for turn, (one, other) in enumerate(((a, b), (b, a))):
            for label, targets in self._after.of(one).items():
                matched = {int(classes[t]) for t in self._after.of(other).get(label, ())}
                fresh = next((t for t in targets if int(classes[t]) not in matched), None)
                if fresh is not None and (best is None or (len(matched), turn) < best[:2]):
                    best = len(matched), turn, label, fresh
        assert best is not None, "two states differ by chance only"
        _, turn, label, target = best
        others = self._after.of(a if turn else b).get(label, ())
        inner: list[Test] = []
        # What is hardest to tell apart first: its test is likely to serve for others.
        for other in sorted(others, key=lambda t: (-self._rounds.apart(target, t), t)):
            if all(self._succeeds(test, other) for test in inner):
                inner.append(self.test(target, other))
        return Step(b if turn else a, label, target, tuple(inner), positive=not turn)

    def _succeeds(self, test: Test, state: int) -> bool:
        if isinstance(test, Seen):
            return state in test.where
        key = id(test), state
        if key not in self._holds:
            targets = self._after.of(state).get(test.label, ())
            found = any(all(self._succeeds(inner, target) for inner in test.inner) for target in targets)
            self._holds[key] = found is test.positive
        return self._holds[key]


@final
class Successors:
    """The targets of each state by label, as lists, made when they are asked for."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._first = np.searchsorted(steps.sources, np.arange(steps.states + 1))
        self._known: dict[int, dict[int, list[int]]] = {}

    def of(self, state: int) -> dict[int, list[int]]:
        if state not in self._known:
            found: dict[int, list[int]] = {}
            chosen = slice(int(self._first[state]), int(self._first[state + 1]))
            labels, targets = self._steps.labels[chosen].tolist(), self._steps.targets[chosen].tolist()
            for label, target in zip(labels, targets, strict=True):
                found.setdefault(label, []).append(target)
            self._known[state] = found
        return self._known[state]


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
        return tuple(Looking) if arena.looks > 1 and weak else (Looking.NEVER,)


def from_rounds(arena: Arena, steps: Steps, rounds: Rounds, looking: Looking) -> Formula:
    """True of the arena's left state and false of its right one."""
    test = FromRounds(arena, steps, rounds).test(arena.left, arena.right)
    return _Translation(arena, steps, looking).of_test(test)


def from_game(arena: Arena, steps: Steps, game: Game, looking: Looking) -> Formula:
    """True of the left state and false of the right one of the lost initial pair."""
    return _Translation(arena, steps, looking).of_pair(game, 0)


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

    def __init__(self, arena: Arena, steps: Steps, looking: Looking) -> None:
        self._arena = arena
        self._steps = steps
        self._looking = looking
        self._known: dict[int, Formula] = {}

    def of_test(self, test: Test) -> Formula:
        if id(test) not in self._known:
            match test:
                case Seen():
                    formula = test.formula
                case Step():
                    inner = conjunction(map(self.of_test, test.inner))
                    formula = self._after(test.source, test.label, test.target, inner)
                    formula = formula if test.positive else negation(formula)
                case _:
                    assert_never(test)
            self._known[id(test)] = formula
        return self._known[id(test)]

    def of_pair(self, game: Game, number: int) -> Formula:
        if number not in self._known:
            self._known[number] = self._lost(game, number)
        return self._known[number]

    def _lost(self, game: Game, number: int) -> Formula:
        left, right = game.pair(number)
        if game.clashes(number):
            return seen_difference(self._arena, left, right)
        challenge = min(game.unanswered(number), key=lambda c: (len(c.answers), not c.from_left, c.label, c.target))
        parts = [self.of_pair(game, answer) for answer in challenge.answers]
        if challenge.from_left:
            return self._after(left, challenge.label, challenge.target, conjunction(parts))
        inner = conjunction(negation(part) for part in parts)
        return negation(self._after(right, challenge.label, challenge.target, inner))

    def _after(self, source: int, label: int, target: int, inner: Formula) -> Formula:
        steps = self._steps
        if not steps.weak:
            return possible((Do(self._arena.labels[label]),), inner)
        if label == steps.divergence:
            seen = look(self._arena, target) if self._looking is not Looking.NEVER else TRUE
            label, inner = steps.silently, Forever(conjunction([seen, inner]))
        return weak_step(self._arena, source, -1 if label == steps.silently else label, target, inner, self._looking)


def _where(arena: Arena, formula: Formula) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    if formula == Ended():
        return arena.ended
    if isinstance(formula, Equals):
        [proposition] = [p for p in arena.kept if p.name == formula.proposition]
        number = {text: value for value, text in proposition.names}[formula.text]
        return np.asarray(proposition.values == number)
    return ~arena.ended
