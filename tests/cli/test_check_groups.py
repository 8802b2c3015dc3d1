"""What a claim on code says does not depend on the claims beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import stateglass

CODE = """\
static int early, late;
void reset(void)
{
    early = !early;
    late = 0;
}
void fill(void)
{
    late = 5;
}
"""
SUBJECT = ("code.c", "--function", "reset", "--function", "fill")
# With `early` watched, there is a moment behind the call of reset in which `late` still has its value.
ABOUT_LATE = "[late == 5] never holds after `call(reset)` until `call(fill)`"
WAYS = "mu: [true*.call(reset)]<tau*.return(reset)>true"
ABOUT_EARLY = "ctl: EF [early == 1]"


@pytest.fixture(autouse=True)
def code(here: Path) -> None:
    Path("code.c").write_text(CODE, encoding="utf-8")


def verdicts(*claims: str, also: tuple[str, ...] = ()) -> dict[str, str]:
    asked = [word for claim in claims for word in ("--claim", claim)]
    ran = stateglass("check", *SUBJECT, *asked, *also, "--format", "json")
    return {found["claim"]: found["verdict"] for found in json.loads(ran.out)["verdicts"]}


@pytest.mark.parametrize("claim", [ABOUT_LATE, WAYS])
def test_the_claims_beside_it(claim: str) -> None:
    alone = verdicts(claim)
    assert alone == {claim: "holds"}
    together = verdicts(ABOUT_EARLY, claim, "G [late <= 5]")
    assert list(together) == [ABOUT_EARLY, claim, "G [late <= 5]"]
    assert together[claim] == "holds"


def test_variables_that_are_seen_belong_to_the_claim() -> None:
    """One that asks about both variables sees the moment between them."""
    both = f"{ABOUT_LATE.replace('[late == 5]', '[late == 5 && early <= 1]')}"
    assert verdicts(both) == {both: "violated"}


def test_it_is_said_that_there_are_several_models() -> None:
    ran = stateglass("check", *SUBJECT, "--claim", ABOUT_LATE, "--claim", ABOUT_EARLY)
    assert "2 claims on 2 models of up to " in ran.err
    ran = stateglass("check", *SUBJECT, "--claim", "G [late < 6]", "--claim", "F [late == 0]")
    assert " models " not in ran.err


def test_all_mistakes_are_told_at_once() -> None:
    ran = stateglass("check", *SUBJECT, "--claim", "G [erly == 1]", "--claim", "G [lat == 1]")
    assert "`erly`" in ran.err
    assert "`lat`" in ran.err


def test_evidence_is_replayed_as_it_was_found() -> None:
    stateglass("check", *SUBJECT, "--claim", "G [early == 0]", "--claim", "G [late == 0]", "-o", "found.json")
    found = json.loads(Path("found.json").read_text(encoding="utf-8"))["verdicts"]
    assert [verdict["evidence"]["subject"]["watch"] for verdict in found] == [["early"], ["late"]]
