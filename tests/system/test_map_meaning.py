"""What maps mean for a program: every way to name something, and what is said when there is no such thing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stateglass.frontend import read_program
from stateglass.logic.predicates import Operator
from stateglass.program import Int, Program
from stateglass.program.abstractions import Top
from stateglass.source import Code, InputError, render_diagnostics
from stateglass.system.maps import (
    Combined,
    Number,
    Relation,
    ResolvedAbstractions,
    ResolvedCall,
    ResolvedEvent,
    ResolvedExit,
    ResolvedLine,
    ResolvedRead,
    ResolvedReturn,
    ResolvedWatch,
    ResolvedWrite,
    Target,
    ValueTest,
    VariableName,
    load_maps,
    resolve_abstractions,
    resolve_labels,
)
from stateglass.system.maps.reading_abstractions import parse_abstraction_map
from stateglass.system.maps.reading_labels import parse_label_map

MAIN = """\
int getc(void);
enum mode { OFF, ON = 4 }; enum { LIMIT = 20 };
struct inner { int k[3]; };
struct point { int x; struct inner in; double weight; };
union both { int whole; unsigned char bytes[4]; struct { short low; }; };
struct point here, there[2];
union both both;
enum mode mode;
static int shared;
unsigned char buf[8];
int grid[2][3];
int *where; extern int open_end[];

static int tick(int n, enum mode m)
{
    static int calls;
    for (int i = 0; i < n; i++) {
        int i = 4;
        calls += i;
    }
    return calls & 7;
}

void nothing(void) {} double weight(void) { return 1; } void weigh(double w, struct point p) {}

int main(void)
{
    int state = 0;
    char ch;
    while ((ch = getc()) > 0)
        state += tick(ch, mode) + shared;

    where = &state;
    return here.x + there[0].x + both.whole + grid[1][1] + buf[0] + LIMIT + open_end[1];
}
"""
OTHER = """\
static int shared;
static int tick(void) { return shared++; }
int other(void) { return tick(); }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("maps")
    files = {"main.c": MAIN, "other.c": OTHER}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return read_program(tuple(str(folder / f) for f in files), target="x86_64-linux-gnu").program


def abstractions(text: str, program: Program) -> ResolvedAbstractions:
    map, _ = parse_abstraction_map(text, "x.am")
    return resolve_abstractions(map, program)


def cells(text: str, program: Program) -> dict[str, str]:
    """Each cell that a map declares with its abstraction, as text."""
    found = abstractions(text, program)
    named = {f"{v}{path}": str(a) for v, cells in found.cells.items() for path, a in cells.items()}
    return named | {f"{f}()": str(a) for f, a in found.results.items()}


def event(text: str, program: Program) -> ResolvedEvent:
    [rule] = resolve_labels(parse_label_map(text, "x.lm"), program).rules
    return rule.event


# ---- abstractions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('file "main.c" { fun main () : top { var ch : int; } }', {"main:ch": "int", "main()": "top"}),
        ("var main::ch : int;", {"main:ch": "int"}),
        ("var main.state : top;", None),
        ('file "main.c" { fun tick (n : bool) { var calls : mod(8); } }', {"tick:n": "bool", "tick::calls": "mod(8)"}),
        ("fun tick@main.c () { var i~1 : int; var i~2 : bool; }", {"tick:i": "int", "tick:i~2": "bool"}),
        (
            'file "other.c" { var shared : int; fun tick () : bool; }',
            {"shared@other.c": "int", "tick@other.c()": "bool"},
        ),
        ("var shared@other.c : int; var shared@main.c : bool;", {"shared@other.c": "int", "shared": "bool"}),
        ("fun getc () : part(0);", {"getc()": "part(0)"}),
        ("var buf : int array;", {f"buf[{i}]": "int" for i in range(8)}),
        ("var buf[3] : int;", {"buf[3]": "int"}),
        (
            "var grid : int array array; var grid[1] : bool array; var grid[][2] : top;",
            {f"grid[{i}][{k}]": ("int", "bool")[i] if k < 2 else "top" for i in range(2) for k in range(3)},
        ),
        ("var grid[1][] : int; var grid[][2] : int;", None),
        ("var grid[][2] : int;", {"grid[0][2]": "int", "grid[1][2]": "int"}),
        ("var here.in.k : int array;", {f"here.in.k[{i}]": "int" for i in range(3)}),
        ("var there[].x : int; var there[1].x : bool;", {"there[0].x": "int", "there[1].x": "bool"}),
        ("var there[1].x : bool; var there[].x : int;", {"there[0].x": "int", "there[1].x": "bool"}),
        ("var both.bytes : int array;", {"both.bytes[2]": "int", "both.bytes[3]": "int"}),
        ("var where : free;", {"where": "free"}),
        ("var here.weight : top;", {"here.weight": "top"}),
    ],
)
def test_what_a_map_declares(text: str, expected: dict[str, str] | None, program: Program) -> None:
    if expected is None:
        with pytest.raises(InputError):
            abstractions(text, program)
    else:
        found = cells(text, program)
        assert {name: found.get(name) for name in expected} == expected
        if "both" not in text:
            assert found == expected


def test_what_no_map_declares_is_top(program: Program) -> None:
    found = abstractions("var main::ch : int;", program)
    assert found.of(VariableName("main", "state")) == Top()
    assert found.of(VariableName(None, "buf"), "[2]") == Top()


def test_of_several_entries_the_closest_counts(program: Program) -> None:
    found = cells("var buf : int array; var buf[2] : bool;", program)
    assert {found[f"buf[{i}]"] for i in range(8) if i != 2} == {"int"}
    assert found["buf[2]"] == "bool"
    found = cells("var there[0] : free; var there[0].x : int;", program)
    assert found["there[0].x"] == "int"
    assert found["there[0].in.k[1]"] == "free"


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ('file "mian.c" {}', "no file `mian.c`", "main.c"),
        ("fun mian () : top;", "no function `mian`", "did you mean `main`?"),
        ("fun tick () : top;", "the function `tick` is ambiguous: `tick@main.c`, `tick@other.c`", ""),
        ("var shared : int;", "`shared` is ambiguous: `shared@main.c`, `shared@other.c`", ""),
        ('file "other.c" { fun main () : top; }', "`main` is not in this file: it is at", ""),
        ('file "other.c" { var buf : top; }', "`buf` is not in this file: it is at", ""),
        ("fun main () { var stat : int; }", "`main` has no variable `stat`", "did you mean `state`?"),
        ("fun main () { var buf : int; }", "`main` has no variable `buf`", "`buf` is a global variable"),
        ("fun main () { var ::buf : top; }", "stands within `fun main`", "outside"),
        ("fun main (x : int) {}", "`main` has no parameter `x`", ""),
        ("fun tick@main.c (x : int) {}", "`tick` has no parameter `x`", "it has `n`, `m`"),
        ("fun getc () { var x : int; }", "`getc` has no body", ""),
        ("var main::i : int;", "`main` has no variable `i`", "there is `ch`, `state`"),
        ("var tick@main.c::i : int;", "`i` is ambiguous in `tick`: `i~1` (line 17), `i~2` (line 18)", ""),
        ("var state : int;", "no variable `state`", "`main::state`"),
        ("var bfu : int;", "no variable `bfu`", "did you mean `buf`?"),
        ("var here.y : int;", "`here` has no member `y`", "`x`"),
        ("var here[0] : int;", "`here` has no elements: it is `point`", ""),
        ("var there.x : int;", "`there` is an array", "`there[].x`"),
        ("var buf[8] : int;", "no `buf[8]`: `buf` has 8 elements", ""),
        ("var open_end : int array;", "how many elements `open_end` has is not known", "`top`"),
        ("var open_end[2] : int;", "how many elements `open_end` has is not known", "`top`"),
        ("var where.x : int;", "`where` has no members: it is a pointer", "do not follow pointers"),
        ("var where[0] : int;", "`where` has no elements: it is a pointer", "do not follow pointers"),
        ("var buf : int;", "`buf` is an array, and `int` does not fit", "`int array`"),
        ("var mode : int array;", "`mode` is no array", "write `int`"),
        ("var grid : int array;", "an element of `grid` is an array", "`int array`"),
        ("var here : int;", "`here` is a record", "`.x`, `.in`"),
        ("var here.weight : int;", "a floating-point number", "top"),
        ("var where : int;", "`where` is a pointer", "`free`"),
        ("fun nothing () : int;", "what `nothing` returns is nothing at all", "`top`"),
        ("var both.whole : int;", "shares its bytes", "members"),
        ("var mode : int; var mode : bool;", "`mode` is declared twice", "x.am:1:1"),
        ("var buf[] : int; var buf[] : int;", "`buf[]` is declared twice", ""),
        ("fun main () : int; fun main () : top;", "what `main` returns is declared twice", "x.am:1:1"),
    ],
)
def test_what_does_not_exist_or_fit_is_said_with_advice(text: str, message: str, help: str, program: Program) -> None:
    with pytest.raises(InputError) as error:
        abstractions(text, program)
    [diagnostic] = error.value.diagnostics
    assert message in diagnostic.message
    assert help in diagnostic.help
    assert diagnostic.span.file == "x.am"
    assert diagnostic.span.start.column


# ---- labels

INT, CHAR = Int(32, True), Int(8, True)
STATE = Target(VariableName("main", "state"), "", INT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exit => e", ResolvedExit()),
        ("exit == ON => e", ResolvedExit((ValueTest(Relation.EQUAL, 4),))),
        ("call getc => e", ResolvedCall("getc")),
        ("call tick@main.c(_, OFF..ON) => e", None),
        ("call tick@main.c(3, ...) => e", ResolvedCall("tick", ((ValueTest(Relation.EQUAL, 3),),), True)),
        ("return main >= 1 => e($0)", ResolvedReturn("main", (ValueTest(Relation.GREATER_EQUAL, 1),))),
        ("return nothing => e", ResolvedReturn("nothing")),
        ("read main:state => e", ResolvedRead(STATE)),
        ("write main::state => e($0)", ResolvedWrite(STATE)),
        ("write here.in.k[1] => e", ResolvedWrite(Target(VariableName(None, "here"), ".in.k[1]", INT))),
        ("watch (main:state == ON) => e", ResolvedWatch(Combined(Operator.EQUAL, STATE, Number(4)))),
        ("watch (main:state < LIMIT) => e", ResolvedWatch(Combined(Operator.LESS, STATE, Number(20)))),
        ("watch (::shared@other.c) => e", ResolvedWatch(Target(VariableName(None, "shared@other.c"), "", INT))),
        ("watch (tick@other.c:x) => e", "error"),
        ("watch (tick@main.c:calls) => e", ResolvedWatch(Target(VariableName(None, "tick::calls"), "", INT))),
    ],
)
def test_events(text: str, expected: ResolvedEvent | str | None, program: Program) -> None:
    if expected == "error":
        with pytest.raises(InputError):
            event(text, program)
    elif expected is None:
        within = (ValueTest(Relation.GREATER_EQUAL, 0), ValueTest(Relation.LESS_EQUAL, 4))
        assert event(text, program) == ResolvedCall("tick", ((), within))
    else:
        assert event(text, program) == expected


def test_a_watch_is_about_the_variables_that_it_names(program: Program) -> None:
    watch = event("watch (main:state == 1 && !mode || main:state > ON) => e", program)
    assert isinstance(watch, ResolvedWatch)
    assert [str(v) for v in watch.variables] == ["main:state", "mode"]


def test_a_line_is_named_by_the_end_of_the_path_of_its_file(program: Program) -> None:
    line = event('line "main.c":18 => e', program)
    assert line == ResolvedLine(program.files[0], 18)


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("call mian => e", "no function `mian`", "did you mean `main`?"),
        ("call getc(1) => e", "`getc` has 0 parameters, and not 1", "`...`"),
        ("call tick@main.c(1) => e", "`tick` has 2 parameters, and not 1", "`_`"),
        ("call tick@main.c => e($3)", "no argument `$3`: `tick` has 2 parameters", ""),
        ("return nothing => e($0)", "`nothing` returns nothing", ""),
        ("return nothing == 1 => e", "`nothing` returns nothing", ""),
        ("return weight == 1 => e", "what `weight` returns is a floating-point number", "`_`"),
        ("call weigh(1, _) => e", "the argument `w` of `weigh` is a floating-point number", "`_`"),
        ("call weigh(_, 1) => e", "the argument `p` of `weigh` is no single value", "`_`"),
        ("return main == ONN => e", "no enumerator `ONN`", "did you mean `ON`?"),
        ("exit in ON..OFF => e", "runs downwards", ""),
        ('line "mian.c":3 => e', "no file `mian.c`", "main.c"),
        ('line "main.c":32 => e', "line 32 of", "line 31 and 33"),
        ("watch (3) => e", "names no variable", ""),
        ("watch (ON) => e", "names no variable", ""),
        ("watch (state == 1) => e", "no variable `state`", "`main::state`"),
        ("watch (mode == ONN) => e", "no variable `ONN`", "did you mean `ON`?"),
        ("watch (buf == 1) => e", "`buf` is no single value", "element"),
        ("watch (buf[] == 1) => e", "`buf[]` is not one element", ""),
        ("watch (here.weight > 0) => e", "floating-point", ""),
        ("read bfu => e", "no variable `bfu`", "did you mean `buf`?"),
        ("write tick@main.c:i => e", "`i` is ambiguous", ""),
    ],
)
def test_events_that_cannot_be_are_said_with_advice(text: str, message: str, help: str, program: Program) -> None:
    with pytest.raises(InputError) as error:
        event(text, program)
    [diagnostic] = error.value.diagnostics
    assert message in diagnostic.message
    assert help in diagnostic.help
    assert diagnostic.span.file == "x.lm"


# ---- from files


def test_both_maps_are_loaded_and_all_that_is_wrong_is_told_at_once(tmp_path: Path, program: Program) -> None:
    (tmp_path / "x.am").write_bytes(b"\xef\xbb\xbfvar main::ch : int;\r\nfun main () {\r\n")
    (tmp_path / "x.lm").write_text("exit => a;", encoding="utf-8")
    maps = load_maps(program, str(tmp_path / "x.am"), str(tmp_path / "x.lm"))
    assert list(maps.abstractions.cells) == [VariableName("main", "ch")]
    assert len(maps.labels.rules) == 1
    assert "not closed" in maps.warnings[0].message
    with pytest.raises(InputError) as error:
        load_maps(program, {"main::ch": "int", "nix": "int"}, ["exit => a", "call nix => b"])
    assert len(error.value.diagnostics) == 2
    nothing = load_maps(program)
    assert nothing.abstractions == ResolvedAbstractions()
    assert nothing.labels.rules == ()


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (None, Code.FILE, "there is no such file"),
        (b"var x\xff : int;", Code.MAP, "byte 0xFF is not UTF-8"),
        (b" " * ((1 << 20) + 1), Code.TOO_LARGE, "at most"),
    ],
)
def test_files_that_cannot_be_read(
    content: bytes | None, code: Code, message: str, tmp_path: Path, program: Program
) -> None:
    path = tmp_path / "x.am"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as error:
        load_maps(program, str(path))
    assert error.value.diagnostics[0].code is code
    assert message in render_diagnostics(error.value.diagnostics)
    with pytest.raises(InputError, match="is a folder"):
        load_maps(program, None, str(tmp_path))


# ---- whatever the names, a map means something or is refused in words

WRITTEN = (
    "main tick tick@main.c tick@other.c getc nothing weigh weight nowhere i i~1 i~2 i~9 n m calls state ch x here there"
    " there[1] there[] here.in here.in.k[2] here.x there[7].x here.weight both.bytes[3] both.low buf[0] buf[9] grid[1]"
    " grid[1][2] mode where shared shared@main.c shared@nowhere.c open_end open_end[3] ON LIMIT OFF"
)
OPERATORS = "+ - * / % << >> & | ^ && || == != < >="
NAMES = st.sampled_from(WRITTEN.split())
KINDS = ("top", "int", "bool", "minmax", "free", "mod(3)", "part(1, 2)", "int array", "top array array", "mod(2) array")
PLACE = st.one_of(NAMES, st.tuples(NAMES, st.sampled_from([":", "::", "."]), NAMES).map("".join))
TEST = st.one_of(st.sampled_from(["_", "3", "!= -1", "1..2", "ON", "> LIMIT", "..."]), NAMES)
CONDITION = st.recursive(
    st.one_of(PLACE, st.integers(-300, 300).map(str)),
    lambda inner: st.tuples(inner, st.sampled_from(OPERATORS.split()), inner).map(lambda parts: f"({' '.join(parts)})"),
    max_leaves=4,
)
EVENT = st.one_of(
    CONDITION.map(lambda c: f"watch ({c})"),
    st.tuples(NAMES, st.lists(TEST, max_size=3)).map(lambda c: f"call {c[0]}({', '.join(c[1])})"),
    st.tuples(st.sampled_from(["call", "return"]), NAMES).map(" ".join),
    st.tuples(NAMES, TEST).map(lambda r: f"return {r[0]} == {r[1]}"),
    st.tuples(st.sampled_from(["read", "write"]), PLACE).map(" ".join),
    st.integers(0, 60).map('line "main.c":{}'.format),
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(event=EVENT, label=st.sampled_from(["l", "l($0)", "l($1, $2)"]))
def test_any_rule_means_something_or_is_refused(event: str, label: str, program: Program) -> None:
    try:
        rules = resolve_labels(parse_label_map(f"{event} => {label};", "x.lm"), program).rules
    except InputError as error:
        assert all(d.message for d in error.diagnostics)
    else:
        assert rules


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=PLACE, kind=st.sampled_from(KINDS), function=NAMES, result=st.sampled_from(KINDS))
def test_any_entry_means_something_or_is_refused(
    place: str, kind: str, function: str, result: str, program: Program
) -> None:
    for text in (f"var {place} : {kind};", f"fun {function} () : {result} {{ var {place} : {kind}; }}"):
        try:
            map, _ = parse_abstraction_map(text, "x.am")
            assert resolve_abstractions(map, program) != ResolvedAbstractions()
        except InputError as error:
            assert all(d.message for d in error.diagnostics)
