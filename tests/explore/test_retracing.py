"""Runs are followed again on the reference semantics, and momentary values are seen where somebody asks for them."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from stateglass.explore import Manner, explore
from stateglass.explore.following import Step
from stateglass.explore.retracing import EXACTLY, Failure, Fitting, Retracing, Run, Wanted
from stateglass.explore.retracing_graphs import WantedNode, follow_graph
from stateglass.explore.states import Snapshot
from stateglass.model import Model
from stateglass.operations.assembling import assemble, read
from stateglass.options import ExtractOptions
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
    watched = explore(system, Manner(watch=frozenset(("count", "mode")))).model
    assert values(watched, "count") == {"0", "7"}
    assert values(explore(system, Manner(watch=frozenset(("mode",)))).model, "count") == {"0"}
    every = explore(system, Manner(every_step=True)).model
    assert values(every, "count") == values(watched, "count")
    assert values(every, "mode") == values(watched, "mode") == {"0", "1", "3"}
    assert watched.states < every.states


def test_what_is_watched_sees_the_same_sequences_of_values_as_every_step(system: System) -> None:
    def changes(model: Model) -> set[tuple[tuple[str, str], tuple[str, str]]]:
        names = ("mode", "count")
        pairs = zip(model.sources.tolist(), model.targets.tolist(), strict=True)
        found = [tuple(tuple(model.valuation(s)[n] for n in names) for s in pair) for pair in pairs]
        return {(one, other) for one, other in found if one != other}  # type: ignore[misc]

    assert changes(explore(system, Manner(watch=frozenset(("count", "mode")))).model) == changes(
        explore(system, Manner(every_step=True)).model
    )


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
    model = explore(system, Manner(watch=frozenset(watch))).model
    wanted, _ = random_run(model, seed, 40)
    found = Retracing(system, Manner(watch=frozenset(watch))).follow(wanted)
    assert isinstance(found, Run)
    assert [t.step.action for t in found.taken] == [action for action, _ in wanted.steps]


def test_other_actions_and_other_values_are_no_run(system: System) -> None:
    wanted, _ = random_run(explore(system).model, 1, 10)
    retracing = Retracing(system, Manner())
    for position in range(10):
        action, after = wanted.steps[position]
        for wrong in (("call(halt)", after), (action, {**after, "mode": "8"})):
            steps = (*wanted.steps[:position], wrong, *wanted.steps[position + 1 :])
            found = retracing.follow(Wanted(steps, wanted.initial))
            assert isinstance(found, Failure)
            assert found.followed == position
    assert isinstance(retracing.follow(Wanted(wanted.steps, {"mode": "5"})), Failure)


def test_a_loop_must_come_back_to_the_same_state(system: System) -> None:
    retracing = Retracing(system, Manner())
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
    retracing = Retracing(system, Manner(every_step=True))
    assert isinstance(retracing.follow(merged), Failure)
    found = retracing.follow(merged, Fitting(EXACTLY.action, EXACTLY.values, between=True))
    assert isinstance(found, Run)
    assert len(found.taken) > 4


def test_a_run_as_a_model_knows_that_more_may_happen(system: System) -> None:
    retracing = Retracing(system, Manner())
    found = retracing.follow(Wanted((("call(step, 0)", {}), ("return(step)", {})), {}))
    assert isinstance(found, Run)
    model = retracing.model(found)
    assert model.partial
    assert model.states == 3
    assert model.transitions == 2
    assert model.unexplored is not None
    assert model.unexplored.all()


def test_silent_changes_of_values_are_looked_for(system: System) -> None:
    retracing = Retracing(system, Manner(watch=frozenset(("mode", "count"))))
    between = Fitting(EXACTLY.action, EXACTLY.values, between=True)
    # What an abstraction shows: forks between the call and the change, and the values there.
    there = (("call(step, 0)", {"mode": "0"}), ("tau", {"mode": "0"}), ("tau", {"mode": "3"}), ("tau", {"mode": "1"}))
    found = retracing.follow(Wanted(there, {"mode": "0"}), between)
    assert isinstance(found, Run)
    assert [retracing.values(t.step.state)["mode"] for t in found.taken] == ["3", "1"]
    elsewhere = (*there[:2], ("tau", {"mode": "1"}), ("tau", {"mode": "3"}))
    assert isinstance(retracing.follow(Wanted(elsewhere, {"mode": "0"}), between), Failure)
    nowhere = (*there, ("tau", {"mode": "2"}))
    assert isinstance(retracing.follow(Wanted(nowhere, {"mode": "0"}), between), Failure)


def test_what_is_repeated_for_ever_may_be_silent(tmp_path: Path) -> None:
    file = tmp_path / "step.c"
    file.write_text("int mode;\nvoid step(void) { for (;;) { mode = 1; mode = 2; } }\n", encoding="utf-8")
    options = ExtractOptions(files=(str(file),), functions=("step",))
    retracing = Retracing(assemble(read(options), options), Manner(watch=frozenset(("mode",))))
    wanted = Wanted((("call(step)", {"mode": "0"}), ("tau", {"mode": "1"}), ("tau", {"mode": "2"})), {}, loop_start=1)
    vague = Wanted((("call(step)", {}), ("tau", {"mode": "1"}), ("tau", {})), {}, loop_start=1)
    for run in (wanted, vague):
        found = retracing.follow(run, Fitting(EXACTLY.action, EXACTLY.values, between=True))
        assert isinstance(found, Run)
        assert found.loop_start is not None


def test_there_may_be_no_time_for_the_first_state(tmp_path: Path) -> None:
    file = tmp_path / "step.c"
    code = "int n;\nvoid setup(void) { while (n < 100000000) n++; }\nvoid step(void) { n = 0; }\n"
    file.write_text(code, encoding="utf-8")
    options = ExtractOptions(files=(str(file),), functions=("step",), init="setup")
    retracing = Retracing(assemble(read(options), options), Manner(timeout=-1.0))
    for found in (retracing.follow(Wanted((), {})), follow_graph(retracing, [WantedNode({})])):
        assert isinstance(found, Failure)
        assert not found.is_sure


def whole(model: Model) -> list[WantedNode]:
    """All of a model as a graph to be followed."""
    nodes = []
    for state in range(model.states):
        leaving = range(int(model.first[state]), int(model.first[state + 1]))
        steps = tuple((model.labels[model.actions[t]], int(model.targets[t])) for t in leaving)
        nodes.append(WantedNode(model.valuation(state), steps))
    return nodes


@pytest.mark.parametrize("watch", [(), ("mode", "count")])
def test_each_step_of_a_graph_is_followed(system: System, watch: tuple[str, ...]) -> None:
    model = explore(system, Manner(watch=frozenset(watch))).model
    nodes = whole(model)
    assert model.initial == 0
    assert follow_graph(Retracing(system, Manner(watch=frozenset(watch))), nodes) is None
    for number, node in enumerate(nodes):
        for position, (action, to) in enumerate(node.steps):
            for wrong in (("call(halt)", to), (action, model.initial)):
                steps = (*node.steps[:position], wrong, *node.steps[position + 1 :])
                changed = [*nodes[:number], replace(node, steps=steps), *nodes[number + 1 :]]
                found = follow_graph(Retracing(system, Manner(watch=frozenset(watch))), changed)
                # Another target of the same values and the same future is none that could be told apart.
                assert isinstance(found, Failure) or (to == model.initial and wrong[0] == action)


class Drawn:
    """Code that is drawn by lot: states are numbers, and look alike if they are congruent."""

    def __init__(self, chance: random.Random) -> None:
        self.first = 0
        pick = range(6)
        self.ways = {n: [(chance.choice("ab"), chance.choice(pick)) for _ in range(chance.randrange(4))] for n in pick}

    def values(self, state: int) -> dict[str, str]:
        return {"n": str(state % 2)}

    def steps(self, state: int) -> list[Step]:
        return [Step(action, None, cast(Snapshot, to)) for action, to in self.ways[state]]

    def look_at_the_clock(self) -> None:
        pass

    def has(self, nodes: list[WantedNode]) -> bool:
        """By the definition of a simulation: pairs are struck out until nothing changes."""
        fit = {(n, s) for n, node in enumerate(nodes) for s in self.ways if node.values == self.values(s)}
        while True:
            kept = {
                (n, s)
                for n, s in fit
                if all(any(a == b and (m, t) in fit for b, t in [*self.ways[s], ("", s)]) for a, m in nodes[n].steps)
            }
            if kept == fit:
                return (0, self.first) in fit
            fit = kept


def test_graphs_are_followed_as_a_simulation_says() -> None:
    answers = []
    for seed in range(400):
        chance = random.Random(seed)
        code = Drawn(chance)
        nodes = [
            WantedNode(
                {"n": str(number % 2)},
                tuple(
                    (chance.choice(["a", "a", "b", "b", ""]), chance.randrange(4)) for _ in range(chance.randrange(3))
                ),
            )
            for number in range(4)
        ]
        # A step without an action stays in the state.
        nodes = [
            replace(node, steps=tuple((a, m) for a, m in node.steps if a or m % 2 == number % 2))
            for number, node in enumerate(nodes)
        ]
        answers.append(code.has(nodes))
        assert (follow_graph(cast(Retracing, code), nodes) is None) == answers[-1], seed
    assert 100 < sum(answers) < 300
