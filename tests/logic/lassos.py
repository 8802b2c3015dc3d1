"""Runs as small lassos, and what linear formulas say of them, straight from the meaning of the operators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never, final

from stateglass.logic.expressions import predicate_text
from stateglass.logic.temporal import (
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Happens,
    Holds,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Quantified,
    Release,
    Turns,
    Until,
    WeakUntil,
)


@final
@dataclass(frozen=True, slots=True)
class Lasso:
    """Positions: what holds in the state, and the event ("" for none); the last is followed by the one at `loop`."""

    positions: tuple[tuple[frozenset[str], str], ...]
    loop: int

    def after(self, position: int) -> int:
        return position + 1 if position + 1 < len(self.positions) else self.loop

    def unrolled(self, loops: int) -> tuple[tuple[frozenset[str], str], ...]:
        return self.positions + self.positions[self.loop :] * (loops - 1)


def truth(formula: Formula, lasso: Lasso) -> list[bool]:
    """Whether the formula holds, at each position."""
    size = len(lasso.positions)

    def fixed(start: bool, step: Callable[[int, bool], bool]) -> list[bool]:
        values = [start] * size
        for _ in range(2 * size + 1):
            for i in reversed(range(size)):
                values[i] = step(i, values[lasso.after(i)])
        return values

    match formula:
        case Constant():
            return [formula.value] * size
        case Holds():
            return [predicate_text(formula.predicate) in seen for seen, _ in lasso.positions]
        case Happens():
            return [event == formula.pattern for _, event in lasso.positions]
        case Not():
            return [not value for value in truth(formula.inner, lasso)]
        case Next():
            inner = truth(formula.inner, lasso)
            return [inner[lasso.after(i)] for i in range(size)]
        case Eventually(within=None):
            inner = truth(formula.inner, lasso)
            return fixed(False, lambda i, later: inner[i] or later)
        case Always(within=None):
            inner = truth(formula.inner, lasso)
            return fixed(True, lambda i, later: inner[i] and later)
        case And() | Or() | Implies() | Iff() | Until(within=None) | WeakUntil() | Release():
            a, b = truth(formula.left, lasso), truth(formula.right, lasso)
        case Eventually() | Always() | Until() | Turns() | Quantified():
            raise AssertionError("no such formula is asked for here")
        case _:
            assert_never(formula)
    match formula:
        case And():
            return [x and y for x, y in zip(a, b, strict=True)]
        case Or():
            return [x or y for x, y in zip(a, b, strict=True)]
        case Implies():
            return [not x or y for x, y in zip(a, b, strict=True)]
        case Iff():
            return [x == y for x, y in zip(a, b, strict=True)]
        case Until():
            return fixed(False, lambda i, later: b[i] or (a[i] and later))
        case WeakUntil():
            return fixed(True, lambda i, later: b[i] or (a[i] and later))
        case Release():
            return fixed(True, lambda i, later: b[i] and (a[i] or later))
        case _:
            assert_never(formula)
