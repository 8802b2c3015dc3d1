"""Cuts the text of a machine into statements: a line each, and further lines while a bracket is open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

from stateglass.source import Code, Diagnostic, Lines, Place, Span

MOST_LINES: Final = 200
"""How many lines a statement may have."""
KEYWORDS: Final = frozenset(("machine", "of", "in", "let", "assume", "initial", "state", "when", "priority"))
# What a line that begins so cannot be: the rest of an expression on the line before.
_BEGINS: Final = re.compile(
    r"(machine|let|assume|initial[ \t]+state|state)[ \t]|(\w+|\"[^\"\n]*\")[ \t]*->[ \t]*(\w+|\"[^\"\n]*\")"
    r"[ \t]*($|when\b|priority\b)"
)
_PART: Final = re.compile(r"""#.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[(\[{)\]}]|[^#"'()\[\]{}]+|.""")


@final
@dataclass(frozen=True, slots=True)
class Line:
    """A statement: what stands in front of it, and the text from `start` to `end` without comments."""

    indentation: str
    start: int
    end: int


@final
class Text:
    """The text of a machine. Comments are blanked out, so that what is left keeps its place; `problems` collects what
    is wrong."""

    def __init__(self, text: str, file: str) -> None:
        self.problems: list[Diagnostic] = []
        self._places = Lines(text, Place(file, 1, 1))
        self._starts = self._places.starts
        self._ends = [*(s - 1 for s in self._starts[1:]), len(text)]
        self.text = text
        self.text, self._depths = self._without_comments()

    def lines(self) -> list[Line]:
        found: list[Line] = []
        number = 0
        while number < len(self._starts):
            last = self._last_line(number)
            start, end = self._starts[number], self._ends[last]
            stripped = self.text[start:end].strip()
            if stripped:
                begin = self.text.index(stripped, start)
                found.append(Line(self.text[start:begin], begin, begin + len(stripped)))
            number = last + 1
        return found

    def _last_line(self, number: int) -> int:
        """The line that a statement ends in: brackets are open until there, and nothing else begins before."""
        depth, last = self._depths[number], number
        while depth > 0 and last + 1 < min(len(self._starts), number + MOST_LINES):
            following = self.text[self._starts[last + 1] : self._ends[last + 1]]
            if _BEGINS.match(following.strip()):
                break
            last += 1
            depth += self._depths[last]
        return last if depth <= 0 else number

    def _without_comments(self) -> tuple[str, list[int]]:
        """The text, and by how much each line opens more brackets than it closes."""
        lines: list[str] = []
        depths: list[int] = []
        for start, end in zip(self._starts, self._ends, strict=True):
            depth, kept = 0, ""
            for part in _PART.findall(self.text[start:end]):
                depth += (part in "([{") - (part in ")]}")
                kept += "" if part.startswith("#") else part
            lines.append(kept.ljust(end - start))
            depths.append(depth)
        return "\n".join(lines), depths

    def span(self, start: int, end: int) -> Span:
        return self._places.span(start, end)

    def problem(self, message: str, start: int, end: int, help: str = "", code: Code = Code.MACHINE) -> None:
        self.problems.append(Diagnostic(code, message, self.span(start, end), help=help))
