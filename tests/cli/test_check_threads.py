"""`stateglass check` on functions that run at the same time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

CODE = """
extern void meet(void), part(void);
extern int input(void);
void one(void) { for (;;) { meet(); part(); } }
void two(void) { meet(); if (input() < 1000000) part(); meet(); }
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "threads.c").write_text(CODE)
    return tmp_path


def asked(*more: str) -> tuple[str, ...]:
    return ("check", "threads.c", "--thread", "one", "--thread", "two", "--event", "meet", "--event", "part", *more)


def test_a_deadlock_is_told_with_what_everybody_waits_for(here: Path) -> None:
    ran = stateglass(*asked("--claim", "no-deadlock", "--format", "json"))
    assert ran.status is Exit.FINDINGS
    (verdict,) = json.loads(ran.out)["verdicts"]
    assert verdict["verdict"] == "violated"
    assert verdict["engine"] == "predicate"
    assert verdict["evidence"]["confirmed_by"] == ["reference"]
    assert verdict["explanation"].startswith("A deadlock can be reached: `one` waits for")


def test_what_means_nothing_for_threads_is_refused(here: Path) -> None:
    ran = stateglass(*asked("--next"))
    assert ran.status is Exit.BAD_INPUT
    assert "threads run, and another run (--next) cannot be asked for beside them" in ran.err
    ran = stateglass(*asked("--function", "one"))
    assert "threads run, and functions that the environment calls cannot be asked for beside them" in ran.err
    ran = stateglass(*asked("--engine", "spacer"))
    assert "the engine `spacer` does not know threads" in ran.err


def test_a_project_file_says_who_runs(here: Path) -> None:
    text = """
schema = 1
[source]
files = ["threads.c"]
[system.both]
threads = ["one", "two"]
events = ["meet", "part"]
[system.both.bounds]
"input()" = "2..3"
"""
    (here / "stateglass.toml").write_text(text)
    ran = stateglass("check", "--claim", "no-deadlock", "--claim", "F part")
    assert ran.status is Exit.FINDINGS
    assert "F part: holds" in ran.out
    ran = stateglass("extract")
    assert ran.status is Exit.BAD_INPUT
    assert "functions that run at the same time have no model of their own" in ran.err


@pytest.mark.parametrize("engine", ["explicit", "predicate"])
@pytest.mark.parametrize(
    ("declared", "other"),
    [
        ("void", "int none = 0; if (none) meet();"),
        ("int", "int none = 0; if (none) meet(3);"),
    ],
)
def test_a_thread_knows_events_that_it_never_comes_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, declared: str, other: str
) -> None:
    monkeypatch.chdir(tmp_path)
    given = "3" if declared == "int" else ""
    code = f"extern void meet({declared});\nvoid one(void) {{ meet({given}); }}\nvoid two(void) {{ {other} }}\n"
    (tmp_path / "dead.c").write_text(code)
    ran = stateglass(
        "check", "dead.c", "--thread", "one", "--thread", "two", "--event", "meet", "--claim", "no-deadlock",
        "--engine", engine, "--format", "json",
    )  # fmt: skip
    (verdict,) = json.loads(ran.out)["verdicts"]
    assert verdict["verdict"] == "violated", ran.err


def test_mistakes_about_threads_are_shown_where_they_stand(here: Path) -> None:
    (here / "stateglass.toml").write_text(
        """schema = 1
source.files = ["threads.c"]
[system.both]
threads = ["one", "tow(3)"]
events = ["meet", "prt(*)"]
shared = { cuont = "process" }
""",
        encoding="utf-8",
    )
    ran = stateglass("check", "--claim", "no-deadlock")
    assert ran.status is Exit.BAD_INPUT
    for said in (
        "stateglass.toml:4:20: error[unknown-name]: there is no function `tow`",
        "stateglass.toml:5:20: error[unknown-name]: there is no function `prt`",
        "stateglass.toml:6:12: error[unknown-name]: there is no variable `cuont`",
    ):
        assert said in ran.err
    text = 'schema = 1\nsource.files = ["threads.c"]\n[system.both]\nthreads = ["one", "two"]\n'
    more = 'events = ["meet", "part"]\npredicates = ["n == 1", "1 =="]\n'
    (here / "stateglass.toml").write_text(text + more, encoding="utf-8")
    ran = stateglass("check", "--claim", "no-deadlock", "--engine", "predicate")
    assert "stateglass.toml:6:16: error[unknown-name]: there is no variable `n` in what is checked" in ran.err
    assert "stateglass.toml:6:30: error[claim]: the predicate ends" in ran.err


def test_a_thread_is_no_function_and_claims_follow_no_pointers(here: Path) -> None:
    code = "extern void meet(void);\nstruct s { int n; } obj, *at = &obj;\n"
    (here / "threads.c").write_text(f"{code}void one(void) {{ int i = 0; meet(); at->n = i; }}\n", encoding="utf-8")
    line = ("check", "threads.c", "--thread", "left = one", "--event", "meet")
    ran = stateglass(*line, "--claim", "G [left::i < 2]")
    assert "`left::i` is no variable: `left` is a thread, and not a function" in ran.err
    assert "write `one::i`, or `left.one::i` for this thread alone" in ran.err
    assert "name the variable that `at` leads to, as in `" in stateglass(*line, "--claim", "G [at->n < 2]").err


def test_in_a_diagram_threads_have_lanes(here: Path) -> None:
    ran = stateglass(*asked("--claim", "G !call(two.input)", "-o", "run.mmd"))
    assert ran.status is Exit.FINDINGS
    told = (here / "run.mmd").read_text(encoding="utf-8").splitlines()
    lanes = [line.partition(" as ")[2] for line in told if "participant" in line]
    assert lanes == ["environment", "one", "two"]
    assert any("L1" in line and "L2" in line and line.endswith(": meet") for line in told)
    assert "  L2->>L0: call(two.input)" in told
