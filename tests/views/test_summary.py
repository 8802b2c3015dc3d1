"""Summaries for scripts and for people, and the text view of small models."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.model import Assumption, Model, ModelBuilder, Origin, Proposition, Relation, Sort
from stateglass.source import Topic
from stateglass.views.silence import silent_cycles
from stateglass.views.summary import summarise, summary_text
from stateglass.views.terminal import state_table
from tests.formats.strategies import models


def valve() -> Model:
    builder = ModelBuilder()
    builder.add(0, "call(open)", 1)
    builder.add(1, "tau", 2)
    builder.add(2, "tau", 1)
    builder.add(1, "call(jam)", 3)
    builder.add(1, "call(jam)", 0)
    builder.add(0, "exit(0)", 4)
    builder.label("never")
    mode = Proposition("mode", Sort.ENUM, np.array([0, 1, 1, 1, 0]), ((0, "SHUT"), (1, "OPEN")))
    origin = Origin(
        Relation.OVER,
        "Valve",
        ("valve.c",),
        (("open.x", "0..3"),),
        (Assumption(Topic.FUNCTION, "sensor", "returns any value"),),
        ("stopped after 5 states",),
        ("hidden: log",),
    )
    return builder.build(5, propositions=[mode], terminal=[4], origin=origin)


def test_the_keys_that_others_rely_on() -> None:
    assert summarise(valve()) == {
        "states": 5,
        "transitions": 6,
        "labels": {"call(open)": 1, "tau": 2, "call(jam)": 2, "exit(0)": 1},
        "deadlocks": [3],
        "livelocks": [1, 2],
        "partial": True,
        "partial_reasons": ["stopped after 5 states"],
        "deterministic": False,
        "initial": 0,
        "terminal": [4],
        "unexplored": [],
        "propositions": ["mode"],
        "relation": "over",
        "subject": "Valve",
        "assumptions": [{"kind": "function", "subject": "sensor", "text": "returns any value"}],
        "bounds": {"open.x": "0..3"},
        "history": ["hidden: log"],
    }


def test_the_summary_for_people() -> None:
    assert summary_text(valve(), 80) == (
        "Valve: 5 states, 6 transitions, 4 labels\n"
        "PARTIAL: stopped after 5 states\n"
        "over-approximation as far as it goes: perhaps more than the code's behaviour,\n"
        "  and not all of it\n"
        "initial state 0\n"
        "1 end: state 4\n"
        "1 deadlock: state 3\n"
        "livelocks in states 1, 2\n"
        "not deterministic\n"
        "propositions: mode\n"
        "labels:\n"
        "  2  tau\n"
        "  2  call(jam)\n"
        "  1  call(open)\n"
        "  1  exit(0)\n"
        "bounds:\n"
        "  open.x = 0..3\n"
        "assumptions:\n"
        "  sensor: returns any value\n"
        "history:\n"
        "  hidden: log\n"
    )


def test_the_table_for_terminals() -> None:
    assert state_table(valve(), 80) == (
        "> 0  mode = SHUT\n"
        "       call(open) -> 1\n"
        "       exit(0) -> 4\n"
        "  1  mode = OPEN\n"
        "       tau -> 2\n"
        "       call(jam) -> 0\n"
        "       call(jam) -> 3\n"
        "  2  mode = OPEN\n"
        "       tau -> 1\n"
        "  3  (deadlock)  mode = OPEN\n"
        "  4  (end)  mode = SHUT\n"
        "partial: stopped after 5 states\n"
    )


def test_long_lists_are_cut() -> None:
    builder = ModelBuilder()
    for i in range(60):
        builder.add(0, f"call(f, {i})", i)
    text = summary_text(builder.build(60), 80)
    assert "… 40 more" in text
    assert "59 deadlocks: states 1, 2, 3" in text
    table = state_table(builder.build(60), 80)
    assert "… 48 more transitions" in table
    assert table.endswith("… 20 more states\n")


def test_a_whole_table_is_not_cut() -> None:
    builder = ModelBuilder()
    for i in range(60):
        builder.add(0, f"call(f, {i})", i)
    table = state_table(builder.build(60), 80, whole=True)
    assert "call(f, 59) -> 59" in table
    assert "  59  (deadlock)" in table
    assert "more" not in table


def test_values_that_do_not_fit_a_line_stand_below() -> None:
    values = [Proposition(f"counter{i}", Sort.INT, np.array([i, 1000 + i])) for i in range(5)]
    model = ModelBuilder()
    model.add(0, "tick", 1)
    table = state_table(model.build(2, propositions=values), 40)
    assert table == (
        "> 0  counter0 = 0  counter1 = 1\n"
        "     counter2 = 2  counter3 = 3\n"
        "     counter4 = 4\n"
        "       tick -> 1\n"
        "  1  (deadlock)  counter0 = 1000\n"
        "     counter1 = 1001  counter2 = 1002\n"
        "     counter3 = 1003  counter4 = 1004\n"
    )


@settings(max_examples=60)
@given(models(), st.integers(40, 100))
def test_every_line_fits_and_everything_can_be_printed(model: Model, width: int) -> None:
    for text in (summary_text(model, width), state_table(model, width), state_table(model, width, whole=True)):
        assert text.endswith("\n")
        for line in text[:-1].split("\n"):
            assert len(line) <= width
            assert line.isprintable()
    json.dumps(summarise(model))


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_livelocks_are_the_states_that_reach_themselves_silently(case: tuple[int, list[tuple[int, int]]]) -> None:
    states, pairs = case
    builder = ModelBuilder()
    builder.add(0, "a", 0)
    for source, target in pairs:
        builder.add(source, "tau", target)
    reach = np.zeros((states, states), dtype=np.bool_)
    for source, target in pairs:
        reach[source, target] = True
    for middle in range(states):
        reach |= reach[:, [middle]] & reach[[middle], :]
    expected = np.flatnonzero(np.diag(reach)).tolist()
    model = builder.build(states)
    assert silent_cycles(model) == expected


def test_a_long_silent_chain_needs_no_recursion() -> None:
    builder = ModelBuilder()
    count = 50_000
    for state in range(count):
        builder.add(state, "tau", (state + 1) % count)
    assert len(silent_cycles(builder.build(count))) == count
