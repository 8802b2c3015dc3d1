"""Small pieces of the sentences that are shown to people."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, word: str) -> str:
    """`1 state`, `2,000 states`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def printable(text: str) -> str:
    """Text that a terminal shows and does not obey: line breaks and what else cannot be printed are spelt out."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
