"""Turns C into a program; the only room that knows that clang exists."""

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
