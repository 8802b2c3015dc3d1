"""Runs are followed again on the reference semantics, and momentary values are seen where somebody asks for them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from stateglass.explore import explore
from stateglass.explore.retracing import EXACTLY, Failure, Fitting, Retracing, Run, Wanted
from stateglass.model import Model
from stateglass.options import ExtractOptions
from stateglass.pipeline import assemble, read
from stateglass.system import System

CODE = """\
int sensor(void);
int mode, count;
void step(int x)
{
    mode = 3;
    if (x) {
        count = sensor();
        count = 0;
    }
    mode = 1;
}
"""


@pytest.fixture
def system(tmp_path: Path) -> System:
    file = tmp_path / "step.c"
    file.write_text(CODE, encoding="utf-8")
    bounds = (("step.x", "0..1"), ("sensor()", "{0, 7}"))
    options = ExtractOptions(files=(str(file),), functions=("step",), bounds=bounds)
    return assemble(read(options), options)


def values(model: Model, name: str) -> set[str]:
    return {model.valuation(state)[name] for state in range(model.states)}


def test_a_value_for_a_moment_is_seen_only_if_somebody_asks(system: System) -> None:
    assert values(explore(system).model, "count") == {"0"}
    watched = explore(system, watch=("count", "mode")).model
    assert values(watched, "count") == {"0", "7"}
    assert values(explore(system, watch=("mode",)).model, "count") == {"0"}
    every = explore(system, every_step=True).model
    assert values(every, "count") == values(watched, "count")
    assert values(every, "mode") == values(watched, "mode") == {"0", "1", "3"}
    assert watched.states < every.states


def test_what_is_watched_sees_the_same_sequences_of_values_as_every_step(system: System) -> None:
    def changes(model: Model) -> set[tuple[tuple[str, str], tuple[str, str]]]:
        names = ("mode", "count")
        pairs = zip(model.sources.tolist(), model.targets.tolist(), strict=True)
        found = [tuple(tuple(model.valuation(s)[n] for n in names) for s in pair) for pair in pairs]
        return {(one, other) for one, other in found if one != other}  # type: ignore[misc]

    assert changes(explore(system, watch=("count", "mode")).model) == changes(explore(system, every_step=True).model)


def random_run(model: Model, seed: int, length: int) -> tuple[Wanted, list[int]]:
    chance, state, states = random.Random(seed), model.initial, [model.initial]
    steps = []
    for _ in range(length):
        leaving = range(int(model.first[state]), int(model.first[state + 1]))
        if not leaving:
            break
        transition = chance.choice(leaving)
        state = int(model.targets[transition])
        states.append(state)
        steps.append((model.labels[model.actions[transition]], model.valuation(state)))
    return Wanted(tuple(steps), model.valuation(model.initial)), states


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("watch", [(), ("mode", "count")])
def test_every_run_of_the_model_is_a_run_of_the_code(system: System, watch: tuple[str, ...], seed: int) -> None:
    model = explore(system, watch=watch).model
    wanted, _ = random_run(model, seed, 40)
    found = Retracing(system, 64, watch=watch).follow(wanted)
    assert isinstance(found, Run)
    assert [t.step.action for t in found.taken] == [action for action, _ in wanted.steps]


def test_other_actions_and_other_values_are_no_run(system: System) -> None:
    wanted, _ = random_run(explore(system).model, 1, 10)
    retracing = Retracing(system, 64)
    for position in range(10):
        action, after = wanted.steps[position]
        for wrong in (("call(halt)", after), (action, {**after, "mode": "8"})):
            steps = (*wanted.steps[:position], wrong, *wanted.steps[position + 1 :])
            found = retracing.follow(Wanted(steps, wanted.initial))
            assert isinstance(found, Failure)
            assert found.followed == position
    assert isinstance(retracing.follow(Wanted(wanted.steps, {"mode": "5"})), Failure)


def test_a_loop_must_come_back_to_the_same_state(system: System) -> None:
    retracing = Retracing(system, 64)
    first = Wanted((("call(step, 0)", {}), ("return(step)", {})), {}, loop_start=0)
    # `mode` is 0 at first and 1 from the first call on, so that only what comes then is repeated.
    for wanted in (first, Wanted((*first.steps, *first.steps), {}, loop_start=2)):
        found = retracing.follow(wanted)
        assert isinstance(found, Run)
        assert found.loop_start is not None
        states = [found.first, *(taken.step.state for taken in found.taken)]
        assert states[found.loop_start] == states[-1]
        assert found.loop_start > 0
    stuck = retracing.follow(Wanted(first.steps, {}, ends=True))
    assert isinstance(stuck, Failure)
    assert "does not end" in stuck.reason


def test_silent_steps_in_between_are_found(system: System) -> None:
    merged = Wanted((("call(step, 1)", {}), ("call(sensor)", {}), ("return(sensor, 7)", {}), ("return(step)", {})), {})
    retracing = Retracing(system, 64, every_step=True)
    assert isinstance(retracing.follow(merged), Failure)
    found = retracing.follow(merged, Fitting(EXACTLY.action, EXACTLY.values, between=True))
    assert isinstance(found, Run)
    assert len(found.taken) > 4


def test_a_run_as_a_model_knows_that_more_may_happen(system: System) -> None:
    retracing = Retracing(system, 64)
    found = retracing.follow(Wanted((("call(step, 0)", {}), ("return(step)", {})), {}))
    assert isinstance(found, Run)
    model = retracing.model(found)
    assert model.partial
    assert model.states == 3
    assert model.transitions == 2
    assert model.unexplored is not None
    assert model.unexplored.all()
