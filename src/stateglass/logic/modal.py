"""Modal formulas: what a state can do, what it cannot, and what holds afterwards.

The modal mu-calculus (Kozen, Results on the propositional mu-calculus, 1983) with regular formulas in its modalities,
as mCRL2 has it; steps that are not `Do` stand in `steps.py`. Two fixed points that branching bisimulation and
divergence need have their own names: `Reaching` makes the until of De Nicola and Vaandrager (Three logics for branching
bisimulation, 1995), `Forever` is an infinite run of silent steps. Formulas share their parts, so that one may be much
larger in print than in memory: see `size`. What has parts is compared by identity, for it may be so deep that comparing
it would not end well; `same` compares such formulas.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never, final

from stateglass.logic.predicates import Predicate
from stateglass.logic.sameness import same
from stateglass.logic.steps import Piece, Silently
from stateglass.logic.unrolling import Unrolled, each, unrolled
from stateglass.source import NOWHERE, Span


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """True or false in every state."""

    value: bool


@final
@dataclass(frozen=True, slots=True)
class Ended:
    """The program has ended in this state."""


@final
@dataclass(frozen=True, slots=True)
class Equals:
    """A proposition has this value, as text."""

    proposition: str
    text: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class Holds:
    """A predicate holds in the state: `val(x > 0)`."""

    predicate: Predicate
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """The fixed point around it that has this variable, the innermost if several have."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """The formula is false."""

    inner: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class And:
    """All of them hold."""

    inner: tuple[Formula, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Or:
    """At least one of them holds."""

    inner: tuple[Formula, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Implies:
    """If the left one holds, so does the right one."""

    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Possible:
    """Some way along the path leads to a state in which the formula holds."""

    path: tuple[Piece, ...]
    inner: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Necessary:
    """Every way along the path leads to a state in which the formula holds."""

    path: tuple[Piece, ...]
    inner: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Reaching:
    """Silent steps, or none, through states with `through` lead to one in which both `through` and `inner` hold."""

    through: Formula
    inner: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Forever:
    """An infinite run of silent steps through states with `through`."""

    through: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class FixedPoint:
    """The least set of states (`mu`), or the greatest (`nu`), that is the formula if the variable stands for it."""

    least: bool
    variable: str
    inner: Formula


@final
@dataclass(frozen=True, slots=True)
class Omitted:
    """What is not shown of a formula; only an outline has it, and nothing can be said of its truth."""


Formula = (
    Constant
    | Ended
    | Equals
    | Holds
    | Variable
    | Not
    | And
    | Or
    | Implies
    | Possible
    | Necessary
    | Reaching
    | Forever
    | FixedPoint
    | Omitted
)

TRUE = Constant(True)
FALSE = Constant(False)
OMITTED = Omitted()
_SMALL = 100


def parts(formula: Formula) -> tuple[Formula, ...]:
    """The formulas directly inside."""
    match formula:
        case Constant() | Ended() | Equals() | Holds() | Variable() | Omitted():
            return ()
        case Not() | Possible() | Necessary() | FixedPoint():
            return (formula.inner,)
        case And() | Or():
            return formula.inner
        case Implies():
            return (formula.left, formula.right)
        case Reaching():
            return (formula.through, formula.inner)
        case Forever():
            return (formula.through,)
        case _:
            assert_never(formula)


def negation(formula: Formula) -> Formula:
    """The opposite, with the negation pushed inside as far as it reads well; shared parts stay shared."""
    return unrolled(_negation(formula, {}))


def _negation(formula: Formula, done: dict[int, Formula]) -> Unrolled[Formula]:
    if id(formula) not in done:
        done[id(formula)] = yield _opposite(formula, done)
    return done[id(formula)]


def _opposite(formula: Formula, done: dict[int, Formula]) -> Unrolled[Formula]:
    match formula:
        case Constant():
            return FALSE if formula.value else TRUE
        case Not():
            return formula.inner
        case And():
            return Or(tuple((yield each(_negation(part, done) for part in formula.inner))))
        case Or():
            return And(tuple((yield each(_negation(part, done) for part in formula.inner))))
        case Possible():
            return Necessary(formula.path, (yield _negation(formula.inner, done)))
        case Necessary():
            return Possible(formula.path, (yield _negation(formula.inner, done)))
        case Omitted():
            return formula
        case Ended() | Equals() | Holds() | Variable() | Implies() | Reaching() | Forever() | FixedPoint():
            return Not(formula)
        case _:
            assert_never(formula)


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """All of them, without what is trivially true, conjunctions within conjunctions and repetitions."""
    kept: list[Formula] = []
    for formula in formulas:
        for part in formula.inner if isinstance(formula, And) else (formula,):
            if part != TRUE and not any(_same(part, other) for other in kept):
                kept.append(part)
    return TRUE if not kept else kept[0] if len(kept) == 1 else And(tuple(kept))


def _same(a: Formula, b: Formula) -> bool:
    """Equal; large formulas count as equal only if they are one object, for comparing shared parts takes too long."""
    return a is b or (size(a) < _SMALL and size(b) < _SMALL and same(a, b))


def possible(path: tuple[Piece, ...], inner: Formula) -> Formula:
    """`Possible`, joined with the one directly inside; silent steps that add nothing are left out."""
    if isinstance(inner, Possible):
        path, inner = path + inner.path, inner.inner
    joined: list[Piece] = []
    for piece in path:
        if isinstance(piece, Silently) and joined and isinstance(joined[-1], Silently):
            continue
        joined.append(piece)
    if inner == TRUE and joined and isinstance(joined[-1], Silently):
        joined.pop()
    return Possible(tuple(joined), inner) if joined else inner


def size(formula: Formula) -> int:
    """How many operators, steps and atoms the formula has in print, where shared parts stand as often as needed."""
    sizes: dict[int, int] = {}
    work = [formula]
    while work:
        top = work[-1]
        missing = [part for part in parts(top) if id(part) not in sizes]
        if missing:
            work += missing
            continue
        work.pop()
        own = len(top.path) if isinstance(top, Possible | Necessary) else 1
        sizes[id(top)] = own + sum(sizes[id(part)] for part in parts(top))
    return sizes[id(formula)]
