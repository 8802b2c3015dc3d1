"""Where runs may stop though the program has not ended: every value that the environment could choose is ruled out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from stateglass.explore.stretches import Flow
from stateglass.smt import Answer, Solver, Term, Unanswered, evaluated
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.predicates import State
from stateglass.unbounded.paths import Infeasible, Row, row_walk, unknowns
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline
from stateglass.work import OutOfTime

MOST_TRIES: Final = 24
"""So many choices are tried; with more, a run may stop as far as anybody knows."""


@final
class Stopping:
    """Asks of abstract states whether some of what they stand for cannot go on.

    For all values of slots there is to be a choice with which a stretch is gone. Choices are collected: of values for
    which none of them will do, a solver is asked for one that does, until there are no such values.
    """

    def __init__(self, flow: Flow, time: Deadline) -> None:
        self._flow = flow
        self._time = time
        self._ways: dict[int, list[Term]] = {}  # by rest: when a stretch is gone with some choice, over slots alone
        self._known: dict[State, bool] = {}
        self._leaving: dict[int, Term] = {}

    def may_stop(self, state: State, abstraction: Abstraction) -> bool:
        """Never False where a run stops."""
        if self._flow.rests[state.rest].phase.is_end:
            return False
        # Most rests are left whatever values there are.
        for asked, literals in ((State(state.rest, ()), []), (state, abstraction.predicates.literals(state))):
            known = self._known.get(asked)
            if known is None:
                known = self._known[asked] = self._asked(state.rest, literals)
            if not known:
                return False
        return True

    def ways(self, rest: int) -> list[Term]:
        """Conditions on the slots of a rest under each of which some stretch is gone."""
        return self._ways.get(rest, [])

    def stuck_values(self, rest: int, given: list[Term]) -> dict[Term, int] | None:
        """Values for which something else holds and no stretch is gone, if there are any."""
        terms, ways = self._flow.terms, self._ways.setdefault(rest, [])
        guard = self._guard(rest)
        slots = [slot.term for slot in self._flow.rests[rest].slots]
        for _ in range(MOST_TRIES):
            outer = Solver(seconds=self._time.left(), shared=self._time.effort)
            if not self._answered(outer, [*given, terms.negation(terms.either(*ways))]):
                return None
            values = {slot: outer.value(slot) for slot in slots}
            held = {slot: self._constant(slot, value) for slot, value in values.items()}
            here = terms.substituted(guard, held)
            inner = Solver(seconds=self._time.left(), shared=self._time.effort)
            if not self._answered(inner, [here]):
                return values
            chosen = [v for s in self._flow.leaving[rest] for v in unknowns(s)]
            choice = {v: self._constant(v, inner.value(v)) for v in dict.fromkeys(chosen)}
            ways.append(terms.substituted(guard, choice))
        raise Unanswered

    def stuck_walk(self, row: Row, facts: Sequence[Term]) -> Walk | None:
        """A walk along a row behind which no stretch is gone, if there is one."""
        terms, rest = self._flow.terms, row.rest
        slots = {slot.term: term for slot, term in zip(self._flow.rests[rest].slots, row.slots, strict=True)}
        ways = self._ways.setdefault(rest, [])
        for _ in range(MOST_TRIES):
            stuck = terms.substituted(terms.negation(terms.either(*ways)), slots)
            walk = row_walk(self._flow, row, [*facts, stuck], self._time, "predicate")
            if walk is None:
                raise OutOfTime
            if isinstance(walk, Infeasible):
                return None
            known = len(ways)
            values = evaluated(row.steps[-1].stretch.after, walk.values[-1]) if row.steps else []
            held = [
                terms.equal(slot.term, self._constant(slot.term, value))
                if slot.term.width
                else (slot.term if value else terms.negation(slot.term))
                for slot, value in zip(self._flow.rests[rest].slots, values, strict=True)
            ]
            if self.stuck_values(rest, held) is not None:
                return walk
            assert len(ways) > known, "values that were tried go on now"
        raise Unanswered

    def _asked(self, rest: int, literals: list[Term]) -> bool:
        try:
            return self.stuck_values(rest, literals) is not None
        except Unanswered:
            return True

    def _guard(self, rest: int) -> Term:
        """When some stretch is gone, over slots and choices."""
        known = self._leaving.get(rest)
        if known is None:
            guards = [stretch.guard for stretch in self._flow.leaving[rest]]
            known = self._leaving[rest] = self._flow.terms.either(*guards)
        return known

    def _constant(self, variable: Term, value: int) -> Term:
        terms = self._flow.terms
        return terms.constant(value, variable.width) if variable.width else terms.truth(bool(value))

    def _answered(self, solver: Solver, given: list[Term]) -> bool:
        match solver.check(given):
            case Answer.UNKNOWN:
                raise OutOfTime if solver.late or self._time.is_over() else Unanswered
            case answer:
                return answer is Answer.YES
