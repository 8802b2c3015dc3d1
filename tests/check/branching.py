"""Random branching formulas, and what they mean by their definition alone: sets of positions, fixed points by
repetition."""

from __future__ import annotations

import random
from typing import assert_never

from stateglass.logic.predicates import Applied, Named, Number, Operator
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
    Turn,
    Turns,
    Until,
    WeakUntil,
    parts,
)
from stateglass.model import Model

Position = tuple[int, str | None, int]  # where, what happens, where to

TEMPORAL = (Next, Eventually, Always, Until, WeakUntil, Release)


def p_is(value: int) -> Formula:
    return Holds(Applied(Operator.EQUAL, (Named("p"), Number(value))))


def _turns() -> list[Formula]:
    one = Applied(Operator.EQUAL, (Named("p"), Number(1)))
    return [Turns(Turn.RISES, one), Turns(Turn.FALLS, one), Turns(Turn.CHANGES, Named("p"))]


def random_ctl(chance: random.Random, depth: int, *, events: bool = True) -> Formula:
    """A formula over the proposition `p` and, if wanted, events that match `a*`, `b*` or `tau`."""
    if depth == 0:
        atoms: list[Formula] = [Constant(chance.random() < 0.5), p_is(0), p_is(1), p_is(2)]
        atoms += [Happens("a*"), Happens("b*"), Happens("ta*"), *_turns()] if events else []
        return chance.choice(atoms)
    left = random_ctl(chance, depth - 1, events=events)
    right = random_ctl(chance, chance.randrange(depth), events=events)
    kind = chance.randrange(8)
    if kind < 4:
        booleans: list[Formula] = [Not(left), And(left, right), Or(left, right), Implies(left, right), Iff(left, right)]
        return chance.choice(booleans)
    within = chance.choice([None, None, None, 0, 1, 2, 10**30])
    paths: list[Formula] = [Next(left), Eventually(left, within), Always(left, within), Until(left, right, within)]
    paths += [WeakUntil(left, right), Release(left, right)]
    return Quantified(chance.random() < 0.5, chance.choice(paths))


def positions_of(model: Model) -> list[Position]:
    rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    found: list[Position] = [(s, model.labels[a], t) for s, a, t in rows]
    busy = {s for s, _, _ in found}
    return found + [(s, None, s) for s in range(model.states) if s not in busy]


def mentions_event(formula: Formula) -> bool:
    if isinstance(formula, Happens | Turns):
        return True
    return not isinstance(formula, Quantified) and any(mentions_event(part) for part in parts(formula))


def holds_at(formula: Formula, model: Model) -> set[Position]:
    """The positions at which a formula holds; as the root, or as an operand of a temporal operator."""
    return _Meaning(model).of(formula, fixed=mentions_event(formula))


def holds_in(formula: Formula, model: Model) -> set[int]:
    """The states in which a formula holds, on all runs where the first step matters."""
    there = holds_at(formula, model)
    return {s for s in range(model.states) if all(p in there for p in positions_of(model) if p[0] == s)}


class _Meaning:
    """The definition, written down for one model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.positions = positions_of(model)
        self.everywhere = set(self.positions)

    def of(self, formula: Formula, *, fixed: bool) -> set[Position]:
        match formula:
            case Constant():
                return set(self.everywhere) if formula.value else set()
            case Holds():
                predicate = formula.predicate
                assert isinstance(predicate, Applied)
                name, value = predicate.operands
                assert isinstance(name, Named)
                assert isinstance(value, Number)
                return {p for p in self.positions if self.model.valuation(p[0])[name.name] == str(value.value)}
            case Happens():
                first = formula.pattern.removesuffix("*")
                return {p for p in self.positions if p[1] is not None and p[1].startswith(first)}
            case Turns():
                return {p for p in self.positions if self.turns(formula, p)}
            case Not():
                return self.everywhere - self.of(formula.inner, fixed=fixed)
            case And():
                return self.of(formula.left, fixed=fixed) & self.of(formula.right, fixed=fixed)
            case Or():
                return self.of(formula.left, fixed=fixed) | self.of(formula.right, fixed=fixed)
            case Implies():
                return (self.everywhere - self.of(formula.left, fixed=fixed)) | self.of(formula.right, fixed=fixed)
            case Iff():
                return self.everywhere - (self.of(formula.left, fixed=fixed) ^ self.of(formula.right, fixed=fixed))
            case Quantified():
                found = self.path(formula.path, formula.on_all)
                return found if fixed else {p for p in self.positions if self.quantified(found, formula.on_all, p[0])}
            case Next() | Eventually() | Always() | Until() | WeakUntil() | Release():
                raise AssertionError("a temporal operator without a quantifier")
            case _:
                assert_never(formula)

    def turns(self, turns: Turns, position: Position) -> bool:
        before, after = (self.model.valuation(state)["p"] for state in (position[0], position[2]))
        match turns.turn:
            case Turn.RISES:
                return before != "1" and after == "1"
            case Turn.FALLS:
                return before == "1" and after != "1"
            case Turn.CHANGES:
                return before != after

    def operand(self, formula: Formula) -> set[Position]:
        return self.of(formula, fixed=mentions_event(formula))

    def quantified(self, where: set[Position], on_all: bool, state: int) -> bool:
        there = [p in where for p in self.positions if p[0] == state]
        return all(there) if on_all else any(there)

    def after(self, where: set[Position], on_all: bool) -> set[Position]:
        return {p for p in self.positions if self.quantified(where, on_all, p[2])}

    def path(self, path: Formula, on_all: bool) -> set[Position]:
        """The positions from which all, or some, runs satisfy a path formula: its expansion, again and again."""
        match path:
            case Next():
                return self.after(self.operand(path.inner), on_all)
            case Eventually():
                return self.until(self.everywhere, self.operand(path.inner), on_all, path.within)
            case Until():
                return self.until(self.operand(path.left), self.operand(path.right), on_all, path.within)
            case Always():
                where = self.operand(path.inner)
                return self.greatest(where, set(), on_all, path.within)
            case WeakUntil():
                return self.greatest(self.operand(path.left), self.operand(path.right), on_all, None)
            case Release():
                left, right = self.operand(path.left), self.operand(path.right)
                return self.greatest(right, left & right, on_all, None)
            case _:
                return self.operand(path)

    def rounds(self, within: int | None) -> int:
        return len(self.positions) + 1 if within is None else min(within, len(self.positions) + 1)

    def until(self, left: set[Position], right: set[Position], on_all: bool, within: int | None) -> set[Position]:
        found = set(right)
        for _ in range(self.rounds(within)):
            found = right | (left & self.after(found, on_all))
        return found

    def greatest(self, left: set[Position], right: set[Position], on_all: bool, within: int | None) -> set[Position]:
        found = left | right
        for _ in range(self.rounds(within)):
            found = right | (left & self.after(found, on_all))
        return found
