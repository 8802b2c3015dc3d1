"""Runs other than those shown before: other ways to one place count, and each is a run of the model."""

from __future__ import annotations

import random

import pytest

from stateglass.answers.checking import check_claims
from stateglass.evidence import Answer, Graph, Path, problem_of
from stateglass.logic.reading import read_claim
from stateglass.model import Model
from tests.relate.random_models import built, random_rows

WAYS = built(
    [
        (0, "a", 1),
        (1, "err", 3),
        (0, "b", 2),
        (2, "err", 3),
        (0, "c", 4),
        (4, "c", 5),
        (5, "err", 3),
        (3, "z", 3),
    ],
    6,
    values=[0, 0, 0, 1, 0, 0],
)


def answer(text: str, model: Model, later: int) -> Answer:
    return check_claims(model, [read_claim(text)], later=later).checked[0].answer


def shown(text: str, model: Model, later: int) -> list[str]:
    evidence = answer(text, model, later).evidence
    assert isinstance(evidence, Path)
    return [step.action for step in evidence.steps]


@pytest.mark.parametrize(
    "text", ["G !err", "G [p == 0]", "`err` never happens", "ctl: EF err", "ctl: AG [p == 0]", "mu: [true*.err]false"]
)
def test_other_ways_to_one_state(text: str) -> None:
    runs = [shown(text, WAYS, later) for later in range(4)]
    assert runs == [["a", "err"], ["b", "err"], ["c", "c", "err"], ["c", "c", "err"]]
    assert "It is the last of 3 such runs." in answer(text, WAYS, 3).explanation


def test_another_way_than_a_single_step() -> None:
    model = built([(0, "err", 2), (0, "b", 1), (1, "err", 2), (2, "z", 2)], 3)
    assert [shown("G !err", model, later) for later in range(2)] == [["err"], ["b", "err"]]
    assert "last of 2" in answer("G !err", model, 2).explanation


def test_what_follows_the_violation_may_be_as_before() -> None:
    model = built([(0, "a", 1), (1, "err", 3), (0, "b", 2), (2, "err", 3), (3, "back", 1)], 4)
    assert [shown("G !err", model, later) for later in range(2)] == [["a", "err"], ["b", "err"]]


def test_other_ways_into_a_loop_and_a_deadlock() -> None:
    rows = [(0, "a", 1), (1, "x", 3), (0, "b", 2), (2, "x", 3)]
    loop = built([*rows, (3, "z", 3)], 4)
    assert [shown("F y | G !x", built([*rows, (3, "z", 3), (3, "y", 3)], 4), n) for n in range(2)] == [
        ["a", "x", "z"],
        ["b", "x", "z"],
    ]
    assert "last of 2" in answer("F G [p == 1]", built([*rows, (3, "z", 3)], 4, values=[0] * 4), 2).explanation
    assert [shown("no-deadlock", built(rows, 4), later) for later in range(2)] == [["a", "x"], ["b", "x"]]
    assert "No other run" in answer("F [p == 1]", built([(0, "z", 0)], 1, values=[0]), 1).explanation
    assert shown("G F x", loop, 0) != shown("G F x", loop, 1)


@pytest.mark.parametrize("text", ["G !a", "F a", "G(a => F b)", "ctl: AG EF a", "ctl: EF a", "mu: [true*]<a>true"])
def test_all_are_runs_and_no_two_are_the_same(text: str) -> None:
    chance = random.Random(7)
    several = 0
    for _ in range(60):
        states = chance.randint(2, 6)
        # Both events are known everywhere: whether a name is there is not the question.
        model = built([*random_rows(chance, states), (states, "a", states), (states, "b", states)], states + 1)
        first = answer(text, model, 0)
        found: list[Path | Graph] = []
        for later in range(4):
            other = answer(text, model, later)
            assert other.verdict is first.verdict
            if not isinstance(other.evidence, Path | Graph):
                break
            assert not problem_of(other.evidence, model)
            if "It is the last" in other.explanation or "No other run" in other.explanation:
                assert other.evidence == found[-1]
                break
            assert other.evidence not in found
            found.append(other.evidence)
        several += len(found) > 1
    assert several > 3
