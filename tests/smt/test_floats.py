"""Floating-point numbers as bits: one valuation, many at once and the solver come to what the reference does."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from stateglass.program import BinaryOperator, Comparison, Float
from stateglass.program.floats import FORMATS, FloatFormat, convert_float, from_int
from stateglass.smt import Answer, Batch, Operator, Solver, Term, Terms, evaluate
from stateglass.values.floats import float_comparison, float_operation, truncated

DIGITS = (11, 24, 53)
KINDS = {11: (5, 11), 24: (8, 24), 53: (11, 53)}
ARITHMETIC = {
    Operator.FLOAT_ADD: BinaryOperator.ADD,
    Operator.FLOAT_SUBTRACT: BinaryOperator.SUBTRACT,
    Operator.FLOAT_MULTIPLY: BinaryOperator.MULTIPLY,
    Operator.FLOAT_DIVIDE: BinaryOperator.DIVIDE,
}
COMPARED = {
    Operator.FLOAT_EQUAL: Comparison.EQUAL,
    Operator.FLOAT_LESS: Comparison.LESS,
    Operator.FLOAT_LESS_EQUAL: Comparison.LESS_EQUAL,
}
CASES = 400
ASKED = 40
"""So many of the cases are asked of the solver too."""


def _type(digits: int) -> Float:
    return Float(digits, FORMATS[digits].width // 8)


def _bits(dice: random.Random, format: FloatFormat) -> int:
    """NaNs of both kinds and signs, infinities, zeros, subnormal numbers, small integers, powers of two, anything."""
    sign = dice.choice((0, format.sign_bit))
    fraction = dice.getrandbits(format.fraction_bits)
    match dice.randrange(8):
        case 0:
            return sign | format.infinity | dice.choice((0, 1, format.quiet_bit, format.quiet_bit | 1, fraction))
        case 1:
            return sign | dice.choice((0, 1, fraction, format.smallest_normal - 1, format.smallest_normal))
        case 2 | 3:
            return sign | from_int(dice.choice((1, 2, 3, 7, 10, 127, 128, 255, 256, 1000)), format)
        case 4:
            exponent = dice.choice((7, 8, 15, 16, 31, 32, 63, 64)) + format.bias
            near = exponent << format.fraction_bits
            return sign | min(near + dice.choice((-1, 0, 1)), format.infinity)
        case 5:
            return sign | (format.infinity - dice.choice((1, 2)))
        case _:
            return dice.getrandbits(format.width)


def _agree(
    operator: Operator, extra: Any, width: int, widths: Sequence[int], cases: list[tuple[list[int], int]]
) -> None:
    terms = Terms()
    variables = [terms.variable(f"v{n}", w) for n, w in enumerate(widths)]
    made = terms.floating(operator, tuple(variables), width, extra)
    assert made.operands
    columns = {v: np.array([given[n] for given, _ in cases], np.uint64) for n, v in enumerate(variables)}
    (column,) = Batch([made]).run(columns, len(cases))
    solver = Solver()
    solver.add(terms.equal(made, made if width == 0 else terms.variable("result", width)))
    for number, (given, expected) in enumerate(cases):
        shown = f"{operator.name} {extra} of {[hex(g) for g in given]} is {expected:#x}"
        constants = [terms.constant(g, w) for g, w in zip(given, widths, strict=True)]
        folded = terms.floating(operator, tuple(constants), width, extra)
        assert folded.value == expected, shown
        assert evaluate(made, dict(zip(variables, given, strict=True))) == expected, shown
        assert int(column[number]) == expected, shown
        if number < ASKED:
            wrong = _is_not(terms, made, expected)
            facts = [terms.equal(v, c) for v, c in zip(variables, constants, strict=True)]
            assert solver.check([*facts, wrong]) is Answer.NO, shown
            assert solver.check(facts) is Answer.YES, shown
            assert solver.value(made) == expected, shown


def _is_not(terms: Terms, made: Term, expected: int) -> Term:
    if made.width == 0:
        return terms.negation(made) if expected else made
    return terms.negation(terms.equal(made, terms.constant(expected, made.width)))


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("operator", ARITHMETIC, ids=lambda o: o.name.lower())
def test_arithmetic(operator: Operator, digits: int) -> None:
    format, dice = FORMATS[digits], random.Random(digits)
    compute = float_operation(ARITHMETIC[operator], _type(digits))
    pairs = [(_bits(dice, format), _bits(dice, format)) for _ in range(CASES)]
    width = format.width
    _agree(operator, KINDS[digits], width, (width, width), [([a, b], compute(a, b)) for a, b in pairs])


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("operator", COMPARED, ids=lambda o: o.name.lower())
def test_comparisons(operator: Operator, digits: int) -> None:
    format, dice = FORMATS[digits], random.Random(digits)
    compare = float_comparison(COMPARED[operator], _type(digits))
    pairs = [(_bits(dice, format), _bits(dice, format)) for _ in range(CASES)]
    pairs += [(a, a) for a, _ in pairs[:50]] + [(0, format.sign_bit), (format.sign_bit, 0)]
    width = format.width
    _agree(operator, KINDS[digits], 0, (width, width), [([a, b], compare(a, b)) for a, b in pairs])


@pytest.mark.parametrize(("source", "target"), list(permutations(DIGITS, 2)))
def test_conversions_between_formats(source: int, target: int) -> None:
    old, new, dice = FORMATS[source], FORMATS[target], random.Random(source)
    cases = [([a], convert_float(a, old, new)) for a in (_bits(dice, old) for _ in range(CASES))]
    _agree(Operator.FLOAT_FROM_FLOAT, (KINDS[source], KINDS[target]), new.width, (old.width,), cases)


@pytest.mark.parametrize("width", [8, 16, 32, 64])
@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("signed", [False, True])
def test_conversions_from_and_to_integers(digits: int, width: int, signed: bool) -> None:
    format, dice = FORMATS[digits], random.Random(width)
    numbers = [dice.getrandbits(dice.randrange(1, width + 1)) for _ in range(CASES)] + [0, (1 << width) - 1]
    given = [([n], from_int(n - (1 << width) if signed and n >> (width - 1) else n, format)) for n in numbers]
    operator = Operator.FLOAT_FROM_SIGNED if signed else Operator.FLOAT_FROM_UNSIGNED
    _agree(operator, KINDS[digits], format.width, (width,), given)
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    fits, integers = [], []
    for bits in (_bits(dice, format) for _ in range(CASES)):
        whole = truncated(bits, format)
        inside = whole is not None and low <= whole <= high
        fits.append(([bits], int(inside)))
        integers.append(([bits], (whole or 0) % (1 << width) if inside else 0))
    kind = (KINDS[digits], width, signed)
    _agree(Operator.FLOAT_FITS, kind, 0, (format.width,), fits)
    _agree(Operator.FLOAT_TO_INTEGER, kind, width, (format.width,), integers)
