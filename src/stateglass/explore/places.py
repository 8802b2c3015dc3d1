"""Places as functions on the cells: reading, writing and taking addresses, resolved as far as can be beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, assert_never, final

from stateglass.explore.memory import FOREIGN, FOREIGN_READ, GAP, Cells, Content, Memory, Object, Unknown, code_of
from stateglass.program import (
    Array,
    Constant,
    Convert,
    Dereference,
    Element,
    Expression,
    Global,
    Local,
    Member,
    Place,
    Record,
    Scalar,
    cells_of,
    size_of,
)
from stateglass.program.walk import base_of
from stateglass.source import Span
from stateglass.values import Fault, FaultKind

Evaluate = Callable[[Cells], Any]
TRUTH_BITS = 255  # all bits of a `_Bool`; only its cells hold complete pairs
Store = Callable[[Cells, Any], None]


@final
@dataclass(frozen=True, slots=True)
class _Index:
    """A subscript that is known only at run time."""

    value: Evaluate
    count: int
    bytes: int  # from one element to the next
    cells: int
    span: Span


@final
@dataclass(frozen=True, slots=True)
class _Path:
    """The way to a place: from a variable or an address, by constant and computed steps."""

    root: Object | Evaluate
    offset: int
    indices: tuple[_Index, ...]
    in_union: bool
    bit: int = 0  # of the first byte, where a bit-field begins


@final
class Places:
    """Builds the functions for one activation; `evaluate` builds those for expressions inside a place."""

    def __init__(
        self, memory: Memory, find: Callable[[Global | Local], Object], evaluate: Callable[[Expression], Evaluate]
    ) -> None:
        self._memory = memory
        self._find = find
        self._evaluate = evaluate

    # ---- scalars

    def load(self, place: Place, type: Scalar, span: Span) -> Evaluate:
        path = self._path(place)
        number = self._cell(path, type)
        if number is None:
            read, address = self._memory.loader(type, path.bit, span), self._access(path, span)
            return lambda cells: read(cells, address(cells))
        if not path.indices:
            return _load_cell(number, span)
        where = _indexed(number, path.indices)

        def load(cells: Cells) -> Any:
            value = cells[where(cells)]
            return value if value.__class__ is int else _not_a_value(value, span)

        return load

    def store(self, place: Place, type: Scalar, span: Span) -> Store:
        path = self._path(place)
        number = self._cell(path, type)
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

    def constant_cell(self, place: Place, type: Scalar) -> int | None:
        """The number of the cell, if it is the same in every run."""
        path = self._path(place)
        return None if path.indices else self._cell(path, type)

    def address(self, place: Place, span: Span) -> Evaluate:
        """Where a place is; a part of what a null pointer leads to is nowhere, except to `offsetof` and the like."""
        path = self._path(place)
        base = base_of(place)
        if not isinstance(base, Dereference) or isinstance(base.pointer, Constant | Convert):
            return self._address(path)
        pointer, where = self._evaluate(base.pointer), self._address(path)

        def address(cells: Cells) -> Any:
            if pointer(cells) == 0:
                raise Fault(FaultKind.NULL, span)
            return where(cells)

        return address

    # ---- whole records and arrays

    def load_all(self, place: Place, span: Span) -> Callable[[Cells], list[Content]]:
        """The contents of all cells of a place."""
        shape = tuple(cells_of(place.type, self._memory.records))
        path = self._path(place)
        first = self._first_cell(path)
        count = len(shape)
        if first is not None:
            where = _indexed(first, path.indices)
            return lambda cells: cells[(n := where(cells)) : n + count]
        memory, address = self._memory, self._access(path, span)
        size = size_of(place.type, self._memory.records)

        def load(cells: Cells) -> list[Content]:
            start = address(cells)
            memory.check_access(start, size, span)
            return [memory.read_cell(cells, start, c, span) for c in shape]

        return load

    def store_all(self, place: Place, span: Span) -> Callable[[Cells, list[Content]], None]:
        shape = tuple(cells_of(place.type, self._memory.records))
        path = self._path(place)
        first = self._first_cell(path)
        count = len(shape)
        if first is not None:
            where = _indexed(first, path.indices)

            def store_cells(cells: Cells, contents: list[Content]) -> None:
                number = where(cells)
                cells[number : number + count] = contents

            return store_cells
        memory, address = self._memory, self._access(path, span)
        size = size_of(place.type, self._memory.records)

        def store(cells: Cells, contents: list[Content]) -> None:
            start = address(cells)
            if memory.check_access(start, size, span).readonly:
                raise Fault(FaultKind.READONLY, span)
            for cell, content in zip(shape, contents, strict=True):
                memory.write_cell(cells, start, cell, content, span)

        return store

    # ---- the way to a place

    def _path(self, place: Place) -> _Path:
        match place:
            case Global() | Local():
                return _Path(self._find(place), 0, (), False)
            case Dereference(pointer):
                return _Path(self._evaluate(pointer), 0, (), False)
            case Member(base, _, offset, _, bit):
                path = self._path(base)
                assert isinstance(base.type, Record)
                union = path.in_union or self._memory.records[base.type.name].union
                return _Path(path.root, path.offset + offset, path.indices, union, bit)
            case Element(base, index):
                return self._element(self._path(base), base, index, place.span)
            case _:
                assert_never(place)

    def _element(self, path: _Path, base: Place, index: Expression, span: Span) -> _Path:
        array = base.type
        assert isinstance(array, Array)
        step = size_of(array.element, self._memory.records)
        if isinstance(index, Constant) and 0 <= index.value < array.count:
            return _Path(path.root, path.offset + index.value * step, path.indices, path.in_union)
        cells = len(cells_of(array.element, self._memory.records))
        extra = _Index(self._evaluate(index), array.count, step, cells, span)
        return _Path(path.root, path.offset, (*path.indices, extra), path.in_union)

    def _first_cell(self, path: _Path) -> int | None:
        """The cell at the start of a place that is part of a variable; None if cells do not follow its type."""
        root = path.root
        if not isinstance(root, Object) or path.in_union:
            return None
        number = self._memory.cell_number(8 * (root.address + path.offset) + path.bit)
        return number if number >= 0 else None

    def _cell(self, path: _Path, type: Scalar) -> int | None:
        number = self._first_cell(path)
        if number is not None and self._memory.load_code[number] == code_of(type):
            return number
        return None

    def _access(self, path: _Path, span: Span) -> Evaluate:
        """The address of a place to be read or written: it must lie in the object that its pointer points to.

        Steps shorter than the gap between objects cannot lead into another one.
        """
        root, offset, indices = path.root, path.offset, path.indices
        reach = offset + sum((i.count - 1) * i.bytes for i in indices)
        if isinstance(root, Object) or reach < GAP:
            return self._address(path)
        memory, pointer = self._memory, root

        def checked(cells: Cells) -> int:
            start: int = pointer(cells)
            place = start + offset
            for index in indices:
                place += _checked(index, cells) * index.bytes
            if not memory.together(start, place):
                raise memory.nowhere(start, span)
            return place

        return checked

    def _address(self, path: _Path) -> Evaluate:
        root, offset = path.root, path.offset
        if isinstance(root, Object):
            base = root.address + offset
            if not path.indices:
                return lambda cells: base
            fixed: Evaluate = lambda cells: base  # noqa: E731
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


def _load_cell(number: int, span: Span) -> Evaluate:
    def load(cells: Cells) -> Any:
        value = cells[number]
        return value if value.__class__ is int else _not_a_value(value, span)

    return load


def _not_a_value(content: Content, span: Span) -> int:
    """Why a cell has no integer to give; a truth value that is neither 0 nor 1 counts as true."""
    if isinstance(content, tuple) and content[1] == TRUTH_BITS:
        return 1
    if content is FOREIGN:
        raise Unknown(FOREIGN_READ)
    raise Fault(FaultKind.UNINITIALISED, span)


def _checked(index: _Index, cells: Cells) -> int:
    value: int = index.value(cells)
    if 0 <= value < index.count:
        return value
    raise Fault(FaultKind.BOUNDS, index.span)


def _indexed(first: int, indices: tuple[_Index, ...]) -> Callable[[Cells], int]:
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
