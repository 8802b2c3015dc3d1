"""The notation of maps: reading, printing, all mistakes at once and where they are, and any text whatever."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.logic.expressions import BINDING, PREFIXES
from stateglass.logic.predicates import Operator
from stateglass.program.abstractions import Exact, Free, MinMax, Mod, Part, Top, Truth
from stateglass.source import Code, InputError, Place, Severity, Span, render_diagnostics
from stateglass.system.maps import (
    AbstractionMap,
    ArrayOf,
    Combined,
    Condition,
    FileScope,
    FunctionScope,
    Label,
    LabelMap,
    MapAbstraction,
    Named,
    Number,
    Parameter,
    PlaceName,
    Prefixed,
    Relation,
    Rule,
    VariableEntry,
    abstractions_of_table,
    labels_of_list,
)
from stateglass.system.maps.places import EVERY, GLOBAL
from stateglass.system.maps.reading_abstractions import parse_abstraction, parse_abstraction_map, parse_place
from stateglass.system.maps.reading_labels import parse_label_map
from stateglass.system.maps.rules import (
    AnyValue,
    CallEvent,
    Compared,
    ExitEvent,
    LineEvent,
    ReadEvent,
    ReturnEvent,
    Watch,
    Within,
    WriteEvent,
)

PAPER_ABSTRACTIONS = """file "fsm.c" {
fun main () : top {
var state : part(0,1,2);
var ch : part(0, 10, 11,
97, 98, 99);
}
}
"""
PAPER_LABELS = """exit == 0 => accept;
watch (main:ch == 97) => ‘a;
watch (main:ch == 98) => ‘b;
watch (main:ch < 0) => ‘eof;
watch (main:ch == 10) => ‘eof;
watch (main:ch >= 0) => ‘X;
"""


def parsed(text: str) -> AbstractionMap:
    map, warnings = parse_abstraction_map(text)
    assert not warnings
    return map


# ---- what the paper has


def test_the_abstraction_map_of_the_paper() -> None:
    variables = (
        VariableEntry(PlaceName("state"), Part((0, 1, 2))),
        VariableEntry(PlaceName("ch"), Part((0, 10, 11, 97, 98, 99))),
    )
    expected = AbstractionMap((FileScope("fsm.c", (FunctionScope("main", Top(), variables=variables),)),))
    assert parsed(PAPER_ABSTRACTIONS) == expected


def test_a_scope_that_is_not_closed_ends_with_the_map_and_is_warned_of() -> None:
    text = PAPER_ABSTRACTIONS.removesuffix("}\n")
    map, [warning] = parse_abstraction_map(text, "fsm.am")
    assert map == parsed(PAPER_ABSTRACTIONS)
    assert warning.severity is Severity.WARNING
    assert "`file` is not closed" in warning.message
    assert str(warning.span) == "fsm.am:1:1"


def test_the_label_map_of_the_paper() -> None:
    map = parse_label_map(PAPER_LABELS)
    assert map.rules[0] == Rule(ExitEvent(Compared(Relation.EQUAL, 0)), Label("accept"))
    ch = Named(PlaceName("ch", scope="main"))
    assert map.rules[3] == Rule(Watch(Combined(Operator.LESS, ch, Number(0))), Label("eof"))
    assert [str(rule.label) for rule in map.rules] == ["accept", "a", "b", "eof", "eof", "X"]


@pytest.mark.parametrize("quote", ["'", "`", "‘"])
def test_a_quote_in_front_of_a_label_is_dropped(quote: str) -> None:
    [rule] = parse_label_map(f"exit => {quote}a;").rules
    assert rule.label == Label("a")


# ---- what completes it


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("var x:top;", "var x : top;"),
        ("var x : minmax; var y : free;;", "var x : minmax;\nvar y : free;"),
        ("var x : part(-1, 'a', 0x1F5);", "var x : part(-1, 97, 501);"),
        ("var b : int array array;", "var b : int array array;"),
        ("var f::x : bool; var ::g : mod(0b100);", "var f::x : bool;\nvar ::g : mod(4);"),
        ("var s.a[2].b : int; var t[].x : bool;", "var s.a[2].b : int;\nvar t[].x : bool;"),
        ("var i~2 : int; var n@motor.c.x : int;", "var i~2 : int;\nvar n@motor.c.x : int;"),
        ('var n@"my motor.c" : int;', 'var n@"my motor.c" : int;'),
        ("fun f (x : int, y : bool) {}", "fun f (x : int, y : bool);"),
        ("fun getc : part(0);", "fun getc () : part(0);"),
        ("fun file () { var var : int; }", "fun file () {\n  var var : int;\n}"),
        ("// one\nvar x /* two\n */ : int; # three // four", "var x : int;"),
        ("", ""),
    ],
)
def test_abstraction_maps(text: str, printed: str) -> None:
    map = parsed(text)
    assert str(map) == printed + "\n" * bool(printed)
    assert parsed(str(map)) == map


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("exit => e", "exit => e;"),
        ("exit in 1..3 => 'bad($0);", "exit in 1..3 => bad($0);"),
        ("call read => read;", "call read => read;"),
        ("call f() => f();", "call f() => f();"),
        ("call f(_, 3, >= ON, 'a'..0x7f, ...) => g($1,$2, x);", "call f(_, 3, >= ON, 97..127, ...) => g($1, $2, x);"),
        ('call f(-1) => g(-1, "two words")', 'call f(-1) => g(-1, "two words");'),
        ("return f != 0 => r($0);", "return f != 0 => r($0);"),
        ("read s.m[3] => r; write f:x => w($0);", "read s.m[3] => r;\nwrite f:x => w($0);"),
        ('line "a b.c" : 12 => here;', 'line "a b.c":12 => here;'),
        ('exit => "any, text!";', 'exit => "any, text!";'),
        ("call f => conn.send;", "call f => conn.send;"),
        ("call f => tau;", "call f => tau;"),
        ("watch (!(a && b) || c == 1) => x;", "watch (!(a && b) || c == 1) => x;"),
        ("watch ((a + b) * c - (d - 1) == -(e % 3u)) => x;", "watch ((a + b) * c - (d - 1) == -(e % 3)) => x;"),
        ("watch ((a & 1) == 0) => x;", "watch ((a & 1) == 0) => x;"),
        ("watch (f::x ^ ~::y << 2 > s.m[1]) => x;", "watch (f:x ^ ~::y << 2 > s.m[1]) => x;"),
    ],
)
def test_label_maps(text: str, printed: str) -> None:
    map = parse_label_map(text)
    assert str(map) == printed + "\n"
    assert parse_label_map(str(map)) == map


def test_labels_take_the_values_of_their_event() -> None:
    assert Label("send", ("data", Parameter(2), Parameter(1))).filled({1: "7", 2: "x"}) == "send(data, x, 7)"
    assert Label("send").filled({}) == "send"
    assert Label("send", ()).filled({}) == "send()"


# ---- mistakes


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("vra x : int;", "did you mean `var`", "1:1"),
        ("var x int;", "`int` stands where `:` should", "1:7"),
        ("var x : int", "`;` is missing here", "1:12"),
        ("var x : it;", "did you mean `int`", "1:9"),
        ("var x : pointer array;", "write `free`", "1:9"),
        ("var x : mod;", "one number", "1:9"),
        ("var x : mod(0);", "a divisor is a number from 1", "1:13"),
        ("var x : mod(99999);", "a divisor is a number from 1", "1:13"),
        ("var x : part;", "`part` has numbers", "1:9"),
        ("var x : part(1,\n 3, 2);", "2 follows 3", "2:5"),
        ("var x : part(1, 1);", "1 follows 1", "1:17"),
        ("var x : int(3);", "nothing in parentheses", "1:9"),
        ("var x : int list;", "`list` stands where `array`", "1:13"),
        ("var x : part(010);", "octal", "1:14"),
        ("var x : part('ab');", "not one ASCII", "1:14"),
        ("var x : part(1_0);", "not a number", "1:14"),
        ("var x : part(" + "9" * 65 + ");", "at most 64 digits", "1:14"),
        ("var x :" + " int" + " array" * 17 + ";", "at most 16 deep", "1:9"),
        ("fun f () : top { fun g () {} }", "`fun` stands within a function", "1:18"),
        ('file "a" { file "b" {} }', "`file` stands within another file", "1:12"),
        ('file "\\q" {}', "unknown escape", "1:6"),
        ("}", "no scope is open", "1:1"),
        ("/* x", "not closed", "1:1"),
        ("var x : int; §", "means nothing", "1:14"),
        ('file "a {}', 'the closing " is missing', "1:6"),
    ],
)
def test_mistakes_in_abstraction_maps_are_shown_where_they_are(text: str, message: str, place: str) -> None:
    with pytest.raises(InputError) as error:
        parse_abstraction_map(text, "x.am")
    found = [(f"{d.span.start.line}:{d.span.start.column}", f"{d.message} {d.help}") for d in error.value.diagnostics]
    assert any(at == place and message in said for at, said in found), found


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("wacth (x) => a;", "did you mean `watch`", "1:1"),
        ("watch x => a;", "`x` stands where `(` should", "1:7"),
        ("watch (x = 1) => a;", "write `==`", "1:10"),
        ("watch (p->x) => a;", "do not follow pointers", "1:9"),
        ("watch (x ? 1 : 2) => a;", "no `?:`", "1:10"),
        ("exit == 0 -> a;", "should write `exit == 0 => label;`", "1:11"),
        ("watch (x) -> a;", "should write `watch (x == 1) => label;`", "1:11"),
        ("watch (p->x) => a;", "maps do not follow pointers", "1:9"),
        ("# note\nexit = a;", "`=` stands where", "2:6"),
        ("watch (x) a;", "`a` stands where `=>` should", "1:11"),
        ("watch (x) => ;", "is missing here", "1:13"),
        ("watch (x) => a b;", "`b` stands where", "1:16"),
        ("watch (:x) => a;", "stands behind a function", "1:8"),
        ("watch (" + "!" * 200 + "x) => a;", "at most 100 deep", "1:7"),
        ("watch (x" + " + x" * 200 + ") => a;", "at most 100 deep", "1:7"),
        ("exit => $0;", "`$0` stands where a name", "1:9"),
        ("exit => a($1);", "the value is `$0`", "1:11"),
        ("call f => a($0);", "`$1`, `$2`", "1:13"),
        ("call f => a($999999);", "`$1`, `$2`", "1:13"),
        ("watch (x) => a($0);", "no values", "1:16"),
        ("call f(..., 1) => a;", "at the end", "1:8"),
        ("call f(3..1) => a;", "runs downwards", "1:8"),
        ("return f is 3..4 => a;", "`is` stands where", "1:10"),
        ("line 3 => a;", "a text in quotes", "1:6"),
        ('exit => "";', "not empty", "1:9"),
        ('exit => "a\\nb";', "printable", "1:9"),
        ("exit => a\nexit => b;", "`;` is missing", "1:10"),
    ],
)
def test_mistakes_in_label_maps_are_shown_where_they_are(text: str, message: str, place: str) -> None:
    with pytest.raises(InputError) as error:
        parse_label_map(text, "x.lm")
    found = [(f"{d.span.start.line}:{d.span.start.column}", f"{d.message} {d.help}") for d in error.value.diagnostics]
    assert any(at == place and message in said for at, said in found), found


def test_all_mistakes_are_told_at_once_in_their_order() -> None:
    text = "var a : part(2, 1);\nvar b int;\nvar c : tip;\nfun f ( {\n  var d : mod(0);\n}\nvar e : §;\n"
    with pytest.raises(InputError) as error:
        parse_abstraction_map(text, "x.am")
    assert [d.span.line for d in error.value.diagnostics] == [1, 2, 3, 4, 5, 7, 7]
    text = "exit = 1 => a;\nwatch (x) => ;\ncall f(1 => b;\nexit => c\nexit => a($3);"
    with pytest.raises(InputError) as error:
        parse_label_map(text, "x.lm")
    assert [d.span.line for d in error.value.diagnostics] == [1, 2, 3, 4, 5]


def test_in_tables_and_lists_a_mistake_is_pointed_to_too() -> None:
    with pytest.raises(InputError) as error:
        abstractions_of_table({"main::x": "part(2, 1)", "2x": "int", "f().y": "int", "g": "int int"})
    said = render_diagnostics(error.value.diagnostics)
    assert len(error.value.diagnostics) == 4
    assert "`main::x`: the numbers of `part` go upwards, and 1 follows 2\n  part(2, 1)\n          ^" in said
    with pytest.raises(InputError) as error:
        labels_of_list(["exit => a", "exit -> b", ""])
    said = render_diagnostics(error.value.diagnostics)
    assert "rule 2: `->` stands where" in said
    assert "\n  exit -> b\n       ^^" in said
    assert "rule 3: there is no rule in it" in said
    span = Span(Place("x.toml", 3, 10), Place("x.toml", 3, 13))
    with pytest.raises(InputError) as error:
        labels_of_list(["exi"], [span])
    assert str(error.value.diagnostics[0].span) == "x.toml:3:10"


def test_tables_and_lists_give_what_files_give() -> None:
    table = abstractions_of_table({"x": "int", "f::y.z[]": "bool", "f()": "mod(4)"})
    assert table == parsed("var x : int; var f::y.z[] : bool; fun f () : mod(4);")
    rules = labels_of_list(["exit => 'a", "call f => b; call g => c"])
    assert rules == parse_label_map("exit => a; call f => b; call g => c;")


# ---- values of every shape read back as they were

NAMES = st.sampled_from(["x", "state", "var", "exit", "é", "_a", "n$1", "i~2", "n@motor.c", 'n@"a b.c"'])
PLAIN = st.sampled_from(["x", "in", "watch", "_", "é", "a1"])
INTEGERS = st.integers(-(2**40), 2**40)
SCALARS: st.SearchStrategy[MapAbstraction] = st.one_of(
    st.sampled_from([Top(), MinMax(), Exact(), Truth(), Free()]),
    st.builds(Mod, st.integers(1, 65536)),
    st.sets(INTEGERS, min_size=1, max_size=8).map(lambda s: Part(tuple(sorted(s)))),
)
ABSTRACTIONS: st.SearchStrategy[MapAbstraction] = st.one_of(
    SCALARS, SCALARS.map(ArrayOf), SCALARS.map(lambda a: ArrayOf(ArrayOf(a)))
)
STEPS = st.lists(st.one_of(PLAIN, st.integers(0, 99), st.just(EVERY)), max_size=3).map(tuple)
PLACES = st.builds(PlaceName, NAMES, STEPS, st.one_of(st.none(), st.just(GLOBAL), NAMES))
ENTRIES = st.builds(VariableEntry, PLACES, ABSTRACTIONS)
PARAMETERS = st.builds(VariableEntry, st.builds(PlaceName, NAMES), ABSTRACTIONS)
FUNCTIONS = st.builds(
    FunctionScope,
    NAMES,
    st.one_of(st.none(), ABSTRACTIONS),
    st.lists(PARAMETERS, max_size=2).map(tuple),
    st.lists(ENTRIES, max_size=3).map(tuple),
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
FILES = st.builds(FileScope, TEXTS, st.lists(st.one_of(FUNCTIONS, ENTRIES), max_size=3).map(tuple))
ABSTRACTION_MAPS = st.builds(AbstractionMap, st.lists(st.one_of(FILES, FUNCTIONS, ENTRIES), max_size=4).map(tuple))

CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    st.one_of(st.builds(Number, st.integers(0, 2**40)), st.builds(Named, PLACES)),
    lambda inner: st.one_of(
        st.builds(Prefixed, st.sampled_from(PREFIXES), inner),
        st.builds(Combined, st.sampled_from(list(BINDING)), inner, inner),
    ),
    max_leaves=12,
)
CONSTANTS = st.one_of(INTEGERS, st.sampled_from(["ON", "OFF"]))
RANGES = st.tuples(INTEGERS, INTEGERS).map(lambda p: Within(min(p), max(p)))
TESTS = st.one_of(st.just(AnyValue()), st.builds(Compared, st.sampled_from(Relation), CONSTANTS), RANGES)
CALLS = st.one_of(
    st.builds(CallEvent, NAMES),
    st.builds(CallEvent, NAMES, st.lists(TESTS, max_size=3).map(tuple), st.booleans()),
)
PRINTABLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).filter(lambda t: t.isprintable())
LABEL_NAMES = st.sampled_from(["a", "conn.send", "exit", "é"])


def labels(parameters: list[int]) -> st.SearchStrategy[Label]:
    numbers = [INTEGERS.map(str), PLAIN, PRINTABLE] + [st.sampled_from(parameters).map(Parameter)] * bool(parameters)
    return st.one_of(
        st.builds(Label, LABEL_NAMES),
        st.builds(Label, LABEL_NAMES, st.lists(st.one_of(*numbers), max_size=3).map(tuple)),
        PRINTABLE.filter(str.strip).map(Label),
    )


RULES = st.one_of(
    st.builds(Rule, st.builds(Watch, CONDITIONS), labels([])),
    st.builds(Rule, st.builds(ExitEvent, TESTS), labels([0])),
    st.builds(Rule, CALLS, labels([1, 2])),
    st.builds(Rule, st.builds(ReturnEvent, NAMES, TESTS), labels([0])),
    st.builds(Rule, st.builds(ReadEvent, PLACES), labels([0])),
    st.builds(Rule, st.builds(WriteEvent, PLACES), labels([0])),
    st.builds(Rule, st.builds(LineEvent, TEXTS, st.integers(0, 9999)), labels([])),
)
LABEL_MAPS = st.builds(LabelMap, st.lists(RULES, max_size=4).map(tuple))


@given(ABSTRACTION_MAPS)
def test_an_abstraction_map_reads_back(map: AbstractionMap) -> None:
    assert parsed(str(map)) == map


@given(LABEL_MAPS)
def test_a_label_map_reads_back(map: LabelMap) -> None:
    assert parse_label_map(str(map)) == map


@given(ABSTRACTIONS, PLACES)
def test_an_abstraction_and_a_place_read_back(abstraction: MapAbstraction, place: PlaceName) -> None:
    assert parse_abstraction(str(abstraction)) == abstraction
    assert parse_place(place.text("::")) == place


# ---- any text is a map, or wrong in words

WORDS = """file fun var watch exit call return read write line top part mod array "a" ' ` ‘ => == = ( ) { } [ ] ; : ::
, . .. ... -> $1 $ 0 12 0x 'a' x~ @ @b.c ~ ! && || // /* */ § \\ \" """
PIECES = st.sampled_from([*WORDS.split(), "\n"])
ANYTHING = st.one_of(st.text(), st.lists(PIECES).map(" ".join), st.lists(PIECES).map("".join))


@given(ANYTHING)
def test_whatever_the_text_it_is_read_or_refused_in_words(text: str) -> None:
    for parse in (parse_abstraction_map, parse_label_map, parse_abstraction):
        try:
            parse(text, "x")
        except InputError as error:
            assert_in_words(error, text)
    try:
        parse_place(text)
    except InputError as error:
        assert_in_words(error, text)


@given(st.one_of(ABSTRACTION_MAPS.map(str), LABEL_MAPS.map(str)), st.data())
def test_a_map_with_a_piece_put_in_or_taken_out_is_read_or_refused_in_words(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    broken = text[:start] + data.draw(st.one_of(PIECES, st.just(""))) + text[end:]
    for parse in (parse_abstraction_map, parse_label_map):
        try:
            parse(broken, "x")
        except InputError as error:
            assert_in_words(error, broken)


def assert_in_words(error: InputError, text: str) -> None:
    lines = text.split("\n")
    assert error.diagnostics
    for diagnostic in error.diagnostics:
        assert diagnostic.message
        assert diagnostic.code in (Code.MAP, Code.UNKNOWN_NAME)
        start = diagnostic.span.start
        if start.line:
            assert start.line <= len(lines)
            assert 1 <= start.column <= len(lines[start.line - 1]) + 1
