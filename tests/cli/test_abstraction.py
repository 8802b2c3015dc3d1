"""`stateglass abstraction`: where the map goes, and what is said about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from stateglass.system.maps.reading_abstractions import parse_abstraction_map
from tests.cli.running import stateglass

CODE = """\
static int state;
static double load;
void step(int x) { if (x > 3) state = x == 7 ? 1 : 0; load += state; }
void stop(void) { state = 2; }
"""


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "motor.c").write_text(CODE, encoding="utf-8")
    return here


def test_the_map_is_on_standard_output_and_a_word_about_it_on_the_other() -> None:
    ran = stateglass("abstraction", "motor.c")
    assert ran.status is Exit.OK
    map, warnings = parse_abstraction_map(ran.out)
    assert map.items
    assert not warnings
    assert "var state : part(0, 1, 2, 3);" in ran.out
    assert ran.err == "runs of step, stop: 2 of 3 variables kept\n"


def test_only_what_runs_is_looked_at() -> None:
    ran = stateglass("abstraction", "motor.c", "--function", "stop")
    assert "load" not in ran.out
    assert "fun stop" in ran.out
    assert "fun step" not in ran.out


def test_a_file_is_written_once(here: Path) -> None:
    assert stateglass("abstraction", "motor.c", "-o", "motor.am").status is Exit.OK
    written = (here / "motor.am").read_text(encoding="utf-8")
    assert "var state" in written
    (here / "motor.am").write_text("mine", encoding="utf-8")
    ran = stateglass("abstraction", "motor.c", "-o", "motor.am")
    assert ran.status is Exit.BAD_INPUT
    assert "`motor.am` exists already" in ran.err
    assert (here / "motor.am").read_text(encoding="utf-8") == "mine"
    ran = stateglass("abstraction", "motor.c", "-o", "motor.am", "--force")
    assert ran.err.startswith("motor.am: runs of")
    assert (here / "motor.am").read_text(encoding="utf-8") == written


def test_json() -> None:
    found = json.loads(stateglass("abstraction", "motor.c", "--format", "json").out)
    assert found["command"] == "abstraction"
    assert found["functions"] == ["step", "stop"]
    assert found["variables"][0] == {
        "file": "motor.c",
        "function": None,
        "name": "state",
        "abstraction": "part(0, 1, 2, 3)",
        "reason": "assigned 0, 1, 2",
    }
    assert found["map"] == stateglass("abstraction", "motor.c").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nix.c"], "nix.c"),
        (["motor.c", "--function", "stpe"], "did you mean `stop` or `step`?"),
        ([], "no C file is given"),
    ],
)
def test_mistakes(arguments: list[str], message: str) -> None:
    ran = stateglass("abstraction", *arguments)
    assert ran.status is Exit.BAD_INPUT
    assert ran.out == ""
    assert message in ran.err
