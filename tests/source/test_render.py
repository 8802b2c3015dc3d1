"""Diagnostics as text: what a terminal would obey is spelt out, and the line that is shown is the one that is meant."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.source import (
    Code,
    Diagnostic,
    Span,
    close_match,
    counted,
    printable,
    render_diagnostic,
    render_diagnostics,
)
from stateglass.source.render import source_lines
from tests.cli.running import stateglass


def shown(path: Path, content: bytes, line: int, column: int = 0) -> list[str]:
    path.write_bytes(content)
    return render_diagnostic(Diagnostic(Code.SYNTAX, "wrong", Span.at(str(path), line, column))).split("\n")[1:]


@given(st.text(max_size=20), st.text(max_size=20))
def test_nothing_that_a_terminal_obeys_is_printed(message: str, help: str) -> None:
    text = render_diagnostic(Diagnostic(Code.SYNTAX, message, Span.at(message), help=help))
    assert all(line.isprintable() for line in text.split("\n"))
    assert text.count("\n") == message.count("\n") + (help.count("\n") + 1 if help else 0)


@given(st.text(max_size=200), st.text(max_size=200), st.integers(20, 90))
def test_sentences_are_broken_between_words_and_keep_them(message: str, help: str, width: int) -> None:
    diagnostic = Diagnostic(Code.SYNTAX, message, help=help)
    wide, narrow = render_diagnostic(diagnostic), render_diagnostic(diagnostic, width)
    assert narrow.split() == wide.split()
    # Further lines of a message, and those of help that are indented, show something as it is.
    for line in narrow.split("\n"):
        assert len(line) <= width or line in wide.split("\n") or len(line.split()) == 1 or line.startswith("  help: ")


def test_commands_and_pictures_of_text_are_not_broken() -> None:
    said = render_diagnostic(
        Diagnostic(Code.CLAIM, "no\n  a   b\n      ^", help="write so:\n    do  this  and that"), 20
    )
    assert said.split("\n") == [
        "error[claim]: no",
        "  a   b",
        "      ^",
        "  help: write so:",
        "            do  this  and that",
    ]


def test_the_same_help_is_given_once() -> None:
    said = [Diagnostic(Code.FILE, m, help=h) for m, h in (("a", "x"), ("b", "x"), ("c", ""), ("d", "x"), ("e", "y"))]
    lines = render_diagnostics(said).split("\n")
    assert [line.split(": ")[1] for line in lines] == ["a", "b", "x", "c", "d", "x", "e", "y"]


def test_the_caret_stands_below_what_was_spelt_out(tmp_path: Path) -> None:
    assert shown(tmp_path / "f", b"a\x1b\tb?c\n", 1, 5) == ["    1 | a\\x1b    b?c", "      |           ^"]


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        (b"one\ntwo\rtoo\nthree\n", 3, ["    3 | three"]),
        (b"one\r\ntwo\r\n", 2, ["    2 | two"]),
        (b"\xef\xbb\xbfone\n", 1, ["    1 | one"]),
        ("one\ntwo".encode("utf-16"), 2, ["    2 | two"]),
        (gzip.compress(b"one\ntwo\nthree\n" * 50, mtime=0), 2, []),
        (b"one\n\n", 2, []),
        (b"one\n", 9, []),
    ],
)
def test_the_line_that_is_meant(tmp_path: Path, content: bytes, line: int, expected: list[str]) -> None:
    assert shown(tmp_path / "f", content, line) == expected


def test_a_byte_that_is_no_text_is_pointed_at(tmp_path: Path) -> None:
    path = tmp_path / "m.dot"
    path.write_bytes('digraph { a -> b [label="ä'.encode() + b'\xff"]; }')
    lines = stateglass("info", str(path)).err.split("\n")
    assert lines[1][lines[2].index("^")] == "\ufffd"


def test_words() -> None:
    assert (counted(1, "state"), counted(0, "state"), counted(2000, "state")) == ("1 state", "0 states", "2,000 states")
    assert printable("a\x1b[1m\nü\u2028") == "a\\x1b[1m\\nü\\u2028"


def test_lines_are_those_of_the_file_that_is_there_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "code.c").write_text(name)
        monkeypatch.chdir(folder)
        assert source_lines("code.c") == (name,)
    (tmp_path / "b" / "code.c").write_text("changed")
    assert source_lines("code.c") == ("changed",)


def test_a_name_is_known_by_its_last_part() -> None:
    known = ["step::level", "pump.level", "levee", "pump->rate", "trilevel"]
    assert close_match("level", known) == "did you mean `pump.level` or `step::level`?"
    assert close_match("rate", known) == "did you mean `pump->rate`?"
    assert close_match("LEVEE", known) == "did you mean `levee`?"
    assert close_match("xyz", known) == ""
