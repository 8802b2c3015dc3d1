"""Values as a person reads them; pointers by what they lead to, as their types see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, final

from stateglass.explore import Content, Machine, Object, Texts, Unknown, is_stray
from stateglass.program import Cell, FunctionType, Pointer, Scalar, representation
from stateglass.program.names import is_own_object
from stateglass.reflexion.circumstances import place_name
from stateglass.reflexion.unions import Region, Unions
from stateglass.source import NOWHERE
from stateglass.values import Fault

OWN: Final = "an object of its own"
UNKNOWN_FUNCTION: Final = "a function that is not known"
UNKNOWN: Final = "somewhere else"


@final
class Showing:
    """Writes the values of a machine's cells."""

    def __init__(self, machine: Machine, functions: Iterable[str], called: Callable[[str, str], str]) -> None:
        """`functions` are those whose words are used for unions; `called` names a part of an object."""
        self._machine = machine
        self._called = called
        self._texts = Texts(machine, machine.program.enums)
        self._unions = Unions(machine.program, functions)
        self._owners: dict[int, Object] = {}
        self._regions: dict[int, tuple[Region, ...]] = {}
        for owner in machine.memory.objects:
            self._owners |= dict.fromkeys(range(owner.first, owner.first + len(owner.shape)), owner)

    def name(self, number: int) -> str | None:
        """What a cell is called that is shown by itself; nothing if it is never shown, None if as part of a union."""
        owner = self._owners[number]
        cell = owner.shape[number - owner.first]
        if cell.padding:
            return ""
        return self._called(owner.name, cell.path) if self._region(owner, cell) is None else None

    def cells(self, numbers: Iterable[int]) -> list[tuple[str, str]]:
        """Names and values of some cells, in their order; of unions, of the members that the code speaks of."""
        found: dict[str, str] = {}
        for number in numbers:
            owner = self._owners[number]
            cell = owner.shape[number - owner.first]
            region = self._region(owner, cell)
            if cell.padding:
                continue
            if region is None:
                name = self._called(owner.name, cell.path)
                found[name] = self.value(self._machine.cells[number], cell.type, name)
            else:
                found |= self._views(owner, region, cell)
        return list(found.items())

    def _region(self, owner: Object, cell: Cell) -> Region | None:
        if owner.first not in self._regions:
            self._regions[owner.first] = tuple(self._unions.regions(owner.type))
        regions = self._regions[owner.first]
        return next((r for r in regions if r.position <= cell.position < r.position + r.width), None)

    def _views(self, owner: Object, region: Region, cell: Cell) -> Iterator[tuple[str, str]]:
        """What the bits of a cell are called, and what they are."""
        for view in self._unions.views(region.type, region.path, region.position):
            width = representation(view.type).bits
            if view.position < cell.position + cell.width and cell.position < view.position + width:
                offset, bit = divmod(view.position, 8)
                name = self._called(owner.name, view.path)
                try:
                    value = self._machine.memory.loader(view.type, bit, NOWHERE)(
                        self._machine.cells, owner.address + offset
                    )
                except (Fault, Unknown):
                    continue  # there is no such value
                yield name, self.value(value, view.type, name)

    def value(self, value: Content, type: Scalar, name: str = "") -> str:
        """A value; `name` is that of the variable that holds it."""
        if not isinstance(type, Pointer) or not isinstance(value, int) or value == 0 or is_stray(value):
            return self._texts.value(value, type)
        if isinstance(type.target, FunctionType):
            return self._function(value)
        return self._address(value, type, name)

    def _function(self, address: int) -> str:
        found = self._machine.known.name_at(address)
        if found is None:
            return UNKNOWN
        return UNKNOWN_FUNCTION if is_own_object(found) else found

    def _address(self, address: int, type: Pointer, name: str) -> str:
        program, found = self._machine.program, self._machine.memory.object_at(address)
        if found is None:
            return UNKNOWN if self._machine.known.name_at(address) is None else self._function(address)
        variable = program.variables.get(found.name)
        if variable is not None and variable.literal:
            return self._texts.value(address, type)
        if address == found.address and found.name == f"*{name}":
            return OWN
        place = place_name(self._called(found.name, ""), found.type, address - found.address, type.target, program)
        return place[1:] if is_own_object(place) else f"&{place}"
