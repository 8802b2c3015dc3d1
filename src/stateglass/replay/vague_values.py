"""Arguments in the labels of an abstraction, each of which stands for several values: `top`, `2..7`, `0|2 mod 4`.

They are read as `values/abstract` writes them. A log has one value there, which may be one of them.
"""

from __future__ import annotations

import re
from typing import Final

from stateglass.replay.arguments import number

ANYTHING: Final = frozenset({"top", "maybe"})
_RANGE: Final = re.compile(r"(-?\d{1,20})\.\.(-?\d{1,20})")
_PIECE: Final = re.compile(r"\[(-?\d{0,20})\.\.(-?\d{0,20})\]")
_PIECES: Final = re.compile(rf"{_PIECE.pattern}(?:\|{_PIECE.pattern})*")
_REMAINDERS: Final = re.compile(r"((?:\d{1,6}\|)*\d{1,6}) mod (\d{1,6})")
_REFERENCE: Final = re.compile(r"(&[^=]+)=(.*)", re.DOTALL)
_WIDTHS: Final = (1 << 32, 1 << 64)


def is_vague(text: str) -> bool:
    """Whether an argument of a label stands for several values."""
    reference = _REFERENCE.fullmatch(text)
    if reference is not None:
        return is_vague(reference[2])
    return text in ANYTHING or _is_numbers(text) or _is_addresses(text)


def _is_numbers(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in (_RANGE, _REMAINDERS, _PIECES))


def _is_addresses(text: str) -> bool:
    return "|" in text and not text.startswith('"') and not _is_numbers(text)


def may_be_one_of(text: str, value: str, *, either_sign: bool = False) -> bool:
    """Whether a value of a log may be one of those that an argument stands for; what is no number may be any.

    With `either_sign` the same bits may be written with a sign or without.
    """
    reference = _REFERENCE.fullmatch(text)
    if reference is not None:
        place, _, content = value.partition("=")
        return place == reference[1] and may_be_one_of(reference[2], content, either_sign=either_sign)
    if _is_addresses(text):
        return value.partition("=")[0] in text.split("|")
    found = number(value)
    if found is None or text in ANYTHING:
        return True
    same = [found]
    for width in _WIDTHS if either_sign else ():
        same += [found - width] if width // 2 <= found < width else [found + width] if -width // 2 <= found < 0 else []
    return any(_contains(text, candidate) for candidate in same)


def _contains(text: str, value: int) -> bool:
    remainders = _REMAINDERS.fullmatch(text)
    if remainders is not None:
        modulus = int(remainders[2])
        return modulus == 0 or value % modulus in map(int, remainders[1].split("|"))
    between = _RANGE.fullmatch(text)
    if between is not None:
        return int(between[1]) <= value <= int(between[2])
    for piece in _PIECE.finditer(text):
        low, high = (int(end) if end.lstrip("-") else None for end in piece.groups())
        if (low is None or low <= value) and (high is None or value <= high):
            return True
    return False
