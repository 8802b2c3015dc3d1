"""What C++ code uses of its library that ours does not have: functions with it are not understood, the others are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from clang.cindex import CursorKind, TranslationUnit

from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.units import FUNCTIONS, declared_in
from stateglass.source import Diagnostic, Severity, Span

HEADERS: Final = frozenset(
    {
        "barrier",
        "ccomplex",
        "cfenv",
        "clocale",
        "codecvt",
        "complex",
        "csetjmp",
        "csignal",
        "ctgmath",
        "cuchar",
        "cwchar",
        "cwctype",
        "execution",
        "expected",
        "filesystem",
        "format",
        "fstream",
        "future",
        "generator",
        "latch",
        "locale",
        "mdspan",
        "memory_resource",
        "print",
        "regex",
        "scoped_allocator",
        "semaphore",
        "spanstream",
        "stacktrace",
        "stdfloat",
        "stop_token",
        "strstream",
        "syncstream",
        "typeindex",
        "valarray",
    }
)
"""Headers of the C++ library that ours has not."""
_OF_LIBRARY: Final = re.compile(r"'(?:const )?std(?:::[^']*)?'")
HELP: Final = (
    "our C++ library does not have all of the standard's: `The C++ library` in the documents says what there is"
)


def set_apart(unit: TranslationUnit, problems: list[Diagnostic]) -> tuple[list[Diagnostic], tuple[Diagnostic, ...]]:
    """What is wrong with a file, and what only keeps single functions from being understood.

    A function is one if something of the library is not there; what else is wrong in it follows from that.
    """
    lacking = [d for d in problems if is_lacking(d)]
    bodies = [body for body in _bodies(unit.cursor) if any(_lies_in(d, body) for d in lacking)] if lacking else []
    apart = tuple(d for d in problems if d.severity is Severity.ERROR and any(_lies_in(d, body) for body in bodies))
    rest = [d for d in problems if d not in apart]
    if any(d.severity is Severity.ERROR for d in rest):
        return [replace(d, help=HELP) if is_lacking(d) and not d.help else d for d in problems], ()
    return rest, apart


def is_lacking(diagnostic: Diagnostic) -> bool:
    """Whether clang misses something that belongs to the library; a name that is nearly right is a mistake."""
    message = diagnostic.message
    return (
        diagnostic.severity is Severity.ERROR
        and message.startswith("no ")
        and "did you mean" not in message
        and _OF_LIBRARY.search(message) is not None
    )


def not_understood(function: Span, problems: Iterable[Diagnostic]) -> Diagnostic | None:
    """The first of some problems that is about the library and lies in a function."""
    return next((d for d in problems if is_lacking(d) and _lies_in(d, function)), None)


def _bodies(scope: Cursor) -> list[Span]:
    found = (c for c in declared_in(scope) if c.kind in FUNCTIONS and not c.location.is_in_system_header)
    return [span_of(b) for c in found for b in c.get_children() if b.kind is CursorKind.COMPOUND_STMT]


def _lies_in(diagnostic: Diagnostic, span: Span) -> bool:
    place = diagnostic.span.start
    return place.file == span.start.file and span.start <= place <= span.end
