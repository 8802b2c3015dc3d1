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
