"""Conditions for sets of states: where they say to be exact they are, and otherwise they leave none out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.check.predicates import predicate_truth
from stateglass.evolution.describing import Among, Description, at_rows
from stateglass.logic.predicates import Predicate
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.text import Text
from stateglass.model import Model, ModelBuilder, Proposition, Relation, Sort
from stateglass.model.model import Flags, Origin

_NAMES = ((0, "RED"), (1, "GREEN"), (4, "BLUE"))


def table(columns: list[Proposition]) -> Model:
    return ModelBuilder().build(len(columns[0].values), propositions=columns)


def describe(
    columns: Sequence[Proposition], wanted: Flags, within: Flags | None = None, relation: Relation = Relation.EXACT
) -> Description:
    """A condition that is true for the wanted rows of a table and for no other of those in `within`."""
    rows = np.flatnonzero(np.ones(len(wanted), dtype=np.bool_) if within is None else within)
    return Among([at_rows(column, rows) for column in columns], relation).describe(wanted[rows])


def describe_states(model: Model, states: Flags, within: Flags | None = None) -> Description:
    return describe(model.propositions, states, within, model.origin.relation)


def truth(predicate: Predicate, model: Model) -> Flags:
    return predicate_truth(predicate, model).must


@st.composite
def tables(draw: st.DrawFn) -> tuple[Model, Flags, Flags]:
    """States with values of every sort, some of them wanted, among some."""
    size = draw(st.integers(1, 14))

    def of(values: st.SearchStrategy[int]) -> np.ndarray:
        return np.array(draw(st.lists(values, min_size=size, max_size=size)), dtype=np.int64)

    def flags() -> Flags:
        return np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=np.bool_)

    columns = [
        Proposition("ready", Sort.BOOL, of(st.integers(0, 1))),
        Proposition("x", Sort.INT, of(st.integers(-2, 3)), defined=flags() if draw(st.booleans()) else None),
        Proposition("RED", Sort.INT, of(st.integers(-2, 40))),
        Proposition("colour", Sort.ENUM, of(st.sampled_from([0, 1, 4, 9])), _NAMES),
        Proposition("p", Sort.POINTER, of(st.integers(0, 1)), ((1, "&buffer[0]"),)),
        Proposition("level", Sort.FLOAT, of(st.integers(-3, 3)) / 2, defined=flags() if draw(st.booleans()) else None),
    ]
    wanted, within = flags(), flags()
    wanted[draw(st.integers(0, size - 1))] = True
    return table(columns), wanted, within | wanted


@given(tables())
def test_exact_conditions_are_exact(case: tuple[Model, Flags, Flags]) -> None:
    model, wanted, within = case
    found = describe_states(model, wanted, within)
    if found.predicate is None:
        assert not found.exact or (wanted == within).all()
        return
    held = truth(found.predicate, model) & within
    assert (held[wanted]).all()
    assert not found.exact or (held == wanted).all()


@given(tables())
def test_conditions_read_back(case: tuple[Model, Flags, Flags]) -> None:
    model, wanted, within = case
    found = describe_states(model, wanted, within)
    if found.predicate is not None:
        text = Text(found.text)
        again = read_predicate(text, 0, len(found.text))
        assert again is not None, text.problems
        assert (truth(again, model) == truth(found.predicate, model)).all()


@given(tables())
def test_what_can_be_separated_by_two_tests_is(case: tuple[Model, Flags, Flags]) -> None:
    model, _, within = case
    ready, red = (p.values for p in model.propositions if p.name in ("ready", "RED"))
    wanted = within & (ready != 0) & (red > 3)
    if wanted.any():
        assert describe_states(model, wanted, within).exact


SIZE = 400
CHANCE = np.random.default_rng(5)
READY = CHANCE.integers(0, 2, SIZE)
X, Y = CHANCE.integers(0, 9, SIZE), CHANCE.integers(0, 9, SIZE)
COLOUR = CHANCE.choice([0, 1, 4], SIZE)
LARGE = CHANCE.integers(0, 100_000, SIZE)
COLUMNS = [
    Proposition("ready", Sort.BOOL, READY),
    Proposition("x", Sort.INT, X),
    Proposition("y", Sort.INT, Y),
    Proposition("colour", Sort.ENUM, COLOUR, _NAMES),
    Proposition("large", Sort.INT, LARGE),
]


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (READY == 1, "ready"),
        (READY == 0, "!ready"),
        (COLOUR == 4, "colour == BLUE"),
        (COLOUR != 4, "colour != BLUE"),
        (X == 3, "x == 3"),
        (X > 0, "x > 0"),
        (X <= 5, "x <= 5"),
        (X < Y, "x < y"),
        (X == Y, "x == y"),
        ((READY == 1) & (X == 3), "ready && x == 3"),
        ((READY == 1) & (COLOUR == 1) & (X >= 6), "ready && x >= 6 && colour == GREEN"),
        ((X == 3) | (COLOUR == 4), "x == 3 || colour == BLUE"),
        ((READY == 1) & ((X == 3) | (COLOUR == 4)), "ready && (x == 3 || colour == BLUE)"),
        ((X >= 2) & (X <= 5), "x >= 2 && x <= 5"),
    ],
    ids=str,
)
def test_conditions_are_those_a_person_would_write(wanted: Flags, text: str) -> None:
    found = describe(COLUMNS, wanted)
    assert (found.text, found.exact) == (text, True)


def test_a_limit_among_many_values_is_found() -> None:
    wanted = LARGE >= 50_000
    found = describe(COLUMNS, wanted)
    assert found.exact
    assert found.text == f"large >= {LARGE[wanted].min()}"


def test_all_states_need_no_condition() -> None:
    found = describe(COLUMNS, READY == 1, READY == 1)
    assert (found.predicate, found.exact, found.when()) == (None, True, "")


def test_what_nothing_small_separates_is_said_as_what_it_is() -> None:
    wanted = (READY == 1) & (CHANCE.random(SIZE) < 0.5)
    found = describe(COLUMNS, wanted)
    assert not found.exact
    assert found.when() == " in some of the cases where ready"


def test_states_that_look_the_same_are_not_separated() -> None:
    same = Proposition("x", Sort.INT, np.array([1, 1, 2], dtype=np.int64))
    found = describe([same], np.array([True, False, False]))
    assert (found.text, found.exact) == ("x == 1", False)
    nothing = describe([same], np.array([True, False, True]))
    assert (nothing.predicate, nothing.exact, nothing.when()) == (None, False, " in some cases")


def test_values_that_stand_for_several_are_not_compared() -> None:
    names = ((0, "0"), (1, "1..9"))
    columns = [
        Proposition("n", Sort.ENUM, np.array([0, 1, 1], dtype=np.int64), names),
        Proposition("on", Sort.BOOL, np.array([0, 1, 0], dtype=np.int64)),
    ]
    model = ModelBuilder().build(3, propositions=columns, origin=Origin(relation=Relation.OVER))
    assert describe_states(model, np.array([False, True, False])).text == "on"
    assert not describe_states(model, np.array([False, True, True])).exact


def test_transitions_are_described_by_their_sources() -> None:
    builder = ModelBuilder()
    for state in range(6):
        builder.add(state, "up", (state + 1) % 6)
    model = builder.build(6, propositions=[Proposition("x", Sort.INT, np.arange(6))])
    sources = [at_rows(own, model.sources.astype(np.int64)) for own in model.propositions]
    assert describe(sources, model.targets == 0).text == "x == 5"


def test_prose_has_no_quotes_for_calls() -> None:
    names = ((0, "returns"), (1, "throws E"))
    columns = [
        Proposition("motor.start()", Sort.POINTER, np.array([0, 1], dtype=np.int64), names),
        Proposition("read()", Sort.INT, np.array([3, 3], dtype=np.int64)),
    ]
    found: Description = describe(columns, np.array([False, True]))
    assert found.text == '`motor.start()` == "throws E"'
    assert found.when() == " when motor.start() throws E"


def test_prose_says_what_has_no_value() -> None:
    missing = np.array([True, False, True])
    columns = [
        Proposition("box.value", Sort.INT, np.array([3, 0, 4], dtype=np.int64), defined=missing),
        Proposition("read()", Sort.INT, np.array([0, 0, 0], dtype=np.int64)),
    ]
    assert describe(columns, ~missing).when() == " when box.value has no value"
    assert describe(columns, missing).when() == " when box.value has a value"
    asked = [Proposition("read()", Sort.BOOL, np.array([1, 0, 0], dtype=np.int64), defined=missing)]
    assert describe(asked, ~missing).when() == " when read() is not called"
