"""Branching formulas on a model: fixed points over its states and positions.

Clarke, Emerson and Sistla (Automatic verification of finite-state concurrent systems using temporal logic
specifications, 1986), with events as `logic/temporal.py` explains them: a formula is about states, or about positions
where it mentions an event. Linear in the model for each operator, bounds included. Truth has two sides. With fairness,
quantifiers speak of fair runs; every beginning of a run goes on to one, so that this matters only to what all of them
have to do some day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never, final

import numpy as np

from stateglass.check import loops
from stateglass.check.events import labels_meant
from stateglass.check.fair_runs import FairRuns
from stateglass.check.positions import Positions
from stateglass.check.predicates import predicate_truth
from stateglass.check.truth import Truth
from stateglass.check.turns import turn_truth
from stateglass.logic.claims import Fairness
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
from stateglass.logic.unrolling import parts_first
from stateglass.model import Model
from stateglass.model.model import Flags, Ints
from stateglass.source import Code, input_error
from stateglass.work import Progress, silent

MOST_KEPT: Final = 1 << 29
"""Bytes: as long as the truth of all parts takes no more, it is kept for whoever asks why."""

_TEMPORAL: Final = (Next, Eventually, Always, Until, WeakUntil, Release)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """Where a formula holds: for each state, or for each position."""

    truth: Truth
    by_position: bool


Key = tuple[int, bool]  # a formula, by identity, and whether the step that is taken is fixed


@final
class Evaluation:
    """The truth of a branching formula and its parts on one model."""

    def __init__(
        self,
        formula: Formula,
        model: Model,
        progress: Progress = silent,
        fairness: Sequence[Fairness] = (),
        positions: Positions | None = None,
    ) -> None:
        self.formula = formula
        self.model = model
        self._progress = progress
        self._order = operands_first(formula)
        self._mentions = _mentions(self._order)
        check_shape(formula)
        # Mistakes in any of the atoms are found before anything large is computed.
        self._atoms = {id(node): _atom(node, model) for node in self._order if isinstance(node, Holds | Happens)}
        # Whoever asks many formulas has the positions made once.
        self.positions = positions or Positions(model)
        self._atoms |= {id(node): turn_truth(node, self.positions) for node in self._order if isinstance(node, Turns)}
        self.fair = FairRuns(self.positions, fairness) if fairness else None
        """What quantifiers leave out; None: they speak of all runs."""
        self._done: dict[Key, Value] = {}
        self._keeps = len(self._order) * (self.positions.states + self.positions.count) <= MOST_KEPT

    def at_start(self) -> bool | None:
        """Whether it holds in the initial state, on all runs where the first step matters; None: not known."""
        value = self.value(self.formula, self.is_fixed(self.formula))
        return self.for_states(value, on_all=True).at(self.model.initial)

    def is_fixed(self, formula: Formula) -> bool:
        """Whether a Boolean combination mentions an event."""
        return self._mentions[id(formula)]

    def value(self, formula: Formula, fixed: bool) -> Value:
        """The truth of a part; `fixed`: it stands in a combination that mentions an event."""
        wanted = (id(formula), fixed)
        if wanted in self._done:
            return self._done[wanted]
        order: list[tuple[Formula, bool]] = []
        uses: dict[Key, int] = {}
        met: set[Key] = set()
        work: list[tuple[Formula, bool, bool]] = [(formula, fixed, False)]
        while work:
            node, at, ready = work.pop()
            if ready:
                order.append((node, at))
            elif (id(node), at) not in met and (id(node), at) not in self._done:
                met.add((id(node), at))
                work.append((node, at, True))
                for part, of in self._operands(node, at):
                    uses[id(part), of] = uses.get((id(part), of), 0) + 1
                    work.append((part, of, False))
        for number, (node, at) in enumerate(order):
            self._progress("evaluating a formula", operators=number)
            inner = [(id(part), of) for part, of in self._operands(node, at)]
            self._done[id(node), at] = self._computed(node, at, [self._done[key] for key in inner])
            for key in inner if not self._keeps else ():
                uses[key] -= 1
                if not uses[key]:
                    del self._done[key]
        return self._done[wanted]

    def for_states(self, value: Value, *, on_all: bool) -> Truth:
        """A truth at positions as one in states: on all of them, or on some."""
        if not value.by_position:
            return value.truth
        must, may = self._policies(on_all)
        found = self.positions.somewhere(value.truth.must, must)
        if value.truth.is_known and self.positions.is_certain:
            return Truth.known(found)
        return Truth(found, self.positions.somewhere(value.truth.may, may))

    def operands(self, quantified: Quantified) -> tuple[tuple[Formula, bool], ...]:
        """What the temporal operator under a quantifier is about, and whether each mentions an event."""
        path = quantified.path
        inner = parts(path) if isinstance(path, _TEMPORAL) else (path,)
        return tuple((part, self.is_fixed(part)) for part in inner)

    def _operands(self, node: Formula, fixed: bool) -> tuple[tuple[Formula, bool], ...]:
        if isinstance(node, Quantified):
            return self.operands(node)
        return tuple((part, fixed) for part in parts(node))

    def _policies(self, on_all: bool) -> tuple[int, int]:
        """How many of its positions let a state join an until, on the sides of must and may."""
        if self.positions.is_certain:
            return (loops.EVERY, loops.EVERY) if on_all else (loops.ANY, loops.ANY)
        return (loops.EVERY, loops.COVER) if on_all else (loops.SURE, loops.ANY)

    def _computed(self, node: Formula, fixed: bool, inner: list[Value]) -> Value:
        match node:
            case Constant():
                flags: Flags = np.full(self.positions.states, node.value, dtype=np.bool_)
                return Value(Truth.known(flags), by_position=False)
            case Holds():
                return Value(self.positions.of_states(self._atoms[id(node)]), by_position=False)
            case Happens():
                return Value(self.positions.of_labels(self._atoms[id(node)]), by_position=True)
            case Turns():
                return Value(self._atoms[id(node)], by_position=True)
            case Not():
                return self._opposite(inner[0])
            case And():
                return self._both(*inner)
            case Or():
                return self._either(*inner)
            case Implies():
                return self._either(self._opposite(inner[0]), inner[1])
            case Iff():
                left, right = inner
                return self._either(self._both(left, right), self._both(self._opposite(left), self._opposite(right)))
            case Quantified():
                return self._quantified(node, fixed, inner)
            case Next() | Eventually() | Always() | Until() | WeakUntil() | Release():
                raise AssertionError("a temporal operator without a quantifier was let through")
            case _:
                assert_never(node)

    def _opposite(self, value: Value) -> Value:
        return Value(value.truth.negated(), value.by_position)

    def _both(self, left: Value, right: Value) -> Value:
        left, right = self._alike(left, right)
        return Value(left.truth.and_also(right.truth), left.by_position)

    def _either(self, left: Value, right: Value) -> Value:
        left, right = self._alike(left, right)
        return Value(left.truth.or_else(right.truth), left.by_position)

    def _alike(self, left: Value, right: Value) -> tuple[Value, Value]:
        if left.by_position == right.by_position:
            return left, right
        return self.at_positions(left), self.at_positions(right)

    def at_positions(self, value: Value) -> Value:
        if value.by_position:
            return value
        truth = value.truth
        must = self.positions.on_all_sides(truth.must, False)
        may = must if truth.is_known else self.positions.on_all_sides(truth.may, False)
        return Value(Truth(must, may), by_position=True)

    def _quantified(self, node: Quantified, fixed: bool, inner: list[Value]) -> Value:
        on_all = node.on_all
        everywhere = Value(Truth.known(np.ones(self.positions.states, dtype=np.bool_)), by_position=False)
        match node.path:
            case Next():
                return self._next(on_all, inner[0], fixed)
            case Eventually(within=within):
                return self._until(on_all, everywhere, inner[0], within, fixed)
            case Always(within=within):
                return self._opposite(self._until(not on_all, everywhere, self._opposite(inner[0]), within, fixed))
            case Until(within=within):
                return self._until(on_all, inner[0], inner[1], within, fixed)
            case WeakUntil():
                left, right = map(self._opposite, inner)
                return self._opposite(self._until(not on_all, right, self._both(left, right), None, fixed))
            case Release():
                left, right = map(self._opposite, inner)
                return self._opposite(self._until(not on_all, left, right, None, fixed))
            case _:
                if fixed:
                    return inner[0]
                return Value(self.for_states(inner[0], on_all=on_all), by_position=False)

    def _next(self, on_all: bool, inner: Value, fixed: bool) -> Value:
        after = self.for_states(inner, on_all=on_all)
        must = after.must[self.positions.targets]
        step = Value(Truth(must, must if after.is_known else after.may[self.positions.targets]), by_position=True)
        return step if fixed else Value(self.for_states(step, on_all=on_all), by_position=False)

    def _until(self, on_all: bool, through: Value, goal: Value, within: int | None, fixed: bool) -> Value:
        if self.fair is not None and on_all and within is None:
            return self._until_if_fair(self.fair, through, goal, fixed)
        policies = self._policies(on_all)
        must = self._one_side(through, goal, through.truth.must, goal.truth.must, policies[0], within, fixed)
        if self.positions.is_certain and through.truth.is_known and goal.truth.is_known:
            return Value(Truth.known(must), by_position=fixed)
        may = self._one_side(through, goal, through.truth.may, goal.truth.may, policies[1], within, fixed)
        return Value(Truth(must, may), by_position=fixed)

    def _until_if_fair(self, fair: FairRuns, through: Value, goal: Value, fixed: bool) -> Value:
        """On all fair runs. Some run fails if it leaves `through` before the goal, or goes on for ever without it."""
        positions = self.positions
        assert through.truth.is_known and goal.truth.is_known, "all is known of models on which runs are fair"
        to = positions.on_all_sides(goal.truth.must, goal.by_position)
        on = positions.on_all_sides(through.truth.must, through.by_position)
        left = positions.until(~to, True, ~to & ~on, True, loops.ANY) >= 0
        good: Flags = ~(left | fair.states(~to))
        if not fixed:
            return Value(Truth.known(good), by_position=False)
        return Value(Truth.known(to | (on & good[positions.targets])), by_position=True)

    def _one_side(
        self, through: Value, goal: Value, on: Flags, to: Flags, policy: int, within: int | None, fixed: bool
    ) -> Flags:
        positions = self.positions
        ranks = positions.until(on, through.by_position, to, goal.by_position, policy)
        if not fixed:
            return _reached(ranks, within)
        here = positions.on_all_sides(to, goal.by_position)
        if within == 0:
            return here
        then = _reached(ranks, None if within is None else within - 1)[positions.targets]
        return here | (positions.on_all_sides(on, through.by_position) & then)


def _reached(ranks: Ints, within: int | None) -> Flags:
    found: Flags = ranks >= 0
    # No shortest way is longer than there are states.
    return found if within is None or within >= len(ranks) else found & (ranks <= within)


def _atom(node: Holds | Happens, model: Model) -> Truth:
    if isinstance(node, Holds):
        return predicate_truth(node.predicate, model, node.span)
    return labels_meant(node.pattern, model)


def operands_first(formula: Formula) -> list[Formula]:
    """Each part of a formula once, after its own parts."""
    return parts_first(formula, parts)


def _mentions(order: list[Formula]) -> dict[int, bool]:
    """Which formulas mention an event outside of all quantifiers in them."""
    found: dict[int, bool] = {}
    for node in order:
        match node:
            case Happens() | Turns():
                found[id(node)] = True
            case Quantified():
                found[id(node)] = False
            case _:
                found[id(node)] = any(found[id(part)] for part in parts(node))
    return found


def check_shape(formula: Formula) -> None:
    """Refuses what is no branching formula: a temporal operator that is not directly under a quantifier."""
    seen: set[int] = set()
    work = [formula]
    while work:
        node = work.pop()
        if isinstance(node, _TEMPORAL):
            message = f"`{_LETTERS[type(node)]}` has no `A` or `E` before it"
            advice = "in a branching formula each temporal operator stands directly under a quantifier, as in `AG EF x`"
            raise input_error(Code.SYNTAX, message, help=advice)
        if id(node) not in seen:
            seen.add(id(node))
            under = node.path if isinstance(node, Quantified) else None
            work += parts(under) if isinstance(under, _TEMPORAL) else parts(node)


_LETTERS: Final[dict[type, str]] = {
    Next: "X",
    Eventually: "F",
    Always: "G",
    Until: "U",
    WeakUntil: "W",
    Release: "R",
}
