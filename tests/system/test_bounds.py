"""Bounds: their notation, what they mean for a type, and what is said when they are wrong or missing."""

from __future__ import annotations

import re
import shlex
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.program.types import BOOL, VOID, Array, Enum, Enumeration, Float, Int, Pointer, Record, Type
from stateglass.source import Code, InputError, Place, Span, render_diagnostics
from stateglass.system.bounds import (
    MOST_VALUES,
    AnyBool,
    BoundSpec,
    Category,
    ListOf,
    Names,
    Range,
    Strings,
    Union,
    Values,
    default_values,
    describe_missing,
    example_bound,
    is_input_name,
    parse_assignment,
    parse_bound,
    resolve,
)

INT8, UINT8, INT32, UINT32, UINT64 = Int(8, True), Int(8, False), Int(32, True), Int(32, False), Int(64, False)
MODE = Enum("Mode", UINT32)
ENUMS = {
    "Mode": Enumeration("Mode", (("OFF", 0), ("ON", 1), ("AUTO", 5), ("LAST", 5))),
    "Colour": Enumeration("Colour", (("RED", 300), ("OFF", 3))),
}


def problems(error: pytest.ExceptionInfo[InputError]) -> str:
    return render_diagnostics(error.value.diagnostics)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("0..10", "0..10"),
        (" -1 .. 1 ", "-1..1"),
        ("0..1 step 0.25", "0..1 step 0.25"),
        ("0..10 step 1", "0..10"),
        ("0..10 step 2.50", "0..10 step 2.5"),
        ("-0.50..2.0", "-0.5..2"),
        ("{1, 5, 9}", "{1, 5, 9}"),
        ("{7}", "7"),
        ("0..3 | 9", "0..3 | 9"),
        ("bool", "bool"),
        ("{true}", "true"),
        ("Mode", "Mode"),
        ("{OFF,ON}", "{OFF, ON}"),
        ("OFF | ON", "OFF | ON"),
        ("ns::Mode", "ns::Mode"),
        ("listing | steps", "listing | steps"),
        ('{"on", "o\\"ff\\n"}', '{"on", "o\\"ff\\n"}'),
        ("list 0..2 of 0..10", "list 0..2 of 0..10"),
        ("list 2 of list 1 of OFF | 3", "list 2 of list 1 of OFF | 3"),
        ("category K", "category K"),
        ("0x10 | -0XfF | 0b101", "16 | -255 | 5"),
        ("'a'..'z'", "97..122"),
        (r"{'\n', '\0', '\x1b', '\'', '\\', ' '}", "{10, 0, 27, 39, 92, 32}"),
        ("{OFF, 3}", "3 | OFF"),
    ],
)
def test_notation(text: str, canonical: str) -> None:
    spec = parse_bound(text)
    assert str(spec) == canonical
    assert parse_bound(canonical) == spec


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "the bound is empty", None),
        ("0..", "ends where a number should follow", 4),
        ("0...5", "`.` means nothing", 4),
        ("..5", "`..` stands where", 1),
        ("{}", "`}` stands where", 2),
        ("{1, 2", "ends where `,` or `}` should follow", 6),
        ("10..0", "runs downwards", 1),
        ("0..9 step 0", "greater than 0", 11),
        ("0..9 step -1", "greater than 0", 11),
        ("10u", "`10u` is not a number", 1),
        ("1 | 0x", "`0x` is not a number", 5),
        ("1_000", "not a number", 1),
        ("010", "octal", 1),
        ("9" * 65, "at most 64 digits", 1),
        ("'ab'", "not one ASCII character", 1),
        ("''", "not one ASCII character", 1),
        ("'é'", "not one ASCII character", 1),
        (r"'\xff'", "depends on the target", 1),
        ("OFF..ON", "`..` stands where", 4),
        ("any thing", "`thing` stands where", 5),
        ('1 | "on', 'the closing " is missing', 5),
        (r'{"\q"}', "unknown escape", 2),
        (r'"\ud800"', "surrogate", 1),
        ("{step}", "`step` stands where", 2),
        ("list -1 of 3", "length of a list", 6),
        ("list 3..1 of 3", "runs downwards", 6),
        ("list 0.5 of 3", "length of a list", 6),
        ("list 1 of " * 17 + "1", "at most 16 deep", 166),
        ("list 1 of category 3", "`3` stands where a name", 20),
    ],
)
def test_mistakes_are_shown_where_they_are(text: str, message: str, column: int | None) -> None:
    with pytest.raises(InputError) as error:
        parse_bound(text)
    assert message in problems(error)
    if column is not None and len(text) < 50:
        _, shown, carets, *_ = problems(error).splitlines()
        assert shown == "  " + text
        assert carets.index("^") - 1 == column
    span = Span(Place("p.toml", 7, 11), Place("p.toml", 7, 11 + len(text)))
    with pytest.raises(InputError) as error:
        parse_bound(text, span)
    [diagnostic] = error.value.diagnostics
    assert diagnostic.code is Code.BOUND
    assert diagnostic.span.start == Place("p.toml", 7, 10 + (column or 1))


def test_all_mistakes_at_once() -> None:
    with pytest.raises(InputError) as error:
        parse_bound("10u | 1e3 | 010 | 'ab' | 9..1")
    assert len(error.value.diagnostics) == 5


def test_a_span_that_does_not_fit_the_text_is_kept_and_the_text_shown() -> None:
    span = Span(Place("p.toml", 3, 5), Place("p.toml", 3, 9))
    with pytest.raises(InputError) as error:
        parse_bound("0..1 ! 4", span)
    [diagnostic] = error.value.diagnostics
    assert diagnostic.span == span
    assert "0..1 ! 4\n       ^" in diagnostic.message


def test_a_bound_has_a_greatest_length() -> None:
    with pytest.raises(InputError) as error:
        parse_bound("1" + " " * (1 << 20))
    assert error.value.diagnostics[0].code is Code.TOO_LARGE


WHOLE = st.integers(-(10**20), 10**20)
DECIMALS = st.decimals(-1000, 1000, places=3, allow_nan=False).map(lambda d: parse_bound(format(d, "f")))
NUMBERS = WHOLE | DECIMALS.map(lambda v: v.numbers[0] if isinstance(v, Values) else 0)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z_0-9]*(::[a-z]+)?", fullmatch=True).filter(
    lambda n: n not in ("bool", "category", "list", "of", "step")
)
RANGES = st.tuples(NUMBERS, NUMBERS, NUMBERS.filter(lambda n: n > 0)).map(
    lambda t: Range(min(t[0], t[1]), max(t[0], t[1]), t[2])
)
PARTS = st.one_of(
    RANGES,
    st.lists(NUMBERS, min_size=1, max_size=4).map(lambda n: Values(tuple(n))),
    st.lists(NAMES, min_size=1, max_size=4).map(lambda n: Names(tuple(n))),
    st.lists(st.text(max_size=5), min_size=1, max_size=4).map(lambda n: Strings(tuple(n))),
    st.just(AnyBool()),
)
FLAT: st.SearchStrategy[BoundSpec] = st.one_of(
    PARTS, st.lists(PARTS, min_size=2, max_size=4).map(lambda p: Union(tuple(p))), NAMES.map(Category)
)
LENGTHS = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)
SPECS: st.SearchStrategy[BoundSpec] = st.recursive(
    FLAT, lambda inner: st.builds(lambda n, e: ListOf(n[0], n[1], e), LENGTHS, st.none() | inner), max_leaves=4
)


@given(SPECS)
def test_every_bound_reads_back_from_its_text(spec: BoundSpec) -> None:
    assert parse_bound(str(spec)) == spec


FRAGMENTS = [
    "0",
    "9..1",
    "..",
    " step ",
    "{",
    "}",
    ",",
    "|",
    "bool",
    "list ",
    " of ",
    "category ",
    "'a'",
    '"x"',
    "-",
    ".",
]


@given(st.text(max_size=30) | st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_any_text_gives_a_bound_or_an_input_error(text: str) -> None:
    for parse in (parse_bound, parse_assignment, lambda t: parse_assignment(f"f.x={t}")):
        try:
            parse(text)
        except InputError as error:
            render_diagnostics(error.diagnostics).encode()


@given(SPECS, st.sampled_from([BOOL, INT8, UINT32, UINT64, MODE, Pointer(BOOL, 8), Array(INT8, 3)]))
def test_any_bound_gives_values_of_the_type_or_an_input_error(spec: BoundSpec, type: Type) -> None:
    try:
        values = resolve(spec, type, ENUMS, "f.x")
    except InputError as error:
        assert error.diagnostics
        return
    assert values
    assert list(values) == sorted(set(values))
    assert len(values) <= MOST_VALUES


@pytest.mark.parametrize(
    ("text", "type", "values"),
    [
        ("0..3 | 9 | 2", INT8, (0, 1, 2, 3, 9)),
        ("-4..4 step 3", INT8, (-4, -1, 2)),
        ("{9, 1, 1}", UINT8, (1, 9)),
        ("2.0", INT8, (2,)),
        ("-128..127", INT8, tuple(range(-128, 128))),
        ("bool", BOOL, (0, 1)),
        ("bool", INT32, (0, 1)),
        ("{true}", BOOL, (1,)),
        ("false | 7", INT32, (0, 7)),
        ("0", BOOL, (0,)),
        ("Mode", MODE, (0, 1, 5)),
        ("{AUTO, OFF}", MODE, (0, 5)),
        ("ON | 9", MODE, (1, 9)),
        ("AUTO | RED", INT32, (5, 300)),
        ("Colour", INT32, (3, 300)),
        ("18446744073709551615", UINT64, (2**64 - 1,)),
        ("0..65535 | 5", UINT32, tuple(range(65536))),
        ("0..4294967295 step 1073741824", UINT32, (0, 2**30, 2**31, 3 * 2**30)),
    ],
)
def test_values(text: str, type: Type, values: tuple[int, ...]) -> None:
    assert resolve(parse_bound(text), type, ENUMS, "f.x") == values


@pytest.mark.parametrize(
    ("text", "type", "said"),
    [
        ("-1..300", UINT8, ["-1, 300 cannot be a value of `f.x`, which is `uint8`", "it holds 0..255"]),
        ("2", BOOL, ["2 cannot be a value", "it holds 0..1"]),
        ("RED", UINT8, ["300 cannot be a value"]),
        ("0..1 step 0.25", INT8, ["`0.25` is not a whole number"]),
        ("0.5 | 200", INT8, ["`0.5` is not a whole number", "200 cannot be a value"]),
        ("ONN | AUT", MODE, ["`ONN` is not in `enum Mode`", "did you mean `ON`?", "did you mean `AUTO`?"]),
        ("RED", MODE, ["`RED` belongs to enum `Colour`, and `f.x` is `enum Mode`"]),
        ("true", MODE, ["`true` is not in `enum Mode`"]),
        ("OFF", INT32, ["`OFF` is ambiguous: 3 in enum `Colour`, 0 in enum `Mode`"]),
        ("Colur", INT32, ["neither an enumerator nor an enum", "did you mean `Colour`?"]),
        ('"on"', INT32, ['`"on"` is a bound for texts, and `f.x` is `int32`']),
        ("list 1 of 2", INT32, ["is a bound for lists"]),
        ("category K", INT32, ["is a bound for objects"]),
        ("0..9", Pointer(INT8, 8), ["`f.x` cannot have a bound: it is a pointer (`int8 *`)"]),
        ("0..9", Record("S"), ["it is not a number (`S`)"]),
        ("0..9", VOID, ["it is not a number (`void`)"]),
        ("0..4294967295", UINT32, ["`f.x` would take 4294967296 values; the most is 65536"]),
        ("0..18446744073709551615", UINT64, ["would take 18446744073709551616 values"]),
        ("0..40000 | 50000..90000", UINT32, ["would take 80002 values; the most is 65536"]),
        ("0..65536 | 1..2", UINT32, ["would take 65539 values (what is given twice counted twice)"]),
    ],
)
def test_what_does_not_fit(text: str, type: Type, said: list[str]) -> None:
    with pytest.raises(InputError) as error:
        resolve(parse_bound(text), type, ENUMS, "f.x")
    assert [s for s in said if s not in problems(error)] == []


def test_values_without_a_bound() -> None:
    assert default_values(BOOL, {}) == (0, 1)
    assert default_values(MODE, ENUMS) == (0, 1, 5)
    for type in (INT8, Enum("Unknown", INT32), Pointer(INT8, 8), Record("S"), Array(BOOL, 2), VOID):
        assert default_values(type, ENUMS) is None


def test_missing_bounds_are_named_together_and_can_be_pasted() -> None:
    types: dict[str, Type] = {"f.x": INT32, "f.y": UINT8, "g()": BOOL, "h.e": Enum("E", UINT32), "h.v": Float(24, 4)}
    bounded, unbounded = describe_missing([*types.items(), ("f.x", INT32), ("h.p", Pointer(INT8, 8))], "front door")
    assert bounded.code is unbounded.code is Code.MISSING_BOUND
    assert bounded.message == (
        "5 inputs need a bound: `f.x` (int32), `f.y` (uint8), `g()` (bool), `h.e` (enum E), `h.v` (float32)"
    )
    assert "`h.p` (int8 *)" in unbounded.message
    lines = bounded.help.splitlines()
    head = lines.index('    [system."front door".bounds]')
    pasted = tomllib.loads("\n".join(lines[head:]))["system"]["front door"]["bounds"]
    options = dict(parse_assignment(text) for text in re.findall(r"--bound '(.*?)'", bounded.help))
    assert options == {name: parse_bound(spec) for name, spec in pasted.items()}
    for name, type in types.items():
        assert resolve(options[name], type, {}, name)


def test_many_options_stand_on_lines_of_their_own_that_a_shell_reads_as_one() -> None:
    names = [f"a_function_with_a_name.parameter{i}" for i in range(4)]
    [diagnostic] = describe_missing([(name, INT32) for name in names])
    lines = [line for line in diagnostic.help.splitlines() if "--bound" in line]
    assert len(lines) == 4
    whole = "\n".join(lines).replace("\\\n", "")
    assert shlex.split(whole) == [word for name in names for word in ("--bound", f"{name}=-10..10")]


@pytest.mark.parametrize("type", [INT8, UINT64, Int(1, True), Int(1, False), Int(3, True), Float(53, 8), BOOL])
def test_example_bounds_fit_their_types(type: Type) -> None:
    example = example_bound(type)
    assert example is not None
    assert resolve(parse_bound(example), type, {}, "x")


def test_assignments() -> None:
    assert parse_assignment("f.x=0..10") == ("f.x", Range(0, 10))
    assert parse_assignment(" locks[0].x = {1, 2}") == ("locks[0].x", Values((1, 2)))
    assert parse_assignment("Grid.operator+=.k=1..2") == ("Grid.operator+=.k", Range(1, 2))
    assert parse_assignment("Grid.operator==.other.x={1, 2}") == ("Grid.operator==.other.x", Values((1, 2)))
    assert parse_assignment("put<std::vector<int>>.v=0..1") == ("put<std::vector<int>>.v", Range(0, 1))
    assert parse_assignment('f.text={"a=b"}') == ("f.text", Strings(("a=b",)))
    for text, message in [
        ("f.x", "has no `=`"),
        ("=3", "names no input"),
        ("3x=1", "`3x` is not the name of an input"),
        ("f.x=", "`f.x`: the bound is empty"),
        ("f.x=0..q", "`f.x`: `q` stands where a number should\n  0..q\n     ^"),
    ]:
        with pytest.raises(InputError, match=re.escape(message)):
            parse_assignment(text)


def test_names_of_inputs() -> None:
    of_objects = ("C.x", "locks[0].x", "C.f.x", "C.f()", "f<int>.x", "f<int> const.x")
    for name in ("f.x", "f()", "x", "f::x", "::g", "f.u.x@8", *of_objects):
        assert is_input_name(name)
    for name in ("", "3", "f.", ".x", "f x", "f<int> x", "f(x)", "f()()", "a[x]", "a-b", "@8", "a@b"):
        assert not is_input_name(name)


def test_specs_are_checked_at_birth() -> None:
    for build in (
        lambda: Range(2, 1),
        lambda: Range(0, 1, 0),
        lambda: Values(()),
        lambda: Names(("list",)),
        lambda: Union((AnyBool(),)),
        lambda: ListOf(3, 2, AnyBool()),
    ):
        with pytest.raises(ValueError, match=r"no |never|two"):
            build()
