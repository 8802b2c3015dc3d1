"""Cuts the text of a map into tokens, and says where in it something is wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

from stateglass.logic.predicates import Operator
from stateglass.source import NOWHERE, Code, Diagnostic, Lines, Place, Severity, Span, pointed, shown

_MARKS: Final = {
    "=>": "ARROW",
    "...": "ELLIPSIS",
    "..": "DOTS",
    "->": "MEMBER_ARROW",
    "::": "SCOPE",
    "=": "ASSIGN",
    "?": "QUESTION",
    "(": "OPEN",
    ")": "CLOSE",
    "[": "OPEN_INDEX",
    "]": "CLOSE_INDEX",
    "{": "BEGIN",
    "}": "END",
    ",": "COMMA",
    ";": "SEMICOLON",
    ":": "COLON",
    ".": "DOT",
}
# A longer one comes before those that it begins with; messages offer the looser operator first.
OPERATORS: Final = dict(
    sorted({**_MARKS, **{o.value: o.name for o in reversed(Operator)}}.items(), key=lambda kind: -len(kind[0]))
)
QUOTES: Final = "'`‘’"

# `i~2` is the second variable `i` of a function, `count@motor.c` the one of this file.
_NAME: Final = r"[^\W\d][\w$]*(?:~[0-9]+)?(?:@(?:\w+(?:\.\w+)?|\"[^\"\\\n]*\"))?"
_TOKEN: Final = re.compile(
    rf"""
    (?P<BLANK>(?:\s+|(?://|[#])[^\n]*|/\*.*?\*/)+)
  | (?P<NAME>{_NAME})
  | (?P<NUMBER>[0-9][0-9A-Za-z_]*)
  | (?P<STRING>"(?:\\[^\n]|[^"\\\n])*")
  | (?P<CHARACTER>'(?:\\[^\n]|[^'\\\n])*')
  | (?P<PARAMETER>\$[0-9]+)
  | (?P<UNCLOSED>/\*.*)
  | (?P<OPERATOR>{"|".join(re.escape(o) for o in OPERATORS)})
  | (?P<STRAY>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTE: Final = re.compile(f"[{QUOTES}]")


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
    """The text of a map: from a file, or from elsewhere, and then `label` says from where.

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
            return Span(
                Place(at.file, at.line, at.column + start),
                Place(at.file, at.line, at.column + end),
            )
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


def tokens_of(text: Text) -> list[Token]:
    """The tokens of a text; what is none is a problem, and left out."""
    found: list[Token] = []
    position, in_label = 0, False
    while position < len(text.text):
        # In a label a quote is no character constant: it stands in front of the label, or behind it.
        quote = _QUOTE.match(text.text, position) if in_label else None
        match = quote or _TOKEN.match(text.text, position)
        assert match is not None
        kind, word, start, end = "QUOTE" if quote else str(match.lastgroup), match[0], match.start(), match.end()
        position = end
        if kind == "OPERATOR":
            kind = OPERATORS[word]
            in_label = kind == "ARROW" or (in_label and kind != "SEMICOLON")
        if kind == "UNCLOSED":
            text.problem("this comment is not closed", start, start + 2, "close it with `*/`")
        elif kind == "STRAY":
            _stray(text, word, start)
        elif kind != "BLANK":
            found.append(Token(kind, word, start, end))
    return found


def _stray(text: Text, character: str, position: int) -> None:
    if character in "\"'":
        text.problem(f"the closing {character} is missing", position, position + 1)
        return
    text.problem(f"{shown(character)} means nothing in a map", position, position + 1)
