"""Pointers to what is over, for all inputs at once: they lead to graves, so that an address can be used again.

As `explore/cells/lives.py` does it for single states: a grave is a place of the same shape where nothing ever lives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import final

from stateglass.explore.cells.memory import Object
from stateglass.explore.cells.strays import is_stray, moved, taken_apart
from stateglass.explore.machine import Machine
from stateglass.explore.merging.contents import Cells, Content, Partly
from stateglass.explore.merging.frames import Value
from stateglass.smt import Term, Terms, chosen_between, with_outcomes


@final
class Graves:
    """Makes them as they are needed."""

    def __init__(self, machine: Machine, terms: Terms) -> None:
        self._machine = machine
        self._terms = terms
        self._known: dict[int, Object] = {}

    def bury(self, cells: Cells, over: Iterable[Object]) -> None:
        """Objects are no more: pointers to them lead to their graves from now on."""
        lead = self._leading_to(over)
        for number in self._machine.memory.pointers.intersection(cells):
            cells[number] = self._content(cells[number], lead)

    def hidden(self, cells: Cells, over: Iterable[Object]) -> bool:
        """Whether a number, and no pointer, is an address of objects."""
        memory, gone = self._machine.memory, list(over)
        width = 8 * memory.pointer_size
        for number, content in cells.items():
            value = content.value if isinstance(content, Partly) else content
            if isinstance(value, Term) and value.width == width and number not in memory.pointers:
                for leaf in leaves(value):
                    if any(o.address <= leaf <= o.address + o.size for o in gone):
                        return True
        return False

    def followed(self, value: Value, over: Iterable[Object]) -> Value:
        """What a function returns that is over."""
        lead = self._leading_to(over)
        if isinstance(value, list):
            return [self._content(content, lead) for content in value]
        return self._pointer(value, lead) if isinstance(value, Term) else value

    def _leading_to(self, over: Iterable[Object]) -> Callable[[int], int]:
        gone = list(over)

        def lead(address: int) -> int:
            start = taken_apart(address)[0] if is_stray(address) else address
            for one in gone:
                if one.address <= start <= one.address + one.size:
                    grave = self._grave(one)
                    if not is_stray(address):
                        return address - one.address + grave.address
                    self._machine.memory.strayed.add(grave.address)
                    return moved(address, grave.address - one.address)
            return address

        return lead

    def _content(self, content: Content, lead: Callable[[int], int]) -> Content:
        match content:
            case Term():
                return self._pointer(content, lead)
            case Partly(value, absent, unwritten):
                return Partly(self._pointer(value, lead), absent, unwritten)
            case _:
                return content

    def _pointer(self, pointer: Term, lead: Callable[[int], int]) -> Term:
        if pointer.width != 8 * self._machine.memory.pointer_size or all(lead(a) == a for a in leaves(pointer)):
            return pointer

        def led(leaf: Term) -> Term:
            return leaf if leaf.value is None else self._terms.constant(lead(leaf.value), leaf.width)

        return with_outcomes(self._terms, pointer, led)

    def _grave(self, over: Object) -> Object:
        grave = self._known.get(over.address)
        if grave is None:
            grave = self._known[over.address] = self._machine.memory.add(over.name, over.type, careful=True)
        return grave


def leaves(pointer: Term) -> set[int]:
    """The constants that a choice is between."""
    return {leaf.value for leaf in chosen_between(pointer) if leaf.value is not None}
