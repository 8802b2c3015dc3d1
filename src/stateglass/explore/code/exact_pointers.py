"""Addresses that are known one by one: what pointers hold when values are exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

from stateglass.explore.cells.contents import Cells, Unknown
from stateglass.explore.cells.memory import Memory, Object
from stateglass.explore.cells.strays import (
    MOST_ASTRAY,
    POINTER_SIZE,
    STRAY,
    astray,
    is_container_of,
    is_stray,
    taken_apart,
)
from stateglass.explore.code.computations import Evaluate
from stateglass.explore.code.functions import Functions
from stateglass.program import Pointer, PointerAdd, PointerDifference
from stateglass.source import Span
from stateglass.values import Fault, FaultKind


@final
class Addresses:
    """The addresses that are the same in every run, as functions of the cells."""

    def __init__(self, memory: Memory, known: Functions, variadic: Object | None) -> None:
        self._memory = memory
        self._known = known
        self._variadic = variadic

    def fixed(self, number: int, type: Pointer, span: Span) -> Evaluate:
        if not self._memory.note_fixed(number):
            return _refused(f"the fixed address {number:#x} lies where variables are placed here")
        return lambda cells: number

    def function(self, name: str, type: Pointer, span: Span) -> Evaluate:
        address = self._known.address(name)
        return lambda cells: address

    def variadic(self, type: Pointer) -> Evaluate:
        assert self._variadic is not None
        area = self._variadic.address
        return lambda cells: area


@final
class ExactPointers:
    """Builds the functions for one activation."""

    def __init__(self, memory: Memory, addresses: Addresses) -> None:
        self._memory = memory
        self.fixed = addresses.fixed
        self.function = addresses.function
        self.variadic = addresses.variadic

    def add(self, node: PointerAdd, pointer: Evaluate, index: Evaluate) -> Evaluate:
        scale, span, memory = node.scale, node.span, self._memory
        strays = may_stray(node, memory)

        def add(cells: Cells) -> Any:
            start, distance = pointer(cells), index(cells) * scale
            if distance == 0:
                return start
            whole = memory.object_at(start)
            if whole is None:
                return moved_stray(memory, start, distance, span)
            if whole.address <= start + distance <= whole.address + whole.size:
                return start + distance
            if strays:
                return gone_astray(memory, whole, start + distance)
            raise Fault(FaultKind.BOUNDS, span)

        return add

    def difference(self, node: PointerDifference, left: Evaluate, right: Evaluate) -> Evaluate:
        scale, span, memory = node.scale, node.span, self._memory
        return lambda cells: distance_between(memory, left(cells), right(cells), scale, span)

    def comparison(self, compare: Callable[[int, int], int], ordered: bool, span: Span) -> Callable[[int, int], int]:
        return in_order(compare, self._memory, span) if ordered else compare

    def number(self, convert: Callable[[int], int] | None, pointer: Evaluate, span: Span) -> Evaluate:
        change = as_number(convert, self._memory, span)
        return lambda cells: change(pointer(cells))

    def converted(self, convert: Callable[[int], int] | None, value: Evaluate, span: Span) -> Evaluate:
        return value if convert is None else (lambda cells: convert(value(cells)))


# ---- what is so of each address, also if several are possible


def may_stray(node: PointerAdd, memory: Memory) -> bool:
    """Whether a pointer may leave its object here."""
    return is_container_of(node) and memory.pointer_size == POINTER_SIZE


def gone_astray(memory: Memory, whole: Object, address: int) -> int:
    """The pointer to an address outside of its object."""
    memory.strayed.add(whole.address)
    return astray(whole.address, address - whole.address)


def moved_stray(memory: Memory, start: int, distance: int, span: Span) -> int:
    """A pointer to no object, moved: only one that has left its object can be."""
    if not is_stray(start) or abs(taken_apart(start)[1] + distance) >= MOST_ASTRAY:
        raise memory.nowhere(start, span)
    return memory.settled(start + distance)


def distance_between(memory: Memory, a: int, b: int, scale: int, span: Span) -> int:
    """How many elements are between two pointers into one object."""
    if a != b and (memory.object_at(a) is None or memory.object_at(a) is not memory.object_at(b)):
        raise Fault(FaultKind.BOUNDS, span)
    return (a - b) // scale


def in_order(compare: Callable[[int, int], int], memory: Memory, span: Span) -> Callable[[int, int], int]:
    """Which of two pointers is before the other; one that has left its object is nowhere."""

    def checked(a: int, b: int) -> int:
        if (a >= STRAY and is_stray(a)) or (b >= STRAY and is_stray(b)):
            raise Fault(FaultKind.BOUNDS, span)
        if memory.has_heap and not memory.addresses_matter:
            memory.addresses_matter = not memory.together(a, b)
        return compare(a, b)

    return checked


def as_number(convert: Callable[[int], int] | None, memory: Memory, span: Span) -> Callable[[int], int]:
    """An address as a number, which one outside of its object is not."""

    def number(address: int) -> int:
        if is_stray(address):
            raise Fault(FaultKind.BOUNDS, span)
        memory.addresses_matter |= memory.has_heap
        return address if convert is None else convert(address)

    return number


def _refused(reason: str) -> Evaluate:
    def refuse(cells: Cells) -> int:
        raise Unknown(reason)

    return refuse
