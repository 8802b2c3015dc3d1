"""Distinguishing formulas for branching bisimulation, with and without divergence.

One state can, by silent steps that keep it in its class, come to do something that the other cannot: the formula says
"silently through states like these, then this action". What "like these" must rule out are the other state's silent
steps out of the class (the until operator of De Nicola and Vaandrager, 1995; Korver, Computing distinguishing formulas
for branching bisimulation, 1991). Often that is not needed, or needed only at the end of the silent steps, which reads
better (Martens and Groote, Minimal depth distinguishing formulas without until for branching bisimulation, 2024);
whatever is dropped, the caller checks the formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never, final

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
from stateglass.relate.distinguish import Seen, seen_test
from stateglass.relate.rounds import Rounds


@final
@dataclass(frozen=True, eq=False, slots=True)
class Way:
    """Silently through states with `through`, then the label, then `inner`; label None: silently for ever.

    If `late`, `through` must hold only where the silent steps end. The opposite of all that if not `positive`.
    """

    through: tuple[Test, ...]
    label: int | None
    inner: tuple[Test, ...]
    positive: bool
    late: bool = False


Test = Seen | Way


def from_branching_rounds(arena: Arena, rounds: Rounds, divergence: bool, *, short: bool) -> Formula:
    """True of the left state and false of the right one; with `short`, what seems superfluous is left out."""
    explainer = _Explainer(arena, rounds, divergence, short)
    return explainer.formula(explainer.test(arena.left, arena.right))


@final
class _Explainer:
    """Explains why two states are apart after some round."""

    def __init__(self, arena: Arena, rounds: Rounds, divergence: bool, short: bool) -> None:
        self._arena = arena
        self._rounds = rounds
        self._divergence = divergence
        self._short = short
        self._known: dict[tuple[int, int], Test] = {}
        self._holds: dict[tuple[int, int], bool] = {}
        self._formulas: dict[int, Formula] = {}

    def test(self, a: int, b: int) -> Test:
        """Succeeds in the first state and fails in the second."""
        if (a, b) not in self._known:
            self._known[a, b] = self._new(a, b)
        return self._known[a, b]

    def formula(self, test: Test) -> Formula:
        if id(test) not in self._formulas:
            self._formulas[id(test)] = self._translated(test)
        return self._formulas[id(test)]

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
            case _:
                assert_never(test)

    def _new(self, a: int, b: int) -> Test:
        apart = self._rounds.apart(a, b)
        assert apart >= 0
        if apart == 0:
            return seen_test(self._arena, a, b)
        classes = self._rounds.history[apart - 1]
        best: tuple[int, int, int, int] | None = None
        near = {state: self._near(state, apart - 1) for state in (a, b)}
        for turn, (one, other) in enumerate(((a, b), (b, a))):
            does, matched = self._does(near[one], apart - 1), self._does(near[other], apart - 1)
            for (label, kind), target in does.items():
                if (label, kind) not in matched:
                    cost = sum(1 for other_label, _ in matched if other_label == label)
                    if best is None or (cost, turn) < best[:2]:
                        best = cost, turn, label, target
        if best is None:
            assert self._divergence and self._goes_on(near[a]) != self._goes_on(near[b])
            turn = 0 if self._goes_on(near[a]) else 1
            one, other = ((a, b), (b, a))[turn]
            return self._way(one, other, near[other], None, (), positive=not turn)
        _, turn, label, target = best
        one, other = ((a, b), (b, a))[turn]
        kind = int(classes[target])
        rivals = {t for state in near[other] for step, t in self._arena.steps(state) if step == label}
        if label == self._arena.tau:
            rivals = {t for t in rivals if int(classes[t]) != int(classes[other])}
            # A silent step within the class is no step: what follows must not hold in the class itself.
            rivals |= {other}
        assert all(int(classes[t]) != kind for t in rivals)
        inner: list[Test] = []
        for rival in sorted(rivals, key=lambda t: (-self._rounds.apart(target, t), t)):
            if not self._short or all(self._succeeds(test, rival) for test in inner):
                inner.append(self.test(target, rival))
        return self._way(one, other, near[other], label, tuple(inner), positive=not turn)

    def _way(
        self, one: int, other: int, near: list[int], label: int | None, inner: tuple[Test, ...], *, positive: bool
    ) -> Way:
        """The weakest `through` that keeps the other state from it."""
        inside = set(near)
        silent = self._arena.tau
        exits = sorted({t for state in near for step, t in self._arena.steps(state) if step == silent} - inside)
        if not self._short:
            return Way(tuple(self.test(one, t) for t in exits), label, inner, positive)
        through: list[Test] = []
        for t in exits:
            if self._possible(Way(tuple(through), label, inner, True), t):
                through.append(self.test(one, t))
        if (
            through
            and label is not None
            and not self._possible(Way(tuple(through), label, inner, True, late=True), other)
        ):
            return Way(tuple(through), label, inner, positive, late=True)
        return Way(tuple(through), label, inner, positive)

    def _near(self, state: int, history: int) -> list[int]:
        """The states that silent steps within the class lead to, the state itself included."""
        classes = self._rounds.history[history]
        found = {state: None}
        work = [state]
        while work:
            for label, target in self._arena.steps(work.pop()):
                if label == self._arena.tau and classes[target] == classes[state] and target not in found:
                    found[target] = None
                    work.append(target)
        return list(found)

    def _does(self, near: list[int], history: int) -> dict[tuple[int, int], int]:
        """Label and class of every step out of these states that counts, with a target."""
        classes = self._rounds.history[history]
        own = int(classes[near[0]])
        found: dict[tuple[int, int], int] = {}
        for state in near:
            for label, target in self._arena.steps(state):
                if label != self._arena.tau or int(classes[target]) != own:
                    found.setdefault((label, int(classes[target])), target)
        return found

    def _goes_on(self, near: list[int]) -> bool:
        return bool(self._endless(set(near)))

    def _endless(self, states: set[int]) -> set[int]:
        """Those from which silent steps within the set need not end."""
        kept = set(states)
        shrinking = True
        while shrinking:
            stuck = {
                state
                for state in kept
                if not any(label == self._arena.tau and target in kept for label, target in self._arena.steps(state))
            }
            kept -= stuck
            shrinking = bool(stuck)
        return kept

    def _succeeds(self, test: Test, state: int) -> bool:
        match test:
            case Seen():
                return state in test.where
            case Way():
                key = id(test), state
                if key not in self._holds:
                    self._holds[key] = self._possible(test, state) is test.positive
                return self._holds[key]
            case _:
                assert_never(test)

    def _possible(self, way: Way, state: int) -> bool:
        """Whether the way exists, its sign aside."""

        def passes(at: int) -> bool:
            return all(self._succeeds(test, at) for test in way.through)

        if not way.late and not passes(state):
            return False
        found = {state}
        work = [state]
        while work:
            at = work.pop()
            for label, target in self._arena.steps(at):
                arrives = label == way.label and all(self._succeeds(test, target) for test in way.inner)
                if arrives and (not way.late or passes(at)):
                    return True
                if label == self._arena.tau and target not in found and (way.late or passes(target)):
                    found.add(target)
                    work.append(target)
        return way.label is None and state in self._endless(found)
