"""`stateglass monitor`: statuses, words, JSON, and logs that come through a pipe."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

DOOR = 'des (0, 4, 4)\n(0, "open", 1)\n(1, "tau", 2)\n(2, "close", 0)\n(0, "lock", 3)\n'


@pytest.fixture
def door(tmp_path: Path) -> str:
    path = tmp_path / "door.aut"
    path.write_text(DOOR)
    return str(path)


def log(tmp_path: Path, text: str) -> str:
    path = tmp_path / "run.log"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("text", "options", "status", "accepted", "line"),
    [
        ("open\nclose\nlock\n", [], Exit.OK, True, None),
        ("open\nclose\nlock\n", ["--complete"], Exit.OK, True, None),
        ("open\nclose\n", ["--complete"], Exit.FINDINGS, False, 2),
        ("open\n\nopen\n", [], Exit.FINDINGS, False, 3),
        ("opne\n", [], Exit.FINDINGS, False, 1),
        ("opne\nlock\n", ["--ignore-unknown"], Exit.OK, True, None),
        ("# nothing\n", [], Exit.NOTHING_TO_CHECK, None, None),
        ("lock\n", ["--map", "lock="], Exit.NOTHING_TO_CHECK, None, None),
        ("t=1 door OPEN\nt=2 door SHUT\n", ["--event", r"door (\w+)", "--map", "OPEN=open", "--map", "S*=close"],
         Exit.OK, True, None),
    ],
)  # fmt: skip
def test_answers(
    tmp_path: Path, door: str, text: str, options: list[str], status: Exit, accepted: bool | None, line: int | None
) -> None:
    ran = stateglass("monitor", door, log(tmp_path, text), *options, "--format", "json")
    report = json.loads(ran.out)
    assert (ran.status, report["accepted"], report["line"]) == (status, accepted, line)
    assert stateglass("monitor", door, log(tmp_path, text), *options).status is status


def test_a_partial_model_is_inconclusive_where_it_matters(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text("static int n; int f(void) { return n = (n + 1) % 9; }\n")
    cut = str(tmp_path / "cut.sg")
    assert stateglass("extract", str(source), "--max-states", "5", "-o", cut).status is Exit.INCONCLUSIVE
    run = "".join(f"call(f)\nreturn(f, {n})\n" for n in range(1, 6))
    ran = stateglass("monitor", cut, log(tmp_path, run))
    assert ran.status is Exit.INCONCLUSIVE
    assert ran.out.startswith("inconclusive: the model is partial (stopped at 5 states")
    assert stateglass("monitor", cut, log(tmp_path, run[:21])).status is Exit.OK
    left = stateglass("monitor", cut, log(tmp_path, "call(f)\nreturn(f, 7)\n"))
    assert left.status is Exit.FINDINGS
    assert "may be able" not in left.err


def test_what_is_said_where_it_leaves(tmp_path: Path, door: str) -> None:
    ran = stateglass("monitor", door, log(tmp_path, "open\nopen\n"), environ={"COLUMNS": "500"})
    assert ran.out.splitlines() == [
        f"{tmp_path / 'run.log'} leaves the model at line 2",
        "  1 | open",
        "> 2 | open",
        "possible instead: `close`",
        "the model may be in 2 states:",
        "  state 1",
        "  state 2",
    ]
    unknown = stateglass("monitor", door, log(tmp_path, "opne\n"))
    assert "help: did you mean `open`?" in unknown.out
    assert "--ignore-unknown" in unknown.err


def test_lines_fit_the_terminal(tmp_path: Path) -> None:
    model = tmp_path / "wide.aut"
    rows = "".join(f'(0, "call(a_function_with_a_long_name, {n}, {n}, {n})", 0)\n' for n in range(30))
    model.write_text(f"des (0, 30, 1)\n{rows}")
    ran = stateglass("monitor", str(model), log(tmp_path, "x" * 500 + "\x1b[31m\n"), environ={"COLUMNS": "80"})
    body = ran.out.split("\n", 1)[1]
    assert all(len(line) <= 80 for line in body.splitlines())
    assert "\x1b" not in ran.out
    assert "22 more" in ran.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--event", "("], "no regular expression"),
        (["--map", "open"], "maps no event"),
        (["--map", "a=opne"], "did you mean `open`?"),
        (["--pid", "3"], "--pid is for logs of strace"),
        (["--log-format", "strace", "--event", "a"], "--event is for plain logs"),
        (["--log-format", "strace", "--match", "text"], "no text of actions"),
        (["--log-format", "strace"], "line 1 is no output of strace"),
    ],
)
def test_bad_options(tmp_path: Path, door: str, options: list[str], message: str) -> None:
    ran = stateglass("monitor", door, log(tmp_path, "open\n"), *options)
    assert ran.status is Exit.BAD_INPUT
    assert message in ran.err


def test_logs_that_cannot_be_read(tmp_path: Path, door: str) -> None:
    assert "there is no such file" in stateglass("monitor", door, str(tmp_path / "none.log")).err
    assert stateglass("monitor", door, str(tmp_path)).status is Exit.BAD_INPUT
    assert "only one" in stateglass("monitor", "-", "-").err


def test_strace_of_several_processes(tmp_path: Path, door: str) -> None:
    text = "7 open(1) = 3\n8 brk(0) = 0\n7 close(3) = 0\n7 exit_group(0) = ?\n7 +++ exited with 0 +++\n"
    path = log(tmp_path, text)
    assert stateglass("monitor", door, path, "--log-format", "strace", "--pid", "7").status is Exit.OK
    ran = stateglass("monitor", door, path, "--log-format", "strace", "--ignore-unknown")
    assert ran.status is Exit.OK
    assert "1 event that the model does not know left out: brk (1)" in ran.err
    assert "--pid N looks at one: 7, 8" in ran.err
    assert "--log-format strace" in stateglass("monitor", door, path).err


def test_actions_that_are_not_recorded(tmp_path: Path, door: str) -> None:
    path = log(tmp_path, "open\nopen\nlock\n")
    assert stateglass("monitor", door, path, "--hide", "cl*").status is Exit.OK
    ran = stateglass("monitor", door, path, "--hide", "clsoe")
    assert ran.status is Exit.BAD_INPUT
    assert "did you mean `close`?" in ran.err


def test_strace_does_not_show_where_main_begins(tmp_path: Path) -> None:
    model = tmp_path / "main.aut"
    model.write_text('des (0, 4, 5)\n(0, "call(main)", 1)\n(1, "call(read, 0)", 2)\n(2, "return(read, 1)", 3)\n'
                     '(3, "exit(2)", 4)\n')  # fmt: skip
    calls = 'read(0, "a", 1) = 1\nexit_group(2) = ?\n+++ exited with {} +++\n'
    options = ("--log-format", "strace", "--match", "arguments", "--complete")
    assert stateglass("monitor", str(model), log(tmp_path, calls.format(2)), *options).status is Exit.OK
    assert stateglass("monitor", str(model), log(tmp_path, calls.format(3)), *options).status is Exit.FINDINGS
    assert stateglass("monitor", str(model), log(tmp_path, calls.format(3)), *options[:2]).status is Exit.OK


def test_standard_input(monkeypatch: pytest.MonkeyPatch, door: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"open\nlock\n")))
    ran = stateglass("monitor", door, "-")
    assert ran.status is Exit.FINDINGS
    assert ran.out.startswith("standard input leaves the model at line 2\n")


def test_a_pipe_is_followed_as_it_comes(door: str) -> None:
    words = [sys.executable, "-m", "stateglass", "monitor", door, "-"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"open\nopen\n")
        process.stdin.flush()  # and it is not closed
        assert b"leaves the model at line 2" in process.stdout.readline()
        assert process.wait() == Exit.FINDINGS


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interruption_tells_how_far_it_came(door: str) -> None:
    words = [sys.executable, "-m", "stateglass", "monitor", door, "-"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        # More than a pipe holds: when all of it is written, the log is being read.
        process.stdin.write(b"open\nclose\n" * 50_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
        assert process.returncode == Exit.INTERRUPTED
        assert b"is a run of the model" in out
