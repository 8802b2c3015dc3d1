"""Pointers in conditions: each is compared with null and with what it may lead to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore import is_stray
from stateglass.program import FunctionType, Pointer
from stateglass.program.names import is_own_object
from stateglass.reflexion.circumstances import place_name
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.joining import all_of, any_of
from stateglass.smt import Operator, Term, needed

MOST_TARGETS: Final = 24
"""A pointer that may lead to more places than this is compared with what the code compares it with, and with null."""
MOST_OTHERS: Final = 5
"""Of so many places one that has no name is told by what it is not."""
NULL: Final = "NULL"


@final
@dataclass(frozen=True, slots=True)
class Said:
    """A comparison, and it and its opposite in C."""

    term: Term
    text: str
    opposite: str


@final
class PointerWords:
    """The pointers of one function that matter to what it does."""

    def __init__(self, encoding: Encoding) -> None:
        self._terms = encoding.terms
        self._machine = encoding.unknowns.machine
        self._called = encoding.unknowns.called
        unknowns = encoding.unknowns
        every = [(unknowns.reached(n), u) for n, u in unknowns.variables.items()]
        every += [(self._terms.true, u) for u in unknowns.parameters]
        events = (e.when for e in encoding.outcome.events)
        mattering = set(needed([*encoding.formula.roots, *events, *encoding.conditions.values()]))
        self._pointers: dict[Term, tuple[str, Pointer, Term]] = {}
        for reached, unknown in every:
            if isinstance(unknown.type, Pointer) and unknown.in_c and mattering & set(_choices(unknown.term)):
                self._pointers.setdefault(unknown.term, (unknown.name, unknown.type, reached))
        # A parameter that leads to an object of its own does nothing else.
        parameters = {p.name for p in unknowns.function.parameters}
        self._settled = {f"*{name}" for name in parameters - {u.name for u in unknowns.parameters}}

    def found(self) -> Iterator[Said]:
        """Where each pointer leads, those first that names of others depend on."""
        known: dict[Term, Said] = {}
        for pointer, (name, type, reached) in self._pointers.items():
            guard = known.get(reached)
            if reached is not self._terms.true and guard is None:
                continue
            for said in self._targets(pointer, name, type):
                for each in [said] if guard is None else self._guarded(guard, said):
                    known[each.term] = each
                    yield each

    def _targets(self, pointer: Term, name: str, type: Pointer) -> Iterator[Said]:
        targets = list(dict.fromkeys(_leaves(pointer)))
        places = {a: self._place(a, type) for a in (targets if len(targets) <= MOST_TARGETS else [0])}
        nameless = [a for a, place in places.items() if place is None]
        for address, place in places.items():
            if place is not None:
                yield self._plain(self._is(pointer, address), f"{name} == {place}", f"{name} != {place}")
        if (
            len(nameless) == 1
            and 1 < len(targets) <= MOST_OTHERS
            and len(places) == len(targets)
            and _is_closed(pointer)
        ):
            # What has no name is what all the others are not.
            others = [place for place in places.values() if place is not None]
            text, opposite = all_of(f"{name} != {o}" for o in others), any_of(f"{name} == {o}" for o in others)
            yield self._plain(self._is(pointer, nameless[0]), text, opposite)

    def _is(self, pointer: Term, address: int) -> Term:
        return self._terms.equal(pointer, self._terms.constant(address, pointer.width))

    def _guarded(self, guard: Said, said: Said) -> Iterator[Said]:
        """A comparison of a pointer that lies behind another one, which counts only if that one leads there."""
        for term, text, opposite in (
            (said.term, said.text, said.opposite),
            (self._terms.negation(said.term), said.opposite, said.text),
        ):
            both = self._terms.both(guard.term, term)
            yield self._plain(both, all_of((guard.text, text)), any_of((guard.opposite, opposite)))

    def _plain(self, term: Term, text: str, opposite: str) -> Said:
        """Of a comparison and its opposite, the one that is no negation."""
        return Said(term.operands[0], opposite, text) if term.operator is Operator.NOT else Said(term, text, opposite)

    def compared(self, comparison: Term) -> Said | None:
        """What the code compares two pointers with, if both have names."""
        if comparison.operator is not Operator.EQUAL or not all(o in self._pointers for o in comparison.operands):
            return None
        (left, _, one), (right, _, other) = (self._pointers[o] for o in comparison.operands)
        if not one is other is self._terms.true:
            return None
        return Said(comparison, f"{left} == {right}", f"{left} != {right}")

    def _place(self, address: int, type: Pointer) -> str | None:
        """What a pointer is compared with, in C; None if that has no name."""
        if address == 0:
            return NULL
        machine, program = self._machine, self._machine.program
        if is_stray(address):
            return None
        if isinstance(type.target, FunctionType):
            function = machine.known.name_at(address)
            return None if function is None or is_own_object(function) else function
        found = machine.memory.object_at(address)
        variable = None if found is None else program.variables.get(found.name)
        if found is None or (variable is not None and variable.literal):
            return None
        if is_own_object(found.name) and found.name not in self._settled:
            return None  # another pointer leads there only at times
        offset = address - found.address
        name = place_name(self._called(found.name, ""), found.type, offset, type.target, program)
        if " + " in name:
            return None
        return name[1:] if name == found.name and is_own_object(name) else f"&{name}"


def _choices(pointer: Term) -> Iterator[Term]:
    """The unknowns that say where a pointer leads."""
    while pointer.operator is Operator.CHOOSE:
        yield pointer.operands[0]
        pointer = pointer.operands[2]


def _is_closed(pointer: Term) -> bool:
    """Whether all that a pointer may hold is known."""
    while pointer.operator is Operator.CHOOSE:
        if pointer.operands[1].operator is not Operator.VALUE:
            return False
        pointer = pointer.operands[2]
    return pointer.operator is Operator.VALUE


def _leaves(pointer: Term) -> Iterator[int]:
    """The addresses that a pointer may hold."""
    stack = [pointer]
    while stack:
        term = stack.pop()
        if term.operator is Operator.CHOOSE:
            stack += [term.operands[2], term.operands[1]]
        elif term.operator is Operator.VALUE:
            yield term.extra
