"""Characters and texts as C writes them, in the notations of bounds and of maps."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

_ESCAPES: Final = {"0": 0, "a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "\\": 92, "'": 39, '"': 34}


class Wrong(NamedTuple):
    """Why something is no literal, and what to write instead."""

    message: str
    help: str = ""


def character(literal: str) -> int | Wrong:
    """The value of `'a'`, `'\\n'`, `'\\x1B'`."""
    inner = literal[1:-1]
    value: int | None = None
    if len(inner) == 1 and inner.isascii():
        value = ord(inner)
    elif inner[:1] == "\\" and inner[1:] in _ESCAPES:
        value = _ESCAPES[inner[1:]]
    elif inner[:2] == "\\x" and 3 <= len(inner) <= 4 and all(c in "0123456789abcdefABCDEF" for c in inner[2:]):
        value = int(inner[2:], 16)
    if value is None:
        return Wrong("this is not one ASCII character", "characters are 'a', '\\n', '\\0', '\\x1B'")
    if value > 127:
        return Wrong("whether this character is negative depends on the target", "write it as a number")
    return value


def string(literal: str) -> str | Wrong:
    """What a text between quotation marks says."""
    try:
        text = json.loads(literal)
    except ValueError:
        help = 'escapes are \\" \\\\ \\n \\t \\u00e9'
        return Wrong("this text has an unknown escape or a control character", help)
    assert isinstance(text, str)
    if any("\ud800" <= c <= "\udfff" for c in text):
        return Wrong("this text has half of a surrogate pair, which is no character")
    return text
