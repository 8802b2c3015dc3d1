"""Horn clauses: conditions that rules keep to, rows of rules that lead somewhere, and time that is over."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from stateglass.smt import Answer, Operator, Solver, Term, Terms, evaluate
from stateglass.smt.horn import Decision, Horn, Reachable, Undecided, Unreachable
from stateglass.smt.linear import rule_each_other_out


def counting(terms: Terms, limit: int, step: int, wrong: int, *, integers: bool) -> tuple[Horn, int]:
    """From 0 upwards while below a limit; whether a number is ever met."""
    x = terms.variable("x", 32)
    horn = Horn(terms, integers=integers, unsigned=[x])
    start, loop, end = horn.relation(()), horn.relation([x]), horn.relation(())
    horn.rule(None, terms.true, start, ())
    horn.rule(start, terms.true, loop, [terms.constant(0, 32)])
    below = terms.compare(Operator.LESS, x, terms.constant(limit, 32))
    horn.rule(loop, below, loop, [terms.binary(Operator.ADD, x, terms.constant(step, 32))])
    horn.rule(loop, terms.equal(x, terms.constant(wrong, 32)), end, ())
    return horn, end


@pytest.mark.parametrize("integers", [False, True])
def test_what_cannot_be_reached_has_an_inductive_condition(integers: bool) -> None:
    terms = Terms()
    horn, end = counting(terms, 10, 2, 11, integers=integers)
    decision = horn.decide([end], 20)
    assert isinstance(decision, Unreachable)
    x = horn.relations[1].variables[0]
    condition = decision.conditions[1]
    assert decision.conditions[end] is terms.false
    assert evaluate(condition, {x: 0}) == 1
    assert all(evaluate(condition, {x: n}) == 1 for n in (2, 4, 6, 8, 10)), "it holds of all that is reached"
    assert evaluate(condition, {x: 11}) == 0
    after = terms.substituted(condition, {x: terms.binary(Operator.ADD, x, terms.constant(2, 32))})
    solver = Solver()
    solver.add(condition, horn.rules[2].guard, terms.negation(after))
    assert solver.check() is Answer.NO


@pytest.mark.parametrize("integers", [False, True])
def test_rows_of_rules_are_complete(integers: bool) -> None:
    """Also those that decide nothing, from the first one on."""
    terms = Terms()
    horn, end = counting(terms, 10, 2, 6, integers=integers)
    assert horn.decide([end], 20) == Reachable((0, 1, 2, 2, 2, 3))


@pytest.mark.parametrize("integers", [False, True])
def test_rows_are_told_where_no_value_decides_anything(integers: bool) -> None:
    """From the loop any number leads on: whoever sees that at once has to say the way all the same."""
    terms = Terms()
    x, chosen = terms.variable("x", 32), terms.variable("chosen", 32)
    horn = Horn(terms, integers=integers)
    start, loop, end = horn.relation(()), horn.relation([x]), horn.relation(())
    horn.rule(None, terms.true, start, ())
    horn.rule(start, terms.true, loop, [chosen])
    horn.rule(loop, terms.equal(chosen, terms.constant(3, 32)), end, ())
    assert horn.decide([end], 20) == Reachable((0, 1, 2))


def test_signed_numbers_that_never_fit_wrap_around() -> None:
    """Also where they are taken to fit: nothing else can be meant."""
    terms = Terms()
    x, y, most = terms.variable("x", 8), terms.variable("y", 8), terms.constant(127, 8)
    bits = [terms.binary(Operator.SIGNED_SHIFT_RIGHT, v, terms.constant(7, 8)) for v in (x, y)]
    large = [terms.binary(Operator.ADD, terms.unary(Operator.NEGATE, bit), most) for bit in bits]
    never = terms.binary(Operator.ADD, *large)  # 254 at least
    horn = Horn(terms, integers=True, wraps=False)
    start, end, other = horn.relation([x, y]), horn.relation(()), horn.relation(())
    horn.rule(None, terms.true, start, [x, y])
    horn.rule(start, terms.equal(terms.binary(Operator.ADD, never, bits[1]), terms.constant(254, 8)), end, ())
    horn.rule(start, terms.equal(terms.unary(Operator.NEGATE, never), terms.constant(3, 8)), other, ())
    assert horn.decide([end], 20) == Reachable((0, 1))
    assert isinstance(horn.decide([other], 20), Unreachable)


def test_what_no_rule_leads_to_needs_no_solver() -> None:
    terms = Terms()
    horn = Horn(terms)
    start, lost, end = (horn.relation(()) for _ in range(3))
    horn.rule(None, terms.true, start, ())
    horn.rule(lost, terms.true, end, ())
    assert horn.decide([end], 1) == Unreachable((terms.true, terms.false, terms.false))


def test_truth_values_and_several_variables_keep_their_places() -> None:
    terms = Terms()
    flag, x, y = terms.variable("flag", 0), terms.variable("x", 8), terms.variable("y", 16)
    horn = Horn(terms, integers=True, unsigned=[])
    loop, end = horn.relation([flag, x, y]), horn.relation(())
    horn.rule(None, terms.true, loop, [terms.false, terms.constant(1, 8), terms.constant(-5, 16)])
    more = terms.binary(Operator.ADD, y, terms.constant(-5, 16))
    horn.rule(
        loop, terms.compare(Operator.SIGNED_LESS, terms.constant(-1000, 16), y), loop, [terms.negation(flag), x, more]
    )
    wrong = terms.either(
        terms.negation(terms.equal(x, terms.constant(1, 8))),
        terms.compare(Operator.SIGNED_LESS_EQUAL, terms.constant(0, 16), y),
    )
    horn.rule(loop, wrong, end, ())
    decision = horn.decide([end], 20)
    assert isinstance(decision, Unreachable)
    condition = decision.conditions[loop]
    assert evaluate(condition, {flag: 0, x: 1, y: 2**16 - 5}) == 1
    assert evaluate(condition, {flag: 1, x: 2, y: 2**16 - 5}) == 0
    assert evaluate(condition, {flag: 1, x: 1, y: 7}) == 0


def hopeless(terms: Terms, seconds: float) -> Decision:
    """Two numbers that mix their bits: nothing short is known about them."""
    x, y = terms.variable("x", 64), terms.variable("y", 64)
    horn = Horn(terms)
    loop, end = horn.relation([x, y]), horn.relation(())
    horn.rule(None, terms.true, loop, [terms.constant(1, 64), terms.constant(2, 64)])
    mixed = terms.binary(Operator.MULTIPLY, terms.binary(Operator.BIT_XOR, x, y), terms.binary(Operator.ADD, x, y))
    horn.rule(loop, terms.true, loop, [y, mixed])
    horn.rule(loop, terms.equal(mixed, terms.constant(0x123456789ABCDEF1, 64)), end, ())
    return horn.decide([end], seconds)


def test_time_is_kept() -> None:
    decision = hopeless(Terms(), 0.5)
    assert isinstance(decision, Undecided)
    assert decision.is_late


def test_whoever_presses_ctrl_c_is_heard() -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        hopeless(Terms(), 60)
    timer.join()


def sums(terms: Terms) -> tuple[list[Term], Term]:
    x, y, n = (terms.variable(name, 32) for name in "xyn")
    wide = {v: terms.extend(v, 40, is_signed=False) for v in (x, y, n)}
    total = terms.binary(Operator.ADD, wide[x], wide[y])
    less = terms.extend(terms.binary(Operator.ADD, x, terms.constant(-1, 32)), 40, is_signed=False)
    more = terms.extend(terms.binary(Operator.ADD, y, terms.constant(1, 32)), 40, is_signed=False)
    kept = terms.equal(terms.binary(Operator.ADD, less, more), wide[n])
    return [x, y, n], terms.both(terms.equal(total, wide[n]), terms.negation(kept))


def test_linear_arithmetic_knows_when_numbers_wrap_around() -> None:
    terms = Terms()
    (x, *others), question = sums(terms)
    zero = terms.constant(0, 32)
    positive = terms.negation(terms.equal(x, zero))
    assert rule_each_other_out(terms, [question, positive], [x, *others], 20)
    assert not rule_each_other_out(terms, [question], [x, *others], 20), "0 minus 1 is a large number"
