"""A rule about a line: once for each time that control comes to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.explore.extracting import Words, explored

FREE = "fun main () { var i : free; var x : free; }"


def times(folder: Path, code: str, line: int, map: str = FREE, steps: str = "merged") -> int:
    """How often a line of a program that has no inputs is shown; line 1 declares `put` and `one`."""
    head = "void put(int value); int one(void) { return 1; }\n"
    rules = (f'line "code.c":{line} => here',)
    found = explored(folder, head + code, map, rules, steps=steps).model
    assert not found.partial
    words = Words(found)
    return next(n for n in range(100) if not words.has(("here",) * (n + 1)))


@pytest.mark.parametrize("steps", ["merged", "all"])
@pytest.mark.parametrize(
    ("code", "line", "expected"),
    [
        # several steps, blocks and calls on one line are one
        ("int main(void) { int i, x;\ni = one(); x = i + one(); put(x);\nreturn 0; }", 3, 1),
        ("int main(void) { int i, x; i = 1;\nx = i ? one() : 2; put(x);\nreturn 0; }", 3, 1),
        ("int main(void) { int i, x = 0; i = 1;\nif (i == 1 && one() || i == 2) x = 1; else x = 2;\nput(x); }", 3, 1),
        ("int main(void) { int i, x;\nfor (i = 0; i < 3; i++) put(i);\nx = 1; put(x); }", 3, 1),
        # coming back to a line is another time
        ("int main(void) { int i, x = 0;\nfor (i = 0; i < 3; i++)\nput(i);\nreturn x; }", 3, 4),
        ("int main(void) { int i, x = 0;\nfor (i = 0; i < 3; i++)\nput(i);\nreturn x; }", 4, 3),
        ("int main(void) { int i = 0, x = 0;\nwhile (i < 3) {\ni++;\n}\nreturn x; }", 3, 4),
        ("int main(void) { int i = 0, x = 0;\ndo i++; while (i < 3);\nreturn x; }", 3, 3),
        ("int main(void) { int i = 0, x = 0;\nagain:\ni++;\nif (i < 3) {\nput(i);\ngoto again; }\nreturn x; }", 7, 2),
        # what another function does is no other line of this one
        ("int main(void) { int i = 0, x;\nx = one() + one();\nreturn i; }", 3, 1),
        ("int main(void) { int i = 0, x = 0;\nput(one());\nput(one());\nreturn x; }", 1, 2),
        # the ends of variables are on no line
        (
            "int main(void) { int i = 0, x = 0;\n{ int z = 1, *p = &z; put(*p); } { int z = 2; put(z); }\nput(x); }",
            3,
            1,
        ),
    ],
)
def test_how_often(tmp_path: Path, code: str, line: int, expected: int, steps: str) -> None:
    assert times(tmp_path, code, line, steps=steps) == expected


def test_recursion_on_one_line_is_many_times(tmp_path: Path) -> None:
    code = "int sum(int n) {\nif (n == 0) return 0; return n + sum(n - 1);\n}\nint main(void) { put(sum(3)); }"
    assert times(tmp_path, code, 3, "fun sum () { var n : free; }") == 4
