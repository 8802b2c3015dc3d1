"""Texts in notations of ours: their words, where these stand, and what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from stateglass.source.diagnostics import Code, Diagnostic, Severity
from stateglass.source.lines import Lines
from stateglass.source.spans import NOWHERE, Place, Span
from stateglass.source.wording import pointed


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A word of the notation: the characters from `start` to `end`."""

    kind: str
    text: str
    start: int
    end: int


@final
class Text:
    """A text that is read: from a file, or from elsewhere, and then `label` says from where.

    `problems` collects what is wrong with it; `code` is what kind of problems these are.
    """

    def __init__(self, text: str, file: str = "", label: str = "", span: Span = NOWHERE, code: Code = Code.MAP) -> None:
        self.text = text
        self.code = code
        self.problems: list[Diagnostic] = []
        self._file = file
        self._label = label
        self._span = span
        self._lines = Lines(text, Place(file, 1, 1))

    def span(self, start: int, end: int) -> Span:
        """Where characters stand; if the text is not a file of its own, as exactly as can be told."""
        if self._file:
            return self._lines.span(start, end)
        at = self._span.start
        if self._exact():
            return Span(Place(at.file, at.line, at.column + start), Place(at.file, at.line, at.column + end))
        return self._span

    def problem(self, message: str, start: int, end: int, help: str = "", code: Code | None = None) -> None:
        self.problems.append(self._diagnostic(code or self.code, message, start, end, help, Severity.ERROR))

    def warning(self, message: str, start: int, end: int, help: str = "") -> Diagnostic:
        return self.finding(message, start, end, help, Severity.WARNING)

    def finding(self, message: str, start: int, end: int, help: str, severity: Severity) -> Diagnostic:
        """Something about the text that is not found out by reading it alone."""
        return self._diagnostic(self.code, message, start, end, help, severity)

    def all_problems(self) -> list[Diagnostic]:
        """All problems, in the order of their places."""
        return sorted(self.problems, key=lambda d: d.span)

    def first_on_its_line(self, position: int) -> bool:
        return not self.text[self._lines.start(position) : position].strip()

    def _diagnostic(self, code: Code, message: str, start: int, end: int, help: str, severity: Severity) -> Diagnostic:
        below = "" if self._file or self._exact() else pointed(self.text, start, end)
        return Diagnostic(code, f"{self._label}{message}{below}", self.span(start, end), severity, help)

    def _exact(self) -> bool:
        """Whether the text stands in its file as it is, in one line."""
        start, end = self._span.start, self._span.end
        return bool(start.column) and start.line == end.line and end.column - start.column == len(self.text)
