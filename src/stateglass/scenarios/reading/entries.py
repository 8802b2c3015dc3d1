"""The entries of a file of scenarios: lines, with those that go on with them, without comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.logic.reading.text import Text

# What is in quotes is no comment, nor is what is not apart from the text before it.
_PART: Final = re.compile(r"""(?P<comment>(?<!\S)\#.*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|`(?:\\.|[^`\\\n])*`|.""")


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """A definition or a scenario: some of the characters of a text."""

    start: int
    end: int


def without_comments(text: str) -> str:
    """The text with blanks in place of comments: every character stays where it is."""
    text = text.replace("\r", " ")
    return _PART.sub(lambda part: " " * len(part[0]) if part["comment"] else part[0], text) if "#" in text else text


def entries(text: Text) -> Iterator[Entry]:
    """The entries of a text without comments. A line that is indented more than the first goes on with those before."""
    margin: int | None = None
    start = end = position = 0
    for line in text.text.split("\n"):
        if line.strip():
            indent = len(line) - len(line.lstrip())
            if margin is None or indent <= margin:
                if margin is not None:
                    yield Entry(start, end)
                else:
                    margin = indent
                start = position + indent
            end = position + len(line.rstrip())
        position += len(line) + 1
    if margin is not None:
        yield Entry(start, end)
