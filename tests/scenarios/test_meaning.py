"""What scenarios mean, against an evaluation of runs that knows no formula; `make fuzz` tries more."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from stateglass.check.ctl import Evaluation
from stateglass.evidence import Verdict
from stateglass.logic.notation import formula_text
from stateglass.scenarios.formulas import claimed
from stateglass.scenarios.language import Vocabulary
from stateglass.scenarios.meaning import questions
from stateglass.scenarios.reading import read_story
from tests.scenarios.agreement import KINDS, of_text
from tests.scenarios.chances import random_model, random_scenario, random_vocabulary

SEEDS = {"whole": 400, "fair": 200, "runs": 300, "partial": 150, "abstract": 150}
MET = {
    "whole": {Verdict.HOLDS, Verdict.VIOLATED, Verdict.VACUOUS},
    "fair": {Verdict.HOLDS, Verdict.VIOLATED, Verdict.VACUOUS},
    "runs": {Verdict.HOLDS, Verdict.VIOLATED, Verdict.VACUOUS},
    "partial": set(Verdict),
    "abstract": {Verdict.HOLDS, Verdict.VACUOUS, Verdict.INCONCLUSIVE},
}


@pytest.mark.parametrize("kind", KINDS)
def test_both_ways_agree(kind: str) -> None:
    met: Counter[Verdict] = Counter()
    for seed in range(SEEDS[kind]):
        verdict, wrong = KINDS[kind](seed)
        assert wrong is None
        met[verdict] += 1
    assert met.keys() == MET[kind]


@pytest.mark.parametrize(
    "text",
    [
        "init | a <<- init | b",
        "a <<- init | b before c",
        "a -> b before init | c",
        "a <- b before init when (x) | c",
        "init ~> b before c",
        "init -> a unless init when (x) | c",
        "a <- b unless init when (x)",
        "a -> b after init when (x) | c",
        "a <- b between init and c",
        "a <- b between a and a",
    ],
)
def test_what_happens_at_the_start(text: str) -> None:
    """Rare among random stories, and easily wrong."""
    for seed in range(60):
        assert of_text(text, seed)[1] is None


@pytest.mark.parametrize("seed", range(150))
def test_what_is_claimed_is_the_opposite_of_what_refutes(seed: int) -> None:
    chance = random.Random(seed)
    vocabulary = random_vocabulary(chance)
    for question in questions(random_scenario(chance), vocabulary):
        model = random_model(chance, 5, 9, open_states=chance.random() < 0.5)
        shown = Evaluation(question.shown, model).at_start()
        said = Evaluation(claimed(question), model).at_start()
        assert said is (shown if not question.refutes or shown is None else not shown)


def test_many_alternatives_are_no_trouble() -> None:
    for sign in ("|", "&"):
        many = f" {sign} ".join(["a"] * 3000)
        (scenario,) = read_story(f"{many} <<- {many}").scenarios
        for question in questions(scenario, Vocabulary()):
            assert formula_text(claimed(question))
