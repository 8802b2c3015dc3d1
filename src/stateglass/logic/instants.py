"""Linear formulas over a run in which states and events take turns: state, event, state, event …

A position of a run has a state and the event that leaves it, so that two things can be at one position although one
comes after the other: where an event happens, the state is still the one before it. Formulas that are to say what comes
first are therefore made over instants, each of which is a state or an event, and turned into formulas over positions
here: one for the truth at the state of a position, one for the truth at its event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from stateglass.logic.joining import (
    always_of,
    and_of,
    eventually_of,
    implies_of,
    next_of,
    not_of,
    or_of,
    until_of,
)
from stateglass.logic.temporal import FALSE, TRUE, Formula, Happens, Turns, parts


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
        if isinstance(node, Happens | Turns):
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
    return Timed(not_of(a.state), not_of(a.event))


def both(a: Timed, b: Timed) -> Timed:
    return Timed(and_of(a.state, b.state), and_of(a.event, b.event))


def either(a: Timed, b: Timed) -> Timed:
    return Timed(or_of(a.state, b.state), or_of(a.event, b.event))


def implies(a: Timed, b: Timed) -> Timed:
    return Timed(implies_of(a.state, b.state), implies_of(a.event, b.event))


def then(a: Timed, b: Timed) -> Timed:
    """That the first happens now and the second afterwards; after a condition, also at the same instant."""
    return Timed(and_of(a.state, b.state), and_of(a.event, next_of(b.state)))


def always(a: Timed) -> Timed:
    whole = always_of(and_of(a.state, a.event))
    return Timed(whole, whole if a.state is TRUE else and_of(a.event, next_of(whole)))


def eventually(a: Timed) -> Timed:
    whole = eventually_of(or_of(a.state, a.event))
    return Timed(whole, whole if a.state is FALSE else or_of(a.event, next_of(whole)))


def until(a: Timed, b: Timed, *, weak: bool = False) -> Timed:
    """That the first is so at all instants before one at which the second is; `weak`: there need not be such a one."""
    passing, reached = and_of(a.state, a.event), or_of(b.state, and_of(a.state, b.event))
    whole: Formula = always_of(passing) if weak and reached is FALSE else until_of(passing, reached, weak=weak)
    if a.state is TRUE and b.state is FALSE:
        return Timed(whole, whole)
    return Timed(whole, or_of(b.event, and_of(a.event, next_of(whole))))
