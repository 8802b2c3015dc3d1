"""Places as functions on the cells: reading, writing and taking addresses, resolved as far as can be beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, assert_never, final

from stateglass.explore.blurred import either, is_written
from stateglass.explore.contents import Cells, Content, code_of, value_of
from stateglass.explore.doubts import Doubts
from stateglass.explore.memory import ALIGNMENT, GAP, Memory, Object
from stateglass.explore.strays import STRAY
from stateglass.explore.vague import indices, joined, leaves, pointer_to, targets
from stateglass.program import (
    Array,
    Bool,
    Cell,
    Constant,
    Convert,
    Dereference,
    Element,
    Expression,
    Global,
    Load,
    Local,
    Member,
    Place,
    Record,
    Scalar,
    cells_of,
    size_of,
)
from stateglass.program.walk import base_of
from stateglass.source import NOWHERE, Span
from stateglass.values import Fault, FaultKind
from stateglass.values.abstract import TOP

Evaluate = Callable[[Cells], Any]
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
    type: Scalar  # of the value


@final
@dataclass(frozen=True, slots=True)
class _Path:
    """The way to a place: from a variable or an address, by constant and computed steps."""

    root: Object | Evaluate
    offset: int
    indices: tuple[_Index, ...]
    in_union: bool
    bit: int = 0  # of the first byte, where a bit-field begins
    low: int = 0  # bits that must not be set in the address it starts from
    span: Span = NOWHERE  # where that is dereferenced
    cell: int | None = None  # that holds the address, if it is always the same one

    @property
    def reach(self) -> int:
        """How many bytes behind its start the place may be."""
        return self.offset + sum((i.count - 1) * i.bytes for i in self.indices)


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
        if number is not None and not path.indices:
            return load_cell(number, type, span, self._memory.doubts)
        if self._memory.keeping is not None:
            return self._load_any(path, type, span)
        if number is None:
            read, address = self._memory.loader(type, path.bit, span), self._access(path, span)
            return lambda cells: read(cells, address(cells))
        where, doubts = _indexed(number, path.indices), self._memory.doubts

        def load(cells: Cells) -> Any:
            value = cells[where(cells)]
            return value if value.__class__ is int else value_of(value, type, span, doubts)

        return load

    def store(self, place: Place, type: Scalar, span: Span) -> Store:
        path = self._path(place)
        number = self._cell(path, type)
        keeping = self._memory.keeping
        if keeping is not None:
            if number is None or path.indices:
                return self._store_any(path, type, span)
            keep, cell = keeping.keep, number

            def store_kept(cells: Cells, value: Any) -> None:
                cells[cell] = keep(cell, value)

            return store_kept
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
        if isinstance(place, Dereference):
            path = replace(path, low=0)  # `&*p` is `p`
        base = base_of(place)
        may_be_null = not isinstance(base, Dereference) or isinstance(base.pointer, Constant | Convert)
        if self._memory.keeping is not None and (path.indices or not isinstance(path.root, Object)):
            return self._address_of_any(path if may_be_null else self._from_somewhere(path, span))
        if not isinstance(base, Dereference) or isinstance(base.pointer, Constant):
            return self._address(path)
        pointer, where, memory = self._evaluate(base.pointer), self._address(path), self._memory

        def address(cells: Cells) -> Any:
            if not may_be_null and pointer(cells) == 0:
                raise Fault(FaultKind.NULL, span)
            found: int = where(cells)
            return found if found < STRAY else memory.settled(found)

        return address

    # ---- whole records and arrays

    def load_all(self, place: Place, span: Span) -> Callable[[Cells], list[Content]]:
        """The contents of all cells of a place."""
        shape = tuple(cells_of(place.type, self._memory.records))
        path = self._path(place)
        first = self._first_cell(path)
        count, size = len(shape), size_of(place.type, self._memory.records)
        if self._memory.keeping is not None and (first is None or path.indices):
            return self._load_all_of_any(path, shape, size, span)
        if first is not None and not self._has_volatile_parts(path):
            where = _indexed(first, path.indices)
            return lambda cells: cells[(n := where(cells)) : n + count]
        memory, address = self._memory, self._access(path, span)

        def load(cells: Cells) -> list[Content]:
            start = memory.settled(address(cells))
            memory.check_access(start, size, span)
            return [memory.read_cell(cells, start, c, span) for c in shape]

        return load

    def _has_volatile_parts(self, path: _Path) -> bool:
        return isinstance(path.root, Object) and path.root.address in self._memory.volatile

    def store_all(self, place: Place, span: Span) -> Callable[[Cells, list[Content]], None]:
        shape = tuple(cells_of(place.type, self._memory.records))
        path = self._path(place)
        first = self._first_cell(path)
        count, size = len(shape), size_of(place.type, self._memory.records)
        keeping = self._memory.keeping
        if keeping is not None:
            if first is None or path.indices:
                return self._store_all_of_any(path, shape, size, span)
            keep, start_cell = keeping.keep, first

            def store_kept(cells: Cells, contents: list[Content]) -> None:
                cells[start_cell : start_cell + count] = [keep(n, c) for n, c in enumerate(contents, start_cell)]

            return store_kept
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

    def all_addresses(self, place: Place) -> tuple[Callable[[Cells], tuple[int, ...] | None], int, bool]:
        """All addresses that a place may have (None: any), at which bit it begins, and whether they never change."""
        path = self._path(place)
        ways = self._all_ways(path)

        def where(cells: Cells) -> tuple[int, ...] | None:
            found = ways(cells)
            return None if found is None else tuple(place for _, place in found)

        return where, path.bit, isinstance(path.root, Object) and not path.indices

    # ---- abstract values: a place may be one of several, or anywhere

    def _address_of_any(self, path: _Path) -> Evaluate:
        ways, settled, doubts = self._all_ways(path), self._memory.settled, self._memory.doubts

        def address(cells: Cells) -> Any:
            found = ways(cells)
            if found is not None:
                return pointer_to(settled(place) for _, place in found)
            for kind in (FaultKind.NULL, FaultKind.BOUNDS) if path.low else ():
                doubts.note(kind, path.span)  # what is not aligned may be no object at all
            return TOP

        return address

    def _from_somewhere(self, path: _Path, span: Span) -> _Path:
        """A path that does not start from null."""
        pointer, doubts = path.root, self._memory.doubts
        assert not isinstance(pointer, Object)

        def present(cells: Cells) -> Any:
            start = pointer(cells)
            starts = targets(start)
            if starts is not None and 0 not in starts:
                return start
            if starts == (0,):
                raise Fault(FaultKind.NULL, span)
            doubts.note(FaultKind.NULL, span)
            return TOP if starts is None else pointer_to(s for s in starts if s)

        return replace(path, root=present)

    def _load_any(self, path: _Path, type: Scalar, span: Span) -> Evaluate:
        read, where = self._memory.loader(type, path.bit, span), self._reached(path, span)
        foreign = [FaultKind.BOOL] if isinstance(type, Bool) else []

        def load(cells: Cells) -> Any:
            found = where(cells)
            if found is None:
                self._nowhere_known(span, FaultKind.UNINITIALISED, *foreign)
                return TOP
            if len(found) == 1:
                return read(cells, found[0])
            each = self._memory.doubts.each(found, lambda address: read(cells, address))
            return reduce(lambda a, b: joined(a, b, type), each)

        return load

    def _store_any(self, path: _Path, type: Scalar, span: Span) -> Store:
        memory, where = self._memory, self._reached(path, span)
        write, perhaps_write = memory.storer(type, path.bit, span), memory.perhaps_storer(type, path.bit, span)

        def store(cells: Cells, value: Any) -> None:
            found = where(cells)
            if found is None:
                self._nowhere_known(span, FaultKind.READONLY)
                memory.blurred.havoc(cells)
            elif len(found) == 1:
                write(cells, found[0], value)
            else:
                memory.doubts.each(found, lambda address: perhaps_write(cells, address, value))

        return store

    def _load_all_of_any(
        self, path: _Path, shape: tuple[Cell, ...], size: int, span: Span
    ) -> Callable[[Cells], list[Content]]:
        memory, where = self._memory, self._reached(path, span)

        def get(cells: Cells, address: int) -> list[Content]:
            start = memory.settled(address)
            memory.check_access(start, size, span)
            return [memory.read_cell(cells, start, c, span) for c in shape]

        def load(cells: Cells) -> list[Content]:
            found = where(cells)
            if found is None:
                self._nowhere_known(span)
                return [TOP] * len(shape)
            each = memory.doubts.each(found, lambda start: get(cells, start))
            return [reduce(lambda a, b: either(a, b, c.type), alike) for c, *alike in zip(shape, *each, strict=True)]

        return load

    def _store_all_of_any(
        self, path: _Path, shape: tuple[Cell, ...], size: int, span: Span
    ) -> Callable[[Cells, list[Content]], None]:
        memory, where = self._memory, self._reached(path, span)

        def put(cells: Cells, address: int, contents: list[Content], *, weak: bool) -> None:
            start = memory.settled(address)
            if memory.check_access(start, size, span).readonly:
                raise Fault(FaultKind.READONLY, span)
            for cell, content in zip(shape, contents, strict=True):
                if weak:
                    content = either(memory.read_cell(cells, start, cell, span), content, cell.type)
                memory.write_cell(cells, start, cell, content, span)

        def store(cells: Cells, contents: list[Content]) -> None:
            found = where(cells)
            if found is None:
                self._nowhere_known(span, FaultKind.READONLY)
                memory.blurred.havoc(cells, written=all(map(is_written, contents, shape)))
            else:
                memory.doubts.each(found, lambda start: put(cells, start, contents, weak=len(found) > 1))

        return store

    def _nowhere_known(self, span: Span, *more: FaultKind) -> None:
        """A pointer that may lead anywhere is used; `more` is what may be wrong with what is found there."""
        for kind in (FaultKind.NULL, FaultKind.BOUNDS, FaultKind.DANGLING, *more):
            self._memory.doubts.note(kind, span)

    def _reached(self, path: _Path, span: Span) -> Callable[[Cells], tuple[int, ...] | None]:
        """The addresses at which a place can be used: those in the object that its pointer leads to; None for any."""
        ways, memory = self._all_ways(path), self._memory
        near = isinstance(path.root, Object) or path.reach < GAP

        def reached(way: tuple[int, int]) -> int:
            start, place = way
            if not near and not memory.together(start, place):
                raise memory.nowhere(start, span)
            return place

        def where(cells: Cells) -> tuple[int, ...] | None:
            found = ways(cells)
            return None if found is None else tuple(memory.doubts.each(found, reached))

        return where

    def _all_ways(self, path: _Path) -> Callable[[Cells], tuple[tuple[int, int], ...] | None]:
        """All addresses that a place may have, each with what its pointer holds then; None if that may be anything."""
        root, offset, steps, doubts = path.root, path.offset, path.indices, self._memory.doubts
        fixed = (root.address,) if isinstance(root, Object) else None

        def where(cells: Cells) -> tuple[tuple[int, int], ...] | None:
            starts = fixed if fixed is not None else targets(root(cells))  # type: ignore[operator]
            if starts is None and path.low:
                doubts.note(FaultKind.ALIGNMENT, path.span)
            ways = [(start, start + offset) for start in self._aligned_ones(starts or (), path)]
            for step in steps:
                index = step.value(cells)
                chosen = indices(index, step.count, step.type)
                if not chosen:
                    raise Fault(FaultKind.BOUNDS, step.span)
                if leaves(index, step.count, step.type):
                    doubts.note(FaultKind.BOUNDS, step.span)
                ways = [(start, place + i * step.bytes) for start, place in ways for i in chosen]
            return None if starts is None else tuple(ways)

        if isinstance(root, Object) or steps:
            return where
        pointer, low = root, path.low

        def at_once(cells: Cells) -> tuple[tuple[int, int], ...] | None:
            start = pointer(cells)
            return ((start, start + offset),) if start.__class__ is int and not start & low else where(cells)

        return at_once

    def _aligned_ones(self, starts: tuple[int, ...], path: _Path) -> list[int]:
        def aligned(start: int) -> int:
            if start & path.low:
                raise self._memory.misaligned(start, path.span)
            return start

        return self._memory.doubts.each(starts, aligned) if path.low and starts else list(starts)

    # ---- the way to a place

    def _path(self, place: Place) -> _Path:
        match place:
            case Global() | Local():
                return _Path(self._find(place), 0, (), False)
            case Dereference(pointer, _, alignment, span):
                # Objects lie at multiples of `ALIGNMENT`; what asks for more is taken to have it.
                low = min(alignment, ALIGNMENT) - 1 if self._memory.minds_alignment else 0
                cell = self.constant_cell(pointer.place, pointer.type) if isinstance(pointer, Load) else None
                return _Path(self._evaluate(pointer), 0, (), False, 0, low, span, cell)
            case Member(base, _, offset, _, bit):
                path = self._path(base)
                assert isinstance(base.type, Record)
                union = path.in_union or self._memory.records[base.type.name].union
                return replace(path, offset=path.offset + offset, in_union=union, bit=bit)
            case Element(base, index):
                return self._element(self._path(base), base, index, place.span)
            case _:
                assert_never(place)

    def _element(self, path: _Path, base: Place, index: Expression, span: Span) -> _Path:
        array = base.type
        assert isinstance(array, Array)
        step = size_of(array.element, self._memory.records)
        if isinstance(index, Constant) and 0 <= index.value < array.count:
            return replace(path, offset=path.offset + index.value * step, bit=0)
        cells = len(cells_of(array.element, self._memory.records))
        extra = _Index(self._evaluate(index), array.count, step, cells, span, index.type)
        return replace(path, indices=(*path.indices, extra), bit=0)

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

    def _address(self, path: _Path) -> Evaluate:
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

    def _aligned(self, pointer: Evaluate, path: _Path) -> Evaluate:
        offset, low, span, memory, cell = path.offset, path.low, path.span, self._memory, path.cell
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


def load_cell(number: int, type: Scalar, span: Span, doubts: Doubts) -> Evaluate:
    def load(cells: Cells) -> Any:
        value = cells[number]
        return value if value.__class__ is int else value_of(value, type, span, doubts)

    return load


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
