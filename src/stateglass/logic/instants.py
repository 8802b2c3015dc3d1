"""Linear formulas over a run in which states and events take turns: state, event, state, event …

A position of a run has a state and the event that leaves it, so that two things can be at one position although one
comes after the other: where an event happens, the state is still the one before it. Formulas that are to say what comes
first are therefore made over instants, each of which is a state or an event, and turned into formulas over positions
here: one for the truth at the state of a position, one for the truth at its event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from stateglass.logic.temporal import (
    FALSE,
    TRUE,
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Happens,
    Implies,
    Next,
    Not,
    Or,
    Until,
    WeakUntil,
    parts,
)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Timed:
    """A formula over instants: what it says at the state of a position, and what at the event."""

    state: Formula
    event: Formula


def is_event(thing: Formula) -> bool:
    """Whether a combination without temporal operators is seen when a step is taken, and not before."""
    work = [thing]
    while work:
        node = work.pop()
        if isinstance(node, Happens):
            return True
        work += parts(node)
    return False


def occurs(thing: Formula) -> Timed:
    """That something happens, or holds, at this instant."""
    return Timed(FALSE, thing) if is_event(thing) else Timed(thing, FALSE)


def required(thing: Formula) -> Timed:
    """As `occurs`, but true at instants that cannot have it: a state has no event, and an event no values."""
    return Timed(TRUE, thing) if is_event(thing) else Timed(thing, TRUE)


def negated(a: Timed) -> Timed:
    return Timed(_not(a.state), _not(a.event))


def both(a: Timed, b: Timed) -> Timed:
    return Timed(_and(a.state, b.state), _and(a.event, b.event))


def either(a: Timed, b: Timed) -> Timed:
    return Timed(_or(a.state, b.state), _or(a.event, b.event))


def implies(a: Timed, b: Timed) -> Timed:
    return Timed(_implies(a.state, b.state), _implies(a.event, b.event))


def then(a: Timed, b: Timed) -> Timed:
    """That the first happens now and the second afterwards; after a condition, also at the same instant."""
    return Timed(_and(a.state, b.state), _and(a.event, _next(b.state)))


def always(a: Timed) -> Timed:
    whole = _always(_and(a.state, a.event))
    return Timed(whole, whole if a.state is TRUE else _and(a.event, _next(whole)))


def eventually(a: Timed) -> Timed:
    whole = _eventually(_or(a.state, a.event))
    return Timed(whole, whole if a.state is FALSE else _or(a.event, _next(whole)))


def until(a: Timed, b: Timed, *, weak: bool = False) -> Timed:
    """That the first is so at all instants before one at which the second is; `weak`: there need not be such a one."""
    passing, reached = _and(a.state, a.event), _or(b.state, _and(a.state, b.event))
    whole: Formula = _always(passing) if weak and reached is FALSE else _until(passing, reached, weak)
    if a.state is TRUE and b.state is FALSE:
        return Timed(whole, whole)
    return Timed(whole, _or(b.event, _and(a.event, _next(whole))))


# ---- formulas, without what is trivial


def _until(a: Formula, b: Formula, weak: bool) -> Formula:
    if b is TRUE or b is FALSE:
        return b
    if a is TRUE:
        return TRUE if weak else Eventually(b)
    return WeakUntil(a, b) if weak else Until(a, b)


def _always(a: Formula) -> Formula:
    return a if isinstance(a, Constant) else Always(a)


def _eventually(a: Formula) -> Formula:
    return a if isinstance(a, Constant) else Eventually(a)


def _next(a: Formula) -> Formula:
    return a if isinstance(a, Constant) else Next(a)


def _not(a: Formula) -> Formula:
    match a:
        case Constant():
            return FALSE if a.value else TRUE
        case Not():
            return a.inner
        case _:
            return Not(a)


def _and(a: Formula, b: Formula) -> Formula:
    if a is TRUE or b is FALSE:
        return b
    return a if b is TRUE or a is FALSE else And(a, b)


def _or(a: Formula, b: Formula) -> Formula:
    if a is FALSE or b is TRUE:
        return b
    return a if b is FALSE or a is TRUE else Or(a, b)


def _implies(a: Formula, b: Formula) -> Formula:
    if a is FALSE or b is TRUE:
        return TRUE
    if a is TRUE:
        return b
    return _not(a) if b is FALSE else Implies(a, b)
