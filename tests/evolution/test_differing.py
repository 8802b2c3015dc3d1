"""Differences of random models: the same answer as `compare`, and the same steps as a brute force finds."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from fnmatch import fnmatch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.check.predicates import predicate_truth
from stateglass.evidence import Became, ChangeGraph, Difference, Kept, problem_of
from stateglass.evidence import Path as Run
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.text import Text
from stateglass.model import STABLE, Model, ModelBuilder, Proposition, Sort
from stateglass.operations.comparing import compare_models
from stateglass.operations.differing import differ, graph_of
from stateglass.relate import reachable
from stateglass.source import InputError
from tests.relate.random_models import Rows, built, random_pair

SEEDS = st.integers(0, 1 << 32).map(random.Random)


@given(SEEDS, st.sampled_from(["strong", "branching", "dpbranching", "trace", "weak"]))
def test_the_answer_is_that_of_compare(chance: random.Random, by: str) -> None:
    old, new = random_pair(chance, ends=True, values=True)
    assert differ(old, new, by).equivalent == compare_models(old, new, by, ["p"]).related


@given(SEEDS)
def test_without_values_actions_decide(chance: random.Random) -> None:
    old, new = random_pair(chance, values=True)
    assert differ(old, new, "branching", keep=()).equivalent == compare_models(old, new, "branching").related


def told_apart(chance: random.Random) -> tuple[Rows, Rows, int]:
    """Two versions of a model whose states all have values of their own; labels have no silent one."""
    states = chance.randint(1, 6)
    rows = list({(chance.randrange(states), chance.choice("abc"), chance.randrange(states)) for _ in range(2 * states)})
    others = [row for row in rows if chance.random() < 0.8]
    others += [(chance.randrange(states), chance.choice("abc"), chance.randrange(states)) for _ in range(2)]
    return rows, list(set(others)), states


def model_with_values(rows: Rows, states: int) -> Model:
    return built(rows, states, values=list(range(10, 10 + states)))


def reached(rows: Rows) -> set[int]:
    found, work = {0}, [0]
    while work:
        state = work.pop()
        for source, _, target in rows:
            if source == state and target not in found:
                found.add(target)
                work.append(target)
    return found


@given(SEEDS)
def test_arrows_are_those_of_a_brute_force(chance: random.Random) -> None:
    old, new, states = told_apart(chance)
    graph = graph_of(model_with_values(old, states), model_with_values(new, states))
    sides = [{row for row in rows if row[0] in reached(rows)} for rows in (old, new)]
    assert arrows(graph, Became.APPEARED) == sides[1] - sides[0]
    assert arrows(graph, Became.VANISHED) == sides[0] - sides[1]
    assert arrows(graph, None) == sides[0] & sides[1]


def arrows(graph: ChangeGraph, became: Became | None) -> set[tuple[int, str, int]]:
    values = [int(dict(spot.values)["p"]) - 10 for spot in graph.spots]
    return {(values[a.source], a.label, values[a.target]) for a in graph.arrows if a.became is became}


@given(SEEDS)
def test_changes_are_those_of_a_brute_force(chance: random.Random) -> None:
    old, new, states = told_apart(chance)
    found = differ(model_with_values(old, states), model_with_values(new, states), "strong")
    expected: Counter[tuple[Became, str]] = Counter()
    for state in reached(old) & reached(new):
        for label in "abc":
            before, after = ({t for s, x, t in rows if (s, x) == (state, label)} for rows in (old, new))
            expected += counted_changes(label, before, after)
    told: Counter[tuple[Became, str]] = Counter()
    for change in found.changes:
        told[change.became, change.action] += change.count
    assert told == expected
    assert (found.equivalent is True) == (not expected)


def counted_changes(label: str, before: set[int], after: set[int]) -> Counter[tuple[Became, str]]:
    gone, come = before - after, after - before
    if not before or not after:
        # That an action is possible is one change, however many outcomes it has.
        became = Became.APPEARED if after else Became.VANISHED
        return Counter({(became, label): 1} if before or after else {})
    if len(gone) == len(come) == 1:
        return Counter({(Became.MOVED, label): 1})
    counts = {(Became.VANISHED, label): len(gone), (Became.APPEARED, label): len(come)}
    return Counter({key: count for key, count in counts.items() if count})


@given(SEEDS)
def test_runs_that_show_changes_are_runs(chance: random.Random) -> None:
    old, new, states = told_apart(chance)
    models = {"old": model_with_values(old, states), "new": model_with_values(new, states)}
    for change in differ(models["old"], models["new"]).changes:
        model = reachable(models[change.run_of.value])
        assert change.run
        assert not problem_of(Run(model.initial, change.run), model)
        assert change.run[-1].action == change.action


def test_a_run_with_silent_steps() -> None:
    old = built([(0, "tau", 1), (1, "tau", 2), (2, "a", 0)], 3, values=[0, 0, 0])
    new = built([(0, "tau", 1), (1, "tau", 2), (2, "a", 3)], 4, values=[0, 0, 0, 1])
    [change] = differ(old, new).changes
    assert change.text.startswith("`a` now leads to p == 1 (was 0)")
    assert [step.action for step in change.run] == ["tau", "tau", "a"]


def test_a_partial_model_decides_nothing() -> None:
    whole = built([(0, "a", 1), (1, "b", 0)], 2)
    part = built([(0, "a", 1)], 2, unexplored=[1])
    found = differ(whole, part)
    assert (found.equivalent, found.changes) == (None, ())
    assert "partial" in found.reason


def test_values_that_are_kept_must_exist() -> None:
    model = built([(0, "a", 0)], 1, values=[0])
    with pytest.raises(InputError, match="no proposition `q`"):
        differ(model, model, keep=["q"])


def test_variables_of_one_side_do_not_count() -> None:
    old, new = built([(0, "a", 0)], 1, values=[0]), built([(0, "a", 0)], 1)
    found: Difference = differ(old, new)
    assert found.equivalent is True
    assert (found.compared, found.variables) == ((), ((), ("p",)))


def test_what_only_actions_tell_apart_is_shown_by_a_run() -> None:
    old, new = built([(0, "a", 1), (1, "b", 0)], 2), built([(0, "a", 1), (1, "c", 0)], 2)
    found = differ(old, new)
    assert found.equivalent is False
    assert found.distinction is not None
    assert found.distinction.actions in (("a", "b"), ("a", "c"))
    assert found.labels == (("c",), ("b",))


def test_states_that_look_alike_are_compared_after_the_same_run() -> None:
    """A hidden counter: what the third step of the one does is not held against the second of the other."""
    old = built([(0, "a", 1), (1, "a", 2), (2, "a", 3), (3, "b", 3)], 4, values=[0, 0, 0, 1])
    new = built([(0, "a", 1), (1, "a", 2), (2, "b", 2)], 3, values=[0, 0, 1])
    found = differ(old, new)
    assert [change.text for change in found.changes] == [
        "`a` now leads to p == 1 (was 0) in some cases, such as after `a`"
    ]
    assert found.scope
    assert not found.states


Table = dict[tuple[int, str], tuple[int, int]]
"""What a call does in each state: the state after it, and what it returns."""
CALLS = ("call(f, 0)", "call(f, 1)", "call(g)")


def code_like(table: Table, states: int) -> Model:
    """A model as code has: each call from a state between calls, then a state within it, then what it returns."""
    rows: Rows = []
    values, stable = list(range(states)), [1] * states
    for (state, call), (after, returned) in table.items():
        between = len(values)
        values.append(after)
        stable.append(0)
        rows += [(state, call, between), (between, f"return({call[5]}, {returned})", after)]
    model = built(rows, len(values), values=values)
    sign = Proposition(STABLE, Sort.BOOL, np.array(stable, dtype=np.int64))
    return replace(model, propositions=(sign, *model.propositions))


def reached_by(table: Table) -> set[int]:
    return reached([(state, call, after) for (state, call), (after, _) in table.items()])


def random_tables(chance: random.Random) -> tuple[Table, Table, int]:
    states = chance.randint(1, 6)
    places = [(state, call) for state in range(states) for call in CALLS]
    old: Table = {place: (chance.randrange(states), chance.randrange(2)) for place in places}
    new = {p: (chance.randrange(states), chance.randrange(2)) if chance.random() < 0.25 else old[p] for p in places}
    return old, new, states


@given(SEEDS)
def test_calls_that_changed_are_those_of_a_brute_force(chance: random.Random) -> None:
    old, new, states = random_tables(chance)
    found = differ(code_like(old, states), code_like(new, states))
    both = reached_by(old) & reached_by(new)
    differing = {place for place in old if place[0] in both and old[place] != new[place]}
    assert sum(change.count for change in found.changes) == len(differing)
    assert (found.equivalent is True) == (not differing)
    for change in found.changes:
        assert change.became is Became.MOVED
        assert re.fullmatch(r"call\(f, [01*]\)|call\(g\)", change.action)
        assert len(change.run) % 2 == 0


def where_it_is_true(condition: str, places: list[tuple[int, str]]) -> list[bool]:
    """Whether a condition holds before each of some calls; the argument of a call goes by its place."""
    if not condition:
        return [True] * len(places)
    predicate = read_predicate(Text(condition), 0, len(condition))
    assert predicate is not None
    columns = {"p": [state for state, _ in places], "argument 1": [int("1" in call) for _, call in places]}
    propositions = tuple(Proposition(n, Sort.INT, np.array(v, dtype=np.int64)) for n, v in columns.items())
    table = replace(built([], len(places)), propositions=propositions)
    return [bool(true) for true in predicate_truth(predicate, table).must]


@given(SEEDS)
def test_conditions_are_true_where_calls_changed(chance: random.Random) -> None:
    old, new, states = random_tables(chance)
    both = reached_by(old) & reached_by(new)
    explained: set[tuple[int, str]] = set()
    for change in differ(code_like(old, states), code_like(new, states)).changes:
        calls = [call for call in CALLS if fnmatch(call, change.action)]
        places = [(state, call) for state in sorted(both) for call in calls]
        truth = where_it_is_true(change.condition, places)
        told = {place for place, true in zip(places, truth, strict=True) if true}
        if change.exact:
            assert all(old[place] != new[place] for place in told)
        explained |= told
    assert {place for place in old if place[0] in both and old[place] != new[place]} <= explained


def test_how_much_is_kept() -> None:
    first, second = ModelBuilder(), ModelBuilder()
    first.add(0, "a", 1)
    first.add(1, "b", 0)
    second.add(0, "a", 1)
    second.add(1, "c", 0)
    columns = [Proposition("x", Sort.INT, np.array([0, 1]))]
    found = differ(first.build(2, propositions=columns), second.build(2, propositions=columns))
    assert found.structure == Kept(states=2, preserved=1, imposed=1, deleted=1)
