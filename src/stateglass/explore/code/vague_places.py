"""Places on abstract values, as functions on the cells: a place may be one of several, or anywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any, final

from stateglass.explore.cells.blurred import either, is_written
from stateglass.explore.cells.contents import Cells, Content
from stateglass.explore.cells.keeping import Keeping
from stateglass.explore.cells.memory import GAP, Memory, Object
from stateglass.explore.cells.vague import joined, pointer_to, targets
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
from stateglass.explore.code.ways import Ways
from stateglass.explore.meaning.paths import Path, Paths
from stateglass.program import Bool, Cell, Place, Pointer, Scalar, size_of, value_cells
from stateglass.source import Span
from stateglass.values import Fault, FaultKind
from stateglass.values.abstract import TOP


@final
class VaguePlaces:
    """Builds the functions for one activation; cells keep what their abstractions say."""

    def __init__(self, memory: Memory, keeping: Keeping, paths: Paths[Evaluate]) -> None:
        self._memory = memory
        self._keeping = keeping
        self._paths = paths
        self._ways = Ways(memory)

    # ---- scalars

    def load(self, place: Place, type: Scalar, span: Span) -> Evaluate:
        path = self._paths.to(place)
        number = self._paths.cell(path, type)
        if number is not None and not path.indices:
            return load_cell(number, type, span, self._memory.doubts)
        return self._load_any(path, type, span)

    def load_copied(self, place: Place, type: Scalar, span: Span) -> Evaluate:
        return as_copied(self.load(place, type, span))

    def store(self, place: Place, type: Scalar, span: Span) -> Store:
        path = self._paths.to(place)
        number = self._paths.cell(path, type)
        if number is None or path.indices:
            return self._store_any(path, type, span)
        keep, cell = self._keeping.keep, number

        def store(cells: Cells, value: Any) -> None:
            cells[cell] = keep(cell, value)

        return store

    def assign(self, place: Place, type: Scalar, value: Evaluate, span: Span) -> Step:
        store = self.store(place, type, span)
        return lambda cells: store(cells, value(cells))

    def address(self, place: Place, type: Pointer, span: Span) -> Evaluate:
        path = self._paths.to_address(place)
        if isinstance(path.root, Object) and not path.indices:
            fixed = path.root.address + path.offset
            return lambda cells: fixed
        path = path if path.may_start_from_null else self._from_somewhere(path, span)
        ways, settled, doubts = self._ways.of(path), self._memory.settled, self._memory.doubts

        def address(cells: Cells) -> Any:
            found = ways(cells)
            if found is not None:
                return pointer_to(settled(place) for _, place in found)
            for kind in (FaultKind.NULL, FaultKind.BOUNDS) if path.low else ():
                doubts.note(kind, path.span)  # what is not aligned may be no object at all
            return TOP

        return address

    # ---- whole records and arrays

    def load_all(self, place: Place, span: Span) -> LoadAll:
        shape = tuple(value_cells(place.type, self._memory.records))
        path, size = self._paths.to(place), size_of(place.type, self._memory.records)
        first, root = self._paths.first_cell(path), path.root
        if first is None or path.indices:
            return self._load_all_of_any(path, shape, size, span)
        assert isinstance(root, Object)
        if root.address in self._memory.volatile:
            start = root.address + path.offset
            return load_cells(self._memory, lambda cells: start, shape, size, span)
        last = first + len(shape)
        return lambda cells: cells[first:last]

    def store_all(self, place: Place, span: Span) -> StoreAll:
        shape = tuple(value_cells(place.type, self._memory.records))
        path = self._paths.to(place)
        first, count = self._paths.first_cell(path), len(shape)
        if first is None or path.indices:
            return self._store_all_of_any(path, shape, size_of(place.type, self._memory.records), span)
        keep, start = self._keeping.keep, first

        def store(cells: Cells, contents: list[Content]) -> None:
            cells[start : start + count] = [keep(n, c) for n, c in enumerate(contents, start)]

        return store

    # ---- places that may be one of several

    def _from_somewhere(self, path: Path[Evaluate], span: Span) -> Path[Evaluate]:
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

    def _load_any(self, path: Path[Evaluate], type: Scalar, span: Span) -> Evaluate:
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

    def _store_any(self, path: Path[Evaluate], type: Scalar, span: Span) -> Store:
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

    def _load_all_of_any(self, path: Path[Evaluate], shape: tuple[Cell, ...], size: int, span: Span) -> LoadAll:
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

    def _store_all_of_any(self, path: Path[Evaluate], shape: tuple[Cell, ...], size: int, span: Span) -> StoreAll:
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

    def _reached(self, path: Path[Evaluate], span: Span) -> Callable[[Cells], tuple[int, ...] | None]:
        """The addresses at which a place can be used: those in the object that its pointer leads to; None for any."""
        ways, memory = self._ways.of(path), self._memory
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
