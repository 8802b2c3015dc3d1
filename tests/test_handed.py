"""What an object is given and is no number: objects, texts, lists, records; and what it gives back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.model import Model
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.pipeline import extract
from stateglass.program import Int, Program, Target
from stateglass.program.shapes import Number, Passed, Perhaps, Product, Sequence, Shape, Text
from stateglass.source import InputError
from stateglass.system.making.choices import read_categories
from stateglass.system.making.values import MOST_MADE, NotMade, Values
from tests.cli.running import stateglass


def model_of(folder: Path, code: str, system: str) -> Model:
    """The model of a class, for a project file with this system."""
    (folder / "code.cpp").write_text(code, encoding="utf-8")
    project = folder / "stateglass.toml"
    project.write_text(f'schema = 1\n[source]\nfiles = ["code.cpp"]\n[system.main]\n{system}', encoding="utf-8")
    options: ExtractOptions = settings({}, None, str(project))[0]
    model = extract(options).exploration.model
    assert not model.origin.partial
    return model


def actions(model: Model, *begins: str) -> list[str]:
    return sorted(label for label in model.labels if label.startswith(begins))


TYPES = """
#include <array>
#include <deque>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
enum class Mode { Off, On = 4 };
struct Point { int x; bool up; };
class Range {
    int low, high;
public:
    Range(int l, int h) : low(l), high(h) {}
    int width() const { return high - low; }
};
struct Named { std::string name; Point at; int row[2]; };
namespace { struct Hidden { int inside; }; }
struct Subject {
    %s
};
"""


@pytest.mark.parametrize(
    ("member", "bounds", "calls", "returns"),
    [
        (
            "int f(unsigned char x) { return x; }",
            {"f.x": "250..254 step 2"},
            ["250", "252", "254"],
            ["250", "252", "254"],
        ),
        ("bool f(bool x) { return !x; }", {}, ["false", "true"], ["false", "true"]),
        ("Mode f(Mode x) { return x; }", {}, ["Off", "On"], ["Off", "On"]),
        (
            "double f(double x) { return x / 2; }",
            {"f.x": "0..1 step 0.5"},
            ["0.0", "0.5", "1.0"],
            ["0.0", "0.25", "0.5"],
        ),
        ("long f(const std::string &x) { return x.size(); }", {"x": '{"", "ab\\"c"}'}, ['""', '"ab\\"c"'], ["0", "4"]),
        ("char f(std::string_view x) { return x[1]; }", {"f.x": '{"ab"}'}, ['"ab"'], ["98"]),
        ("std::string f(std::string x) { return x + x; }", {"f.x": '{"ab"}'}, ['"ab"'], ['"abab"']),
        ('std::string_view f() { return {"abc", 2}; }', {}, [""], ['"ab"']),
        (
            "int f(std::vector<int> x) { int s = 0; for (int i : x) s = 10 * s + i; return s; }",
            {"f.x": "list 0..2 of {1, 2}"},
            ["{1, 1}", "{1, 2}", "{1}", "{2, 1}", "{2, 2}", "{2}", "{}"],
            ["0", "1", "11", "12", "2", "21", "22"],
        ),
        ("int f(const std::array<Mode, 2> &x) { return x[0] == x[1]; }", {"f.x": "On"}, ["{On, On}"], ["1"]),
        (
            "int f(std::initializer_list<int> x) { return *x.begin(); }",
            {"f.x": "list 1..2 of 7"},
            ["{7, 7}", "{7}"],
            ["7"],
        ),
        (
            "int f(std::set<int> x) { return *x.begin(); }",
            {"f.x": "list 2 of 1..3"},
            ["{1, 2}", "{1, 3}", "{2, 3}"],
            ["1", "2"],
        ),
        (
            "std::deque<bool> f(std::deque<bool> x) { return x; }",
            {"f.x": "list 1"},
            ["{false}", "{true}"],
            ["{false}", "{true}"],
        ),
        ("int f(std::optional<int> x) { return x.value_or(-1); }", {"f.x": "none | 3"}, ["3", "none"], ["-1", "3"]),
        (
            "std::optional<bool> f(std::optional<bool> x) { return x; }",
            {},
            ["false", "none", "true"],
            ["false", "none", "true"],
        ),
        (
            "int f(std::pair<int, std::string> x) { return x.first + x.second.size(); }",
            {"f.x.first": "5", "f.x.second": '{"abc"}'},
            ['{.first=5, .second="abc"}'],
            ["8"],
        ),
        (
            "int f(std::tuple<int, bool> x) { return std::get<0>(x); }",
            {"f.x[0]": "6", "f.x[1]": "{true}"},
            ["{[0]=6, [1]=true}"],
            ["6"],
        ),
        (
            "Point f(Point x) { return {x.x + 1, x.up}; }",
            {"f.x.x": "1..2", "f.x.up": "{true}"},
            ["{.x=1, .up=true}", "{.x=2, .up=true}"],
            ["{.x=2, .up=true}", "{.x=3, .up=true}"],
        ),
        (
            "int f(const Range &r) { return r.width(); }",
            {"f.r.l": "1", "f.r.h": "{4, 9}"},
            ["{.l=1, .h=4}", "{.l=1, .h=9}"],
            ["3", "8"],
        ),
        (
            "int f(const std::vector<Named> &x) { return x[0].name.size() + x[0].at.x + x[0].row[1]; }",
            {"f.x": "list 1", "f.x.name": '{"q"}', "f.x.at.x": "10", "f.x.at.up": "{false}", "f.x.row": "100"},
            ['{{.name="q", .at={.x=10, .up=false}, .row={100, 100}}}'],
            ["111"],
        ),
        ("int f(Hidden x) { return x.inside; }", {"f.x.inside": "3"}, ["{.inside=3}"], ["3"]),
        ("void f(std::string &x) { x += '!'; }", {"f.x": '{"a"}'}, ['"a"'], ['&x="a!"']),
        (
            "bool f(Point &p) { p.x = 4; return true; }",
            {"f.p.x": "1", "f.p.up": "{true}"},
            ["{.x=1, .up=true}"],
            ["true, &p={.x=4, .up=true}"],
        ),
        (
            "bool f(Named *p) { p->at.x = 4; return p->row[0]; }",
            {"f.p.name": '{""}', "f.p.at.x": "1", "f.p.at.up": "{true}", "f.p.row": "0"},
            None,
            None,
        ),
        (
            "int f(std::string x, int y) { return x.size() + y; }",
            {"f.x": '{"ab"}', "Subject.f.y": "5..6"},
            ['"ab", 5', '"ab", 6'],
            ["7", "8"],
        ),
        ("static int f(std::string x) { return x.size(); }", {"f.x": '{"ab"}'}, ['"ab"'], ["2"]),
        (
            "int f(std::map<int, bool> x) { return x.size(); }",
            {"f.x": "list 0..1", "f.x.first": "8", "f.x.second": "{true}"},
            ["{{.first=8, .second=true}}", "{}"],
            ["0", "1"],
        ),
    ],
)
def test_bounds_for_all_types(
    member: str, bounds: dict[str, str], calls: list[str] | None, returns: list[str] | None, tmp_path: Path
) -> None:
    named = {("f.x" if name == "x" else name): bound for name, bound in bounds.items()}
    lines = "".join(f"'{name}' = '{bound}'\n" for name, bound in named.items())
    model = model_of(tmp_path, TYPES % member, f'subject = "Subject"\n[system.main.bounds]\n{lines}')
    if calls is None or returns is None:
        assert actions(model, "return") == [
            'return(Subject.f, false, &p={.name="", .at.x=4, .at.up=true, .row[0]=0, .row[1]=0})'
        ]
        return
    assert actions(model, "call") == sorted(f"call(Subject.f, {c})" if c else "call(Subject.f)" for c in calls)
    assert actions(model, "return") == sorted(f"return(Subject.f, {r})" for r in returns)


INTERFACES = """
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
struct Jammed : std::runtime_error { Jammed() : std::runtime_error("jammed") {} };
struct Sensor {
    virtual ~Sensor() = default;
    virtual int read() = 0;
    virtual void reset() = 0;
    virtual std::string unused() = 0;
};
class Thermo : public Sensor {
    int level = 0;
public:
    int read() override { level = 1 - level; return level; }
    void reset() override { level = 0; }
    std::string unused() override { return ""; }
};
struct Log { virtual void write(const std::string &text) const noexcept = 0; virtual std::string prefix() = 0; };
class Valve {
    bool open = false;
public:
    explicit Valve(int) {}
    void turn() { open = !open; }
    bool get() const { return open; }
};
class Pump {
    Valve &valve;
public:
    Pump(Valve &v) : valve(v) {}
    void run() { valve.turn(); }
    bool runs() { return valve.get(); }
};
struct Station {
    Sensor &sensor;
    explicit Station(Sensor &s) : sensor(s) {}
    int ask() { return sensor.read(); }
};
struct Plant {
    Pump &pump;
    explicit Plant(Pump &p) : pump(p) {}
    bool step() { pump.run(); return pump.runs(); }
};
struct Hub {
    Sensor *current = nullptr;
    void attach(Sensor *sensor) { current = sensor; }
    int poll() { return current ? current->read() : -2; }
};
struct Keeper {
    std::shared_ptr<Log> log;
    std::unique_ptr<Sensor> own;
    std::function<bool(int)> done;
    Keeper(std::shared_ptr<Log> l) : log(std::move(l)) {}
    void tell(const std::string &what) { log->write(log->prefix() + what); }
    void adopt(std::unique_ptr<Sensor> s) { own = std::move(s); }
    int ask() { return own ? own->read() : -3; }
    void when(std::function<bool(int)> callback) { done = std::move(callback); }
    bool finish() { return done && done(7); }
    long users() { return log.use_count(); }
};
"""


def test_what_a_constructor_is_given_is_a_stub_by_itself(tmp_path: Path) -> None:
    system = 'subject = "Station"\n[system.main.bounds]\n"Sensor.read()" = "4..5"\n'
    model = model_of(tmp_path, INTERFACES, system)
    # It goes by the name of the variable that keeps it, and only what is called has to be said.
    assert actions(model, "call(sensor", "return(sensor") == [
        "call(sensor.read)",
        "return(sensor.read, 4)",
        "return(sensor.read, 5)",
    ]
    assert actions(model, "return(Station") == ["return(Station.ask, 4)", "return(Station.ask, 5)"]


def test_what_a_constructor_is_given_may_be_code_or_a_process(tmp_path: Path) -> None:
    code = model_of(tmp_path, INTERFACES, 'subject = "Station"\nmembers = { sensor = "code Thermo" }\n')
    assert actions(code, "call", "return") == ["call(Station.ask)", "return(Station.ask, 0)", "return(Station.ask, 1)"]
    assert "sensor.level" in [p.name for p in code.propositions]
    system = 'subject = "Station"\nmembers = { sensor = "process Once" }\n[process.Once]\n'
    process = model_of(tmp_path, INTERFACES, f'{system}fsp = "ONCE = (call(read) -> return(read, 9) -> STOP)."\n')
    assert len(process.deadlocks)
    assert actions(process, "return(Station") == ["return(Station.ask, 9)"]


def test_objects_that_need_others_get_them(tmp_path: Path) -> None:
    """The pump has no constructor without a valve, and that none without a number."""
    model = model_of(tmp_path, INTERFACES, 'subject = "Plant"\n[system.main.bounds]\n"v.argument1" = "3"\n')
    assert actions(model, "return") == ["return(Plant.step, false)", "return(Plant.step, true)"]
    assert "v.open" in [p.name for p in model.propositions]


def test_a_stub_of_an_object_with_code_that_is_handed_in(tmp_path: Path) -> None:
    system = 'subject = "Plant"\nmembers = { pump = "stub" }\n[system.main.bounds]\n"v.argument1" = "3"\n'
    model = model_of(tmp_path, INTERFACES, system)
    assert actions(model, "call(pump") == ["call(pump.run)", "call(pump.runs)"]


def test_any_object_of_a_category_is_handed_in(tmp_path: Path) -> None:
    system = """subject = "Hub"
[system.main.categories]
sensors = { a = "code Thermo", b = "stub" }
[system.main.bounds]
"attach.sensor" = "category sensors"
"b.read()" = "{7}"
"""
    model = model_of(tmp_path, INTERFACES, system)
    assert actions(model, "call(Hub.attach") == ["call(Hub.attach, a)", "call(Hub.attach, b)"]
    assert actions(model, "return(Hub.poll") == [
        "return(Hub.poll, -2)",
        "return(Hub.poll, 0)",
        "return(Hub.poll, 1)",
        "return(Hub.poll, 7)",
    ]
    # The one that is code keeps its state while the other one is attached.
    assert {p.name: len(set(p.values.tolist())) for p in model.propositions}["a.level"] == 2
    null = system.replace("category sensors", "{b, null}").replace('a = "code Thermo", ', "")
    assert actions(model_of(tmp_path, INTERFACES, null), "call(Hub.attach") == [
        "call(Hub.attach, b)",
        "call(Hub.attach, null)",
    ]


def test_who_owns_an_object_gets_it(tmp_path: Path) -> None:
    system = """subject = "Keeper"
can_throw = { "s.read" = "Jammed" }
[system.main.bounds]
"tell.what" = '{"x"}'
"log.prefix()" = '{"", "> "}'
"s.read()" = "{6}"
"""
    model = model_of(tmp_path, INTERFACES, system)
    assert actions(model, "call(log") == ["call(log.prefix)", 'call(log.write, "> x")', 'call(log.write, "x")']
    assert actions(model, "return(Keeper.ask", "throw") == [
        "return(Keeper.ask, -3)",
        "return(Keeper.ask, 6)",
        "throw(Keeper.ask, Jammed)",
        "throw(s.read, Jammed)",
    ]
    assert actions(model, "call(callback", "return(callback") == [
        "call(callback, 7)",
        "return(callback, false)",
        "return(callback, true)",
    ]
    # Those outside keep a share of what they hand over.
    assert actions(model, "return(Keeper.users") == ["return(Keeper.users, 2)"]


RESULTS = """
#include <string>
#include <vector>
struct Point { int x, y; };
struct Device {
    std::string id();
    Point where();
    std::vector<int> data();
    void log(const std::string &, const std::vector<int> &);
};
struct User {
    Device left, right;
    bool same() { return left.id() == right.id(); }
    int sum() { Point p = left.where(); for (int v : left.data()) p.x += v; return p.x + p.y; }
    void tell(int n) { left.log(std::string(n, 'x'), std::vector<int>(n, n)); }
};
"""


def test_parts_without_code_return_objects(tmp_path: Path) -> None:
    system = """subject = "User"
[system.main.bounds]
"tell.n" = "0..2"
"Device.id()" = '{"a", "b"}'
"right.id()" = '{"b"}'
"Device.where().x" = "{1, 2}"
"Device.where().y" = "10"
"Device.data()" = "list 0..1 of {100}"
"""
    model = model_of(tmp_path, RESULTS, system)
    assert actions(model, "return(left.id", "return(right") == [
        'return(left.id, "a")',
        'return(left.id, "b")',
        'return(right.id, "b")',
    ]
    assert actions(model, "return(User.sum") == [f"return(User.sum, {n})" for n in (11, 111, 112, 12)]
    assert actions(model, "call(left.log") == [
        'call(left.log, "", {})',
        'call(left.log, "x", {1})',
        'call(left.log, "xx", {2, 2})',
    ]


HIDDEN = """
struct Hidden;
struct Log { Hidden *to; Log(Hidden *out, int) : to(out) {} bool ready() const { return to != nullptr; } };
struct Printer {
    Hidden *out;
    Log &log;
    Printer(Hidden *file, Log &by) : out(file), log(by) {}
    int print(int n) { return out || log.ready() ? n : 0; }
    void to(Hidden *other) { out = other; }
};
"""


def test_a_pointer_to_what_is_declared_only_can_be_null(tmp_path: Path) -> None:
    system = """subject = "Printer"
[system.main.bounds]
"Printer.file" = "null"
"log.out" = "null"
"log.argument2" = "0"
"print.n" = "{3}"
"to.other" = "null"
"""
    model = model_of(tmp_path, HIDDEN, system)
    assert actions(model, "return(Printer.print") == ["return(Printer.print, 0)"]
    assert actions(model, "call(Printer.to") == ["call(Printer.to, null)"]
    (alone := tmp_path / "alone").mkdir()
    (alone / "stateglass.toml").write_text("schema = 1\n", encoding="utf-8")
    said = run(alone, HIDDEN, "--class", "Printer", "--bound", "log.argument2=0")
    assert said.startswith("error[missing-bound]: 3 inputs need a bound: `Printer.Printer.file` (Hidden *), `log.out`")
    assert "--bound 'Printer.Printer.file=null'" in said
    assert "--bound 'log.out=null'" in said
    assert "there is no input" not in said


def test_objects_give_numbers_no_names(tmp_path: Path) -> None:
    bounds = ("--bound", "log.argument2=0", "--bound", "Printer.file=null", "--bound", "log.out=null")
    said = run(tmp_path, HIDDEN, "--class", "Printer", *bounds, "--bound", "print.n=null")
    assert "`null`, in the bound of `Printer.print.n`, is neither an enumerator nor an enum" in said


def run(folder: Path, code: str, *arguments: str) -> str:
    (folder / "code.cpp").write_text(code, encoding="utf-8")
    ran = stateglass("extract", str(folder / "code.cpp"), *arguments)
    assert int(ran.status) == 2
    return ran.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--class", "Sensor"], ["`Sensor` is abstract", "Thermo"]),
        (["--class", "Log"], ["`Log` is abstract", "no class is derived from it"]),
        (["--class", "Statoin"], ["there is no class `Statoin`", "did you mean `Station`?"]),
        (
            ["--class", "Station", "--member", "sensor=code"],
            ["`sensor` cannot be code: `Sensor` is abstract", "`Thermo`"],
        ),
        (["--class", "Station", "--member", "sensor=code Pump"], ["`Pump` is not derived from `Sensor`", "`Thermo`"]),
        (["--class", "Station", "--member", "sensor=code Thremo"], ["there is no class `Thremo`", "`Thermo`"]),
        (["--class", "Station", "--member", "sensors=stub"], ["has no part `sensors`", "`sensor`"]),
        (["--class", "Station"], ["`sensor.read()` (int32)"]),
        (
            ["--class", "Hub", "--bound", "attach.sensor=category x"],
            ["there is no category `x`", "[system.NAME.categories]"],
        ),
        (["--class", "Hub", "--bound", "attach.sensor=3"], ["`3` is no object", "`category NAME`"]),
        (
            ["--class", "Hub", "--bound", "attach.sensor={senor, null}"],
            ["`senor` is no object that `Hub.attach.sensor`", "`sensor`"],
        ),
        (["--class", "Station", "--bound", "Station.s=null"], ["`null` is no object"]),
        (["--class", "Plant"], ["1 input needs a bound: `v.argument1` (int32)", "--bound 'v.argument1=0'"]),
        (
            ["--class", "Plant", "--bound", "v.argument1=1..2"],
            ["`v.argument1` can have one value only", "`v` is made once", "--bound 'v.argument1={1}'"],
        ),
        (
            ["--class", "Keeper"],
            [
                "`Keeper.tell.what` (std::string)",
                "`log.prefix()` (std::string)",
                "`s.read()` (int32)",
                '"log.prefix()" = \'{"", "a"}\'',
            ],
        ),
        (
            ["--class", "Keeper", "--bound", "tell.what=1..3"],
            ["`1..3` is no bound for `Keeper.tell.what`, which is `std::string`"],
        ),
        (
            ["--class", "Keeper", "--bound", "tell.waht=1"],
            ["there is no input `tell.waht`", "did you mean `Keeper.tell.what`?"],
        ),
        (["--class", "Keeper", "--member", "s=process P"], ["there is no process `P`"]),
    ],
)
def test_what_is_wrong_with_objects_is_told(arguments: list[str], expected: list[str], tmp_path: Path) -> None:
    said = run(tmp_path, INTERFACES, *arguments)
    for text in expected:
        assert text in said


@pytest.mark.parametrize(
    ("member", "bounds", "expected"),
    [
        (
            "int f(std::vector<int> x) { return 0; }",
            ["f.x=1..3"],
            ["does not say how many elements", "`list 0..2 of 1..3`"],
        ),
        ("int f(std::vector<int> x) { return 0; }", ["f.x=list 0..20 of 0..20"], ["the most is 1,024"]),
        ("int f(std::vector<int> x) { return 0; }", ["f.x=list 0..2"], ["`Subject.f.x` (int32)"]),
        ("int f(std::array<int, 3> x) { return 0; }", ["f.x=list 2 of 0"], ["always has 3 elements"]),
        (
            "int f(Point x) { return 0; }",
            ["f.x=3"],
            ["cannot have a bound of its own", "`Subject.f.x.x`, `Subject.f.x.up`"],
        ),
        ("int f(Point x) { return 0; }", ["f.x.y=3"], ["there is no input `f.x.y`", "`Subject.f.x.x` (int32)"]),
        ("int f(Point x) { return 0; }", ["f.x.x={Off}"], ["`Off`"]),
        ("int f(Mode x, std::string y) { return 0; }", ["f.x=Of", 'f.y={""}'], ["`Of` is not in `enum Mode`", "`Off`"]),
        (
            "int f(std::string x, int y, int z) { return 0; }",
            [],
            ["3 inputs need a bound", "`Subject.f.y` (int32)", "`Subject.f.z` (int32)"],
        ),
        ("int f(std::string x) { return 0; } int f(int x) { return x; }", ["f.x=3"], ["`f.x` may mean"]),
    ],
)
def test_what_is_wrong_with_bounds_is_told(member: str, bounds: list[str], expected: list[str], tmp_path: Path) -> None:
    said = run(tmp_path, TYPES % member, "--class", "Subject", *(a for b in bounds for a in ("--bound", b)))
    for text in expected:
        assert text in said


def test_what_nobody_can_make_is_left_out_and_told(tmp_path: Path) -> None:
    code = """#include <string>
    struct Secret { private: Secret() {} public: int n; };
    struct Subject { int f(const Secret &s) { return s.n; } int g(std::string s) { return s.size(); } };"""
    (tmp_path / "code.cpp").write_text(code, encoding="utf-8")
    ran = stateglass("extract", str(tmp_path / "code.cpp"), "--class", "Subject", "--bound", 'g.s={"abc"}')
    assert int(ran.status) == 3
    assert "`Subject.f` is not called: no public constructor of `Secret` can be called from outside" in ran.err
    assert "return(Subject.g, 3)" in ran.out


@pytest.mark.parametrize("subject", ["Station", "Plant", "Hub", "Keeper"])
def test_a_project_file_that_is_guessed_can_be_used(subject: str, tmp_path: Path) -> None:
    (tmp_path / "code.cpp").write_text(INTERFACES, encoding="utf-8")
    assert int(stateglass("init", str(tmp_path / "code.cpp"), "--class", subject).status) == 0
    ran = stateglass("extract", "--project", str(tmp_path / "stateglass.toml"), "--max-states", "300")
    assert int(ran.status) in (0, 3)
    assert f"{subject}: " in ran.err


def test_the_interface_alone(tmp_path: Path) -> None:
    system = 'subject = "Station"\n[system.main.bounds]\n"sensor.read()" = "4..5"\n'
    model_of(tmp_path, INTERFACES, system)
    model, hidden = str(tmp_path / "m.sg"), str(tmp_path / "hidden.sg")
    project = ("--project", str(tmp_path / "stateglass.toml"))
    assert int(stateglass("extract", *project, "-o", model).status) == 0
    assert int(stateglass("transform", model, "--interface", "-o", hidden).status) == 0
    assert int(stateglass("extract", *project, "--interface", "-o", model).status) == 0
    assert int(stateglass("compare", model, hidden, "--by", "strong").status) == 0
    told = stateglass("info", hidden).out
    assert "call(sensor.read)" not in told
    assert "return(Station.ask, 4)" in told
    aut = str(tmp_path / "m.aut")
    stateglass("convert", hidden, aut)
    assert "does not say what it is a model of" in stateglass("transform", aut, "--interface", "-o", hidden).err


NUMBER = Number("int", Int(32, signed=True))
SHAPES: st.SearchStrategy[Shape] = st.recursive(
    st.sampled_from([NUMBER, Text("std::basic_string<char>"), Text("const char *")]),
    lambda inner: st.one_of(
        inner.map(lambda e: Sequence(f"std::vector<{e.spelled}>", e)),
        inner.map(lambda e: Sequence(f"std::array<{e.spelled}, 2>", e, 2)),
        inner.map(lambda e: Perhaps(f"std::optional<{e.spelled}>", e)),
        st.tuples(inner, inner).map(lambda p: Product("std::pair<…>", (("first", p[0]), ("second", p[1])))),
    ),
    max_leaves=4,
)
SPECS = st.sampled_from(
    [
        "0..3",
        "{1, 2}",
        '{"", "a"}',
        "list 0..2 of {1, 2}",
        "list 1",
        "list 2 of list 1 of 3",
        "none",
        "none | 4",
        "category K",
        "Off",
    ]
)
NAMES = st.sampled_from(["x", "x.first", "x.second", "x.first.first", "x[0]"])


@given(SHAPES, st.dictionaries(NAMES, SPECS, max_size=4))
def test_values_of_any_shape_are_made_or_refused(shape: Shape, bounds: dict[str, str]) -> None:
    def objects(*_: object) -> list[object]:
        raise NotMade("no objects here")

    program = Program(Target("x86_64", 8, 32, big_endian=False), (), {}, {}, {}, {}, {})
    values = Values(program, bounds, objects)  # type: ignore[arg-type]
    try:
        found = values.of(Passed(shape.spelled, shape, name="x"), "x")
    except NotMade:
        return
    assert len(found) <= MOST_MADE
    assert len({v.shown for v in found}) == len(found)
    assert found or values.problems or values.missing
    # With what is proposed for all that is missing there is a value.
    if values.missing and not values.problems and not values.used:
        given = dict(bounds)
        while values.missing:
            given |= {m.name: m.example for m in values.missing}
            values = Values(program, given, objects)  # type: ignore[arg-type]
            found = values.of(Passed(shape.spelled, shape, name="x"), "x")
        # What has parts within parts may be too much for all of them at once.
        assert found or all("would take" in p.message for p in values.problems)


WORDS = st.sampled_from(["sensors", ".", "a", "=", " ", "code", "stub", "Thermo", "process Door", "é", ""])


@given(st.lists(st.lists(WORDS, max_size=6).map("".join) | st.text(max_size=12), max_size=4))
def test_what_is_said_of_categories_is_understood_or_refused(texts: list[str]) -> None:
    try:
        found = read_categories(texts, ("Door",))
    except InputError as error:
        assert error.diagnostics
        return
    assert sum(len(objects) for objects in found.values()) <= len(texts)


SOURCES = """
#include <memory>
#include <string>
struct Sensor { virtual ~Sensor() = default; virtual int read() = 0; };
class Thermo : public Sensor { int n = 0; public: int read() override { n = 1 - n; return n; } };
struct Source {
    virtual ~Source() = default;
    virtual Sensor *current() = 0;
    virtual Sensor &first() = 0;
    virtual std::shared_ptr<Sensor> share() = 0;
    virtual std::unique_ptr<Sensor> give() = 0;
    virtual const char *name() = 0;
};
struct Part { Sensor *get(); };
struct User {
    Source &source;
    Part part;
    User(Source &s) : source(s) {}
    int a() { Sensor *s = source.current(); return s ? s->read() : -1; }
    int b() { return source.first().read(); }
    int c() { auto s = source.share(); return s ? s->read() : -1; }
    int d() { return source.give()->read(); }
    int e() { return source.name()[0]; }
    int f() { return part.get()->read(); }
    int g(int (*plain)(int)) { return plain(1); }
};
"""


def test_objects_are_returned_where_a_bound_says_so(tmp_path: Path) -> None:
    system = """subject = "User"
[system.main.categories]
sensors = { a = "code Thermo", b = "stub" }
[system.main.bounds]
"source.current()" = "{a, null}"
"source.first()" = "category sensors"
"source.share()" = "{b, null}"
"source.name()" = '{"k"}'
"part.get()" = "{b}"
"b.read()" = "7"
"give.read()" = "8"
"plain()" = "2"
"""
    model = model_of(tmp_path, SOURCES, system)
    assert actions(model, "return(source", "return(part") == [
        "return(part.get, b)",
        "return(source.current, a)",
        "return(source.current, null)",
        "return(source.first, a)",
        "return(source.first, b)",
        "return(source.give, give)",
        'return(source.name, "k")',
        "return(source.share, b)",
        "return(source.share, null)",
    ]
    expected = {"a": [-1, 0, 1], "b": [0, 1, 7], "c": [-1, 7], "d": [8], "e": [107], "f": [7], "g": [2]}
    for function, values in expected.items():
        found = actions(model, f"return(User.{function}")
        assert found == sorted(f"return(User.{function}, {v})" for v in values)


def test_what_an_object_is_given_follows_evidence_on_the_compiled_code(tmp_path: Path) -> None:
    """Categories and texts are made in the driver as they are in the model."""
    system = """subject = "Hub"
[system.main.categories]
sensors = { a = "code Thermo", b = "stub" }
[system.main.bounds]
"attach.sensor" = "category sensors"
"b.read()" = "{7}"
"""
    model_of(tmp_path, INTERFACES, system)
    project = ("--project", str(tmp_path / "stateglass.toml"))
    claim = ("--claim", "ltl: G(!return(Hub.poll, 7))", "--format", "json")
    evidence = tmp_path / "evidence.json"
    evidence.write_text(stateglass("check", *project, *claim).out, encoding="utf-8")
    ran = stateglass("replay", str(evidence))
    assert int(ran.status) == 0
    assert "confirmed" in ran.out


LINES = """
#include <string>
#include <vector>
struct Lines {
    virtual ~Lines() = default;
    virtual bool next(std::string &text) = 0;
    virtual void all(std::vector<int> *out, int most) = 0;
};
struct Reader {
    Lines &lines;
    Reader(Lines &l) : lines(l) {}
    int next() { std::string t = "zz"; return lines.next(t) ? (int)t.size() : -1; }
    int sum() { std::vector<int> v; lines.all(&v, 2); int s = 0; for (int x : v) s += x; return s; }
    int kept() { std::vector<int> v = {4}; lines.all(nullptr, 0); return v[0]; }
};
"""


def test_what_stubs_write_behind_references(tmp_path: Path) -> None:
    system = """subject = "Reader"
[system.main.bounds]
"lines.next.text" = '{"", "abc"}'
"Lines.all.out" = "list 0..1 of 5"
"""
    model = model_of(tmp_path, LINES, system)
    assert 'return(lines.next, true, &text="abc")' in model.labels
    assert actions(model, "return(lines.all") == ["return(lines.all, &out={5})", "return(lines.all, &out={})"]
    assert actions(model, "return(Reader.next") == [f"return(Reader.next, {n})" for n in (-1, 0, 3)]
    assert actions(model, "return(Reader.sum") == ["return(Reader.sum, 0)", "return(Reader.sum, 5)"]
    assert actions(model, "return(Reader.kept") == ["return(Reader.kept, 4)"]


def test_a_list_in_braces_needs_a_bound(tmp_path: Path) -> None:
    file = tmp_path / "fan.cpp"
    file.write_text(
        "#include <initializer_list>\n"
        "struct Fan {\n"
        "    int modes = 0;\n"
        "    void allow(std::initializer_list<const char *> names) { modes = int(names.size()); }\n"
        "};\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=r"`Fan.allow.names`"):
        extract(ExtractOptions(files=(str(file),), of_class="Fan"))


def test_a_parameter_that_is_written_as_a_function_is_a_pointer_to_one(tmp_path: Path) -> None:
    code = """
    typedef void (Handler)(int id, void *given);
    class Timer {
        Handler *kept = nullptr;
        int n = 0;
    public:
        void add(Handler handler) { kept = handler; n = 0; }
        void fire() { if (kept && n < 2) kept(n++, nullptr); }
    };
    """
    model = model_of(tmp_path, code, 'subject = "Timer"\n')
    assert actions(model, "call(Timer.add") == ["call(Timer.add, handler)"]
    assert actions(model, "call(handler") == ["call(handler, 0, null)", "call(handler, 1, null)"]
