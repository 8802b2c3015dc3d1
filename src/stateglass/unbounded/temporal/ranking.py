"""Why code does not stay in a loop for ever: a number that never grows there, and becomes smaller again and again.

Variables have finitely many values, and the number is computed exactly: it cannot become smaller for ever. So a run
that takes nothing but stretches on which it does not grow takes those on which it becomes smaller only finitely often.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, final

from stateglass.explore.stretches import Flow, Part, Rest, Slot, Stretch
from stateglass.program import Float, Pointer, representation
from stateglass.smt import Answer, Operator, Solver, Term
from stateglass.unbounded.time import Deadline

MOST_CELLS: Final = 8
"""Of so many variables differences are tried, too."""
_WIDE: Final = 2
"""So many bits more than the wider of two variables hold their difference, with a sign."""


@final
@dataclass(frozen=True, slots=True)
class Measure:
    """A variable, or a variable less another one; of a negative one, the opposite."""

    cell: int
    less: int | None = None
    opposite: bool = False

    @property
    def cells(self) -> tuple[int, ...]:
        return (self.cell,) if self.less is None else (self.cell, self.less)


@final
@dataclass(frozen=True, slots=True)
class Ranking:
    """On some stretches a number does not grow; on some of these it becomes smaller."""

    measure: Measure
    kept: frozenset[int]
    smaller: frozenset[int]
    number: int


def told(measures: Sequence[Measure], flow: Flow, thread: str = "") -> str:
    """Why loops end, of one thread if there are several, in a sentence; nothing if no loop has to."""
    names = {slot.cell: slot.name for rest in flow.rests for slot in rest.slots}
    texts = dict.fromkeys(_text(measure, names) for measure in measures)
    whose = f"Loops of `{thread}` end" if thread else "Loops end"
    return f"{whose}: {', '.join(texts)}." if texts else ""


def _text(measure: Measure, names: Mapping[int, str]) -> str:
    shown = " - ".join(names[cell] for cell in measure.cells)
    return f"`{shown}` cannot {'grow' if measure.opposite else 'become smaller'} for ever"


@final
class Ranks:
    """Looks for measures on a flow, given what is known of its rests."""

    def __init__(self, flow: Flow, invariants: Mapping[int, Term], time: Deadline) -> None:
        """`invariants` say what holds whenever code is at a rest; it never is at a rest without one."""
        self._flow = flow
        self._invariants = invariants
        self._time = time
        self._slots = [_numbers(rest) for rest in flow.rests]
        self._solvers: dict[int, Solver] = {}

    def ranking(self, loop: Sequence[int], number: int) -> Ranking | None:
        """A measure that does not grow in a loop and becomes smaller in each round, if one is found."""
        stretches = [self._flow.stretches[n] for n in dict.fromkeys(loop)]
        for measure in self.measures(stretches):
            if all(self._holds(measure, s, strictly=False) for s in stretches) and any(
                self._holds(measure, s, strictly=True) for s in stretches
            ):
                there = [s for s in self._flow.stretches if self._is_defined(measure, s)]
                kept = [s for s in there if self._holds(measure, s, strictly=False)]
                smaller = [s for s in kept if self._holds(measure, s, strictly=True)]
                return Ranking(measure, frozenset(s.number for s in kept), frozenset(s.number for s in smaller), number)
        return None

    def is_right(self, ranking: Ranking) -> bool:
        """Whether the measure does what it is said to do."""
        return all(
            self._holds(ranking.measure, self._flow.stretches[n], strictly=n in ranking.smaller)
            for n in sorted(ranking.kept)
        )

    def measures(self, loop: Sequence[Stretch]) -> Iterator[Measure]:
        """Variables that change in a loop, and their differences, simple ones first."""
        common = set.intersection(*(set(self._slots[s.source]) for s in loop))
        changed = [c for c in sorted(common) if any(self._changes(c, s) for s in loop)]
        for cell in changed:
            yield Measure(cell)
            yield Measure(cell, opposite=True)
        if len(common) <= MOST_CELLS:
            for one, other in permutations(sorted(common), 2):
                if one in changed or other in changed:
                    yield Measure(one, other)

    def _changes(self, cell: int, stretch: Stretch) -> bool:
        after = self._after(cell, stretch)
        return after is not None and after is not self._slots[stretch.source][cell].term

    def _is_defined(self, measure: Measure, stretch: Stretch) -> bool:
        return all(c in self._slots[stretch.source] and c in self._slots[stretch.target] for c in measure.cells)

    def _after(self, cell: int, stretch: Stretch) -> Term | None:
        slot = self._slots[stretch.target].get(cell)
        if slot is None:
            return None
        return stretch.after[self._flow.rests[stretch.target].slots.index(slot)]

    def _holds(self, measure: Measure, stretch: Stretch, *, strictly: bool) -> bool:
        """Whether the measure does not grow on a stretch, or becomes smaller."""
        invariant = self._invariants.get(stretch.source)
        if invariant is None:
            return self._is_defined(measure, stretch)
        return self.falls(measure, stretch, invariant, strictly=strictly)

    def falls(self, measure: Measure, stretch: Stretch, given: Term, *, strictly: bool) -> bool:
        """The same where something is known of the source of the stretch."""
        wanted = self.fall(measure, stretch, strictly=strictly)
        if wanted is None or wanted is self._flow.terms.true:
            return wanted is not None
        return self.asked(stretch, [given, self._flow.terms.negation(wanted)]) is Answer.NO

    def asked(self, stretch: Stretch, given: Sequence[Term]) -> Answer:
        """Whether a stretch can be gone where some things are true."""
        solver = self._solvers.get(stretch.source)
        if solver is None:
            solver = self._solvers[stretch.source] = Solver(seconds=self._time.left(), shared=self._time.effort)
        return solver.check([*given, stretch.guard])

    def fall(self, measure: Measure, stretch: Stretch, *, strictly: bool) -> Term | None:
        """That the measure does not grow on a stretch, or becomes smaller; None if it is not known at both ends."""
        if not self._is_defined(measure, stretch):
            return None
        before = [self._slots[stretch.source][c].term for c in measure.cells]
        after = [t for c in measure.cells if (t := self._after(c, stretch)) is not None]
        one, other = self._value(measure, before, stretch.source), self._value(measure, after, stretch.source)
        operator = Operator.SIGNED_LESS if strictly else Operator.SIGNED_LESS_EQUAL
        return self._flow.terms.compare(operator, other, one)

    def _value(self, measure: Measure, values: Sequence[Term], rest: int) -> Term:
        """The measure as a row with a sign in which nothing wraps."""
        terms = self._flow.terms
        width = max(value.width for value in values) + _WIDE
        rows = [
            terms.extend(value, width, is_signed=representation(self._slots[rest][cell].type).signed)
            for cell, value in zip(measure.cells, values, strict=True)
        ]
        if measure.less is not None:
            return terms.subtract(rows[0], rows[1])
        return terms.subtract(terms.constant(0, width), rows[0]) if measure.opposite else rows[0]


def _numbers(rest: Rest) -> dict[int, Slot]:
    """The slots that hold integers, by cell."""
    return {
        slot.cell: slot for slot in rest.slots if slot.part is Part.VALUE and not isinstance(slot.type, Float | Pointer)
    }
