"""Valuations are placed where trying one state after the other would place them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.reflexion.carried import Carried
from stateglass.reflexion.formula import WIDTH, Formula
from stateglass.reflexion.placing import Placing
from stateglass.smt import Batch, Operator, Term, Terms, evaluated

NAMES = ("x", "y", "z")
parts = st.tuples(st.sampled_from(("equal", "less", "not less", "unequal")), st.sampled_from(NAMES), st.integers(0, 5))
states = st.lists(st.lists(parts, min_size=1, max_size=4), max_size=24)
valuations = st.lists(st.tuples(*(st.integers(0, 6) for _ in NAMES)), min_size=1, max_size=40)


def _formula(before: list[list[tuple[str, str, int]]], width: int) -> tuple[Formula, list[Term]]:
    terms = Terms()
    variables = {name: terms.variable(name, width) for name in NAMES}

    def made(part: tuple[str, str, int]) -> Term:
        kind, name, number = part
        constant = terms.constant(number, width)
        if kind.endswith("equal"):
            found = terms.equal(variables[name], constant)
        else:
            found = terms.compare(Operator.LESS, variables[name], constant)
        return terms.negation(found) if kind in ("unequal", "not less") else found

    inside = tuple(terms.both(*map(made, state)) for state in before)
    other, error = (terms.constant(len(inside) + n, WIDTH) for n in (0, 1))
    early = terms.choose(terms.equal(variables["z"], terms.constant(3, width)), error, other)
    counts = terms.compare(Operator.LESS, variables["x"], terms.constant(6, width))
    return Formula(terms, counts, early, inside, tuple(reversed(inside)), ()), list(variables.values())


def _tried(formula: Formula, valuation: dict[Term, int]) -> tuple[int, int]:
    """One state after the other."""
    other = len(formula.inside)
    early, *holds = evaluated([formula.early, *formula.inside, *formula.after], valuation)
    source = next((n for n in range(other) if holds[n]), other)
    target = next((n for n in range(other) if holds[other + n]), other)
    return source, target if early == other else early


@settings(deadline=None)
@given(states, valuations, st.sampled_from((8, 64, 80)))
def test_states_are_found_as_if_all_were_tried(
    before: list[list[tuple[str, str, int]]], asked: list[tuple[int, ...]], width: int
) -> None:
    formula, variables = _formula(before, width)
    placing = Placing(formula)
    each = [dict(zip(variables, values, strict=True)) for values in asked]
    expected = [_tried(formula, valuation) for valuation in each]
    assert [placing.pair_of(valuation) for valuation in each] == expected
    if width <= 64:
        columns = {v: np.array([x[v] for x in each], np.uint64) for v in variables}
        found = Batch(placing.roots).run(columns, len(each))
        where = placing.of(dict(zip(placing.roots, found, strict=True)))
        assert list(zip(where.sources.tolist(), where.targets.tolist(), strict=True)) == expected
        assert where.counted.tolist() == [x[variables[0]] < 6 for x in each]


def test_many_states_that_say_different_values_of_one_term_need_that_term_alone() -> None:
    formula, (x, _, z) = _formula([[("equal", "x", n)] for n in range(200)], 16)
    roots = Placing(formula).roots
    assert set(roots) == {formula.counts, formula.early, x}
    assert Placing(formula).pair_of({x: 150, z: 0}) == (150, 49)


def test_a_task_begins_with_the_same_terms_whatever_was_done_before() -> None:
    formula, _ = _formula([[("equal", "x", 1)], [("equal", "x", 2)]], 8)
    carried = Carried(formula)
    ground, _ = carried.made()
    terms, (x, z) = ground.formula.terms, ground.variables
    count = len(terms)
    made = terms.binary(Operator.ADD, x, z)
    assert terms.range_of(made) == (-128, 127)
    terms.variable("new", 8)
    again, _ = carried.made()
    assert again is ground
    assert len(terms) == count
    assert [v.extra for v in terms.variables] == ["x", "z"]
    remade = terms.binary(Operator.ADD, x, z)
    assert remade is not made
    assert remade.number == made.number == count
