"""Pieces of text that all notations of claims share: quotes, brackets, the labels of events."""

from __future__ import annotations

import re
from typing import Final

from stateglass.logic.reading.text import Text
from stateglass.source import shown

_QUOTES: Final = r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'|`(?:\\.|[^`\\])*`"""
_BRACKET: Final = {"(": re.compile(_QUOTES + "|[()]", re.DOTALL), "[": re.compile(_QUOTES + r"|[\[\]]", re.DOTALL)}
_QUOTED: Final = re.compile(r'"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`', re.DOTALL)
_COMMA: Final = re.compile(rf"({_QUOTES})|\s*,\s*|\s+", re.DOTALL)
_PART: Final = r"[\w*?$]+"
EVENT: Final = re.compile(rf"[\^~]?(?:::)?(?!\d){_PART}(?:(?:\.|::)[\^~]?{_PART}|\[[\d*?]+\])*(?:<[\w :*&,]+>)?")
"""The name of an event; its arguments follow in parentheses. Stars and question marks make it a pattern."""


def closing(text: str, start: int, end: int) -> int | None:
    """The position behind the bracket that closes the one at `start`."""
    depth = 0
    for match in _BRACKET[text[start]].finditer(text, start, end):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(match[0], 0)
        if not depth:
            return match.end()
    return None


def event_at(text: Text, start: int, end: int) -> tuple[str, int] | None:
    """The pattern of an event that begins here and the position behind it; None if none begins here.

    Of what is not a pattern after all a problem is noted, and the pattern is empty.
    """
    known = len(text.problems)
    if quoted := _QUOTED.match(text.text, start, end):
        pattern, after = unescaped(quoted[0][1:-1], quoted[0][0]), quoted.end()
        _check_pattern(text, pattern, start, after)
        return pattern if len(text.problems) == known else "", after
    name = EVENT.match(text.text, start, end)
    if name is None:
        return None
    position = name.end()
    closed = closing(text.text, position, end) if text.text[position : min(position + 1, end)] == "(" else position
    if closed is None:
        text.problem("the closing ) of this event is missing", start, position + 1)
        return "", end
    return event_text(text.text[start:closed]), closed


def event_text(text: str) -> str:
    """An event as labels have it: one blank behind each comma, none around parentheses."""
    spaced = _COMMA.sub(lambda m: m[1] or (", " if "," in m[0] else " "), text)
    return re.sub(r"^([^(]*\() | (\))$", r"\1\2", spaced)


def unescaped(text: str, mark: str) -> str:
    """What a text between quotation marks says; a backslash that escapes nothing stands for itself."""
    known = {"n": "\n", "r": "\r", "\\": "\\", mark: mark}
    return re.sub(r"\\(.)", lambda m: known.get(m[1], m[0]), text, flags=re.DOTALL)


def _check_pattern(text: Text, pattern: str, start: int, end: int) -> None:
    """Notes what is wrong with a pattern for labels."""
    if not pattern.strip() or pattern == "re:":
        text.problem("a pattern for events is empty", start, end, "name a label, or use * for all of them")
    elif pattern.startswith("re:"):
        try:
            re.compile(pattern.removeprefix("re:"), re.DOTALL)
        except (re.error, RecursionError, OverflowError) as error:
            text.problem(f"{shown(pattern)} is no regular expression: {error}", start, end)
