"""What a run has to do to show an existential formula, one phase after the other.

A phase is what is still to be shown at a place. At each place it has some ways to go on: a step after which a phase is
left to be shown, a step after which nothing is, or no step if what holds in the state is enough. `E[a U t]` goes on as
`t` does, or with a step at which `a` holds to itself; `EX t` with any step to `t`; `EG a` for ever to itself, and this
may begin without a step.

Where parts of a formula ask for several runs from one place, or for all runs, that is no way to go: no single run shows
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final, assert_never, final

import numpy as np

from stateglass.check.ctl import Evaluation, operands_first
from stateglass.logic.temporal import (
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Happens,
    Holds,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Quantified,
    Release,
    Turns,
    Until,
    WeakUntil,
    parts,
)
from stateglass.model.model import Flags

NOTHING: Final = -1
"""In place of a phase: nothing is left to be shown."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """How a phase goes on, and where: with a step or without, to another phase or to an end."""

    where: Flags  # for positions, or for states if no step is taken
    takes_step: bool
    after: int  # the phase that is left then
    owed: tuple[Formula, ...]  # what is to be shown at this place on this way: it holds there, or is left to the rest


@final
@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """What is left to be shown, and how that can go on."""

    formula: Formula
    steps: tuple[Way, ...]
    ends: tuple[Way, ...]  # no step is needed, and nothing is left
    turns: tuple[Way, ...]  # no step is needed, and the rest goes on for ever
    is_for_ever: bool  # a run may stay in it for ever: then nothing more is to be shown


@final
class Phases:
    """The phases of the formula of an evaluation; the run begins with the first. Unless `sure`, what may hold does."""

    def __init__(self, evaluation: Evaluation, *, sure: bool) -> None:
        self._evaluation = evaluation
        self._positions = evaluation.positions
        self._sure = sure
        self._numbers: dict[int, int] = {}
        self._formulas: list[Formula] = []
        self._plain: dict[int, bool] = {}
        for node in operands_first(evaluation.formula):
            inside = all(self._plain[id(part)] for part in parts(node))
            self._plain[id(node)] = inside and not isinstance(node, Quantified)
        self._number(evaluation.formula)
        self.all: list[Phase] = []
        while len(self.all) < len(self._formulas):
            self.all.append(self._phase(self._formulas[len(self.all)]))

    def _number(self, formula: Formula) -> int:
        if id(formula) not in self._numbers:
            self._numbers[id(formula)] = len(self._formulas)
            self._formulas.append(formula)
        return self._numbers[id(formula)]

    def _phase(self, formula: Formula) -> Phase:
        is_for_ever = isinstance(formula, Quantified) and isinstance(formula.path, Always)
        ways = [way for way in self._ways(formula, self._evaluation.is_fixed(formula)) if way.where.any()]
        turns = [way for way in ways if not way.takes_step and way.after != NOTHING and not is_for_ever]
        return Phase(
            formula,
            tuple(way for way in ways if way.takes_step),
            tuple(way for way in ways if not way.takes_step and way.after == NOTHING),
            tuple(turns),
            is_for_ever,
        )

    def _ways(self, formula: Formula, fixed: bool) -> list[Way]:
        if self._plain[id(formula)]:
            return [self._plainly(formula, fixed)]
        match formula:
            case And(left, right):
                pairs = product(self._ways(left, fixed), self._ways(right, fixed))
                return [self._both(a, b) for a, b in pairs if _go_together(a, b)]
            case Or(left, right):
                return self._ways(left, fixed) + self._ways(right, fixed)
            case Quantified(on_all=False):
                return self._on_some_run(formula)
            case Quantified() | Not() | Implies() | Iff():
                return []
            case Next() | Eventually() | Always() | Until() | WeakUntil() | Release():
                raise AssertionError("a temporal operator without a quantifier")
            case Constant() | Holds() | Happens() | Turns():
                raise AssertionError("that is plain")
            case _:
                assert_never(formula)

    def _on_some_run(self, formula: Quantified) -> list[Way]:
        everywhere: Flags = np.ones(self._positions.count, dtype=np.bool_)
        operands = self._evaluation.operands(formula)
        match formula.path:
            case Next(inner):
                return [Way(everywhere, True, self._number(inner), (formula,))]
            case Eventually(within=None):
                staying = Way(everywhere, True, self._number(formula), (formula,))
                return [*self._ways(*operands[0]), staying]
            case Until(within=None):
                return self._ways(*operands[1]) + self._staying(formula, *operands[0])
            case Always(within=None):
                in_states: Flags = np.ones(self._positions.states, dtype=np.bool_)
                return [*self._staying(formula, *operands[0]), Way(in_states, False, self._number(formula), ())]
            case Eventually() | Until() | Always() | WeakUntil() | Release():
                return []
            case _:
                return self._ways(*operands[0])

    def _staying(self, formula: Quantified, through: Formula, fixed: bool) -> list[Way]:
        if not self._plain[id(through)]:
            return []
        plain = self._plainly(through, fixed)
        where = self._positions.on_all_sides(plain.where, plain.takes_step)
        return [Way(where, True, self._number(formula), (*plain.owed, formula))]

    def _plainly(self, formula: Formula, fixed: bool) -> Way:
        value = self._evaluation.value(formula, fixed)
        where = value.truth.must if self._sure else value.truth.may
        owed = () if isinstance(formula, Constant) else (formula,)
        return Way(where, value.by_position, NOTHING, owed)

    def _both(self, one: Way, other: Way) -> Way:
        if one.takes_step == other.takes_step:
            where: Flags = one.where & other.where
        else:
            sides = (self._positions.on_all_sides(way.where, way.takes_step) for way in (one, other))
            where = next(sides) & next(sides)
        after = one.after if one.after != NOTHING else other.after
        return Way(where, one.takes_step or other.takes_step, after, (*one.owed, *other.owed))


def _go_together(one: Way, other: Way) -> bool:
    """Whether one run can go both ways: only one is left to the rest, and that does not begin before a step."""
    if one.after != NOTHING and other.after != NOTHING:
        return False
    lasting = one if one.after != NOTHING else other
    return lasting.after == NOTHING or lasting.takes_step or not (one.takes_step or other.takes_step)
