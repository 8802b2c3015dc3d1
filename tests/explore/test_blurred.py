"""Memory on abstract values that was written in part, perhaps, or with the bytes of something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.model import Model
from tests.explore.extracting import Words, explored

UNKNOWN = "int any(void);"


def errors(folder: Path, code: str) -> set[str]:
    """The errors that the model of a program knows."""
    model = explored(folder, code, "", (), ub="error").model
    return {label for label in model.labels if label.startswith("error(")}


def model_of(folder: Path, body: str, *rules: str) -> Model:
    code = f"#include <string.h>\n{UNKNOWN}\nint main(void) {{ {body} return 0; }}"
    return explored(folder, code, "", rules).model


def test_what_is_written_in_part_has_no_value_yet(tmp_path: Path) -> None:
    body = "unsigned x; unsigned char *p = (unsigned char *)&x; p[0] = 0; p[1] = 0; p[2] = 0; p[3] = 0;"
    words = Words(model_of(tmp_path, body, "watch (main:x >= 0) => set", "exit == 0 => end"))
    assert words.has(("set", "end"))
    assert not words.has(("end",))


def test_what_is_perhaps_written_has_perhaps_a_value(tmp_path: Path) -> None:
    body = "int a[2]; int i = any() != 0; a[i] = 4;"
    words = Words(model_of(tmp_path, body, "watch (main:a[0] == 4) => four", "exit == 0 => end"))
    assert words.has(("end",))
    assert words.has(("four", "end"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int a[2]; a[any() != 0] = 4; return a[0];", {"uninitialised"}),
        ("int a[2]; a[0] = 1; a[1] = 1; a[any() != 0] = 4; return a[0];", set()),
        ("int a[2]; a[any() != 0] = 4; a[0] = 1; return a[0];", set()),
        ("short x; char *p = (char *)&x; p[1] = 1; return x;", {"uninitialised"}),
        ("short x; char *p = (char *)&x; p[1] = 1; p[0] = 1; return x;", set()),
        ("_Bool b; *(char *)&b = 3; return b;", {"bool"}),
        ("_Bool b; *(char *)&b = any() == 1; return b;", {"bool"}),
        ("_Bool b; *(char *)&b = 1; return b;", set()),
        ("int x, y; memcpy(&x, &y, sizeof x); return x;", {"uninitialised"}),
        ("int x = 1, y; memcpy(&x, &y, any() == 1); return x;", {"uninitialised"}),
    ],
)
def test_errors_that_are_possible(tmp_path: Path, body: str, expected: set[str]) -> None:
    code = f"#include <string.h>\n{UNKNOWN}\nint main(void) {{ {body} }}"
    relevant = {"error(uninitialised)", "error(bool)"}
    assert errors(tmp_path, code) & relevant == {f"error({kind})" for kind in expected}


def test_what_was_read_has_been_written(tmp_path: Path) -> None:
    code = UNKNOWN + "int main(void) { int a[2]; a[any() != 0] = any(); if (a[0] == 4) return a[0] == 4; return 0; }"
    model = explored(tmp_path, code, "fun main () { var a : part(4, 5) array; }", (), ub="error").model
    assert model.label_counts()["error(uninitialised)"] == 1
