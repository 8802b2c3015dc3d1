"""Names and their parts."""

from __future__ import annotations

import pytest

from stateglass.program.names import (
    file_of,
    is_literal,
    is_made_up,
    is_own_object,
    is_static_local,
    spelled,
    told_apart,
    without_file,
)


@pytest.mark.parametrize(
    ("name", "source", "file"),
    [
        ("x", "x", ""),
        ("x@motor.c", "x", "motor.c"),
        ("f::x", "x", ""),
        ("f::x~2", "x", ""),
        ("f@motor.c::x", "x", "motor.c::x"),
    ],
)
def test_what_stands_in_the_source(name: str, source: str, file: str) -> None:
    assert spelled(name) == source
    assert file_of(name) == file
    assert without_file(name) + (f"@{file}" if file else "") == name


def test_what_nobody_wrote() -> None:
    assert is_made_up("%3")
    assert is_literal("string#1")
    assert is_own_object("*p")
    assert is_static_local("f::x")
    assert not any(asked("x") for asked in (is_made_up, is_literal, is_own_object, is_static_local))


def test_names_of_several_files_are_told_apart() -> None:
    files = {"x": "src/a.c", "x@b.c": "src/b.c", "f::n": "src/a.c", "f@b.c::n": "src/b.c", "y": "src/a.c"}
    assert told_apart(files) == {"x": "x@a.c", "f::n": "f@a.c::n"}
    # Files may be called alike, too.
    assert told_apart({"x": "one/a.c", "x@a.c": "two/a.c"}) == {"x": "x@a.c'"}
