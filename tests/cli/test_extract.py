"""`extract` from end to end: what it prints, writes and returns."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from stateglass.explore.around.environment import Environment
from stateglass.explore.around.moves import Move
from stateglass.explore.pauses import Pause
from stateglass.formats import read_model
from tests.cli.running import stateglass

CODE = """int lamp;

void press(void) {
    lamp = !lamp;
}
"""
ENDLESS = """unsigned n;

void step(void) {
    n++;
}
"""


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "lamp.c").write_text(CODE, encoding="utf-8")
    (here / "endless.c").write_text(ENDLESS, encoding="utf-8")
    return here


def test_the_states_are_listed_and_the_summary_is_for_people() -> None:
    ran = stateglass("extract", "lamp.c")
    assert ran.status is Exit.OK
    assert ran.out == (
        "> 0  lamp = 0\n       call(press) -> 1\n  1  lamp = 1\n       return(press) -> 2\n"
        "  2  lamp = 1\n       call(press) -> 3\n  3  lamp = 0\n       return(press) -> 0\n"
    )
    assert ran.err == "press: 4 states, 4 transitions\n"


def test_json_has_the_keys_that_others_rely_on() -> None:
    ran = stateglass("extract", "lamp.c", "--format", "json")
    answer = json.loads(ran.out)
    assert (answer["schema_version"], answer["command"]) == (1, "extract")
    assert (answer["states"], answer["transitions"]) == (4, 4)
    assert answer["labels"] == {"call(press)": 2, "return(press)": 2}
    assert answer["deadlocks"] == []
    assert not answer["partial"]
    assert answer["assumptions"] == []


@pytest.mark.parametrize("name", ["m.sg", "m.aut", "m.json", "m.dot", "m.mmd"])
def test_a_model_is_written_in_the_format_its_name_tells(name: str) -> None:
    ran = stateglass("extract", "lamp.c", "-o", name)
    assert (ran.status, ran.out) == (Exit.OK, "")
    model = read_model(name)
    assert (model.states, model.transitions) == (4, 4)
    assert set(model.labels) == {"call(press)", "return(press)"}


def test_a_picture_that_is_refused_keeps_nothing_else_back(here: Path) -> None:
    arguments = ("extract", "endless.c", "--max-states", "200", "-o", "m.svg", "-o", "m.sg")
    ran = stateglass(*arguments)
    assert ran.status is Exit.BAD_INPUT
    assert read_model("m.sg").states == 200
    assert ran.err.startswith("step: 200 states, ")
    assert "partial: " in ran.err
    assert "error[picture]: the model has 200 states" in ran.err
    assert "--reduce" in ran.err
    assert not (here / "m.svg").exists()
    assert list(json.loads(stateglass(*arguments, "--format", "json").out)) == ["schema_version", "command", "errors"]


def test_several_outputs_and_a_picture(here: Path) -> None:
    ran = stateglass("extract", "lamp.c", "-o", "m.sg", "-o", "m.svg")
    assert ran.status is Exit.OK
    assert read_model("m.sg").states == 4
    assert "<svg" in (here / "m.svg").read_text(encoding="utf-8")


def test_standard_output_in_a_format_of_choice() -> None:
    ran = stateglass("extract", "lamp.c", "-o", "-", "--to", "aut")
    assert ran.out.splitlines()[0] == "des (0, 4, 4)"
    assert '(0, "call(press)", 1)' in ran.out
    assert "4 states" in ran.err


def test_the_native_format_keeps_values_and_places() -> None:
    stateglass("extract", "lamp.c", "-o", "m.sg")
    model = read_model("m.sg")
    assert [model.valuation(s)["lamp"] for s in range(4)] == ["0", "1", "1", "0"]
    assert [model.valuation(s)["stable"] for s in range(4)] == ["true", "false", "true", "false"]
    assert model.origin.files == ("lamp.c",)
    span = model.span_of_transition(0)
    assert span is not None
    assert str(span) == "lamp.c:3:1"


def test_a_budget_that_is_hit_is_said_kept_and_written() -> None:
    ran = stateglass("extract", "endless.c", "--max-states", "10", "-o", "m.sg")
    assert ran.status is Exit.INCONCLUSIVE
    assert "stopped at 10 states (--max-states)" in ran.err
    model = read_model("m.sg")
    assert (model.states, model.partial) == (10, True)
    assert model.deadlocks.size == 0
    again = stateglass("info", "m.sg")
    assert "stopped at 10 states (--max-states)" in again.out + again.err


def test_the_clock_is_a_budget_too() -> None:
    ran = stateglass("extract", "endless.c", "--timeout", "0.2", "-o", "m.sg")
    assert ran.status is Exit.INCONCLUSIVE
    assert "stopped after 0.2 s (--timeout)" in ran.err
    assert read_model("m.sg").partial


def test_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = Environment.moves
    calls = count(1)

    def interrupted(environment: Environment, pause: Pause) -> Iterator[Move]:
        if next(calls) == 5:
            raise KeyboardInterrupt
        return moves(environment, pause)

    monkeypatch.setattr(Environment, "moves", interrupted)
    ran = stateglass("extract", "endless.c", "-o", "m.sg")
    assert ran.status is Exit.INTERRUPTED
    assert "interrupted" in ran.err
    model = read_model("m.sg")
    assert model.partial
    assert model.states == 5


def test_assumptions_travel_with_the_model(here: Path) -> None:
    (here / "out.c").write_text("int get(void);\nint last;\nvoid step(void) { last = get(); }\n")
    ran = stateglass("extract", "out.c", "--bound", "get()=0..1", "-o", "m.sg")
    assert "it takes for granted:\n  get: it has no body: it returns any of 0..1\n" in ran.err
    assert [str(a) for a in read_model("m.sg").origin.assumptions] == ["get: it has no body: it returns any of 0..1"]
    assert read_model("m.sg").origin.bounds == (("get()", "0..1"),)


def test_the_same_input_gives_the_same_bytes(here: Path) -> None:
    for name in ("one.sg", "two.sg"):
        stateglass("extract", "lamp.c", "-o", name)
    assert (here / "one.sg").read_bytes() == (here / "two.sg").read_bytes()


def test_macros_and_include_folders_reach_the_code(here: Path) -> None:
    (here / "inc").mkdir()
    (here / "inc" / "start.h").write_text("#define START (BASE + 1)\n")
    (here / "inc.c").write_text('#include "start.h"\nint x = START;\nvoid f(void) { x = 0; }\n')
    ran = stateglass("extract", "inc.c", "-I", "inc", "-D", "BASE=4")
    assert ran.status is Exit.OK
    assert ran.out.startswith("> 0  x = 5\n")


def test_the_target_decides_about_sizes(here: Path) -> None:
    (here / "size.c").write_text("unsigned n;\nvoid f(void) { n = sizeof(long) + sizeof(void *) + (char)-1; }\n")
    for target, value in (("x86_64-linux-gnu", "15"), ("arm-none-eabi", "263")):
        ran = stateglass("extract", "size.c", "--target", target)
        assert f"n = {value}" in ran.out


def test_a_project_file_gives_what_the_command_line_leaves_out(here: Path) -> None:
    (here / "stateglass.toml").write_text(
        'schema = 1\n[source]\nfiles = ["set.c"]\n[system.s]\nsubject = "set"\n[system.s.bounds]\n"set.to" = "0..2"\n'
    )
    (here / "set.c").write_text("int x;\nvoid set(int to) { x = to; }\n")
    assert stateglass("extract").err.startswith("set: 6 states, 12 transitions\n")
    assert stateglass("extract", "--bound", "set.to=1").err.startswith("set: 3 states, 3 transitions\n")


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"int n;\nvoid step(void) { n = !n; }\n")))
    ran = stateglass("extract", "-", "--function", "step")
    assert ran.status is Exit.OK
    assert "step: 4 states, 4 transitions" in ran.err


def test_an_empty_standard_input_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    ran = stateglass("extract", "-")
    assert ran.status is Exit.BAD_INPUT
    assert "standard input is empty" in ran.err


def test_an_abstraction_says_what_it_is(here: Path) -> None:
    (here / "divide.c").write_text("int get(void); int main(void) { return 8 / get(); }", encoding="utf-8")
    (here / "none.am").write_text("", encoding="utf-8")
    ran = stateglass("extract", "divide.c", "--abstraction", "none.am", "--errors", "division", "--ub", "error")
    assert ran.status is Exit.OK
    headline, meaning, *_ = ran.err.splitlines()
    assert headline.endswith("transitions, may reach error(division)")
    assert meaning == "over-approximation: all of the code's behaviour and perhaps more"


def test_an_abstraction_that_is_cut_short_is_not_all(here: Path) -> None:
    (here / "n.am").write_text("var n : minmax;", encoding="utf-8")
    ran = stateglass(
        "extract", "endless.c", "--abstraction", "n.am", "--max-states", "1500", environ={"COLUMNS": "500"}
    )
    assert ran.status is Exit.INCONCLUSIVE
    assert "over-approximation as far as it goes: perhaps more than the code's behaviour, and not all of it" in ran.err
    assert "values keep growing in number: `n`" in ran.err
