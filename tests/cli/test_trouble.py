"""Whatever goes wrong ends in words for the user and the right exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import NoReturn

import pytest

from scripts.rooms import PACKAGE
from stateglass.cli.exits import Exit
from stateglass.source import Code, Diagnostic, InputError, Span
from tests.cli.running import install_failing_info, stateglass


def raising(error: BaseException) -> Callable[[], NoReturn]:
    def fail() -> NoReturn:
        raise error

    return fail


TWO_ERRORS = InputError(
    [
        Diagnostic(Code.SYNTAX, "a bracket is missing", Span.at("door.c", 3, 7), help="add `)`"),
        Diagnostic(Code.BOUND, "no such bound"),
    ]
)


def test_bad_input_shows_every_diagnostic(monkeypatch: pytest.MonkeyPatch) -> None:
    install_failing_info(monkeypatch, raising(TWO_ERRORS))
    ran = stateglass("info", "x")
    assert ran.status is Exit.BAD_INPUT
    assert ran.out == ""
    assert ran.err == (
        "door.c:3:7: error[syntax]: a bracket is missing\n  help: add `)`\nerror[bound]: no such bound\n"
    )


def test_bad_input_for_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    install_failing_info(monkeypatch, raising(TWO_ERRORS))
    ran = stateglass("info", "x", "--format", "json")
    answer = json.loads(ran.out)
    assert (answer["schema_version"], answer["command"]) == (1, "info")
    assert answer["errors"][0] == {
        "code": "syntax",
        "severity": "error",
        "message": "a bracket is missing",
        "file": "door.c",
        "line": 3,
        "column": 7,
        "help": "add `)`",
    }
    assert answer["errors"][1]["file"] is None
    assert "door.c:3:7" in ran.err


def test_colour_only_adds_to_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    install_failing_info(monkeypatch, raising(TWO_ERRORS))
    ran = stateglass("info", "x", "--color=always")
    assert "\x1b[1;31merror\x1b[0m[syntax]" in ran.err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["inof"], "there is no command `inof`\n  help: did you mean `info`?"),
        (["info", "x", "--formt", "json"], "there is no option `--formt`\n  help: did you mean `--format`"),
        (["--vresion"], "there is no option `--vresion`\n  help: did you mean `--version`?"),
        (["info"], "missing argument 'MODEL'\n  help: `stateglass info --help` explains the command"),
        (["info", "x", "--format", "yaml"], "is no value of `--format`"),
        (["info", "x", "y"], "unexpected extra argument"),
    ],
)
def test_usage_errors_look_like_the_others(monkeypatch: pytest.MonkeyPatch, argv: list[str], said: str) -> None:
    install_failing_info(monkeypatch, raising(AssertionError()))
    ran = stateglass(*argv)
    assert ran.status is Exit.BAD_INPUT
    assert ran.err.startswith("error[usage]: ")
    assert said in ran.err


def test_no_command_at_all_shows_the_overview() -> None:
    ran = stateglass()
    assert ran.status is Exit.BAD_INPUT
    assert ran.out == ""
    assert "Commands:" in ran.err


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("division by zero"), MemoryError(), RecursionError("too deep"), AssertionError()]
)
def test_a_bug_is_admitted_with_the_command_line(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    install_failing_info(monkeypatch, raising(error))
    ran = stateglass("info", "my model.sg")
    assert ran.status is Exit.BUG
    assert ran.err.startswith(f"bug: Stateglass failed, and your input is not to blame: {type(error).__name__}")
    assert "stateglass info 'my model.sg'\n" in ran.err
    assert "Traceback" not in ran.err


def test_a_bug_names_the_users_line(monkeypatch: pytest.MonkeyPatch) -> None:
    error = KeyError("x")
    error.span = Span.at("door.c", 12, 3)  # type: ignore[attr-defined]
    error.add_note("in the function `open`")
    install_failing_info(monkeypatch, raising(error))
    ran = stateglass("info", "x", "--format=json")
    assert "door.c:12:3" in ran.err
    assert "in the function `open`" in ran.err
    assert json.loads(ran.out)["errors"][0]["code"] == "bug"
    assert json.loads(ran.out)["errors"][0]["line"] == 12


def test_a_traceback_only_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    install_failing_info(monkeypatch, raising(ValueError("why")))
    assert "Traceback" in stateglass("info", "x", environ={"STATEGLASS_DEBUG": "1"}).err


def test_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    install_failing_info(monkeypatch, raising(KeyboardInterrupt()))
    ran = stateglass("info", "x")
    assert (ran.status, ran.out, ran.err) == (Exit.INTERRUPTED, "", "interrupted\n")


def test_a_broken_pipe_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    install_failing_info(monkeypatch, raising(BrokenPipeError()))
    ran = stateglass("info", "x")
    assert (ran.status, ran.out, ran.err) == (Exit.BROKEN_PIPE, "", "")


def test_a_reader_that_goes_away_leaves_no_complaint() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environ = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-m", "stateglass", "--help"], env=environ, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (Exit.BROKEN_PIPE, b"")


def test_a_file_of_the_user_that_fails_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    install_failing_info(monkeypatch, raising(PermissionError(13, "Permission denied", "door.c")))
    ran = stateglass("info", "x")
    assert (ran.status, ran.err) == (Exit.BAD_INPUT, "door.c: error[file]: Permission denied\n")


def test_a_file_of_the_package_that_fails_is_our_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = str(PACKAGE / "library" / "lost.h")
    install_failing_info(monkeypatch, raising(FileNotFoundError(2, "No such file or directory", lost)))
    assert stateglass("info", "x").status is Exit.BUG


@pytest.mark.parametrize("given", [(), ("--by", "bisim")])
def test_a_list_of_choices_is_short_lines_of_what_can_be_chosen(given: tuple[str, ...]) -> None:
    ran = stateglass("compare", "a.aut", "b.aut", *given)
    assert ran.status is Exit.BAD_INPUT
    assert all(len(line) <= 80 and "\t" not in line for line in ran.err.split("\n"))
    assert "weaktraceinclusion, failures" in ran.err
    assert "peephole" not in ran.err


def test_a_choice_that_is_nearly_right_is_named() -> None:
    assert "did you mean `branching`" in stateglass("reduce", "a.aut", "--by", "brnching").err
