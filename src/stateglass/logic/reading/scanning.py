"""Pieces of text that all notations of claims share: quotes, brackets, the labels of events."""

from __future__ import annotations

import re
from typing import Final

from stateglass.logic.reading.text import Text, shown

_QUOTES: Final = r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'|`(?:\\.|[^`\\])*`"""
_BRACKET: Final = {"(": re.compile(_QUOTES + "|[()]", re.DOTALL), "[": re.compile(_QUOTES + r"|[\[\]]", re.DOTALL)}
_COMMA: Final = re.compile(rf"({_QUOTES})|\s*,\s*|\s+", re.DOTALL)
_PART: Final = r"[\w*?$]+"
EVENT: Final = re.compile(rf"[\^~]?(?:::)?(?!\d){_PART}(?:(?:\.|::)~?{_PART}|\[[\d*?]+\])*(?:<[\w :*&,]+>)?")
"""The name of an event; its arguments follow in parentheses. Stars and question marks make it a pattern."""


def closing(text: str, start: int, end: int) -> int | None:
    """The position behind the bracket that closes the one at `start`."""
    depth = 0
    for match in _BRACKET[text[start]].finditer(text, start, end):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(match[0], 0)
        if not depth:
            return match.end()
    return None


def event_end(text: str, start: int, end: int) -> int | None:
    """The position behind an event that begins here; where it is not closed, None."""
    match = EVENT.match(text, start, end)
    assert match is not None
    position = match.end()
    return closing(text, position, end) if text[position : min(position + 1, end)] == "(" else position


def event_text(text: str) -> str:
    """An event as labels have it: one blank behind each comma, none around parentheses."""
    spaced = _COMMA.sub(lambda m: m[1] or (", " if "," in m[0] else " "), text)
    return re.sub(r"^([^(]*\() | (\))$", r"\1\2", spaced)


def unescaped(text: str, mark: str) -> str:
    """What a text between quotation marks says; a backslash that escapes nothing stands for itself."""
    known = {"n": "\n", "r": "\r", "\\": "\\", mark: mark}
    return re.sub(r"\\(.)", lambda m: known.get(m[1], m[0]), text, flags=re.DOTALL)


def check_pattern(text: Text, pattern: str, start: int, end: int) -> None:
    """Notes what is wrong with a pattern for labels."""
    if not pattern.strip() or pattern == "re:":
        text.problem("a pattern for events is empty", start, end, "name a label, or use * for all of them")
    elif pattern.startswith("re:"):
        try:
            re.compile(pattern.removeprefix("re:"), re.DOTALL)
        except (re.error, RecursionError, OverflowError) as error:
            text.problem(f"{shown(pattern)} is no regular expression: {error}", start, end)
