"""Recorded tests against what their definition says, run by run."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from stateglass.check.recorded import decide_recorded
from stateglass.evidence import Path, Reason, Verdict, problem_of
from stateglass.logic import predicates as p
from stateglass.logic import temporal as t
from stateglass.logic.claims import Recorded
from stateglass.model import TAU, Model, ModelBuilder, Origin, Proposition, Relation, Sort

Rows = list[tuple[int, str, int]]


def model_of(
    rows: Rows,
    states: int,
    values: list[int] | None = None,
    unexplored: tuple[int, ...] = (),
    relation: Relation = Relation.EXACT,
) -> Model:
    builder = ModelBuilder()
    for row in rows:
        builder.add(*row)
    columns = [] if values is None else [Proposition("x", Sort.INT, np.array(values, dtype=np.int64))]
    partial = ("it was cut short",) if unexplored else ()
    return builder.build(states, propositions=columns, unexplored=unexplored, origin=Origin(relation, partial=partial))


def x_is(value: int) -> t.Formula:
    return t.Holds(p.Applied(p.Operator.EQUAL, (p.Named("x"), p.Number(value))))


COUNTER: Rows = [
    (0, "call(up)", 1),
    (1, TAU, 2),
    (2, "return(up, 1)", 3),
    (3, "call(up)", 4),
    (4, "return(up, 1)", 3),
    (4, "return(up, 0)", 0),
    (0, "call(down)", 5),
    (5, "return(down)", 0),
]


def test_forced_possible_contradicted() -> None:
    model = model_of(COUNTER, 6)
    answers = {
        (
            "call(up)",
            "return(up, 1)",
        ): "possible in all 2 states in which something can be called, and forced in 1 of them",
        ("call(up)",): "forced in all 2 states",
        ("call(up)", "return(up, 0)"): "in 1 of the 2 states in which something can be called: from state 0 on, "
        "`return(up, 0)` cannot follow after `call(up)`",
        ("call(up)", "return(up, 1)", "call(down)"): "`call(down)` cannot follow after `return(up, 1)`",
        ("call(down)",): "from state 3 on, `call(down)` cannot follow.",
    }
    for events, expected in answers.items():
        answer = decide_recorded(Recorded(t.TRUE, events), model, title="t")
        assert expected in answer.explanation
        assert answer.verdict is (Verdict.VIOLATED if "cannot" in expected else Verdict.HOLDS)
        if isinstance(answer.evidence, Path):
            assert problem_of(answer.evidence, model) == ""


def test_the_condition_chooses_states() -> None:
    model = model_of(COUNTER, 6, [0, 0, 0, 7, 1, 0])
    assert decide_recorded(Recorded(x_is(7), ("call(down)",)), model, title="t").verdict is Verdict.VIOLATED
    test = Recorded(t.Not(x_is(7)), ("*",))
    assert decide_recorded(test, model, title="t").verdict is Verdict.HOLDS
    nowhere = decide_recorded(Recorded(x_is(9), ("call(up)",)), model, title="t")
    assert nowhere.verdict is Verdict.VACUOUS


def test_where_a_test_begins_if_the_model_does_not_say() -> None:
    events: Rows = [(0, "open", 1), (1, "work", 2), (2, "close", 0)]
    holds = decide_recorded(Recorded(t.TRUE, ("open", "work")), model_of(events, 3), title="t")
    assert (holds.verdict, holds.explanation) == (
        Verdict.HOLDS,
        "The sequence is forced in the only state in which it begins (the initial one: the model has no calls).",
    )
    wrong = decide_recorded(Recorded(t.TRUE, ("work",)), model_of(events, 3), title="t")
    assert wrong.verdict is Verdict.VIOLATED
    assert "contradicted in the only state in which it begins" in wrong.explanation
    # Behind state 2 there may be calls, and the initial state is not between them.
    cut = decide_recorded(Recorded(t.TRUE, ("work",)), model_of(events, 3, unexplored=(2,)), title="t")
    assert (cut.verdict, cut.reason) == (Verdict.INCONCLUSIVE, Reason.PARTIAL)
    stable = model_of(COUNTER, 6)
    flags = Proposition("stable", Sort.BOOL, np.array([1, 0, 0, 1, 0, 0], dtype=np.int64))
    answer = decide_recorded(Recorded(t.TRUE, ("call(up)",)), replace(stable, propositions=(flags,)), title="t")
    assert answer.explanation == "The sequence is forced in all 2 states between calls."


def test_silence_without_end_forces_nothing() -> None:
    rows = [*COUNTER, (2, TAU, 2)]
    answer = decide_recorded(Recorded(t.TRUE, ("call(up)", "return(up, 1)")), model_of(rows, 6), title="t")
    assert "forced in 0 of them" in answer.explanation


def test_partial_and_abstract_models() -> None:
    test = Recorded(t.TRUE, ("call(up)", "return(up, 1)"))
    cut = decide_recorded(test, model_of(COUNTER, 6, unexplored=(5,)), title="t")
    assert (cut.verdict, cut.reason) == (Verdict.INCONCLUSIVE, Reason.PARTIAL)
    never = Recorded(t.TRUE, ("call(up)", "return(up, 0)"))
    assert decide_recorded(never, model_of(COUNTER, 6, unexplored=(5,)), title="t").verdict is Verdict.VIOLATED
    assert decide_recorded(never, model_of(COUNTER, 6, unexplored=(1,)), title="t").verdict is Verdict.INCONCLUSIVE
    over = model_of(COUNTER, 6, relation=Relation.OVER)
    assert decide_recorded(test, over, title="t").reason is Reason.ABSTRACTION
    assert decide_recorded(never, over, title="t").verdict is Verdict.VIOLATED  # already in the initial state
    elsewhere = decide_recorded(Recorded(t.TRUE, ("call(down)",)), over, title="t")
    assert (elsewhere.verdict, elsewhere.reason) == (Verdict.INCONCLUSIVE, Reason.ABSTRACTION)


@pytest.mark.parametrize("seed", range(3))
def test_random_models_by_following_runs(seed: int) -> None:
    chance = random.Random(seed)
    seen: set[tuple[Verdict, bool]] = set()
    for _ in range(150):
        states = chance.randint(1, 5)
        labels = ["call(f)", "call(g)", "return(f)", TAU]
        rows = [
            (chance.randrange(states), chance.choice(labels), chance.randrange(states)) for _ in range(2 * states + 1)
        ]
        model = model_of([*rows, *((states, label, states) for label in labels)], states + 1)
        events = tuple(chance.choices(labels[:3], k=chance.randint(1, 3)))
        answer = decide_recorded(Recorded(t.TRUE, events), model, title="t")
        asked = sorted({s for s, a, _ in rows if a.startswith("call") and s in reachable(rows)})
        if not asked:
            assert answer.verdict is Verdict.VACUOUS
            continue
        expected = all(can(rows, s, events) for s in asked)
        assert answer.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)
        forced = sum(must(rows, s, events) for s in asked)
        if expected:
            everywhere = forced == len(asked)
            assert ("forced in all" in answer.explanation or "forced in the only" in answer.explanation) == everywhere
            assert everywhere or f"forced in {forced} of them" in answer.explanation
        else:
            assert isinstance(answer.evidence, Path)
            assert problem_of(answer.evidence, model) == ""
        seen.add((answer.verdict, forced == len(asked)))
    assert {(Verdict.HOLDS, True), (Verdict.HOLDS, False), (Verdict.VIOLATED, False)} <= seen


def reachable(rows: Rows) -> set[int]:
    found = {0}
    while more := {target for source, _, target in rows if source in found} - found:
        found |= more
    return found


def can(rows: Rows, state: int, events: tuple[str, ...]) -> bool:
    seen: set[tuple[int, int]] = set()
    work = [(state, 0)]
    while work:
        at, done = work.pop()
        if done == len(events):
            return True
        if (at, done) in seen:
            continue
        seen.add((at, done))
        work += [(target, done) for source, label, target in rows if source == at and label == TAU]
        work += [(target, done + 1) for source, label, target in rows if source == at and label == events[done]]
    return False


def must(rows: Rows, state: int, events: tuple[str, ...], silent: frozenset[int] = frozenset()) -> bool:
    if not events:
        return True
    if state in silent:
        return False
    leaving = [(label, target) for source, label, target in rows if source == state]
    if events[0].startswith("call("):
        leaving = [row for row in leaving if not row[0].startswith("call(") or row[0] == events[0]]
    return bool(leaving) and all(
        must(rows, target, events, silent | {state})
        if label == TAU
        else label == events[0] and must(rows, target, events[1:])
        for label, target in leaving
    )
