"""Turns C/C++ into a program; the only room that knows clang exists; one public function."""

from stateglass.frontend.reading import LENIENCIES, MOST_BYTES, Reading, Surroundings, read_program

__all__ = ["LENIENCIES", "MOST_BYTES", "Reading", "Surroundings", "read_program"]
