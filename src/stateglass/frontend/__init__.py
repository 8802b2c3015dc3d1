"""Turns C/C++ into a program; the only room that knows clang exists; one public function."""

from stateglass.frontend.flags import LENIENCIES, FileFlags
from stateglass.frontend.reading import (
    MOST_BYTES,
    MissingHeader,
    MissingHeaders,
    Reading,
    Surroundings,
    read_program,
)

__all__ = [
    "LENIENCIES",
    "MOST_BYTES",
    "FileFlags",
    "MissingHeader",
    "MissingHeaders",
    "Reading",
    "Surroundings",
    "read_program",
]
