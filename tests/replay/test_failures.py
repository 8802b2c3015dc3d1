"""Errors in compiled code: confirmed if they are of the same kind and at the same place, and only then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.replay.driving import failures
from stateglass.replay.driving.failures import outcome_of
from stateglass.replay.driving.script import Fails, Returns
from stateglass.source import Place, Span
from tests.replay.driven import CLANG, GCC, failing_run, written

HEAD: Final = (
    "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "int total;\nchar text[8];\n#define TWICE(v) ((v) * 2)\nvoid step(int x)\n{\n"
)
COMPILERS: Final = [
    pytest.param(f"{name} {flags}", id=title, marks=pytest.mark.skipif(name is None, reason=f"there is no {title}"))
    for title, name, flags in (("gcc", GCC, "-O2 -std=c99"), ("clang", CLANG, ""))
]
# The error is on a line of its own, with others that could be taken for it around.
BODIES: Final = {
    "overflow": "total = 2147483647;\ntotal = total\n    + x;\ntotal = 7 / (x + 1);",
    "macro": "total = 2147483647;\nif (x)\n    total = TWICE(total);",
    "shift": "total = 0;\ntotal = 1 << (x + 31);",
    "division": "total = 0;\ntotal = 7 / (x - 1);",
    "remainder": "total = 0;\ntotal = 7LL % (x - 1LL);",
    "least": "total = -2147483647 - 1;\ntotal /= x ? -1 : 1;",
    "cast": "total = 0;\ntotal = (int)(3e9f * (float)x);",
    "index": "int a[2] = {0, 0};\ntotal = a[x + 1];",
    "pointer": "int a[2] = {0, 0}, *p = a + 1;\np += x;\ntotal = *p;",
    "copy": "char long_text[16] = {0};\nmemcpy(text, long_text, x ? 9 : 8);",
    "null": "int *p = x ? 0 : &total;\n*p = 1;",
    "null call": "void (*call)(void) = x ? 0 : abort;\nif (x)\n    call();",
    "null string": "const char *s = x ? 0 : text;\ntotal = (int)strlen(s);",
    "assertion": "total = x;\nassert(x == 0);",
    "abort": "total = x;\nif (x)\n    abort();",
    "trap": "total = x;\nif (x)\n    __builtin_trap();",
    "dangling": "int *p = malloc(4);\n*p = 1;\nfree(p);\nif (x)\n    total = *p;",
    "free": "int *p = malloc(4);\nfree(p);\nif (x)\n    free(p);",
    "readonly": 'char *s = x ? "abc" : text;\n*s = 1;',
    "overlap": "char *s = x ? text + 1 : text + 4;\nmemcpy(text, s, 4);",
    "alignment": "static int a[2];\nchar *s = (char *)a + x;\ntotal = *(int *)s;",
    "bool": "_Bool b = 0;\nif (x)\n    memset(&b, 2, 1);\ntotal = b;",
    "unreachable": "total = x;\nif (x)\n    __builtin_unreachable();",
}


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", BODIES)
def test_errors_happen_in_the_compiled_code(tmp_path: Path, name: str, compiler: str) -> None:
    found = written(tmp_path, f"{HEAD}{BODIES[name]}\n}}\n", bounds=(("step.x", "0..1"),))
    outcome = found.drive(failing_run(found), tmp_path / "driver", compiler=compiler)
    assert outcome.confirmed, outcome.reason


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
@pytest.mark.parametrize(
    ("name", "other", "confirmed", "words"),
    [
        (
            "division",
            "total = 0;\nif (x) abort();",
            False,
            "is aborted at code.c:10, where the run has error(division)",
        ),
        ("division", "total = 0;\nassert(!x);", False, "fails an assertion at code.c:10"),
        ("division", "\ntotal = 2147483647;\ntotal += x;", False, "overflows at code.c:11, where the run has"),
        ("division", "\ntotal = 0;\ntotal = 7 / (x - 1);", None, "at code.c:10:9: that may be another error"),
        ("division", "total = x;", None, "returns, where the run has error(division) at code.c:10:9: the checks"),
        ("assertion", "total = x;\nif (x)\n    abort();", None, "these cannot be told apart"),
        ("assertion", "total = x;", False, "the code returns, where the run has error(assertion)"),
        ("unreachable", "total = x;\nif (x)\n    abort();", None, "these cannot be told apart"),
        ("abort", "\ntotal = x;\nif (x)\n    abort();", None, "code.c:12, where the run has error(abort) at code.c:11"),
        ("abort", "total = x;\nif (x)\n    assert(0);", False, "fails an assertion at code.c:11"),
        ("null", "total = x;\nif (x)\n    *(volatile int *)-64 = 1;", None, "these cannot be told apart"),
        ("pointer", "\n\n\nint *p = x ? 0 : &total;\n*p = 1;", None, "that may come of it"),
        ("dangling", BODIES["pointer"], None, "these cannot be told apart"),
        ("index", BODIES["dangling"], None, "these cannot be told apart"),
    ],
)
def test_other_failures_do_not_confirm_an_error(
    here: Path, name: str, other: str, confirmed: bool | None, words: str
) -> None:
    found = written(Path(), f"{HEAD}{BODIES[name]}\n}}\n", bounds=(("step.x", "0..1"),))
    script = failing_run(found)
    Path("code.c").write_text(f"{HEAD}{other}\n}}\n", encoding="utf-8")
    outcome = found.drive(script, here / "driver")
    assert outcome.confirmed is confirmed, outcome.reason
    assert words in outcome.reason


EXPECTED: Final = Fails("overflow", Span(Place("code.c", 4, 3), Place("code.c", 5, 9), Place("code.h", 2, 1)))


def answer(issue: str, file: str = "code.c", line: int = 4, is_expected: int = 1) -> str:
    return f"failed 3 {is_expected}\nerror(overflow)\n{issue}\n{file}\n{line}"


@pytest.mark.parametrize(
    ("said", "confirmed"),
    [
        (answer("signed-integer-overflow"), True),
        (answer("float-cast-overflow", line=5), True),
        (answer("signed-integer-overflow", "code.h", 2), True),
        (answer("signed-integer-overflow", "code.h", 4), None),
        (answer("signed-integer-overflow", line=3), None),
        (answer("signed-integer-overflow", line=6), None),
        (answer("signed-integer-overflow", "", 0), None),
        (answer("arithmetic-signal"), None),
        (answer("integer-divide-by-zero"), None),
        (answer("integer-divide-by-zero", line=6), False),
        (answer("assertion"), False),
        (answer("something new"), None),
        (answer("signed-integer-overflow", is_expected=0), False),
    ],
)
def test_kind_and_place_are_held_against_the_run(said: str, confirmed: bool | None) -> None:
    outcome = outcome_of(said, EXPECTED, Path("driver"), ["code.c"])
    assert outcome is not None
    assert outcome.confirmed is confirmed
    assert outcome.reason.startswith("it fails as the run does" if confirmed else "the code ")


WORDS = st.sampled_from(
    ["failed", "refuted", "missed", "confirmed", "1", "0", "error(overflow)", "abort", "code.c", "0x1"]
)


@given(st.text() | st.lists(st.tuples(WORDS, st.sampled_from([" ", "\n", ""]))).map(lambda w: "".join(map("".join, w))))
def test_whatever_is_answered_has_an_outcome_or_none(said: str) -> None:
    outcome = outcome_of(said, EXPECTED, Path("driver"), ["code.c"])
    assert outcome is None or outcome.confirmed is not True or said == "confirmed"


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
def test_without_the_lines_of_a_program_no_abort_is_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "_LOOKS_UP_LINES", "no-such-program")
    found = written(tmp_path, f"{HEAD}{BODIES['abort']}\n}}\n", bounds=(("step.x", "0..1"),))
    outcome = found.drive(failing_run(found), tmp_path / "driver")
    assert outcome.confirmed is None
    assert "at which line of the code is not known" in outcome.reason


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
def test_a_failure_is_noticed_where_the_run_has_none(tmp_path: Path) -> None:
    found = written(tmp_path, f"{HEAD}{BODIES['abort']}\n}}\n", bounds=(("step.x", "0..1"),))
    script = failing_run(found)
    last = replace(script.items[-1], what=Returns("step", None), text="return(step)")
    outcome = found.drive(replace(script, items=(*script.items[:-1], last)), tmp_path / "driver")
    assert outcome.confirmed is False
    assert "is aborted at" in outcome.reason
    assert "where the run has return(step)" in outcome.reason
