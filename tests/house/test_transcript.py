"""The harness of the documents' examples itself."""

from __future__ import annotations

from pathlib import Path

import pytest

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
