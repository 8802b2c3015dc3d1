"""Verdicts on linear claims: what they say, and on which models they say it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from stateglass.check.ltl import decide_ltl, product, translation
from stateglass.check.ltl.violations import Satisfied, Search, Violation, meaning_on
from stateglass.evidence import Path, Reason, Step, Support, Verdict, problem_of
from stateglass.logic import predicates as p
from stateglass.logic import temporal as t
from stateglass.logic.claims import Fairness
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Relation, Sort
from tests.check.ltl.worlds import (
    LABELS,
    equal,
    holds_at,
    is_violated,
    lassos,
    random_fairness,
    random_formula,
    random_model,
)

A, B = t.Happens("a"), t.Happens("b")
RESPONSE = t.Always(t.Implies(A, t.Eventually(B)))


def built(rows: list[tuple[int, str, int]], states: int, origin: Origin | None = None, **more: list[int]) -> Model:
    builder = ModelBuilder()
    for row in rows:
        builder.add(*row)
    return builder.build(states, origin=origin, **more)  # type: ignore[arg-type]


def test_a_response_that_holds() -> None:
    model = built([(0, "a", 1), (1, "b", 0)], 2)
    answer = decide_ltl(RESPONSE, (), model, title="r")
    assert answer.verdict is Verdict.HOLDS
    assert answer.evidence == Support(2, ())


def test_a_response_that_is_violated_by_a_short_lasso() -> None:
    model = built([(0, "b", 1), (1, "a", 2), (2, "tau", 2), (2, "b", 0)], 3)
    answer = decide_ltl(RESPONSE, (), model, title="r")
    assert answer.verdict is Verdict.VIOLATED
    assert isinstance(answer.evidence, Path)
    assert [step.action for step in answer.evidence.steps] == ["b", "a", "tau"]
    assert answer.evidence.loop_start == 2
    assert problem_of(answer.evidence, model) == ""


def test_a_run_that_ends_stays_where_it_ends() -> None:
    model = built([(0, "a", 1), (2, "b", 2)], 3)
    answer = decide_ltl(RESPONSE, (), model, title="r")
    assert isinstance(answer.evidence, Path)
    assert (answer.evidence.ends, answer.evidence.loop_start) == (True, None)
    # At its end nothing happens, not even a silent step.
    never = t.Eventually(t.Always(t.Not(t.Or(A, B))))
    assert decide_ltl(never, (), model, title="n").verdict is Verdict.HOLDS


def test_an_initial_deadlock() -> None:
    model = built([(1, "a", 1), (1, "b", 1)], 2)
    assert decide_ltl(t.Always(t.Not(A)), (), model, title="n").verdict is Verdict.HOLDS
    answer = decide_ltl(t.Eventually(A), (), model, title="e")
    assert answer.verdict is Verdict.VIOLATED
    assert answer.evidence == Path(0, (), None, ends=True)


def test_vacuity_names_the_part_that_never_comes_true() -> None:
    model = built([(0, "a", 1), (1, "a", 0), (2, "b", 2), (2, "c", 2)], 3)
    silent_b = decide_ltl(t.Always(t.Implies(B, t.Eventually(A))), (), model, title="v")
    assert (silent_b.verdict, silent_b.reason) == (Verdict.VACUOUS, None)
    assert "`b` never comes true" in silent_b.explanation
    inner = t.Always(t.Implies(A, t.Always(t.Implies(t.Happens("c"), t.Eventually(B)))))
    assert "`c` never comes true" in decide_ltl(inner, (), model, title="v").explanation
    outer = t.Always(t.Implies(B, t.Always(t.Implies(t.Happens("c"), t.Eventually(B)))))
    assert "`b` never comes true" in decide_ltl(outer, (), model, title="v").explanation
    assert decide_ltl(t.Always(t.Implies(A, t.Next(A))), (), model, title="v").verdict is Verdict.HOLDS
    # That something never happens is a claim like any other.
    assert decide_ltl(t.Always(t.Implies(B, t.FALSE)), (), model, title="v").verdict is Verdict.HOLDS


def test_fairness_is_part_of_the_claim() -> None:
    model = built([(0, "a", 0), (0, "b", 1), (1, "tau", 0)], 2)
    again = t.Always(t.Eventually(B))
    assert decide_ltl(again, (), model, title="f").verdict is Verdict.VIOLATED
    assert decide_ltl(again, (Fairness("b", False),), model, title="f").verdict is Verdict.HOLDS
    away = built([(0, "a", 2), (2, "a", 0), (0, "b", 1), (1, "tau", 0)], 3)
    # Every other step of the run cannot be a `b`: only strong fairness insists.
    weak = decide_ltl(again, (Fairness("b", False),), away, title="f")
    assert weak.verdict is Verdict.VIOLATED
    assert isinstance(weak.evidence, Path)
    assert [step.action for step in weak.evidence.steps] == ["a", "a"]
    assert decide_ltl(again, (Fairness("b", True),), away, title="f").verdict is Verdict.HOLDS


def test_another_counterexample_avoids_states() -> None:
    model = built([(0, "a", 1), (0, "a", 2), (1, "tau", 1), (2, "tau", 3), (3, "tau", 2), (4, "b", 4)], 5)
    first = decide_ltl(RESPONSE, (), model, title="r")
    assert isinstance(first.evidence, Path)
    assert {step.target for step in first.evidence.steps} == {1}
    second = decide_ltl(RESPONSE, (), model, title="r", avoiding=frozenset({0, 1}))
    assert isinstance(second.evidence, Path)
    assert {step.target for step in second.evidence.steps} == {2, 3}
    none = decide_ltl(RESPONSE, (), model, title="r", avoiding=frozenset({1, 2}))
    assert (none.verdict, none.evidence) == (Verdict.VIOLATED, None)
    assert "avoided" in none.explanation


def test_partial_models() -> None:
    rows = [(0, "a", 1), (1, "b", 0), (0, "c", 2), (3, "c", 3)]
    cut = Origin(Relation.UNDER, partial=("a budget was spent",))
    open_end = decide_ltl(RESPONSE, (), built(rows, 4, cut, unexplored=[2]), title="r")
    assert (open_end.verdict, open_end.reason) == (Verdict.INCONCLUSIVE, Reason.PARTIAL)
    assert "state 2" in open_end.explanation
    out_of_reach = decide_ltl(RESPONSE, (), built(rows, 4, cut, unexplored=[3]), title="r")
    assert out_of_reach.verdict is Verdict.HOLDS
    # The claim is decided before the run comes to what was not explored.
    soon = t.Or(t.Eventually(A, 1), t.Happens("c"))
    assert decide_ltl(soon, (), built(rows, 4, cut, unexplored=[2]), title="s").verdict is Verdict.HOLDS
    never = t.Always(t.Not(B))
    assert decide_ltl(never, (), built(rows, 4, cut, unexplored=[2]), title="n").verdict is Verdict.VIOLATED


def test_beginnings_of_runs_that_nobody_knows_the_rest_of() -> None:
    cut = Origin(Relation.UNDER, partial=("a budget was spent",))
    model = built([(0, "a", 1), (2, "b", 2)], 3, cut, unexplored=[1])
    answer = decide_ltl(t.Always(t.Not(A)), (), model, title="n")
    assert answer.verdict is Verdict.VIOLATED
    assert answer.explanation == "This run violates the claim, however it goes on."
    assert isinstance(answer.evidence, Path)
    assert ([step.action for step in answer.evidence.steps], answer.evidence.ends) == (["a"], False)
    fair = (Fairness("b", False), Fairness("a", True))
    assert decide_ltl(t.Always(t.Not(A)), fair, model, title="n").verdict is Verdict.VIOLATED
    # What comes behind the beginning may still decide these.
    for claim in (RESPONSE, t.Always(t.Not(B)), t.Eventually(B), t.Always(t.Eventually(A))):
        assert decide_ltl(claim, (), model, title="o").verdict is Verdict.INCONCLUSIVE
    assert decide_ltl(t.And(t.Eventually(B), t.Next(t.Not(A))), (), model, title="o").verdict is Verdict.INCONCLUSIVE
    assert decide_ltl(t.Until(B, t.Always(t.Eventually(B))), (), model, title="o").verdict is Verdict.INCONCLUSIVE
    assert decide_ltl(t.And(t.Eventually(B), t.Next(t.FALSE)), (), model, title="o").verdict is Verdict.VIOLATED


def test_beginnings_of_claims_with_large_automata() -> None:
    """Without a `b` in 20 steps after an `a`: the automaton of the claim has to know all that is awaited."""
    cut = Origin(Relation.UNDER, partial=("a budget was spent",))
    rows = [(0, "a", 1), *((n, "c", n + 1) for n in range(1, 22)), (23, "b", 23)]
    soon = t.Always(t.Implies(A, t.Eventually(B, 20)))
    answer = decide_ltl(soon, (), built(rows, 24, cut, unexplored=[22]), title="s")
    assert answer.verdict is Verdict.VIOLATED
    assert isinstance(answer.evidence, Path)
    assert len(answer.evidence.steps) == 21
    short = decide_ltl(soon, (), built(rows, 24, cut, unexplored=[20]), title="s")
    assert (short.verdict, short.reason) == (Verdict.VIOLATED, None)
    nearer = decide_ltl(soon, (), built([*rows[:20], rows[-1]], 24, cut, unexplored=[20]), title="s")
    assert (nearer.verdict, nearer.reason) == (Verdict.INCONCLUSIVE, Reason.PARTIAL)
    assert nearer.explanation.startswith("No run was found that violates the claim, but one")


def test_a_beginning_ends_in_the_state_that_is_seen_to_violate() -> None:
    cut = Origin(Relation.UNDER, partial=("a budget was spent",))
    builder = ModelBuilder()
    for row in [(0, "a", 1), (0, "b", 2), (2, "b", 3)]:
        builder.add(*row)
    x = Proposition("x", Sort.INT, np.array([0, 1, 0, 1]))
    model = builder.build(4, propositions=[x], unexplored=[1, 3], origin=cut)
    claim = t.Always(equal("x", 0))
    answer = decide_ltl(claim, (), model, title="n")
    assert answer.verdict is Verdict.VIOLATED
    assert answer.evidence == Path(0, (Step(0, 1, "a"),))
    other = decide_ltl(claim, (), model, title="n", avoiding=frozenset({1}))
    assert other.evidence == Path(0, (Step(0, 2, "b"), Step(2, 3, "b")))
    none = decide_ltl(claim, (), model, title="n", avoiding=frozenset({1, 2}))
    assert (none.verdict, none.evidence) == (Verdict.VIOLATED, None)
    assert "avoided" in none.explanation


def test_abstractions_carry_over_what_holds_and_does_not_count_steps() -> None:
    over = Origin(Relation.OVER)
    model = built([(0, "a", 1), (1, "b", 0)], 2, over)
    assert decide_ltl(RESPONSE, (), model, title="r").verdict is Verdict.HOLDS
    counted = decide_ltl(t.Always(t.Implies(A, t.Next(B))), (), model, title="x")
    assert (counted.verdict, counted.reason) == (Verdict.INCONCLUSIVE, Reason.ABSTRACTION)
    violated = decide_ltl(t.Always(t.Not(A)), (), model, title="n")
    assert (violated.verdict, violated.reason) == (Verdict.INCONCLUSIVE, Reason.ABSTRACTION)
    assert isinstance(violated.evidence, Path)


@pytest.mark.parametrize("seed", range(3))
def test_values_that_are_not_known_are_read_in_every_way(seed: int) -> None:
    """Each state with an unknown value stands for two states; what is said must be true of those."""
    chance, other = random.Random(600 + seed), random.Random(650 + seed)
    seen: set[object] = set()
    for _ in range(120):
        vague, split = vague_model(chance)
        formula = random_formula(chance, chance.randint(1, 4))
        expected = is_violated(formula, split, most=5)
        if expected is None:
            continue
        found = Search(vague, (), meaning_on(vague)).violation(formula)
        fair = random_fairness(other)
        if isinstance(Search(vague, fair, meaning_on(vague)).violation(formula), Satisfied):
            assert not is_violated(formula, split, fair, most=5)
        if isinstance(found, Satisfied):
            assert not expected
        elif isinstance(found, Violation) and found.certain:
            assert expected
        seen.add((type(found), isinstance(found, Violation) and found.certain))
    assert {(Satisfied, False), (Violation, True), (Violation, False)} <= seen


def vague_model(chance: random.Random) -> tuple[Model, Model]:
    """A model in which `x` may be 0, 1 or one of both, and one in which states of the last kind are two states.

    Only one of the two is initial, so that the first value is known.
    """
    count = chance.randint(1, 3)
    values = [chance.choice([0, 1]), *(chance.choice([0, 1, 2, 2]) for _ in range(count - 1)), 0]
    ys = [chance.randint(0, 1) for _ in range(count + 1)]
    rows = [
        (chance.randrange(count), chance.choice(LABELS), chance.randrange(count))
        for _ in range(chance.randint(0, 2 * count))
    ]
    rows += [(count, label, count) for label in LABELS]
    vague, split = ModelBuilder(), ModelBuilder()
    members: list[list[int]] = []
    for value in values:
        fresh = sum(map(len, members))
        members.append([fresh, fresh + 1] if value == 2 else [fresh])
    for source, label, target in rows:
        vague.add(source, label, target)
        for s in members[source]:
            for to in members[target]:
                split.add(s, label, to)
    exact_x = [v for value in values for v in ([0, 1] if value == 2 else [value])]
    exact_y = [y for value, y in zip(values, ys, strict=True) for _ in range(2 if value == 2 else 1)]

    def column(name: str, numbers: list[int], names: tuple[tuple[int, str], ...] = ()) -> Proposition:
        sort = Sort.ENUM if names else Sort.INT
        return Proposition(name, sort, np.array(numbers, dtype=np.int64), names)

    # The relation is what makes `[0..1]` a set of values.
    return (
        vague.build(
            count + 1,
            propositions=[column("x", values, ((0, "0"), (1, "1"), (2, "[0..1]"))), column("y", ys)],
            origin=Origin(Relation.OVER),
        ),
        split.build(len(exact_x), propositions=[column("x", exact_x), column("y", exact_y)]),
    )


def test_compiled_loops_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(700)
    for _ in range(60):
        model = random_model(chance, fewest=1, partial=chance.random() < 0.3)
        formula, fairness = random_formula(chance, chance.randint(1, 5)), random_fairness(chance)
        plain = decide_ltl(formula, fairness, model, title="c")
        monkeypatch.setattr(product, "MOST_PLAIN", 0)
        assert decide_ltl(formula, fairness, model, title="c") == plain
        monkeypatch.undo()


@pytest.mark.parametrize("seed", range(2))
def test_counterexamples_are_hardly_longer_than_the_shortest(seed: int) -> None:
    chance = random.Random(800 + seed)
    longer = total = 0
    while total < 40:
        model, formula = random_model(chance), random_formula(chance, chance.randint(1, 4))
        found = Search(model, (), meaning_on(model)).violation(formula)
        if isinstance(found, Violation):
            total += 1
            shorter = lassos(model, min(len(found.lasso.steps), 5) - 1)
            longer += any(not holds_at(formula, lasso, model) for lasso in shorter)
    assert longer <= 4


def test_names_that_are_unknown_or_odd() -> None:
    from stateglass.source import InputError

    model = random_model(random.Random(0))
    for atom in (equal("z", 1), t.Holds(p.Text("x"))):
        with pytest.raises(InputError):
            decide_ltl(t.Always(atom), (), model, title="u")


def nested(count: int, kind: str) -> t.Formula:
    formula: t.Formula = A
    for number in range(count):
        atom = equal("x", number % 3)
        wrapped: dict[str, t.Formula] = {
            "not": t.Not(formula),
            "next": t.Next(formula),
            "and": t.And(atom, formula),
            "eventually": t.Eventually(t.And(atom, formula)),
            "always": t.Always(t.Or(atom, formula)),
            "again": t.Always(t.Eventually(formula)),
            "until": t.Until(formula, atom),
            "after": t.Until(atom, formula),
            "implies": t.Implies(atom, t.Next(formula)),
            "iff": t.Iff(formula, t.Eventually(atom)),
            "both": t.And(t.Always(t.Implies(equal("x", number), t.Eventually(B))), formula),
            "soon": t.Eventually(formula, 3),
        }
        formula = wrapped[kind]
    return formula


@pytest.mark.parametrize(
    "kind", ["not", "next", "and", "eventually", "always", "again", "until", "after", "implies", "iff", "both", "soon"]
)
def test_deep_formulas_have_an_answer(kind: str) -> None:
    """Deeper than any stack; an answer may be that the claim is too large, but not that the program ends."""
    model = random_model(random.Random(5), 6, fewest=2)
    count = 1500 if kind == "both" else 5000
    answer = decide_ltl(nested(count, kind), (), model, title="d")
    assert answer.verdict in Verdict
    if answer.verdict is Verdict.INCONCLUSIVE:
        assert answer.reason is Reason.BOUND
        assert kind in ("after", "iff", "soon")
    small = random_model(random.Random(6), 3)
    formula = nested({"iff": 4, "soon": 2}.get(kind, 5), kind)
    expected = is_violated(formula, small, most=8)
    if expected is not None:
        assert isinstance(Search(small, (), meaning_on(small)).violation(formula), Violation) == expected


def test_a_bound_beyond_measure_is_refused() -> None:
    answer = decide_ltl(t.Eventually(A, 10**9), (), built([(0, "a", 0)], 1), title="b")
    assert (answer.verdict, answer.reason) in [(Verdict.INCONCLUSIVE, Reason.BOUND), (Verdict.HOLDS, None)]


def test_sets_of_parts_that_grow_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few ways to satisfy each, but each is a large set, put together from many."""
    formula: t.Formula = A
    for number in range(60):
        again = t.Always(t.Implies(A, t.Eventually(formula)))
        formula = again if number % 2 else t.Next(t.Until(B, formula))
    model = random_model(random.Random(5), 6, fewest=2)
    assert decide_ltl(formula, (), model, title="g").verdict is not Verdict.INCONCLUSIVE
    monkeypatch.setattr(translation, "WORK", 10_000)
    answer = decide_ltl(formula, (), model, title="g")
    assert (answer.verdict, answer.reason) == (Verdict.INCONCLUSIVE, Reason.BOUND)
