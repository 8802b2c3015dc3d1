"""Text that a user wrote in one notation and that belongs to another: C in a machine, for instance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from stateglass.source.spans import NOWHERE, Place, Span


@final
@dataclass(frozen=True, slots=True)
class Words:
    """An expression as it was written, on one line or several. Where it stands does not count in comparisons."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)

    def part(self, start: int, end: int) -> Span:
        """The place of some of its characters, as far as that is known."""
        if not self.span.start.column:
            return self.span
        return Span(self._place(start), self._place(end))

    def _place(self, position: int) -> Place:
        before = self.text[:position].split("\n")
        at = self.span.start
        column = (at.column if len(before) == 1 else 1) + len(before[-1])
        return Place(at.file, at.line + len(before) - 1, column)

    def __str__(self) -> str:
        """On one line."""
        return " ".join(line.strip() for line in self.text.split("\n"))
