"""An answer about a partial model is true of everything that the model may turn out to be."""

from __future__ import annotations

import random

import pytest

from stateglass.model import Model, ModelBuilder, Origin
from stateglass.operations.comparing import compare_models
from tests.check.test_modal import completed
from tests.relate.oracles import ORACLES, Plain
from tests.relate.random_models import built, random_rows


@pytest.mark.parametrize("by", ORACLES)
def test_answers_survive_whatever_is_found(by: str) -> None:
    chance = random.Random(by)
    answers = {True: 0, False: 0, None: 0}
    for _ in range(400):
        whole = [built(random_rows(chance, n), n) for n in (chance.randint(1, 4), chance.randint(1, 4))]
        which = chance.choice([(0,), (1,), (0, 1)])
        models = [
            _opened(chance, model.states, random_rows(chance, model.states)) if i in which else model
            for i, model in enumerate(whole)
        ]
        found = compare_models(models[0], models[1], by)
        answers[found.related] += 1
        for _ in range(8):
            a, b = (completed(chance, model) if i in which else model for i, model in enumerate(models))
            if found.related is not None:
                assert ORACLES[by](Plain.of(a), Plain.of(b)) is found.related, (models, found)
    # The test would be empty if everything were left open, and wrong if nothing were.
    assert answers[False] > 40
    assert answers[None] > 40
    if by in ("simulation", "weaksimulation", "traceinclusion", "weaktraceinclusion"):
        assert answers[True] > 5


def _opened(chance: random.Random, states: int, rows: list[tuple[int, str, int]]) -> Model:
    ends = [s for s in range(states) if chance.random() < 0.15]
    unexplored = [s for s in range(states) if chance.random() < 0.3] or [states - 1]
    return built(rows, states, ends=ends, unexplored=unexplored)


def test_the_reason_names_the_model_and_why_it_is_partial() -> None:
    a = built([(0, "a", 1)], 2, unexplored=[1])
    found = compare_models(a, built([(0, "a", 1)], 2), "strong", names=("old.sg", "new.sg"))
    assert found.related is None
    assert found.reason == "old.sg is partial (cut), and the answer depends on what is missing"


def test_a_difference_in_the_explored_part_counts() -> None:
    a = built([(0, "a", 1), (0, "b", 0)], 2, unexplored=[1])
    found = compare_models(a, built([(0, "a", 1)], 2), "branching")
    assert found.related is False
    assert found.trace is not None
    assert found.trace.labels == ("b",)


def test_what_cannot_be_reached_does_not_matter() -> None:
    a = built([(0, "a", 1)], 3, unexplored=[2])
    builder = ModelBuilder()
    builder.add(0, "a", 1)
    found = compare_models(a, builder.build(2), "trace")
    # It is partial by its own word, though all of it was explored: then anything may be missing anywhere.
    assert found.related is None
    assert compare_models(builder.build(2, origin=Origin(partial=("lost",))), a, "trace").related is None
