"""Formulas put together, without what is trivial: `true & a` is `a`."""

from __future__ import annotations

from collections.abc import Iterable

from stateglass.logic.temporal import (
    FALSE,
    TRUE,
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Until,
    WeakUntil,
)


def until_of(a: Formula, b: Formula, *, weak: bool = False) -> Formula:
    if b is TRUE or b is FALSE:
        return b
    if a is TRUE:
        return TRUE if weak else Eventually(b)
    return WeakUntil(a, b) if weak else Until(a, b)


def always_of(a: Formula) -> Formula:
    return a if isinstance(a, Constant) else Always(a)


def eventually_of(a: Formula) -> Formula:
    return a if isinstance(a, Constant) else Eventually(a)


def next_of(a: Formula) -> Formula:
    return a if isinstance(a, Constant) else Next(a)


def not_of(a: Formula) -> Formula:
    match a:
        case Constant():
            return FALSE if a.value else TRUE
        case Not():
            return a.inner
        case _:
            return Not(a)


def and_of(a: Formula, b: Formula) -> Formula:
    if a is TRUE or b is FALSE:
        return b
    return a if b is TRUE or a is FALSE else And(a, b)


def or_of(a: Formula, b: Formula) -> Formula:
    if a is FALSE or b is TRUE:
        return b
    return a if b is FALSE or a is TRUE else Or(a, b)


def implies_of(a: Formula, b: Formula) -> Formula:
    if a is FALSE or b is TRUE:
        return TRUE
    if a is TRUE:
        return b
    return not_of(a) if b is FALSE else Implies(a, b)


def all_of(formulas: Iterable[Formula]) -> Formula:
    """The conjunction of several formulas, true if there are none."""
    found: Formula = TRUE
    for formula in formulas:
        found = and_of(found, formula)
    return found


def any_of(formulas: Iterable[Formula]) -> Formula:
    """The disjunction of several formulas, false if there are none."""
    found: Formula = FALSE
    for formula in formulas:
        found = or_of(found, formula)
    return found
