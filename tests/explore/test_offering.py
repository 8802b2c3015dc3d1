"""Runs of systems whose inputs may be anything are followed with the values that their actions show."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from stateglass.explore import Manner
from stateglass.explore.around.offering import shown_in
from stateglass.explore.stepwise import Failure, Retracing, Run, Wanted
from stateglass.program import Bool, Enum, Enumeration, Float, Int, Scalar
from stateglass.system import Choice, Mode
from tests.unbounded.flows import system_of

KINDS: Final = Enumeration("kind", (("LOW", -2), ("HIGH", 9)))


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        (Int(32, signed=True), "-5", -5),
        (Int(8, signed=False), "256", None),
        (Int(8, signed=False), "&flag=200", 200),
        (Bool(), "true", 1),
        (Enum("kind", Int(32, signed=True)), "HIGH", 9),
        (Enum("kind", Int(32, signed=True)), "7", 7),
        (Float(53, 8), "1.5", 0x3FF8000000000000),
        (Float(53, 8), "-0.0", 1 << 63),
        (Float(24, 4), "1e+20", 0x60AD78EC),
        (Float(24, 4), "-inf", 0xFF800000),
        (Int(32, signed=True), "?", None),
    ],
)
def test_values_are_read_from_the_text_of_an_action(type: Scalar, text: str, value: int | None) -> None:
    asked = shown_in(f"call(f, 1, {text})", {"kind": KINDS})
    assert asked(Choice("f.x", type, (), anything=True), 1) == (() if value is None else (value,))


def test_one_of_given_values_is_asked_for_only_where_the_text_tells_it() -> None:
    asked = shown_in("call(f, 3, many)", {})
    number = Int(32, signed=True)
    assert asked(Choice("f.x", number, (1, 3, 5)), 0) == (3,)
    assert asked(Choice("f.x", number, (1, 5)), 0) is None
    assert asked(Choice("f.y", number, (1, 3, 5)), 1) is None
    assert asked(Choice("f.x", number, (1, 3, 5)), None) is None


CODE: Final = """
void __VERIFIER_assume(int condition);
double measure(int *unit);
static int sum;
int add(int n, unsigned char m) {
    int unit = 0;
    __VERIFIER_assume(n > 5);
    if (measure(&unit) > 2.5) sum = n + m + unit;
    return sum;
}
"""
STEPS: Final = (
    "call(add, 123456, 7)",
    "call(measure, &add::unit=0)",
    "return(measure, 1e+30, &add::unit=-3)",
    "return(add, 123460)",
)


def _wanted(*actions: str, ends: bool = False) -> Wanted:
    return Wanted(tuple((action, {}) for action in actions), {}, ends=ends)


def test_a_run_is_followed_by_its_actions(tmp_path: Path) -> None:
    retracing = Retracing(system_of(tmp_path, CODE, "add", mode=Mode.STEP), Manner())
    run = retracing.follow(_wanted(*STEPS))
    assert isinstance(run, Run)
    assert retracing.values(run.taken[-1].step.state)["sum"] == "123460"


def test_what_the_code_does_not_do_is_not_followed(tmp_path: Path) -> None:
    retracing = Retracing(system_of(tmp_path, CODE, "add", mode=Mode.STEP), Manner())
    found = retracing.follow(_wanted(*STEPS[:-1], "return(add, 123461)"))
    assert isinstance(found, Failure)
    assert found.followed == 3


def test_that_nothing_follows_is_not_said_because_one_value_leads_nowhere(tmp_path: Path) -> None:
    retracing = Retracing(system_of(tmp_path, CODE, "add", mode=Mode.STEP), Manner())
    run = retracing.follow(_wanted(*STEPS))
    assert isinstance(run, Run)
    # With 0 the assumption fails; with other values it does not.
    assert not retracing.is_over(run.taken[-1].step.state)
    assert isinstance(retracing.follow(_wanted(*STEPS, ends=True)), Failure)
    unexplored = retracing.model(run).unexplored
    assert unexplored is not None
    assert unexplored.all()
