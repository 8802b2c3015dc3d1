"""The lines of a text that is part of a file: positions in the one as places in the other."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import final

from stateglass.source.spans import Place, Span


@final
class Lines:
    """Where the lines of a text begin; `at` is the place of its first character."""

    def __init__(self, text: str, at: Place) -> None:
        self.starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self._at = at

    def start(self, position: int) -> int:
        """Where the line of a position begins."""
        return self.starts[bisect_right(self.starts, position) - 1]

    def place(self, position: int) -> Place:
        row = bisect_right(self.starts, position) - 1
        return Place(self._at.file, self._at.line + row, position - self.starts[row] + self._first_column(row))

    def span(self, start: int, end: int) -> Span:
        return Span(self.place(start), self.place(end))

    def position(self, place: Place) -> int:
        """The opposite of `place`."""
        row = place.line - self._at.line
        return self.starts[row] + place.column - self._first_column(row)

    def _first_column(self, row: int) -> int:
        return self._at.column if row == 0 else 1
