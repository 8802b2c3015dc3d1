"""The first levels of a formula, for formulas that are too large to be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from stateglass.logic.modal import (
    OMITTED,
    And,
    Constant,
    Ended,
    Equals,
    FixedPoint,
    Forever,
    Formula,
    Holds,
    Implies,
    Necessary,
    Not,
    Omitted,
    Or,
    Possible,
    Reaching,
    Variable,
)
from stateglass.logic.unrolling import Unrolled, each, unrolled

MOST_PARTS: Final = 8
"""So many of the things that all hold, or of which one does, are shown."""


def outline(formula: Formula, steps: int) -> Formula:
    """The formula as far as so many steps within each other; what is further inside is omitted."""
    return unrolled(_outline(formula, steps))


def _outline(formula: Formula, steps: int) -> Unrolled[Formula]:
    match formula:
        case Constant() | Ended() | Equals() | Holds() | Variable() | Omitted():
            return formula
        case Not():
            inner = yield _outline(formula.inner, steps)
            return inner if isinstance(inner, Omitted) else Not(inner)
        case And() | Or():
            several: Formula = yield _several(formula, steps)
            return several
        case Implies():
            return Implies((yield _outline(formula.left, steps)), (yield _outline(formula.right, steps)))
        case _ if steps <= 0:
            return OMITTED
        case Possible() | Necessary():
            left = steps - len(formula.path)
            inner = OMITTED if left < 0 else (yield _outline(formula.inner, left))
            return type(formula)(formula.path[:steps], inner)
        case Reaching():
            through = yield _outline(formula.through, steps - 1)
            return Reaching(through, (yield _outline(formula.inner, steps - 1)))
        case Forever():
            return Forever((yield _outline(formula.through, steps - 1)))
        case FixedPoint():
            return FixedPoint(formula.least, formula.variable, (yield _outline(formula.inner, steps - 1)))
        case _:
            assert_never(formula)


def _several(formula: And | Or, steps: int) -> Unrolled[Formula]:
    parts = yield each(_outline(part, steps) for part in formula.inner[:MOST_PARTS])
    shown = [part for part in parts if not isinstance(part, Omitted)]
    if len(shown) == len(formula.inner):
        return type(formula)(tuple(shown))
    return type(formula)((*shown, OMITTED)) if shown else OMITTED


def fitting(formula: Formula, fits: Callable[[Formula], bool]) -> Formula:
    """The formula itself, or as many of its first levels as fit, one at least."""
    if fits(formula):
        return formula
    best, steps = outline(formula, 1), 2
    while fits(larger := outline(formula, steps)):
        best, steps = larger, steps + 1
    return best
