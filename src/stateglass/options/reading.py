"""Reads a project file and reports everything that is wrong with it at once."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

from stateglass.options.claims import read_all
from stateglass.options.positions import find_positions
from stateglass.options.project import PROJECT_FILE, Project
from stateglass.options.validation import Validation
from stateglass.options.values import printable
from stateglass.source import Code, Diagnostic, InputError, Severity, Span, input_error, small_text

MOST_BYTES: Final = 1 << 20
# The time that reading a dotted key takes grows with the square of its parts.
MOST_KEY_PARTS: Final = 32

_LONG_KEY: Final = re.compile(rf"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){{{MOST_KEY_PARTS}}}")
_PLACE: Final = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)


def read_project(path: Path) -> tuple[Project, tuple[Diagnostic, ...]]:
    """The project that a file describes, with warnings about what this version does not use."""
    return parse_project(path, _text(path))


def parse_project(path: Path, text: str) -> tuple[Project, tuple[Diagnostic, ...]]:
    """The project that a text describes, with warnings; lines must end with a line feed alone."""
    table = _table(path, text)
    try:
        positions = find_positions(str(path), text)
    except RecursionError:
        raise _too_deep(path) from None
    validation = Validation(positions)
    project = validation.project(path, table)
    found = validation.diagnostics
    if any(d.severity is Severity.ERROR for d in found):
        # Claims are read by the command that needs them, but what is wrong with a file is told at once.
        raise InputError(_in_order([*found, *read_all(project.claims)[1]]))
    return project, _in_order(found)


def _in_order(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda d: (d.span, d.message)))


def _text(path: Path) -> str:
    try:
        is_folder, is_special = path.is_dir(), path.exists() and not path.is_file()
    except (OSError, ValueError):
        is_folder = is_special = False  # the reader says what is wrong
    if is_folder:
        help = f"try `{printable(str(path))}/{PROJECT_FILE}`"
        raise input_error(Code.FILE, "this is a folder, not a project file", Span.at(str(path)), help)
    if is_special:
        raise input_error(Code.FILE, "this is not a regular file", Span.at(str(path)))
    return small_text(str(path), "a project file", Code.PROJECT, MOST_BYTES, help="`stateglass init` writes one")


def _table(path: Path, text: str) -> dict[str, object]:
    if found := _LONG_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        message = f"a name has more than {MOST_KEY_PARTS} parts"
        raise input_error(Code.PROJECT, message, Span.at(str(path), line))
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise _too_deep(path) from None
    except ValueError as error:
        raise _syntax_error(path, text, str(error)) from None


def _syntax_error(path: Path, text: str, message: str) -> InputError:
    """What is wrong with the TOML, with the place that tomllib gives in the text of its message."""
    found = _PLACE.match(message)
    if found is None:
        return input_error(Code.PROJECT, f"this is not TOML: {message}", Span.at(str(path)))
    if found[2]:
        line, column = int(found[2]), int(found[3])
    else:
        lines = text.rstrip("\n").split("\n")
        line, column = len(lines), len(lines[-1]) + 1
    reason = found[1][:1].lower() + found[1][1:]
    return input_error(Code.PROJECT, f"this is not TOML: {reason}", Span.at(str(path), line, column))


def _too_deep(path: Path) -> InputError:
    return input_error(Code.PROJECT, "lists and tables are nested too deeply", Span.at(str(path)))
