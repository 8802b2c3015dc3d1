"""Small pieces of the sentences that are shown to people."""

from __future__ import annotations


def counted(number: int, word: str) -> str:
    """`1 state`, `2,000 states`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def printable(text: str) -> str:
    """Text that a terminal shows and does not obey: line breaks and what else cannot be printed are spelt out."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def as_sentence(text: str) -> str:
    """With a capital letter and a full stop; nothing stays nothing."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if not text or text.endswith((".", "!", "?")) else ".")
