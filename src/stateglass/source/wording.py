"""Small pieces of the sentences that are shown to people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MOST_SHOWN: Final = 60
SHOWN_AROUND: Final = 50


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


def as_sentence(text: str) -> str:
    """With a capital letter and a full stop; nothing stays nothing."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if not text or text.endswith((".", "!", "?")) else ".")


def shown(text: str) -> str:
    """Some text of the user within a message: on one line, and cut when long."""
    return f"`{printable(text[:MOST_SHOWN])}{'…' if len(text) > MOST_SHOWN else ''}`"


def pointed(text: str, start: int, end: int) -> str:
    """What stands below a message about a text that is in no file: the text on one line, cut when long, with carets."""
    if not text.strip():
        return ""
    first = max(0, start - SHOWN_AROUND)
    around = "".join(c if c.isprintable() else " " for c in text[first : start + SHOWN_AROUND])
    width = max(1, min(end - start, SHOWN_AROUND))
    return f"\n  {around}\n  {' ' * (start - first)}{'^' * width}"


def alternatives(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
