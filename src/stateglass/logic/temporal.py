"""Temporal formulas over states and events, linear (LTL) and branching (CTL).

A run is a sequence of positions: a state, and the event that leaves it. Predicates speak of the state, events of the
step, be they actions or, in CTL, changes of values; the last state of a run that ends stays for ever, without events
(State/Event-based software model checking, Chaki, Clarke, Ouaknine, Sharygina, Sinha, 2004). A formula without path
quantifiers is LTL. In CTL every temporal operator stands directly under a quantifier, and where a Boolean combination
mentions an event, the step that is taken is fixed: quantifiers in it speak of the runs that go on with this step
(`AG(call => AF return)`), all others of every run from the state.

Nodes are compared by identity: they may be so deep that comparing them would not end well.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import assert_never, final

from stateglass.logic.predicates import Predicate
from stateglass.source import NOWHERE, Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """True or false."""

    value: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class Holds:
    """A predicate holds in the state: `[data == max]`."""

    predicate: Predicate
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True, eq=False)
class Happens:
    """The step is an event whose label a pattern matches: `incr`, `call(f, *)`; `tau` is a silent step."""

    pattern: str
    span: Span = NOWHERE


@final
@unique
class Turn(Enum):
    """How values change with a step."""

    RISES = "rises"  # a predicate that does not hold before the step holds after it
    FALLS = "falls"  # one that holds before the step does not hold after it
    CHANGES = "changes"  # a proposition has another value after the step, or none any more


@final
@dataclass(frozen=True, slots=True, eq=False)
class Turns:
    """The step changes what is true: `rises([floor == 3])`. A change is of a name, which may be a pattern: `E1.*`."""

    turn: Turn
    predicate: Predicate
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """The formula is false."""

    inner: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class And:
    """Both hold."""

    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Or:
    """At least one holds."""

    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Implies:
    """If the left one holds, so does the right one."""

    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Iff:
    """Both hold or none."""

    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Next:
    """After one step."""

    inner: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Eventually:
    """Now or after some steps, after `within` at most if that is given."""

    inner: Formula
    within: int | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Always:
    """Now and after every step, up to `within` of them if that is given."""

    inner: Formula
    within: int | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Until:
    """The right one holds at some time (after `within` steps at most), and the left one at all times before."""

    left: Formula
    right: Formula
    within: int | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class WeakUntil:
    """The left one holds until the right one does, or for ever."""

    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """The right one holds up to and including the time when the left one does, or for ever."""

    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Quantified:
    """On all runs, or on some run."""

    on_all: bool
    path: Formula


Formula = (
    Constant
    | Holds
    | Happens
    | Turns
    | Not
    | And
    | Or
    | Implies
    | Iff
    | Next
    | Eventually
    | Always
    | Until
    | WeakUntil
    | Release
    | Quantified
)

TRUE = Constant(True)
FALSE = Constant(False)


def parts(formula: Formula) -> tuple[Formula, ...]:
    """The formulas directly inside."""
    match formula:
        case Constant() | Holds() | Happens() | Turns():
            return ()
        case Not() | Next() | Eventually() | Always():
            return (formula.inner,)
        case And() | Or() | Implies() | Iff() | Until() | WeakUntil() | Release():
            return (formula.left, formula.right)
        case Quantified():
            return (formula.path,)
        case _:
            assert_never(formula)
