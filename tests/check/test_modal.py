"""The evaluator against the meaning of formulas; partial models against what they may turn out to be."""

from __future__ import annotations

import random
from typing import assert_never

import numpy as np

from stateglass.check import evaluate, truth_at_start
from stateglass.logic import (
    FALSE,
    SILENTLY,
    TRUE,
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
    negation,
)
from stateglass.logic.modal import FixedPoint, Holds, Implies, Variable
from stateglass.model import TAU, Model, ModelBuilder, Origin, Proposition, Sort
from tests.relate.random_models import built, random_rows

LABELS = ["a", "b", TAU, "unknown"]


def random_formula(chance: random.Random, depth: int) -> Formula:
    if depth == 0:
        atoms: list[Formula] = [TRUE, FALSE, Ended(), Equals("p", "1"), Equals("p", "7")]
        return chance.choice(atoms)
    inner = random_formula(chance, depth - 1)
    other = random_formula(chance, depth - 1)
    pieces: list[Piece] = [SILENTLY, *map(Do, LABELS)]
    path = tuple(chance.choices(pieces, k=chance.randint(1, 3)))
    choices: list[Formula] = [Not(inner), And((inner, other)), Or((inner, other)), Possible(path, inner)]
    choices += [Necessary(path, inner), Reaching(inner, other), Forever(inner)]
    return chance.choice(choices)


def holds(formula: Formula, model: Model) -> set[int]:
    """The states in which a formula holds: sets of states, and fixed points by repetition."""
    everything = set(range(model.states))
    rows = [
        (s, model.labels[a], t)
        for s, a, t in zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    ]

    def before(label: str, goal: set[int]) -> set[int]:
        return {s for s, a, t in rows if a == label and t in goal}

    match formula:
        case Constant():
            return everything if formula.value else set()
        case Ended():
            return {s for s in everything if model.is_terminal(s)}
        case Equals():
            return {s for s in everything if model.valuation(s)[formula.proposition] == formula.text}
        case Not():
            return everything - holds(formula.inner, model)
        case And():
            return set.intersection(*(holds(part, model) for part in formula.inner))
        case Or():
            return set.union(*(holds(part, model) for part in formula.inner))
        case Possible():
            goal = holds(formula.inner, model)
            for piece in reversed(formula.path):
                if isinstance(piece, Silently):
                    for _ in everything:
                        goal = goal | before(TAU, goal)
                else:
                    assert isinstance(piece, Do)
                    goal = before(piece.label, goal)
            return goal
        case Necessary():
            return everything - holds(Possible(formula.path, Not(formula.inner)), model)
        case Reaching():
            through = holds(formula.through, model)
            goal = through & holds(formula.inner, model)
            for _ in everything:
                goal = goal | (through & before(TAU, goal))
            return goal
        case Forever():
            goal = holds(formula.through, model)
            for _ in everything:
                goal = goal & before(TAU, goal)
            return goal
        case Omitted():
            raise AssertionError("an outline has no truth")
        case Holds() | Variable() | Implies() | FixedPoint():
            raise AssertionError("no explanation of a difference has these")
        case _:
            assert_never(formula)


def random_model(chance: random.Random, states: int) -> Model:
    values = [chance.randrange(3) for _ in range(states)]
    ends = [s for s in range(states) if chance.random() < 0.2]
    return built(random_rows(chance, states), states, ends=ends, values=values)


def test_agrees_with_the_meaning() -> None:
    chance = random.Random(1)
    for _ in range(3000):
        model = random_model(chance, chance.randint(1, 6))
        formula = random_formula(chance, chance.randint(0, 4))
        truth = evaluate(formula, model)
        assert set(np.flatnonzero(truth.must).tolist()) == holds(formula, model), formula
        assert (truth.must == truth.may).all()


def test_negation_is_the_opposite() -> None:
    chance = random.Random(2)
    for _ in range(500):
        model = random_model(chance, 4)
        formula = random_formula(chance, 3)
        assert (evaluate(negation(formula), model).must == ~evaluate(formula, model).must).all()


def completed(chance: random.Random, model: Model) -> Model:
    """What a partial model may turn out to be: more transitions of unexplored states, some of them to new states.

    What is seen of a known state, and that an ended one has nothing more to come, stays as it is.
    """
    states = model.states + 2
    rows = [
        (s, model.labels[a], t)
        for s, a, t in zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    ]
    assert model.unexplored is not None
    known = [s for s in range(model.states) if model.is_terminal(s)]
    new = [model.states, model.states + 1]
    free = [*(s for s in np.flatnonzero(model.unexplored).tolist() if s not in known), *new]
    rows += [
        (chance.choice(free), chance.choice(LABELS[:3]), chance.randrange(states)) for _ in range(chance.randint(0, 6))
    ]
    ends = [*known, *(s for s in new if chance.random() < 0.3)]
    builder = ModelBuilder()
    for row in rows:
        builder.add(*row)
    columns = [
        Proposition(p.name, p.sort, np.concatenate([p.values, [chance.randrange(3)] * 2])) for p in model.propositions
    ]
    return builder.build(states, model.initial, propositions=columns, terminal=ends)


def test_certainty_survives_whatever_is_found() -> None:
    chance = random.Random(3)
    certain = 0
    for _ in range(1500):
        whole = random_model(chance, chance.randint(2, 5))
        unexplored = [s for s in range(whole.states) if chance.random() < 0.3] or [1]
        rows = list(zip(whole.sources.tolist(), whole.actions.tolist(), whole.targets.tolist(), strict=True))
        values = whole.propositions[0].values.tolist()
        ends = [s for s in range(whole.states) if whole.is_terminal(s)]
        named = [(s, whole.labels[a], t) for s, a, t in rows]
        model = built(named, whole.states, ends=ends, values=values, unexplored=unexplored)
        formula = random_formula(chance, 3)
        known = truth_at_start(formula, model)
        if known is not None:
            certain += 1
            for _ in range(5):
                assert truth_at_start(formula, completed(chance, model)) is known, formula
    assert 300 < certain < 1400


def test_a_partial_model_that_does_not_say_where_is_uncertain_everywhere() -> None:
    model = ModelBuilder().build(1, origin=Origin(partial=("lost",)))
    assert truth_at_start(Possible((Do("a"),), TRUE), model) is None
    assert truth_at_start(TRUE, model) is True


def test_values_are_compared_as_text() -> None:
    column = Proposition(
        "x", Sort.FLOAT, np.array([0.0, -0.0, np.nan, 1.5]), defined=np.array([True, True, True, False])
    )
    model = ModelBuilder().build(4, propositions=[column])
    for text, states in (("0.0", [0]), ("-0.0", [1]), ("nan", [2]), ("?", [3]), ("1.5", [])):
        assert np.flatnonzero(evaluate(Equals("x", text), model).must).tolist() == states


def test_a_long_silent_way_takes_no_recursion() -> None:
    states = 3000
    model = built([(s, TAU, s + 1) for s in range(states - 1)] + [(states - 1, "a", 0)], states)
    assert truth_at_start(Possible((SILENTLY, Do("a")), TRUE), model)
    formula: Formula = TRUE
    for _ in range(3000):
        formula = Possible((Do(TAU),), formula)
    assert truth_at_start(formula, model) is False
