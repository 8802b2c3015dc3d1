"""Runs that repeat themselves, and what a formula is worth on one: by the meaning of its operators alone.

This shares nothing with automata, so that a counterexample can be checked before it is shown. Linear in the formula
times the length of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never, final

import numpy as np
import numpy.typing as npt

from stateglass.check.connectives import connected
from stateglass.check.ltl.alphabet import Meaning
from stateglass.check.truth import Truth
from stateglass.evidence import Path, Step
from stateglass.logic import temporal as t
from stateglass.logic.claims import Fairness
from stateglass.logic.unrolling import parts_first
from stateglass.model import Model, Relation
from stateglass.model.model import Flags


@final
@dataclass(frozen=True, slots=True)
class Lasso:
    """Transitions of a model from its initial state on; those from `loop` on are repeated for ever.

    Without any to be repeated, the run ends after the last of them and stays where it is.
    """

    steps: tuple[int, ...]
    loop: int

    @property
    def ends(self) -> bool:
        return self.loop == len(self.steps)

    def path(self, model: Model) -> Path:
        """The run as evidence."""
        steps = tuple(
            Step(int(model.sources[i]), int(model.targets[i]), model.labels[model.actions[i]]) for i in self.steps
        )
        return Path(model.initial, steps, None if self.ends else self.loop, ends=self.ends)


def truth_on(formula: t.Formula, lasso: Lasso, model: Model, meaning: Meaning) -> bool | None:
    """Whether a run satisfies a formula; None if that depends on values that are not known."""
    return _Positions(lasso, model, meaning).truth(formula).at(0)


def is_fair(lasso: Lasso, fairness: Sequence[Fairness], model: Model, meaning: Meaning) -> bool | None:
    """Whether all events get their turn that are to; None if that depends on what is not known."""
    answers: list[bool | None] = []
    positions = _Positions(lasso, model, meaning)
    for fair in fairness:
        happens = positions.event(fair.pattern)
        can_happen = positions.can_happen(fair.pattern)
        # What happens again and again is what happens in the part that is repeated.
        repeated = slice(lasso.loop, None)
        often = [bool(happens.must[repeated].any()), bool(happens.may[repeated].any())]
        if fair.strong:
            never = [not can_happen.may[repeated].any(), not can_happen.must[repeated].any()]
        else:
            never = [not can_happen.may[repeated].all(), not can_happen.must[repeated].all()]
        surely, perhaps = often[0] or never[0], often[1] or never[1]
        answers.append(True if surely else None if perhaps else False)
    if False in answers:
        return False
    return None if None in answers else True


@final
class _Positions:
    """The positions of a lasso, each once."""

    def __init__(self, lasso: Lasso, model: Model, meaning: Meaning) -> None:
        states = [int(model.sources[i]) for i in lasso.steps]
        labels = [int(model.actions[i]) for i in lasso.steps]
        if lasso.ends:
            states.append(int(model.targets[lasso.steps[-1]]) if lasso.steps else model.initial)
            labels.append(-1)
        self._states = np.array(states, dtype=np.int64)
        self._labels = np.array(labels, dtype=np.int64)
        self._loop = lasso.loop
        self._model = model
        self._meaning = meaning

    def event(self, pattern: str) -> Truth:
        meant = self._meaning.pattern(pattern)
        # Number -1, at the end of a run, is that of no label.
        return Truth(np.append(meant.must, False)[self._labels], np.append(meant.may, False)[self._labels])

    def can_happen(self, pattern: str) -> Truth:
        meant = self._meaning.pattern(pattern)
        model = self._model
        # What a state of an abstraction can do need not be possible for all that it stands for.
        sure = model.origin.relation is not Relation.OVER
        must, may = [], []
        for state in self._states.tolist():
            labels = model.actions[model.first[state] : model.first[state + 1]]
            must.append(sure and bool(meant.must[labels].any()))
            may.append(bool(meant.may[labels].any()) or bool(self._meaning.open[state]))
        return Truth(np.array(must, dtype=np.bool_), np.array(may, dtype=np.bool_))

    def truth(self, formula: t.Formula) -> Truth:
        done: dict[int, Truth] = {}
        for part in parts_first(formula, t.parts):
            done[id(part)] = self._operator(part, [done[id(inner)] for inner in t.parts(part)])
        return done[id(formula)]

    def _operator(self, formula: t.Formula, inner: list[Truth]) -> Truth:
        everywhere = Truth.known(np.ones(len(self._states), dtype=np.bool_))
        match formula:
            case t.Constant():
                return everywhere if formula.value else everywhere.negated()
            case t.Holds():
                truth = self._meaning.predicate(formula.predicate)
                return Truth(truth.must[self._states], truth.may[self._states])
            case t.Happens():
                return self.event(formula.pattern)
            case t.Not() | t.And() | t.Or() | t.Implies() | t.Iff():
                return connected(formula, inner)
            case t.Next():
                after = np.append(np.arange(1, len(self._states)), self._loop)
                return Truth(inner[0].must[after], inner[0].may[after])
            case t.Eventually():
                return self._until(everywhere, inner[0], formula.within)
            case t.Always():
                return self._until(everywhere, inner[0].negated(), formula.within).negated()
            case t.Until():
                return self._until(inner[0], inner[1], formula.within)
            case t.WeakUntil():
                always = self._until(everywhere, inner[0].negated(), None).negated()
                return self._until(inner[0], inner[1], None).or_else(always)
            case t.Release():
                return self._until(inner[0].negated(), inner[1].negated(), None).negated()
            case t.Turns() | t.Quantified():
                raise AssertionError("a formula with path quantifiers or changes of values is not linear")
            case _:
                assert_never(formula)

    def _until(self, left: Truth, right: Truth, within: int | None) -> Truth:
        return Truth(self._reaches(left.must, right.must, within), self._reaches(left.may, right.may, within))

    def _reaches(self, left: Flags, right: Flags, within: int | None) -> Flags:
        count = len(self._states)
        goal, stop = self._next(right), self._next(~left)
        reached: Flags = (goal <= stop) & (goal < self._never)
        if within is not None:
            reached &= goal - np.arange(count) <= within
        return reached

    @property
    def _never(self) -> int:
        return 2 * len(self._states)

    def _next(self, where: Flags) -> npt.NDArray[np.int64]:
        """The number of the next position at which something is so, counted on through one more turn of the loop."""
        count = len(self._states)
        twice = np.append(where, where[self._loop :])
        numbers = np.where(twice, np.arange(len(twice)), self._never)
        following: npt.NDArray[np.int64] = np.minimum.accumulate(numbers[::-1])[::-1][:count]
        return following
