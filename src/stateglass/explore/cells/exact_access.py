"""Memory on exact values: bits wherever a program looks at it in other pieces than whole cells."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Protocol, final

from stateglass.explore.cells.contents import (
    FOREIGN,
    LENT,
    VOLATILE_READ,
    Cells,
    Content,
    Unknown,
    as_bits,
    code_of,
    from_bits,
)
from stateglass.program import Bool, Cell, Pointer, Scalar, representation
from stateglass.program.bits import ones, signed
from stateglass.source import Span
from stateglass.values import Fault, FaultKind

if TYPE_CHECKING:
    from stateglass.explore.cells.memory import Memory


class Access(Protocol):
    """Reads and writes the cells of a memory at positions in bits, in objects that were found to be there."""

    def load(self, cells: Cells, position: int, type: Scalar, span: Span) -> Any: ...

    def store(self, cells: Cells, position: int, value: Any, type: Scalar, span: Span) -> None: ...

    def read_cell(self, cells: Cells, position: int, cell: Cell, span: Span) -> Content:
        """What lies where a record has a cell, and no cell of its own is."""

    def write_cell(self, cells: Cells, position: int, cell: Cell, content: Content, span: Span) -> None: ...

    def copy(self, cells: Cells, target: int, source: int, count: int, span: Span) -> None:
        """Copy bytes as they are, uninitialised ones included; the stretches may overlap."""

    def keep(self, number: int, content: Content) -> Content:
        """What a cell holds that is given something."""


@final
class ExactAccess:
    """Reads and writes the cells of a memory when they hold what they are given."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def keep(self, number: int, content: Content) -> Content:
        return content

    def load(self, cells: Cells, position: int, type: Scalar, span: Span) -> int:
        plain = representation(type)
        if not isinstance(type, Pointer):
            self._note_use_of_addresses(position, plain.bits)
        value, known = self._read(cells, position, plain.bits, span)
        if known != ones(plain.bits):
            raise Fault(FaultKind.UNINITIALISED, span)
        if isinstance(type, Bool) and value > 1:
            raise Fault(FaultKind.BOOL, span)
        return signed(value, plain.bits) if plain.signed else value

    def store(self, cells: Cells, position: int, value: int, type: Scalar, span: Span) -> None:
        width = representation(type).bits
        self._write(cells, position, width, value & ones(width), ones(width), span)

    def read_cell(self, cells: Cells, position: int, cell: Cell, span: Span) -> Content:
        value, known = self._read(cells, position, cell.width, span)
        return from_bits(value, known, cell.width, code_of(cell.type))

    def write_cell(self, cells: Cells, position: int, cell: Cell, content: Content, span: Span) -> None:
        value, known = as_bits(content, cell.width, span)
        self._write(cells, position, cell.width, value, known, span)

    def copy(self, cells: Cells, target: int, source: int, count: int, span: Span) -> None:
        if self._copy_cells(cells, target, source, count):
            return
        self._note_use_of_addresses(8 * source, 8 * count)
        value, known = self._read(cells, 8 * source, 8 * count, span)
        self._write(cells, 8 * target, 8 * count, value, known, span)

    def _note_use_of_addresses(self, position: int, width: int) -> None:
        """Pointers are read as something else: what comes of it may depend on where objects are."""
        memory = self._memory
        if memory.has_heap and not memory.addresses_matter:
            memory.addresses_matter = any(number in memory.pointers for number, *_ in memory.pieces(position, width))

    def _copy_cells(self, cells: Cells, target: int, source: int, count: int) -> bool:
        """Copy whole cells, if both sides are cut alike and all of them may be read and written."""
        to, start = self._whole_cells(target, count), self._whole_cells(source, count)
        if to is None or start is None or to[1:] != start[1:]:
            return False
        size = len(to[1])
        contents = cells[start[0] : start[0] + size]
        if not all(map(_may_be_copied, contents)) or not all(map(_may_be_copied, cells[to[0] : to[0] + size])):
            return False
        cells[to[0] : to[0] + size] = contents
        return True

    def _whole_cells(self, address: int, count: int) -> tuple[int, list[int], list[int]] | None:
        """The first of the cells that make up a stretch of bytes, their codes, and where they begin in it."""
        memory = self._memory
        found = memory.object_at(address)
        assert found is not None
        begin = 8 * (address - found.address)
        first, last = bisect_left(found.positions, begin), bisect_left(found.positions, begin + 8 * count)
        if first == last or found.address in memory.volatile:
            return None
        before, end = found.shape[first - 1] if first else None, found.shape[last - 1]
        if end.position + end.width > begin + 8 * count or (before and before.position + before.width > begin):
            return None
        codes = memory.load_code[found.first + first : found.first + last]
        return found.first + first, codes, [p - begin for p in found.positions[first:last]]

    def _read(self, cells: Cells, position: int, width: int, span: Span) -> tuple[int, int]:
        """The value of a stretch of bits, and which of them are known; padding is not."""
        memory, value, known = self._memory, 0, 0
        for number, cell, inside, outside, count in memory.pieces(position, width):
            if memory.is_volatile(number):
                raise Unknown(VOLATILE_READ)
            content, defined = as_bits(cells[number], cell.width, span)
            source = inside if not memory.big_endian else cell.width - inside - count
            target = outside if not memory.big_endian else width - outside - count
            value |= (content >> source & ones(count)) << target
            known |= (defined >> source & ones(count)) << target
        return value, known

    def _write(self, cells: Cells, position: int, width: int, value: int, known: int, span: Span) -> None:
        """Set a stretch of bits; those that fall on padding are lost, as they may be in C."""
        memory = self._memory
        for number, cell, inside, outside, count in memory.pieces(position, width):
            before = cells[number]
            # Whoever writes a whole cell does not ask what others have written there.
            is_replaced = count == cell.width and (before is FOREIGN or before is LENT)
            content, defined = (0, 0) if is_replaced else as_bits(before, cell.width, span)
            target = inside if not memory.big_endian else cell.width - inside - count
            source = outside if not memory.big_endian else width - outside - count
            hole = ~(ones(count) << target)
            content = content & hole | (value >> source & ones(count)) << target
            defined = defined & hole | (known >> source & ones(count)) << target
            cells[number] = from_bits(content, defined, cell.width, code_of(cell.type))


def _may_be_copied(content: Content) -> bool:
    """Whether a content is one of a variable that is there, be it written or not."""
    return content is None or isinstance(content, int | tuple)
