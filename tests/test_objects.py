"""Objects of C++ as the subject: the examples of the paper on models from object-oriented code, with its figures."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.rooms import ROOT
from stateglass.cli.exits import Exit
from stateglass.logic.reading.claim import read_claim
from stateglass.model import Model
from stateglass.operations.composing import Transformation, transform_model
from stateglass.operations.reducing import reduce_model
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.pipeline import check_program, extract
from stateglass.source import InputError
from stateglass.system.parts import PartChoice, PartKind, read_members
from tests.cli.running import stateglass

EXAMPLES = ROOT / "examples"
LEVEL = "G([act1.length - act2.length <= 1 && act2.length - act1.length <= 1])"


def options_of(example: str, system: str | None = None) -> ExtractOptions:
    name = "stateglass.toml" if system is None else f"{example}.toml"
    return settings({}, system, str(EXAMPLES / example / name))[0]


def model_of(options: ExtractOptions) -> Model:
    extraction = extract(options)
    assert not extraction.exploration.model.partial
    return extraction.exploration.model


def stable_states(model: Model) -> int:
    (stable,) = (p for p in model.propositions if p.name == "stable")
    return int(stable.values.sum())


def verdict(options: ExtractOptions, text: str) -> str:
    (checked,) = check_program(options, [read_claim(text)]).checking.checked
    return str(checked.answer.verdict.value)


def test_an_actuator_has_five_stable_states() -> None:
    model = model_of(options_of("actuator"))
    assert stable_states(model) == 5
    # Each call leads through one state.
    assert model.states == 5 + 2 * 5
    (length,) = (p for p in model.propositions if p.name == "length")
    assert {int(v) for v in length.values} == set(range(5))


@pytest.mark.parametrize(
    ("system", "claim", "expected"),
    [
        ("platform", LEVEL, "violated"),
        ("platform", "G(![act1.length == 4 && act2.length == 0])", "violated"),
        ("platform", "G([stable] => [act1.length == act2.length])", "holds"),
        ("level", LEVEL, "holds"),
        ("level", "G(![act1.length == 4 && act2.length == 0])", "holds"),
    ],
)
def test_the_platform_is_tilted_where_a_short_circuit_makes_one_wait(system: str, claim: str, expected: str) -> None:
    assert verdict(options_of("suspension", system), claim) == expected


ACTUATOR = """
ACTUATOR = AT[0],
AT[n:0..4] = (call(move, d:-1..1) -> (when (n + d >= 0 && n + d <= 4) return(move, d) -> AT[n + d]
                                     | when (n + d < 0 || n + d > 4) return(move, 0) -> AT[n])).
"""


@pytest.mark.parametrize("system", ["platform", "level"])
def test_processes_in_place_of_the_actuators_do_what_their_code_does(system: str) -> None:
    code = options_of("suspension", system)
    members = ("act1=process Actuator", "act2=process Actuator")
    process = replace(code, members=members, processes=(f"Actuator={ACTUATOR}",))
    hidden = transform_model(model_of(process), Transformation(hide=("*(act*",)))[0]
    seen = [reduce_model(m, "weaktrace").model for m in (model_of(code), hidden)]
    assert seen[0].states == seen[1].states
    assert seen[0].transitions == seen[1].transitions


def test_stubs_in_place_of_the_actuators_do_more() -> None:
    stubs = replace(
        options_of("suspension", "platform"),
        members=("act1=stub", "act2=stub"),
        bounds=(("Actuator.move()", "-1..1"),),
    )
    model = model_of(stubs)
    assert {"call(act1.move, 1)", "return(act2.move, -1)"} <= set(model.labels)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_locks_have_three_stable_states_for_those_who_see_their_interface(count: int) -> None:
    options = options_of("locks")
    model = model_of(replace(options, flags=(f"-DCOUNT={count}",)))
    hidden = transform_model(model, Transformation(hide=("*(breaks*",)))[0]
    assert stable_states(reduce_model(hidden, "dpbranching", ("stable",)).model) == 3


def test_a_gate_survives_a_motor_that_fails() -> None:
    options = options_of("gate")
    assert "throw(motor.start, MotorFailure)" in model_of(options).labels
    assert not any(label.startswith("throw(GateController") for label in model_of(options).labels)
    assert verdict(options, "no-error") == "holds"


CLASSES = """
struct Shape { virtual int area() = 0; };
struct Square : Shape { int side = 1; int area() override { return side; } void grow(int by) { side = by; } };
struct Pair {
    Square one, two;
    int value;
    Pair(int a) : value(a) {}
    Pair(int a, int b) : value(a + b) {}
    int sum() { return one.area() + value; }
};
"""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--class", "Squar"], ["there is no class `Squar`", "did you mean `Square`?"]),
        (["--class", "Shape"], ["`Shape` is abstract: there are no objects of it", "Square"]),
        (["--class", "Square"], ["`Square.grow.by` (int32)", 'subject = "Square"', '"Square.grow.by" = "-10..10"']),
        (["--class", "Square", "--bound", "gro.by=1"], ["there is no input `gro.by` to give a bound for"]),
        (["--class", "Pair"], ["`Pair` has several constructors", "--init", "`Pair<int, int>`"]),
        (["--class", "Pair", "--init", "Pair<int>", "--bound", "a=1"], ["there is no input `a`"]),
        (["--class", "Pair", "--init", "Pair<bool>"], ["is no constructor of `Pair`", "`Pair<int>`"]),
        (["--class", "Square", "--function", "f"], ["either a class is looked at or functions"]),
        (["--class", "Pair", "--init", "Pair<int>", "--member", "on=stub"], ["has no part `on`", "`one`"]),
        (["--class", "Pair", "--init", "Pair<int>", "--member", "one=nothing"], ["`code`, `stub` or `process NAME`"]),
        (["--class", "Pair", "--init", "Pair<int>", "--member", "one=process D"], ["there is no process `D`"]),
    ],
)
def test_what_is_wrong_is_told(arguments: list[str], expected: list[str], tmp_path: Path) -> None:
    file = tmp_path / "classes.cpp"
    file.write_text(CLASSES, encoding="utf-8")
    ran = stateglass("extract", str(file), *arguments)
    assert int(ran.status) == 2
    for text in expected:
        assert text in ran.err


def test_whoever_checks_an_object_without_bounds_is_told_who_decides(tmp_path: Path) -> None:
    file = tmp_path / "classes.cpp"
    file.write_text(CLASSES, encoding="utf-8")
    words = "an object of a class is checked state by state, by the explicit engine"
    for engine in ("auto", "spacer"):
        ran = stateglass("check", str(file), "--class", "Square", "--engine", engine)
        assert int(ran.status) == 2
        assert words in ran.err
    assert words not in stateglass("check", str(file), "--class", "Square", "--engine", "explicit").err
    ran = stateglass("check", str(file), "--class", "Square", "--engine", "spacer", "--bound", "Square.grow.by=0..1")
    assert int(ran.status) == 3
    assert "but to the explicit engine" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("text", "is_made"),
    [
        ("template <class T> One(T x) : n(x) {}", False),
        ("One(const One &) = default;", False),
        ("One() = delete;", False),
        ("const int limit;", False),
        ("int &limit;", False),
        ("Wants wants;", False),
        ("Wants wants[2];", False),
        ("Hidden hidden;", False),
        ("const int limit = 1; int &other = n; Wants wants{2};", True),
        ("struct { int a; const int b = 2; }; union { int c; float d; };", True),
    ],
)
def test_an_object_is_made_by_a_constructor_that_there_is(text: str, is_made: bool, tmp_path: Path) -> None:
    file = tmp_path / "one.cpp"
    parts = "struct Wants { Wants(int) {} }; class Hidden { friend class Known; Hidden() = default; };"
    file.write_text(f"{parts} class One {{ int n = 0; public: {text} int get() {{ return n; }} }};", encoding="utf-8")
    ran = stateglass("extract", str(file), "--class", "One")
    assert int(ran.status) == (0 if is_made else 2), ran.err
    assert ("no public constructor of `One` has a body here" in ran.err) is not is_made


NAMES = """
namespace plant {
namespace inner {
class Pump { bool on = false; public: void toggle() { on = !on; } };
template <class T> class Box { T held{}; public: void fill() { held = 1; } };
template class Box<unsigned int>;
using Crate = Box<short>;
}
using Old = inner::Pump;
inline namespace now { class Valve { public: void turn() {} }; }
}
typedef plant::Old Newest;
using Tray = plant::inner::Box<unsigned>;
namespace other { class Valve { public: void turn() {} }; class Pump2 {}; }
"""


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *((name, "Pump") for name in ("Pump", "plant::inner::Pump", "::plant::inner::Pump", "inner::Pump")),
        *((name, "Pump") for name in ("plant.inner.Pump", "class Pump", "plant::Old", "Old", "Newest", "::Newest")),
        *((name, "Box<unsigned int>") for name in ("Box", "Box< unsigned  int >", "Tray", "inner::Box<unsigned int>")),
        *((name, "Valve") for name in ("plant::now::Valve", "plant::Valve", "now::Valve", "other::Valve")),
    ],
)
def test_a_class_goes_by_every_name_that_it_has(name: str, meant: str, tmp_path: Path) -> None:
    file = tmp_path / "names.cpp"
    file.write_text(NAMES, encoding="utf-8")
    ran = stateglass("extract", str(file), "--class", name)
    assert int(ran.status) == 0, ran.err
    assert ran.err.startswith(f"{meant}: ")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Valve", "there is more than one class `Valve`: `plant.now.Valve`, `other.Valve`"),
        ("ump", "there is no class `ump`"),
        ("inner::Valve", "there is no class `inner::Valve`"),
        ("Box<long>", "one that is made of a template is there if the code asks for all of it"),
        ("Crate", "one that is made of a template is there if the code asks for all of it"),
    ],
)
def test_a_name_that_means_no_class_or_several_is_refused(name: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "names.cpp"
    file.write_text(NAMES, encoding="utf-8")
    ran = stateglass("extract", str(file), "--class", name)
    assert int(ran.status) == 2
    assert words in ran.err


def test_a_constructor_that_is_asked_for_has_bounds_by_short_names(tmp_path: Path) -> None:
    file = tmp_path / "classes.cpp"
    file.write_text(CLASSES, encoding="utf-8")
    arguments = ["--class", "Pair", "--init", "Pair<int>", "--bound", "Pair.a=3..4", "--member", "one=stub"]
    ran = stateglass("extract", str(file), *arguments, "--bound", "one.area()=5")
    assert int(ran.status) == 0
    assert "call(Pair.Pair<int>, 3)" in ran.out
    assert "return(Pair.sum, 9)" in ran.out


def test_a_process_must_fit_what_it_stands_for(tmp_path: Path) -> None:
    file = tmp_path / "classes.cpp"
    file.write_text(CLASSES, encoding="utf-8")
    project = 'schema = 1\n[system.pair]\nsubject = "Pair"\ninit = "Pair<int>"\nmembers = { one = "process P" }\n'
    project += (
        '[system.pair.bounds]\n"Pair.a" = "1"\n[process.P]\nfsp = "P = (call(areas) -> return(areas, 1) -> P)."\n'
    )
    (tmp_path / "stateglass.toml").write_text(project, encoding="utf-8")
    ran = stateglass("extract", str(file))
    assert int(ran.status) == 2
    assert "`areas`" in ran.err
    assert "`area`" in ran.err


WORDS = st.sampled_from(["act1", "lamps[0]", "=", " ", "code", "stub", "process", "Door", "process Door", "é", ""])


@given(st.lists(st.lists(WORDS, max_size=5).map("".join) | st.text(max_size=12), max_size=4))
def test_what_is_said_of_parts_is_understood_or_refused(texts: list[str]) -> None:
    try:
        found = read_members(tuple(texts), ("Door",))
    except InputError as error:
        assert error.diagnostics
        return
    assert set(found) == {text.partition("=")[0].strip() for text in texts}
    for path, choice in found.items():
        said = f"{path}={choice.kind.value}{' ' if choice.name else ''}{choice.name}"
        assert read_members((said,), ("Door",)) == {path: choice}


def test_an_object_with_virtual_functions_is_called(tmp_path: Path) -> None:
    file = tmp_path / "classes.cpp"
    file.write_text(CLASSES, encoding="utf-8")
    model = model_of(ExtractOptions(files=(str(file),), of_class="Square", bounds=(("grow.by", "2..3"),)))
    assert {"return(Square.area, 1)", "return(Square.area, 3)"} <= set(model.labels)


UNMADE = """
struct Jammed {};
struct Door {
    int angle = 0;
    Door(int given) { if (given == 3) throw Jammed(); angle = given; }
    int turn() { return angle; }
};
"""


@pytest.mark.parametrize("given", ["3", "2..3"])
def test_an_object_that_could_not_be_made_is_not_called(given: str, tmp_path: Path) -> None:
    file = tmp_path / "door.cpp"
    file.write_text(UNMADE, encoding="utf-8")
    options = ExtractOptions(files=(str(file),), of_class="Door", bounds=(("Door.Door.given", given),))
    model = extract(options).exploration.model
    (thrown,) = (n for n, a in enumerate(model.actions) if model.labels[a] == "throw(Door.Door, Jammed)")
    target = int(model.targets[thrown])
    assert model.terminal is not None
    assert model.terminal[target]
    assert model.first[target] == model.first[target + 1]


def test_what_promises_to_throw_nothing_does_not() -> None:
    for name in ("motor.stop", "MotorController.stop"):
        with pytest.raises(InputError, match="declared `noexcept`"):
            extract(replace(options_of("gate"), can_throw=(f"{name}=MotorFailure",)))


def test_the_last_word_about_a_part_counts() -> None:
    found = read_members(("a=stub", "b=process Door", "a=code"), ("Door",))
    assert found == {"a": PartChoice(PartKind.CODE), "b": PartChoice(PartKind.PROCESS, "Door")}


THROWN = """
#include <stdexcept>
#include <string>
template <class T> struct Told : std::runtime_error { T what; Told() : std::runtime_error("told"), what() {} };
struct Caught { int *kept; Caught() : kept(new int(3)) {} ~Caught() { delete kept; } };
struct Line { Line(); void send(); };
struct Link {
    Line line;
    int send() {
        try { line.send(); } catch (const Caught &) { return 1; } catch (const Told<int> &) { throw; }
        return 0;
    }
};
"""


def test_exceptions_of_stubs_are_destroyed_like_others(tmp_path: Path) -> None:
    file = tmp_path / "thrown.cpp"
    file.write_text(THROWN, encoding="utf-8")
    project = '[system.link]\nsubject = "Link"\nmembers = { line = "stub" }\n'
    project += 'can_throw = { "line.send" = ["Caught", "Told<int>"] }\n'
    (tmp_path / "stateglass.toml").write_text("schema = 1\n" + project, encoding="utf-8")
    ran = stateglass("extract", str(file))
    assert int(ran.status) == 0
    assert "is lost" not in ran.err
    assert "throw(Link.send, Told<int>)" in ran.out


OVER_HEADERS = """
struct Hidden;
class Base {
public:
    void note();
    int level() const;
protected:
    int kept = 0;
    bool open = false;
};
struct Watcher {
    int seen = 0;
    void tell();
};
void announce(Base *who);
class Pump : public Base {
    int n = 0;
    Watcher watcher;
public:
    void step() { n = (n + 1) % 3; note(); announce(this); watcher.tell(); }
    bool full() { return level() > 1; }
    void look(const Hidden *h) { if (h) n = 0; }
    void far(int **p) { if (p) n = 1; }
};
"""


def test_functions_whose_code_is_elsewhere_need_no_bounds_for_the_objects_they_get(tmp_path: Path) -> None:
    file = tmp_path / "pump.cpp"
    file.write_text(OVER_HEADERS, encoding="utf-8")
    options = ExtractOptions(files=(str(file),), of_class="Pump", bounds=(("Base.level()", "1..2"),))
    model = extract(options).exploration.model
    assert {"call(Pump.step)", "return(Pump.full, true)", "return(Pump.full, false)"} <= set(model.labels)
    said = {(a.subject, a.text) for a in model.origin.assumptions}
    unknown = "is not known, and what was there is taken to stay"
    assert ("Base.note", f"it has no body: what it changes of its object {unknown}") in said
    assert ("announce", f"it has no body: what it writes through `who` {unknown}") in said
    assert ("Base.level", "it has no body: it returns any of 1..2") in said
    left_out = " ".join(model.origin.partial)
    assert "`Pump.look` is not called: nothing is known of `Hidden`" in left_out
    assert "`Pump.far` is not called: nobody outside can make a `int **`" in left_out


CELLS = """
template <class T> class Cell {
public:
    Cell() : value(3) {}
    T value;
};
struct Settings {
    Cell<int> speed;
    Cell<short> torque;
};
"""
# Nobody makes an object of these classes, so that clang has no constructors of their parts; two of them have one name.
READERS = {
    "first": "struct First { Settings settings; int get() { return settings.speed.value; } };",
    "second": "struct Second { Settings settings; int get() { return settings.torque.value; } };",
    "third": "namespace { struct In { Cell<long> x; }; } struct Third { In in; int get() { return in.x.value; } };",
    "fourth": "namespace { struct In { Cell<char> y; }; } struct Fourth { In in; int get() { return in.y.value; } };",
}


@pytest.mark.parametrize("name", ["First", "Second", "Third", "Fourth"])
def test_classes_of_several_files_have_what_their_parts_need_of_templates(name: str, tmp_path: Path) -> None:
    (tmp_path / "cells.h").write_text(f"#pragma once\n{CELLS}", encoding="utf-8")
    files = []
    for file, text in READERS.items():
        path = tmp_path / f"{file}.cpp"
        path.write_text(f'#include "cells.h"\n{text}\n', encoding="utf-8")
        files.append(str(path))
    model = model_of(ExtractOptions(files=tuple(files), of_class=name))
    assert {label for label in model.labels if label.startswith("return")} == {f"return({name}.get, 3)"}


POOLS = """
namespace store { template <int N> struct Shelf { int things = N; void add(int k) { things += k; } }; }
template <int N> struct Pool : store::Shelf<N> {
    ~Pool() { Pool<N>::clear(); }
    void clear() { store::Shelf<N>::things = 0; }
    int take() { if (store::Shelf<N>::things > 0) store::Shelf<N>::add(-1); return store::Shelf<N>::things; }
};
struct User {
    Pool<2> pool;
    int take() { return pool.take(); }
    void fill() { pool.clear(); pool.store::Shelf<2>::add(2); }
    int once() { Pool<7> other; return other.take(); }
};
"""


def test_parts_made_of_templates_are_parts_like_others(here: Path) -> None:
    """Members that are named with all their classes, whose arguments are no objects; stubs; a driver."""
    Path("pools.cpp").write_text(POOLS, encoding="utf-8")
    model = model_of(ExtractOptions(files=("pools.cpp",), of_class="User"))
    assert "return(User.once, 6)" in model.labels
    assert "load(User.pool.things, 1)" in model.labels
    stub = ExtractOptions(files=("pools.cpp",), of_class="User", members=("pool=stub",), bounds=(("pool.take()", "0"),))
    assert "return(pool.take, 0)" in model_of(stub).labels
    claim = "!F return(User.take, 1)"
    assert (
        stateglass("check", "pools.cpp", "--class", "User", f"--claim={claim}", "-o", "e.json").status == Exit.FINDINGS
    )
    assert shutil.which("g++") is None or stateglass("replay", "e.json").status == Exit.OK
