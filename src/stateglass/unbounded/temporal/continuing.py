"""Whether runs that come to a place can go on so that they count: what is to be assumed may hold of none of them."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Final, final

from stateglass.explore.stretches import Flow, Phase
from stateglass.smt import Answer, Solver, Term
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.paths import unknowns
from stateglass.work import OutOfTime

MOST_TRIES: Final = 24
"""So many choices are tried; with more, a run may be dropped as far as anybody knows."""


@final
class Continuing:
    """Finds the rests from which, whatever values there are, some run goes on for ever or ends, and is not dropped.

    A greatest fixed point: rests are taken out from which, for some values, no choice leads to one that is left. Code
    that is not modelled is taken to go on, unless runs may be dropped (`drops`): then they may be behind it, too.
    """

    def __init__(self, flow: Flow, time: Deadline, *, drops: bool) -> None:
        self._flow = flow
        self._drops = drops
        self._time = time

    def is_sure(self, rest: int) -> bool:
        """Whether a run that was followed to a rest can be taken to go on."""
        return rest in self._sure

    @cached_property
    def _sure(self) -> frozenset[int]:
        flow = self._flow
        left = {rest.number for rest in flow.rests}
        waiting = [rest.number for rest in flow.rests if rest.drops]
        for rest in flow.of_phase(Phase.LOST) if self._drops else ():
            left.remove(rest.number)
            waiting += [stretch.source for stretch in flow.arriving[rest.number]]
        while waiting:
            number = waiting.pop()
            if number in left and not self._goes_on(number, left):
                left.remove(number)
                waiting += [stretch.source for stretch in flow.arriving[number]]
        return frozenset(left)

    def _goes_on(self, rest: int, left: Collection[int]) -> bool:
        """Whether for all values at a rest there is a choice with which one of some others is next.

        Choices are collected: of values for which none of them will do, a solver is asked for one that does, until
        there are no such values.
        """
        terms = self._flow.terms
        stretches = [stretch for stretch in self._flow.leaving[rest] if stretch.target in left]
        guard = terms.either(*(stretch.guard for stretch in stretches))
        chosen = list(dict.fromkeys(v for stretch in stretches for v in unknowns(stretch)))
        slots = [slot.term for slot in self._flow.rests[rest].slots]
        ways: list[Term] = []
        for _ in range(MOST_TRIES):
            outer, inner = (Solver(seconds=self._time.left(), shared=self._time.effort) for _ in range(2))
            match self._answer(outer, terms.negation(terms.either(*ways))):
                case Answer.NO:
                    return True
                case Answer.UNKNOWN:
                    return False
                case Answer.YES:
                    pass
            held = {slot: terms.value_for(slot, outer.value(slot)) for slot in slots}
            if self._answer(inner, terms.substituted(guard, held)) is not Answer.YES:
                return False
            ways.append(terms.substituted(guard, {v: terms.value_for(v, inner.value(v)) for v in chosen}))
        return False

    def _answer(self, solver: Solver, condition: Term) -> Answer:
        answer = solver.check([condition])
        if answer is Answer.UNKNOWN and (solver.late or self._time.is_over()):
            raise OutOfTime
        return answer
