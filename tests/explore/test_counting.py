"""Runs that are dropped in the end: nothing that only they do is in a model."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

from stateglass.check.deciding import decide
from stateglass.evidence import Reason, Verdict
from stateglass.explore import Manner, explore
from stateglass.explore.counting import counting
from stateglass.explore.stepwise import Retracing
from stateglass.logic.reading import read_claim
from stateglass.model import NO_RUN, NO_RUN_YET, Model, ModelBuilder
from stateglass.system import UndefinedBehaviour, build_system, undefined
from tests.fuzz.agreement import read

BEGIN: Final = "int get(void); void __VERIFIER_assume(int); int a, done, mode, n;\n"
FREE: Final = BEGIN + "void step(void) { a = get(); __VERIFIER_assume(a != 1); done = 1; }\n"
# Whether a run is dropped shows several calls later.
LATER: Final = BEGIN + "void step(void) { if (get() == 1) mode = 1; if (n < 3) n++; else __VERIFIER_assume(!mode); }\n"
FAILING: Final = BEGIN + "void step(void) { a = get(); if (a == 1) __builtin_trap(); __VERIFIER_assume(a == 0); }\n"
ENDING: Final = (
    BEGIN + "void __VERIFIER_assume(int); int main(void) { a = 1; __VERIFIER_assume(!a); a = 3; return 0; }\n"
)


def model_of(folder: Path, code: str, manner: Manner | None = None, ub: str = "error", **bounds: str) -> Model:
    given = tuple((name.replace("_", "()"), text) for name, text in bounds.items())
    function = "main" if "main" in code else "step"
    program = read({"code.c": code}, folder)
    system = build_system(program, (function,), bounds=given, undefined=undefined(UndefinedBehaviour(ub)))
    return explore(system, manner or Manner()).model


EVERY: Final = Manner(every_step=True)
SMALL: Final = Manner(every_step=True, compress=True)


@pytest.mark.parametrize("manner", [Manner().watching({"a", "done", "mode", "n"}), EVERY, SMALL])
@pytest.mark.parametrize(
    ("code", "claim", "expected"),
    [
        (FREE, "G [a != 1]", Verdict.HOLDS),
        (FREE, "G [a != 2]", Verdict.VIOLATED),
        (FREE, "no-deadlock", Verdict.HOLDS),
        (FREE, "ctl: AG EF call(step)", Verdict.HOLDS),
        (FREE, "F [done == 1]", Verdict.HOLDS),
        (LATER, "G [mode == 0]", Verdict.HOLDS),
        (LATER, "G [n < 3]", Verdict.VIOLATED),
        (LATER, "G !return(get, 1)", Verdict.HOLDS),
        (LATER, "no-deadlock", Verdict.HOLDS),
        (FAILING, "no-error", Verdict.VIOLATED),
        (FAILING, "G [a <= 1]", Verdict.HOLDS),
        (FAILING, "G [a < 1]", Verdict.VIOLATED),
    ],
)
def test_dropped_runs_are_dropped_as_a_whole(
    code: str, claim: str, expected: Verdict, manner: Manner, tmp_path: Path
) -> None:
    assert decide(read_claim(claim), model_of(tmp_path, code, manner, get_="0..2")).verdict is expected


def test_runs_into_what_is_ignored_do_not_count_either(tmp_path: Path) -> None:
    code = BEGIN + "int table[2]; void step(void) { a = get(); done = 1; table[a] = 1; }\n"
    model = model_of(tmp_path, code, Manner().watching({"a"}), "ignore", get_="0..3")
    values = model.proposition("a")
    assert values is not None
    assert set(values.values.tolist()) == {0, 1}
    assert not len(model.deadlocks)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("no-error", Verdict.VACUOUS),
        ("no-deadlock", Verdict.VACUOUS),
        ("G [a == 7]", Verdict.VACUOUS),
        ("F [a == 3]", Verdict.VACUOUS),
        ("ctl: EF [a == 0]", Verdict.INCONCLUSIVE),
        ("no-unreachable", Verdict.INCONCLUSIVE),
    ],
)
def test_where_no_run_counts_nothing_is_said_of_runs(claim: str, expected: Verdict, tmp_path: Path) -> None:
    model = model_of(tmp_path, ENDING)
    assert (model.states, model.transitions, model.origin.partial) == (1, 0, (NO_RUN,))
    answer = decide(read_claim(claim), model)
    assert answer.verdict is expected
    assert answer.reason is (Reason.PARTIAL if expected is Verdict.INCONCLUSIVE else None)


# Whether a run is dropped shows only behind many states; a mode that is left again may be gone through for ever.
LONG: Final = BEGIN + (
    "void step(void) { int i = get(); if (i == 1) mode = 1; if (i == 2 && !mode) { done = !done; return; }\n"
    "    if (n < 500) n++; else __VERIFIER_assume(!mode); }\n"
)


def test_of_what_was_not_explored_only_that_counts_which_is_known_to(tmp_path: Path) -> None:
    whole = model_of(tmp_path, LONG, get_="0..2")
    part = model_of(tmp_path, LONG, Manner(max_states=40), get_="0..2")
    assert part.origin.partial
    assert NO_RUN_YET not in part.origin.partial
    for model in (whole, part):
        mode = model.proposition("mode")
        assert mode is not None
        assert not mode.values.any()
    done = part.proposition("done")
    assert done is not None
    assert done.values.any()


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("G [mode == 0]", Verdict.INCONCLUSIVE),  # some run comes to 1, but not one that counts
        ("G [done == 0]", Verdict.VIOLATED),
        ("G [n < 500]", Verdict.INCONCLUSIVE),
        ("ctl: EF [mode == 1]", Verdict.INCONCLUSIVE),
        ("ctl: EF [done == 1]", Verdict.HOLDS),
        ("test: call(step) call(get) return(get, 1)", Verdict.INCONCLUSIVE),
    ],
)
def test_claims_on_a_part(claim: str, expected: Verdict, tmp_path: Path) -> None:
    part = model_of(tmp_path, LONG, Manner(max_states=100).watching({"mode", "done"}), get_="0..2")
    assert decide(read_claim(claim), part).verdict is expected


@pytest.mark.parametrize("claim", ["no-error", "G [n < 2]", "G [a == 0]", "ctl: EF [a == 0]", "no-livelock"])
def test_where_no_run_is_known_to_count_nothing_is_decided(claim: str, tmp_path: Path) -> None:
    part = model_of(tmp_path, LATER.replace("n < 3", "n < 900"), Manner(max_states=12), get_="0..2")
    assert (part.states, part.transitions) == (1, 0)
    assert NO_RUN_YET in part.origin.partial
    answer = decide(read_claim(claim), part)
    assert (answer.verdict, answer.reason) == (Verdict.INCONCLUSIVE, Reason.PARTIAL)


def test_lines_that_only_dropped_runs_come_to(tmp_path: Path) -> None:
    lines = "void step(void) {", "a = get();", "if (a == 1) {", "n = 1;", "__VERIFIER_assume(0);", "}", "done = 1; }"
    code = BEGIN + "\n".join(lines)
    system = build_system(read({"code.c": code}, tmp_path), ("step",), bounds=(("get()", "0..2"),))
    for manner in (Manner(), EVERY, SMALL):
        found = explore(system, manner, coverage=True).unreached
        assert found is not None
        assert [span.line for span in found] == [5, 6]


def test_a_run_is_not_over_where_it_is_dropped(tmp_path: Path) -> None:
    program = read({"code.c": ENDING}, tmp_path)
    retracing = Retracing(build_system(program, ("main",)), EVERY)
    state = retracing.first
    while following := list(retracing.steps(state)):
        state = following[0].state
    assert not retracing.is_over(state)


def test_states_that_count() -> None:
    """0 goes round; 1 leads to 2 and 3, which are dropped; 4 leads to 3 and to 5, where a run gets stuck."""
    builder = ModelBuilder()
    for source, target in ((0, 0), (0, 1), (1, 2), (1, 3), (0, 4), (4, 3), (4, 5)):
        builder.add(source, "go", target)
    model = builder.build(6)
    assert counting(model, (2, 3)).tolist() == [True, False, False, False, True, True]
    assert counting(model, ()).all()
    unexplored = builder.build(6, unexplored=[1])
    assert np.flatnonzero(~counting(unexplored, (2, 3))).tolist() == [2, 3]
