"""Finds what a project says about compiling a file: `compile_commands.json` and `compile_flags.txt`, as clangd does."""

from __future__ import annotations

import json
import os
import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from stateglass.source import Code, Diagnostic, InputError, Severity, Span, decoded, input_error, unreadable

COMMANDS: Final = "compile_commands.json"
FIXED_FLAGS: Final = "compile_flags.txt"
_BUILD_FOLDER: Final = "build"
MOST_BYTES: Final = 64 << 20
"""The largest database that is read."""
_MOST_PROBLEMS: Final = 20


@final
@dataclass(frozen=True, slots=True)
class Command:
    """How a file is compiled: the words after the compiler's name, as seen from a folder."""

    origin: str  # the file that says so
    compiler: str | None  # the program that the command starts with; a list of flags has none
    arguments: tuple[str, ...]
    folder: str


@final
@dataclass(frozen=True, slots=True)
class _Entry:
    """An object of a database, checked."""

    file: str  # absolute
    folder: str
    words: tuple[str, ...] | str  # a list, or a line for a shell


@final
@dataclass(frozen=True, slots=True)
class _Database:
    """A `compile_commands.json`: its entries by the last part of the file's name."""

    path: Path
    entries: Mapping[str, list[_Entry]]


@final
class Databases:
    """The databases met so far, each read once, and what is worth saying about them."""

    def __init__(self, build_folder: str | None = None) -> None:
        self.notes: list[Diagnostic] = []
        self._given = _given_path(build_folder) if build_folder is not None else None
        self._read: dict[Path, _Database] = {}

    def command(self, file: str) -> Command | None:
        """How a file is compiled, if the project says it."""
        path = self._given or _nearest(file)
        if path is None:
            return None
        if path.name == FIXED_FLAGS:
            return _fixed_flags(path)
        if path not in self._read:
            self._read[path] = _read_database(path)
        return self._look_up(self._read[path], file)

    def _look_up(self, database: _Database, file: str) -> Command | None:
        wanted = os.path.abspath(file)
        entries = database.entries.get(os.path.basename(wanted), [])
        found = [e for e in entries if e.file == wanted]
        found = found or [e for e in entries if os.path.realpath(e.file) == os.path.realpath(wanted)]
        name = str(database.path)
        if not found:
            message = f"`{name}` has no entry for `{file}`: it is read with default flags"
            help = "-D, -I and --flag add to them"
            self.notes.append(Diagnostic(Code.FLAG, message, severity=Severity.WARNING, help=help))
            return None
        if len(found) > 1:
            message = f"`{name}` has {len(found)} entries for `{file}`: the first is used"
            self.notes.append(Diagnostic(Code.FLAG, message, severity=Severity.NOTE))
        words = _words(database.path, file, found[0].words)
        return Command(name, words[0], words[1:], found[0].folder)


def _given_path(name: str) -> Path:
    """The database in a folder that was named; the database itself may be named as well."""
    path = Path(name)
    if path.is_dir():
        candidates = [path / COMMANDS, path / FIXED_FLAGS]
        if (found := next((c for c in candidates if c.is_file()), None)) is not None:
            return found
        help = "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; for other build systems there is `bear`"
        raise input_error(Code.FLAG, f"there is no {COMMANDS} in `{name}`", help=help)
    if path.is_file() and (path.suffix == ".json" or path.name == FIXED_FLAGS):
        return path
    problem = "is no folder and no database" if path.exists() else "does not exist"
    raise input_error(Code.FLAG, f"the build folder `{name}` {problem}", help=f"name the folder with {COMMANDS}")


def _nearest(file: str) -> Path | None:
    """The database of the closest folder that has one, from the folder of the file upwards."""
    folder = Path(os.path.abspath(file)).parent
    for place in (folder, *folder.parents):
        for candidate in (place / COMMANDS, place / _BUILD_FOLDER / COMMANDS, place / FIXED_FLAGS):
            if candidate.is_file():
                return candidate if os.path.isabs(file) else Path(os.path.relpath(candidate))
    return None


def _fixed_flags(path: Path) -> Command:
    """The flags of a `compile_flags.txt`, one on each line, as seen from its folder."""
    lines = [line.strip() for line in _text(path).splitlines()]
    return Command(str(path), None, tuple(line for line in lines if line), str(path.parent))


def _words(path: Path, file: str, words: tuple[str, ...] | str) -> tuple[str, ...]:
    if isinstance(words, str):
        try:
            words = tuple(shlex.split(words))
        except ValueError as error:
            message = f"the command for `{file}` cannot be split into words: {str(error).lower()}"
            raise input_error(Code.FLAG, message, Span.at(str(path))) from None
    if not words:
        raise input_error(Code.FLAG, f"the command for `{file}` is empty", Span.at(str(path)))
    return words


def _read_database(path: Path) -> _Database:
    content = _json(path)
    if not isinstance(content, list):
        raise input_error(Code.FLAG, "a compilation database is a list of objects", Span.at(str(path)))
    problems: list[str] = []
    entries: dict[str, list[_Entry]] = defaultdict(list)
    for number, item in enumerate(content, 1):
        wrong = list(_problems_of(item))
        if wrong:
            problems += [f"entry {number} {what}" for what in wrong]
            continue
        folder = os.path.join(os.path.abspath(path.parent), item.get("directory", ""))
        file = os.path.normpath(os.path.join(folder, item["file"]))
        words = tuple(item["arguments"]) if "arguments" in item else item["command"]
        entries[os.path.basename(file)].append(_Entry(file, os.path.normpath(folder), words))
    if problems:
        shown = [Diagnostic(Code.FLAG, text, Span.at(str(path))) for text in problems[:_MOST_PROBLEMS]]
        if len(problems) > _MOST_PROBLEMS:
            rest = f"{len(problems) - _MOST_PROBLEMS:,} more mistakes like these"
            shown.append(Diagnostic(Code.FLAG, rest, Span.at(str(path))))
        raise InputError(shown)
    return _Database(path, entries)


def _problems_of(item: object) -> Iterator[str]:
    if not isinstance(item, dict):
        yield "is not an object"
        return
    for key in ("file", "directory", "command"):
        if key in item and (not isinstance(item[key], str) or "\0" in item[key]):
            yield f"has a `{key}` that is not a text"
    arguments = item.get("arguments", [])
    if not isinstance(arguments, list) or not all(isinstance(a, str) and "\0" not in a for a in arguments):
        yield "has `arguments` that are not a list of texts"
    if "file" not in item:
        yield "has no `file`"
    if "arguments" not in item and "command" not in item:
        yield "has neither `arguments` nor `command`"


def _json(path: Path) -> object:
    text = _text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = Span.at(str(path), error.lineno, error.colno)
        raise input_error(Code.FLAG, f"this is not JSON: {error.msg.lower()}", where) from None
    except RecursionError:
        raise input_error(Code.FLAG, "this is nested too deeply", Span.at(str(path))) from None
    except ValueError as error:  # a number with thousands of digits
        raise input_error(Code.FLAG, f"this cannot be read: {error}", Span.at(str(path))) from None


def _text(path: Path) -> str:
    at = Span.at(str(path))
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(error, at) from None
    if len(data) > MOST_BYTES:
        message = f"the file has {path.stat().st_size:,} bytes; the limit is {MOST_BYTES >> 20} MiB"
        help = "write one with the files in question alone, and name its folder with --build-dir"
        raise input_error(Code.TOO_LARGE, message, at, help=help)
    return decoded(data, str(path), Code.FLAG)
