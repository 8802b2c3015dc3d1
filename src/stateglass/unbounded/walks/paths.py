"""Rows of stretches as formulas: what holds along them, whether they can be gone, and by which values.

What slots hold after some stretches is a term over what was chosen on the way, so that nothing but choices is unknown:
most conditions of a row are decided by constants before a solver is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.explore.stretches import Flow, Stretch
from stateglass.smt import Answer, Operator, Solver, Term, Terms, evaluated, needed
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline


@final
@dataclass(frozen=True, slots=True)
class Infeasible:
    """A row of stretches cannot be gone: the positions of those whose conditions rule each other out."""

    core: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Along:
    """One stretch of a row: terms over what is chosen there and before, and what slots held at the row's beginning."""

    stretch: Stretch
    slots: tuple[Term, ...]  # what the slots of its source hold
    copies: Mapping[Term, Term]  # for each unknown of the stretch: the one that stands for it here
    guard: Term
    after: tuple[Term, ...]  # what the slots of its target hold


@final
class Row:
    """A row of stretches that grows at its end.

    It begins at a rest whose slots hold the given terms. `number` tells the unknowns of its first stretch from those of
    other rows that are to hold together with it: the stretches of a row take numbers one after the other.
    """

    def __init__(self, flow: Flow, rest: int = 0, slots: Sequence[Term] = (), number: int = 0) -> None:
        assert len(slots) == len(flow.rests[rest].slots)
        self._flow = flow
        self._number = number
        self.rest = rest
        self.slots: tuple[Term, ...] = tuple(slots)  # what the slots of `rest` hold
        self.steps: list[Along] = []

    def go(self, stretch: Stretch) -> Along:
        assert stretch.source == self.rest, "a stretch begins where the one before it ends"
        terms = self._flow.terms
        number = self._number + len(self.steps)
        copies = {v: terms.copy_of(v, number) for v in unknowns(stretch)}
        mapping = {s.term: t for s, t in zip(self._flow.rests[self.rest].slots, self.slots, strict=True)} | copies
        known: dict[Term, Term] = {}
        guard = terms.substituted(stretch.guard, mapping, known)
        after = tuple(terms.substituted(t, mapping, known) for t in stretch.after)
        step = Along(stretch, self.slots, copies, guard, after)
        self.steps.append(step)
        self.rest, self.slots = stretch.target, after
        return step

    def walk(self, values: Mapping[Term, int], engine: str) -> Walk:
        """The row with values for its unknowns; those that are not given are 0."""
        every = Zeroes(values)
        held = evaluated(self.steps[0].slots, every) if self.steps else []
        chosen = [{unknown: every[copy] for unknown, copy in step.copies.items()} for step in self.steps]
        return followed(self._flow, [step.stretch for step in self.steps], held, chosen, engine)


def followed(
    flow: Flow, stretches: Sequence[Stretch], held: Sequence[int], chosen: Iterable[Mapping[Term, int]], engine: str
) -> Walk:
    """A walk along stretches, computed from what slots hold at first and what is chosen; `NoWalk` if it is none.

    From stretch to stretch, since what slots hold far behind is a large term over all that was chosen before.
    """
    found: list[Mapping[Term, int]] = []
    for stretch, values in zip(stretches, chosen, strict=True):
        slots = flow.rests[stretch.source].slots
        at = {slot.term: value for slot, value in zip(slots, held, strict=True)} | dict(values)
        holds, *held = evaluated([stretch.guard, *stretch.after], at)
        if not holds:
            raise NoWalk
        found.append(at)
    return Walk(tuple(s.number for s in stretches), tuple(found), engine)


@final
class NoWalk(Exception):
    """With these values, stretches cannot be gone."""


@final
class Zeroes(dict[Term, int]):
    """Values for unknowns: what nobody has asked about is 0."""

    def __missing__(self, key: Term) -> int:
        return 0


def unknowns(stretch: Stretch) -> list[Term]:
    """The variables of a stretch that are chosen on its way."""
    return variables_of(chosen.term for chosen in stretch.chosen)


def variables_of(terms: Iterable[Term]) -> list[Term]:
    return [node for node in needed(terms) if node.operator is Operator.VARIABLE]


def along(flow: Flow, stretches: Sequence[int]) -> Row:
    """A row from the start."""
    row = Row(flow)
    for number in stretches:
        row.go(flow.stretches[number])
    return row


def walk_along(flow: Flow, stretches: Sequence[int], time: Deadline, engine: str) -> Walk | Infeasible | None:
    """Whether a row of stretches from the start can be gone; None: that is not known in time."""
    return row_walk(flow, along(flow, stretches), (), time, engine)


def row_walk(flow: Flow, row: Row, also: Sequence[Term], time: Deadline, engine: str) -> Walk | Infeasible | None:
    """The same for a row that may begin anywhere, where more than the guards has to hold.

    If it cannot be gone, the core speaks of the guards alone.
    """
    terms = flow.terms
    for position, step in enumerate(row.steps):
        if step.guard is terms.false:
            return Infeasible((position,))
    solver = Solver(seconds=time.left(), shared=time.effort)
    solver.add(*also)
    guards: dict[Term, int] = {}
    for position, step in enumerate(row.steps):
        if step.guard is not terms.true:
            guards.setdefault(step.guard, position)
    match solver.check(guards):
        case Answer.UNKNOWN:
            return None
        case Answer.NO:
            return Infeasible(tuple(sorted(guards[t] for t in solver.core())))
        case Answer.YES:
            wanted = variables_of([*guards, *also])
            return row.walk({v: solver.value(v) for v in wanted}, engine)


def same(terms: Terms, one: Term, other: Term) -> Term:
    """Whether what a slot holds is what it held before."""
    if one.width:
        return terms.equal(one, other)
    return terms.either(terms.both(one, other), terms.both(terms.negation(one), terms.negation(other)))
