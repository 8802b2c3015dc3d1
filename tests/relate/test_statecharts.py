"""State diagrams as models: effects come one after the other, and what a state does not know it ignores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.model import TAU, Model, ModelBuilder, Proposition, Sort
from stateglass.relate import as_statechart
from stateglass.source import InputError
from tests.formats.strategies import edges

Rows = list[tuple[int, str, int]]


def chart(rows: Rows, states: int = 3) -> Model:
    builder = ModelBuilder()
    for row in rows:
        builder.add(*row)
    names = Proposition("state", Sort.INT, np.arange(states, dtype=np.int64))
    return builder.build(states, propositions=[names], terminal=[states - 1])


def test_effects_come_one_after_the_other_and_the_rest_is_ignored() -> None:
    model = as_statechart(chart([(0, "open / motor; lamp", 1), (1, "close", 0)]))
    assert edges(model) == {
        (0, "open", 3),
        (3, "motor", 4),
        (4, "lamp", 1),
        (0, "close", 0),
        (1, "close", 0),
        (1, "open", 1),
    }
    # What lies between belongs to the state that is left.
    assert model.propositions[0].values.tolist() == [0, 1, 2, 0, 0]


def test_effects_need_no_trigger_and_silence_is_none() -> None:
    model = as_statechart(chart([(0, "/ lamp", 1), (1, TAU, 0), (1, "go", 2)]))
    assert edges(model) == {(0, "lamp", 1), (1, TAU, 0), (1, "go", 2), (0, "go", 0)}


def test_an_end_ignores_nothing() -> None:
    assert edges(as_statechart(chart([(0, "go", 2)]))) == {(0, "go", 2), (1, "go", 1)}


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("go /", "has no effect behind its `/`"),
        ("/ ;", "has no effect behind its `/`"),
        ("go / go", "`go` is both a trigger and an effect"),
    ],
)
def test_what_makes_no_sense_is_refused(label: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        as_statechart(chart([(0, label, 1)]))


WORDS = st.lists(st.sampled_from(["a", "b", "c", "/", ";", " ", " / ", "; ", "a/b", TAU]), min_size=1, max_size=7)
LABELS = WORDS.map("".join).filter(str.strip)


@given(st.lists(st.tuples(st.integers(0, 2), LABELS, st.integers(0, 2)), max_size=6))
def test_every_state_hears_every_trigger(rows: Rows) -> None:
    drawn = chart([row for row in rows if row[0] != 2])
    try:
        model = as_statechart(drawn)
    except InputError as error:
        assert error.diagnostics
        return
    found = edges(model)
    triggers = {row[1].partition(" / ")[0].strip() for row in rows if row[0] != 2 and row[1].strip() != TAU}
    for trigger in triggers - {"", TAU}:
        if not trigger.startswith("/ "):
            assert all(any(edge[:2] == (state, trigger) for edge in found) for state in (0, 1))
    # Between effects there is one way on.
    for state in range(drawn.states, model.states):
        assert len([edge for edge in found if edge[0] == state]) == 1
