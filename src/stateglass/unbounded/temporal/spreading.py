"""Predicates that were found at one rest are asked at the others, too: what matters at one end of a loop does at both.

Events make many rests out of one loop. A condition that a run is refuted by would be found at each of them by a run of
its own, and for each abstract state again.
"""

from __future__ import annotations

from typing import Final, final

from stateglass.explore.stretches import Flow, Part, Slot
from stateglass.smt import Operator, Term, needed
from stateglass.unbounded.abstraction.predicates import Predicates

MOST_SPREAD: Final = 10
"""So many predicates are asked everywhere; each may double the states."""

_Key = tuple[int, Part, object, int]


@final
class Spreading:
    """Knows which slots are the same at different rests."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._slots: list[dict[_Key, Slot]] = [{_key(s): s for s in rest.slots} for rest in flow.rests]
        self._owners = {slot.term: _key(slot) for rest in flow.rests for slot in rest.slots}
        self._spread: set[Term] = set()
        self._count = 0

    def spread(self, before: Predicates, after: Predicates) -> Predicates:
        """All that was found between two moments, at all rests that have the slots for it."""
        for rest in self._flow.rests:
            known = set(before.asked(rest.number))
            for predicate in after.asked(rest.number):
                if predicate not in known and predicate not in self._spread and self._count < MOST_SPREAD:
                    self._count += 1
                    after = self._everywhere(predicate, after)
        return after

    def _everywhere(self, predicate: Term, predicates: Predicates) -> Predicates:
        terms = self._flow.terms
        variables = [node for node in needed([predicate]) if node.operator is Operator.VARIABLE]
        for rest, slots in zip(self._flow.rests, self._slots, strict=True):
            here = {v: slots[self._owners[v]].term for v in variables if self._owners[v] in slots}
            if len(here) == len(variables):
                same = terms.substituted(predicate, here)
                self._spread.update((same, terms.negation(same)))
                predicates = predicates.with_more(rest.number, same)
        return predicates


def _key(slot: Slot) -> _Key:
    return slot.cell, slot.part, slot.absent, slot.term.width
