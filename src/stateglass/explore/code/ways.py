"""All addresses that a place may have."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.memory import Memory, Object
from stateglass.explore.cells.vague import indices, leaves, targets
from stateglass.explore.code.computations import Evaluate
from stateglass.explore.meaning.paths import Path
from stateglass.values import Fault, FaultKind


@final
class Ways:
    """Follows paths whatever the pointers and subscripts on them may be, one value or several."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def of(self, path: Path[Evaluate]) -> Callable[[Cells], tuple[tuple[int, int], ...] | None]:
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

    def _aligned_ones(self, starts: tuple[int, ...], path: Path[Evaluate]) -> list[int]:
        def aligned(start: int) -> int:
            if start & path.low:
                raise self._memory.misaligned(start, path.span)
            return start

        return self._memory.doubts.each(starts, aligned) if path.low and starts else list(starts)
