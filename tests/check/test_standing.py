"""Events that stand in the code, whether a run ever comes to them or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.check.standing import standing_in
from stateglass.system import build_system
from tests.fuzz.agreement import read

CODE = """
void put(int n);
unsigned char at;
void odd(void) { do at += 2; while (at != 7); }
int number(int n) { if (n == 99) put(n); return n; }
"""


@pytest.mark.parametrize(
    ("event", "stands"),
    [
        ("return(odd)", True),
        ("return(odd, 1)", False),
        ("return(number, *)", True),
        ("return(number, 7)", True),
        ("return(number)", False),
        ("call(put, 5)", True),
        ("call(put)", False),
        ("return(put)", True),
        ("return(none)", False),
    ],
)
def test_calls_to_the_outside_and_returns_from_the_inside(tmp_path: Path, event: str, stands: bool) -> None:
    system = build_system(read({"code.c": CODE}, tmp_path), ("odd", "number"), open=True)
    assert standing_in(system)(event) is stands
