"""Text of ours that is read behind the end of a C file, its *tail*, and where each piece of it really comes from.

So expressions of a user are compiled as if they stood in the file, and messages still point to what the user wrote.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import final

from stateglass.frontend.clang.units import Unit
from stateglass.source import Diagnostic, Place, Span, Words

Reread = Callable[[int, bytes], tuple[Unit, list[Diagnostic]]]
"""Reads a unit, counted from 0, again as this text; what clang says is about lines of that."""


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """Some text and what it stands for.

    An exact one stands in a file just as it is, in one line; any other is our way to say what `span` says. `about` is
    what we declare with it, if a mistake in it is not the user's.
    """

    text: str
    span: Span
    exact: bool = False
    about: str = ""


@final
class Tail:
    """What follows the `size` bytes of a file."""

    def __init__(self, size: int) -> None:
        self.start = size
        self.size = size
        self._pieces: list[Piece] = []
        self._starts: list[int] = []

    def add(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            if piece.text:
                self._pieces.append(piece)
                self._starts.append(self.size)
                self.size += len(piece.text.encode())

    @property
    def text(self) -> bytes:
        return "".join(piece.text for piece in self._pieces).encode()

    def place(self, offset: int, is_end: bool = False) -> Place:
        """The place that a byte of the tail stands for; the end of a piece counts as belonging to it."""
        number = self._at(offset - is_end)
        piece = self._pieces[number]
        if piece.exact:
            start, within = piece.span.start, offset - self._starts[number]
            if not piece.text.isascii():
                within = len(piece.text.encode()[:within].decode(errors="replace"))
            return Place(start.file, start.line, start.column + within)
        return piece.span.end if is_end else piece.span.start

    def piece(self, offset: int) -> Piece:
        return self._pieces[self._at(offset)]

    def said_of(self, said: Iterable[Diagnostic], before: bytes, file: str) -> Iterator[tuple[Diagnostic, int]]:
        """What clang says of the tail of `file`, whose own text is `before`, each with the byte that it is about."""
        starts = [0, *(m.end() for m in re.finditer(rb"\n", before + self.text))]
        for diagnostic in said:
            place = diagnostic.span.start
            if place.file == file and place.line:
                offset = starts[min(place.line, len(starts)) - 1] + max(place.column - 1, 0)
                if offset >= self.start:
                    yield diagnostic, offset

    def _at(self, offset: int) -> int:
        return min(max(bisect_right(self._starts, offset) - 1, 0), len(self._pieces) - 1)


def written(words: Words, start: int, end: int) -> list[Piece]:
    """Some characters of a text that a user wrote, cut at the ends of lines."""
    found: list[Piece] = []
    for number, line in enumerate(words.text[start:end].split("\n")):
        if number:
            found.append(Piece("\n", words.part(start - 1, start)))
        span = words.part(start, start + len(line))
        found.append(Piece(line, span, exact=bool(span.start.column)))
        start += len(line) + 1
    return found
