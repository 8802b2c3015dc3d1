"""Cuts the text of a map into tokens, and says where in it something is wrong."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, final

from stateglass.source import NOWHERE, Code, Diagnostic, Place, Severity, Span

SHOWN_AROUND: Final = 50

OPERATORS: Final = {
    "=>": "ARROW",
    "...": "ELLIPSIS",
    "..": "DOTS",
    "->": "MEMBER_ARROW",
    "||": "OR_ELSE",
    "&&": "AND_ALSO",
    "==": "EQUAL",
    "!=": "UNEQUAL",
    "<=": "LESS_EQUAL",
    ">=": "GREATER_EQUAL",
    "<<": "SHIFT_LEFT",
    ">>": "SHIFT_RIGHT",
    "::": "SCOPE",
    "|": "OR",
    "^": "XOR",
    "&": "AND",
    "<": "LESS",
    ">": "GREATER",
    "+": "ADD",
    "-": "SUBTRACT",
    "*": "MULTIPLY",
    "/": "DIVIDE",
    "%": "REMAINDER",
    "!": "NOT",
    "~": "COMPLEMENT",
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
QUOTES: Final = "'`‘’"

# `i~2` is the second variable `i` of a function, `count@motor.c` the one of this file.
_NAME: Final = r"[^\W\d][\w$]*(?:~[0-9]+)?(?:@(?:\w+(?:\.\w+)?|\"[^\"\\\n]*\"))?"
_TOKEN: Final = re.compile(
    rf"""
    (?P<BLANK>(?:\s+|//[^\n]*|/\*.*?\*/)+)
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
        self._lines = [0, *(m.end() for m in re.finditer("\n", text))]

    def span(self, start: int, end: int) -> Span:
        """Where characters stand; if the text is not a file of its own, as exactly as can be told."""
        if self._file:
            return Span(self._place(start), self._place(end))
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
        """In the order of their places."""
        return sorted(self.problems, key=lambda d: d.span)

    def first_on_its_line(self, position: int) -> bool:
        line = self._lines[bisect_right(self._lines, position) - 1]
        return not self.text[line:position].strip()

    def _diagnostic(self, code: Code, message: str, start: int, end: int, help: str, severity: Severity) -> Diagnostic:
        shown = "" if self._file or self._exact() else self._pointed(start, end)
        return Diagnostic(code, f"{self._label}{message}{shown}", self.span(start, end), severity, help)

    def _exact(self) -> bool:
        """Whether the text stands in its file as it is, in one line."""
        start, end = self._span.start, self._span.end
        return bool(start.column) and start.line == end.line and end.column - start.column == len(self.text)

    def _place(self, position: int) -> Place:
        line = bisect_right(self._lines, position)
        return Place(self._file, line, position - self._lines[line - 1] + 1)

    def _pointed(self, start: int, end: int) -> str:
        """Below the message, the text on one line, cut when long, with carets."""
        if not self.text.strip():
            return ""
        first = max(0, start - SHOWN_AROUND)
        shown = "".join(c if c.isprintable() else " " for c in self.text[first : start + SHOWN_AROUND])
        width = max(1, min(end - start, SHOWN_AROUND))
        return f"\n  {shown}\n  {' ' * (start - first)}{'^' * width}"


def tokens_of(text: Text) -> list[Token]:
    """The tokens of a text; what is none is a problem, and left out."""
    found: list[Token] = []
    position, in_label = 0, False
    while position < len(text.text):
        # In a label a quote is no character constant: it stands in front of the label, or behind it.
        quote = _QUOTE.match(text.text, position) if in_label else None
        match = quote or _TOKEN.match(text.text, position)
        assert match is not None
        kind, shown, start, end = "QUOTE" if quote else str(match.lastgroup), match[0], match.start(), match.end()
        position = end
        if kind == "OPERATOR":
            kind = OPERATORS[shown]
            in_label = kind == "ARROW" or (in_label and kind != "SEMICOLON")
        if kind == "UNCLOSED":
            text.problem("this comment is not closed", start, start + 2, "close it with `*/`")
        elif kind == "STRAY":
            _stray(text, shown, start)
        elif kind != "BLANK":
            found.append(Token(kind, shown, start, end))
    return found


def _stray(text: Text, character: str, position: int) -> None:
    if character in "\"'":
        text.problem(f"the closing {character} is missing", position, position + 1)
        return
    shown = character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"
    help = "a comment is `// …` or `/* … */`" if character == "#" else ""
    text.problem(f"`{shown}` means nothing in a map", position, position + 1, help)


def shown(text: str) -> str:
    """A text of the user within a message: on one line, and cut when long."""
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:60])
    return f"`{plain}{'…' if len(text) > 60 else ''}`"
