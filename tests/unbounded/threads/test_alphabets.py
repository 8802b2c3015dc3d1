"""Which events a thread knows: those that its calls can be, by the values that arguments can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.unbounded.threads.alphabets import Alphabet, alphabet_of
from stateglass.unbounded.threads.systems import thread_systems
from tests.unbounded.threads.asking import Case, setting_of

HEAD = "extern void c(int n), d(int one, int other); extern int input(void); extern int pick(void);\n"


@pytest.mark.parametrize(
    ("body", "labels", "names"),
    [
        ("for (int i = 0; i < 1; i++) c(i + 1);", {"c(1)"}, set()),
        ("for (int i = 0; i < 2; i++) c(i + 1);", {"c(1)", "c(2)"}, set()),
        # What belongs together stays together.
        ("for (int i = 0, j = 3; i < 3; i++, j--) d(i, j);", {"d(0, 3)", "d(1, 2)", "d(2, 1)"}, set()),
        ("for (int i = 0; i < 100; i++) c(i);", set(), {"c"}),
        ("for (int i = 0; i < 100; i++) c(i & 3);", {"c(0)", "c(1)", "c(2)", "c(3)"}, set()),
        ("for (unsigned i = 0; ; i = (i + 1) % 4) c(i);", {"c(0)", "c(1)", "c(2)", "c(3)"}, set()),
        # Inputs with few values.
        ("int x = input(); if (x) c(x + n);", {"c(4)", "c(6)", "c(7)"}, set()),
        ("for (int i = 0, most = input(); i < most; i++) c(i);", {"c(0)", "c(1)"}, set()),
        ("c(pick());", set(), {"c"}),
        ("int x = pick(); c(x < 0 ? 1 : 2); d(x, 1);", {"c(1)", "c(2)"}, {"d"}),
        ("int x = pick(); switch (x) { case 2: case 7: c(x); }", {"c(2)", "c(7)"}, set()),
        # What code never comes to.
        ("if (n > 9) { c(4); d(1, n); }", {"c(4)"}, {"d"}),
        ("if (n > 9) c(n); c(1);", {"c(1)"}, {"c"}),
    ],
)
def test_calls_are_the_events_that_their_arguments_can_make_them(
    body: str, labels: set[str], names: set[str], tmp_path: Path
) -> None:
    events = tuple(name for name in "cd" if f"{name}(" in body)
    bounds = (("input()", "-1..2"),) if "input()" in body else ()
    case = Case(f"{HEAD}void t(int n) {{ {body} }}", ("t(5)",), events, bounds=bounds)
    setting = setting_of(case, tmp_path)
    (system,) = thread_systems(setting, open=True)
    assert system is not None
    alphabet = alphabet_of(system, setting.threads)
    assert alphabet is not None
    assert alphabet == Alphabet(frozenset(labels), frozenset(names))
