"""Memory on abstract values: whole cells keep what they can, all else is bits that were written surely or perhaps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, final

from stateglass.explore.cells.contents import (
    BEYOND,
    DEAD,
    FOREIGN,
    LENT,
    VOLATILE_READ,
    Cells,
    Content,
    Unknown,
    Unsure,
    as_bits,
    code_of,
    from_bits,
    refuse_absent,
    value_of,
)
from stateglass.explore.cells.vague import is_vague, joined
from stateglass.program import BOOL, Bool, Cell, Scalar, representation
from stateglass.program.bits import ones, signed
from stateglass.source import Span
from stateglass.values import Fault, FaultKind
from stateglass.values.abstract import TOP

if TYPE_CHECKING:
    from stateglass.explore.cells.keeping import Keeping
    from stateglass.explore.cells.memory import Memory
    from stateglass.explore.doubts import Doubts


@final
@dataclass(frozen=True, slots=True)
class _Bits:
    """A stretch of bits: what they are, if that is known, and which of them were surely and perhaps written."""

    value: int | None
    surely: int
    perhaps: int

    def cut(self, start: int, count: int) -> _Bits:
        """Some of them, from the lowest on."""
        value = None if self.value is None else self.value >> start & ones(count)
        return _Bits(value, self.surely >> start & ones(count), self.perhaps >> start & ones(count))

    def put(self, part: _Bits, start: int, count: int) -> _Bits:
        """With others in place of some of them."""
        hole = ~(ones(count) << start)
        before = self.value if self.perhaps & hole else 0
        value = None if before is None or part.value is None else before & hole | part.value << start
        surely = self.surely & hole | part.surely << start
        return _Bits(value, surely, self.perhaps & hole | part.perhaps << start)

    def or_else(self, other: _Bits) -> _Bits:
        """Either these or others: surely written is what both have written, perhaps what one of them has."""
        value = self.value if self == other else None
        return _Bits(value, self.surely & other.surely, self.perhaps | other.perhaps)


@final
class Blurred:
    """Reads and writes the cells of a memory when what they keep is abstract."""

    def __init__(self, memory: Memory, keeping: Keeping, doubts: Doubts) -> None:
        self._memory = memory
        self._keeping = keeping
        self._doubts = doubts

    # ---- scalars

    def load(self, cells: Cells, position: int, type: Scalar, span: Span) -> Any:
        if self._memory.is_one_cell(position, type):
            content = cells[self._memory.cell_number(position)]
            refuse_absent(content, span)
            return value_of(content, type, span, self._doubts)
        plain = representation(type)
        found = self._bits(cells, position, plain.bits, span)
        if found.perhaps != ones(plain.bits):
            raise Fault(FaultKind.UNINITIALISED, span)
        if found.surely != ones(plain.bits):
            self._doubts.note(FaultKind.UNINITIALISED, span)
        if found.value is None:
            if isinstance(type, Bool):
                self._doubts.note(FaultKind.BOOL, span)
            return TOP
        if isinstance(type, Bool) and found.value > 1:
            raise Fault(FaultKind.BOOL, span)
        return signed(found.value, plain.bits) if plain.signed else found.value

    def keep(self, number: int, content: Content) -> Content:
        kept: Content = self._keeping.keep(number, content)
        return kept

    def store(
        self, cells: Cells, position: int, value: Any, type: Scalar, span: Span, *, perhaps: bool = False
    ) -> None:
        """Set a scalar; `perhaps`: it is perhaps another one that is set."""
        number = self._memory.cell_number(position)
        if number < 0 or self._memory.load_code[number] != code_of(type):
            width = representation(type).bits
            self._put(cells, position, width, _bits_of(value, width, span), span, perhaps=perhaps)
            return
        refuse_absent(cells[number], span)
        content = either(cells[number], value, type) if perhaps else value
        cells[number] = self._keeping.keep(number, content)

    # ---- cells of records, and bytes

    def read_cell(self, cells: Cells, position: int, cell: Cell, span: Span) -> Content:
        """What lies where a record has a cell, and no cell of its own is."""
        return _content(self._bits(cells, position, cell.width, span), cell)

    def write_cell(self, cells: Cells, position: int, cell: Cell, content: Content, span: Span) -> None:
        self._put(cells, position, cell.width, _bits_of(content, cell.width, span), span, perhaps=False)

    def copy(self, cells: Cells, target: int, source: int, count: int, span: Span) -> None:
        """Copy cell by cell where both sides are cut alike, and bits elsewhere."""
        memory, shift = self._memory, 8 * (source - target)
        copies: list[tuple[int, Content]] = []
        for number, cell, inside, outside, width in memory.pieces(8 * target, 8 * count):
            refuse_absent(cells[number], span)
            start = 8 * target + outside + shift
            other = memory.cell_number(start)
            whole = inside == 0 and width == cell.width
            if whole and other >= 0 and memory.load_code[other] == memory.load_code[number]:
                self._refuse_volatile(other)
                refuse_absent(cells[other], span)
                copies.append((number, cells[other]))
            else:
                first = inside if not memory.big_endian else cell.width - inside - width
                after = _before(cells[number], cell.width, span).put(
                    self._bits(cells, start, width, span), first, width
                )
                copies.append((number, _content(after, cell)))
        for number, content in copies:
            cells[number] = self._keeping.keep(number, content)

    # ---- what is not known any more

    def havoc(self, cells: Cells, *, written: bool = True) -> None:
        """Everything that a pointer may lead to has perhaps been overwritten with something."""
        for run in self._keeping.exposed:
            self.forget(cells, run, perhaps=True, written=written)

    def is_object_written(self, cells: Cells, address: int) -> bool:
        """Whether the object at an address has surely been written altogether."""
        found = self._memory.object_at(address)
        if found is None:
            return True  # nothing comes from there
        return all(map(is_written, cells[found.first : found.first + len(found.shape)], found.shape))

    def forget(self, cells: Cells, run: range, *, perhaps: bool, written: bool = True) -> None:
        """Some cells have been overwritten with something; `perhaps`: each of them perhaps not.

        `written`: what they have been overwritten with was not itself without a value.
        """
        for number in run:
            content = cells[number]
            if content is DEAD or content is BEYOND:
                continue  # nothing is there that could have been written
            full = ones(self._keeping.width(number))
            before = surely_written(content, full) if perhaps else full
            surely = before if written else 0
            # Bytes of any kind may have come where a truth value should be.
            sound = surely == full and self._memory.load_code[number] != code_of(BOOL)
            cells[number] = self._keeping.keep(number, TOP if sound else Unsure(TOP, surely))

    # ---- bits

    def _bits(self, cells: Cells, position: int, width: int, span: Span) -> _Bits:
        memory, found = self._memory, _Bits(0, 0, 0)
        for number, cell, inside, outside, count in memory.pieces(position, width):
            self._refuse_volatile(number)
            source = inside if not memory.big_endian else cell.width - inside - count
            target = outside if not memory.big_endian else width - outside - count
            part = _bits_of(cells[number], cell.width, span).cut(source, count)
            found = found.put(part, target, count)
        return found

    def _put(self, cells: Cells, position: int, width: int, bits: _Bits, span: Span, *, perhaps: bool) -> None:
        memory = self._memory
        touched = list(memory.pieces(position, width))
        for number, *_ in touched:
            refuse_absent(cells[number], span)
        for number, cell, inside, outside, count in touched:
            source = outside if not memory.big_endian else width - outside - count
            target = inside if not memory.big_endian else cell.width - inside - count
            before = _before(cells[number], cell.width, span)
            after = before.put(bits.cut(source, count), target, count)
            after = before.or_else(after) if perhaps else after
            cells[number] = self._keeping.keep(number, _content(after, cell))

    def _refuse_volatile(self, number: int) -> None:
        if self._memory.is_volatile(number):
            raise Unknown(VOLATILE_READ)


def surely_written(content: Content, full: int) -> int:
    """Which bits of a cell were surely written; `full` has all of them."""
    if content is None:
        return 0
    if isinstance(content, Unsure):
        return content.surely
    return content[1] if isinstance(content, tuple) else full


def is_written(content: Content, cell: Cell) -> bool:
    """Whether a content is that of a cell that has surely been written altogether."""
    return surely_written(content, ones(cell.width)) == ones(cell.width)


def either(first: Content, second: Content, type: Scalar) -> Any:
    """The content of a cell that is one of two."""
    if first is second or first == second:
        return first
    value = reduce(lambda a, b: joined(a, b, type), [_held(c) for c in (first, second) if c is not None])
    if _is_value(first) and _is_value(second):
        return value
    full = ones(representation(type).bits)
    return Unsure(value, surely_written(first, full) & surely_written(second, full))


def _is_value(content: Content) -> bool:
    return isinstance(content, int) or is_vague(content)


def _held(content: Content) -> Any:
    """The value that a content is, if it is one."""
    if isinstance(content, Unsure):
        return content.value
    return content if _is_value(content) else TOP


def _before(content: Content, width: int, span: Span) -> _Bits:
    """What is written over, by whoever it was written."""
    full = ones(width)
    return _Bits(None, full, full) if content is FOREIGN or content is LENT else _bits_of(content, width, span)


def _bits_of(content: Content, width: int, span: Span) -> _Bits:
    full = ones(width)
    if isinstance(content, Unsure):
        return _Bits(None, content.surely, full)
    if is_vague(content):
        return _Bits(None, full, full)
    value, known = as_bits(content, width, span)
    return _Bits(value, known, known)


def _content(bits: _Bits, cell: Cell) -> Content:
    """The content of a cell with such bits."""
    if not bits.perhaps:
        return None
    if bits.value is not None and bits.surely == bits.perhaps:
        return from_bits(bits.value, bits.surely, cell.width, code_of(cell.type))
    # Bits that are not known may be none of a truth value's.
    sound = bits.surely == ones(cell.width) and not isinstance(cell.type, Bool)
    return TOP if sound else Unsure(TOP, bits.surely)
