"""The address space: every scalar is a cell, every cell has a byte address, and tables lead from one to the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, final

from stateglass.explore.cells.blurred import Blurred
from stateglass.explore.cells.byte_runs import byte_runs
from stateglass.explore.cells.contents import Cells, Content, Unknown, code_of, refuse_absent
from stateglass.explore.cells.exact_access import Access, ExactAccess
from stateglass.explore.cells.strays import is_stray, may_stray, taken_apart
from stateglass.program import (
    Array,
    Cell,
    Int,
    Pointer,
    Program,
    Scalar,
    Type,
    cells_of,
    representation,
    size_of,
)
from stateglass.program.layout import MOST_CELLS, alignment_of, count_cells
from stateglass.source import NOWHERE, Code, Span, input_error
from stateglass.values import Fault, FaultKind

if TYPE_CHECKING:
    from stateglass.explore.cells.keeping import Keeping
    from stateglass.explore.doubts import Doubts


VOLATILE: Final = 1 << 30
"""Marks the codes of cells that volatile variables have: reading one gives an input, which is seen to elsewhere."""
FIRST_ADDRESS: Final = 4096  # nothing lies below it: such pointers are null plus an offset, or functions
FUNCTION_SPACING: Final = 16
GAP: Final = 16  # between objects, so that one past the end of one is not the start of another
ALIGNMENT: Final = 16
NEAR: Final = 256  # so far behind a fixed address, what is used is part of what lies there
MOST_BYTES: Final = 64 << 20
"""The largest address space, all variables and frames together."""


@final
class BoundReached(Exception):
    """A bound on memory was reached: what follows is not known."""


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
    positions: tuple[int, ...]  # where its cells begin, in bits
    readonly: bool = False


@final
class Memory:
    """Where everything lies. It grows as functions are entered for the first time; nothing ever moves."""

    def __init__(
        self,
        program: Program,
        reserved: int,
        keeping: Keeping | None,
        doubts: Doubts,
        tolerated: Collection[FaultKind] = (),
    ) -> None:
        """Addresses below `reserved` are for functions; without `keeping` every cell keeps what it is given.

        What is `tolerated`, alignment and overlap, is not looked for.
        """
        self.minds_alignment = FaultKind.ALIGNMENT not in tolerated
        self.minds_overlap = FaultKind.OVERLAP not in tolerated
        self.keeping = keeping
        self.doubts = doubts
        self._exact = ExactAccess(self)
        self._blurred = None if keeping is None else Blurred(self, keeping, doubts)
        self._access: Access = self._blurred or self._exact
        self._start = max(FIRST_ADDRESS, reserved + -reserved % ALIGNMENT)
        self._limit = min(MOST_BYTES, 1 << (8 * program.target.pointer_size))
        self.records = program.records
        self.big_endian = program.target.big_endian
        self.pointer_size = program.target.pointer_size
        self.objects: list[Object] = []
        self.cell_at: list[int] = [-1] * self._start
        self.load_code: list[int] = []
        self.store_code: list[int] = []  # -1 where a store needs a closer look
        self.bit_cell_at: dict[int, int] = {}  # bit-fields, by address in bits
        self._program = program
        self.has_heap = False
        # Whether a run made use of which addresses objects on the heap have; abstract values may hide them.
        self.addresses_matter = keeping is not None
        self.strayed: set[int] = set()  # addresses of objects that there was a stray pointer of
        self.volatile: set[int] = set()  # addresses of the variables that have volatile parts
        self.pointers: set[int] = set()  # cells that hold pointers
        self.byte_runs: list[range] = []  # cells of a byte each, side by side, enough of them for a pointer
        self._fixed: set[int] = set()  # numbers that the program uses as addresses
        self._starts: list[int] = []

    @property
    def blurred(self) -> Blurred:
        """The way to read and write abstract values."""
        assert self._blurred is not None
        return self._blurred

    @property
    def cells(self) -> int:
        return len(self.load_code)

    def add(
        self,
        name: str,
        type: Type,
        *,
        readonly: bool = False,
        volatile: bool | None = None,
        careful: bool = False,
        declared: str = "",
        exposed: bool = True,
    ) -> Object:
        """Give a variable its place. `careful`: it may be dead, so stores through pointers are checked.

        `volatile`: what is read of it is an input; None: not even if members are volatile, as for local variables.
        `declared` is its name in the program if that is another one, `exposed` says that its address is taken.
        """
        size = size_of(type, self.records)
        self._check_room(name, size)
        count = count_cells(type, self.records)
        if count > MOST_CELLS:
            raise input_error(Code.TOO_LARGE, f"`{name}` has {count:,} elements; the most is {MOST_CELLS:,}")
        shape = tuple(cells_of(type, self.records))
        if self.keeping is not None:
            free = readonly or "%" in declared
            self.keeping.add(declared or name, shape, free=free, exposed=exposed and not readonly)
        placed = self._add(name, type, size, shape, readonly, careful)
        if volatile is not None and (volatile or any(c.volatile for c in shape)):
            self.volatile.add(placed.address)
            for number, cell in enumerate(shape, placed.first):
                self.load_code[number] |= VOLATILE if volatile or cell.volatile else 0
        return placed

    def add_slots(self, name: str, types: tuple[Type, ...], slot: int) -> Object:
        """A place for values of several types, each at the next multiple of `slot` bytes."""
        cells: list[Cell] = []
        size = 0
        for number, type in enumerate(types):
            cells += cells_of(type, self.records, 8 * size, f"[{number}]")
            size += -(-size_of(type, self.records) // slot) * slot
        if self.keeping is not None:
            self.keeping.add(name, tuple(cells), free=True, exposed=False)
        return self._add(name, Array(Int(8, signed=False), size), size, tuple(cells), readonly=False, careful=True)

    def _add(self, name: str, type: Type, size: int, shape: tuple[Cell, ...], readonly: bool, careful: bool) -> Object:
        self._check_room(name, size)
        self.cell_at += [-1] * (-len(self.cell_at) % alignment_of(type, self.records))
        address = len(self.cell_at)
        first = self.cells
        table = [-1] * (size + GAP)
        for number, cell in enumerate(shape, first):
            if cell.whole_bytes:
                table[cell.offset] = number
            else:
                self.bit_cell_at[8 * address + cell.position] = number
            if isinstance(cell.type, Pointer):
                self.pointers.add(number)
            code = code_of(cell.type)
            self.load_code.append(code)
            self.store_code.append(-1 if readonly or careful or self.keeping is not None else code)
        if not readonly:
            self.byte_runs += byte_runs(shape, first, self.pointer_size)
        table += [-1] * (-(address + len(table)) % ALIGNMENT)
        self.cell_at += table
        positions = tuple(c.position for c in shape)
        placed = Object(name, type, address, size, first, shape, positions, readonly)
        self.objects.append(placed)
        self._starts.append(address)
        return placed

    def _check_room(self, name: str, size: int) -> None:
        if len(self.cell_at) + size + GAP > self._limit:
            limit = f"the limit is {self._limit >> 10:,} KiB"
            raise input_error(Code.TOO_LARGE, f"the variables need more memory than is modelled; {limit} (at `{name}`)")

    def shape(self, type: Type) -> list[Cell]:
        return cells_of(type, self.records)

    def initialise(self, cells: Cells, position: int, value: int, type: Scalar) -> None:
        """Set a scalar of a variable before the program starts, constants included; `position` counts bits."""
        self._exact.store(cells, position, value, type, NOWHERE)

    def is_volatile(self, number: int) -> bool:
        """Whether reading a cell gives an input."""
        return bool(self.load_code[number] & VOLATILE)

    def cell_number(self, position: int) -> int:
        """The cell that begins at an address in bits, -1 if none does."""
        if position % 8 == 0 and self.cell_at[position // 8] >= 0:
            return self.cell_at[position // 8]
        return self.bit_cell_at.get(position, -1)

    def is_one_cell(self, position: int, type: Scalar) -> bool:
        """Whether a scalar that begins at an address in bits is just what a cell holds."""
        number = self.cell_number(position)
        return number >= 0 and self.load_code[number] == code_of(type)

    def object_at(self, address: int) -> Object | None:
        """The object that an address belongs to, one past its end included."""
        position = bisect_right(self._starts, address) - 1
        if position < 0:
            return None
        found = self.objects[position]
        return found if address <= found.address + found.size else None

    def together(self, first: int, second: int) -> bool:
        """Whether two addresses may belong to one object: none begins between them, or before both."""
        position = bisect_right(self._starts, first)
        return position > 0 and position == bisect_right(self._starts, second)

    def note_fixed(self, address: int) -> bool:
        """Hear of a number that is used as an address; False if it cannot be told from the address of a variable."""
        if self._start <= address < self._limit:
            return False
        self._fixed.add(address)
        return True

    def nowhere(self, address: int, span: Span) -> Exception:
        """What is wrong with using an address at which no variable lies, or with leaving the one that does."""
        if is_stray(address):
            return Fault(FaultKind.BOUNDS, span)
        if address >= len(self.cell_at) or any(f <= address < f + NEAR for f in self._fixed):
            return Unknown(f"memory at the fixed address {address:#x} is used")
        return Fault(FaultKind.NULL if address < self._start else FaultKind.BOUNDS, span)

    @cached_property
    def _may_stray(self) -> bool:
        # Whether one was seen does not count: a state may be reached by several ways, and only the first is run.
        return may_stray(self._program)

    def note_astray(self, span: Span, *others: int) -> None:
        """A pointer that may lead anywhere, and perhaps others, are used as only those inside an object can be."""
        if self._may_stray or any(map(is_stray, others)):
            self.doubts.note(FaultKind.BOUNDS, span)

    def settled(self, pointer: int) -> int:
        """A pointer, as the address that it is if it was a stray one and leads into its object again."""
        if not is_stray(pointer):
            return pointer
        address, distance = taken_apart(pointer)
        found = self.object_at(address)
        return address + distance if found is not None and 0 <= distance <= found.size else pointer

    def misaligned(self, address: int, span: Span) -> Exception:
        """What is wrong with using an address that is not a multiple of what it must be."""
        return self.nowhere(address, span) if self.object_at(address) is None else Fault(FaultKind.ALIGNMENT, span)

    # ---- access by address: the quick way for whole cells, the exact way for everything else

    def loader(self, type: Scalar, bit: int, span: Span) -> Callable[[Cells, int], Any]:
        """Reads a value of `type` that begins at bit `bit` of an address."""
        code, cell_at, load_code = code_of(type), self.cell_at, self.load_code
        if bit or representation(type).bits % 8:
            return lambda cells, address: self._load_slowly(cells, 8 * self.settled(address) + bit, type, span)

        def load(cells: Cells, address: int) -> Any:
            try:
                number = cell_at[address]
            except IndexError:
                return self._load_slowly(cells, 8 * self.settled(address), type, span)
            if number >= 0 and load_code[number] == code:
                value = cells[number]
                if value.__class__ is int:
                    return value
            return self._load_slowly(cells, 8 * address, type, span)

        return load

    def storer(self, type: Scalar, bit: int, span: Span) -> Callable[[Cells, int, Any], None]:
        """Writes a value of `type` from bit `bit` of an address on."""
        code, cell_at, store_code = code_of(type), self.cell_at, self.store_code
        if bit or representation(type).bits % 8:
            return lambda cells, address, value: self._store_slowly(
                cells, 8 * self.settled(address) + bit, value, type, span
            )

        def store(cells: Cells, address: int, value: Any) -> None:
            try:
                number = cell_at[address]
            except IndexError:
                self._store_slowly(cells, 8 * self.settled(address), value, type, span)
                return
            if number >= 0 and store_code[number] == code:
                cells[number] = value
            else:
                self._store_slowly(cells, 8 * address, value, type, span)

        return store

    def perhaps_storer(self, type: Scalar, bit: int, span: Span) -> Callable[[Cells, int, Any], None]:
        """Writes a value on abstract values that is perhaps written, perhaps not."""
        blurred, width = self.blurred, representation(type).bits

        def perhaps(cells: Cells, address: int, value: Any) -> None:
            position = 8 * self.settled(address) + bit
            self._check_writable(position, width, span)
            blurred.store(cells, position, value, type, span, perhaps=True)

        return perhaps

    def check_access(self, address: int, size: int, span: Span) -> Object:
        """The object that `size` bytes at an address lie in; a fault if there is none."""
        found = self.object_at(address)
        if found is None:
            raise self.nowhere(address, span)
        if address + size > found.address + found.size:
            raise Fault(FaultKind.BOUNDS, span)
        return found

    def _load_slowly(self, cells: Cells, position: int, type: Scalar, span: Span) -> Any:
        self._check_bits(position, representation(type).bits, span)
        return self._access.load(cells, position, type, span)

    def _store_slowly(self, cells: Cells, position: int, value: Any, type: Scalar, span: Span) -> None:
        self._check_writable(position, representation(type).bits, span)
        self._access.store(cells, position, value, type, span)

    def _check_bits(self, position: int, width: int, span: Span) -> Object:
        first = position // 8
        return self.check_access(first, (position + width + 7) // 8 - first, span)

    def _check_writable(self, position: int, width: int, span: Span) -> None:
        if self._check_bits(position, width, span).readonly:
            raise Fault(FaultKind.READONLY, span)

    # ---- bits: counted in the order of addresses, lowest first where the target is little-endian, else highest first

    def pieces(self, position: int, width: int) -> Iterator[tuple[int, Cell, int, int, int]]:
        """The parts of cells that lie in a stretch of bits.

        Each is the cell's number and shape, the bit of the cell and of the stretch where it begins, and its length.
        """
        found = self.object_at(position // 8)
        assert found is not None
        begin = position - 8 * found.address
        index = max(bisect_right(found.positions, begin) - 1, 0)
        while index < len(found.shape) and found.positions[index] < begin + width:
            cell = found.shape[index]
            start, end = max(cell.position, begin), min(cell.position + cell.width, begin + width)
            if start < end:
                yield found.first + index, cell, start - cell.position, start - begin, end - start
            index += 1

    def check_apart(self, first: int, first_count: int, second: int, second_count: int, span: Span) -> None:
        """Two stretches of bytes must not overlap; if they are not there at all, that is what is wrong."""
        if first_count and second_count and first < second + second_count and second < first + first_count:
            self.check_access(first, first_count, span)
            self.check_access(second, second_count, span)
            raise Fault(FaultKind.OVERLAP, span)

    def copy_bytes(self, cells: Cells, target: int, source: int, count: int, span: Span) -> None:
        """Copy bytes as they are, uninitialised ones included; the stretches may overlap."""
        if count == 0:
            return
        self.check_access(source, count, span)
        if self.check_access(target, count, span).readonly:
            raise Fault(FaultKind.READONLY, span)
        self._access.copy(cells, target, source, count, span)

    def read_cell(self, cells: Cells, address: int, cell: Cell, span: Span) -> Content:
        """The content of a cell of a record that lies at an address; uninitialised parts may be copied."""
        position = 8 * address + cell.position
        number = self.cell_number(position)
        if number < 0 or self.load_code[number] != code_of(cell.type):
            return self._access.read_cell(cells, position, cell, span)
        content = cells[number]
        refuse_absent(content, span)
        return content

    def write_cell(self, cells: Cells, address: int, cell: Cell, content: Content, span: Span) -> None:
        position = 8 * address + cell.position
        number = self.cell_number(position)
        if number < 0 or self.load_code[number] != code_of(cell.type):
            self._access.write_cell(cells, position, cell, content, span)
        else:
            refuse_absent(cells[number], span)
            cells[number] = self._access.keep(number, content)
