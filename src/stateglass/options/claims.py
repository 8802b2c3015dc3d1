"""Claims as a file has them: one on each line, with a name before an equals sign if it has one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

from stateglass.source import NOWHERE, Code, Place, Span, Words, input_error

MOST_BYTES: Final = 16 << 20
# `name = text`; the equals sign of a comparison or an arrow belongs to the claim.
_NAMED: Final = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*=(?![=>])[ \t]*")


@final
@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim that nobody has read yet."""

    words: Words
    name: str = ""


def given(texts: tuple[str, ...]) -> tuple[ClaimText, ...]:
    """Claims of a command line."""
    return tuple(ClaimText(Words(text, NOWHERE)) for text in texts)


def claims_in(file: str, text: str) -> tuple[ClaimText, ...]:
    """The claims of a file; a line that starts with a blank belongs to the one before, `#` starts a comment line."""
    found: list[ClaimText] = []
    names: dict[str, int] = {}
    lines = text.replace("\r\n", "\n").split("\n")
    number = 0
    while number < len(lines):
        start = number
        number += 1
        if not lines[start].strip() or lines[start].lstrip().startswith("#"):
            continue
        if lines[start][0].isspace():
            raise input_error(
                Code.SYNTAX,
                "a line that starts with a blank goes on with a claim, and there is none before it",
                Span.at(file, start + 1, 1),
                "start the line with the claim or its name",
            )
        while number < len(lines) and lines[number][:1].isspace() and lines[number].strip():
            number += 1
        found.append(_claim(file, start, lines[start:number]))
        name = found[-1].name
        if name and name in names:
            message = f"there are two claims `{name}`"
            raise input_error(
                Code.SYNTAX, message, Span.at(file, start + 1, 1), f"the first is on line {names[name] + 1}"
            )
        names[name] = start
    return tuple(found)


def _claim(file: str, line: int, lines: list[str]) -> ClaimText:
    named = _NAMED.match(lines[0])
    column = named.end() if named is not None else 0
    lines = [lines[0][column:], *lines[1:]]
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        message = f"the claim `{named[1] if named else ''}` says nothing"
        raise input_error(Code.SYNTAX, message, Span.at(file, line + 1, column + 1), "write it behind the equals sign")
    last = lines[-1].rstrip()
    lines[-1] = last
    start = Place(file, line + 1, column + 1)
    end_column = len(last) + 1 + (column if len(lines) == 1 else 0)
    end = Place(file, line + len(lines), end_column)
    return ClaimText(Words("\n".join(lines), Span(start, end)), named[1] if named else "")
