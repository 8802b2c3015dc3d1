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
