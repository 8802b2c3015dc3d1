"""A value of a log is one of those that an argument of an abstract label stands for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.program import Int
from stateglass.replay.actions import Alphabet, Dictionary, Match
from stateglass.replay.vague_values import may_be_logged
from stateglass.values.abstract import TOP, MinMax, Mod, Part, Value, contains, join, keep
from stateglass.values.abstract import text as text_of

INT = Int(32, signed=True)
NUMBERS = st.one_of(st.integers(-20, 20), st.integers(INT.low, INT.high))
KINDS = st.one_of(
    st.just(MinMax()),
    st.integers(2, 9).map(Mod),
    st.sets(st.integers(-20, 20), min_size=1, max_size=4).map(lambda points: Part(tuple(sorted(points)))),
)


@st.composite
def values(draw: st.DrawFn) -> Value:
    """What a variable keeps of one of several numbers."""
    kind, found = draw(KINDS), draw(NUMBERS)
    value = keep(kind, found, INT)
    for number in draw(st.lists(NUMBERS, max_size=3)):
        value = keep(kind, join(value, keep(kind, number, INT), INT), INT)
    return draw(st.sampled_from([value, value, TOP]))


@pytest.mark.parametrize("match", list(Match))
@pytest.mark.parametrize("shape", ["send({}, {})", "call(f, {}, {})", "return(f, {}, {})", "exit({}, {})"])
@settings(max_examples=60)
@given(one=values(), other=values(), numbers=st.tuples(NUMBERS, NUMBERS))
def test_an_event_is_a_label_whose_values_contain_its_own(
    match: Match, shape: str, one: Value, other: Value, numbers: tuple[int, int]
) -> None:
    label = shape.format(text_of(one, INT), text_of(other, INT))
    moves = Dictionary(Alphabet(["tau", label]), match).moves(shape.format(*numbers))
    possible = bool(moves) and any(1 in move.labels for move in moves or ())
    if contains(one, numbers[0], INT) and contains(other, numbers[1], INT):
        assert possible
    elif match is Match.TEXT:
        assert not possible


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("2..7", ["2", "7", "0x5"], ["1", "8"]),
        ("[..-1]|[5..9]", ["-3", "5"], ["0", "10", "4294967295"]),
        ("0|2 mod 4", ["0", "6", "-2"], ["1", "7"]),
        ("top", ["3", "null", "&x"], []),
        ("&x|null", ["&x", "&x=3", "null"], ["&y", "3"]),
        ("&n=1..3", ["&n=2"], ["&n=4", "&m=2"]),
        ("7 mod 4", ["3", "7"], ["0"]),
    ],
)
def test_what_the_texts_mean(text: str, inside: list[str], outside: list[str]) -> None:
    assert all(may_be_logged(text, value) for value in inside)
    assert not any(may_be_logged(text, value) for value in outside)


def test_a_sign_may_be_lost() -> None:
    assert may_be_logged("[..-1]|[5..9]", "4294967295", either_sign=True)
    assert may_be_logged("4000000000..4294967295", "-1", either_sign=True)
    assert not may_be_logged("[..-1]", "3", either_sign=True)


@given(st.text(), st.text())
def test_any_text_is_answered(label: str, event: str) -> None:
    for match in Match:
        Dictionary(Alphabet([label]), match).moves(event)
    may_be_logged(label, event)


def test_each_argument_has_its_own_values() -> None:
    labels = ["tau", "f([0..], [0..])", "g([0..4], [7..9])", "h([0..4]|[7..9])", "k(0, 2 mod 4)"]
    dictionary = Dictionary(Alphabet(labels), Match.TEXT)
    for event in ("f(1, 2)", "g(1, 8)", "h(8)", "k(0, 6)"):
        assert dictionary.moves(event), event
    for event in ("f(1)", "g(8)", "g(8, 1)", "h(5)", "h(1, 8)", "k(6)", "k(2, 2)"):
        assert not dictionary.moves(event), event
