"""Verdicts on scenarios against an evaluation of runs that knows no formula, and against what is not known yet."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from stateglass.check.ctl import Evaluation
from stateglass.evidence import Verdict
from stateglass.model import Origin, Relation
from stateglass.scenarios.formulas import claimed
from stateglass.scenarios.meaning import questions
from stateglass.scenarios.validating import Validator
from tests.scenarios.agreement import disagreement
from tests.scenarios.chances import completed, narrowed, random_model, random_scenario, random_vocabulary


@pytest.mark.parametrize("seed", range(250))
def test_verdicts_are_those_of_looking_at_runs(seed: int) -> None:
    assert disagreement(seed) is None


@pytest.mark.parametrize("seed", range(150))
def test_verdicts_on_fair_runs_are_those_of_looking_at_them(seed: int) -> None:
    assert disagreement(seed, fair=True) is None


@pytest.mark.parametrize("seed", range(150))
def test_what_is_claimed_is_the_opposite_of_what_refutes(seed: int) -> None:
    chance = random.Random(seed)
    vocabulary = random_vocabulary(chance)
    for question in questions(random_scenario(chance), vocabulary):
        model = random_model(chance, 5, 9, open_states=chance.random() < 0.5)
        shown = Evaluation(question.shown, model).at_start()
        said = Evaluation(claimed(question), model).at_start()
        assert said is (shown if not question.refutes or shown is None else not shown)


@pytest.mark.parametrize("seed", range(150))
def test_what_is_said_of_a_partial_model_is_true_whatever_is_missing(seed: int) -> None:
    chance = random.Random(seed)
    vocabulary = random_vocabulary(chance)
    model = random_model(chance, open_states=True)
    if model.unexplored is None:
        return
    scenario = random_scenario(chance)
    said = Validator(model, vocabulary).validate(scenario).replies
    for _ in range(12):
        true = Validator(completed(model, chance), vocabulary).validate(scenario).replies
        for one, other in zip(said, true, strict=True):
            assert one.verdict in (other.verdict, Verdict.INCONCLUSIVE)


@pytest.mark.parametrize("seed", range(150))
def test_what_is_said_of_an_abstraction_is_true_of_all_it_stands_for(seed: int) -> None:
    chance = random.Random(seed)
    vocabulary = random_vocabulary(chance)
    model = replace(random_model(chance), origin=Origin(Relation.OVER))
    scenario = random_scenario(chance)
    said = Validator(model, vocabulary).validate(scenario).replies
    for _ in range(12):
        true = Validator(narrowed(model, chance), vocabulary).validate(scenario).replies
        for one, other in zip(said, true, strict=True):
            # What may happen in the abstraction need not happen in the code.
            assert one.verdict in (other.verdict, Verdict.INCONCLUSIVE) or (one.verdict, other.verdict) == (
                Verdict.HOLDS,
                Verdict.VACUOUS,
            )
