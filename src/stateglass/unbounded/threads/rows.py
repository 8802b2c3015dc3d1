"""The arguments that calls can have, where they are few: values are followed through the code as long as they are.

Variables that arguments depend on are followed together, so that what belongs together stays so. One that has too many
values at a place may have any there: what is found contains all that can be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final, final

from stateglass.explore.stretches import Flow, Stretch
from stateglass.smt import Answer, Operator, Solver, Term, needed
from stateglass.work import Progress, silent

MOST_VALUES: Final = 16
"""So many values of one variable are told apart at one place."""
MOST_ROWS: Final = 64
"""So many rows of values of all variables are."""
MOST_FOLLOWED: Final = 8
"""Conditions on the way are followed, too, if no more variables than this have to be then."""
EFFORT: Final = 2_000
"""What a question may cost; without an answer, any value is possible."""

Row = tuple[int | None, ...]
"""A value for each of some terms; None: any."""


def argument_rows(
    flow: Flow, calls: Sequence[Stretch], progress: Progress = silent
) -> tuple[tuple[int, ...], ...] | None:
    """All rows of bits that the arguments of some calls of one function can have; None if there may be too many."""
    for conditions in (False, True):
        followed = _followed(flow, calls, conditions=conditions)
        if conditions and any(len(slots) > MOST_FOLLOWED for slots in followed.values()):
            return None
        found = _Following(flow, followed, progress).arguments(calls)
        if found is not None:
            return found
    return None


def _followed(flow: Flow, calls: Sequence[Stretch], *, conditions: bool) -> dict[int, tuple[int, ...]]:
    """The slots that arguments depend on at each rest, by their positions."""
    places = [{slot.term: n for n, slot in enumerate(rest.slots)} for rest in flow.rests]
    found: list[set[int]] = [set() for _ in flow.rests]
    work: list[tuple[int, Iterable[Term]]] = [(call.source, _arguments(call)) for call in calls]
    if conditions:
        work += [(stretch.source, [stretch.guard]) for stretch in flow.stretches]
    while work:
        rest, terms = work.pop()
        new = {places[rest][node] for node in needed(terms) if node in places[rest]} - found[rest]
        found[rest] |= new
        for stretch in flow.arriving[rest] if new else ():
            work.append((stretch.source, [stretch.after[position] for position in new]))
    return {rest: tuple(sorted(slots)) for rest, slots in enumerate(found)}


def _arguments(call: Stretch) -> list[Term]:
    assert call.action is not None
    return [term for term, _ in call.action.arguments]


@final
class _Following:
    """Rows of values at each rest, from the start on until there are no more."""

    def __init__(self, flow: Flow, followed: dict[int, tuple[int, ...]], progress: Progress) -> None:
        self._progress = progress
        self._flow = flow
        self._slots = [[flow.rests[n].slots[position].term for position in slots] for n, slots in followed.items()]
        self._followed = followed
        self._any: list[set[int]] = [set() for _ in flow.rests]  # positions in rows at which there are too many values
        self._rows: list[dict[Row, None]] = [{} for _ in flow.rests]
        self._work: deque[tuple[int, Row]] = deque()

    def arguments(self, calls: Sequence[Stretch]) -> tuple[tuple[int, ...], ...] | None:
        self._add(0, (None,) * len(self._slots[0]))
        while self._work:
            rest, row = self._work.popleft()
            self._progress("following arguments of events", waiting=len(self._work))
            if row not in self._rows[rest]:
                continue  # it became part of another one
            for stretch in self._flow.leaving[rest]:
                after = [stretch.after[position] for position in self._followed[stretch.target]]
                for following in self._outcomes(stretch, row, after, self._any[stretch.target]):
                    self._add(stretch.target, following)
        found: dict[tuple[int, ...], None] = {}
        for call in calls:
            for row in self._rows[call.source]:
                for values in self._outcomes(call, row, _arguments(call), set()):
                    known = tuple(value for value in values if value is not None)
                    if len(known) < len(values) or len(found) > MOST_ROWS:
                        return None
                    found[known] = None
        return tuple(sorted(found))

    def _add(self, rest: int, row: Row) -> None:
        row = tuple(None if n in self._any[rest] else value for n, value in enumerate(row))
        if row in self._rows[rest]:
            return
        self._rows[rest][row] = None
        self._work.append((rest, row))
        counts = [len({row[n] for row in self._rows[rest]}) for n in range(len(row))]
        many = {n for n, count in enumerate(counts) if count > MOST_VALUES}
        if not many and len(self._rows[rest]) > MOST_ROWS:
            many = {counts.index(max(counts))}
        if many:
            self._any[rest] |= many
            rows, self._rows[rest] = list(self._rows[rest]), {}
            for known in rows:
                self._add(rest, known)

    def _outcomes(self, stretch: Stretch, row: Row, wanted: Sequence[Term], any_of: set[int]) -> list[Row]:
        """What some terms can be behind a stretch from a row of values; those at some positions may be anything."""
        terms = self._flow.terms
        slots = self._slots[stretch.source]
        mapping = {
            slot: terms.value_for(slot, value) for slot, value in zip(slots, row, strict=True) if value is not None
        }
        shared: dict[Term, Term] = {}
        guard = terms.substituted(stretch.guard, mapping, shared)
        if guard is terms.false:
            return []
        solver = Solver(effort=EFFORT)
        solver.add(guard)
        # What is the same in all runs is no question.
        values = [terms.substituted(term, mapping, shared) for term in wanted]
        asked = [n for n, v in enumerate(values) if n not in any_of and v.operator is not Operator.VALUE]
        few = [n for n in asked if self._ways(solver, [values[n]], MOST_VALUES) is not None]
        ways = self._ways(solver, [values[n] for n in few], MOST_ROWS)
        if ways is None:
            few, ways = [], self._ways(solver, [], 1) or []
        found = []
        for way in ways:
            told = dict(zip(few, way, strict=True))
            fixed = (int(v.extra) if v.operator is Operator.VALUE else told.get(n) for n, v in enumerate(values))
            found.append(tuple(None if n in any_of else value for n, value in enumerate(fixed)))
        return found

    def _ways(self, solver: Solver, values: Sequence[Term], most: int) -> list[tuple[int, ...]] | None:
        """All rows of numbers that some terms can be; None if there are too many, or nobody knows."""
        terms = self._flow.terms
        found: list[tuple[int, ...]] = []
        other: list[Term] = []
        while True:
            answer = solver.check(other)
            if answer is Answer.NO:
                return found
            if answer is Answer.UNKNOWN:
                return None if values else [()]
            row = tuple(solver.value(value) for value in values)
            found.append(row)
            if not values:
                return found
            if len(found) > most:
                return None
            same = [
                terms.equal(value, terms.constant(number, value.width))
                if value.width
                else (value if number else terms.negation(value))
                for value, number in zip(values, row, strict=True)
            ]
            other.append(terms.negation(terms.both(*same)))
