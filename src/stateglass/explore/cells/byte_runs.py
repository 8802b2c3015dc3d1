"""Where cells of a byte each lie side by side."""

from __future__ import annotations

from collections.abc import Iterator

from stateglass.program import Cell


def byte_runs(shape: tuple[Cell, ...], first: int, least: int) -> Iterator[range]:
    """Stretches of at least so many cells of a byte each; cells are numbered from `first` on."""
    begin = 0
    for index in range(len(shape) + 1):
        if index == len(shape) or shape[index].width != 8:
            if index - begin >= least:
                yield range(first + begin, first + index)
            begin = index + 1
