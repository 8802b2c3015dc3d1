"""The text of a claim, where its characters stand, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

from stateglass.source import Code, Diagnostic, InputError, Lines, Place, Span, pointed

COMMAND_LINE: Final = "<claim>"
"""What stands for a file where a claim is not in one; a scenario of a command line has a name like it."""
MOST_PROBLEMS: Final = 50
"""With more, reading on helps nobody."""


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A word of a notation: the characters from `start` to `end`, and what they mean as far as that is clear."""

    type: str  # as the parser calls it; without its value where it begins with `_`
    text: str
    start: int
    end: int
    value: Any = None


@final
class Text:
    """A text that is being read. `problems` collects what is wrong."""

    def __init__(
        self, text: str, file: str = COMMAND_LINE, line: int = 1, column: int = 1, code: Code = Code.CLAIM
    ) -> None:
        self.text = text
        self.problems: list[Diagnostic] = []
        self._at = Place(file, line, column)
        self._code = code
        self._lines = Lines(text, self._at)

    def again(self) -> Text:
        """A copy of the text, without problems."""
        return Text(self.text, self._at.file, self._at.line, self._at.column, self._code)

    def span(self, start: int, end: int) -> Span:
        return self._lines.span(start, end)

    def problem(self, message: str, start: int, end: int, help: str = "", code: Code | None = None) -> None:
        """Notes a problem with some characters; where they are in no file, they are shown below the message."""
        if self._at.file.startswith("<"):
            message += pointed(self.text, start, end)
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Diagnostic(code or self._code, message, self.span(start, end), help=help))

    def problem_with(self, token: Token, message: str, help: str = "") -> None:
        self.problem(message, token.start, token.end, help)

    def problem_at(self, span: Span, message: str, help: str = "", code: Code | None = None) -> None:
        """Notes a problem at a place in the text; a part that was made up, and has no place, counts as all of it."""
        if span.file:
            self.problem(message, self._lines.position(span.start), self._lines.position(span.end), help, code)
        else:
            self.problem(message, 0, len(self.text), help, code)

    def check(self) -> None:
        """Raises everything that is wrong."""
        if self.problems:
            raise InputError(sorted(self.problems, key=lambda d: (d.span, d.message)))
