"""Pointers in conditions: each is compared with null and with what it may lead to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

from stateglass.explore.strays import is_stray
from stateglass.program import FunctionType, Pointer
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.surroundings import place_name
from stateglass.smt import Operator, Term, needed

MOST_TARGETS: Final = 24
"""A pointer that may lead to more places than this is compared with what the code compares it with, and with null."""
NULL: Final = "NULL"

Said = tuple[Term, str, str]
"""A comparison, and it and its opposite in C."""


@final
class PointerWords:
    """The pointers of one function that matter to what it does."""

    def __init__(self, encoding: Encoding) -> None:
        self._terms = encoding.terms
        self._machine = encoding.unknowns.machine
        unknowns = encoding.unknowns
        every = (*unknowns.variables.values(), *unknowns.parameters)
        events = (e.when for e in encoding.outcome.events)
        mattering = set(needed([*encoding.formula.roots, *events, *encoding.conditions.values()]))
        self._pointers: dict[Term, tuple[str, Pointer]] = {}
        for unknown in every:
            if isinstance(unknown.type, Pointer) and unknown.in_c and mattering & set(_choices(unknown.term)):
                self._pointers.setdefault(unknown.term, (unknown.name, unknown.type))
        # A parameter that leads to an object of its own does nothing else.
        parameters = {p.name for p in unknowns.function.parameters}
        self._settled = {f"*{name}" for name in parameters - {u.name for u in unknowns.parameters}}

    def found(self) -> Iterator[Said]:
        for pointer, (name, type) in self._pointers.items():
            targets = list(dict.fromkeys(_leaves(pointer)))
            for address in targets if len(targets) <= MOST_TARGETS else [0]:
                place = self._place(address, type)
                if place is not None:
                    comparison = self._terms.equal(pointer, self._terms.constant(address, pointer.width))
                    yield comparison, f"{name} == {place}", f"{name} != {place}"

    def compared(self, comparison: Term) -> Said | None:
        """What the code compares two pointers with, if both have names."""
        if comparison.operator is not Operator.EQUAL or not all(o in self._pointers for o in comparison.operands):
            return None
        left, right = (self._pointers[o][0] for o in comparison.operands)
        return comparison, f"{left} == {right}", f"{left} != {right}"

    def _place(self, address: int, type: Pointer) -> str | None:
        """What a pointer is compared with, in C; None if that has no name."""
        if address == 0:
            return NULL
        machine, program = self._machine, self._machine.program
        if is_stray(address):
            return None
        if isinstance(type.target, FunctionType):
            function = machine.known.name_at(address)
            return None if function is None or function.startswith("*") else function
        found = machine.memory.object_at(address)
        variable = None if found is None else program.variables.get(found.name)
        if found is None or (variable is not None and variable.literal):
            return None
        if found.name.startswith("*") and found.name not in self._settled:
            return None  # another pointer leads there only at times
        offset = address - found.address
        name = place_name(found.name, found.type, offset, type.target, program)
        if " + " in name:
            return None
        return name[1:] if name == found.name and name.startswith("*") else f"&{name}"


def _choices(pointer: Term) -> Iterator[Term]:
    """The unknowns that say where a pointer leads."""
    while pointer.operator is Operator.CHOOSE:
        yield pointer.operands[0]
        pointer = pointer.operands[2]


def _leaves(pointer: Term) -> Iterator[int]:
    """The addresses that a pointer may hold."""
    stack = [pointer]
    while stack:
        term = stack.pop()
        if term.operator is Operator.CHOOSE:
            stack += [term.operands[2], term.operands[1]]
        elif term.operator is Operator.VALUE:
            yield term.extra
