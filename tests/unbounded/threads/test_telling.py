"""How runs of threads are told: what holds at first, and what each step changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.evidence import Path as Run
from stateglass.unbounded.engines import Engine
from tests.unbounded.threads.asking import Case, checked

SOON = Case(
    """
    #include <assert.h>
    extern void a(void);
    static int v = 3, w = 7;
    void left(void) { v = 5; a(); v = 6; a(); assert(0); }
    void right(void) { w = 8; a(); a(); }
    """,
    ("left", "right"),
    ("a",),
)


@pytest.mark.parametrize("engine", [Engine.EXPLICIT, Engine.PREDICATE])
def test_at_first_variables_have_the_values_that_the_program_gives_them(engine: Engine, tmp_path: Path) -> None:
    found = checked(SOON, "no-error", tmp_path, engine)
    run = found.answer.evidence
    assert isinstance(run, Run)
    at_first = found.model.valuation(run.start)
    assert (at_first["left.v"], at_first["right.w"]) == ("3", "7")
    assert run.steps[0].changes == (("left.v", "6"), ("right.w", "8"))


def test_a_run_that_comes_back_to_where_it_began_is_told_as_it_goes_on(tmp_path: Path) -> None:
    code = "extern void a(void); static int v = 3; void left(void) { for (;;) { v = 5; a(); } }"
    again = replace(SOON, code=code, threads=("left",))
    found = checked(again, "F G !a", tmp_path, Engine.EXPLICIT)
    run = found.answer.evidence
    assert isinstance(run, Run)
    assert run.loop_start == 0
    assert found.model.valuation(run.start)["left.v"] == "5"
