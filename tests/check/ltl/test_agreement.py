"""Automata against the meaning of formulas: random formulas on random models, decided in two other ways."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from stateglass.check.branching import decide_ctl
from stateglass.check.ltl import beginnings, decide_ltl
from stateglass.check.ltl.beginnings import Beginning
from stateglass.check.ltl.lassos import is_fair, truth_on
from stateglass.check.ltl.violations import Doubt, Satisfied, Search, Violation, meaning_on
from stateglass.evidence import Path, Verdict, problem_of
from stateglass.logic import temporal as t
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Relation
from tests.check.ltl.worlds import (
    LABELS,
    continued,
    equal,
    holds_at,
    is_violated,
    lassos,
    random_fairness,
    random_formula,
    random_model,
)


@pytest.mark.parametrize("seed", range(5))
def test_verdicts_are_those_of_the_oldest_tableau(seed: int) -> None:
    chance = random.Random(seed)
    violated = satisfied = 0
    while violated + satisfied < 200:
        model, formula = random_model(chance), random_formula(chance, chance.randint(1, 5))
        expected = is_violated(formula, model)
        if expected is None:
            continue
        found = Search(model, (), meaning_on(model)).violation(formula)
        assert isinstance(found, Violation if expected else Satisfied)
        violated, satisfied = violated + expected, satisfied + (not expected)
    assert min(violated, satisfied) > 40


@pytest.mark.parametrize("seed", range(5))
def test_no_short_lasso_contradicts_a_verdict(seed: int) -> None:
    chance = random.Random(100 + seed)
    for _ in range(60):
        model, formula = random_model(chance), random_formula(chance, chance.randint(1, 6))
        meaning = meaning_on(model)
        found = Search(model, (), meaning).violation(formula)
        if isinstance(found, Violation):
            assert found.certain
            assert not holds_at(formula, found.lasso, model)
        shortest = None
        for lasso in lassos(model, 5):
            holds = holds_at(formula, lasso, model)
            assert truth_on(formula, lasso, model, meaning) is holds
            if not holds and shortest is None:
                shortest = lasso
        assert shortest is None or isinstance(found, Violation)


@pytest.mark.parametrize("seed", range(4))
def test_fairness_weak_and_strong(seed: int) -> None:
    chance = random.Random(200 + seed)
    differs = decided = 0
    while decided < 120:
        model, fairness = random_model(chance, fewest=2), random_fairness(chance)
        f, g = random_formula(chance, chance.randint(0, 2)), random_formula(chance, chance.randint(0, 1))
        soon = t.Eventually(f)
        lively: list[t.Formula] = [soon, t.Always(soon), t.Always(t.Implies(g, soon)), t.Until(f, g)]
        formula = chance.choice(lively)
        expected = is_violated(formula, model, fairness)
        if expected is None:
            continue
        decided += 1
        meaning = meaning_on(model)
        found = Search(model, fairness, meaning).violation(formula)
        assert isinstance(found, Violation if expected else Satisfied)
        differs += expected != is_violated(formula, model)
        if isinstance(found, Violation):
            assert is_fair(found.lasso, fairness, model, meaning)
            assert not holds_at(formula, found.lasso, model)
    assert differs > 1


@pytest.mark.parametrize("seed", range(4))
def test_laws(seed: int) -> None:
    """A formula and another way to write it hold on the same models."""
    chance = random.Random(300 + seed)
    for _ in range(60):
        model = random_model(chance, 5)
        f, g = random_formula(chance, chance.randint(0, 3)), random_formula(chance, chance.randint(0, 3))
        search = Search(model, (), meaning_on(model))
        laws: list[tuple[t.Formula, t.Formula]] = [
            (t.Not(t.Until(f, g)), t.Release(t.Not(f), t.Not(g))),
            (t.Until(f, g), t.Or(g, t.And(f, t.Next(t.Until(f, g))))),
            (t.Release(f, g), t.And(g, t.Or(f, t.Next(t.Release(f, g))))),
            (t.Always(f), t.Not(t.Eventually(t.Not(f)))),
            (t.WeakUntil(f, g), t.Or(t.Always(f), t.Until(f, g))),
            (t.Eventually(f, 2), t.Or(f, t.Next(t.Or(f, t.Next(f))))),
            (t.Always(t.Eventually(t.Always(f))), t.Eventually(t.Always(f))),
        ]
        for one, other in laws:
            assert not search.is_violated(t.Iff(one, other))
            assert search.is_violated(one) == search.is_violated(other)


@pytest.mark.parametrize("seed", range(3))
def test_partial_models_answer_only_what_is_certain(seed: int) -> None:
    """What is said of a partial model is true of every way to go on with it that is tried."""
    chance = random.Random(400 + seed)
    seen: set[type] = set()
    for _ in range(150):
        model, formula = random_model(chance, partial=True), random_formula(chance, chance.randint(1, 4))
        found = Search(model, (), meaning_on(model)).violation(formula)
        seen.add(type(found))
        for _ in range(6):
            full = continued(chance, model)
            truth = is_violated(formula, full, most=5)
            if truth is not None and not isinstance(found, Doubt):
                assert truth == isinstance(found, Violation | Beginning)
    assert seen == {Violation, Beginning, Doubt, Satisfied}


@pytest.mark.parametrize("seed", range(4))
def test_beginnings_violate_however_they_go_on(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fairness leaves every beginning a way to go on, so that a beginning that violates does so with and without."""
    chance = random.Random(500 + seed)
    seen = 0
    for number in range(250):
        # What is found without sets of states, where those are too many, is as true.
        monkeypatch.setattr(beginnings, "SETS", 400_000 * (number % 2))
        model, formula = random_model(chance, partial=True), random_formula(chance, chance.randint(1, 4))
        fairness = random_fairness(chance)
        found = Search(model, fairness, meaning_on(model)).violation(formula)
        if not isinstance(found, Beginning):
            continue
        seen += 1
        path = found.path(model)
        assert problem_of(path, model) == ""
        run = alone(path, model)
        for _ in range(6):
            assert is_violated(formula, continued(chance, model), fairness, most=5) is not False
            # Alone, whatever is tried behind it, all of its runs violate the claim.
            assert is_violated(t.Not(formula), continued(chance, run), most=5) is not True
    assert seen > 5


def alone(path: Path, model: Model) -> Model:
    """A run as a partial model of which nothing is known behind its end."""
    builder = ModelBuilder()
    for number, step in enumerate(path.steps):
        builder.add(number, step.action, number + 1)
    count = len(path.steps) + 1
    for label in LABELS:
        builder.add(count, label, count)
    states = [path.start, *(step.target for step in path.steps), 0]
    columns = [Proposition(c.name, c.sort, c.values[states]) for c in model.propositions]
    origin = Origin(Relation.UNDER, partial=("it was cut short",))
    return builder.build(count + 1, propositions=columns, unexplored=[count - 1], origin=origin)


@pytest.mark.parametrize("seed", range(4))
def test_what_must_always_be_so_is_the_same_claim_in_branching_logic(seed: int) -> None:
    chance = random.Random(600 + seed)
    seen: set[Verdict] = set()
    for _ in range(150):
        model = random_model(chance, 6, partial=True)
        if chance.random() < 0.3:  # which states were not explored is not said
            model = replace(model, unexplored=None, origin=Origin(Relation.UNDER, partial=("it was cut short",)))
        for atom in (t.Happens("a"), t.Happens("b"), equal("x", 1), equal("y", 0)):
            always = t.Always(t.Not(atom))
            linear = decide_ltl(always, (), model, title="linear")
            branching = decide_ctl(t.Quantified(True, always), model, title="branching")
            assert (linear.verdict, linear.reason) == (branching.verdict, branching.reason)
            seen.add(linear.verdict)
    assert seen == {Verdict.HOLDS, Verdict.VIOLATED, Verdict.INCONCLUSIVE}
