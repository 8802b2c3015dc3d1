"""What only one of two models ever does is found whatever the limit of the search."""

from __future__ import annotations

import random

import pytest

from stateglass.model import Model, ModelBuilder
from stateglass.relate import RELATIONS, Related, Side, Traces, Undecided, Unrelated, compare
from stateglass.work import silent
from tests.relate.oracles import ORACLES, Plain
from tests.relate.random_models import built, random_pair, random_rows

BY = ["trace", "weaktrace", "traceinclusion", "weaktraceinclusion", "failures"]


def can_do(model: Model, labels: tuple[str, ...], *, weak: bool) -> bool:
    plain = Plain.of(model)
    states = plain.silently(model.initial) if weak else {model.initial}
    for label in labels:
        if weak:
            states = {t for s in states for t in plain.weakly(s, label)}
        else:
            states = {t for s in states for found, t in plain.steps[s] if found == label}
    return bool(states)


@pytest.mark.parametrize("by", BY)
def test_no_limit_hides_an_action_that_only_one_model_does(by: str) -> None:
    chance = random.Random(by)
    told = 0
    for _ in range(300):
        a, b = random_pair(chance)
        states = chance.randint(1, 5)
        rows = [*random_rows(chance, states), (chance.randrange(states), "new", chance.randrange(states))]
        a = built(rows, states) if chance.random() < 0.5 else a
        answer = compare(a, b, RELATIONS[by], most=1, progress=silent)
        expected = ORACLES[by](Plain.of(a), Plain.of(b))
        assert isinstance(answer, Undecided) or isinstance(answer, Related) is expected
        if isinstance(answer, Unrelated) and answer.trace is not None and "new" in answer.trace.labels:
            told += 1
            weak = by not in ("trace", "traceinclusion")
            one, other = (a, b) if answer.trace.of is Side.FIRST else (b, a)
            assert answer.traces is Traces.DIFFER
            assert can_do(one, answer.trace.labels, weak=weak)
            assert not can_do(other, answer.trace.labels, weak=weak)
    assert told > 30


def counting(steps: int, last: str) -> Model:
    builder = ModelBuilder()
    for n in range(steps):
        builder.add(n, "tau" if n % 2 else "a", n + 1)
    builder.add(0, "a", 0)
    builder.add(steps, last, 0)
    return builder.build(steps + 1)


@pytest.mark.parametrize("most", [1, 10_000_000])
def test_the_way_to_it_is_a_shortest_one(most: int) -> None:
    answer = compare(counting(6, "a"), counting(6, "new"), RELATIONS["weaktrace"], most=most, progress=silent)
    assert isinstance(answer, Unrelated)
    assert answer.trace is not None
    assert (answer.trace.of, answer.trace.labels) == (Side.SECOND, ("a", "a", "a", "new"))


def test_what_an_open_state_may_do_is_no_novelty() -> None:
    rows = [(0, "a", 1), (1, "new", 0)]
    answer = compare(
        built(rows, 2), built([(0, "a", 1)], 2, unexplored=[1]), RELATIONS["trace"], most=1, progress=silent
    )
    assert isinstance(answer, Undecided)
