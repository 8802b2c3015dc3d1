"""Predicates to begin with: those that somebody names, and the values of variables that say where a machine stands.

A loop around a `switch` over a state variable is a program counter in disguise: which case comes next depends on the
variable alone, and it is given nothing but constants. Such variables are found, and their constants are asked for as
one question with many answers, so that thirty values are thirty abstract states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, final

from stateglass.explore.stretches import Flow, Slot
from stateglass.smt import Operator, Term, chosen_between, needed
from stateglass.unbounded.abstraction.predicates import Predicates, which_value

LEAST_VALUES: Final = 3
"""A variable that is given, or compared with, fewer constants is a flag: worth a question only where one is needed."""
MOST_STATES: Final = 1_000
"""So many abstract states a rest has at most to begin with."""

Seed = tuple[int, Term]
"""The number of a rest, and a truth term over its slots."""


def seeded(flow: Flow, seeds: Iterable[Seed] = ()) -> Predicates:
    """What is asked from the beginning."""
    predicates = Predicates.none(flow)
    controls = Constants(flow).controls()
    for rest in flow.rests:
        states = 1
        for slot in rest.slots:
            values = controls.get(slot.term)
            if values is not None and states * (len(values) + 1) <= MOST_STATES:
                states *= len(values) + 1
                predicates = predicates.with_more(rest.number, which_value(flow.terms, slot.term, values))
    for number, predicate in seeds:
        predicates = predicates.with_more(number, predicate)
    return predicates


@final
class Constants:
    """Which slots hold nothing but constants, and which."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._slots = [slot for rest in flow.rests for slot in rest.slots]

    def controls(self) -> dict[Term, frozenset[int]]:
        """By slot: the constants that it is given, where it says how code goes on."""
        given = self.given()
        compared = self._compared()
        names: dict[tuple[object, ...], set[int]] = {}
        for slot in self._slots:
            names.setdefault(_name(slot), set()).update(compared.get(slot.term, ()))
        return {
            slot.term: frozenset(given[slot.term])
            for slot in self._slots
            if len(given.get(slot.term, ())) >= LEAST_VALUES and len(names[_name(slot)]) >= LEAST_VALUES
        }

    def given(self) -> dict[Term, set[int]]:
        """By slot: all values that it can have, if these are constants of the program alone."""
        found: dict[Term, set[int]] = {slot.term: set() for slot in self._slots if slot.term.width}
        sources: dict[Term, set[Term]] = {}  # a slot gets the values of others
        for slot, after in self._assigned():
            for leaf in chosen_between(after):
                if slot.term not in found:
                    break
                if leaf.operator is Operator.VALUE:
                    found[slot.term].add(leaf.extra)
                elif leaf is not slot.term:
                    sources.setdefault(slot.term, set()).add(leaf)
        grows = True
        while grows:
            grows = False
            for target, others in sources.items():
                if target not in found:
                    continue
                if any(other not in found for other in others):
                    del found[target]
                    grows = True
                    continue
                size = len(found[target])
                found[target].update(*(found[other] for other in others))
                grows = grows or len(found[target]) > size
        return found

    def _assigned(self) -> Iterator[tuple[Slot, Term]]:
        for stretch in self._flow.stretches:
            yield from zip(self._flow.rests[stretch.target].slots, stretch.after, strict=True)

    def _compared(self) -> dict[Term, set[int]]:
        """By slot: the constants that conditions compare it with."""
        whole = [term for stretch in self._flow.stretches for term in (stretch.guard, *stretch.after)]
        found: dict[Term, set[int]] = {}
        for node in needed(whole):
            if node.operator is Operator.EQUAL and node.operands[1].operator is Operator.VALUE:
                found.setdefault(node.operands[0], set()).add(node.operands[1].extra)
        return found


def _name(slot: Slot) -> tuple[object, ...]:
    """The same for slots of the same cell at all rests."""
    return slot.cell, slot.part, slot.absent
