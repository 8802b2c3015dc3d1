"""Where a cursor's text stands: spans, also for text that comes out of macros."""

from __future__ import annotations

import ctypes
import re
import weakref
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Final, final

import clang.cindex as ci

from stateglass.frontend.clang.appended import Tail
from stateglass.frontend.clang.libclang import Cursor, OpaquePointer, library, shown_name
from stateglass.source import Place, Span

# Bit 31 of a location says that it lies in a macro.
_MACRO: Final = 1 << 31
_MACRO_NAME: Final = re.compile(rb"[A-Za-z_]\w*(?!\w|\s*\()")


@final
class _Files:
    """Turns clang's locations into places without asking clang each time.

    Outside of macros, a location is a number: where its file begins, plus an offset. One question to clang tells where
    the file begins; after that a search among the beginnings of its lines gives line and column.
    """

    def __init__(self, unit: ci.TranslationUnit, tail: Tail | None = None) -> None:
        self._unit = weakref.ref(unit)
        self._main = shown_name(unit.spelling)
        self._tail = tail
        self._begins: list[int] = []
        self._ends: list[int] = []
        self._names: list[str] = []
        self._lines: list[list[int]] = []
        self.spans: dict[tuple[int, int], Span] = {}

    def place(self, number: int, locate: Callable[[], Any], is_end: bool = False) -> Place:
        """The place of a location: its number, and a way to get at the location itself."""
        position = bisect_right(self._begins, number) - 1
        if position < 0 or number > self._ends[position]:
            position = self._learn(number, locate())
            if position < 0:
                return Place("", 0)
        offset = number - self._begins[position]
        if self._tail is not None and offset >= self._tail.start and self._names[position] == self._main:
            return self._tail.place(offset, is_end)
        lines = self._lines[position]
        line = bisect_right(lines, offset)
        return Place(self._names[position], line, offset - lines[line - 1] + 1)

    def slow_place(self, function: Any, location: Any, is_end: bool = False) -> Place:
        """The place of a location in a macro."""
        file, line, column, offset = _asked(function, location)
        name = _name_of_file(file)
        if self._tail is not None and offset >= self._tail.start and name == self._main:
            return self._tail.place(offset, is_end)
        return Place(name, line, column)

    def _learn(self, number: int, location: Any) -> int:
        file, _, _, offset = _asked(library().expansion_location, location)
        if not file:
            return -1
        text = self.contents(file)
        begin = number - offset
        position = bisect_right(self._begins, begin)
        self._begins.insert(position, begin)
        self._ends.insert(position, begin + len(text))
        self._names.insert(position, _name_of_file(file))
        self._lines.insert(position, [0, *(m.end() for m in re.finditer(rb"\n", text))])
        return position

    def contents(self, file: int) -> bytes:
        size = ctypes.c_size_t()
        start = library().file_contents(self._unit(), OpaquePointer(file), ctypes.byref(size))
        return ctypes.string_at(start, size.value) if start else b""


_files: weakref.WeakKeyDictionary[ci.TranslationUnit, _Files] = weakref.WeakKeyDictionary()


def _asked(function: Any, location: Any) -> tuple[int, int, int, int]:
    """File, line, column and offset of a location, as clang tells them."""
    file, line, column, offset = OpaquePointer(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    function(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset))
    return file.value or 0, line.value, column.value, offset.value


def _name_of_file(file: int) -> str:
    return shown_name(ci._CXString.from_result(library().file_name(OpaquePointer(file)))) if file else ""


def _files_of(cursor: Cursor) -> _Files:
    files = _files.get(cursor._tu)
    if files is None:
        files = _files[cursor._tu] = _Files(cursor._tu)
    return files


def note_tail(unit: ci.TranslationUnit, tail: Tail) -> None:
    """From now on, text behind the end of a unit's file is located where it really comes from."""
    _files[unit] = _Files(unit, tail)


def macro_used(cursor: Cursor) -> str:
    """The macro without parameters that a cursor's text begins with, as it is used; empty if there is none."""
    extent = library().extent(cursor)
    if not extent.begin_int_data & _MACRO:
        return ""
    file, _, _, offset = _asked(library().expansion_location, extent.start)
    found = _MACRO_NAME.match(_files_of(cursor).contents(file), offset)
    return found[0].decode() if found is not None else ""


def is_one_macro(cursor: Cursor) -> bool:
    """Whether a cursor's text, where it is used, is the name of a macro and nothing else."""
    span, name = span_of(cursor), macro_used(cursor)
    return bool(name) and span.start.line == span.end.line and span.end.column - span.start.column <= len(name)


def span_of(cursor: Cursor) -> Span:
    """Where a cursor's text is used and, for text out of a macro, where it is defined.

    `clang.cindex` gives expansion places only.
    """
    extent = library().extent(cursor)
    files = _files_of(cursor)
    # The same text is asked for again and again: by an expression, its conversions, and whoever holds it.
    key = extent.begin_int_data, extent.end_int_data
    span = files.spans.get(key)
    if span is None:
        span = files.spans[key] = _span(files, extent)
    return span


def _span(files: _Files, extent: Any) -> Span:
    begin, finish = extent.begin_int_data, extent.end_int_data
    if not (begin | finish) & _MACRO:
        return Span(files.place(begin, lambda: extent.start), files.place(finish, lambda: extent.end, is_end=True))
    start, end = extent.start, extent.end
    door = library()
    first = files.slow_place(door.expansion_location, start)
    last = files.slow_place(door.expansion_location, end, is_end=True)
    spelled = files.slow_place(door.spelling_location, start)
    # An argument of the macro is spelled where the macro is used.
    given = spelled.file == first.file and first.line <= spelled.line <= last.line
    defined = None if given or not spelled.line else spelled
    return Span(first, last if last.file == first.file else first, defined)
