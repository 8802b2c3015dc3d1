"""Long runs for all inputs: no recursion goes as deep as they are long."""

from __future__ import annotations

import sys

import pytest

from stateglass.explore.merging.contents import Meeting, Way, any_of
from stateglass.smt import Operator, Terms, evaluate
from stateglass.work import OutOfTime

LENGTH = 3 * sys.getrecursionlimit()


def test_one_of_many_ways_out_of_a_long_loop() -> None:
    """A loop that goes on while `c` holds, and is left in each round."""
    terms = Terms()
    conditions = [terms.variable(f"c{n}", 0) for n in range(LENGTH // 3)]
    guards = [(*conditions[:n], terms.negation(c)) for n, c in enumerate(conditions)]
    left = any_of(terms, guards)
    assert evaluate(left, dict.fromkeys(conditions, 1)) == 0
    assert evaluate(left, {**dict.fromkeys(conditions, 1), conditions[-1]: 0}) == 1
    assert any_of(terms, [*guards, tuple(conditions)]) is terms.true


def test_a_number_that_many_rounds_have_set() -> None:
    terms = Terms()
    conditions = [terms.variable(f"c{n}", 0) for n in range(LENGTH)]
    chosen = terms.constant(0, 16)
    for number, condition in enumerate(conditions):
        chosen = terms.choose(condition, terms.constant(number % 9, 16), chosen)
    one = {**dict.fromkeys(conditions, 0), conditions[7]: 1}
    for made, expected in (
        (terms.binary(Operator.ADD, chosen, terms.constant(5, 16)), 12),
        (terms.binary(Operator.SUBTRACT, terms.constant(5, 16), chosen), 65534),
        (terms.compare(Operator.LESS, chosen, terms.constant(5, 16)), 0),
        (terms.part(chosen, 2, 1), 3),
        (terms.extend(chosen, 32, is_signed=True), 7),
        (terms.equal(chosen, terms.constant(7, 16)), 1),
    ):
        assert evaluate(made, one) == expected


def test_time_is_kept_while_ways_are_merged() -> None:
    """Thousands of ways that meet take longer than anybody waits for."""

    def is_over() -> None:
        raise OutOfTime

    terms = Terms()
    condition = terms.variable("condition", 0)
    guards = (condition,), (terms.negation(condition),)
    ways = [Way(guard, {0: terms.constant(n, 8)}) for n, guard in enumerate(guards)]
    with pytest.raises(OutOfTime):
        Meeting(terms, lambda number: terms.constant(0, 8), lambda number: 8, ways, is_over).merged()
