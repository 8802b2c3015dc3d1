"""The way to a place: from a variable, or from what a pointer holds, by constant and computed steps.

It is the same whatever values are; what is done at its end is another matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar, assert_never, final

from stateglass.explore.cells.contents import code_of
from stateglass.explore.cells.memory import ALIGNMENT, Memory, Object
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
from stateglass.source import NOWHERE, Span

R = TypeVar("R")
"""An expression inside a place, kept until it is wanted: what is wrong shows in the order of the steps."""


@final
@dataclass(frozen=True, slots=True)
class Index(Generic[R]):
    """A subscript that is known only at run time."""

    value: R
    count: int
    bytes: int  # from one element to the next
    cells: int
    span: Span
    type: Scalar  # of the value


@final
@dataclass(frozen=True, slots=True)
class Path(Generic[R]):
    """The steps to one place."""

    root: Object | R
    offset: int = 0
    indices: tuple[Index[R], ...] = ()
    in_union: bool = False
    bit: int = 0  # of the first byte, where a bit-field begins
    low: int = 0  # bits that must not be set in the address it starts from
    span: Span = NOWHERE  # where that is dereferenced
    pointer: Expression | None = None  # that is dereferenced

    @property
    def reach(self) -> int:
        """How many bytes behind its start the place may be."""
        return self.offset + sum((i.count - 1) * i.bytes for i in self.indices)

    @property
    def may_start_from_null(self) -> bool:
        """A part of what a null pointer leads to is nowhere, except to `offsetof` and the like."""
        return self.pointer is None or isinstance(self.pointer, Constant | Convert)


@final
class Paths(Generic[R]):
    """Finds the ways in one activation; `find` says where a variable lies."""

    def __init__(
        self, memory: Memory, find: Callable[[Global | Local], Object], evaluate: Callable[[Expression], R]
    ) -> None:
        self._memory = memory
        self._find = find
        self._evaluate = evaluate

    def to(self, place: Place) -> Path[R]:
        match place:
            case Global() | Local():
                return Path(self._find(place))
            case Dereference(pointer, _, alignment, span):
                # Objects lie at multiples of `ALIGNMENT`; what asks for more is taken to have it.
                low = min(alignment, ALIGNMENT) - 1 if self._memory.minds_alignment else 0
                return Path(self._evaluate(pointer), low=low, span=span, pointer=pointer)
            case Member(base, _, offset, _, bit):
                path = self.to(base)
                assert isinstance(base.type, Record)
                union = path.in_union or self._memory.records[base.type.name].union
                return replace(path, offset=path.offset + offset, in_union=union, bit=bit)
            case Element(base, index):
                return self._element(self.to(base), base, index, place.span)
            case _:
                assert_never(place)

    def _element(self, path: Path[R], base: Place, index: Expression, span: Span) -> Path[R]:
        array = base.type
        assert isinstance(array, Array)
        step = size_of(array.element, self._memory.records)
        if isinstance(index, Constant) and 0 <= index.value < array.count:
            return replace(path, offset=path.offset + index.value * step, bit=0)
        cells = len(cells_of(array.element, self._memory.records))
        extra = Index(self._evaluate(index), array.count, step, cells, span, index.type)
        return replace(path, indices=(*path.indices, extra), bit=0)

    def to_address(self, place: Place) -> Path[R]:
        """The way to a place whose address is wanted: `&*p` is `p`, whatever that holds."""
        path = self.to(place)
        return replace(path, low=0) if isinstance(place, Dereference) else path

    def first_cell(self, path: Path[R]) -> int | None:
        """The cell at the start of a place that is part of a variable; None if cells do not follow its type."""
        root = path.root
        if not isinstance(root, Object) or path.in_union:
            return None
        number = self._memory.cell_number(8 * (root.address + path.offset) + path.bit)
        return number if number >= 0 else None

    def cell(self, path: Path[R], type: Scalar) -> int | None:
        """The same, for a scalar that is all of the cell."""
        number = self.first_cell(path)
        if number is not None and self._memory.load_code[number] == code_of(type):
            return number
        return None

    def constant_cell(self, place: Place, type: Scalar) -> int | None:
        """The number of the cell that a scalar is, if it is the same in every run."""
        path = self.to(place)
        return None if path.indices else self.cell(path, type)
