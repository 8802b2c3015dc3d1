"""Passing over silent states while exploring: the same behaviour with fewer states."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.explore import Manner, explore
from stateglass.model import Model
from stateglass.operations.comparing import compare_models
from stateglass.operations.reducing import reduce_model
from stateglass.system import build_system
from tests.explore.extracting import EXAMPLES, example, explored, whole
from tests.fuzz.agreement import read
from tests.generator import generate

FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/expected.aut"))
INPUTS = "int get(void); void put(int value);\n"


def same(one: Model, other: Model) -> bool:
    return compare_models(one, other, "dpbranching").related is True


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("every_step", [False, True])
def test_examples(name: str, every_step: bool) -> None:
    large = whole(name, every_step=every_step)
    small = example(name, every_step=every_step, compress=True)
    assert small.states <= large.states
    assert same(large, small)


@pytest.mark.parametrize("name", FOLDERS)
def test_nothing_is_left_for_the_reduction_to_pass_over(name: str) -> None:
    small = example(name, every_step=True, compress=True)
    assert reduce_model(small, "peephole").model.states == small.states


@pytest.mark.parametrize("seed", range(25))
def test_random_programs(seed: int, tmp_path: Path) -> None:
    system = build_system(read(generate(seed, 10).files, tmp_path), ("main",))
    large = explore(system, Manner(max_states=3000, every_step=True)).model
    small = explore(system, Manner(max_states=3000, every_step=True, compress=True)).model
    assert small.states <= large.states
    assert large.partial or same(large, small)


@pytest.mark.parametrize(
    ("code", "map"),
    [
        ("int main(void) { int x = get(); for (;;) x = !x; }", "fun main () { var x : bool; }"),
        ("int main(void) { if (get()) for (;;) ; put(1); return 0; }", ""),
        ("int main(void) { for (;;) { get(); if (get()) put(1); } }", ""),
        ("int main(void) { int x = 0; for (;;) { x = (x + 1) % 3; get(); } }", "fun main () { var x : mod(3); }"),
        ("int main(void) { int x = 5; while (x > 0) x = x - get(); return x; }", "fun main () { var x : part(0, 1); }"),
    ],
)
@pytest.mark.parametrize("steps", ["merged", "all"])
def test_silent_loops_stay(tmp_path: Path, code: str, map: str, steps: str) -> None:
    rules = ("exit == 0 => end", *(("call put => put",) if "put" in code else ()))
    large = explored(tmp_path, INPUTS + code, map, rules, steps=steps).model
    small = explored(tmp_path, INPUTS + code, map, rules, steps=steps, compress=True).model
    assert small.states < large.states
    assert same(large, small)


def test_a_way_without_end_comes_to_a_budget(tmp_path: Path) -> None:
    code = INPUTS + "int main(void) { int n = 0; for (;;) { get(); n++; } }"
    model = explored(
        tmp_path, code, "fun main () { var n : int; }", ("exit => end",), compress=True, max_states=3
    ).model
    assert model.partial
    assert model.states == 3


def test_the_model_says_so() -> None:
    assert example("recogniser", compress=True).origin.history == ("silent states were passed over on the way",)


def test_time_is_over_among_forks_that_never_meet(tmp_path: Path) -> None:
    code = INPUTS + "int main(void) { unsigned n = 1; for (;;) { if (get()) n = 2 * n; else n = 2 * n + 1; } }"
    found = explored(tmp_path, code, "fun main () { var n : int; }", ("exit => end",), compress=True, timeout=0.5)
    assert found.model.origin.partial[0].startswith("stopped after 0.5 s")
