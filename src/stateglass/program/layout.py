"""Memory layout: which scalar cells an object of a type consists of, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, assert_never, final

from stateglass.program.types import (
    Array,
    Bool,
    Enum,
    Float,
    FunctionType,
    Int,
    Opaque,
    Pointer,
    Record,
    RecordLayout,
    Scalar,
    Type,
    Void,
    innermost,
    representation,
)


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """One scalar of an object: `width` bits from bit `position` on, named by its path from the object (`.a[2]`).

    Bits are counted in the order of addresses, so that `position // 8` is a byte offset on every target.
    """

    position: int
    width: int
    type: Scalar
    path: str
    padding: bool = False  # bits between members: they can be copied and compared, but have no name
    volatile: bool = False  # a part of a volatile member

    @property
    def offset(self) -> int:
        return self.position // 8

    @property
    def size(self) -> int:
        """How many bytes it touches."""
        return (self.position + self.width + 7) // 8 - self.offset

    @property
    def whole_bytes(self) -> bool:
        """False for a bit-field that shares a byte with something else."""
        return self.position % 8 == 0 and self.width % 8 == 0


def size_of(type: Type, records: Mapping[str, RecordLayout]) -> int:
    """The size of a value in bytes; 0 for what has none."""
    match type:
        case Bool() | Int() | Float() | Enum() | Pointer():
            return representation(type).bits // 8
        case Array(element, count):
            return count * size_of(element, records)
        case Record(name):
            return records[name].size
        case Opaque(_, size):
            return size
        case Void() | FunctionType():
            return 0
        case _:
            assert_never(type)


def alignment_of(type: Type, records: Mapping[str, RecordLayout]) -> int:
    """What the address of a record, or of an array of records, must be a multiple of; 1 for all other types."""
    element = innermost(type)
    return records[element.name].alignment if isinstance(element, Record) else 1


MOST_CELLS: Final = 1 << 20
"""The most scalars that a variable may consist of."""


def count_cells(type: Type, records: Mapping[str, RecordLayout]) -> int:
    """How many cells an object of a type has, without making them."""
    if isinstance(type, Array):
        return type.count * count_cells(type.element, records)
    if isinstance(type, Record):
        # For a union this is too many: its members overlap. It is only held against a limit.
        return sum(count_cells(f.type, records) for f in records[type.name].fields)
    return 1


def is_modelled(type: Type, records: Mapping[str, RecordLayout]) -> bool:
    """Whether objects of a type have cells for all that they hold."""
    match type:
        case Bool() | Int() | Float() | Enum() | Pointer():
            return True
        case Array(element, count):
            return count > 0 and is_modelled(element, records)
        case Record(name):
            layout = records[name]
            known = layout.size > 0 and not layout.unsupported
            return known and all(is_modelled(field.type, records) for field in layout.fields)
        case Void() | FunctionType() | Opaque():
            return False
        case _:
            assert_never(type)


def cells_of(type: Type, records: Mapping[str, RecordLayout], position: int = 0, path: str = "") -> list[Cell]:
    """The cells of an object in the order of their addresses; unions are cut at their finest partition.

    Padding is a cell for each byte (or rest of one). What cannot be modelled has none.
    """
    match type:
        case Bool() | Int() | Float() | Enum() | Pointer():
            return [Cell(position, representation(type).bits, type, path)]
        case Array(element, count):
            step = 8 * size_of(element, records)
            return [c for i in range(count) for c in cells_of(element, records, position + i * step, f"{path}[{i}]")]
        case Record(name):
            layout = records[name]
            if layout.unsupported:
                return []
            cells = [
                replace(cell, volatile=True) if f.volatile else cell
                for f in layout.fields
                for cell in cells_of(
                    f.type, records, position + 8 * f.offset + f.bit, f"{path}.{f.name}" if f.name else path
                )
            ]
            cells = _finest(cells) if layout.union else _in_order(cells)
            return _with_padding(cells, position, 8 * layout.size)
        case Void() | FunctionType() | Opaque():
            return []
        case _:
            assert_never(type)


def value_cells(type: Type, records: Mapping[str, RecordLayout]) -> list[Cell]:
    """The cells that are copied with a value: where others may use the padding at its end, that is left alone."""
    cells = cells_of(type, records)
    if isinstance(type, Record) and records[type.name].overlaid:
        while cells and cells[-1].padding:
            cells.pop()
    return cells


def _in_order(cells: list[Cell]) -> list[Cell]:
    """The cells of a class may lie in the padding of its bases, and a base that is declared first need not be first."""
    if all(a.position + a.width <= b.position for a, b in pairwise(cells)):
        return cells
    used = sorted((c for c in cells if not c.padding), key=lambda c: c.position)
    free = [c for c in cells if c.padding and not any(_overlap(c, other) for other in used)]
    return sorted([*used, *free], key=lambda c: c.position)


def _overlap(one: Cell, other: Cell) -> bool:
    return one.position < other.position + other.width and other.position < one.position + one.width


def _with_padding(cells: list[Cell], start: int, width: int) -> list[Cell]:
    """The cells of a record, and one for each byte between and behind them."""
    result: list[Cell] = []
    position = start
    for cell in [*cells, Cell(start + width, 0, Int(8, False), "")]:
        while position < cell.position:
            end = min(cell.position, position - position % 8 + 8)
            result.append(Cell(position, end - position, Int(end - position, False), "", padding=True))
            position = end
        if cell.width:
            result.append(cell)
            position = cell.position + cell.width
    return result


def _finest(cells: list[Cell]) -> list[Cell]:
    """Overlapping cells cut so that each original one is a run of whole pieces.

    A piece that coincides with a scalar member keeps that member's type and name, the first one's if several do.
    """
    cuts = sorted({c.position for c in cells} | {c.position + c.width for c in cells})
    exact: dict[tuple[int, int], Cell] = {}
    for cell in sorted(cells, key=lambda c: c.padding):
        exact.setdefault((cell.position, cell.width), cell)
    pieces: list[Cell] = []
    for start, end in pairwise(cuts):
        around = [c for c in cells if c.position <= start and end <= c.position + c.width]
        if not around:
            continue  # padding between members
        covering = min(around, key=lambda c: c.padding)
        name = f"{covering.path}@{start - covering.position}"
        whole = exact.get((start, end - start))
        if whole is not None and not (whole.padding and not covering.padding):
            pieces.append(whole)
        else:
            pieces.append(Cell(start, end - start, Int(end - start, False), name, covering.padding, covering.volatile))
    return pieces
