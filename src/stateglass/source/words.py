"""Text that a user wrote in one notation and that belongs to another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from stateglass.source.spans import NOWHERE, Span


@final
@dataclass(frozen=True, slots=True)
class Words:
    """An expression as it was written; it may go over several lines. Where it stands is no part of what it is."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        """On one line."""
        return " ".join(line.strip() for line in self.text.split("\n"))
