"""Whoever evaluates a term comes to the same: one valuation, many at once, the solver, and plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from stateglass.program.bits import signed
from stateglass.smt import Answer, Batch, Column, Operator, Solver, Term, Terms, evaluate
from stateglass.smt.ranges import Ranges
from tests.smt.random_terms import BINARY, COMPARISONS, WIDTHS, Maker, interesting

PARTS = 4
TERMS = 600
ASKED_EVERY = 10
"""Of so many terms one is asked of the solver too."""
VALUATIONS = 24


def _columns(valuations: list[dict[Term, int]]) -> dict[Term, Column]:
    return {v: np.array([e[v] for e in valuations], np.uint64 if v.width else np.bool_) for v in valuations[0]}


def _is(terms: Terms, variable: Term, value: int) -> Term:
    return terms.equal(variable, terms.constant(value, variable.width) if variable.width else terms.truth(bool(value)))


@pytest.mark.parametrize("part", range(PARTS))
def test_all_evaluations_agree(part: int) -> None:
    for seed in range(part * TERMS, (part + 1) * TERMS):
        dice = random.Random(seed)
        maker = Maker(dice)
        term, meaning = maker.term(dice.randrange(1, 7), dice.choice((0, *WIDTHS)))
        valuations = [maker.valuation() for _ in range(VALUATIONS)]
        expected = [meaning(e) for e in valuations]
        assert [evaluate(term, e) for e in valuations] == expected, f"seed {seed}: {term}"
        (column,) = Batch([term]).run(_columns(valuations), VALUATIONS)
        assert [int(x) for x in column] == expected, f"seed {seed}: {term}"
        if term.width:
            low, high = Ranges().of(term)
            assert all(low <= signed(x, term.width) <= high for x in expected), f"seed {seed}: {term}"
        if seed % ASKED_EVERY == 0:
            solver = Solver()
            assert solver.check([_is(maker.terms, v, x) for v, x in valuations[0].items()]) is Answer.YES
            assert solver.value(term) == expected[0], f"seed {seed}: {term}"


@pytest.mark.parametrize("part", range(PARTS))
def test_a_part_of_a_term_can_be_another_one(part: int) -> None:
    for seed in range(part * TERMS, (part + 1) * TERMS, 4):
        dice = random.Random(seed)
        maker = Maker(dice)
        term, meaning = maker.term(dice.randrange(1, 6), dice.choice(WIDTHS))
        old = dice.choice(maker.variables)
        new, inner = maker.term(dice.randrange(3), old.width)
        changed = maker.terms.replaced(term, old, new)
        for valuation in (maker.valuation() for _ in range(8)):
            expected = meaning({**valuation, old: inner(valuation)})
            assert evaluate(changed, valuation) == expected, f"seed {seed}: {old} is {new} in {term}"


@pytest.mark.parametrize("operator", [*BINARY, *COMPARISONS], ids=lambda o: o.name.lower())
def test_each_operator_at_each_width(operator: Operator) -> None:
    """With variables, with a constant on either side, and with two: what is folded, simplified and left."""
    dice = random.Random(operator)
    pure = {**BINARY, **COMPARISONS}[operator]
    solver = Solver()
    for width in WIDTHS[1:]:
        terms = Terms()
        x, y = terms.variable(f"x{width}", width), terms.variable(f"y{width}", width)
        for _ in range(12):
            a, b = interesting(dice, width), interesting(dice, width)
            expected = pure(a, b, width)
            left, right = terms.constant(a, width), terms.constant(b, width)
            made = [_applied(terms, operator, p, q) for p in (x, left) for q in (y, right)]
            assert [evaluate(t, {x: a, y: b}) for t in made] == [expected] * 4
            columns = {x: np.full(3, a, np.uint64), y: np.full(3, b, np.uint64)}
            assert [[int(v) for v in c] for c in Batch(made).run(columns, 3)] == [[expected] * 3] * 4
            assert solver.check([terms.equal(x, left), terms.equal(y, right)]) is Answer.YES
            assert [solver.value(t) for t in made] == [expected] * 4


def _applied(terms: Terms, operator: Operator, a: Term, b: Term) -> Term:
    if operator in BINARY:
        return terms.binary(operator, a, b)
    if operator is Operator.EQUAL:
        return terms.equal(a, b)
    if operator.name.endswith("OVERFLOWS"):
        return terms.overflows(operator, a, b)
    return terms.compare(operator, a, b)


def test_the_solver_names_what_rules_each_other_out() -> None:
    terms = Terms()
    x, y = terms.variable("x", 8), terms.variable("y", 8)
    small, large = (terms.compare(Operator.LESS, x, terms.constant(3, 8)), terms.equal(x, terms.constant(9, 8)))
    harmless = terms.equal(y, x)
    solver = Solver()
    assert solver.check([small, harmless, large]) is Answer.NO
    assert set(solver.core()) == {small, large}
    solver.add(small)
    assert solver.check([harmless]) is Answer.YES
    assert solver.value(x) == solver.value(y) < 3
