"""The address space: every scalar is a cell, every cell has a byte address, and tables lead from one to the other.

A cell holds an integer in the range of its type, or one of
- None: never written,
- DEAD: its variable's life is over (or has not begun),
- a tuple of bytes (integers or None): written in part.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import Bool, Cell, Program, Scalar, Type, cells_of, representation, size_of
from stateglass.source import NOWHERE, Code, Span, input_error
from stateglass.values import Fault, FaultKind


@final
class _Dead:
    """The only instance stands in the cells of variables that do not exist at the moment."""

    def __repr__(self) -> str:
        return "DEAD"


DEAD: Final = _Dead()
Content = int | None | _Dead | tuple[int | None, ...]
Cells = list[Content]

FIRST_ADDRESS: Final = 4096  # nothing lies below it: such pointers are null plus an offset, or functions
FUNCTION_SPACING: Final = 16
GAP: Final = 16  # between objects, so that one past the end of one is not the start of another
ALIGNMENT: Final = 16
MOST_BYTES: Final = 64 << 20
"""The largest address space, all variables and frames together."""


@final
@dataclass(frozen=True, slots=True)
class Object:
    """A variable in the address space."""

    name: str
    type: Type
    address: int
    size: int
    first: int  # number of its first cell
    shape: tuple[Cell, ...]
    readonly: bool = False


def code_of(type: Scalar) -> int:
    """Equal for types whose values look the same in a cell."""
    if isinstance(type, Bool):
        return 1
    plain = representation(type)
    return plain.bits << 1 | plain.signed


@final
class Memory:
    """Where everything lies. It grows as functions are entered for the first time; nothing ever moves."""

    def __init__(self, program: Program, reserved: int = 0) -> None:
        """Addresses below `reserved` are for functions."""
        self._start = max(FIRST_ADDRESS, reserved + -reserved % ALIGNMENT)
        self._limit = min(MOST_BYTES, 1 << (8 * program.target.pointer_size))
        self.records = program.records
        self.big_endian = program.target.big_endian
        self.objects: list[Object] = []
        self.cell_at: list[int] = [-1] * self._start
        self.load_code: list[int] = []
        self.store_code: list[int] = []  # -1 where a store needs a closer look
        self._starts: list[int] = []
        self._cell_address: list[int] = []
        self._cell_size: list[int] = []

    @property
    def cells(self) -> int:
        return len(self.load_code)

    def add(self, name: str, type: Type, *, readonly: bool = False, careful: bool = False) -> Object:
        """Give a variable its place. `careful`: it may be dead, so stores through pointers are checked."""
        size = size_of(type, self.records)
        address = len(self.cell_at)
        if address + size + GAP > self._limit:
            limit = f"the limit is {self._limit >> 10:,} KiB"
            raise input_error(Code.TOO_LARGE, f"the variables need more memory than is modelled; {limit} (at `{name}`)")
        shape = tuple(cells_of(type, self.records))
        first = self.cells
        table = [-1] * (size + GAP)
        for number, cell in enumerate(shape, first):
            table[cell.offset] = number
            code = code_of(cell.type)
            self.load_code.append(code)
            self.store_code.append(-1 if readonly or careful else code)
            self._cell_address.append(address + cell.offset)
            self._cell_size.append(cell.size)
        table += [-1] * (-(address + len(table)) % ALIGNMENT)
        self.cell_at += table
        placed = Object(name, type, address, size, first, shape, readonly)
        self.objects.append(placed)
        self._starts.append(address)
        return placed

    def shape(self, type: Type) -> list[Cell]:
        return cells_of(type, self.records)

    def initialise(self, cells: Cells, address: int, value: int, type: Scalar) -> None:
        """Set a scalar of a variable before the program starts, constants included."""
        number = self.cell_at[address]
        if number >= 0 and self.load_code[number] == code_of(type):
            cells[number] = value
        else:
            self.write_bytes(cells, address, self._bytes_of(value, type), NOWHERE)

    def object_at(self, address: int) -> Object | None:
        """The object that an address belongs to, one past its end included."""
        position = bisect_right(self._starts, address) - 1
        if position < 0:
            return None
        found = self.objects[position]
        return found if address <= found.address + found.size else None

    def is_null(self, address: int) -> bool:
        return address < self._start

    # ---- access by address: the quick way for whole cells, the exact way for everything else

    def loader(self, type: Scalar, span: Span) -> Callable[[Cells, int], int]:
        """Reads a value of `type` at an address."""
        code, cell_at, load_code = code_of(type), self.cell_at, self.load_code

        def load(cells: Cells, address: int) -> int:
            if address < len(cell_at):
                number = cell_at[address]
                if number >= 0 and load_code[number] == code:
                    value = cells[number]
                    if value.__class__ is int:
                        return value
            return self._load_bytes(cells, address, type, span)

        return load

    def storer(self, type: Scalar, span: Span) -> Callable[[Cells, int, int], None]:
        """Writes a value of `type` at an address."""
        code, cell_at, store_code = code_of(type), self.cell_at, self.store_code

        def store(cells: Cells, address: int, value: int) -> None:
            if address < len(cell_at):
                number = cell_at[address]
                if number >= 0 and store_code[number] == code:
                    cells[number] = value
                    return
            self._store_bytes(cells, address, value, type, span)

        return store

    def check_access(self, address: int, size: int, span: Span) -> Object:
        """The object that `size` bytes at an address lie in; a fault if there is none."""
        if address < self._start:
            raise Fault(FaultKind.NULL, span)
        found = self.object_at(address)
        if found is None or address + size > found.address + found.size:
            raise Fault(FaultKind.BOUNDS, span)
        return found

    def _load_bytes(self, cells: Cells, address: int, type: Scalar, span: Span) -> int:
        plain = representation(type)
        size = plain.bits // 8
        self.check_access(address, size, span)
        content = self.read_bytes(cells, address, size, span)
        value = 0
        for byte in content if self.big_endian else reversed(content):
            if byte is None:
                raise Fault(FaultKind.UNINITIALISED, span)
            value = value << 8 | byte
        if isinstance(type, Bool):
            return 1 if value else 0
        if plain.signed and value >> (plain.bits - 1):
            value -= 1 << plain.bits
        return value

    def read_bytes(self, cells: Cells, address: int, size: int, span: Span) -> list[int | None]:
        """The bytes at an address in memory order; None where nothing was written or nothing lies."""
        result: list[int | None] = []
        while len(result) < size:
            number = self._cell_covering(address)
            if number < 0:
                result.append(None)  # padding
                address += 1
                continue
            content = cells[number]
            if content is DEAD:
                raise Fault(FaultKind.DANGLING, span)
            start = address - self._cell_address[number]
            part = self._split(content, self._cell_size[number])[start : start + size - len(result)]
            result += part
            address += len(part)
        return result

    def _store_bytes(self, cells: Cells, address: int, value: int, type: Scalar, span: Span) -> None:
        size = representation(type).bits // 8
        found = self.check_access(address, size, span)
        if found.readonly:
            raise Fault(FaultKind.READONLY, span)
        self.write_bytes(cells, address, self._bytes_of(value, type), span)

    def _bytes_of(self, value: int, type: Scalar) -> list[int | None]:
        return self._split(value, representation(type).bits // 8)

    def write_bytes(self, cells: Cells, address: int, raw: list[int | None], span: Span) -> None:
        """Store bytes in memory order; bytes that fall on padding are lost, as they may be in C."""
        position = 0
        while position < len(raw):
            number = self._cell_covering(address + position)
            if number < 0:
                position += 1
                continue
            content = cells[number]
            if content is DEAD:
                raise Fault(FaultKind.DANGLING, span)
            width = self._cell_size[number]
            start = address + position - self._cell_address[number]
            part = raw[position : position + width - start]
            parts = self._split(content, width)
            parts[start : start + len(part)] = part
            cells[number] = self._join(parts, self.load_code[number])
            position += len(part)

    def read_cell(self, cells: Cells, address: int, cell: Cell, span: Span) -> Content:
        """The content of a cell of a record that lies at an address; uninitialised parts may be copied."""
        number = self.cell_at[address]
        if number >= 0 and self.load_code[number] == code_of(cell.type):
            content = cells[number]
            if content is DEAD:
                raise Fault(FaultKind.DANGLING, span)
            return content
        return self._join(self.read_bytes(cells, address, cell.size, span), code_of(cell.type))

    def write_cell(self, cells: Cells, address: int, cell: Cell, content: Content, span: Span) -> None:
        number = self.cell_at[address]
        if number >= 0 and self.load_code[number] == code_of(cell.type):
            if cells[number] is DEAD:
                raise Fault(FaultKind.DANGLING, span)
            cells[number] = content
        else:
            self.write_bytes(cells, address, self._split(content, cell.size), span)

    def _cell_covering(self, address: int) -> int:
        """The cell that the byte at an address is part of, -1 for padding."""
        for start in range(address, max(address - 16, 0), -1):
            number = self.cell_at[start]
            if number >= 0:
                return number if address < start + self._cell_size[number] else -1
        return -1

    def _split(self, content: Content, width: int) -> list[int | None]:
        if content is None:
            return [None] * width
        if isinstance(content, tuple):
            return list(content)
        assert isinstance(content, int)
        raw: list[int | None] = [(content >> (8 * i)) & 255 for i in range(width)]
        if self.big_endian:
            raw.reverse()
        return raw

    def _join(self, parts: list[int | None], code: int) -> Content:
        """Bytes as the content of a cell: an integer once all of them are there."""
        if all(p is None for p in parts):
            return None
        value = 0
        for byte in parts if self.big_endian else reversed(parts):
            if byte is None:
                return tuple(parts)
            value = value << 8 | byte
        bits = 8 * len(parts)
        if code == 1:
            # A byte that is no truth value stays what it is until it is read as one.
            return value if value < 2 else tuple(parts)
        if code & 1 and value >> (bits - 1):
            value -= 1 << bits
        return value
