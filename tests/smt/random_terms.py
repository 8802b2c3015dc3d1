"""Random terms, each with what it means said a second time: plain Python that knows nothing of simplification."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

from stateglass.smt import Operator, Term, Terms

WIDTHS: Final = (0, 1, 3, 4, 8, 16, 32, 33, 64)
Meaning = Callable[[Mapping[Term, int]], int]
Made = tuple[Term, Meaning]
Pure = Callable[[int, int, int], int]
"""From two unsigned numbers and their width."""


def _s(value: int, width: int) -> int:
    return value - (1 << width) if value >= 1 << (width - 1) else value


def _cut(result: int, width: int) -> int:
    return result % (1 << width)


def _quotient(a: int, b: int) -> int:
    size = abs(a) // abs(b)
    return size if (a >= 0) == (b >= 0) else -size


def _signed_divide(a: int, b: int, w: int) -> int:
    x, y = _s(a, w), _s(b, w)
    if y == 0:
        return 1 if x < 0 else _cut(-1, w)
    return _cut(_quotient(x, y), w)


def _signed_remainder(a: int, b: int, w: int) -> int:
    x, y = _s(a, w), _s(b, w)
    return a if y == 0 else _cut(x - y * _quotient(x, y), w)


def _outside(result: int, w: int) -> int:
    return int(not -(2 ** (w - 1)) <= result <= 2 ** (w - 1) - 1)


BINARY: Final[Mapping[Operator, Pure]] = {
    Operator.ADD: lambda a, b, w: _cut(a + b, w),
    Operator.SUBTRACT: lambda a, b, w: _cut(a - b, w),
    Operator.MULTIPLY: lambda a, b, w: _cut(a * b, w),
    Operator.DIVIDE: lambda a, b, w: a // b if b else _cut(-1, w),
    Operator.REMAINDER: lambda a, b, w: a % b if b else a,
    Operator.SIGNED_DIVIDE: _signed_divide,
    Operator.SIGNED_REMAINDER: _signed_remainder,
    Operator.BIT_AND: lambda a, b, w: a & b,
    Operator.BIT_OR: lambda a, b, w: a | b,
    Operator.BIT_XOR: lambda a, b, w: a ^ b,
    Operator.SHIFT_LEFT: lambda a, b, w: _cut(a * 2 ** min(b, w), w),
    Operator.SHIFT_RIGHT: lambda a, b, w: a // 2 ** min(b, w),
    Operator.SIGNED_SHIFT_RIGHT: lambda a, b, w: _cut(_s(a, w) // 2 ** min(b, w), w),
}
COMPARISONS: Final[Mapping[Operator, Pure]] = {
    Operator.EQUAL: lambda a, b, w: int(a == b),
    Operator.LESS: lambda a, b, w: int(a < b),
    Operator.LESS_EQUAL: lambda a, b, w: int(a <= b),
    Operator.SIGNED_LESS: lambda a, b, w: int(_s(a, w) < _s(b, w)),
    Operator.SIGNED_LESS_EQUAL: lambda a, b, w: int(_s(a, w) <= _s(b, w)),
    Operator.ADD_OVERFLOWS: lambda a, b, w: _outside(_s(a, w) + _s(b, w), w),
    Operator.SUBTRACT_OVERFLOWS: lambda a, b, w: _outside(_s(a, w) - _s(b, w), w),
    Operator.MULTIPLY_OVERFLOWS: lambda a, b, w: _outside(_s(a, w) * _s(b, w), w),
}
_OVERFLOWS: Final = (Operator.ADD_OVERFLOWS, Operator.SUBTRACT_OVERFLOWS, Operator.MULTIPLY_OVERFLOWS)


def interesting(dice: random.Random, width: int) -> int:
    """A value of a width; those at which something changes are as likely as all others together."""
    if width == 0:
        return dice.randrange(2)
    near = (0, 1, 2, 3, -1, -2, 2 ** (width - 1), 2 ** (width - 1) - 1, 2 ** (width - 1) + 1, width, width - 1)
    return _cut(dice.choice(near) if dice.random() < 0.6 else dice.randrange(2**width), width)


class Maker:
    """Makes terms over some variables, a few of each width."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.terms = Terms()
        self.variables = [self.terms.variable(f"v{width}_{n}", width) for width in WIDTHS for n in range(2)]

    def valuation(self) -> dict[Term, int]:
        return {v: interesting(self.dice, v.width) for v in self.variables}

    def term(self, depth: int, width: int) -> Made:
        if depth == 0 or self.dice.random() < 0.1:
            return self._leaf(width)
        return self._truth(depth - 1) if width == 0 else self._bits(depth - 1, width)

    def _leaf(self, width: int) -> Made:
        fitting = [v for v in self.variables if v.width == width]
        if fitting and self.dice.random() < 0.6:
            chosen = self.dice.choice(fitting)
            return chosen, lambda e: e[chosen]
        number = interesting(self.dice, width)
        made = self.terms.constant(number, width) if width else self.terms.truth(bool(number))
        return made, lambda e: number

    def _truth(self, depth: int) -> Made:
        terms, dice = self.terms, self.dice
        match dice.randrange(7):
            case 0:
                a, f = self.term(depth, 0)
                return terms.negation(a), lambda e: 1 - f(e)
            case 1:
                parts = [self.term(depth, 0) for _ in range(dice.randrange(4))]
                return terms.both(*(p for p, _ in parts)), lambda e: min((g(e) for _, g in parts), default=1)
            case 2:
                parts = [self.term(depth, 0) for _ in range(dice.randrange(4))]
                return terms.either(*(p for p, _ in parts)), lambda e: max((g(e) for _, g in parts), default=0)
            case 3:
                return self._choice(depth, 0)
            case _:
                width = dice.choice(WIDTHS[1:])
                (a, f), (b, g) = self.term(depth, width), self.term(depth, width)
                operator = dice.choice([*COMPARISONS, Operator.EQUAL, Operator.EQUAL])
                pure = COMPARISONS[operator]
                if operator is Operator.EQUAL:
                    made = terms.equal(a, b)
                elif operator in _OVERFLOWS:
                    made = terms.overflows(operator, a, b)
                else:
                    made = terms.compare(operator, a, b)
                return made, lambda e: pure(f(e), g(e), width)

    def _choice(self, depth: int, width: int) -> Made:
        (c, h), (a, f), (b, g) = self.term(depth, 0), self.term(depth, width), self.term(depth, width)
        return self.terms.choose(c, a, b), lambda e: f(e) if h(e) else g(e)

    def _bits(self, depth: int, width: int) -> Made:
        terms, dice = self.terms, self.dice
        match dice.randrange(9):
            case 0:
                a, f = self.term(depth, width)
                if dice.random() < 0.5:
                    return terms.unary(Operator.NEGATE, a), lambda e: _cut(-f(e), width)
                return terms.unary(Operator.COMPLEMENT, a), lambda e: _cut(-f(e) - 1, width)
            case 1 | 2 | 3:
                operator = dice.choice(list(BINARY))
                (a, f), (b, g) = self.term(depth, width), self.term(depth, width)
                return terms.binary(operator, a, b), lambda e: BINARY[operator](f(e), g(e), width)
            case 4 | 5:
                return self._choice(depth, width)
            case 6 if width > 1:
                inner = dice.randrange(1, width)
                a, f = self.term(depth, inner)
                if dice.random() < 0.5:
                    return terms.extend(a, width, is_signed=True), lambda e: _cut(_s(f(e), inner), width)
                return terms.extend(a, width, is_signed=False), f
            case 7 if width > 1:
                split = dice.randrange(1, width)
                (a, f), (b, g) = self.term(depth, width - split), self.term(depth, split)
                return terms.join(a, b), lambda e: f(e) * 2**split + g(e)
            case _:
                whole = dice.choice([w for w in (*WIDTHS[1:], width) if w >= width])
                low = dice.randrange(whole - width + 1)
                a, f = self.term(depth, whole)
                return terms.part(a, low + width - 1, low), lambda e: _cut(f(e) // 2**low, width)
