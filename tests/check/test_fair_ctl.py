"""Branching formulas over fair runs against their definition: operator by operator, on the runs from each state."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from stateglass.answers.checking import check_claims
from stateglass.check.branching import decide_ctl
from stateglass.check.ctl import Evaluation
from stateglass.check.deciding import decide
from stateglass.check.ltl.lassos import Lasso, is_fair
from stateglass.check.ltl.violations import meaning_on
from stateglass.evidence import Graph, Path, Reason, Step, Verdict
from stateglass.logic import temporal as t
from stateglass.logic.claims import Fairness
from stateglass.logic.reading import read_claim
from stateglass.model import Model, Origin, Proposition, Relation, Sort
from stateglass.source import InputError
from tests.check.ltl import worlds
from tests.relate.random_models import built

# In state 0 it can spin for ever, or go on.
SPIN = built([(0, "spin", 0), (0, "go", 1), (1, "back", 0)], 2, values=[0, 1])


def random_ctl(chance: random.Random, depth: int) -> t.Formula:
    if depth == 0:
        return chance.choice([worlds.equal("x", 1), worlds.equal("y", 0)])
    left, right = random_ctl(chance, depth - 1), random_ctl(chance, chance.randrange(depth))
    paths: list[t.Formula] = [t.Eventually(left), t.Always(left), t.Until(left, right), t.WeakUntil(left, right)]
    paths += [t.Next(left), t.Release(left, right), t.Eventually(left, 2), t.Eventually(left), t.Always(left)]
    formulas: list[t.Formula] = [t.Quantified(chance.random() < 0.5, chance.choice(paths)) for _ in range(3)]
    formulas += [t.Quantified(True, t.Eventually(left)), t.Quantified(False, t.Always(left)), t.Not(left)]
    return chance.choice([*formulas, t.And(left, right)])


def holds_in(formula: t.Formula, model: Model, fairness: tuple[Fairness, ...]) -> list[bool]:
    """By definition: the operands are values of the states, and of each state all fair runs are asked."""
    everywhere = range(model.states)
    match formula:
        case t.Holds():
            return [worlds.in_state(formula, s, model) for s in everywhere]
        case t.Not():
            return [not value for value in holds_in(formula.inner, model, fairness)]
        case t.And():
            sides = [holds_in(part, model, fairness) for part in (formula.left, formula.right)]
            return [a and b for a, b in zip(*sides, strict=True)]
        case t.Quantified():
            names = ("left", "right")
            values = [holds_in(part, model, fairness) for part in t.parts(formula.path)]
            columns = [
                Proposition(n, Sort.INT, np.array(v, dtype=np.int64)) for n, v in zip(names, values, strict=False)
            ]
            seen = replace(model, propositions=tuple(columns))
            atoms = [worlds.equal(name, 1) for name in names[: len(values)]]
            path = _with_operands(formula.path, atoms)
            asked = path if formula.on_all else t.Not(path)
            found = [worlds.is_violated(asked, replace(seen, initial=s), fairness) for s in everywhere]
            assert None not in found
            return [bool(violated) is not formula.on_all for violated in found]
        case _:
            raise AssertionError(formula)


def _with_operands(path: t.Formula, atoms: list[t.Holds]) -> t.Formula:
    match path:
        case t.Next():
            return t.Next(atoms[0])
        case t.Eventually():
            return t.Eventually(atoms[0], path.within)
        case t.Always():
            return t.Always(atoms[0])
        case t.Until():
            return t.Until(atoms[0], atoms[1])
        case t.WeakUntil():
            return t.WeakUntil(*atoms)
        case t.Release():
            return t.Release(*atoms)
        case _:
            raise AssertionError(path)


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_the_definition(seed: int) -> None:
    chance = random.Random(seed)
    matters = 0
    for _ in range(150):
        model = worlds.random_model(chance, fewest=2)
        formula = random_ctl(chance, chance.randint(1, 3))
        fairness = worlds.random_fairness(chance)
        evaluation = Evaluation(formula, model, fairness=fairness)
        truth = evaluation.for_states(evaluation.value(formula, False), on_all=True)
        assert truth.must.tolist() == holds_in(formula, model, fairness)
        assert truth.is_known
        plain = Evaluation(formula, model)
        matters += not (plain.value(formula, False).truth.must == truth.must).all()
    assert matters > 2


@pytest.mark.parametrize("seed", range(3))
def test_what_goes_on_for_ever_is_fair(seed: int) -> None:
    chance = random.Random(seed)
    endless = 0
    for _ in range(300):
        model = worlds.random_model(chance, fewest=1)
        atoms: list[t.Formula] = [worlds.equal("x", 1), worlds.equal("y", 0), t.Happens("a"), t.Happens("b")]
        inner = chance.choice(atoms)
        formula = t.Quantified(True, t.Eventually(inner))
        if chance.random() < 0.5:
            formula = t.Quantified(True, t.Always(formula))
        fairness = worlds.random_fairness(chance)
        answer = decide_ctl(formula, model, title="f", fairness=fairness)
        linear = t.Always(t.Eventually(inner)) if isinstance(formula.path, t.Always) else t.Eventually(inner)
        assert (answer.verdict is Verdict.VIOLATED) == worlds.is_violated(linear, model, fairness)
        if not isinstance(answer.evidence, Path):
            assert not isinstance(answer.evidence, Graph)
            continue
        steps = tuple(_transition(step, model) for step in answer.evidence.steps)
        if answer.evidence.loop_start is not None:
            endless += 1
            lasso = Lasso(steps, answer.evidence.loop_start)
            assert is_fair(lasso, fairness, model, meaning_on(model))
            assert not worlds.holds_at(linear, lasso, model)
    assert endless > 20


def _transition(step: Step, model: Model) -> int:
    steps = range(int(model.first[step.source]), int(model.first[step.source + 1]))
    return next(i for i in steps if (model.labels[model.actions[i]], model.targets[i]) == (step.action, step.target))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("ctl: AF [p == 1]", Verdict.VIOLATED),
        ("assume fair(go): ctl: AF [p == 1]", Verdict.HOLDS),
        ("ctl: assume strong fair(go): AG AF [p == 1]", Verdict.HOLDS),
        ("assume fair(back): ctl: AF [p == 1]", Verdict.VIOLATED),
        ("assume fair(go): ctl: EG [p == 0]", Verdict.VIOLATED),
        ("assume fair(go), fair(spin): ctl: AG(spin => AF go)", Verdict.HOLDS),
        # What some runs do, and what all do in a number of steps, does not depend on what follows.
        ("assume fair(go): ctl: EF<=1 [p == 1]", Verdict.HOLDS),
        ("assume fair(go): ctl: AF<=5 [p == 1]", Verdict.VIOLATED),
        ("assume fair(go): ctl: EX EX spin", Verdict.HOLDS),
    ],
)
def test_claims(text: str, verdict: Verdict) -> None:
    assert check_claims(SPIN, [read_claim(text)]).checked[0].answer.verdict is verdict


def test_where_steps_are_not_known_nothing_is_said() -> None:
    claim = read_claim("assume fair(go): ctl: AF [p == 1]")
    partial = built([(0, "spin", 0), (0, "go", 1)], 2, values=[0, 1], unexplored=[1])
    assert decide(claim, partial).reason is Reason.PARTIAL
    abstract = replace(SPIN, origin=Origin(relation=Relation.OVER))
    assert decide(claim, abstract).reason is Reason.ABSTRACTION


@pytest.mark.parametrize("text", ["mu: <go>true", "test: go", "no-deadlock"])
def test_what_is_not_about_runs_has_no_fair_ones(text: str) -> None:
    with pytest.raises(InputError, match="fairness is about runs"):
        read_claim(f"assume fair(go): {text}")
