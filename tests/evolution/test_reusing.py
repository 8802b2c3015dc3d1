"""Old runs followed in a new model: as far as it goes, and where a removed transition stops them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stateglass.evidence import Path, Step, problem_of
from stateglass.evolution.edits import edited, read_edits
from stateglass.evolution.pairing import Pairing, pairing
from stateglass.evolution.reusing import Reused, reuse
from stateglass.model import Model, ModelBuilder
from tests.evolution.models import column, versions


def ring(*labels: str) -> Model:
    """States in a circle; the next one is reached by the next label."""
    builder = ModelBuilder()
    for number, label in enumerate(labels):
        builder.add(number, label, (number + 1) % len(labels))
    counts = [("0", "1", "-3")[n % 3] for n in range(len(labels))]
    return builder.build(len(labels), propositions=[column("count", counts)])


def run(model: Model, labels: list[str], loop_start: int | None = None) -> Path:
    state, steps = model.initial, []
    for label in labels:
        [target] = [
            int(model.targets[n])
            for n in range(int(model.first[state]), int(model.first[state + 1]))
            if model.labels[model.actions[n]] == label
        ]
        steps.append(Step(state, target, label))
        state = target
    return Path(model.initial, tuple(steps), loop_start)


def reused(old: Model, edits: str, path: Path) -> tuple[Reused, Model]:
    pairs = edited(old, read_edits(edits, "x.edits"))
    return reuse(path, pairs), pairs.new


def test_a_run_is_followed_to_its_end() -> None:
    old = ring("a", "b", "c")
    found, new = reused(old, "variable on2: false, true", run(old, ["a", "b"]))
    assert found.stop is None
    assert [step.action for step in found.path.steps] == ["a", "b"]
    assert problem_of(found.path, new) == ""
    assert found.path.steps[0].changes == (("count", "1"),)


def test_a_removed_transition_stops_it() -> None:
    old = ring("a", "b", "c")
    found, new = reused(old, "remove b", run(old, ["a", "b", "c"]))
    assert found.stop is not None
    assert (found.stop.step, found.stop.action) == (1, "b")
    assert found.stop.explanation == "the transition by `b` was removed"
    assert [step.action for step in found.path.steps] == ["a"]
    assert problem_of(found.path, new) == ""


def test_a_state_without_a_version_stops_it() -> None:
    builder = ModelBuilder()
    builder.add(0, "a", 1)
    old = builder.build(2, propositions=[column("count", ["0", "1"])])
    new = builder.build(2, propositions=[column("count", ["0", "-3"])])
    pairs = pairing(old, new)
    assert isinstance(pairs, Pairing)
    found = reuse(run(old, ["a"]), pairs)
    assert found.stop is not None
    assert found.stop.explanation == "no state of the new model is a version of where `a` leads"


def test_another_start_stops_it() -> None:
    old = ring("a", "b", "c")
    found, _ = reused(old, "start [count == 1]", run(old, ["a"]))
    assert found.stop is not None
    assert found.stop.step == 0
    assert "starts in a state" in found.stop.explanation


def test_a_repeated_part_is_repeated() -> None:
    old = ring("a", "b", "c")
    found, new = reused(old, "add d to [count == 1]", run(old, ["a", "b", "c"], 0))
    assert (found.stop, found.path.loop_start, len(found.path.steps)) == (None, 0, 3)
    assert problem_of(found.path, new) == ""


def test_a_repeated_part_may_take_several_rounds() -> None:
    old = ring("a", "b", "c")
    edits = """
variable round: 0, 1
remove c when [round == 0]
remove c when [round == 1]
add c when [count == -3 && round == 0] to [count == 0 && round == 1]
add c when [count == -3 && round == 1] to [count == 0 && round == 0]
"""
    found, new = reused(old, edits, run(old, ["a", "b", "c"], 0))
    assert (found.stop, found.path.loop_start, len(found.path.steps)) == (None, 0, 6)
    assert problem_of(found.path, new) == ""


def test_a_repeated_part_may_stop_in_a_later_round() -> None:
    old = ring("a", "b", "c")
    edits = """
variable round: 0, 1
remove c when [round == 0]
remove b when [round == 1]
add c when [count == -3 && round == 0] to [count == 0 && round == 1]
"""
    found, new = reused(old, edits, run(old, ["a", "b", "c"], 0))
    assert found.stop is not None
    assert (found.stop.step, len(found.path.steps)) == (1, 4)
    assert problem_of(found.path, new) == ""


@given(versions(distinct=False), st.lists(st.integers(0, 9), max_size=8))
def test_what_is_followed_is_a_run_through_versions(pair: tuple[Model, Model], choices: list[int]) -> None:
    old, new = pair
    state, steps = old.initial, []
    for choice in choices:
        first, end = int(old.first[state]), int(old.first[state + 1])
        if first == end:
            break
        number = first + choice % (end - first)
        steps.append(Step(state, int(old.targets[number]), old.labels[old.actions[number]]))
        state = int(old.targets[number])
    pairs = pairing(old, new)
    assert isinstance(pairs, Pairing)
    found = reuse(Path(old.initial, tuple(steps)), pairs)
    assert problem_of(found.path, new) == ""
    versions_of = set(zip(pairs.pair_old.tolist(), pairs.pair_new.tolist(), strict=True))
    for before, after in zip(steps, found.path.steps, strict=False):
        assert (before.action, (before.target, after.target) in versions_of) == (after.action, True)
    assert (found.stop is None) == (len(found.path.steps) == len(steps) and (old.initial, new.initial) in versions_of)


@given(versions(distinct=False), st.lists(st.integers(0, 9), max_size=6))
def test_any_run_can_be_followed_in_its_own_model(pair: tuple[Model, Model], choices: list[int]) -> None:
    model, _ = pair
    state, steps = model.initial, []
    for choice in choices:
        first, end = int(model.first[state]), int(model.first[state + 1])
        if first == end:
            break
        number = first + choice % (end - first)
        steps.append(Step(state, int(model.targets[number]), model.labels[model.actions[number]]))
        state = int(model.targets[number])
    pairs = pairing(model, model)
    assert isinstance(pairs, Pairing)
    assert reuse(Path(model.initial, tuple(steps)), pairs).stop is None
