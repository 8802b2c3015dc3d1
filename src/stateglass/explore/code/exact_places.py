"""Places on exact values, as functions on the cells: resolved as far as can be beforehand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

from stateglass.explore.cells.contents import Cells, Content, value_of
from stateglass.explore.cells.memory import GAP, Memory, Object
from stateglass.explore.cells.strays import STRAY
from stateglass.explore.code.computations import (
    Evaluate,
    LoadAll,
    Step,
    Store,
    StoreAll,
    as_copied,
    load_cell,
    load_cells,
)
from stateglass.explore.meaning.paths import Index, Path, Paths
from stateglass.program import Constant, Load, Place, Pointer, Scalar, size_of, value_cells
from stateglass.source import Span
from stateglass.values import Fault, FaultKind


@final
class ExactPlaces:
    """Builds the functions for one activation."""

    def __init__(self, memory: Memory, paths: Paths[Evaluate]) -> None:
        self._memory = memory
        self._paths = paths

    # ---- scalars

    def load(self, place: Place, type: Scalar, span: Span) -> Evaluate:
        path = self._paths.to(place)
        number = self._paths.cell(path, type)
        if number is None:
            read, address = self._memory.loader(type, path.bit, span), self._access(path, span)
            return lambda cells: read(cells, address(cells))
        if not path.indices:
            return load_cell(number, type, span, self._memory.doubts)
        where, doubts = _indexed(number, path.indices), self._memory.doubts

        def load(cells: Cells) -> Any:
            value = cells[where(cells)]
            return value if value.__class__ is int else value_of(value, type, span, doubts)

        return load

    def load_copied(self, place: Place, type: Scalar, span: Span) -> Evaluate:
        return as_copied(self.load(place, type, span))

    def store(self, place: Place, type: Scalar, span: Span) -> Store:
        path = self._paths.to(place)
        number = self._paths.cell(path, type)
        if number is None:
            write, address = self._memory.storer(type, path.bit, span), self._access(path, span)
            return lambda cells, value: write(cells, address(cells), value)
        if not path.indices:

            def store(cells: Cells, value: Any) -> None:
                cells[number] = value

            return store
        where = _indexed(number, path.indices)

        def store_indexed(cells: Cells, value: Any) -> None:
            cells[where(cells)] = value

        return store_indexed

    def assign(self, place: Place, type: Scalar, value: Evaluate, span: Span) -> Step:
        cell = self._paths.constant_cell(place, type)
        if cell is None:
            store = self.store(place, type, span)
            return lambda cells: store(cells, value(cells))

        def assign(cells: Cells) -> None:
            cells[cell] = value(cells)

        return assign

    def address(self, place: Place, type: Pointer, span: Span) -> Evaluate:
        path = self._paths.to_address(place)
        where, memory, pointer = self._address(path), self._memory, path.root
        if isinstance(pointer, Object) or isinstance(path.pointer, Constant):
            return where
        may_be_null = path.may_start_from_null

        def address(cells: Cells) -> Any:
            if not may_be_null and pointer(cells) == 0:
                raise Fault(FaultKind.NULL, span)
            found: int = where(cells)
            return found if found < STRAY else memory.settled(found)

        return address

    # ---- whole records and arrays

    def load_all(self, place: Place, span: Span) -> LoadAll:
        shape = tuple(value_cells(place.type, self._memory.records))
        path = self._paths.to(place)
        first, count = self._paths.first_cell(path), len(shape)
        if first is None or self._has_volatile_parts(path):
            size = size_of(place.type, self._memory.records)
            return load_cells(self._memory, self._access(path, span), shape, size, span)
        where = _indexed(first, path.indices)
        return lambda cells: cells[(n := where(cells)) : n + count]

    def _has_volatile_parts(self, path: Path[Evaluate]) -> bool:
        return isinstance(path.root, Object) and path.root.address in self._memory.volatile

    def store_all(self, place: Place, span: Span) -> StoreAll:
        shape = tuple(value_cells(place.type, self._memory.records))
        path = self._paths.to(place)
        first = self._paths.first_cell(path)
        count, size = len(shape), size_of(place.type, self._memory.records)
        if first is not None:
            where = _indexed(first, path.indices)

            def store_cells(cells: Cells, contents: list[Content]) -> None:
                number = where(cells)
                cells[number : number + count] = contents

            return store_cells
        memory, address = self._memory, self._access(path, span)

        def store(cells: Cells, contents: list[Content]) -> None:
            start = memory.settled(address(cells))
            if memory.check_access(start, size, span).readonly:
                raise Fault(FaultKind.READONLY, span)
            for cell, content in zip(shape, contents, strict=True):
                memory.write_cell(cells, start, cell, content, span)

        return store

    # ---- addresses

    def _access(self, path: Path[Evaluate], span: Span) -> Evaluate:
        """The address of a place to be read or written: it must lie in the object that its pointer points to.

        Steps shorter than the gap between objects cannot lead into another one.
        """
        root, offset, indices = path.root, path.offset, path.indices
        if isinstance(root, Object) or path.reach < GAP:
            return self._address(path)
        memory, pointer, low = self._memory, root, path.low

        def checked(cells: Cells) -> int:
            start: int = pointer(cells)
            if start & low:
                raise memory.misaligned(start, path.span)
            place = start + offset
            for index in indices:
                place += _checked(index, cells) * index.bytes
            if not memory.together(start, place):
                raise memory.nowhere(start, span)
            return place

        return checked

    def _address(self, path: Path[Evaluate]) -> Evaluate:
        root, offset = path.root, path.offset
        if isinstance(root, Object):
            base = root.address + offset
            if not path.indices:
                return lambda cells: base
            fixed: Evaluate = lambda cells: base  # noqa: E731
        elif path.low:
            fixed = self._aligned(root, path)
        elif offset:
            pointer = root
            fixed = lambda cells: pointer(cells) + offset  # noqa: E731
        else:
            fixed = root
        indices = path.indices
        if not indices:
            return fixed

        def address(cells: Cells) -> int:
            result: int = fixed(cells)
            for index in indices:
                result += _checked(index, cells) * index.bytes
            return result

        return address

    def _aligned(self, pointer: Evaluate, path: Path[Evaluate]) -> Evaluate:
        offset, low, span, memory, holder = path.offset, path.low, path.span, self._memory, path.pointer
        cell = self._paths.constant_cell(holder.place, holder.type) if isinstance(holder, Load) else None
        if cell is not None:

            def held(cells: Cells) -> int:
                start = cells[cell]
                if start.__class__ is not int:
                    start = pointer(cells)
                if start & low:
                    raise memory.misaligned(start, span)
                return start + offset

            return held

        def aligned(cells: Cells) -> int:
            start: int = pointer(cells)
            if start & low:
                raise memory.misaligned(start, span)
            return start + offset

        return aligned


def _checked(index: Index[Evaluate], cells: Cells) -> int:
    value: int = index.value(cells)
    if 0 <= value < index.count:
        return value
    raise Fault(FaultKind.BOUNDS, index.span)


def _indexed(first: int, indices: tuple[Index[Evaluate], ...]) -> Callable[[Cells], int]:
    """The number of a cell that depends on subscripts."""
    if not indices:
        return lambda cells: first
    if len(indices) == 1:
        (only,) = indices
        evaluate, count, step, span = only.value, only.count, only.cells, only.span

        def one(cells: Cells) -> int:
            value: int = evaluate(cells)
            if 0 <= value < count:
                return first + value * step
            raise Fault(FaultKind.BOUNDS, span)

        return one

    def several(cells: Cells) -> int:
        return first + sum(_checked(i, cells) * i.cells for i in indices)

    return several
