"""The modal mu-calculus against its meaning: sets of states, fixed points by repetition, ways as relations."""

from __future__ import annotations

import random
from typing import assert_never

import numpy as np
import pytest

from stateglass.check import evaluate, positions, truth_at_start
from stateglass.check.ctl import Evaluation
from stateglass.logic import temporal
from stateglass.logic.modal import (
    FALSE,
    TRUE,
    And,
    Constant,
    Ended,
    Equals,
    FixedPoint,
    Forever,
    Formula,
    Holds,
    Implies,
    Necessary,
    Not,
    Omitted,
    Or,
    Possible,
    Reaching,
    Variable,
)
from stateglass.logic.predicates import Applied, Named, Number, Operator
from stateglass.logic.steps import (
    SILENTLY,
    Action,
    AndStep,
    AnyStep,
    Choice,
    Do,
    Like,
    NotStep,
    OrStep,
    Piece,
    Repeated,
    Silently,
)
from stateglass.model import TAU, Model
from stateglass.source import InputError
from tests.check.branching import random_ctl
from tests.check.test_ctl import random_model
from tests.relate.random_models import built

ANY = AnyStep(True)
TWO = Holds(Applied(Operator.EQUAL, (Named("p"), Number(2))))
Pairs = set[tuple[int, int]]


def random_action(chance: random.Random, depth: int) -> Action:
    if depth == 0 or chance.random() < 0.5:
        steps: list[Action] = [Do("a1"), Do(TAU), Like("b"), Like("a*"), ANY, AnyStep(False)]
        return chance.choice(steps)
    left, right = random_action(chance, depth - 1), random_action(chance, depth - 1)
    joined: list[Action] = [NotStep(left), AndStep((left, right)), OrStep((left, right))]
    return chance.choice(joined)


def random_path(chance: random.Random, depth: int) -> tuple[Piece, ...]:
    path: list[Piece] = []
    for _ in range(chance.choice([0, 1, 1, 1, 2])):
        kind = chance.randrange(6) if depth else 5
        if kind == 0:
            path.append(Choice((random_path(chance, depth - 1), random_path(chance, depth - 1))))
        elif kind == 1:
            path.append(Repeated(random_path(chance, depth - 1), chance.random() < 0.4))
        elif kind == 2:
            path.append(SILENTLY)
        else:
            path.append(random_action(chance, 2))
    return tuple(path)


def random_mu(chance: random.Random, depth: int, free: dict[str, bool], negated: bool = False) -> Formula:
    """`free`: the variables around, and whether they are around an odd number of negations."""
    usable = [name for name, sign in free.items() if sign is negated]
    if depth == 0:
        if usable and chance.random() < 0.7:
            return Variable(chance.choice(usable))
        atoms: list[Formula] = [TRUE, FALSE, Ended(), Equals("p", "1"), TWO]
        return chance.choice(atoms)
    kind = chance.randrange(10)
    if kind == 0:
        return Not(random_mu(chance, depth - 1, free, not negated))
    if kind in (1, 2):
        inner = (random_mu(chance, depth - 1, free, negated), random_mu(chance, chance.randrange(depth), free, negated))
        return And(inner) if kind == 1 else Or(inner)
    if kind == 3:
        left = random_mu(chance, chance.randrange(depth), free, not negated)
        return Implies(left, random_mu(chance, depth - 1, free, negated))
    if kind in (4, 5):
        path, inside = random_path(chance, 2), random_mu(chance, depth - 1, free, negated)
        return Possible(path, inside) if kind == 4 else Necessary(path, inside)
    if kind == 6:
        left, right = (random_mu(chance, chance.randrange(depth), free, negated) for _ in range(2))
        return Reaching(left, right) if chance.random() < 0.7 else Forever(left)
    name = chance.choice("XYZ")
    return FixedPoint(chance.random() < 0.5, name, random_mu(chance, depth - 1, {**free, name: negated}, negated))


class Meaning:
    """The definition, written down for one model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.everything = set(range(model.states))
        rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
        self.rows = [(s, model.labels[a], t) for s, a, t in rows]

    def of(self, formula: Formula, bound: dict[str, set[int]]) -> set[int]:
        match formula:
            case Constant():
                return self.everything if formula.value else set()
            case Ended():
                return {s for s in self.everything if self.model.is_terminal(s)}
            case Equals():
                return {s for s in self.everything if self.model.valuation(s)[formula.proposition] == formula.text}
            case Holds():
                return {s for s in self.everything if self.model.valuation(s)["p"] == "2"}
            case Variable():
                return bound[formula.name]
            case Not():
                return self.everything - self.of(formula.inner, bound)
            case And():
                return self.everything.intersection(*(self.of(part, bound) for part in formula.inner))
            case Or():
                return set().union(*(self.of(part, bound) for part in formula.inner))
            case Implies():
                return (self.everything - self.of(formula.left, bound)) | self.of(formula.right, bound)
            case Possible():
                goal, ways = self.of(formula.inner, bound), self.ways(formula.path)
                return {s for s, t in ways if t in goal}
            case Necessary():
                goal, ways = self.of(formula.inner, bound), self.ways(formula.path)
                return {s for s in self.everything if all(t in goal for u, t in ways if u == s)}
            case Reaching():
                through, goal = self.of(formula.through, bound), self.of(formula.inner, bound)
                found = through & goal
                for _ in self.everything:
                    found = found | {s for s, a, t in self.rows if a == TAU and t in found and s in through}
                return found
            case Forever():
                found = self.of(formula.through, bound)
                for _ in self.everything:
                    found = {s for s, a, t in self.rows if a == TAU and s in found and t in found}
                return found
            case FixedPoint():
                found = set() if formula.least else self.everything
                while True:
                    after = self.of(formula.inner, {**bound, formula.variable: found})
                    if after == found:
                        return found
                    found = after
            case Omitted():
                raise AssertionError("an outline has no truth")
            case _:
                assert_never(formula)

    def ways(self, path: tuple[Piece, ...]) -> Pairs:
        found = {(s, s) for s in self.everything}
        for piece in path:
            step = self.piece(piece)
            found = {(s, u) for s, t in found for v, u in step if v == t}
        return found

    def piece(self, piece: Piece) -> Pairs:
        match piece:
            case Silently():
                return self.again({(s, t) for s, a, t in self.rows if a == TAU})
            case Choice():
                return set().union(*(self.ways(way) for way in piece.ways))
            case Repeated():
                once = self.ways(piece.way)
                more = self.again(once)
                return {(s, u) for s, t in once for v, u in more if v == t} if piece.at_least_once else more
            case action:
                return {(s, t) for s, a, t in self.rows if self.meant(action, a)}

    def again(self, once: Pairs) -> Pairs:
        found = {(s, s) for s in self.everything}
        for _ in self.everything:
            found = found | {(s, u) for s, t in found for v, u in once if v == t}
        return found

    def meant(self, action: Action, label: str) -> bool:
        match action:
            case Do():
                return action.label == label
            case Like():
                return label.startswith(action.pattern.removesuffix("*"))
            case AnyStep():
                return action.value
            case NotStep():
                return not self.meant(action.inner, label)
            case AndStep():
                return all(self.meant(part, label) for part in action.inner)
            case OrStep():
                return any(self.meant(part, label) for part in action.inner)
            case _:
                assert_never(action)


def with_labels(chance: random.Random, states: int) -> Model:
    """A random model whose labels include those that formulas name."""
    model = random_model(chance, states)
    rows = list(zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True))
    named = [(s, model.labels[a], t) for s, a, t in rows] + [(chance.randrange(states), "b(2)", 0)]
    ends = [s for s in range(states) if chance.random() < 0.2]
    return built(named, states, ends=ends, values=model.propositions[0].values.tolist())


def states_of(formula: Formula, model: Model) -> set[int]:
    truth = evaluate(formula, model)
    assert truth.is_known
    return set(np.flatnonzero(truth.must).tolist())


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_meaning(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(400):
        model = with_labels(chance, chance.randint(1, 5))
        formula = random_mu(chance, chance.randint(1, 6), {})
        assert states_of(formula, model) == Meaning(model).of(formula, {}), formula


def test_compiled_loops_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(9)
    tried = [(random_mu(chance, 6, {}), with_labels(chance, 5)) for _ in range(150)]
    expected = [states_of(formula, model) for formula, model in tried]
    monkeypatch.setattr(positions, "MOST_PLAIN", 0)
    assert [states_of(formula, model) for formula, model in tried] == expected


def again_and_again(action: Action) -> Formula:
    """`nu X. mu Y. <action>X || <true>Y`: a run with infinitely many such steps."""
    return FixedPoint(
        False,
        "X",
        FixedPoint(True, "Y", Or((Possible((action,), Variable("X")), Possible((ANY,), Variable("Y"))))),
    )


def test_alternation() -> None:
    model = built([(0, "a", 1), (1, "b", 0), (1, "c", 2), (2, "c", 2)], 3)
    assert states_of(again_and_again(Do("a")), model) == {0, 1}
    assert states_of(again_and_again(Do("c")), model) == {0, 1, 2}
    # mu X. nu Y. [a]X && [!a]Y: on all runs `a` happens only finitely often.
    rarely = FixedPoint(
        True,
        "X",
        FixedPoint(
            False,
            "Y",
            And((Necessary((Do("a"),), Variable("X")), Necessary((NotStep(Do("a")),), Variable("Y")))),
        ),
    )
    assert states_of(rarely, model) == {2}


@pytest.mark.parametrize("seed", range(3))
def test_alternating_formulas_of_depth_three(seed: int) -> None:
    """Parity conditions of the classical form: the highest label that comes again and again decides."""
    chance = random.Random(seed)
    for _ in range(60):
        inner: Formula = Or(
            tuple(Possible((Do(label),), Variable(name)) for label, name in (("a", "X"), ("b", "Y"), ("tau", "Z")))
        )
        if chance.random() < 0.5:
            inner = And((inner, Necessary((ANY,), Or((Variable("Y"), Variable("Z"))))))
        first = chance.random() < 0.5
        formula = FixedPoint(first, "X", FixedPoint(not first, "Y", FixedPoint(first, "Z", inner)))
        states = chance.randint(1, 6)
        rows = [
            (chance.randrange(states), chance.choice(["a", "b", "tau"]), chance.randrange(states))
            for _ in range(states * 3)
        ]
        model = built(rows, states, values=[0] * states)
        assert states_of(formula, model) == Meaning(model).of(formula, {})


def test_partial_models() -> None:
    model = built([(0, "a", 1)], 2, unexplored=[1])
    assert truth_at_start(Necessary((Repeated((ANY,)), Do("b")), FALSE), model) is None
    assert truth_at_start(Possible((ANY,), TRUE), model) is True
    assert truth_at_start(Necessary((Do("b"),), FALSE), model) is True
    assert truth_at_start(again_and_again(Do("a")), model) is None


@pytest.mark.parametrize("kind", ["not", "and", "step", "path", "fixed points", "star", "alternation"])
def test_large_formulas(kind: str) -> None:
    model = built([(0, "a", 1), (1, "a", 0)], 2, values=[0, 1])
    formula: Formula = TRUE
    path: tuple[Piece, ...] = (Do("a"),)
    for number in range(10_000 if kind != "alternation" else 300):
        match kind:
            case "not":
                formula = Not(formula)
            case "and":
                formula = And((TRUE, formula))
            case "step":
                formula = Possible((Do("a"),), formula)
            case "path":
                path = (*path, Do("a")) if number < 5000 else path
            case "fixed points":
                formula = FixedPoint(number % 2 == 0, f"X{number}", Or((formula, Variable(f"X{number}"))))
            case "star":
                path = (Repeated(path),)
            case _:
                formula = FixedPoint(
                    number % 2 == 0, f"X{number}", Or((formula, Possible((ANY,), Variable(f"X{number}"))))
                )
    if kind in ("path", "star"):
        formula = Possible(path, TRUE)
    assert truth_at_start(formula, model) is True


def test_variables_need_a_fixed_point_and_an_even_number_of_negations() -> None:
    model = built([], 1)
    with pytest.raises(InputError, match="no fixed point around it"):
        evaluate(FixedPoint(True, "X", Variable("Y")), model)
    with pytest.raises(InputError, match="odd number of negations"):
        evaluate(FixedPoint(True, "X", Not(Variable("X"))), model)
    assert truth_at_start(FixedPoint(False, "X", Not(Not(Variable("X")))), model) is True


def in_mu(formula: temporal.Formula) -> Formula:
    """CTL without events in the mu-calculus; where a run has ended it stays."""
    t = temporal
    stuck = Necessary((ANY,), FALSE)

    def after(on_all: bool, inner: Formula) -> Formula:
        if on_all:
            return And((Necessary((ANY,), inner), Or((Not(stuck), inner))))
        return Or((Possible((ANY,), inner), And((stuck, inner))))

    def until(on_all: bool, left: Formula, right: Formula, within: int | None) -> Formula:
        if within is None:
            return FixedPoint(True, "X", Or((right, And((left, after(on_all, Variable("X")))))))
        found = right
        for _ in range(min(within, 20)):
            found = Or((right, And((left, after(on_all, found)))))
        return found

    match formula:
        case t.Constant():
            return TRUE if formula.value else FALSE
        case t.Holds():
            return Holds(formula.predicate)
        case t.Not():
            return Not(in_mu(formula.inner))
        case t.And():
            return And((in_mu(formula.left), in_mu(formula.right)))
        case t.Or():
            return Or((in_mu(formula.left), in_mu(formula.right)))
        case t.Implies():
            return Implies(in_mu(formula.left), in_mu(formula.right))
        case t.Iff():
            left, right = in_mu(formula.left), in_mu(formula.right)
            return And((Implies(left, right), Implies(right, left)))
        case t.Quantified(on_all=on_all, path=path):
            match path:
                case t.Next():
                    return after(on_all, in_mu(path.inner))
                case t.Eventually():
                    return until(on_all, TRUE, in_mu(path.inner), path.within)
                case t.Until():
                    return until(on_all, in_mu(path.left), in_mu(path.right), path.within)
                case t.Always():
                    return Not(until(not on_all, TRUE, Not(in_mu(path.inner)), path.within))
                case t.WeakUntil():
                    both = Or((in_mu(path.left), in_mu(path.right)))
                    return Not(until(not on_all, Not(in_mu(path.right)), Not(both), None))
                case t.Release():
                    return Not(until(not on_all, Not(in_mu(path.left)), Not(in_mu(path.right)), None))
                case _:
                    raise AssertionError(path)
        case _:
            raise AssertionError(formula)


def test_ctl_agrees_with_its_translation() -> None:
    chance = random.Random(11)
    for _ in range(400):
        model = random_model(chance, chance.randint(1, 6))
        formula = random_ctl(chance, chance.randint(1, 4), events=False)
        evaluation = Evaluation(formula, model)
        found = evaluation.for_states(evaluation.value(formula, False), on_all=True)
        assert set(np.flatnonzero(found.must).tolist()) == states_of(in_mu(formula), model)
