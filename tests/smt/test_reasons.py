"""What a value rests on: whatever else changes, it stays."""

from __future__ import annotations

import random

from stateglass.smt import Operator, Terms, deciding, evaluate, needed
from tests.smt.random_terms import WIDTHS, Maker

TERMS = 400


def test_the_others_do_not_matter() -> None:
    fewer = 0
    for seed in range(TERMS):
        dice = random.Random(seed)
        maker = Maker(dice)
        term, _ = maker.term(dice.randrange(1, 7), dice.choice((0, *WIDTHS)))
        first = maker.valuation()
        found = deciding([term], first)
        fewer += len(found) < sum(t.operator is Operator.VARIABLE for t in needed([term]))
        for other in (maker.valuation() for _ in range(8)):
            changed = {v: first[v] if v in found else x for v, x in other.items()}
            assert evaluate(term, changed) == evaluate(term, first)
    assert fewer > TERMS // 20


def test_of_an_array_only_the_element_counts() -> None:
    terms = Terms()
    elements = [terms.variable(f"t{n}", 8) for n in range(4)]
    index = terms.variable("i", 8)
    value = elements[3]
    for n in (2, 1, 0):
        value = terms.choose(terms.equal(index, terms.constant(n, 8)), elements[n], value)
    assert deciding([value], {index: 1, **dict.fromkeys(elements, 0)}) == {index, elements[1]}
