"""The canonical text of actions and values, as `.aut` files and claims have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, final

from stateglass.explore.cells.contents import Unknown
from stateglass.explore.cells.strays import is_stray, taken_apart
from stateglass.explore.cells.vague import is_vague
from stateglass.explore.machine import Machine
from stateglass.explore.shown.showing import Showing, is_known, is_row
from stateglass.model import Action, Verb
from stateglass.program import (
    Bool,
    Enum,
    Enumeration,
    Float,
    FunctionType,
    Int,
    Pointer,
    Record,
    Scalar,
    Type,
    is_scalar,
    value_cells,
)
from stateglass.program.floats import float_text
from stateglass.program.names import is_made_up
from stateglass.source import NOWHERE
from stateglass.system import Contents
from stateglass.values import Fault
from stateglass.values.abstract import text

LONGEST_STRING: Final = 200
NULL: Final = "null"
_BYTE: Final = Int(8, signed=False)
_ESCAPES = {10: "\\n", 9: "\\t", 13: "\\r", 34: '\\"', 92: "\\\\"}


@final
class Texts:
    """Writes values of a program as text; pointers need the machine to find what they point to."""

    def __init__(self, machine: Machine, enums: Mapping[str, Enumeration]) -> None:
        self._machine = machine
        self._enumerators: dict[str, dict[int, str]] = {}
        for name, enum in enums.items():
            names: dict[int, str] = {}
            for member, value in enum.members:
                names.setdefault(value, member)
            self._enumerators[name] = names
        self._showing = Showing(machine.memory.records, self._loaded, self.value, _quoted)

    def enumerators(self, type: Scalar) -> dict[int, str]:
        return self._enumerators.get(type.name, {}) if isinstance(type, Enum) else {}

    def value(self, value: Any, type: Type) -> str:
        """A value in the state that the machine is in."""
        if isinstance(value, tuple):
            return self._record(value, type)
        if isinstance(value, frozenset):
            return "|".join(self.address(a) for a in sorted(value))
        if is_vague(value) and is_scalar(type):
            return text(value, type)
        if not isinstance(value, int):
            return "?"
        match type:
            case Bool():
                return "true" if value else "false"
            case Enum():
                return self.enumerators(type).get(value, str(value))
            case Pointer():
                return self._pointer(value, type)
            case Float():
                return float_text(value, type.format)
            case _:
                return str(value)

    def _record(self, contents: tuple[Any, ...], type: Type) -> str:
        if is_row(type):
            assert isinstance(type, Record)
            return self._showing.row(contents[0], contents[1], type)
        shape = value_cells(type, self._machine.memory.records)
        parts = [f"{c.path}={self.value(v, c.type)}" for c, v in zip(shape, contents, strict=True) if not c.padding]
        return "{" + ", ".join(parts) + "}"

    def address(self, address: int) -> str:
        """What an address is called: `&x`, `&a[2]`, a function's name."""
        if address == 0:
            return NULL
        function = self._machine.known.name_at(address)
        if function is not None:
            return function
        if is_stray(address):
            start, distance = taken_apart(address)
            return f"{self.address(start)}{distance:+}"
        found = self._machine.memory.object_at(address)
        if found is None:
            return f"address {address}"
        return f"&{_shown_name(found.name)}" if address == found.address else self.part(address, 0)

    def part(self, address: int, position: int) -> str:
        """The name of what begins `position` bits after an address."""
        found = self._machine.memory.object_at(address + position // 8)
        if found is None:
            return self.address(address)
        wanted = 8 * (address - found.address) + position
        cell = next((c for c in found.shape if c.position == wanted), None)
        name = _shown_name(found.name)
        return f"&{name}{cell.path}" if cell is not None else f"&{name}+{wanted // 8}"

    def _pointer(self, address: int, type: Pointer) -> str:
        target = type.target
        if address == 0 or isinstance(target, FunctionType):
            return self.address(address)
        if isinstance(target, Int) and target.bits == 8:
            text = self._string(address)
            if text is not None:
                return text
        if is_known(target):
            return self.object(address, target)
        name = self.address(address)
        if isinstance(target, Bool | Int | Enum):
            content = self._content(address, target)
            if content is not None:
                return f"{name}={self.value(content, target)}"
        return name

    def object(self, address: int, type: Type) -> str:
        """What an object in memory is, as a value."""
        return self._showing.object(address, type)

    def _content(self, address: int, type: Scalar) -> Any:
        """What a pointer to `type` finds at an address, whatever lies there; None if that has no value."""
        return self._loaded(address, 0, type)

    def _loaded(self, address: int, bit: int, type: Scalar) -> Any:
        try:
            return self._machine.memory.loader(type, bit, NOWHERE)(self._machine.cells, address)
        except (Fault, Unknown):
            return None

    def _string(self, address: int) -> str | None:
        """The text that a pointer to characters leads to, quoted; None if it is no text."""
        found = self._machine.memory.object_at(address)
        if found is None:
            return None
        characters: list[int] = []
        for at in range(address, min(found.address + found.size, address + LONGEST_STRING)):
            byte = self._content(at, _BYTE)
            if not isinstance(byte, int):
                return None  # there is none, or it is not known
            if byte == 0:
                return _quoted(characters)
            characters.append(byte)
        return None

    def row(self, row: Sequence[Any], contents: Contents) -> str:
        """Values side by side: quoted if they are a text, `{1, 2}` if not."""
        if contents.text and 0 in row:
            characters = list(row[: list(row).index(0)])
            if all(isinstance(c, int) for c in characters):
                return _quoted([c & 255 for c in characters])
        return "{" + ", ".join(self.value(v, contents.element) for v in row) + "}"

    # ---- actions

    def call(self, function: str, arguments: Iterable[tuple[Any, Type]]) -> str:
        return str(Action(Verb.CALL, function, tuple(self.value(v, t) for v, t in arguments)))

    def returned(self, function: str, result: Iterable[str], changed: Iterable[str] = ()) -> str:
        return str(Action(Verb.RETURN, function, (*result, *changed)))

    def load(self, name: str, value: str) -> str:
        return str(Action(Verb.LOAD, name, (value,)))

    def store(self, name: str, value: str) -> str:
        return str(Action(Verb.STORE, name, (value,)))


def _shown_name(name: str) -> str:
    """A variable of a function that nobody wrote goes by its own name."""
    return name.rpartition("::")[2] if is_made_up(name) else name


def _quoted(characters: Iterable[int]) -> str:
    texts = (_ESCAPES.get(c) or (chr(c) if 32 <= c < 127 else f"\\x{c:02x}") for c in characters)
    return f'"{"".join(texts)}"'
