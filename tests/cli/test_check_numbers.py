"""Numbers in claims on code: exact integers, whatever types the variables have, and constants as C reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import stateglass

CODE = """\
unsigned u;
unsigned long long wide;
unsigned char small;
int count;
float x = 0.1f;
char letter = 'a';
void f(void) { u = 0; }
"""


@pytest.fixture(autouse=True)
def code(here: Path) -> None:
    Path("code.c").write_text(CODE, encoding="utf-8")


@pytest.mark.parametrize(
    ("predicate", "noted"),
    [
        ("u - 1 == -1", ["u - 1 == -1"]),
        ("wide - 1 == -1", ["wide - 1 == -1"]),
        ("~u == -1", ["~u == -1"]),
        ("~wide == -1", ["~wide == -1"]),
        ("-1 < u", ["-1 < u"]),
        ("u - 1 < 5 && u + 1 > 0", ["u - 1"]),
        ("1 - (u + 3) * 2 == -5", ["1 - (u + 3) * 2 == -5"]),
        # In C these have a sign, too, or do not come below zero.
        ("small - 1 == -1", []),
        ("count - 1 == -1", []),
        ("(u > 3) - 1 == -1", []),
        ("(7 >> u) - 8 == -1", []),
        ("x == 0.1f && x != 0.1", []),
        ("letter == 'a' && letter == '\\x61' && letter == '\\141'", []),
    ],
)
def test_numbers_are_exact(predicate: str, noted: list[str]) -> None:
    ran = stateglass("check", "code.c", "--claim", f"G [{predicate}]")
    assert ran.out.startswith(f"G [{predicate}]: holds\n"), ran.err
    assert [line.split("`")[1] for line in ran.err.splitlines() if "exact integers" in line] == noted


def test_steps_that_run_as_one_are_not_counted() -> None:
    """Whether the value of another variable is asked for must not matter to a claim that names it in vain."""
    one = 'mu: ["call(f)"]<"return(f)">true'
    other = 'mu: ["call(f)"](<"return(f)">true || val(u == 7))'
    ran = stateglass("check", "code.c", "--claim", one, "--claim", other, "--claim", "G !tau")
    assert ran.status == 2
    assert ran.err.count("depends on how many silent steps there are") == 3
    every = stateglass(
        "check", "code.c", "--claim", one, "--claim", other, "--claim", "G !tau", "--steps", "all", "--format", "json"
    )
    assert [found["verdict"] for found in json.loads(every.out)["verdicts"]] == ["violated"] * 3


@pytest.mark.parametrize(
    "claim",
    [
        "mu: <true*.tau>true",
        "mu: [true*](<true>true)",
        "mu: nu X. [true]X && val(u < 7)",
        'mu: <true*."call(f)"."return(f)">true',
        'mu: <tau+."call(f)">true',
        "call(f) U return(f)",
        "[u == 0] W call(f)",
        "G(call | return)",
        'F !"re:.*f.*"',
        "ctl: E[call(f) U return(f)]",
        "ctl: EG call",
    ],
)
def test_claims_that_depend_on_silent_steps(claim: str) -> None:
    ran = stateglass("check", "code.c", "--claim", claim)
    assert ran.status == 2
    assert "silent steps of the code run as one" in ran.err
    assert stateglass("check", "code.c", "--claim", claim, "--steps", "all").status in (0, 1)


@pytest.mark.parametrize(
    "claim",
    [
        "mu: [true*.call(f)]<tau*.return(f)>true",
        "mu: nu X. [true*.call(f)]<(!call(f))*.return(f)>X",
        'mu: [true*](val(u == 7) || <true*."call(f)">true)',
        "G(call(f) => F return(f))",
        "!return(f) W call(f)",
        "[u == 0] W ([u == 0] & call(f))",
        "ctl: AG(call(f) => AF return(f))",
        "ctl: AG EF call(f)",
    ],
)
def test_claims_that_do_not(claim: str) -> None:
    merged, every = (
        json.loads(stateglass("check", "code.c", "--claim", claim, *more, "--format", "json").out)["verdicts"]
        for more in ((), ("--steps", "all"))
    )
    assert [found["verdict"] for found in merged] == [found["verdict"] for found in every] == ["holds"]
