"""Laws that hold for the model of any program, tried on generated ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.explore import Manner, explore
from stateglass.formats import write_model
from stateglass.program import Program
from tests.fuzz.agreement import explore_run, observed, path_of, read, run_machine, system_of
from tests.generator import generate

SEEDS = range(2000, 2010)
SIZE = 12


@pytest.fixture(params=SEEDS, scope="module")
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    return read(generate(request.param, SIZE).files, tmp_path_factory.mktemp("generated"))


def test_merging_silent_steps_changes_nothing_that_is_visible(program: Program) -> None:
    merged = path_of(explore_run(program).model)
    every_step = path_of(explore_run(program, every_step=True).model)
    assert merged == every_step


def test_the_model_is_the_run_of_the_machine(program: Program) -> None:
    """Clearing dead variables, saving and restoring states must not be noticed."""
    assert observed(path_of(explore_run(program).model)) == run_machine(program)


def test_exploring_twice_gives_the_same_bytes(program: Program, tmp_path: Path) -> None:
    for name in ("one.sg", "two.sg"):
        write_model(explore_run(program).model, str(tmp_path / name))
    assert (tmp_path / "one.sg").read_bytes() == (tmp_path / "two.sg").read_bytes()


def test_a_model_cut_short_is_a_beginning_of_the_whole(program: Program) -> None:
    whole = explore_run(program).model
    limit = max(1, whole.states // 2)
    part = explore(system_of(program), Manner(max_states=limit)).model
    assert part.partial
    assert not whole.partial
    assert part.states == limit
    path = path_of(whole)
    beginning = [action for action in path_of(part) if action in part.labels]
    assert beginning == path[: len(beginning)]
    assert part.deadlocks.size == 0
