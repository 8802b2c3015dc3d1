"""Bounds for arrays, lists and texts: the rows they mean, what is refused, and systems made with any of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.explore import Manner, explore
from stateglass.frontend import read_program
from stateglass.program import Program
from stateglass.program.types import BOOL, Enum, Float, Int, Scalar
from stateglass.source import InputError, render_diagnostics
from stateglass.system import Contents, Filled, Handed, build_system
from stateglass.system.bounds import (
    MOST_ROWS,
    BoundSpec,
    ListOf,
    default_values,
    is_list,
    parse_bound,
    resolve,
    resolve_rows,
)
from tests.system.test_bounds import ENUMS, INT8, INT32, MODE, SPECS, UINT8


def rows(text: str | None, own: Mapping[int, str], type: Scalar, count: int | None) -> tuple[tuple[int, ...], ...]:
    spec = parse_bound(text) if text is not None else None
    elements = {index: (f"x[{index}]", parse_bound(bound)) for index, bound in own.items()}
    return resolve_rows(spec, elements, type, count, ENUMS, "x").rows


@pytest.mark.parametrize(
    ("text", "own", "type", "count", "expected"),
    [
        ("0..1", {}, INT32, 2, ((0, 0), (0, 1), (1, 0), (1, 1))),
        ("0..1", {1: "7"}, INT32, 2, ((0, 7), (1, 7))),
        ("list 2 of 5", {}, INT32, 2, ((5, 5),)),
        (None, {0: "3", 1: "{4, 5}"}, INT32, 2, ((3, 4), (3, 5))),
        (None, {}, BOOL, 1, ((0,), (1,))),
        (None, {0: "ON"}, MODE, 2, ((1, 0), (1, 1), (1, 5))),
        ("list 0..2 of {7, 9}", {}, INT8, None, ((), (7,), (9,), (7, 7), (7, 9), (9, 7), (9, 9))),
        ("list 1..2 of 0", {1: "8"}, INT8, None, ((0,), (0, 8))),
        ("list 0 of 0..100", {}, INT8, None, ((),)),
        ('{"on", ""}', {}, INT8, None, ((111, 110, 0), (0,))),
        ('"a" | "b"', {}, UINT8, None, ((97, 0), (98, 0))),
        ('"a" | "a"', {}, UINT8, None, ((97, 0),)),
        ('"é"', {}, INT8, None, ((-61, -87, 0),)),
        ('"é"', {}, UINT8, None, ((195, 169, 0),)),
        ('"a"', {}, INT8, 4, ((97, 0, 0, 0),)),
    ],
)
def test_rows(
    text: str | None, own: dict[int, str], type: Scalar, count: int | None, expected: tuple[tuple[int, ...], ...]
) -> None:
    assert rows(text, own, type, count) == expected


@pytest.mark.parametrize(
    ("text", "own", "type", "count", "said"),
    [
        (
            "0..255",
            {},
            UINT8,
            2,
            "`x`, 2 elements with 256 values each, could be filled in 65,536 ways; the most is 4,096",
        ),
        ("list 0..9 of 0..9", {}, UINT8, None, "`x`, 0 to 9 elements with 10 values each, could be filled in"),
        ("list 0..60000 of 0..9", {}, UINT8, None, "more than 1,000,000,000,000 ways"),
        ("list 99999999999999 of 0", {}, UINT8, None, "would have more than 1,000,000,000,000 elements"),
        ("list 0..4000 of 0", {}, UINT8, None, "8,002,000 values in all"),
        ("list 1..2 of 0", {}, UINT8, 2, "`x` always has 2 elements, and not `list 1..2 of 0`"),
        ("list 2 of 0", {2: "1"}, UINT8, None, "there is no `x[2]`: `x` has 2 elements"),
        ("list 2 of 300", {1: "400"}, UINT8, None, "300 cannot be a value of `x`"),
        ("list 2 of 300", {1: "400"}, UINT8, None, "400 cannot be a value of `x[1]`"),
        ("list 1 of list 1 of 0", {}, UINT8, None, "`list 1 of 0` is a bound for lists"),
        ('"ab"', {}, INT8, 2, "a text of 2 characters and its NUL do not fit into `x[2]`"),
        ('"ab"', {0: "1"}, INT8, None, "`x[0]` cannot have a bound of its own"),
        ('"a\\u0000"', {}, INT8, None, "a NUL inside"),
        ('"ab"', {}, INT32, None, "`x` takes no texts: its elements are `int32`"),
        ('"ab"', {}, Float(24, 4), 3, "its elements are `float32`"),
        ('"ab" | 3', {}, INT8, 3, "is a bound for texts"),
    ],
)
def test_what_is_refused(text: str, own: dict[int, str], type: Scalar, count: int | None, said: str) -> None:
    with pytest.raises(InputError) as error:
        rows(text, own, type, count)
    assert said in render_diagnostics(error.value.diagnostics)


TYPES = st.sampled_from([BOOL, INT8, UINT8, INT32, MODE, Enum("Unknown", INT32), Float(24, 4), Int(64, False)])


@given(SPECS, TYPES, st.none() | st.integers(1, 4), st.dictionaries(st.integers(0, 4), SPECS, max_size=2))
def test_any_bounds_give_rows_or_an_input_error(
    spec: BoundSpec, type: Scalar, count: int | None, own: dict[int, BoundSpec]
) -> None:
    if count is None and not is_list(spec):
        return
    named = {index: (f"x[{index}]", bound) for index, bound in own.items()}
    try:
        found = resolve_rows(spec, named, type, count, ENUMS, "x")
    except InputError as error:
        render_diagnostics(error.diagnostics).encode()
        assert error.diagnostics
        return
    assert 0 < len(found.rows) <= MOST_ROWS
    assert len(set(found.rows)) == len(found.rows)
    if found.text:
        assert all(0 in row for row in found.rows)
        return
    lengths = range(spec.shortest, spec.longest + 1) if isinstance(spec, ListOf) else [count or 0]
    each = spec.element if isinstance(spec, ListOf) else spec
    bounds = [own.get(i, each) for i in range(max(lengths))]
    values = [resolve(b, type, ENUMS, "x") if b is not None else default_values(type, ENUMS) or () for b in bounds]
    assert found.rows == tuple(row for n in lengths for row in product(*values[:n]))


CODE = """
enum mode { OFF, ON };
struct reading { int level; unsigned char raw[2]; char name[3]; _Bool on[2]; union { short s; char c[2]; } u; };
int values[2]; char text[3]; struct reading last; enum mode modes[2]; volatile int port[2];
void get(void *data, struct reading *to, int *one, char *word, int (*pair)[2]);
char *copy(char *to, const char *from);
float ratio(float *all);
int f(const char *name, int *p, const void *data, const _Bool (*flags)[2], struct reading *r, int i) {
    char line[3]; int pair[2], one; float all[2];
    get(line, &last, &one, line + 1, &pair);
    if (copy(line, name) && flags[0][1])
        return line[0] + p[0] + port[1] + port[0] + values[1] + (ratio(all) > 1);
    return *(const char *)data + r->raw[0] + i;
}
"""
NEEDED = {
    "f.name": '{"", "a"}',
    "f.data": "list 1 of 7",
    "f.i": "1",
    "get.to.level": "1",
    "get.to.raw": "0",
    "get.to.name": '{"x"}',
    "get.to.on": "true",
    "get.to.u.s": "0",
    "get.one": "3",
    "get.word": '"b"',
    "get.pair": "0..1",
    "copy.to": '{"yz"}',
    "copy()": "{null, to}",
    "ratio()": "0..1 step 0.5",
    "ratio.all": "list 2 of 1",
    "port": "0",
}
NAMES = [
    *NEEDED,
    "f.p",
    "f.p[0]",
    "f.p[1]",
    "f.name[0]",
    "f.flags",
    "f.flags[1]",
    "f.r",
    "get.data",
    "get.data[1]",
    "get.to.raw[1]",
    "get.pair[0]",
    "get()",
    "copy.from",
    "values",
    "values[1]",
    "values[2]",
    "text",
    "text[0]",
    "last",
    "last.raw",
    "last.u",
    "modes",
    "modes[0]",
    "port[0]",
    "port[1]",
]
SOME = st.sampled_from(
    ["0", "0..1", "list 0..1 of 0..1", "list 2 of 1", '""', '{"a", "ab"}', "ON", "null", "to", "0.5"]
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path: Path = tmp_path_factory.mktemp("code") / "all.c"
    path.write_text(CODE, encoding="utf-8")
    return read_program((str(path),)).program


def needed(program: Program) -> dict[str, str]:
    """Bounds for all that needs one; the pieces of a union are called as the program calls them."""
    with pytest.raises(InputError) as error:
        build_system(program, ("f",), bounds=tuple((n, b) for n, b in NEEDED.items() if ".u." not in n))
    [diagnostic] = error.value.diagnostics
    pieces = [word for word in diagnostic.message.split("`") if word.startswith("get.to.u")]
    assert pieces
    return {**{n: b for n, b in NEEDED.items() if ".u." not in n}, **dict.fromkeys(pieces, "0")}


def test_every_kind_of_input_takes_its_bound(program: Program) -> None:
    system = build_system(program, ("f",), bounds=tuple(needed(program).items()))
    [entry] = system.entries
    name, pointed, data, flags, *_ = entry.arguments
    assert isinstance(name, Filled)
    assert name.contents.text
    assert isinstance(data, Filled)
    assert data.contents.rows == ((7,),)
    assert isinstance(flags, Filled)
    assert len(flags.contents.rows) == 4
    assert system.externals["copy"].result == Handed("copy()", (None, 0))
    assert system.externals["copy"].exact == {0}
    assert system.externals["get"].exact == {3}
    assert set(system.externals["get"].advice) == {0, 2}
    written = {w.choice.name: w.choice for w in system.externals["get"].writes}
    assert isinstance(written["get.to.raw"], Contents)
    assert written["get.to.raw"].rows == ((0, 0),)
    assert not isinstance(pointed, Filled)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), SOME | SPECS.map(str), max_size=4))
def test_any_bounds_give_a_model_or_an_input_error(program: Program, bounds: dict[str, str]) -> None:
    given_bounds = {**needed(program), **bounds}
    try:
        system = build_system(program, ("f",), bounds=tuple(given_bounds.items()))
    except InputError as error:
        assert error.diagnostics
        render_diagnostics(error.diagnostics).encode()
        return
    exploration = explore(system, Manner(max_states=60))
    assert exploration.model.states
