"""A design held against the code that implements it, or nearly so."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from stateglass.assemblies.ccl import read_design
from stateglass.cli.agreeing import Files
from stateglass.evidence import Result
from stateglass.operations.agreeing import Agreement, Held, agree, given_meaning, implemented
from stateglass.options import ExtractOptions
from stateglass.work import silent
from tests.assemblies.implementing import Machine, machine, mistaken, moves, same_moves, same_runs
from tests.cli.running import stateglass

EXAMPLES = Path(__file__).parents[2] / "examples" / "store"
_NAMES = {"put": "put", "take": "take", "full": "listener.full", "free_again": "listener.freeAgain"}
_NAMES |= {"open": "count < 2", "closed": "count == 2", "count": "count", "room": "2"}
AS_CLASS = ["--class=Shelf", *(f"--map={name}={text}" for name, text in _NAMES.items())]


def held(design: Machine, code: Machine, folder: Path) -> Agreement:
    file = folder / "random.c"
    file.write_text(code.code(), encoding="utf-8")
    read = read_design(design.design(), "random.ccl")
    return agree(read, implemented(read, ()), (), Files(ExtractOptions(files=(str(file),)), silent))


def converges(found: Agreement) -> bool:
    results = {r for one in found.held if one.model is not None for edge in one.model.edges for r in edge.results}
    assert all(one.model is not None for one in found.held)
    assert Result.INCONCLUSIVE not in results
    return results <= {Result.CONVERGENCE}


@pytest.mark.parametrize("seed", range(4))
def test_the_code_of_a_statechart_agrees_with_it_in_both_ways(seed: int, tmp_path: Path) -> None:
    right = machine(random.Random(seed))
    found = held(right, right, tmp_path)
    assert (converges(found), found.simulated.related) == (True, True)


@pytest.mark.parametrize(
    "kind", ["missing transition", "wrong guard", "extra transition", "wrong state", "forgotten output"]
)
def test_mistakes_are_found_by_whom_they_concern(kind: str, tmp_path: Path) -> None:
    dice = random.Random(kind)
    while True:  # one that makes a difference
        right = machine(dice)
        wrong = mistaken(right, dice, kind)
        expected = same_moves(wrong, right), same_runs(wrong, right)
        if not all(expected):
            break
    found = held(right, wrong, tmp_path)
    assert (converges(found), found.simulated.related) == expected


@pytest.mark.parametrize("kind", ["", "missing transition", "wrong guard", "wrong state"])
def test_functions_of_a_class_are_held_against_the_statechart(kind: str, tmp_path: Path) -> None:
    dice = random.Random(kind)
    right = machine(dice)
    code = mistaken(right, dice, kind) if kind else right
    found = held_class(right, code, tmp_path)
    results = {one.handler.pin.name: results_of(one) for one in found.held}
    assert results == {pin: moves(code, right, pin) for pin in ("p", "q")}
    assert found.simulated.related is same_runs(code, right)


def held_class(design: Machine, code: Machine, folder: Path) -> Agreement:
    file = folder / "random.cpp"
    file.write_text(code.class_code(), encoding="utf-8")
    read = read_design(design.design(), "random.ccl")
    given = [given_meaning(f"{name}=others.{name}") for name in ("out", "beep")]
    options = ExtractOptions(files=(str(file),), of_class="Random")
    return agree(read, implemented(read, ()), given, Files(options, silent), of_class="Random")


def results_of(found: Held) -> dict[tuple[str, str], set[str]]:
    assert found.model is not None, found.unclear
    return {(edge.source, edge.target): {r.value for r in edge.results} for edge in found.model.edges}


def against(design: str, code: str, *more: str) -> tuple[int, str]:
    ran = stateglass("assembly", str(EXAMPLES / design), "--against", str(EXAMPLES / code), *more)
    return ran.status, ran.out


@pytest.mark.parametrize(
    ("design", "code", "more"),
    [("store.ccl", "store.c", []), ("shelf.ccl", "shelf.c", []), ("shelf.ccl", "shelf.cpp", AS_CLASS)],
)
def test_right_examples_agree(design: str, code: str, more: list[str]) -> None:
    status, out = against(design, code, *more)
    assert status == 0
    assert "weakly simulates the code" in out


def test_a_wrong_guard_is_told_in_the_words_of_both() -> None:
    status, out = against("shelf.ccl", "shelf_wrong.c")
    assert status == 1
    assert "claimed when ^put [put.size <= 1 && count + 1 >= room]" in out
    assert "     3  ^put(0)  call(shelf_put, 0)\nin place of the last step, shelf can do `^full(2)`" in out


def test_a_class_that_forgets_to_tell_is_found(tmp_path: Path) -> None:
    text = (EXAMPLES / "shelf.cpp").read_text(encoding="utf-8")
    (tmp_path / "shelf.cpp").write_text(text.replace("listener.freeAgain();", ""), encoding="utf-8")
    status, out = against("shelf.ccl", str(tmp_path / "shelf.cpp"), *AS_CLASS)
    assert status == 1
    assert "in place of the last step, shelf can do `^free_again`" in out


def test_json_has_both_answers() -> None:
    report = json.loads(against("store.ccl", "store_wrong.c", "--format", "json")[1])
    results = {tuple(edge["results"]) for one in report["functions"] for edge in one["reflexion"]["edges"]}
    assert report["simulation"]["simulates"] is True
    assert results == {("convergence",), ("partial convergence",), ("divergence",)}


def test_a_diagram_is_a_design_too(tmp_path: Path) -> None:
    chart = "@startuml\n[*] --> off\noff --> on : press\non --> off : press / beep\n@enduml\n"
    code = "void beep(void);\nstatic int on;\nvoid press(void) { if (on) beep(); on = !on; }\n"
    (tmp_path / "lamp.puml").write_text(chart, encoding="utf-8")
    (tmp_path / "lamp.c").write_text(code, encoding="utf-8")
    names = ["press=press", "beep=beep", "on=on == 1", "off=on == 0"]
    given = [part for name in names for part in ("--map", name)]
    ran = stateglass("assembly", str(tmp_path / "lamp.puml"), "--against", str(tmp_path / "lamp.c"), *given)
    assert ran.status == 0, ran.out + ran.err


def test_all_that_is_wrong_with_names_is_said_at_once(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "shelf.c", tmp_path)
    text = (EXAMPLES / "shelf.ccl").read_text(encoding="utf-8")
    for right, wrong in (
        ('string put = "shelf_put"', 'string putt = "shelf_put"'),
        ('"shelf_take"', '"shelf_tak"'),
        ('"state == OPEN"', '"stat == OPEN"'),
        ('    annotate S {"code", const string closed = "state == CLOSED"}\n', ""),
    ):
        assert right in text
        text = text.replace(right, wrong)
    (tmp_path / "shelf.ccl").write_text(text, encoding="utf-8")
    ran = stateglass("assembly", str(tmp_path / "shelf.ccl"), "--against", str(tmp_path / "shelf.c"))
    assert ran.status == 2
    for said in (
        "there is no pin, state or variable `putt` in `shelf`",
        "it is not said which function the pin `put` is",
        "there is no function `shelf_tak` with a body",
        "did you mean `shelf_take`",
        "it is not said when the code is in the state `closed`",
    ):
        assert said in ran.err
    again = text.replace('"shelf_tak"', '"shelf_take"')
    (tmp_path / "shelf.ccl").write_text(again, encoding="utf-8")
    ran = stateglass("assembly", str(tmp_path / "shelf.ccl"), "--against", str(tmp_path / "shelf.c"))
    assert "there is no `stat` here" in ran.err
    assert "did you mean `state`" in ran.err


LAMP = """enum Colour { RED, GREEN };
component lamp() {
    Colour at = RED;
    bool locked = false;
    sink synch turn(Colour to, produce bool done);
    sink synch lock(bool on);
    source synch allowed(Colour to_, produce bool yes_);
    source asynch shown(Colour c);
    react R(turn, lock, allowed, shown) {
        bool yes = false;
        start -> idle {}
        idle -> asking { trigger ^turn(at); guard !locked; action ^allowed(at); }
        asking -> idle { trigger $allowed(yes); guard yes; action { ^shown(at); $turn(true); } }
        asking -> idle { trigger $allowed(yes); guard !yes; action $turn(false); }
        idle -> idle { trigger ^lock(locked); action $lock(); }
    }
    annotate R {"code", const string turn = "lamp_turn", const string lock = "lamp_lock"}
    annotate R {"code", const string allowed = "may", const string shown = "show", const string idle = "1"}
}
"""
LAMP_C = """#include <stdbool.h>
enum colour { RED, GREEN };
struct lamp { enum colour at; bool locked; };
bool may(enum colour c);
void show(const struct lamp *lamp, enum colour c);
bool lamp_turn(struct lamp *lamp, enum colour to) {
    if (lamp->locked) return false;
    lamp->at = to;
    if (!may(to)) return false;
    show(lamp, to);
    return true;
}
void lamp_lock(struct lamp *lamp, bool on) { lamp->locked = on; }
"""


def lamp(folder: Path, code: str, design: str = LAMP) -> tuple[int, str]:
    (folder / "lamp.c").write_text(code, encoding="utf-8")
    (folder / "lamp.ccl").write_text(design, encoding="utf-8")
    ran = stateglass("assembly", str(folder / "lamp.ccl"), "--against", str(folder / "lamp.c"))
    return ran.status, ran.out + ran.err


def test_data_comes_and_goes_with_interactions(tmp_path: Path) -> None:
    assert lamp(tmp_path, LAMP_C)[0] == 0
    status, said = lamp(tmp_path, LAMP_C.replace("if (!may(to)) return false", "if (!may(to)) return true"))
    assert status == 1
    assert "$turn(true)      return(lamp_turn, true)\nin place of the last step, lamp can do `$turn(false)`" in said


def test_what_depends_on_answers_is_left_to_the_runs(tmp_path: Path) -> None:
    design = LAMP.replace(
        "asking -> idle { trigger $allowed(yes); guard yes;", "asking -> on { trigger $allowed(yes); guard yes;"
    )
    design = design.replace(
        "idle -> idle { trigger ^lock",
        "on -> idle { trigger ^turn(at); action $turn(false); }\nidle -> idle { trigger ^lock",
    )
    design = design.replace(
        'const string idle = "1"', 'const string idle = "!lamp->locked", const string on = "lamp->locked"'
    )
    status, said = lamp(
        tmp_path, LAMP_C, design.replace('"!lamp->locked"', '"!lamp->locked", const string locked = "lamp->locked"')
    )
    assert "inconclusive: it depends on what `$allowed` brings" in said
    assert status == 1  # the runs tell that the lamp has no state `on`


def test_code_that_ends_is_no_part_of_a_design(tmp_path: Path) -> None:
    status, said = lamp(tmp_path, LAMP_C.replace("lamp->at = to;", "lamp->at = to / (to != GREEN);"))
    assert status == 1
    assert "error(division)" in said


LIMITED = """
enum Size { FEW = 2, MANY = 3 };
component c(int most) {
    int n = most - most;
    sink asynch put();
    source asynch full(int n_);
    threaded react R(put, full) {
        start -> room {}
        room -> room { trigger ^put(); guard n + 1 < most; action n++; }
        room -> none { trigger ^put(); guard n + 1 >= most; action { n++; ^full(n); } }
        none -> none { trigger ^put(); }
    }
}
"""
LIMITED_CODE = "extern void full(int); static int n; void put(void) { if (n < %s && ++n == %s) full(n); }"


@pytest.mark.parametrize(
    ("most", "limit", "related"), [("2", 2, True), ("FEW", 2, True), ("3", 2, False), ("limit", 2, None)]
)
def test_parameters_have_the_numbers_that_they_are_mapped_to(
    most: str, limit: int, related: bool | None, tmp_path: Path
) -> None:
    file = tmp_path / "code.c"
    file.write_text(
        f"enum {{ FEW = 2 }}; static const int limit = {limit}; {LIMITED_CODE % (limit, limit)}", encoding="utf-8"
    )
    design = read_design(LIMITED, "limited.ccl")
    texts = {"put": "put", "full": "full", "room": f"n < {limit}", "none": f"n == {limit}", "n": "n"}
    texts["most"] = most
    given = [given_meaning(f"{name}={text}") for name, text in texts.items()]
    found = agree(design, implemented(design, ()), given, Files(ExtractOptions(files=(str(file),)), silent))
    assert found.simulated.related is related
    if related is None:
        assert found.simulated.reason == "it is not said which number `most` is (write `--map most=3`)"


def test_a_component_by_itself_has_no_values_for_its_parameters(tmp_path: Path) -> None:
    file = tmp_path / "limited.ccl"
    file.write_text(LIMITED, encoding="utf-8")
    ran = stateglass("assembly", str(file))
    assert ran.status == 2
    assert "`c` by itself has no value for `most`" in ran.err
    assert "assembly with_values() { c it(1); expose { … }; }" in ran.err
