"""Addresses of which several may be meant, or any: what pointers hold when values are abstract."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.memory import Memory
from stateglass.explore.cells.strays import is_stray
from stateglass.explore.cells.vague import is_vague, pointer_to, targets
from stateglass.explore.code.computations import Evaluate
from stateglass.explore.code.exact_pointers import (
    Addresses,
    as_number,
    distance_between,
    gone_astray,
    in_order,
    may_stray,
    moved_stray,
)
from stateglass.program import PointerAdd, PointerDifference
from stateglass.source import Span
from stateglass.values import Fault, FaultKind
from stateglass.values.abstract import MAYBE, TOP, contains, high, low

MOST_STEPS: Final = 4096
"""A pointer that may be moved by more steps than this may lead anywhere."""


@final
class VaguePointers:
    """Builds the functions for one activation; what is wrong with some of the addresses is noted."""

    def __init__(self, memory: Memory, addresses: Addresses) -> None:
        self._memory = memory
        self.fixed = addresses.fixed
        self.function = addresses.function
        self.variadic = addresses.variadic

    def add(self, node: PointerAdd, pointer: Evaluate, index: Evaluate) -> Evaluate:
        span, doubts = node.span, self._memory.doubts

        def add(cells: Cells) -> Any:
            starts, by = targets(pointer(cells)), index(cells)
            if starts is None:
                for kind in (FaultKind.NULL, FaultKind.BOUNDS) if by != 0 else ():
                    doubts.note(kind, span)
                return TOP
            found = doubts.each(starts, lambda start: self._moved(node, start, by))
            return pointer_to(a for some in found for a in some or ()) if None not in found else TOP

        return add

    def _moved(self, node: PointerAdd, start: int, by: Any) -> tuple[int, ...] | None:
        """Where a pointer may lead afterwards; None for anywhere."""
        scale, span, type, memory = node.scale, node.span, node.index.type, self._memory
        if by == 0 or scale == 0:
            return (start,)
        whole = memory.object_at(start)
        if whole is None:
            return self._moved_from_nowhere(node, start, by)
        first, last = -((start - whole.address) // scale), (whole.address + whole.size - start) // scale
        if isinstance(by, int):
            if first <= by <= last:
                return (start + by * scale,)
            if not may_stray(node, memory):
                raise Fault(FaultKind.BOUNDS, span)
            return (gone_astray(memory, whole, start + by * scale),)
        if low(by, type) < first or high(by, type) > last:
            memory.doubts.note(FaultKind.BOUNDS, span)
        if last - first > MOST_STEPS:
            return None
        found = tuple(start + i * scale for i in range(first, last + 1) if contains(by, i, type))
        if not found:
            raise Fault(FaultKind.BOUNDS, span)
        return found

    def _moved_from_nowhere(self, node: PointerAdd, start: int, by: Any) -> tuple[int, ...] | None:
        if isinstance(by, int):
            return (moved_stray(self._memory, start, by * node.scale, node.span),)
        trouble = self._memory.nowhere(start, node.span)
        if not isinstance(trouble, Fault):
            raise trouble
        if not contains(by, 0, node.index.type) and not is_stray(start):
            raise trouble
        self._memory.doubts.note(trouble.kind, node.span)
        return None if is_stray(start) else (start,)

    def difference(self, node: PointerDifference, left: Evaluate, right: Evaluate) -> Evaluate:
        scale, span, memory = node.scale, node.span, self._memory

        def difference(cells: Cells) -> Any:
            a, b = left(cells), right(cells)
            if is_vague(a) or is_vague(b):
                memory.doubts.note(FaultKind.BOUNDS, span)
                return TOP
            return distance_between(memory, a, b, scale, span)

        return difference

    def comparison(self, compare: Callable[[Any, Any], Any], ordered: bool, span: Span) -> Callable[[Any, Any], Any]:
        """Pointers compare if all their targets do so alike; those that may lead anywhere may be in no order."""
        memory, exact = self._memory, in_order(compare, self._memory, span) if ordered else compare

        def compared(a: Any, b: Any) -> Any:
            left, right = targets(a), targets(b)
            if left is None or right is None:
                if ordered:
                    memory.note_astray(span, *(left or ()), *(right or ()))
                return MAYBE
            outcomes = set(memory.doubts.each(product(left, right), lambda pair: exact(*pair)))
            return outcomes.pop() if len(outcomes) == 1 else MAYBE

        return compared

    def number(self, convert: Callable[[Any], Any] | None, pointer: Evaluate, span: Span) -> Evaluate:
        """Known only if there is just one address."""
        memory, exact = self._memory, as_number(convert, self._memory, span)

        def number(cells: Cells) -> Any:
            address = pointer(cells)
            if address.__class__ is int:
                return exact(address)
            addresses = targets(address)
            if addresses is None:
                memory.note_astray(span)
            else:
                memory.doubts.each(addresses, exact)
            return TOP

        return number

    def converted(self, convert: Callable[[Any], Any] | None, value: Evaluate, span: Span) -> Evaluate:
        """Known only if there is just one value."""

        def converted(cells: Cells) -> Any:
            found = value(cells)
            if found.__class__ is not int:
                return TOP
            return found if convert is None else convert(found)

        return converted
