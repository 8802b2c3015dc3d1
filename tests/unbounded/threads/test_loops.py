"""What a thread does in a loop: for ever, or not, because a number cannot become smaller for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.unbounded.engines import Engine
from tests.unbounded.threads.asking import Case, checked

_HEAD = "extern int in(void); extern void a(void), b(void); int x;\n"


def _case(first: str, second: str) -> Case:
    code = f"{_HEAD}void first(void) {{ {first} }}\nvoid second(void) {{ {second} }}\n"
    events = tuple(name for name in "ab" if f"{name}();" in first + second)
    return Case(code, ("first", "second"), events)


@pytest.mark.parametrize(
    ("first", "second", "claim", "why"),
    [
        ("int n = in(); while (n > 0) n--; a(); x = 1;", "a();", "F [x == 1]", "`first::n` cannot become smaller"),
        ("for (;;) { int n = in(); for (int i = 0; i < n; i++) a(); b(); }", "for (;;) a();", "G F b", "`first::i`"),
        (
            "int n = in(); while (n > 0) { int m = in(); while (m > 0) m--; n--; } b(); x = 1;",
            "b();",
            "F [x == 1]",
            "`first::m` cannot become smaller for ever, `first::n`",
        ),
        ("int n = in(); while (n > 0) n--; a();", "int k = in(); while (k < 9) k++; a(); b();", "F b", "`second::k`"),
    ],
    ids=["silent", "of events", "nested", "of two threads"],
)
def test_a_loop_ends_in_which_a_number_becomes_smaller(
    first: str, second: str, claim: str, why: str, tmp_path: Path
) -> None:
    answer = checked(_case(first, second), claim, tmp_path, Engine.PREDICATE).answer
    assert answer.verdict.value == "holds"
    assert why in answer.explanation


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("int n = in(); while (n > 0) { if (in()) n = 5; else n--; } a();", "violated"),
        ("unsigned n = in(); while (n != 0) n -= 2; a();", "inconclusive"),
        ("int n = in(); while (n > 0) n--; for (;;) ; a();", "violated"),
        ("int n = in(); while (n > 0) n--; if (n == 0) return; a();", "violated"),
    ],
    ids=["set back", "around", "another one", "ended"],
)
def test_a_loop_that_is_left_is_not_all_that_happens(first: str, expected: str, tmp_path: Path) -> None:
    answer = checked(_case(first, "for (;;) a();"), "F a", tmp_path, Engine.PREDICATE).answer
    assert answer.verdict.value == expected


def test_a_thread_that_is_never_run_again_stays_in_its_loop(tmp_path: Path) -> None:
    case = _case("int n = in(); while (n > 0) n--; a();", "for (;;) b();")
    answer = checked(case, "F a", tmp_path, Engine.PREDICATE).answer
    assert answer.verdict.value == "violated"
