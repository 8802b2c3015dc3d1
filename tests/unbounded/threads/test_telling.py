"""How runs of threads are told: what holds at first, and what each step changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.evidence import Path as Run
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.threads.turns.wording import condition_texts
from stateglass.views.claims.sequence import sequence
from stateglass.views.claims.svg import svg
from tests.unbounded.threads.asking import Case, checked, setting_of

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


GUARDED = Case(
    """
    #include <assert.h>
    unsigned ready, value;
    static unsigned seen(void) { unsigned now = ready; return now; }
    void writer(void) { for (;;) { value = 7; ready = 1; } }
    void reader(void) { for (;;) { unsigned first = seen(); assert(first == 0 || value == 7); } }
    """,
    ("writer", "reader"),
    shared=("ready=direct", "value=direct"),
)


def test_what_an_invariant_says_is_in_the_words_of_users(tmp_path: Path) -> None:
    texts = (
        ("loop", "%threads::a.%turn@0 == 1 && %threads::a.work.1.before <= %threads::b.n"),
        ("loop", "%threads::b.get.2.%box.p[0][1]@12 == 0 || x == 1 && %threads::b.get.2.%box.p[0"[:-2] + "…"),
    )
    threads = setting_of(replace(GUARDED, threads=("a = writer", "b = reader")), tmp_path).threads
    assert condition_texts(texts, threads) == (
        ("loop", "load(a.turn) == 1 && a.work::before <= b.reader::n"),
        ("loop", "load(b.box.p[0][1]) == 0 || x == 1 && …"),
    )
    found = checked(GUARDED, "no-error", tmp_path, Engine.PREDICATE).answer
    assert found.decided is not None
    conditions = " ".join(condition for _, condition in found.decided.invariant)
    assert "reader.seen::now" in conditions
    assert "load(reader.value)" in conditions
    assert "%" not in conditions


def drawn(case: Case, claim: str, folder: Path, engine: Engine = Engine.EXPLICIT) -> tuple[tuple[str, ...], list[str]]:
    """The lanes of the picture of a run, and its messages as text."""
    run = checked(case, claim, folder, engine).answer.evidence
    assert isinstance(run, Run)
    diagram = sequence(run, "left || right")
    assert svg(diagram, claim).startswith("<svg")
    lanes = diagram.lanes
    return lanes, [f"{lanes[m.source]} {m.kind.value} {lanes[m.target]}: {m.text}" for m in diagram.messages]


@pytest.mark.parametrize("how", ["direct", "process"])
def test_each_thread_has_a_lane_in_the_picture_of_a_run(how: str, tmp_path: Path) -> None:
    code = """
    #include <assert.h>
    extern void a(void); extern int input(void);
    int g;
    void left(void) { a(); g = 1; }
    void right(void) { int zero; a(); zero = input(); assert(g == zero); }
    """
    bounds = (("g", "0..1"), ("input()", "0..0"))[how == "direct" :]
    case = Case(code, ("left", "right", "process TWO"), ("a",), (), (f"g={how}",), {"TWO": "TWO = (a -> TWO)."}, bounds)
    lanes, messages = drawn(case, "G !call(right.input)", tmp_path)
    assert set(lanes) >= {"environment", "left", "right", "TWO"}
    assert messages[:2] == ["left send right: a", "left send TWO: a"]
    assert "right call environment: call(right.input)" in messages
    assert "left call shared variables: store(left.g, 1)" in drawn(case, "no-error", tmp_path)[1]
    assert drawn(case, "no-error", tmp_path)[1][-2:] == [
        "shared variables return right: load(right.g, 1)",
        "right alarm right: error(assertion)",
    ]


def test_the_picture_of_a_run_says_what_is_repeated(tmp_path: Path) -> None:
    code = "extern void a(void), b(void); void left(void) { b(); for (;;) a(); } void right(void) { for (;;) a(); }"
    run = checked(Case(code, ("left", "right"), ("a", "b")), "F G !a", tmp_path).answer.evidence
    assert isinstance(run, Run)
    diagram = sequence(run, "")
    assert diagram.loop_start is not None
    assert [m.text for m in diagram.messages[diagram.loop_start :]] == ["a"]
