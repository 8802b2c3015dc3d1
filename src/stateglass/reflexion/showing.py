"""Values as a person reads them; pointers by what they lead to, as their types see it."""

from __future__ import annotations

from typing import Final, final

from stateglass.explore.actions import Texts
from stateglass.explore.contents import Content
from stateglass.explore.machine import Machine
from stateglass.explore.strays import is_stray
from stateglass.program import FunctionType, Pointer, Scalar
from stateglass.reflexion.surroundings import place_name

OWN: Final = "an object of its own"
UNKNOWN_FUNCTION: Final = "a function that is not known"
UNKNOWN: Final = "somewhere else"


@final
class Showing:
    """Writes the values of a machine's cells."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._texts = Texts(machine, machine.program.enums)

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
        return UNKNOWN_FUNCTION if found.startswith("*") else found

    def _address(self, address: int, type: Pointer, name: str) -> str:
        program, found = self._machine.program, self._machine.memory.object_at(address)
        if found is None:
            return UNKNOWN if self._machine.known.name_at(address) is None else self._function(address)
        variable = program.variables.get(found.name)
        if variable is not None and variable.literal:
            return self._texts.value(address, type)
        if address == found.address and found.name == f"*{name}":
            return OWN
        return f"&{place_name(found.name, found.type, address - found.address, type.target, program)}"
