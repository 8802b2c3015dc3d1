"""Computations as functions of the cells, which exact and abstract values share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, final

from stateglass.explore.cells.contents import NOTHING_COPIED, Cells, Content, Unknown, value_of
from stateglass.program import Cell, Place, Pointer, Scalar
from stateglass.source import Span
from stateglass.values import Fault, FaultKind

if TYPE_CHECKING:
    from stateglass.explore.cells.memory import Memory
    from stateglass.explore.doubts import Doubts

Evaluate = Callable[[Cells], Any]
Step = Callable[[Cells], None]
Store = Callable[[Cells, Any], None]
LoadAll = Callable[[Cells], list[Content]]
StoreAll = Callable[[Cells, list[Content]], None]


class CellPlaces(Protocol):
    """Builds the functions that read, write and find places, for one activation."""

    def load(self, place: Place, type: Scalar, span: Span) -> Evaluate: ...

    def load_copied(self, place: Place, type: Scalar, span: Span) -> Evaluate: ...

    def store(self, place: Place, type: Scalar, span: Span) -> Store: ...

    def assign(self, place: Place, type: Scalar, value: Evaluate, span: Span) -> Step:
        """A store of what is computed first."""

    def address(self, place: Place, type: Pointer, span: Span) -> Evaluate: ...

    def load_all(self, place: Place, span: Span) -> LoadAll: ...

    def store_all(self, place: Place, span: Span) -> StoreAll: ...


@final
class Composing:
    """Puts functions of the cells together."""

    def constant(self, value: Any) -> Evaluate:
        return lambda cells: value

    def one(self, apply: Callable[[Any], Any], a: Evaluate, span: Span) -> Evaluate:
        return lambda cells: apply(a(cells))

    def two(self, apply: Callable[[Any, Any], Any], a: Evaluate, b: Evaluate, span: Span) -> Evaluate:
        return lambda cells: apply(a(cells), b(cells))

    def with_constant(self, apply: Callable[[Any, Any], Any], a: Evaluate, b: Any, span: Span) -> Evaluate:
        return lambda cells: apply(a(cells), b)


def load_cell(number: int, type: Scalar, span: Span, doubts: Doubts) -> Evaluate:
    """Reads a variable."""

    def load(cells: Cells) -> Any:
        value = cells[number]
        return value if value.__class__ is int else value_of(value, type, span, doubts)

    return load


def as_copied(load: Evaluate) -> Evaluate:
    """Reads a part of what is copied: if it was never written, that is no error, but the end of what is known."""

    def copied(cells: Cells) -> Any:
        try:
            return load(cells)
        except Fault as fault:
            if fault.kind is FaultKind.UNINITIALISED:
                raise Unknown(NOTHING_COPIED) from None
            raise

    return copied


def load_cells(memory: Memory, address: Evaluate, shape: tuple[Cell, ...], size: int, span: Span) -> LoadAll:
    """Reads what lies at an address as a record with such cells."""

    def load(cells: Cells) -> list[Content]:
        start = memory.settled(address(cells))
        memory.check_access(start, size, span)
        return [memory.read_cell(cells, start, c, span) for c in shape]

    return load
