"""Turns C/C++ into a program; the only room that knows clang exists; one public function."""

from stateglass.frontend.reading import Reading, read_program

__all__ = ["Reading", "read_program"]
