"""What the text of an abstract value says is what the value is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.check.sets import WIDE, content
from stateglass.program import Int
from stateglass.values.abstract import TOP, MinMax, Mod, Part, Value, contains, join, keep, text
from stateglass.values.abstract.texts import is_vague, may_be_one_of, meaning

TYPES = st.sampled_from([Int(8, signed=True), Int(32, signed=True), Int(64, signed=True), Int(64, signed=False)])
KINDS = st.one_of(
    st.just(MinMax()),
    st.integers(2, 9).map(Mod),
    st.sets(st.integers(-20, 20), min_size=1, max_size=4).map(lambda points: Part(tuple(sorted(points)))),
)


@st.composite
def values(draw: st.DrawFn) -> tuple[Value, Int, int]:
    """A value that is kept of some numbers, its type, and any number of this type."""
    kind, type = draw(KINDS), draw(TYPES)
    numbers = st.one_of(st.integers(max(type.low, -20), 20), st.integers(type.low, type.high))
    value = keep(kind, draw(numbers), type)
    for number in draw(st.lists(numbers, max_size=3)):
        value = keep(kind, join(value, keep(kind, number, type), type), type)
    return draw(st.sampled_from([value, value, TOP])), type, draw(numbers)


@given(values())
def test_a_text_stands_for_what_its_value_contains(found: tuple[Value, Int, int]) -> None:
    value, type, number = found
    written = text(value, type)
    assert is_vague(written) is not isinstance(value, int)
    assert may_be_one_of(written, str(number)) is contains(value, number, type)
    read = content(written)
    if contains(value, number, type) and number <= WIDE.high:
        assert contains(read, number, WIDE)  # type: ignore[arg-type]
    # The same holds wherever it stands in an argument.
    for shape in ("&n={}", "{{.a=1, .b[0]={}}}", "&n={{7, {}}}"):
        assert may_be_one_of(shape.format(written), shape.format(number)) is contains(value, number, type)
        assert is_vague(shape.format(written)) is is_vague(written)


@given(st.text(alphabet='0123456789-.|[]{}&=", modtp?ruealsb', max_size=30) | st.text(), st.text(max_size=20))
def test_any_text_is_read(one: str, other: str) -> None:
    meaning(one)
    content(one)
    assert is_vague(one) or may_be_one_of(one, one)
    assert isinstance(may_be_one_of(one, other), bool)


def test_what_is_nested_too_deep_has_an_answer() -> None:
    deep = "{" * 100_000 + "}" * 100_000
    assert may_be_one_of(deep, deep)
    assert not is_vague(deep)


@pytest.mark.parametrize(
    ("several", "inside", "outside"),
    [
        ("&a|&b", ["&a", "&b=5", '"what lies there"'], ["&c", "&c=5", "null"]),
        (
            "{.a=1, .b=2..3}",
            ["{.a=1, .b=2}", "{.a=1, .b=RED}"],
            ["{.a=2, .b=2}", "{.a=1, .b=4}", "{.a=1}"],
        ),
        ("&row={1, 2..3}", ["&row={1, 2}"], ["&row={1, 4}", "&row={1}", "&line={1, 2}"]),
        ("{.p=&x=1..2, .q=0}", ["{.p=&x=1, .q=0}"], ["{.p=&x=3, .q=0}", "{.p=&y=1, .q=0}"]),
    ],
)
def test_what_composed_texts_mean(several: str, inside: list[str], outside: list[str]) -> None:
    assert is_vague(several)
    assert [value for value in inside if not may_be_one_of(several, value)] == []
    assert [value for value in outside if may_be_one_of(several, value)] == []


@pytest.mark.parametrize("exact", ["5", "RED", '"a|b"', '"k=a|b"', "&x=5", "{.a=1, .b=2}", "{}", "9" * 20])
def test_what_is_exact(exact: str) -> None:
    assert not is_vague(exact)
    assert may_be_one_of(exact, exact)
