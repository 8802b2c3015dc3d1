"""Witnesses of random questions on random models: each shows what it should, and none that is better is overlooked."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from stateglass.logic.claims import Fairness
from stateglass.logic.temporal import Formula
from stateglass.model import Model, Origin, Relation
from stateglass.scenarios.language import Act, Vocabulary
from stateglass.scenarios.meaning import questions
from stateglass.scenarios.validating import Validator
from stateglass.scenarios.witnesses import SHORTEST, AnnotatedPath, Strategy, read_strategy, witness
from stateglass.scenarios.witnesses import ground as ground_of_searches
from stateglass.scenarios.witnesses.obligations import objection
from stateglass.scenarios.witnesses.prices import Prices
from tests.check.branching import mentions_event, positions_of
from tests.check.test_ctl import random_model
from tests.scenarios import chances
from tests.scenarios.runs import OnOneRun, Told, all_runs, random_linear, reply_on, shortest

WORDS = Vocabulary({"one": Act("a*"), "other": Act("b*")})
AIMS = (
    "avoid-states=0",
    "prefer-states={1, 2..2}",
    "avoid-conditions=p == 1",
    "prefer-conditions={[p == 0], p == 2}",
    "avoid-events=one",
    "prefer-events={other, rises(p == 1)}",
    "fewest-events",
    "avoid-vars=p",
    "prefer-vars=p*",
    "fewest-changes",
    "shortest",
)


def random_strategy(chance: random.Random) -> Strategy:
    return read_strategy(", ".join(chance.sample(AIMS, chance.randint(1, 3))), WORDS)


def wide_model(chance: random.Random) -> Model:
    """One that has all that the aims speak of."""
    while True:
        model = random_model(chance, chance.randint(3, 4))
        if {"a1", "b(2)"} <= set(model.labels):
            return model


def test_shortest_is_shortest() -> None:
    chance = random.Random(1)
    shown = 0
    for _ in range(1500):
        model = random_model(chance, chance.randint(1, 4))
        formula = random_linear(chance, chance.randint(0, 3))
        if mentions_event(formula):
            continue
        reply = reply_on(formula, model)
        found = witness(reply)
        length = shortest(formula, model, 5)
        if found is None:
            assert length is None, formula
            continue
        assert reply.has_run
        assert objection(found, formula, model) == ""
        assert found.is_certain
        assert found.costs[-1] == len(found.run.positions)
        assert length == found.costs[-1] if found.costs[-1] <= 5 else length is None
        shown += 1
    assert shown > 300


def cheapest(formula: Formula, model: Model, strategy: Strategy, most: int) -> tuple[int, ...] | None:
    """What the best run with so few positions costs."""
    reply = reply_on(formula, model)
    table = Prices(reply, WORDS).table(strategy).tolist()
    numbers = {position: number for number, position in enumerate(positions_of(model))}
    on_run = OnOneRun(model)

    def cost(run: Told) -> tuple[int, ...]:
        rows = [table[numbers[position]] for position in run.positions]
        return tuple(map(sum, zip(*rows, strict=True))) if rows else (0,) * (len(strategy.aims) + 1)

    shown = (run for length in range(most + 1) for run in all_runs(model, length))
    return min((cost(run) for run in shown if on_run.shows(formula, run)), default=None)


def test_no_run_costs_less_than_the_least() -> None:
    chance = random.Random(2)
    shown = 0
    for _ in range(900):
        model = wide_model(chance)
        formula = random_linear(chance, chance.randint(0, 3))
        strategy = random_strategy(chance)
        if mentions_event(formula):
            continue
        found = witness(reply_on(formula, model), strategy, WORDS)
        best = cheapest(formula, model, strategy, 4)
        if found is None:
            assert best is None
            continue
        assert best is None or found.costs <= best
        assert best is None or len(found.run.positions) > 4 or found.costs == best
        shown += 1
    assert shown > 150


def test_greedy_runs_are_witnesses_and_cost_no_less() -> None:
    chance = random.Random(3)
    worse = shown = 0
    for _ in range(900):
        model = wide_model(chance)
        formula = random_linear(chance, chance.randint(0, 3))
        if mentions_event(formula):
            continue
        more = chance.choice([[], [], ["avoid-visited"], ["prefer-visited"]])
        text = ", ".join(more + chance.sample(AIMS, chance.randint(1, 2)))
        reply = reply_on(formula, model)
        least = witness(reply, read_strategy(text, WORDS), WORDS)
        greedy = witness(reply, read_strategy(f"greedy: {text}", WORDS), WORDS)
        assert (least is None) == (greedy is None)
        if least is None or greedy is None:
            continue
        assert objection(greedy, formula, model) == ""
        assert least.costs <= greedy.costs
        worse += least.costs < greedy.costs
        shown += 1
    assert shown > 150
    assert worse > 3


def test_no_run_that_gives_events_their_turn_is_shorter() -> None:
    chance = random.Random(6)
    shown = 0
    for _ in range(400):
        model = wide_model(chance)
        formula = random_linear(chance, chance.randint(0, 2))
        fairness = (Fairness("a1", chance.random() < 0.5), Fairness("b(2)", chance.random() < 0.5))
        found = None if mentions_event(formula) else witness(reply_on(formula, model, fairness))
        if found is None or found.run.loop is None:
            continue
        assert objection(found, formula, model, fairness) == ""
        on_run = OnOneRun(model)
        for length in range(min(len(found.run.positions), 6)):
            for run in all_runs(model, length):
                turns = set() if run.loop is None else {label for _, label, _ in run.positions[run.loop :]}
                assert not ({"a1", "b(2)"} <= turns and on_run.shows(formula, run))
        shown += 1
    assert shown > 30


@pytest.mark.parametrize("seed", range(200))
def test_every_question_that_has_a_run_has_a_witness(seed: int) -> None:
    chance = random.Random(seed)
    vocabulary = chances.random_vocabulary(chance)
    model = chances.random_model(chance, 5, 9)
    fairness = chances.random_fairness(chance) if seed % 2 else ()
    strategy = chance.choice([SHORTEST, read_strategy("avoid-events=a"), read_strategy("greedy: avoid-visited")])
    validator = Validator(model, vocabulary)
    for question in questions(chances.random_scenario(chance), vocabulary):
        reply = validator.reply(question, fairness)
        found = witness(reply, strategy, vocabulary)
        assert (found is not None) is reply.has_run
        if found is not None:
            assert objection(found, question.shown, model, fairness) == ""


@pytest.mark.parametrize("seed", range(100))
def test_only_what_is_certain_is_shown_of_partial_models(seed: int) -> None:
    chance = random.Random(seed)
    vocabulary = chances.random_vocabulary(chance)
    model = chances.random_model(chance, 5, 9, open_states=True)
    validator = Validator(model, vocabulary)
    for question in questions(chances.random_scenario(chance), vocabulary):
        reply = validator.reply(question)
        found = witness(reply)
        if found is not None:
            assert reply.has_run
            assert found.is_certain
            assert objection(found, question.shown, model) == ""


def test_a_run_of_an_abstraction_is_not_certain() -> None:
    model = replace(chances.random_model(random.Random(1), 5, 9), origin=Origin(Relation.OVER))
    validator = Validator(model, Vocabulary())
    shown = 0
    for seed in range(60):
        chance = random.Random(seed)
        vocabulary = chances.random_vocabulary(chance)
        for question in questions(chances.random_scenario(chance), vocabulary):
            found = witness(validator.reply(question), SHORTEST, vocabulary)
            if found is not None and found.run.positions:
                assert not found.is_certain
                shown += 1
    assert shown > 10


def same(one: AnnotatedPath | None, other: AnnotatedPath | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.path, one.obligations, one.costs) == (other.path, other.obligations, other.costs)


def test_compiled_searches_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(4)
    for number in range(150):
        vocabulary = chances.random_vocabulary(chance)
        model = chances.random_model(chance, 5, 9)
        fairness = chances.random_fairness(chance) if number % 2 else ()
        greedy = chance.choice(["", "greedy: "])
        strategy = read_strategy(f"{greedy}avoid-events=a, fewest-changes=x")
        for question in questions(chances.random_scenario(chance), vocabulary):
            reply = Validator(model, vocabulary).reply(question, fairness)
            found = witness(reply, strategy, vocabulary)
            with monkeypatch.context() as patch:
                patch.setattr(ground_of_searches, "MOST_PLAIN", 0)
                assert same(witness(reply, strategy, vocabulary), found)


def test_what_was_tampered_with_is_objected_to() -> None:
    chance = random.Random(5)
    caught = 0
    for _ in range(400):
        model = random_model(chance, 4)
        formula = random_linear(chance, 2)
        found = None if mentions_event(formula) else witness(reply_on(formula, model))
        if found is None or not found.run.positions:
            continue
        moments = list(found.moments)
        number = chance.randrange(len(moments))
        if not moments[number].owed:
            continue
        moments[number] = replace(moments[number], owed=moments[number].owed[:-1])
        caught += objection(replace(found, moments=tuple(moments)), formula, model) != ""
    assert caught > 60
