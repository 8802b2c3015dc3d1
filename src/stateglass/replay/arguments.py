"""Arguments as labels and strace write them: where both are plain numbers or strings they can be compared."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"(-?)(0[xX][0-9a-fA-F]{1,16}|\d{1,20})")
# After a number strace -y writes which file it is.
_DECODED: Final = re.compile(r"(-?\w+)<.*>", re.DOTALL)
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"(\.\.\.)?', re.DOTALL)
_ESCAPE: Final = re.compile(rb"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_LETTERS: Final = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a", b"b": b"\b"}


def may_be_equal(one: str, other: str) -> bool:
    """False only if both are numbers, or both strings, and differ; a name or a structure may be anything."""
    m, n = number(one), number(other)
    if m is not None and n is not None:
        # The same bits are written with a sign or without.
        return m == n or ((m < 0) != (n < 0) and abs(m - n) in (1 << 32, 1 << 64))
    s, t = _string(one), _string(other)
    if s is not None and t is not None:
        (a, a_cut), (b, b_cut) = s, t
        return a == b or (a_cut and b.startswith(a)) or (b_cut and a.startswith(b))
    return True


def same_status(label: str, status: int) -> bool:
    """Whether two exit statuses are the same to the system, which keeps their last eight bits."""
    expected = number(label)
    return expected is None or (expected - status) % 256 == 0


def number(text: str) -> int | None:
    decoded = _DECODED.fullmatch(text)
    found = _NUMBER.fullmatch(decoded[1] if decoded else text)
    if found is None:
        return None
    digits = found[2]
    base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" and set(digits) <= set("01234567") else 10
    return (-1 if found[1] else 1) * int(digits, base)


def _string(text: str) -> tuple[bytes, bool] | None:
    """The bytes of a string, and whether it was cut (`"abc"...`)."""
    found = _STRING.fullmatch(text)
    if found is None:
        return None
    return _ESCAPE.sub(_character, found[1].encode("utf-8", "surrogateescape")), found[2] is not None


def _character(escape: re.Match[bytes]) -> bytes:
    code = escape[1]
    if code[:1] == b"x" and len(code) > 1:
        return bytes([int(code[1:], 16)])
    if code.isdigit() and all(digit < 0x38 for digit in code):
        return bytes([int(code, 8) & 0xFF])
    return _LETTERS.get(code, code)
