"""Small pieces of the sentences that are shown to people."""

from __future__ import annotations


def counted(number: int, word: str) -> str:
    """`1 state`, `2,000 states`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def kept_by_caller(function: str, parameter: str) -> str:
    """Advice where the state of a machine is not kept by the function that works on it, but handed to it."""
    own = f"`{parameter} = {function}(…)`"
    return f"if its callers keep `{parameter}`, add a file with a function that does {own}, and name that function"


def printable(text: str) -> str:
    """Text that a terminal shows and does not obey: line breaks and what else cannot be printed are spelt out."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
