"""Where the keys and values of a TOML text stand. The text has been read by `tomllib` before, so it is well-formed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.source import Lines, Place, Span

# A key, and below a key the index of an element of an array.
KeyPath = tuple[str | int, ...]

_BLANK: Final = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_STRINGS: Final = (
    re.compile(r'"""(?:"{0,2}(?:\\.|[^"\\]))*"{3,5}', re.DOTALL),
    re.compile(r"'''(?:'{0,2}[^'])*'{3,5}", re.DOTALL),
    re.compile(r'"(?:\\.|[^"\\\n])*"'),
    re.compile(r"'[^'\n]*'"),
)
_PLAIN: Final = re.compile(r"[^,\]}#\n]+")


@final
@dataclass(frozen=True, slots=True)
class Positions:
    """The span of each key and each value of a TOML file by its path."""

    file: str
    keys: dict[KeyPath, Span]
    values: dict[KeyPath, Span]

    def key(self, path: KeyPath) -> Span:
        """Where a key stands, or the closest key above it."""
        while path and path not in self.keys:
            path = path[:-1]
        return self.keys.get(path, Span.at(self.file, 1))

    def value(self, path: KeyPath) -> Span:
        return self.values.get(path) or self.key(path)


def find_positions(file: str, text: str) -> Positions:
    scanner = _Scanner(file, text)
    scanner.document()
    return Positions(file, scanner.keys, scanner.values)


@final
class _Scanner:
    """Walks over a well-formed text once and notes positions; what it does not recognise it steps over."""

    def __init__(self, file: str, text: str) -> None:
        self.keys: dict[KeyPath, Span] = {}
        self.values: dict[KeyPath, Span] = {}
        self._text = text
        self._at = 0
        self._lines = Lines(text, Place(file, 1, 1))

    def document(self) -> None:
        table: KeyPath = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            if self._peek() == "[":
                self._at += 2 if self._text.startswith("[[", self._at) else 1
                table = self._key(())
                self._past("]")
                self._past("]")
            else:
                self._pair(table)
            self._skip(_BLANK)

    def _pair(self, table: KeyPath) -> None:
        path = self._key(table)
        self._past("=")
        self._value(path)

    def _key(self, table: KeyPath) -> KeyPath:
        """A dotted key below a table; each of its parts is noted where it stands first."""
        path = table
        while True:
            self._skip(_SPACE)
            start = self._at
            found = _BARE_KEY.match(self._text, start) or self._string()
            self._at = found.end() if found else start + 1
            path = (*path, _key_text(self._text[start : self._at]))
            self.keys.setdefault(path, self._lines.span(start, self._at))
            self._skip(_SPACE)
            if self._peek() != ".":
                return path
            self._at += 1

    def _value(self, path: KeyPath) -> None:
        self._skip(_BLANK)
        start = self._at
        found = self._string()
        if found:
            self._at = found.end()
        elif self._peek() == "[":
            self._items(path, "]")
        elif self._peek() == "{":
            self._items(path, "}")
        else:
            found = _PLAIN.match(self._text, start)
            self._at = start + len(found[0].rstrip()) if found else start + 1
        self.values[path] = self._lines.span(start, self._at)

    def _items(self, path: KeyPath, closing: str) -> None:
        self._at += 1
        index = 0
        self._skip(_BLANK)
        while self._at < len(self._text) and self._peek() != closing:
            if closing == "}":
                self._pair(path)
            else:
                self._value((*path, index))
            index += 1
            self._skip(_BLANK)
            self._past(",")
            self._skip(_BLANK)
        self._at += 1

    def _string(self) -> re.Match[str] | None:
        return next((m for pattern in _STRINGS if (m := pattern.match(self._text, self._at))), None)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _past(self, sign: str) -> None:
        self._skip(_SPACE)
        if self._peek() == sign:
            self._at += 1

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]


def _key_text(written: str) -> str:
    """The key that a quoted or bare text stands for."""
    if written[:1] not in ('"', "'"):
        return written
    return next(iter(tomllib.loads(f"{written} = 0")), written)


def flat(path: KeyPath, table: dict[str, object]) -> Iterator[tuple[str, object, KeyPath]]:
    """The entries of a table of names. `f.x = …` without quotes is a table `f` in TOML, and means `"f.x"`."""
    pending = [(name, value, (*path, name)) for name, value in reversed(table.items())]
    while pending:
        name, value, where = pending.pop()
        if isinstance(value, dict) and value:
            pending += [(f"{name}.{key}", inner, (*where, key)) for key, inner in reversed(value.items())]
        else:
            yield name, value, where


def inside(span: Span, text: str) -> Span:
    """The span of a text within its quotes, when it is written in one line and without escapes."""
    start, end = span.start, span.end
    if start.line != end.line or end.column - start.column != len(text) + 2:
        return span
    return Span(Place(start.file, start.line, start.column + 1), Place(end.file, end.line, end.column - 1))
