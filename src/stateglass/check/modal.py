"""Where a modal formula holds in a model, by the meaning of its operators alone.

In a partial model, what is not explored may turn out either way. Truth therefore has two sides (Bruns and Godefroid,
Model checking partial state spaces with 3-valued temporal logics, 1999): the states in which the formula holds whatever
is found there, and those in which it may hold. Linear in the model for each operator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never, final

import numpy as np

from stateglass.logic import (
    And,
    Constant,
    Do,
    Ended,
    Equals,
    Forever,
    Formula,
    Necessary,
    Not,
    Omitted,
    Or,
    Piece,
    Possible,
    Reaching,
    Silently,
    parts,
)
from stateglass.logic.modal import FixedPoint, Holds, Implies, Variable
from stateglass.logic.steps import AndStep, AnyStep, Choice, Like, NotStep, OrStep, Repeated
from stateglass.model import TAU, Model, Proposition
from stateglass.model.adjacency import Adjacency
from stateglass.model.model import Flags
from stateglass.reduce import Progress, silent


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """Where a formula holds for certain, and where it may hold; the same unless the model is partial."""

    must: Flags
    may: Flags

    def negated(self) -> Truth:
        return Truth(~self.may, ~self.must)


def truth_at_start(formula: Formula, model: Model, progress: Progress = silent) -> bool | None:
    """Whether the formula holds in the initial state; None if that depends on what was not explored."""
    truth = evaluate(formula, model, progress)
    if truth.must[model.initial]:
        return True
    return None if truth.may[model.initial] else False


def evaluate(formula: Formula, model: Model, progress: Progress = silent) -> Truth:
    """The truth of a formula in every state. Parts that are shared are evaluated once."""
    evaluator = _Evaluator(model)
    done: dict[int, Truth] = {}
    work = [formula]
    while work:
        top = work[-1]
        missing = [part for part in parts(top) if id(part) not in done]
        if missing:
            work += missing
            continue
        work.pop()
        if id(top) not in done:
            progress("evaluating a formula", operators=len(done))
            done[id(top)] = evaluator.truth(top, [done[id(part)] for part in parts(top)])
    return done[id(formula)]


@final
class _Evaluator:
    """The meaning of each operator on one model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._label = {label: number for number, label in enumerate(model.labels)}
        self._open = _open_states(model)
        silent = model.actions == self._label.get(TAU, -1)
        self._silent_into = Adjacency.of(model.targets[silent], model.sources[silent], model.states)
        self._everywhere: Flags = np.ones(model.states, dtype=np.bool_)

    def truth(self, formula: Formula, inner: list[Truth]) -> Truth:
        match formula:
            case Constant():
                where = self._everywhere if formula.value else ~self._everywhere
                return Truth(where, where)
            case Ended():
                ended = self._model.terminal
                where = ~self._everywhere if ended is None else ended
                return Truth(where, where)
            case Equals():
                where = self._equal(formula)
                return Truth(where, where)
            case Not():
                return inner[0].negated()
            case And():
                return Truth(
                    np.logical_and.reduce([t.must for t in inner]), np.logical_and.reduce([t.may for t in inner])
                )
            case Or():
                return Truth(
                    np.logical_or.reduce([t.must for t in inner]), np.logical_or.reduce([t.may for t in inner])
                )
            case Possible():
                return self._possible(formula.path, inner[0])
            case Necessary():
                return self._possible(formula.path, inner[0].negated()).negated()
            case Reaching():
                through, after = inner
                must = self._backwards(through.must & after.must, through.must)
                return Truth(must, self._backwards(through.may & (after.may | self._open), through.may))
            case Forever():
                must = self._for_ever(inner[0].must, np.zeros_like(self._open))
                return Truth(must, self._for_ever(inner[0].may, self._open))
            case Implies():
                left, right = inner[0].negated(), inner[1]
                return Truth(left.must | right.must, left.may | right.may)
            case Holds() | Variable() | FixedPoint():
                raise AssertionError("formulas that tell two models apart have no such part")
            case Omitted():
                raise AssertionError("an outline of a formula has no truth")
            case _:
                assert_never(formula)

    def _equal(self, formula: Equals) -> Flags:
        named = [p for p in self._model.propositions if p.name == formula.proposition]
        assert named, f"there is no proposition `{formula.proposition}`"
        return _states_with(named[0], formula.text)

    def _possible(self, path: tuple[Piece, ...], inner: Truth) -> Truth:
        must, may = inner.must, inner.may
        for piece in reversed(path):
            match piece:
                case Do():
                    must, may = self._before(piece.label, must), self._before(piece.label, may) | self._open
                case Silently():
                    must = self._backwards(must, self._everywhere)
                    may = self._backwards(may | self._open, self._everywhere)
                case Like() | AnyStep() | NotStep() | AndStep() | OrStep() | Choice() | Repeated():
                    raise AssertionError("formulas that tell two models apart have no such step")
                case _:
                    assert_never(piece)
        return Truth(must, may)

    def _before(self, label: str, states: Flags) -> Flags:
        """The states with a transition of this label into one of these."""
        found: Flags = np.zeros(self._model.states, dtype=np.bool_)
        number = self._label.get(label)
        if number is not None:
            model = self._model
            found[model.sources[(model.actions == number) & states[model.targets]]] = True
        return found

    def _backwards(self, goal: Flags, through: Flags) -> Flags:
        """The states from which silent steps through `through` lead to the goal: a least fixed point."""
        return self._silent_into.reach(goal, through)

    def _for_ever(self, through: Flags, excused: Flags) -> Flags:
        """The states from which silent steps through `through` need not end: a greatest fixed point."""
        return self._silent_into.endless(through, excused)


def _open_states(model: Model) -> Flags:
    """The states whose transitions may not all be known; all of them if a partial model does not say which.

    What is seen of a state itself is known all the same, and where the program has ended, nothing follows.
    """
    flags: Flags = np.full(model.states, model.partial, dtype=np.bool_)
    if model.unexplored is not None and model.unexplored.any():
        flags = model.unexplored
    return flags if model.terminal is None else flags & ~model.terminal


def _states_with(proposition: Proposition, text: str) -> Flags:
    """Each value is turned into text once; a value that does not exist is `?`."""
    values = proposition.values
    # As bits: 0.0 and -0.0 are equal, but not as text.
    _, firsts, numbers = np.unique(values.view(np.int64), return_index=True, return_inverse=True)
    bare = Proposition(proposition.name, proposition.sort, values, proposition.names)
    equal = np.array([bare.text(int(first)) == text for first in firsts], dtype=np.bool_)[numbers]
    if proposition.defined is not None:
        equal = np.where(proposition.defined, equal, text == "?")
    return equal
