"""What valuations that stay the same are known to show is what the meaning of the facts says."""

from __future__ import annotations

import random

import numpy as np

from stateglass.smt import Columns, Term, Terms
from tests.smt.random_terms import Maker

VALUATIONS = 8


def columns_of(valuations: list[dict[Term, int]]) -> Columns:
    variables = valuations[0]
    values = {v: np.array([x[v] for x in valuations], np.uint64 if v.width else np.bool_) for v in variables}
    return Columns(values, len(valuations))


def test_facts_hold_of_a_valuation_if_one_says_so() -> None:
    told = {False: 0, True: 0}
    for seed in range(150):
        maker = Maker(random.Random(seed))
        valuations = [maker.valuation() for _ in range(VALUATIONS)]
        known = columns_of(valuations)
        for _ in range(6):  # the same columns serve all of them
            facts = [maker.term(3, 0) for _ in range(2)]
            expected = any(all(meaning(valuation) for _, meaning in facts) for valuation in valuations)
            assert known.any_with(term for term, _ in facts) is expected
            told[expected] += 1
    assert min(told.values()) > 100


def test_what_is_wider_than_the_numbers_of_the_machine_is_not_known() -> None:
    terms = Terms()
    x = terms.variable("x", 64)
    wide = terms.equal(terms.join(x, x), terms.join(x, terms.constant(3, 64)))
    known = columns_of([{x: 3}])
    assert known.any_with([terms.equal(x, terms.constant(3, 64))])
    assert not known.any_with([terms.equal(terms.variable("y", 128), terms.join(x, x))])
    assert not known.any_with([terms.true, terms.negation(wide)])


def test_no_valuation_shows_anything() -> None:
    assert not Columns({}, 0).any_with([Terms().true])
