"""Places in source files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final, final

LIBRARY: Final = "<stateglass>/"
"""What the names of our own C files start with, wherever they are installed."""


@final
@dataclass(frozen=True, slots=True, order=True)
class Place:
    """One position: file as the user named it, line and column from 1 (0: unknown)."""

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file or "?"
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


@final
@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source text, `end` exclusive.

    For text that comes out of a macro, `start` is where the macro is used, `defined` where its text stands.
    """

    start: Place
    end: Place
    defined: Place | None = None

    @staticmethod
    def at(file: str, line: int = 0, column: int = 0) -> Span:
        place = Place(file, line, column)
        return Span(place, place)

    @property
    def file(self) -> str:
        return self.start.file

    @property
    def line(self) -> int:
        return self.start.line

    @property
    def in_library(self) -> bool:
        """Whether this is text of our C library, not the user's."""
        return self.file.startswith(LIBRARY)

    def __str__(self) -> str:
        return str(self.start)


NOWHERE = Span.at("")


def same_file(name: str, file: str) -> bool:
    """Whether a name means a file: its path, or the end of it."""
    wanted, path = (os.path.normpath(p).replace(os.sep, "/") for p in (name, file))
    return path == wanted or path.endswith("/" + wanted)
