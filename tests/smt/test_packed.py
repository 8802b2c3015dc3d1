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


def test_when_everything_is_spent_easy_questions_are_still_answered() -> None:
    terms = Terms()
    x, y = (terms.variable(name, 20) for name in "xy")
    product = terms.binary(Operator.MULTIPLY, *(terms.extend(v, 40, is_signed=False) for v in (x, y)))
    order = terms.compare(Operator.LESS, terms.constant(1, 20), x), terms.compare(Operator.LESS, x, y)
    hard = [[terms.equal(product, terms.constant(n, 40)), *order] for n in (1_000_003 * 999_983, 1_000_003 * 999_979)]
    effort = 50_000
    free, poor = Solver(effort), Solver(effort, total=1)
    assert [free.check(facts) for facts in hard] == [Answer.YES, Answer.YES]
    assert free.spent > effort // 100, "the second is hard too"
    assert [poor.check(facts) for facts in hard] == [Answer.YES, Answer.UNKNOWN]
    assert poor.check([terms.equal(x, terms.constant(3, 20))]) is Answer.YES
