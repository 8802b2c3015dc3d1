"""Turns C into a program; the only room that knows that clang exists."""

from stateglass.frontend.flags import LENIENCIES, FileFlags
from stateglass.frontend.parsing import MissingHeader
from stateglass.frontend.reading import Reading, Surroundings, read_program
from stateglass.source import MissingHeaders

__all__ = [
    "LENIENCIES",
    "FileFlags",
    "MissingHeader",
    "MissingHeaders",
    "Reading",
    "Surroundings",
    "read_program",
]
