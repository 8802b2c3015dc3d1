"""How a reduction tells how far it has come."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Is told how far a reduction has come."""

    def __call__(self, phase: str, /, **counts: int) -> None: ...


def silent(phase: str, /, **counts: int) -> None:
    """Progress that nobody wants to see."""
