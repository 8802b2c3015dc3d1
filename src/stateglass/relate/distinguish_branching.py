"""Distinguishing formulas for branching bisimulation, with and without divergence.

One state can, by silent steps that keep it in its class, come to do something that the other cannot: the formula says
"silently through states like these, then this action". What "like these" must rule out are the other state's silent
steps out of the class (the until operator of De Nicola and Vaandrager, 1995; Korver, Computing distinguishing formulas
for branching bisimulation, 1991). Often that is not needed, or needed only at the end of the silent steps, which reads
better (Martens and Groote, Minimal depth distinguishing formulas without until for branching bisimulation, 2024);
whatever is dropped, the caller checks the formula.
"""

from __future__ import annotations

from typing import Final, assert_never, final

import numpy as np

from stateglass.graphs.adjacency import Adjacency, Indices, distinct
from stateglass.logic import (
    SILENTLY,
    TRUE,
    Do,
    Forever,
    Formula,
    Reaching,
    conjunction,
    negation,
    possible,
)
from stateglass.relate.arena import Arena
from stateglass.relate.distinguish import MOST_ALTERNATIVES, TESTS_WITH_ALTERNATIVES, needed
from stateglass.relate.observations import Seen, Step, Test, Truths, Way, seen_test
from stateglass.relate.rounds import Rounds
from stateglass.relate.saturation import TooMany
from stateglass.work import Progress

MOST_TESTS_IN_FULL: Final = 500
"""A formula in which nothing is left out is small or useless."""


def from_branching_rounds(
    arena: Arena, rounds: Rounds, divergence: bool, *, short: bool, progress: Progress
) -> Formula:
    """True of the left state and false of the right one; with `short`, what seems superfluous is left out."""
    explainer = _Explainer(arena, rounds, divergence, short, progress)
    return explainer.formula(explainer.test(arena.left, arena.right))


@final
class _Explainer:
    """Explains why two states are apart after some round."""

    def __init__(self, arena: Arena, rounds: Rounds, divergence: bool, short: bool, progress: Progress) -> None:
        self._arena = arena
        self._rounds = rounds
        self._divergence = divergence
        self._short = short
        self._progress = progress
        # In formulas a silent step is one whatever is seen of the states.
        self._truths = Truths(arena, arena.actions == arena.tau)
        self._known: dict[tuple[int, int], Test] = {}
        self._formulas: dict[Test, Formula] = {}

    def test(self, a: int, b: int) -> Test:
        """A test that succeeds in the first state and fails in the second."""
        if (a, b) not in self._known:
            self._known[a, b] = self._new(a, b)
        return self._known[a, b]

    def formula(self, test: Test) -> Formula:
        if test not in self._formulas:
            self._formulas[test] = self._translated(test)
        return self._formulas[test]

    def _translated(self, test: Test) -> Formula:
        match test:
            case Seen():
                return test.formula
            case Way():
                through = conjunction(map(self.formula, test.through))
                inner = conjunction(map(self.formula, test.inner))
                if test.label is None:
                    formula: Formula = Forever(through)
                else:
                    step = possible((Do(self._arena.labels[test.label]),), inner)
                    if through == TRUE or test.late:
                        formula = possible((SILENTLY,), conjunction([through, step]))
                    else:
                        formula = Reaching(through, step)
                return formula if test.positive else negation(formula)
            case Step():
                raise AssertionError("a step of another bisimulation")
            case _:
                assert_never(test)

    def _new(self, a: int, b: int) -> Test:
        self._progress("explaining", tests=len(self._known))
        if not self._short and len(self._known) > MOST_TESTS_IN_FULL:
            raise TooMany(f"more than {MOST_TESTS_IN_FULL:,} tests")
        apart = self._rounds.apart(a, b)
        assert apart >= 0
        if apart == 0:
            return seen_test(self._arena, a, b)
        classes = self._rounds.history[apart - 1]
        near = [self._near(state, apart - 1) for state in (a, b)]
        candidates = sorted(self._candidates(near, apart - 1))
        if not candidates:
            goes_on = [self._goes_on(states) for states in near]
            assert self._divergence and goes_on[0] != goes_on[1]
            turn = 0 if goes_on[0] else 1
            one, other = ((a, b), (b, a))[turn]
            return self._way(one, other, near[1 - turn], None, [], positive=not turn)
        best: Way | None = None
        for _, turn, label, target in candidates[:MOST_ALTERNATIVES]:
            if best is not None and (best.size <= 2 or len(self._known) > TESTS_WITH_ALTERNATIVES):
                break
            one, other = ((a, b), (b, a))[turn]
            rivals = self._targets(near[1 - turn], label)
            if label == self._arena.tau:
                # A silent step within the class is no step: what follows must not hold in the class itself.
                rivals = np.append(rivals[classes[rivals] != classes[other]], other)
            assert not (classes[rivals] == classes[target]).any()
            inner = self._inner(target, rivals)
            found = self._way(one, other, near[1 - turn], label, inner, positive=not turn)
            if best is None or found.size < best.size:
                best = found
        assert best is not None
        return best

    def _candidates(self, near: list[Indices], history: int) -> list[tuple[int, int, int, int]]:
        """Steps that only one of the two can come to, beside how many others with that label the other has."""
        classes = self._rounds.history[history]
        kinds = int(classes.max()) + 1
        does: list[tuple[Indices, Indices]] = []
        for states in near:
            edges = self._arena.edges(states)
            labels, targets = self._arena.actions[edges].astype(np.int64), self._arena.targets[edges].astype(np.int64)
            counts = (labels != self._arena.tau) | (classes[targets] != classes[states[0]])
            keys, firsts = np.unique(labels[counts] * kinds + classes[targets[counts]], return_index=True)
            does.append((keys, targets[counts][firsts]))
        found = []
        for turn in (0, 1):
            (ours, targets), (theirs, _) = does[turn], does[1 - turn]
            only = ~np.isin(ours, theirs)
            others = np.bincount(theirs // kinds, minlength=len(self._arena.labels))
            for key, target in zip(ours[only].tolist(), targets[only].tolist(), strict=True):
                found.append((int(others[key // kinds]), turn, key // kinds, target))
        return found

    def _inner(self, target: int, rivals: Indices) -> list[Test]:
        """Tests that succeed in the target, not all of them in a rival."""
        if not self._short:
            return [self.test(target, rival) for rival in distinct(rivals).tolist()]
        inner: list[Test] = []
        left = distinct(rivals)
        while len(left):
            test = self.test(target, self._rounds.hardest(target, left))
            inner.append(test)
            left = left[self._truths.holds(test, left)]
        return needed(inner, rivals, self._truths)

    def _way(self, one: int, other: int, near: Indices, label: int | None, inner: list[Test], *, positive: bool) -> Way:
        """The weakest `through` that keeps the other state from it."""
        exits = np.setdiff1d(self._targets(near, self._arena.tau), near)
        through: list[Test] = []
        if not self._short:
            through = [self.test(one, t) for t in exits.tolist()]
            return _way(through, label, inner, positive)
        left = exits
        while len(left := left[self._truths.holds(_way(through, label, inner), left)]):
            through.append(self.test(one, self._rounds.hardest(one, left)))
        if through and label is not None:
            late = _way(through, label, inner, late=True)
            if not self._truths.holds(late, np.array([other])).any():
                return _way(through, label, inner, positive, late=True)
        return _way(through, label, inner, positive)

    def _targets(self, states: Indices, label: int) -> Indices:
        edges = self._arena.edges(states)
        return distinct(self._arena.targets[edges[self._arena.actions[edges] == label]].astype(np.int64))

    def _near(self, state: int, history: int) -> Indices:
        """The states that silent steps within the class lead to, the state itself included."""
        classes = self._rounds.history[history]
        found = self._truths.onward.reach(self._truths.flags(np.array([state])), classes == classes[state])
        return np.flatnonzero(found)

    def _goes_on(self, near: Indices) -> bool:
        """Whether silent steps within these states need not end."""
        inside = self._truths.flags(near)
        edges = self._arena.edges(near)
        edges = edges[(self._arena.actions[edges] == self._arena.tau) & inside[self._arena.targets[edges]]]
        back = Adjacency.of(self._arena.targets[edges], self._arena.sources[edges], self._arena.states)
        return bool(back.endless(inside, np.zeros_like(inside)).any())


def _way(
    through: list[Test], label: int | None, inner: list[Test], positive: bool = True, *, late: bool = False
) -> Way:
    size = 2 + sum(test.size for test in (*through, *inner)) + 2 * (bool(through) and not late)
    return Way(tuple(through), label, tuple(inner), positive, late, size)
