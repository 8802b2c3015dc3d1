"""Which claims `stateglass check` is asked about, and what is said of those that it does not know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

PROJECT = 'schema = 1\n[claims]\nresponds = "G(call => F return)"\n'
BELL = "unsigned n; void bell(void); void step(void) { n++; if (n == 60) bell(); }\n"


@pytest.fixture
def model(here: Path) -> str:
    Path("m.aut").write_text('des (0,2,2)\n(0,"call(f, 1)",1)\n(1,"return(f, 2)",0)\n', encoding="utf-8")
    Path("stateglass.toml").write_text(PROJECT, encoding="utf-8")
    return "m.aut"


@pytest.mark.parametrize(("text", "meant"), [("respnds", "responds"), ("no-eror", "no-error")])
def test_names_of_claims_are_suggested(model: str, text: str, meant: str) -> None:
    ran = stateglass("check", model, "--claim", text)
    assert ran.status == Exit.BAD_INPUT
    assert f"there is no claim `{text}`\n  help: did you mean `{meant}`?" in ran.err


def test_what_can_only_be_a_name_is_not_taken_for_a_formula(model: str) -> None:
    assert stateglass("check", model, "--claim", "no-eror").err.count("error[") == 1


@pytest.mark.parametrize(
    ("text", "verb"),
    [("`a` follws `b`", "follows"), ("call nevr happenss", "happens"), ("`call` precedess `return`", "precedes")],
)
def test_verbs_are_suggested(model: str, text: str, verb: str) -> None:
    assert f"help: did you mean `{verb}`?" in stateglass("check", model, "--claim", text).err


def test_all_mistakes_are_told_at_once(model: str) -> None:
    claims = ("--claim", "G(", "--claim", "G [x == 0]", "--claim", "F cal")
    told = ("`x.foo` does not tell what it is to be", "the formula ends", "no proposition or enumerator `x`")
    ran = stateglass("check", model, "-o", "x.foo", *claims)
    assert all(message in ran.err for message in (*told, "no event `cal`"))
    assert ran.status == Exit.BAD_INPUT
    Path("bell.c").write_text(BELL, encoding="utf-8")
    ran = stateglass("check", "bell.c", "--function", "step", "-o", "x.foo", *claims)
    assert all(message in ran.err for message in told)
    ran = stateglass("check", "bell.c", "--function", "stepp", "-o", "x.foo", *claims)
    assert all(message in ran.err for message in (*told[:2], "there is no function `stepp`"))


UNIONS = """
struct raw { char bytes[4]; int more; };
struct head { short to, from; struct { int n; } in[1]; };
struct packet { int kind; union { struct raw raw; struct head head; }; };
static struct packet packets[2];
static union { int word; char low; } cut;
void step(void) { packets[1].head.to = 1; cut.word = 1; }
"""


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("packets[1].head.from", "`packets[1].raw.bytes[2]`, `packets[1].raw.bytes[3]`"),
        ("packets[0].head.in[0].n", "`packets[0].raw.more`"),
        ("cut.word", "`cut.low`, `cut.word@8`"),
        ("packets[2].head.to", ""),
        ("packets[1].head.too", ""),
    ],
)
def test_what_states_call_a_member_of_a_union_is_told(here: Path, name: str, others: str) -> None:
    Path("packets.c").write_text(UNIONS, encoding="utf-8")
    ran = stateglass("check", "packets.c", "--function", "step", "--claim", f"G [{name} == 0]")
    assert ran.status == Exit.BAD_INPUT
    told = " ".join(ran.err.split())
    assert (f"other members of a union; states call what is there {others}" in told) is bool(others), told
    if others:
        assert stateglass("check", "packets.c", f"--claim=G [{others.split('`')[1]} == 0]").status != Exit.BAD_INPUT
        story = stateglass("scenario", "packets.c", "--scenario", f"call(step) ~> rises({name} == 1)")
        assert f"states call what is there {others}" in " ".join(story.err.split())


def test_unnamed_unions_of_objects_leave_no_trace_in_names(here: Path) -> None:
    text = "class Q { union { int word; char low; }; public: Q() : word(0) {} void put() { word = 1; } };"
    Path("q.cpp").write_text(text, encoding="utf-8")
    assert stateglass("check", "q.cpp", "--class", "Q", "--claim", "G [low == 0]").status == Exit.FINDINGS
    assert stateglass("check", "q.cpp", "--class", "Q", "--claim", "G [`word@8` == 0]").status == Exit.OK


def test_an_event_that_reads_like_the_name_of_a_claim_is_an_event(model: str) -> None:
    Path("stateglass.toml").write_text(PROJECT.replace("responds", "calls"), encoding="utf-8")
    assert stateglass("check", model, "--claim", "call").status == Exit.OK
    assert "claim `tock`" not in stateglass("check", model, "--claim", "tock").err
    # What is wrong with something else says nothing about claims.
    assert "no claim" not in stateglass("check", "missing.aut", "--claim", "call").err


def test_all_that_is_wrong_with_a_project_file_is_told_at_once(model: str) -> None:
    Path("stateglass.toml").write_text(
        PROJECT + 'bad = 3\nworse = "G(("\nodd = "F [(]"\n[system.x]\nfoo = 3\n', "utf-8"
    )
    ran = stateglass("check", model)
    assert ran.status == Exit.BAD_INPUT
    lines = [line.split(": ")[0] for line in ran.err.splitlines() if line.startswith("stateglass.toml:")]
    assert [place.split(":")[1] for place in lines] == ["4", "5", "6", "8"]


@pytest.mark.usefixtures("here")
def test_an_event_that_was_not_met_yet_is_not_known() -> None:
    Path("bell.c").write_text(BELL, encoding="utf-8")
    claims = ("--claim", "F call(bell)", "--claim", "G !call(bel)", "--claim", "G [n < 5]")
    asked = ("check", "bell.c", "--function", "step", "--max-states", "60", "--engine", "explicit", *claims)
    ran = stateglass(*asked, "--format", "json")
    found = json.loads(ran.out)["verdicts"]
    assert [verdict["verdict"] for verdict in found] == ["inconclusive", "inconclusive", "violated"]
    assert [verdict["reason"] for verdict in found] == ["partial", "partial", None]
    assert "No event `call(bell)` was met in what was explored" in found[0]["explanation"]
    # What no state has is known from the first one on.
    ran = stateglass("check", "bell.c", "--function", "step", "--max-states", "60", "--claim", "G [m < 5]")
    assert ran.status == Exit.BAD_INPUT
