"""mCRL2's `.fsm`: the exact text, files of mCRL2, valuations that come back, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from stateglass.formats import fsm, losses
from stateglass.model import Model, ModelBuilder, Proposition, Sort
from stateglass.source import Code, InputError
from tests.formats.strategies import edges, models

# The example of mCRL2's manual.
MANUAL = b"""b(2) Bool "F" "T"
n(2) Nat "1" "2"
---
0 0
0 1
1 0
1 1
---
1 2 "increase"
1 3 "on"
2 4 "on"
2 1 "decrease"
3 1 "off"
3 4 "increase"
4 2 "off"
4 3 "decrease"
"""


def valve() -> Model:
    builder = ModelBuilder()
    builder.add(1, 'say("x\\n")', 0)
    builder.add(0, "tau", 1)
    mode = Proposition("a.mode", Sort.ENUM, np.array([0, 7, 7]), ((0, "SHUT"),))
    count = Proposition("n", Sort.INT, np.array([5, -1, 0]), (), np.array([True, True, False]))
    return builder.build(3, 1, propositions=[mode, count])


def test_the_text_is_exact() -> None:
    assert fsm.serialise(valve()).decode() == (
        'a_x2e_mode(2) Enum "SHUT" "7"\n'
        'n(3) Int "5" "-1" "?"\n'
        "---\n0 0\n1 1\n1 2\n---\n"
        '1 2 "tau"\n'
        '2 1 "say(\\qx\\\\n\\q)"\n'
        "---\n2\n"
    )
    again = fsm.parse(fsm.serialise(valve()), "m.fsm")
    assert edges(again) == edges(valve())
    assert again.initial == 1
    assert [again.valuation(state) for state in range(3)] == [valve().valuation(state) for state in range(3)]
    assert [p.sort for p in again.propositions] == [Sort.ENUM, Sort.INT]
    assert losses(valve(), "fsm") == ["`fsm` keeps the names of values, not the numbers behind them"]


def test_the_example_of_the_manual() -> None:
    model = fsm.parse(MANUAL, "m.fsm")
    assert (model.states, model.initial, model.transitions) == (4, 0, 8)
    assert model.valuation(1) == {"b": "F", "n": "2"}
    assert model.propositions[1].values.tolist() == [1, 2, 1, 2]
    assert (1, "on", 3) in edges(model)


@settings(max_examples=100, deadline=None)
@given(models())
def test_valuations_come_back(model: Model) -> None:
    again = fsm.parse(fsm.serialise(model), "m.fsm")
    assert (again.states, again.initial, edges(again)) == (model.states, model.initial, edges(model))
    assert [again.valuation(s) for s in range(again.states)] == [model.valuation(s) for s in range(model.states)]


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("---\n---\n", 1),
        ('---\n---\n1 2 "a"\n', 2),
        ('---\n---\n1 2 "a"\n---\n5\n', 5),
        ("x(0) Nat\n---\n7\n8\n9\n---\n", 3),
        ('x(1)"only"\r\n---\r\n0\r\n---\r\n1 1 "a"\r\n', 1),
        ('f(1) Nat -> Bool "lambda x: Nat. true"\n---\n0\n---\n', 1),
    ],
)
def test_files_of_others(text: str, states: int) -> None:
    assert fsm.parse(text.encode(), "m.fsm").states == states


def test_names_of_others_are_left_alone() -> None:
    model = fsm.parse(b'a__b(1) Nat "0"\na_b(1) Nat "1"\n---\n0 0\n---\n', "m.fsm")
    assert model.valuation(0) == {"a__b": "0", "a_b": "1"}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the file has 1 of 3 sections"),
        ('a(2) Nat "1"\n---\n---\n', 1, "the parameter `a` has 1 value, not 2"),
        ('a(1) Nat "1" x\n---\n---\n', 1, 'expected a parameter or `---`, found `a(1) Nat "1" x`'),
        ('a(1) Nat "1"\n---\n1\n---\n', 3, "the value 1 is not one of the 1 of `a`, numbered from 0"),
        ('a(1) Nat "1"\n---\n0 0\n---\n', 3, "the state has 2 values for 1 parameter"),
        ("---\nx\n---\n", 2, "expected a state or `---`, found `x`"),
        ('a(1) Nat "1"\n---\n0\n---\n1 2 "a"\n', 5, "there is no state 2: the file lists 1 state"),
        ('---\n---\n1 [2 1/2 3 1/2] "a"\n', 3, "transitions with probabilities are not read"),
        ('---\n---\n1 2 "a"\n---\n[1 1/2 2 1/2]\n', 5, "an initial state with probabilities is not read"),
        ('---\n---\n0 1 "a"\n', 3, "`0` is no state: they are numbered from 1, and at most 100000000 are read"),
        ('---\n---\n1 1 ""\n', 3, "the label is empty"),
        ("---\n---\n1 1 a\n", 3, "expected a transition, found `1 1 a`"),
        ("---\n---\n---\n1\n---\n", 5, "there are more than 4 sections"),
        ('a(1) Nat "1"\na(1) Nat "1"\n---\n---\n', 0, "there are 2 parameters `a`"),
    ],
)
def test_broken_files(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        fsm.parse(text.encode(), "m.fsm")
    assert [(d.span.line, d.message) for d in caught.value.diagnostics] == [(line, message)]


def test_a_far_away_state_costs_no_memory() -> None:
    with pytest.raises(InputError) as caught:
        fsm.parse(b'---\n---\n1 90000000 "a"\n', "m.fsm")
    assert caught.value.diagnostics[0].code is Code.TOO_LARGE
