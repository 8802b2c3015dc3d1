"""Small text files: whatever bytes there are, a text or a diagnostic that points at the byte."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.source import STDIN, Code, InputError, as_written, decoded, small_text, small_text_of_stdin

LIMIT = 1 << 20


def refusal(file: Path, help: str = "") -> tuple[Code, str, str]:
    with pytest.raises(InputError) as error:
        small_text(str(file), "a map", Code.MAP, LIMIT, help=help)
    found = error.value.diagnostics[0]
    assert found.span.file == str(file)
    return found.code, found.message, found.help


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb", b"a\nb\n"),
        (b"a", b"a\n"),
        (b"a\r\nb\r\nc\n", b"a\r\nb\r\nc\r\n\r\n"),
        (b"\xef\xbb\xbfa\r\n", b"\xef\xbb\xbfa\r\n\r\n"),
    ],
)
def test_a_text_is_written_with_the_line_ends_of_its_file(before: bytes, after: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(before)
    text = small_text(str(file), "a map", Code.MAP, LIMIT)
    assert as_written(text + "\n", str(file)).encode() == after


def test_texts_come_without_marks_and_with_plain_line_ends(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert small_text(str(tmp_path / "x"), "a map", Code.MAP, LIMIT) == "a\nb\rc\n"


def test_what_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    assert refusal(tmp_path / "x", "write it") == (Code.FILE, "there is no such file", "write it")
    assert refusal(tmp_path) == (Code.FILE, "this is a folder, not a map", "")
    assert refusal(Path("a\0b"))[1].startswith("the file cannot be read: ")
    (tmp_path / "x").write_bytes(b" " * LIMIT)
    assert len(small_text(str(tmp_path / "x"), "a map", Code.MAP, LIMIT)) == LIMIT
    (tmp_path / "x").write_bytes(b" " * (LIMIT + 1))
    assert refusal(tmp_path / "x") == (Code.TOO_LARGE, "a map has at most 1 MiB", "")


def test_standard_input_has_the_same_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for data, expected in ((b"a\r\n", "a\n"), (b"\n\xff", None), (b" " * (LIMIT + 1), None)):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        if expected is not None:
            assert small_text_of_stdin("a map", Code.MAP, LIMIT) == expected
            continue
        with pytest.raises(InputError) as error:
            small_text_of_stdin("a map", Code.MAP, LIMIT)
        assert error.value.diagnostics[0].span.file == STDIN


TEXT_FIRST = st.tuples(st.text(max_size=10), st.binary(max_size=4)).map(
    lambda p: p[0].encode("utf-8", "replace") + p[1]
)


@given(st.binary(max_size=40) | TEXT_FIRST)
def test_any_bytes_are_a_text_or_have_a_place(data: bytes) -> None:
    try:
        text = decoded(data, "x", Code.MAP)
    except InputError as error:
        at = error.diagnostics[0].span.start
        line = data.split(b"\n")[at.line - 1].decode("utf-8-sig", "surrogateescape")
        assert not any(map(_is_no_text, line[: at.column - 1]))
        assert _is_no_text(line[at.column - 1])
    else:
        assert text.encode() == data.removeprefix(b"\xef\xbb\xbf")


def _is_no_text(character: str) -> bool:
    """Whether this stands for a byte that is not UTF-8."""
    return "\udc80" <= character <= "\udcff"
