"""What constants are called in the code, and when that is a name for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.frontend import read_program
from stateglass.reflexion.constants import constants_for
from stateglass.reflexion.spelling import Spelling
from stateglass.source import Span
from stateglass.source.spans import Place


def names_in(code: str, folder: Path) -> dict[int, str]:
    """What the constants are called that `x` is compared with."""
    file = folder / "f.c"
    file.write_text(code, encoding="utf-8")
    program = read_program((str(file),)).program
    found = constants_for(program, program.functions["f"], ["x"])
    return {value: spelled.text for (_, value, is_mask), spelled in found.items() if not is_mask}


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("#define HIGH 7", "if (x > HIGH) x = 0;", {7: "HIGH"}),
        ("#define HIGH 7 // highest", "if (HIGH < x) x = 1;", {7: "HIGH"}),
        ("#define HIGH ((unsigned char)7u)", "if (x > HIGH) x = 0;", {7: "HIGH"}),
        ("#define HIGH 7\n#define LOW (HIGH - 4)", "if (x > LOW) x = 0;", {3: "LOW"}),
        ("#define HIGH 7", "if (x > HIGH - 1) x = 0;", {6: "HIGH - 1"}),
        ("#define HIGH 7", "if (x + 1 > HIGH) x = 0;", {6: "HIGH - 1"}),
        ("#define HIGH 7", "if (x - 2 == HIGH) x = 0;", {9: "HIGH + 2"}),
        ("enum { UP = 4 };", "if (x == UP) x = 0;", {4: "UP"}),
        ("static const int most = 12;", "if (x >= most) x = 0;", {12: "most"}),
        ("", "if (x == 'q') x = 0x1f;", {113: "'q'", 31: "0x1f"}),
        ("#define HIGH 7", "int y = x; if (y > HIGH) x = 0;", {7: "HIGH"}),
        ("#define HIGH 7\nstatic int above(int v) { return v > HIGH; }", "if (above(x)) x = 0;", {7: "HIGH"}),
    ],
)
def test_a_constant_has_the_name_that_the_code_has(
    head: str, body: str, expected: dict[int, str], tmp_path: Path
) -> None:
    found = names_in(f"{head}\nint x;\nvoid f(void) {{ {body} }}\n", tmp_path)
    assert {value: name for value, name in found.items() if value in expected} == expected


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("#define HIGH 7", "if (x > HIGH) x = 0; else if (x == 7) x = 1;"),  # two ways to say it
        ("#define HIGH 7\n#define TOP 7", "if (x > HIGH) x = 0; else if (x == TOP) x = 1;"),
        ("#define AT_END (x == 7)", "if (AT_END) x = 0;"),  # a name for more than the constant
        ("#define AT_END (x == 7)\n#define DONE AT_END", "if (DONE) x = 0;"),
        ("#define BITS 7 | 8", "if (x == BITS) x = 0;"),
        ("#ifdef NEVER\n#define HIGH 8\n#else\n#define HIGH 7\n#endif", "if (x > HIGH) x = 0;"),
        ("#define ABOVE(a) ((a) > 7)", "if (ABOVE(x)) x = 0;"),
        ("extern const int unknown;", "if (x > unknown) x = 0;"),
        ("int y;", "if (x > y) x = 0; if (y == 'q') y = 0;"),  # a name for a value of another variable
    ],
)
def test_a_name_that_is_not_the_constants_is_none(head: str, body: str, tmp_path: Path) -> None:
    assert names_in(f"{head}\nint x;\nvoid f(void) {{ {body} }}\n", tmp_path) == {}


def test_a_name_that_the_function_hides_is_none(tmp_path: Path) -> None:
    head = "static const int most = 12;\nint x;\nstatic int above(void) { return x > most; }\n"
    assert names_in(f"{head}void f(int most) {{ if (above()) x = most; }}\n", tmp_path) == {}
    assert names_in(f"{head}void f(void) {{ static int most; if (above()) x = most++; }}\n", tmp_path) == {}
    assert names_in(f"{head}void f(int other) {{ if (above()) x = other; }}\n", tmp_path) == {12: "most"}


def test_an_enumerator_of_another_function_is_none(tmp_path: Path) -> None:
    head = "int x;\nenum { NEAR = 4 };\nstatic int far(void) { enum { FAR = 9 }; return x == FAR || x == NEAR; }\n"
    assert names_in(f"{head}void f(void) {{ x = far(); }}\n", tmp_path) == {4: "NEAR"}


def test_a_macro_that_does_not_live_to_the_end_is_none(tmp_path: Path) -> None:
    assert names_in("#define HIGH 7\nint x;\nvoid f(void) { if (x > HIGH) x = 3; }\n#undef HIGH\n", tmp_path) == {}


@given(st.text("#define AB()+-*/<>='\"\\ 0123456789xu\n\t", max_size=200), st.integers(1, 5), st.integers(1, 30))
def test_any_text_is_read(tmp_path_factory: pytest.TempPathFactory, text: str, line: int, column: int) -> None:
    file = tmp_path_factory.getbasetemp() / "any.c"
    file.write_text(f"#define A 1\n{text}", encoding="utf-8")
    start, end = Place(str(file), line, column), Place(str(file), line, column + 9)
    found = Spelling(str(file), {"B"}).of(Span(start, end, Place(str(file), 1, 11)))
    assert found is None or found == found.strip()
