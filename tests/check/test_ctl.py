"""Branching formulas against their meaning, each other, and what partial models may turn out to be."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from stateglass.check import positions
from stateglass.check.ctl import Evaluation
from stateglass.logic.predicates import Named
from stateglass.logic.temporal import (
    FALSE,
    TRUE,
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Happens,
    Holds,
    Next,
    Not,
    Or,
    Quantified,
    Release,
    Until,
    WeakUntil,
)
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Relation, Sort
from stateglass.source import InputError
from tests.check.branching import holds_at, holds_in, p_is, positions_of, random_ctl
from tests.relate.random_models import built, random_rows


def random_model(chance: random.Random, states: int) -> Model:
    values = [chance.randrange(3) for _ in range(states)]
    rows = [(s, {"a": "a1", "b": "b(2)"}.get(label, label), t) for s, label, t in random_rows(chance, states)]
    return built(rows, states, values=values)


def states_of(formula: Formula, model: Model) -> set[int]:
    evaluation = Evaluation(formula, model)
    truth = evaluation.for_states(evaluation.value(formula, evaluation.is_fixed(formula)), on_all=True)
    assert truth.is_known
    return set(np.flatnonzero(truth.must).tolist())


def test_agrees_with_the_meaning() -> None:
    chance = random.Random(1)
    for _ in range(1500):
        model = random_model(chance, chance.randint(1, 6))
        formula = random_ctl(chance, chance.randint(0, 5))
        assert states_of(formula, model) == holds_in(formula, model), formula


def test_positions_agree_with_the_meaning() -> None:
    """Where a step is fixed, quantifiers speak of the runs that go on with it."""
    chance = random.Random(2)
    for _ in range(500):
        model = random_model(chance, chance.randint(1, 5))
        inner = random_ctl(chance, chance.randint(1, 3))
        formula = Or(And(Happens("*"), inner), And(Not(Happens("*")), inner))
        evaluation = Evaluation(formula, model)
        value = evaluation.value(formula, True)
        found = {p for p, there in zip(positions_of(model), value.truth.must.tolist(), strict=True) if there}
        assert found == holds_at(formula, model)


def test_compiled_loops_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    tried = [(random_ctl(chance, 4), random_model(chance, 6)) for _ in range(200)]
    expected = [states_of(formula, model) for formula, model in tried]
    monkeypatch.setattr(positions, "MOST_PLAIN", 0)
    assert [states_of(formula, model) for formula, model in tried] == expected


@pytest.mark.parametrize("seed", range(4))
def test_dualities_and_expansions(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(60):
        model = random_model(chance, 5)
        f, g = random_ctl(chance, 2), random_ctl(chance, 2)
        # Beside an event a formula is about the step: where a law puts two side by side, none may mention one.
        v, w = random_ctl(chance, 2, events=False), random_ctl(chance, 2, events=False)
        for on_all in (True, False):

            def some(path: Formula, on_all: bool = on_all) -> Formula:
                return Quantified(on_all, path)

            def other(path: Formula, on_all: bool = on_all) -> Formula:
                return Quantified(not on_all, path)

            laws: list[tuple[Formula, Formula]] = [
                (some(Always(f)), Not(other(Eventually(Not(f))))),
                (some(Next(f)), Not(other(Next(Not(f))))),
                (some(Release(f, g)), Not(other(Until(Not(f), Not(g))))),
                (some(WeakUntil(v, w)), some(Release(w, Or(v, w)))),
                (some(Until(v, w)), Or(w, And(v, some(Next(some(Until(v, w))))))),
                (some(Eventually(f)), some(Until(TRUE, f))),
                (some(Always(f, 3)), Not(other(Eventually(Not(f), 3)))),
                (some(Until(f, g, 10**9)), some(Until(f, g))),
            ]
            here = And(f, Happens("*"))  # the step is fixed, and stays so in the expansion
            step = some(Next(some(Eventually(here))))
            laws.append((some(Eventually(here)), some(Until(TRUE, here))))
            laws.append((And(Happens("*"), some(Eventually(here))), And(Happens("*"), Or(here, step))))
            for left, right in laws:
                assert states_of(left, model) == states_of(right, model)


def completed(chance: random.Random, model: Model) -> Model:
    """One of the models that a partial one may turn out to be."""
    assert model.unexplored is not None
    more = chance.randint(1, 3)
    states = model.states + more
    builder = ModelBuilder()
    for s, a, t in zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True):
        builder.add(s, model.labels[a], t)
    for s in [*np.flatnonzero(model.unexplored).tolist(), *range(model.states, states)]:
        for _ in range(chance.randrange(3)):
            builder.add(s, chance.choice(["a1", "b(2)", "tau", "c"]), chance.randrange(states))
    values = [*model.propositions[0].values.tolist(), *(chance.randrange(3) for _ in range(more))]
    column = Proposition("p", Sort.INT, np.array(values, dtype=np.int64))
    return builder.build(states, propositions=[column])


def test_partial_models_answer_only_what_is_certain() -> None:
    chance = random.Random(4)
    decided = 0
    for _ in range(600):
        states = chance.randint(1, 5)
        rows = [(s, {"a": "a1", "b": "b(2)"}.get(x, x), t) for s, x, t in random_rows(chance, states)]
        unexplored = [s for s in range(states) if chance.random() < 0.3] or [chance.randrange(states)]
        values = [chance.randrange(3) for _ in range(states)]
        model = built(rows, states, unexplored=unexplored, values=values)
        formula = random_ctl(chance, chance.randint(1, 4))
        answer = Evaluation(formula, model).at_start()
        if answer is None:
            continue
        decided += 1
        for _ in range(6):
            whole = completed(chance, model)
            assert (whole.initial in holds_in(formula, whole)) == answer, formula
    assert decided > 100


def test_what_is_seen_of_an_unexplored_state_counts() -> None:
    model = built([(0, "a", 1)], 2, unexplored=[1], values=[0, 1])
    assert Evaluation(Quantified(True, Always(p_is(0))), model).at_start() is False
    assert Evaluation(Quantified(False, Eventually(p_is(1))), model).at_start() is True
    assert Evaluation(Quantified(True, Eventually(p_is(1))), model).at_start() is True
    assert Evaluation(Quantified(True, Always(Not(p_is(2)))), model).at_start() is None
    assert Evaluation(Quantified(True, Next(Quantified(True, Next(FALSE)))), model).at_start() is False


def test_abstractions_answer_only_what_their_parts_agree_on() -> None:
    """A model from which transitions were taken, so that no state has lost all, is one that the abstraction stands
    for."""
    chance = random.Random(5)
    decided = 0
    for _ in range(600):
        model = random_model(chance, chance.randint(1, 5))
        abstract = replace(model, origin=Origin(relation=Relation.OVER))
        formula = random_ctl(chance, chance.randint(1, 4))
        answer = Evaluation(formula, abstract).at_start()
        if answer is None:
            continue
        decided += 1
        for _ in range(6):
            rows = list(zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True))
            chance.shuffle(rows)
            kept = {row[0]: row for row in rows}
            kept_rows = [r for r in rows if r in kept.values() or chance.random() < 0.5]
            values = model.propositions[0].values.tolist()
            part = built([(s, model.labels[a], t) for s, a, t in kept_rows], model.states, values=values)
            assert (part.initial in holds_in(formula, part)) == answer, formula
    assert decided > 100


def test_a_response_to_an_event_is_about_the_runs_that_go_on_with_it() -> None:
    """`AG(call => AF return)`: a state that can also do something else is none of its business."""
    rows = [(0, "call", 1), (1, "return", 0), (0, "idle", 2), (2, "idle", 2)]
    model = built(rows, 3)
    response = Quantified(True, Always(Or(Not(Happens("call")), Quantified(True, Eventually(Happens("return"))))))
    assert Evaluation(response, model).at_start() is True
    assert Evaluation(response, built([*rows, (1, "idle", 2)], 3)).at_start() is False


def test_a_run_that_ends_stays_without_events() -> None:
    lone = built([], 1, values=[1])
    assert Evaluation(Quantified(True, Always(p_is(1))), lone).at_start() is True
    assert Evaluation(Quantified(True, Next(p_is(1))), lone).at_start() is True
    assert Evaluation(Quantified(False, Eventually(Happens("*"))), lone).at_start() is False
    assert Evaluation(Quantified(False, Always(Not(Happens("*")))), lone).at_start() is True


@pytest.mark.parametrize("kind", ["not", "deep", "wide", "quantifiers"])
def test_large_formulas(kind: str) -> None:
    model = built([(0, "a", 1), (1, "a", 0)], 2, values=[0, 1])
    formula: Formula = p_is(0)
    for number in range(10_000):
        match kind:
            case "not":
                formula = Not(formula)
            case "deep":
                formula = And(TRUE, formula)
            case "wide":
                formula = Or(formula, p_is(number % 3)) if number < 100 else And(formula, formula)
            case _:
                formula = Quantified(number % 2 == 0, Next(formula))
    assert Evaluation(formula, model).at_start() is True


def test_large_formulas_need_not_all_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(6)
    tried = [(random_ctl(chance, 5), random_model(chance, 4)) for _ in range(100)]
    expected = [states_of(formula, model) for formula, model in tried]
    monkeypatch.setattr("stateglass.check.ctl.MOST_KEPT", 0)
    assert [states_of(formula, model) for formula, model in tried] == expected


def test_what_is_no_branching_formula_is_refused() -> None:
    model = built([], 1)
    for formula in (Eventually(TRUE), Quantified(True, Not(Eventually(TRUE))), Quantified(True, Next(Next(TRUE)))):
        with pytest.raises(InputError, match="before it"):
            Evaluation(formula, model)


def test_unknown_names_are_mistakes() -> None:
    model = built([(0, "increment", 0)], 1, values=[0])
    with pytest.raises(InputError, match="no proposition or enumerator `q`"):
        Evaluation(Quantified(True, Always(Holds(Named("q")))), model)
    assert Evaluation(Quantified(True, Always(Constant(True))), model).at_start() is True
