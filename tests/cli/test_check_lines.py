"""`no-unreachable` on code: the lines that no run comes to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

CODE = """\
#include <stdlib.h>
static int mode;
static int twice(int x)
{
    return x + x;
}
static void quit(void)
{
    exit(1);
}
static int never_called(int x) { return x; }
int pick(int x)
{
    switch (x) {
    case 0:
        mode = 1;
        break;
    case 1:
        return twice(x);
    case 7:
        mode = 9;
        break;
    default:
        break;
    }
    if (x == 0 && mode == 1)
        mode = 0;
    while (1) {
        if (x >= 0)
            break;
    }
    if (x == 3) {
        quit();
        mode = 5;
    }
    return mode;
}
void set(int x)
{
    if (x)
        return;
    twice(mode);
    return;
}
"""
SUBJECT = ("code.c", "--function", "pick", "--function", "set", "--bound", "set.x=0..1", "--claim", "no-unreachable")


@pytest.fixture(autouse=True)
def code(here: Path) -> None:
    Path("code.c").write_text(CODE, encoding="utf-8")


def test_lines_that_no_run_comes_to() -> None:
    ran = stateglass("check", *SUBJECT, "--bound", "pick.x=0..3", "--format", "json")
    assert ran.status == Exit.FINDINGS
    (found,) = json.loads(ran.out)["verdicts"]
    assert [place["line"] for place in found["evidence"]["lines"]] == [21, 22, 34]
    assert found["explanation"] == "No run comes to 3 lines: code.c:21, code.c:22, code.c:34."


def test_more_inputs_reach_more_lines() -> None:
    Path("code.c").write_text(CODE.replace("        mode = 5;\n", ""), encoding="utf-8")
    ran = stateglass("check", *SUBJECT, "--bound", "pick.x=0..7")
    assert ran.status == Exit.OK
    assert "Every line that a branch leads to" in ran.out


def test_what_was_not_explored_may_be_reached() -> None:
    ran = stateglass("check", *SUBJECT, "--bound", "pick.x=0..3", "--max-states", "2")
    assert ran.status == Exit.INCONCLUSIVE
    assert "No run was found that comes to" in ran.out


def test_the_lines_of_one_claim_do_not_change_the_answers_to_others() -> None:
    claims = ("--claim", "no-deadlock", "--claim", "ctl: AG EF [mode == 0]", "--format", "json")
    without = stateglass("check", *SUBJECT[:-2], "--bound", "pick.x=0..2", *claims)
    beside = stateglass("check", *SUBJECT, "--bound", "pick.x=0..2", *claims)
    expected = [(v["claim"], v["verdict"]) for v in json.loads(without.out)["verdicts"]]
    assert [(v["claim"], v["verdict"]) for v in json.loads(beside.out)["verdicts"]][1:] == expected


def test_a_model_of_code_says_that_it_knows_of_no_lines() -> None:
    stateglass("extract", *SUBJECT[:-2], "--bound", "pick.x=0..3", "-o", "m.sg")
    ran = stateglass("check", "m.sg", "--claim", "no-unreachable")
    assert ran.status == Exit.OK
    assert "Every state can be reached. That says nothing of lines" in " ".join(ran.out.split())


def test_a_model_has_states_and_no_lines() -> None:
    Path("m.aut").write_text('des (0,1,3)\n(0,"a",1)\n', encoding="utf-8")
    assert "State 2 cannot be reached." in stateglass("check", "m.aut", "--claim", "no-unreachable").out
