"""Claims on code that says what it assumes, where data has no bounds: runs that are dropped violate nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from stateglass.evidence import Reason, Verdict
from stateglass.explore.stretches import Seen, flow_of
from stateglass.system import build_system
from stateglass.unbounded.temporal.continuing import Continuing
from stateglass.unbounded.time import Deadline
from tests.fuzz.agreement import read
from tests.unbounded.test_temporal import verdict

BEGIN: Final = "int get(void); void __VERIFIER_assume(int); int a, done, mode, n;\n"
FREE: Final = BEGIN + "void step(void) { a = get(); __VERIFIER_assume(a != 1); done = 1; }\n"
LATER: Final = BEGIN + "void step(void) { if (get() == 7) mode = 1; if (n < 3) n++; else __VERIFIER_assume(!mode); }\n"
# Code that goes on only if it was told the right number once, which no single place knows.
ONCE: Final = BEGIN + "void step(void) { if (!n) { n = 1; mode = get(); } __VERIFIER_assume(mode == 5); a = n; }\n"
# What is not modelled comes before the assumption: nobody knows that the run goes on.
LOST: Final = BEGIN + (
    "void step(int x) { mode = 1; if (x > 7) { int *p = __builtin_malloc(4); *p = 1; n = *p; }"
    " __VERIFIER_assume(!mode); }\n"
)
STUCK: Final = BEGIN + "void step(void) { a = get(); __VERIFIER_assume(a != a); }\n"


@pytest.mark.parametrize(
    ("code", "claim", "expected"),
    [
        (FREE, "G [a != 1]", Verdict.HOLDS),
        (FREE, "G [a != 2]", Verdict.VIOLATED),
        (FREE, "F [done == 1]", Verdict.HOLDS),
        (FREE, "G (call(get) => F return(step))", Verdict.HOLDS),
        (LATER, "G [mode == 0]", Verdict.HOLDS),
        (LATER, "G !return(get, 7)", Verdict.HOLDS),
        (LATER, "G [n < 3]", Verdict.VIOLATED),
        (LATER, "F [n == 3]", Verdict.HOLDS),
        (ONCE, "G [mode == 0 || mode == 5]", Verdict.HOLDS),
        (ONCE, "G [mode == 0]", Verdict.VIOLATED),
        (ONCE, "F [mode == 5]", Verdict.HOLDS),
        (LOST, "G [mode == 0]", Reason.UNSUPPORTED),
        (STUCK, "G [a == 0]", Reason.PARTIAL),
    ],
)
def test_claims(tmp_path: Path, code: str, claim: str, expected: Verdict | Reason) -> None:
    assert verdict(tmp_path, code, claim, "step") is expected


@pytest.mark.parametrize(("code", "every_rest"), [(FREE, True), (LATER, False), (ONCE, False)])
def test_places_from_which_runs_go_on_whatever_values_there_are(tmp_path: Path, code: str, every_rest: bool) -> None:
    system = build_system(read({"code.c": code}, tmp_path), ("step",), open=True)
    flow = flow_of(system, Seen(events=True))
    assert any(rest.drops for rest in flow.rests)
    continuing = Continuing(flow, Deadline(30), drops=True)
    assert all(continuing.is_sure(rest.number) for rest in flow.rests) is every_rest


def test_values_that_nobody_chooses_drop_nothing(tmp_path: Path) -> None:
    code = BEGIN + "void step(void) { a = get(); }\n"
    system = build_system(read({"code.c": code}, tmp_path), ("step",), bounds=(("get()", "3|5"),))
    assert not any(rest.drops for rest in flow_of(system, Seen(events=True)).rests)
