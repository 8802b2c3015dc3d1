"""Terms that were sent elsewhere are the same there."""

from __future__ import annotations

import pickle

from stateglass.smt import Answer, Operator, Solver, Terms, evaluate, needed, packed, unpacked


def test_the_same_graph_comes_back() -> None:
    terms = Terms()
    x, y, flag = terms.variable("x", 16), terms.variable("y", 16), terms.variable("flag", 0)
    total = terms.binary(Operator.ADD, terms.choose(flag, x, y), terms.constant(7, 16))
    roots = [terms.both(flag, terms.compare(Operator.SIGNED_LESS, total, x)), total, terms.true]
    other, again = unpacked(pickle.loads(pickle.dumps(packed(roots))))
    assert [r.shown(9) for r in again] == [r.shown(9) for r in roots]
    assert len(needed(again)) == len(needed(roots)), "what was shared is shared"
    assert [v.extra for v in other.variables] == ["x", "y", "flag"]
    values = {"x": 3, "y": 65535, "flag": 0}
    for root, copy in zip(roots, again, strict=True):
        assert evaluate(root, {v: values[v.extra] for v in (x, y, flag)}) == evaluate(
            copy, {v: values[v.extra] for v in other.variables}
        )
    assert other.negation(again[2]) is other.false, "constants are the ones there"


def test_effort_is_counted_and_not_timed() -> None:
    spent = set()
    for _ in range(2):
        terms = Terms()
        x, y = terms.variable("x", 24), terms.variable("y", 24)
        product, total = terms.binary(Operator.MULTIPLY, x, y), terms.binary(Operator.ADD, x, y)
        product = terms.binary(Operator.MULTIPLY, product, total)
        facts = [terms.equal(product, terms.constant(9_999_991, 24)), terms.compare(Operator.LESS, x, y)]
        assert Solver(1).check(facts) is Answer.UNKNOWN
        assert Solver(0, 0.0).check(facts) is Answer.UNKNOWN
        solver = Solver()
        solver.check(facts)
        spent.add(solver.spent)
    assert len(spent) == 1
