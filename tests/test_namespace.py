"""What an object uses of the program around it: free functions, global variables, and variables of parts as no code."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.explore import explore
from stateglass.frontend import Reading
from stateglass.model import Model
from stateglass.operations.assembling import assemble, read
from stateglass.options import ExtractOptions
from stateglass.source import InputError
from stateglass.system.namespace import GLOBAL, short_name

TANK = """
namespace board {
int limit = 3;
int read_sensor(int channel) { return channel + limit; }
}
int level;
bool is_high(int value) { return value > board::limit; }
struct Tank {
    int last = 0;
    bool check() { last = board::read_sensor(1); return is_high(last) && level > 0; }
    void fill() { level = level + 1; if (level > 2) level = 0; }
};
"""
ROBOT = """
struct Gear { int ratio = 1; };
struct Base { bool on = false; };
struct Motor : Base {
    int angle = 0;
    Gear gear;
    int load[2] = {1, 2};
    bool same(const Motor &other) { return angle == other.angle; }
    int twice() { int *own = &angle; return *own + *own; }
};
struct Robot {
    Motor one, two;
    Motor &which(bool first) { return first ? one : two; }
    int pose() { return one.angle * 10 + two.angle; }
    void set(bool first, bool value) { which(first).on = value; }
    bool is(bool first) { return which(first).on; }
    int gear() { one.gear.ratio = 7; return one.gear.ratio; }
    bool same() { return two.same(one); }
    int turned() { return two.twice(); }
    int loads(int i) { one.load[i]++; return one.load[i] + two.load[i]; }
    int *leak() { return &one.angle; }
    int rounds() { int n = 0; while (one.angle > n) n++; return n; }
};
"""


@functools.cache
def reading_of(code: str, folder: Path) -> Reading:
    file = folder / "code.cpp"
    file.write_text(code, encoding="utf-8")
    return read(ExtractOptions(files=(str(file),)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("namespace")


def model_of(code: str, folder: Path, **asked: Any) -> Model:
    reading = reading_of(code, folder)
    return explore(assemble(reading, ExtractOptions(files=reading.program.files, **asked))).model


def labels(model: Model, start: str) -> set[str]:
    return {label for label in model.labels if label.startswith(start)}


# ---- functions


def test_code_is_the_default(folder: Path) -> None:
    model = model_of(TANK, folder, of_class="Tank")
    assert all("Tank." in label for label in model.labels)
    (level,) = (p for p in model.propositions if p.name == "level")
    assert {int(v) for v in level.values} == {0, 1, 2}


def test_one_function_is_a_stub(folder: Path) -> None:
    asked = {"members": ("::board.read_sensor=stub",), "bounds": (("board.read_sensor()", "3..4"),)}
    model = model_of(TANK, folder, of_class="Tank", **asked)
    assert labels(model, "call(board") == {"call(board.read_sensor, 1)"}
    assert labels(model, "return(board") == {"return(board.read_sensor, 3)", "return(board.read_sensor, 4)"}
    assert not labels(model, "load(::")


def test_all_but_one_function_are_stubs(folder: Path) -> None:
    bounds = (("board.read_sensor()", "3..4"), ("::level", "0..1"), ("board.limit", "3"))
    asked = {"members": ("::=stub", "::is_high=code"), "bounds": bounds}
    model = model_of(TANK, folder, of_class="Tank", **asked)
    assert labels(model, "call(") >= {"call(board.read_sensor, 1)"}
    assert not labels(model, "call(is_high")
    assert labels(model, "load(::") == {"load(::level, 0)", "load(::level, 1)", "load(::board.limit, 3)"}
    # What is stored is seen and forgotten; afterwards any value is read, so that it never gets above 2 here.
    assert labels(model, "store(::") == {"store(::level, 1)", "store(::level, 2)"}
    shown = {p.name for p in model.propositions}
    assert shown == {"stable", "last"}


BOARD = """
BOARD = AT[0],
AT[n:0..2] = ( call(::board::read_sensor, c:0..3) -> return(::board::read_sensor, c + 3) -> AT[n]
             | load(::level, n) -> AT[n] | store(::level, v:0..2) -> AT[v] | store(::level, 3) -> HIGH),
HIGH = (load(::level, 3) -> store(::level, 0) -> AT[0]).
"""


def test_a_process_for_the_namespace_does_what_its_code_does(folder: Path) -> None:
    members = ("::=process Board", "::is_high=code", "::board.limit=code")
    model = model_of(TANK, folder, of_class="Tank", members=members, processes=(f"Board={BOARD}",))
    assert not model.deadlocks.size
    code = model_of(TANK, folder, of_class="Tank")
    assert labels(model, "return(Tank") == labels(code, "return(Tank")
    assert {p.name for p in model.propositions} >= {"Board", "board.limit"}


def test_a_process_stands_for_a_single_function(folder: Path) -> None:
    process = "SENSOR = (call(read_sensor, c:0..3) -> return {$0 == c + 4} -> SENSOR)."
    process = process.replace("call(read", "call(board.read")
    asked = {"members": ("::board::read_sensor=process Sensor",), "processes": (f"Sensor={process}",)}
    model = model_of(TANK, folder, of_class="Tank", **asked)
    assert labels(model, "return(board") == {"return(board.read_sensor, 5)"}


def test_functions_of_a_program_in_c_may_be_stubs_too(tmp_path: Path) -> None:
    file = tmp_path / "code.c"
    file.write_text("int sense(void) { return 1; }\nint step(void) { return sense(); }\n", encoding="utf-8")
    options = ExtractOptions(files=(str(file),), functions=("step",), bounds=(("sense()", "5..6"),))
    for members in (("::sense=stub",), ("::=stub",)):
        model = explore(assemble(read(options), replace(options, members=members))).model
        assert labels(model, "return(step") == {"return(step, 5)", "return(step, 6)"}


# ---- variables of parts

ANGLE = ("one.angle", "0..1")


def robot(folder: Path, *visible: str, bounds: Sequence[tuple[str, str]] = (), **asked: Any) -> Model:
    chosen = {"members": ("one=stub",), **asked}
    return model_of(ROBOT, folder, of_class="Robot", visible=visible, bounds=tuple(bounds), **chosen)


def test_variables_of_a_stub_are_asked_for(folder: Path) -> None:
    model = robot(folder, "pose", bounds=[ANGLE])
    assert labels(model, "load(one") == {"load(one.angle, 0)", "load(one.angle, 1)"}
    assert labels(model, "return(") == {"return(Robot.pose, 0)", "return(Robot.pose, 10)"}


def test_a_reference_leads_to_the_part_that_is_meant(folder: Path) -> None:
    model = robot(folder, "set", "is")
    assert labels(model, "store(one") == {"store(one.on, false)", "store(one.on, true)"}
    assert labels(model, "load(one") == {"load(one.on, false)", "load(one.on, true)"}
    assert not labels(model, "load(two") | labels(model, "store(two")
    (on,) = (p for p in model.propositions if p.name == "two.on")
    assert {int(v) for v in on.values} == {0, 1}


def test_parts_within_and_elements_are_asked_for(folder: Path) -> None:
    model = robot(folder, "gear", bounds=[("one.gear.ratio", "3")])
    assert labels(model, "store(one") == {"store(one.gear.ratio, 7)"}
    assert labels(model, "return(") == {"return(Robot.gear, 3)"}
    model = robot(folder, "loads", bounds=[("loads.i", "0..1"), ("one.load[0]", "4"), ("one.load[1]", "5")])
    assert labels(model, "store(one") == {"store(one.load[0], 5)", "store(one.load[1], 6)"}
    assert labels(model, "return(") == {"return(Robot.loads, 5)", "return(Robot.loads, 7)"}


def test_a_function_of_the_same_class_asks_for_the_other_object_alone(folder: Path) -> None:
    model = robot(folder, "same", "turned", bounds=[ANGLE, ("one.same()", "bool"), ("one.twice()", "0")])
    assert labels(model, "load(one") == {"load(one.angle, 0)", "load(one.angle, 1)"}
    assert labels(model, "return(") == {
        "return(Robot.same, true)",
        "return(Robot.same, false)",
        "return(Robot.turned, 0)",
    }
    assert not model.partial


def test_a_condition_asks_each_time(folder: Path) -> None:
    model = robot(folder, "rounds", bounds=[ANGLE])
    assert labels(model, "return(") == {"return(Robot.rounds, 0)", "return(Robot.rounds, 1)"}


def test_what_is_pointed_to_is_not_supported_and_said(folder: Path) -> None:
    model = robot(folder, "leak")
    assert any("`angle` belongs to what is no code, and cannot be pointed to" in r for r in model.origin.partial)


def test_a_process_keeps_the_variables_of_its_part(folder: Path) -> None:
    process = """MOTOR = (store(on, v:bool) -> IS[v] | load(on, false) -> MOTOR),
        IS[v:bool] = (load(on, v) -> IS[v] | store(on, w:bool) -> IS[w])."""
    members = ("one=process M", "two=process M")
    model = robot(folder, "set", "is", members=members, processes=(f"M={process}",))
    assert labels(model, "store(two") == {"store(two.on, false)", "store(two.on, true)"}
    code = robot(folder, "set", "is", members=())
    assert sum(p.values.sum() for p in code.propositions if p.name == "stable") == 4
    # The first value is not yet stored in two of its states: each part may be as it was made.
    assert sum(p.values.sum() for p in model.propositions if p.name == "stable") == 9


def test_a_bound_for_a_class_goes_for_the_variables_of_its_parts(folder: Path) -> None:
    model = robot(folder, "pose", members=("one=stub", "two=stub"), bounds=[("Motor.angle", "1")])
    assert labels(model, "load(") == {"load(one.angle, 1)", "load(two.angle, 1)"}


# ---- mistakes


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        (("::read_senor=stub",), ["nothing that is called or used is `::read_senor`"]),
        (("::board.read_senor=stub", "::lvel=stub"), ["`::board.read_senor`", "`::board.read_sensor`", "`::level`"]),
        (("::=process P",), ["there is no function `read`", "`::board.read_sensor`"]),
    ],
)
def test_what_is_wrong_is_told(members: tuple[str, ...], expected: list[str], folder: Path) -> None:
    processes = ("P=P = (call(read, 1) -> P).",)
    with pytest.raises(InputError) as raised:
        model_of(TANK, folder, of_class="Tank", members=members, processes=processes)
    told = "\n".join(f"{d.message} {d.help}" for d in raised.value.diagnostics)
    for text in expected:
        assert text in told


POINTED = """
int level;
int *where = &level;
int first();
int made = first();
struct Tank {
    int read() { return *where; }
    int use() { return made; }
    void keep() { where = &made; }
};
"""


def test_a_variable_that_is_pointed_to_must_be_code(folder: Path) -> None:
    with pytest.raises(InputError, match="`level` cannot be a stub or a process: `where` points to it"):
        model_of(POINTED, folder, of_class="Tank", visible=("read",), members=("::level=stub",))
    asked: dict[str, Any] = {"of_class": "Tank", "members": ("::made=stub",)}
    bounds = (("made", "7"), ("first()", "1"))
    model = model_of(POINTED, folder, visible=("use",), bounds=bounds, **asked)
    # Its first value is nobody's business.
    assert labels(model, "return(Tank.use") == {"return(Tank.use, 7)"}
    assert not labels(model, "store(")
    kept = model_of(POINTED, folder, visible=("keep",), bounds=bounds[1:], **asked)
    assert any("`made` belongs to what is no code, and cannot be pointed to" in r for r in kept.origin.partial)


def test_what_a_stub_holds_needs_a_bound(folder: Path) -> None:
    with pytest.raises(InputError) as raised:
        model_of(TANK, folder, of_class="Tank", members=("::=stub",))
    told = raised.value.diagnostics[0].message
    assert "`level`" in told
    assert "`board.read_sensor()`" in told


PATHS = st.sampled_from(["::", "::level", "::board", ".", "::board.limit", "::is_high", "level", "é", "::fill", " "])
KINDS = st.sampled_from(["=code", "=stub", "=process P", "=process Q", "", "="])


@given(st.lists(st.tuples(PATHS, KINDS).map("".join), max_size=3))
def test_what_is_said_of_the_namespace_is_understood_or_refused(folder: Path, members: list[str]) -> None:
    options: dict[str, Any] = {"of_class": "Tank", "members": tuple(members)}
    bounds = (("board.read_sensor()", "3"), ("level", "0"), ("board.limit", "3"), ("is_high()", "bool"))
    reading = reading_of(TANK, folder)
    for given_bounds in ((), bounds):
        asked = ExtractOptions(files=reading.program.files, bounds=given_bounds, processes=("P=P = STOP.",), **options)
        try:
            system = assemble(reading, asked)
        except InputError as error:
            assert error.diagnostics
        else:
            assert system.entries


@given(st.text(alphabet="ab:.", max_size=8))
def test_names_in_the_namespace_have_one_spelling(text: str) -> None:
    assert "::" not in short_name(GLOBAL + text.strip(":"))
