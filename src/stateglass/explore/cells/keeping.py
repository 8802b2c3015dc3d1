"""What each variable keeps of the values that are assigned to it, when a program runs on abstract values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, final

from stateglass.explore.cells.contents import Unsure
from stateglass.explore.cells.vague import is_vague
from stateglass.program import Cell, Float, Pointer, Scalar
from stateglass.program.bits import ones
from stateglass.system.maps import ResolvedAbstractions
from stateglass.values.abstract import (
    TOP,
    Abstraction,
    Free,
    Mod,
    Part,
    Top,
    Truth,
    Value,
    atoms,
    keeper,
)

_FREE: Final = Free()
_TOP: Final = Top()

AbstractionOf = Callable[[str, str], Abstraction | None]
"""From a variable (`x`, `f::x`) and the path of a cell in it to its abstraction, if it has one."""


@final
class Keeping:
    """The abstraction of every cell; it grows with the memory."""

    def __init__(self, abstraction_of: AbstractionOf, results: Mapping[str, Abstraction] | None = None) -> None:
        """`results` are the abstractions of what functions return, where the map gives one."""
        self._abstraction_of = abstraction_of
        self._results = results or {}
        self.abstractions: list[Abstraction] = []
        self._types: list[Scalar] = []
        self._widths: list[int] = []
        self._keepers: list[Callable[[Value], Value]] = []
        self._known_keepers: dict[tuple[Abstraction, Scalar], Callable[[Value], Value]] = {}
        self.exposed: list[range] = []  # cells that a pointer from anywhere may lead to

    def add(self, name: str, shape: tuple[Cell, ...], *, free: bool, exposed: bool) -> None:
        """Takes note of a variable, whose cells get the next numbers; a `free` one keeps everything."""
        first = len(self._types)
        for cell in shape:
            self._types.append(cell.type)
            self._widths.append(cell.width)
            chosen = _FREE if free else self._chosen(name, cell)
            self.abstractions.append(chosen)
            self._keepers.append(self._keeper(chosen, cell.type))
        if exposed:
            self.exposed.append(range(first, len(self._types)))

    def _chosen(self, name: str, cell: Cell) -> Abstraction:
        # Pointers keep their targets unless a map says otherwise: there are only so many addresses.
        usual = _FREE if isinstance(cell.type, Pointer) else _TOP
        return self._abstraction_of(name, cell.path) or usual

    def keep(self, number: int, content: Any) -> Any:
        """What a cell keeps of a content."""
        if content.__class__ is int or content is TOP:
            return self._keepers[number](content)
        if isinstance(content, Unsure):
            return Unsure(self._keepers[number](content.value), content.surely)
        if isinstance(content, tuple) and content[1] != ones(self.width(number)) and not self._keeps_all(number):
            return Unsure(self._keepers[number](TOP), content[1])
        return self._keepers[number](content) if is_vague(content) else content  # else it is no value

    def width(self, number: int) -> int:
        """How many bits a cell has."""
        return self._widths[number]

    def _keeps_all(self, number: int) -> bool:
        return isinstance(self.abstractions[number], Free)

    def returned(self, function: str, value: Any, type: Scalar) -> Any:
        """What a caller gets of a value that a function returns."""
        abstraction = self._results.get(function)
        return value if abstraction is None else self._keeper(abstraction, type)(value)

    def has_result(self, function: str) -> bool:
        """Whether a map says what callers get of a function."""
        return function in self._results

    def alternatives(self, function: str, value: Any, type: Scalar) -> Sequence[Any]:
        """A value that a function outside returns, taken apart as far as the map tells its results apart."""
        abstraction = self._results.get(function)
        if isinstance(abstraction, Part | Mod | Truth) and not isinstance(type, Pointer | Float):
            return atoms(value, type, abstraction)
        return (self.returned(function, value, type),)

    def _keeper(self, abstraction: Abstraction, type: Scalar) -> Callable[[Value], Value]:
        found = self._known_keepers.get((abstraction, type))
        if found is None:
            made = _of_pointers(abstraction) if isinstance(type, Pointer) else _of_numbers(abstraction, type)
            found = self._known_keepers[abstraction, type] = made
        return found


def _of_pointers(abstraction: Abstraction) -> Callable[[Any], Any]:
    if isinstance(abstraction, Top):
        return lambda content: TOP
    return lambda content: content if isinstance(content, int | frozenset) else TOP


def _of_numbers(abstraction: Abstraction, type: Scalar) -> Callable[[Any], Any]:
    keep = keeper(abstraction, type)
    return lambda content: TOP if content.__class__ is frozenset else keep(content)


def abstraction_of(map: ResolvedAbstractions) -> AbstractionOf:
    """The abstractions of a map, by the names under which the machine knows variables."""
    by_name = {(v.name if v.function is None else f"{v.function}::{v.name}"): cells for v, cells in map.cells.items()}

    def find(name: str, path: str) -> Abstraction | None:
        return by_name.get(name, {}).get(path)

    return find


def results_of(map: ResolvedAbstractions) -> dict[str, Abstraction]:
    """The abstractions of what functions return."""
    return dict(map.results)
