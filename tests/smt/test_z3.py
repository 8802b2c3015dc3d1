"""Terms as expressions of z3, over bits and over integers, and back: they mean what they meant."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import z3

from stateglass.program.bits import signed
from stateglass.smt import Operator, Term, Terms, evaluate, needed
from stateglass.smt.integers import Integers
from stateglass.smt.z3_asts import Asts
from stateglass.smt.z3_numbers import NumbersReading
from stateglass.smt.z3_reading import BitsReading, NotRead
from stateglass.smt.z3_terms import Bits
from tests.smt.random_terms import WIDTHS, Maker


def expression(asts: Asts, ast: Any) -> Any:
    return z3.z3._to_expr_ref(ast, asts.context)


def with_numbers(asts: Asts, made: Any, bits: Bits, variables: list[Term]) -> Any:
    """An expression with numbered variables in place of the unknowns."""
    unknowns = [expression(asts, bits.argument(v, v)) for v in variables]
    return z3.substitute(made, *((u, z3.Var(at, u.sort())) for at, u in enumerate(unknowns)))


@pytest.mark.parametrize("seed", range(60))
def test_bits_there_and_back(seed: int) -> None:
    maker = Maker(random.Random(seed))
    term, _ = maker.term(4, maker.dice.choice(WIDTHS))
    asts = Asts()
    bits = Bits(asts)
    made = with_numbers(asts, expression(asts, bits.translated(term)), bits, maker.variables)
    try:
        back = BitsReading(maker.terms, maker.variables).read(z3.simplify(made))
    except NotRead as problem:
        # Products that leave their width have operators of their own, which invariants do without.
        assert "ovfl" in str(problem) or "udfl" in str(problem)
        return
    for _ in range(20):
        values = maker.valuation()
        assert evaluate(back, values) == evaluate(term, values)


@pytest.mark.parametrize("seed", range(80))
def test_integers_allow_what_bits_do(seed: int) -> None:
    """And nothing else, unless something is not linear."""
    maker = Maker(random.Random(seed))
    dice = maker.dice
    term, _ = maker.term(4, 0)
    unsigned = {v for v in maker.variables if dice.random() < 0.5}
    asts = Asts()
    integers = Integers(asts, maker.terms, unsigned)
    truth = expression(asts, integers.truth(term))
    variables = [v for v in needed([term]) if v.operator is Operator.VARIABLE]
    read = [expression(asts, integers.argument(v, v)) for v in variables]
    _, facts = integers.beside([term, *variables])
    for _ in range(3):
        values = maker.valuation()
        solver = z3.SimpleSolver(ctx=asts.context)
        solver.set("timeout", 5000)
        solver.add(*(expression(asts, fact) for fact in facts))
        for variable, number in zip(variables, read, strict=True):
            value = values[variable]
            if variable.width == 0:
                solver.add(number if value else z3.Not(number))
            else:
                solver.add(number == (value if variable in unsigned else signed(value, variable.width)))
        expected = bool(evaluate(term, values))
        assert solver.check(truth if expected else z3.Not(truth)) != z3.unsat
        if all(is_linear(node) for node in needed([term])):
            assert solver.check(z3.Not(truth) if expected else truth) != z3.sat


def is_linear(node: Term) -> bool:
    return node.operator in _LINEAR


_LINEAR = {
    Operator.VALUE,
    Operator.VARIABLE,
    Operator.NOT,
    Operator.AND,
    Operator.OR,
    Operator.EQUAL,
    Operator.LESS,
    Operator.LESS_EQUAL,
    Operator.SIGNED_LESS,
    Operator.SIGNED_LESS_EQUAL,
    Operator.ADD_OVERFLOWS,
    Operator.SUBTRACT_OVERFLOWS,
    Operator.CHOOSE,
    Operator.NEGATE,
    Operator.COMPLEMENT,
    Operator.ADD,
    Operator.SUBTRACT,
    Operator.JOIN,
    Operator.PART,
    Operator.ZERO_EXTEND,
    Operator.SIGN_EXTEND,
}


def random_condition(dice: random.Random, variables: list[Any], depth: int) -> tuple[Any, Callable[[list[int]], bool]]:
    """A condition on integers, as an expression and as a function of the values."""
    if depth and dice.random() < 0.6:
        (a, f), (b, g) = (random_condition(dice, variables, depth - 1) for _ in range(2))
        match dice.randrange(3):
            case 0:
                return z3.And(a, b), lambda v: f(v) and g(v)
            case 1:
                return z3.Or(a, b), lambda v: f(v) or g(v)
            case _:
                return z3.Not(a), lambda v: not f(v)
    (x, h), (y, k) = random_sum(dice, variables, depth), random_sum(dice, variables, depth)
    match dice.randrange(4):
        case 0:
            return x <= y, lambda v: h(v) <= k(v)
        case 1:
            return x > y, lambda v: h(v) > k(v)
        case 2:
            return x == y, lambda v: h(v) == k(v)
        case _:
            by = dice.randrange(1, 9)
            return x % by == y / by, lambda v: h(v) % by == k(v) // by


def random_sum(dice: random.Random, variables: list[Any], depth: int) -> tuple[Any, Callable[[list[int]], int]]:
    counts = [dice.choice((0, 0, 1, 1, -1, 3, -7)) for _ in variables]
    constant = dice.choice((0, 0, 1, -1, 100, -2000, 2**31))
    made = sum((c * v for c, v in zip(counts, variables, strict=True)), z3.IntVal(constant, variables[0].ctx))
    if depth and dice.random() < 0.2:
        condition, f = random_condition(dice, variables, 0)
        return z3.If(condition, made, made - 5), lambda v: total(counts, v) + constant - (0 if f(v) else 5)
    return made, lambda v: total(counts, v) + constant


def total(counts: list[int], values: list[int]) -> int:
    return sum(c * v for c, v in zip(counts, values, strict=True))


@pytest.mark.parametrize("seed", range(60))
def test_conditions_on_integers_are_read_exactly(seed: int) -> None:
    dice = random.Random(seed)
    terms = Terms()
    variables = [terms.variable(f"v{n}", width) for n, width in enumerate((8, 8, 16, 32, 32, 64))]
    unsigned = {v for v in variables if dice.random() < 0.5}
    context = z3.Context()
    numbered = [z3.Var(at, z3.IntSort(context)) for at in range(len(variables))]
    made, meaning = random_condition(dice, numbered, 3)
    read = NumbersReading(terms, variables, unsigned).read(made)
    for _ in range(30):
        values = {
            v: dice.choice((0, 1, 2, 2**v.width - 1, 2 ** (v.width - 1), dice.randrange(2**v.width))) for v in variables
        }
        numbers = [n if v in unsigned else signed(n, v.width) for v, n in values.items()]
        assert bool(evaluate(read, values)) is meaning(numbers)


def test_equal_variables_are_compared_as_they_are() -> None:
    terms = Terms()
    x, y = terms.variable("x", 32), terms.variable("y", 32)
    context = z3.Context()
    a, b = (z3.Var(at, z3.IntSort(context)) for at in range(2))
    reading = NumbersReading(terms, [x, y], [])
    assert reading.read(a - b <= 0) is terms.compare(Operator.SIGNED_LESS_EQUAL, x, y)
    assert reading.read(a == b) is terms.equal(x, y)
    assert reading.read(a + 1 <= 6) is terms.compare(Operator.SIGNED_LESS_EQUAL, x, terms.constant(5, 32))


def test_what_terms_do_not_know_is_refused() -> None:
    terms = Terms()
    x = terms.variable("x", 32)
    context = z3.Context()
    a = z3.Var(0, z3.IntSort(context))
    with pytest.raises(NotRead, match="product of variables"):
        NumbersReading(terms, [x], []).read(a * a == 4)
