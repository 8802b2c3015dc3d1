"""Any text as an identifier, and back.

Letters and digits of ASCII stand for themselves, `_` is written `__`, any other character `_xHEX_` with its code point.
Where the result cannot stand (it begins with a character that the language does not allow there, or is one of its
words) `x_q` is put in front. Nothing else contains `_q`, so names with it are free for the writer.
"""

from __future__ import annotations

import re
from collections.abc import Container

_OTHER = re.compile(r"[^A-Za-z0-9]")
_CODE = re.compile(r"__|_x([0-9a-f]{1,6})_")
_PREFIX = "x_q"


def identifier(text: str, starts: str = "a-zA-Z", words: Container[str] = ()) -> str:
    """The identifier for a text, in a language whose identifiers begin with `starts` and that has these `words`."""
    plain = _OTHER.sub(lambda m: "__" if m[0] == "_" else f"_x{ord(m[0]):x}_", text)
    fine = re.match(f"[{starts}]", plain) is not None and plain not in words
    return plain if fine else _PREFIX + plain


def original(name: str) -> str:
    """The text that `identifier` made this of."""
    return _CODE.sub(_character, name.removeprefix(_PREFIX))


def character(number: int, otherwise: str) -> str:
    """The character of a code point; where there is none, what stood there."""
    return chr(number) if number < 0xD800 or 0xDFFF < number <= 0x10FFFF else otherwise


def _character(match: re.Match[str]) -> str:
    return character(int(match[1], 16), match[0]) if match[1] else "_"
