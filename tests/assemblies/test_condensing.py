"""Runs of designs event by event: nothing that a claim sees is lost, and no step says nothing."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from stateglass.assemblies.beginning import begun
from stateglass.assemblies.ccl import read_design
from stateglass.assemblies.condensing import condensed
from stateglass.evidence import Path, Step
from stateglass.model import TAU, ModelBuilder, Proposition, Sort
from stateglass.operations.designs import HowChecked, check_design

LIFT = """
component lift() {
    int floor = 0;
    int calls = 0;
    sink asynch call();
    threaded react L(call) {
        start -> still {}
        still -> moving { trigger ^call(); action { calls = calls + 1; floor = 2; floor = 1; } }
        moving -> still { action $call(); }
    }
}
"""


def run(claim: str) -> list[tuple[str, str, int]]:
    (found,) = check_design(read_design(LIFT, "lift.ccl"), HowChecked(claims=(claim,)))
    evidence = found.checked[0].answer.evidence
    assert isinstance(evidence, Path)
    changes = [", ".join(f"{name} = {value}" for name, value in step.changes) for step in evidence.steps]
    lines = [0 if step.span is None else step.span.line for step in evidence.steps]
    return list(zip((step.action for step in evidence.steps), changes, lines, strict=True))


def test_changes_are_told_with_the_event_before_them() -> None:
    # What a claim does not ask about begins with what the design says, too.
    assert run("G !$call") == [
        (TAU, "L.state = still", 7),
        ("^call", "floor = 1, calls = 1, L.state = moving", 8),
        ("$call", "", 0),
    ]


def test_each_value_that_a_claim_sees_is_a_step() -> None:
    started = (TAU, "L.state = still", 7)
    assert run("G [floor < 2]") == [started, ("^call", "floor = 2, calls = 1", 0)]
    assert run("G ([floor == 1] => [calls == 0])") == [
        started,
        ("^call", "calls = 1", 0),
        (TAU, "floor = 2", 8),
        (TAU, "floor = 1", 8),
    ]


def test_a_run_begins_with_what_the_design_says() -> None:
    builder = ModelBuilder()
    builder.add(0, "a", 0)
    values = np.array([2], dtype=np.int64)
    model = builder.build(1, propositions=[Proposition("x", Sort.INT, values), Proposition("y", Sort.INT, values)])
    path = Path(0, (Step(0, 0, "a"),), 0)
    told, longer = begun(path, model, {"x": 1, "y": 2})
    assert told == Path(1, (Step(1, 0, TAU, (("x", "2"),)), *path.steps), 1)
    assert (longer.initial, longer.valuation(1), longer.valuation(0)) == (1, {"x": "1", "y": "2"}, {"x": "2", "y": "2"})
    assert begun(path, model, {"x": 2}) == (path, model)
    empty, longer = begun(Path(0, ()), model, {"x": 1})
    assert longer.valuation(empty.start)["x"] == "1"
    assert not empty.steps


@pytest.mark.parametrize("seed", range(30))
def test_a_condensed_run_is_the_same_run(seed: int) -> None:
    random = Random(seed)
    values = {"x": 0, "y": 0}
    steps: list[Step] = []
    for number in range(random.randrange(1, 30)):
        changed = random.sample(sorted(values), random.choice((0, 0, 1, 1, 2)))
        values |= {name: values[name] + 1 for name in changed}
        action = random.choice(("a", "b", TAU, TAU, TAU))
        steps.append(Step(number, number + 1, action, tuple((name, str(values[name])) for name in changed)))
    loop = random.choice((None, random.randrange(len(steps))))
    if loop is not None:
        steps[-1] = Step(steps[-1].source, loop, steps[-1].action, steps[-1].changes)
    telling = {number for number, step in enumerate(steps) if any(name == "x" for name, _ in step.changes)}
    shown = condensed(Path(0, tuple(steps), loop), telling)
    path = shown.path

    def events(run: Path, times: int) -> list[str]:
        repeated = () if run.loop_start is None else run.steps[run.loop_start :] * times
        return [step.action for step in (*run.steps, *repeated) if step.action != TAU]

    def changes(numbers: list[int]) -> list[tuple[str, str]]:
        return [change for number in numbers for change in steps[number].changes]

    told = [number for group in shown.groups for number in group]
    assert told[: len(steps)] == list(range(len(steps)))
    assert changes(told) == [change for step in path.steps for change in step.changes]
    assert events(path, 9)[:60] == events(Path(0, tuple(steps), loop), 10)[: len(events(path, 9)[:60])]
    assert (path.loop_start is None) == (loop is None)
    if path.loop_start is not None and any(step.action != TAU for step in steps[loop:]):
        assert path.steps[path.loop_start].action != TAU
    for step, group in zip(path.steps, shown.groups, strict=True):
        names = [name for name, _ in step.changes]
        assert len(names) == len(set(names)) or any(len(steps[n].changes) != len(dict(steps[n].changes)) for n in group)
        assert sum(number in telling for number in group) <= 1
        assert sum(steps[number].action != TAU for number in group) <= 1
