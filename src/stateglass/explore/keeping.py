"""What each variable keeps of the values that are assigned to it, when a program runs on abstract values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, assert_never, final

from stateglass.explore.vague import is_vague
from stateglass.program import Cell, Pointer, Scalar
from stateglass.system import maps
from stateglass.system.maps import ResolvedAbstractions
from stateglass.values.abstract import TOP, Abstraction, Exact, Free, MinMax, Mod, Part, Top, Truth, keep

_FREE: Final = Free()
_TOP: Final = Top()

AbstractionOf = Callable[[str, str], Abstraction | None]
"""From a variable (`x`, `f::x`) and the path of a cell in it to its abstraction, if it has one."""


@final
class Keeping:
    """The abstraction of every cell; it grows with the memory."""

    def __init__(self, abstraction_of: AbstractionOf) -> None:
        self._abstraction_of = abstraction_of
        self.abstractions: list[Abstraction] = []
        self._types: list[Scalar] = []
        self.exposed: list[range] = []  # cells that a pointer from anywhere may lead to

    def add(self, name: str, shape: tuple[Cell, ...], *, free: bool, exposed: bool) -> None:
        """Hear of a new variable; a `free` one keeps everything."""
        first = len(self._types)
        for cell in shape:
            self._types.append(cell.type)
            self.abstractions.append(_FREE if free else self._chosen(name, cell))
        if exposed:
            self.exposed.append(range(first, len(self._types)))

    def _chosen(self, name: str, cell: Cell) -> Abstraction:
        # Pointers keep their targets unless a map says otherwise: there are only so many addresses.
        usual = _FREE if isinstance(cell.type, Pointer) else _TOP
        return self._abstraction_of(name, cell.path) or usual

    def keep(self, number: int, content: Any) -> Any:
        """What a cell keeps of a content."""
        abstraction, type = self.abstractions[number], self._types[number]
        if isinstance(content, tuple):
            return TOP  # known in part
        if not isinstance(content, int) and not is_vague(content):
            return content  # not a value
        if isinstance(type, Pointer):
            known = isinstance(content, int | frozenset)
            return content if known and not isinstance(abstraction, Top) else TOP
        return TOP if isinstance(content, frozenset) else keep(abstraction, content, type)


def abstraction_of(map: ResolvedAbstractions) -> AbstractionOf:
    """The abstractions of a map, by the names under which the machine knows variables."""
    by_name = {(v.name if v.function is None else f"{v.function}::{v.name}"): cells for v, cells in map.cells.items()}

    def find(name: str, path: str) -> Abstraction | None:
        found = by_name.get(name, {}).get(path)
        return None if found is None else _translated(found)

    return find


def _translated(abstraction: maps.ScalarAbstraction) -> Abstraction:
    match abstraction:
        case maps.Top():
            return Top()
        case maps.MinMax():
            return MinMax()
        case maps.Mod(modulus):
            return Mod(modulus)
        case maps.Part(points):
            return Part(points)
        case maps.OneInt():
            return Exact()
        case maps.Truth():
            return Truth()
        case maps.Free():
            return Free()
        case _:
            assert_never(abstraction)
