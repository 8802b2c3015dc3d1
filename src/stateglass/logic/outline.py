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
    Forever,
    Formula,
    Necessary,
    Not,
    Omitted,
    Or,
    Possible,
    Reaching,
)

MOST_PARTS: Final = 8
"""So many of the things that all hold, or of which one does, are shown."""


def outline(formula: Formula, steps: int) -> Formula:
    """The formula as far as so many steps within each other; what is further inside is omitted."""
    match formula:
        case Constant() | Ended() | Equals() | Omitted():
            return formula
        case Not():
            inner = outline(formula.inner, steps)
            return inner if isinstance(inner, Omitted) else Not(inner)
        case And() | Or():
            return _several(formula, steps)
        case _ if steps <= 0:
            return OMITTED
        case Possible() | Necessary():
            inner = OMITTED if len(formula.path) > steps else outline(formula.inner, steps - len(formula.path))
            return type(formula)(formula.path[:steps], inner)
        case Reaching():
            return Reaching(outline(formula.through, steps - 1), outline(formula.inner, steps - 1))
        case Forever():
            return Forever(outline(formula.through, steps - 1))
        case _:
            assert_never(formula)


def _several(formula: And | Or, steps: int) -> Formula:
    parts = [outline(part, steps) for part in formula.inner[:MOST_PARTS]]
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
