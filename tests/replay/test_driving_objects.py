"""Drivers for objects of C++: evidence is confirmed with doubles of members; code that does otherwise is refuted."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from scripts.rooms import ROOT
from stateglass.cli.exits import Exit
from stateglass.operations.assembling import assemble, read
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.program import Pointer, Program, is_scalar
from stateglass.program.classes import Access, Class, Role
from stateglass.replay.driving.doubles import constructor_symbols
from stateglass.replay.driving.script import CallsOut, Changes, Returns, Script, Throws
from stateglass.source import InputError
from stateglass.system.guessing import guess_object
from stateglass.system.making.plan import Plan
from stateglass.system.subjects import Asked
from tests.cli.running import stateglass
from tests.generator.cplusplus import generate_cplusplus
from tests.replay.driven import Subject, positions, subject
from tests.test_handed import INTERFACES

EXAMPLES: Final = ROOT / "examples"
needs_compiler = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("g++") is None, reason="there is no g++ with its gcc"
)
ACTUATOR: Final = """
ACTUATOR = AT[0],
AT[n:0..4] = (call(move, d:-1..1) -> (when (n + d >= 0 && n + d <= 4) return(move, d) -> AT[n + d]
                                     | when (n + d < 0 || n + d > 4) return(move, 0) -> AT[n])).
"""
# Each with the arguments of `check`; the claim is violated.
CLAIMS: Final = {
    "a field": ("--project=actuator/stateglass.toml", "--claim=G([length < 4])"),
    "a result": ("--project=actuator/stateglass.toml", "--claim=G(!return(Actuator.move, 0))"),
    "a moment": ("--project=suspension/suspension.toml", "--system=platform", "--claim=level"),
    "an exception of a member": ("--project=gate/stateglass.toml", "--claim=G(![gate.position == Unknown])"),
    "calls of a member": ("--project=gate/stateglass.toml", "--claim=G(!call(motor.start, false))"),
    "an exception of the object": ("--project=locks/stateglass.toml", "--claim=G(!throw(Locks.is_locked, Broken))"),
    "elements": ("--project=locks/stateglass.toml", "--claim=G(![bolts[1].state == Broken])"),
    "a loop": ("--project=locks/stateglass.toml", "--claim=F(call(breaks))"),
    "a call back": ("--project=hoist/stateglass.toml", "--claim=arrives"),
    "a stub beside its code": (
        *("suspension/suspension.cpp", "--class=SuspensionController", "--member=act1=stub"),
        *("--bound=Actuator.move()=-1..1", "--claim=G([act2.length < 3])"),
    ),
    "two stubs of one class": (
        *("suspension/suspension.cpp", "--class=LevelController", "--member=act1=stub", "--member=act2=stub"),
        *("--bound=Actuator.move()=0..1", "--claim=G(!call(act2.move, -1))"),
    ),
}


@needs_compiler
@pytest.mark.parametrize("name", CLAIMS)
def test_evidence_of_examples_is_confirmed(name: str, here: Path) -> None:
    for example in ("actuator", "gate", "hoist", "locks", "suspension"):
        shutil.copytree(EXAMPLES / example, here / example)
    assert stateglass("check", *CLAIMS[name], "-o", "e.json").status == Exit.FINDINGS
    ran = stateglass("replay", "e.json")
    assert ran.status == Exit.OK, ran.out + ran.err


@needs_compiler
def test_processes_are_played_by_doubles(tmp_path: Path) -> None:
    code = settings({}, "platform", str(EXAMPLES / "suspension" / "suspension.toml"))[0]
    members = ("act1=process Actuator", "act2=process Actuator")
    found = subject(replace(code, members=members, processes=(f"Actuator={ACTUATOR}",)))
    script = found.walk(seed=3, length=40)
    assert positions(script, CallsOut)
    assert found.drive(script, tmp_path).confirmed


# ---- code that does something else

CHANGES: Final = {
    "actuator": ("next < 0)", "next < -1)", "actuator/stateglass.toml", None),
    "gate": ("motor.stop();\n        gate.set(goal)", "gate.set(goal)", "gate/stateglass.toml", None),
    "locks": ("locked == lock", "locked != lock", "locks/stateglass.toml", None),
    "suspension": ("up ? 1 : -1", "up ? -1 : 1", "suspension/suspension.toml", "level"),
}


@needs_compiler
@pytest.mark.parametrize("name", CHANGES)
def test_code_that_does_something_else_is_refuted(name: str, tmp_path: Path) -> None:
    before, after, project, system = CHANGES[name]
    found = subject(settings({}, system, str(EXAMPLES / project))[0])
    (path,) = found.system.program.files
    text = Path(path).read_text(encoding="utf-8")
    assert before in text
    other = Path(path).with_name("other.cpp").name
    (tmp_path / "changed").mkdir()
    shutil.copytree(EXAMPLES / "actuator", tmp_path / "actuator")
    changed = tmp_path / "changed" / other
    changed.write_text(text.replace(before, after), encoding="utf-8")
    script = found.walk(seed=1, length=60)
    assert found.drive(script, tmp_path / "same").confirmed
    outcome = found.drive(script, tmp_path / "other", [str(changed)])
    assert outcome.confirmed is False
    assert outcome.step is not None


ORDER: Final = """
struct Jammed {}; struct Late {};
struct Motor { void start(int how); void stop(); };
class Box {
    Motor motor, spare;
    int runs = 0;
public:
    int go(int how) {
        if (how > 2) throw Jammed();
        motor.start(how);
        spare.stop();
        motor.stop();
        return ++runs;
    }
};
"""
DEPARTURES: Final = {
    "calls in another order": (
        ("motor.start(how);\n        spare.stop();", "spare.stop();\n        motor.start(how);"),
        "the code calls another function outside, where the run has call(motor.start, 1)",
    ),
    "calls for another object": (("spare.stop()", "motor.stop()"), "where the run has call(spare.stop)"),
    "a call too few": (("        motor.stop();\n", ""), "the code returns, where the run has call(motor.stop)"),
    "a call too many": (("return ++", "motor.stop(); return ++"), "where the run has return(Box.go, 1)"),
    "another argument": (("start(how)", "start(how + 1)"), "argument 1 is 2, where the run has 1 at call(motor.start"),
    "another result": (("++runs", "++runs + 1"), "what the code returns is 2, where the run has 1"),
    "another value of a field": (
        ("runs = 0", "runs = 5"),
        "runs is 5 when the environment goes on, where the run has 0",
    ),
    "an exception": (
        ("motor.stop();\n", "throw Late();\n"),
        "the code throws Late, where the run has call(motor.stop)",
    ),
    "another exception": (
        ("throw Jammed", "throw Late"),
        "the code throws Late, where the run has throw(Box.go, Jammed)",
    ),
    "no exception": (
        ("how > 2", "how > 3"),
        "the code calls a function outside, where the run has throw(Box.go, Jammed)",
    ),
}


@needs_compiler
@pytest.mark.parametrize("name", DEPARTURES)
def test_each_kind_of_departure_is_told(name: str, tmp_path: Path) -> None:
    change, said = DEPARTURES[name]
    found, script = _box(tmp_path, throws="exception" in name and "Jammed" in said)
    assert found.drive(script, tmp_path / "same").confirmed
    other = tmp_path / "other.cpp"
    assert change[0] in ORDER
    other.write_text(ORDER.replace(*change), encoding="utf-8")
    outcome = found.drive(script, tmp_path / "other", [str(other)])
    assert outcome.confirmed is False
    assert said in outcome.reason


def _box(folder: Path, *, throws: bool) -> tuple[Subject, Script]:
    file = folder / "box.cpp"
    file.write_text(ORDER, encoding="utf-8")
    bounds = (("go.how", "3" if throws else "1"),)
    found = subject(ExtractOptions(files=(str(file),), of_class="Box", bounds=bounds))
    return found, found.walk(seed=0, length=10)


# ---- generated code


@needs_compiler
@pytest.mark.parametrize("seed", range(4))
def test_generated_programs_are_confirmed(seed: int, tmp_path: Path) -> None:
    found = subject(ExtractOptions(files=_generated(seed, 15, tmp_path), functions=("main",)))
    outcome = found.drive(found.walk(seed, 150), tmp_path / "driver")
    assert outcome.confirmed, outcome.reason


@needs_compiler
@pytest.mark.parametrize("seed", range(6))
def test_generated_classes_are_confirmed(seed: int, tmp_path: Path) -> None:
    options = ExtractOptions(files=_generated(seed, 12, tmp_path))
    reading = read(options)
    dice = random.Random(seed)
    classes = [c for c in reading.program.classes.values() if c.name.startswith("K") and not c.abstract]
    owner = dice.choice([c for c in classes if _plain_functions(reading.program, c)])
    visible = tuple(_plain_functions(reading.program, owner))
    written = [m for m in owner.constructors if not m.implicit and _is_plain(reading.program, m.name, m.hidden)]
    init = dice.choice(written).short if written else None
    guess = guess_object(reading.program, owner.record, init, {}, Asked(visible=visible), Plan())
    bounds = tuple((b.name, "{0, 3}" if "int" in b.comment else b.spec) for b in guess.bounds)
    options = replace(options, of_class=owner.record, init=init, bounds=bounds, visible=visible)
    flags = tuple(use.for_this_machine() for use in reading.surroundings.files)
    found = Subject(assemble(reading, options), flags)
    outcome = found.drive(found.walk(seed, 60), tmp_path / "driver")
    assert outcome.confirmed, outcome.reason


def _generated(seed: int, size: int, folder: Path) -> tuple[str, ...]:
    for name, text in generate_cplusplus(seed, size).files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return tuple(str(folder / name) for name in generate_cplusplus(seed, size).files)


def _plain_functions(program: Program, owner: Class) -> list[str]:
    """The functions that take numbers alone."""
    methods = [m for m in owner.methods if m.role is Role.METHOD and m.access is Access.PUBLIC and not m.implicit]
    return [m.short for m in methods if _is_plain(program, m.name, m.hidden)]


def _is_plain(program: Program, function: str, hidden: int) -> bool:
    known = program.functions.get(function)
    types = [p.type for p in known.parameters[hidden:]] if known is not None else []
    return known is not None and all(is_scalar(t) and not isinstance(t, Pointer) for t in types)


# ---- what C++ has

VIRTUAL: Final = """
namespace hw {
struct Jam { int code; Jam() : code(3) {} };
class Motor {
    int speed;
public:
    Motor(int s) : speed(s) {}
    virtual ~Motor();
    virtual bool start(int how, int &left);
    virtual void stop() noexcept;
    int plain(const char *text, double d);
};
class Lamp {
    int on = 2;
public:
    Lamp() { on = blink(1); }
    virtual int blink(int n) { return n + 1; }
    virtual ~Lamp() {}
    int value() { return on; }
};
}
class Box {
    hw::Motor motor{4};
    hw::Lamp lamp, spare;
    int left = 0;
public:
    int run(int how) {
        hw::Motor &m = motor;
        try {
            if (m.start(how, left)) {
                m.stop();
                return m.plain("x", 1.5);
            }
        } catch (const hw::Jam &j) {
            left = j.code;
            return -1;
        }
        hw::Lamp *l = &lamp;
        int first = l->blink(left);
        return first + spare.blink(2) + spare.value();
    }
};
"""


@needs_compiler
@pytest.mark.parametrize("seed", range(4))
def test_virtual_functions_of_members_are_doubled(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "box.cpp"
    file.write_text(VIRTUAL, encoding="utf-8")
    bounds = {"run.how": "0..1", "motor.start.left": "0..1", "motor.plain()": "0..2", "lamp.blink()": "0..2"}
    options = ExtractOptions(
        files=(str(file),),
        of_class="Box",
        members=("motor=stub", "lamp=stub"),
        can_throw=("motor.start=Jam",),
        bounds=(*bounds.items(), ("lamp.value()", "0..1")),
    )
    found = subject(options)
    outcome = found.drive(found.walk(seed, 40), tmp_path / "driver")
    assert outcome.confirmed, outcome.reason


HEADER: Final = """
#ifndef PUMP_H
#define PUMP_H
namespace plant {
enum class Level : unsigned char { Low, High };
struct Stuck { int code = 0; };
struct Place { int x; short y; };
class Valve { public: bool open(int how); void close() noexcept; static int made(); };
struct Base { int starts = 0; virtual void note(int n) { starts = n; } virtual ~Base() = default; };
template <class T, int N> class Ring {
    T all[N] = {};
    int used = 0;
public:
    void put(T x) { all[used] = x; used = (used + 1) % N; }
};
class Pump : public Base {
    Valve in, out;
    Ring<short, 2> log;
    Level level = Level::Low;
    static int total;
public:
    int volume = 0;
    explicit Pump(int start);
    Pump(long start, bool) : Pump(static_cast<int>(start)) {}
    int run(Level want);
    void run(int) { throw 3; }
    void note(int n) override;
    Place at() const { return {starts, 7}; }
    bool operator()(double x) const { return x > volume; }
};
}
#endif
"""
FILES: Final = {
    "pump.h": HEADER,
    "pump.cpp": """
#include "pump.h"
namespace { int hidden = 3; }
namespace plant {
int Pump::total = hidden + 1;
Pump::Pump(int start) : volume(start) { hidden = 2; }
void Pump::note(int n) { Base::note(2 * n); total = (total + 1) % 3; }
}
""",
    "run.cpp": """
#include "pump.h"
namespace plant {
int Pump::run(Level want) {
    note(1);
    if (want == level) return -1;
    if (!in.open(want == Level::High ? 2 : 1)) throw Stuck();
    out.close();
    level = want;
    log.put(static_cast<short>(starts));
    return Valve::made();
}
}
""",
}


@needs_compiler
@pytest.mark.parametrize("init", ["Pump<int>", "Pump<long, bool>"])
def test_a_class_may_be_spread_over_files(init: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    bounds = {f"Pump.{init}.start": "5", "run<int>.argument1": "0", "plant.Valve.made()": "0..1", "volume": "{1}"}
    bounds |= {"note.n": "1", "operator().x": "{0.5, 6}"}
    files = tuple(str(tmp_path / name) for name in ("run.cpp", "pump.cpp"))
    found = subject(ExtractOptions(files=files, of_class="Pump", init=init, bounds=tuple(bounds.items())))
    script = found.walk(seed=2, length=120)
    assert positions(script, Throws)
    assert any(isinstance(i.what, Returns) and i.what.parts for i in script.items)
    outcome = found.drive(script, tmp_path / "driver")
    assert outcome.confirmed, outcome.reason


LIBRARY: Final = """
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
class Store {
    std::vector<int> items;
    std::map<int, std::string> names;
    std::optional<int> last;
    std::array<int, 2> slots{};
    std::chrono::steady_clock::time_point begun;
    int count = 0;
public:
    int add(int x) {
        if (items.size() >= 2) throw std::length_error("full");
        items.push_back(x);
        names[x] = "n" + std::to_string(x);
        last = x;
        slots[items.size() - 1] = x;
        begun = std::chrono::steady_clock::now();
        return count = static_cast<int>(names[x].size());
    }
    int at(int x) const { return items.at(x); }
    bool late() { return std::chrono::steady_clock::now() - begun > std::chrono::nanoseconds(2); }
};
"""


@needs_compiler
def test_the_library_does_what_ours_does(tmp_path: Path) -> None:
    file = tmp_path / "store.cpp"
    file.write_text(LIBRARY, encoding="utf-8")
    bounds = {"add.x": "{1, 20}", "at.x": "0..1", "std.chrono.read_steady_clock()": "{0, 4}"}
    found = subject(ExtractOptions(files=(str(file),), of_class="Store", bounds=tuple(bounds.items())))
    script = next(s for seed in range(20) if len(_thrown(s := found.walk(seed, 60))) > 1)
    assert _thrown(script) == {"length_error", "out_of_range"}
    seen = {name for item in script.items for name, _ in item.values}
    assert {"items.size", "slots.elements[1]", "last.engaged", "begun.since.ticks", "count"} <= seen
    outcome = found.drive(script, tmp_path / "driver")
    assert outcome.confirmed, outcome.reason
    # The same values have to be told by objects of the C++ library.
    other = tmp_path / "other.cpp"
    other.write_text(LIBRARY.replace("last = x;", "last.reset();"), encoding="utf-8")
    outcome = found.drive(script, tmp_path / "other", [str(other)])
    assert outcome.confirmed is False
    assert outcome.reason.startswith("last.engaged is 0")


def _thrown(script: Script) -> set[str]:
    return {item.what.type for item in script.items if isinstance(item.what, Throws)}


HANDED: Final = {
    "a stub by itself": ("Station", '[system.main.bounds]\n"Sensor.read()" = "4..5"\n'),
    "an object with code": ("Station", 'members = { sensor = "code Thermo" }\n'),
    "a stub of an object with code": (
        "Plant",
        'members = { pump = "stub" }\n[system.main.bounds]\n"v.argument1" = "3"\n',
    ),
    "objects of a category": (
        "Hub",
        '[system.main.categories]\nsensors = { a = "code Thermo", b = "stub" }\n'
        '[system.main.bounds]\n"attach.sensor" = "category sensors"\n"b.read()" = "{7}"\n',
    ),
    "objects that are owned, texts and functions": (
        "Keeper",
        'can_throw = { "s.read" = "Jammed" }\n[system.main.bounds]\n"tell.what" = \'{"x", "yz"}\'\n'
        '"log.prefix()" = \'{"", "> "}\'\n"s.read()" = "{6}"\n',
    ),
}


@needs_compiler
@pytest.mark.parametrize("name", HANDED)
def test_what_an_object_is_given_is_made_in_a_driver_too(name: str, tmp_path: Path) -> None:
    (tmp_path / "code.cpp").write_text(INTERFACES, encoding="utf-8")
    owner, system = HANDED[name]
    project = tmp_path / "stateglass.toml"
    head = f'schema = 1\n[source]\nfiles = ["code.cpp"]\n[system.main]\nsubject = "{owner}"\n'
    project.write_text(head + system, encoding="utf-8")
    found = subject(settings({}, None, str(project))[0])
    outcome = found.drive(found.walk(seed=1, length=40), tmp_path / "driver")
    assert outcome.confirmed, outcome.reason


def test_a_driver_is_kept_where_there_is_no_compiler(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(EXAMPLES / "gate", here / "gate")
    stateglass("check", "--project=gate/stateglass.toml", "--claim=G(!call(motor.start, true))", "-o", "e.json")
    (here / "bin").mkdir()
    compiler = here / "bin" / "gcc"
    compiler.write_text("#!/bin/sh\n", encoding="utf-8")
    compiler.chmod(0o755)
    monkeypatch.delenv("CXX", raising=False)
    ran = stateglass("replay", "e.json", "--compiler", str(compiler), "--keep", "driver")
    assert ran.status == Exit.BAD_INPUT
    assert "the code is C++, and there is no compiler of C++ beside" in ran.err
    assert "the driver is in driver" in ran.err
    assert (here / "driver" / "subject_0.cpp").exists()


@pytest.mark.parametrize(
    ("symbol", "others"),
    [
        ("_ZN5MotorC1Ev", ["_ZN5MotorC2Ev"]),
        ("_ZN3C1EC1Ev", ["_ZN3C1EC2Ev"]),
        ("_ZN2ns3BoxILi11EN1b3D1EEEC1ERKS1_", ["_ZN2ns3BoxILi11EN1b3D1EEEC2ERKS1_"]),
        ("_ZN5MotorD1Ev", ["_ZN5MotorD2Ev", "_ZN5MotorD0Ev"]),
    ],
)
def test_constructors_and_destructors_go_by_several_names(symbol: str, others: list[str]) -> None:
    assert constructor_symbols(symbol) == [symbol, *others]


def test_what_is_no_constructor_is_refused() -> None:
    with pytest.raises(InputError):
        constructor_symbols("_ZN3C1E4moveEv")


@needs_compiler
def test_values_for_a_moment_are_seen(tmp_path: Path) -> None:
    file = tmp_path / "step.cpp"
    code = "class Step { int n = 0; public: virtual void go(int x) { n = x; n = 0; } };\n"
    file.write_text(code, encoding="utf-8")
    found = subject(ExtractOptions(files=(str(file),), of_class="Step", bounds=(("go.x", "7"),)))
    script = found.walk(seed=1, length=4, watch=("n",))
    assert positions(script, Changes)
    assert found.drive(script, tmp_path / "same").confirmed
    other = tmp_path / "other.cpp"
    other.write_text(code.replace("n = x;", "n = x + 1;"), encoding="utf-8")
    assert found.drive(script, tmp_path / "other", [str(other)]).confirmed is False


TEXTS: Final = """
#include <string>
void show(const char *text);
class Namer {
    int n = 0;
public:
    std::string next() {
        std::string made = "n" + std::to_string(n);
        n = (n + 1) % 3;
        show(made.c_str());
        return made;
    }
};
"""


@needs_compiler
@pytest.mark.parametrize("claim", ['G(!return(Namer.next, "n2"))', 'G(!call(show, "n1"))'])
def test_texts_that_a_claim_is_about_are_compared(claim: str, here: Path) -> None:
    (here / "namer.cpp").write_text(TEXTS, encoding="utf-8")
    stateglass("check", "namer.cpp", "--class=Namer", "--max-states=100", "--claim", claim, "-o", "e.json")
    ran = stateglass("replay", "e.json")
    assert ran.status == Exit.OK, ran.out + ran.err
    # What the compiler has for the first letter is known to the compiler alone.
    changed = TEXTS.replace('"n" +', "LETTER +").replace("class", '#ifndef LETTER\n#define LETTER "n"\n#endif\nclass')
    (here / "namer.cpp").write_text(changed, encoding="utf-8")
    assert stateglass("replay", "e.json").status == Exit.OK
    ran = stateglass("replay", "e.json", "--compiler", 'gcc -DLETTER=\\"m\\"')
    assert ran.status == Exit.FINDINGS
    assert "is another text" in ran.out
