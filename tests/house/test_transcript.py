"""The harness of the documents' examples itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.calls import Call, call_in
from tests.transcript import Step, install_program, matches, parse, rewritten, run


def test_a_block_is_read_into_commands_output_and_status() -> None:
    steps = parse("$ one\nfirst\n\nlast\n$ two \\\n  more\n# exit 2\n$ three\n")
    assert steps == [
        Step(("one",), ("first", "", "last")),
        Step(("two \\", "  more"), (), 2),
        Step(("three",), ()),
    ]
    assert "".join(step.text() for step in steps) == "$ one\nfirst\n\nlast\n$ two \\\n  more\n# exit 2\n$ three\n"


def test_a_block_must_begin_with_a_command() -> None:
    with pytest.raises(ValueError, match="must begin"):
        parse("output\n")


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        (["a"], ["a"], True),
        (["a"], ["b"], False),
        (["a"], ["a", "b"], False),
        (["a", "..."], ["a", "b", "c"], True),
        (["...", "c"], ["a", "b", "c"], True),
        (["a", "...", "c"], ["a", "c"], True),
        (["a", "...", "c"], ["a", "b"], False),
        (["done in <time>"], ["done in 0.12 s"], True),
        (["done in <time>."], ["done in 3 ms."], True),
        (["done in <time>"], ["done in good time"], False),
    ],
)
def test_wildcards(expected: list[str], actual: list[str], same: bool) -> None:
    assert matches(Step(("x",), tuple(expected)), Step(("x",), tuple(actual))) is same


def test_the_status_must_agree() -> None:
    assert not matches(Step(("x",), ()), Step(("x",), (), 2))


def test_rewriting_keeps_what_matches_and_takes_durations_out() -> None:
    wild = Step(("x",), ("...",))
    assert rewritten(wild, Step(("x",), ("new",))) == wild
    old = Step(("x",), ("old",))
    assert rewritten(old, Step(("x",), ("5 states in 0.25 s, limit 60 s",))).output == (
        "5 states in <time>, limit 60 s",
    )


def test_commands_run_in_the_folder_with_both_streams(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    install_program(folder)
    ran = run(Step(("echo out; echo err >&2; pwd; exit 3",), ()), folder)
    assert ran.output == ("out", "err", str(folder))
    assert ran.status == 3
    assert run(Step(("stateglass --version",), ()), folder).output[0].startswith("stateglass ")


@pytest.mark.parametrize(
    "command",
    [
        "stateglass --version",
        "stateglass info missing.sg",
        "stateglass info 'missing | 2> x.sg' \\\n    missing.sg 2> said.txt",
        "stateglass info missing.sg 2>&1 | tail -n 2 | grep -c help",
        "stateglass info missing.sg > out.txt 2>&1",
        'cd inner && stateglass info "it\'s missing" 2>/dev/null',
        "stateglass --version | cat - nothing 2> said.txt",
    ],
)
def test_a_call_in_this_process_does_what_a_shell_does(command: str, tmp_path: Path) -> None:
    ran = []
    for start in (True, False):
        folder = tmp_path / str(start) / "work"
        (folder / "inner").mkdir(parents=True)
        install_program(folder)
        step = run(Step(tuple(command.split("\n")), ()), folder, start=start)
        ran.append((step, {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}))
    assert ran[0] == ran[1]
    assert isinstance(call_in(command), Call)


@pytest.mark.parametrize(
    "command",
    [
        "stateglass info *.sg",
        "stateglass info ~/x.sg",
        "stateglass info $HOME",
        'stateglass info "$HOME"',
        "stateglass info x.sg && true",
        "stateglass info x.sg || true",
        "stateglass info x.sg; true",
        "stateglass info - < x.sg",
        "stateglass info x.sg >> y",
        "stateglass info x.sg &",
        "stateglass info {a,b}.sg",
        "stateglass info x\\ y",
        "stateglass info x # y",
        "A=b stateglass info x.sg",
        "stateglassy info x.sg",
        "cat x.sg | stateglass info -",
    ],
)
def test_what_takes_a_shell_is_left_to_one(command: str) -> None:
    assert call_in(command) is None
