"""Pieces of the text of a specification."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

Section = list[str]
"""Lines of the specification."""
_WIDTH: Final = 110


def truth(holds: bool) -> str:
    return "true" if holds else "false"


def listed(items: Iterable[str], indent: int = 2) -> str:
    """A list of terms, over several lines if one is too short."""
    texts = list(items)
    whole = f"[{', '.join(texts)}]"
    if len(whole) <= _WIDTH:
        return whole
    inner = f",\n{' ' * indent}".join(texts)
    return f"[\n{' ' * indent}{inner}]"
