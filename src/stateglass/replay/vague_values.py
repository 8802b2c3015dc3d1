"""Arguments in the labels of an abstraction, each of which stands for several values: `top`, `2..7`, `0, 2 mod 4`.

They are read as `values/abstract` writes them. A log has one value there, which may be one of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from stateglass.replay.arguments import number

ANYTHING: Final = frozenset({"top", "maybe"})
_RANGE: Final = re.compile(r"(-?\d{1,20})\.\.(-?\d{1,20})")
_PIECE: Final = re.compile(r"\[(-?\d{0,20})\.\.(-?\d{0,20})\]")
_REMAINDERS: Final = re.compile(r"((?:\d{1,6}, )*\d{1,6}) mod (\d{1,6})")
_LAST_REMAINDER: Final = re.compile(r"(\d{1,6}) mod \d{1,6}")
_REFERENCE: Final = re.compile(r"(&[^=]+)=(.*)", re.DOTALL)
_WIDTHS: Final = (1 << 32, 1 << 64)


def grouped(arguments: Sequence[str]) -> tuple[str, ...]:
    """Arguments with those put together again that one value was written with: `[..-1], [5..]`, `0, 2 mod 4`."""
    found: list[str] = []
    for text in arguments:
        last = _LAST_REMAINDER.fullmatch(text)
        if last is not None:
            smallest = int(last[1])
            while found and found[-1].isascii() and found[-1].isdigit() and int(found[-1]) < smallest:
                smallest = int(found[-1])
                text = f"{found.pop()}, {text}"
        elif found and _goes_on(found[-1].rpartition(", ")[2], text):
            text = f"{found.pop()}, {text}"
        found.append(text)
    return tuple(found)


def _goes_on(one: str, other: str) -> bool:
    """Whether a piece may be the next one of the same value: it lies behind the other."""
    first, second = _PIECE.fullmatch(one), _PIECE.fullmatch(other)
    if first is None or second is None or not first[2] or not second[1]:
        return False
    return int(first[2]) < int(second[1])


def is_vague(text: str) -> bool:
    """Whether an argument of a label stands for several values."""
    reference = _REFERENCE.fullmatch(text)
    if reference is not None:
        return is_vague(reference[2])
    patterns = (_RANGE, _REMAINDERS)
    pieces = all(_PIECE.fullmatch(part) for part in text.split(", "))
    addresses = "|" in text and not text.startswith('"')
    return text in ANYTHING or pieces or addresses or any(p.fullmatch(text) for p in patterns)


def may_be_one_of(text: str, value: str, *, either_sign: bool = False) -> bool:
    """Whether a value of a log may be one of those that an argument stands for; what is no number may be any.

    With `either_sign` the same bits may be written with a sign or without.
    """
    reference = _REFERENCE.fullmatch(text)
    if reference is not None:
        place, _, content = value.partition("=")
        return place == reference[1] and may_be_one_of(reference[2], content, either_sign=either_sign)
    if "|" in text and not text.startswith('"'):
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
        return modulus == 0 or value % modulus in map(int, remainders[1].split(", "))
    between = _RANGE.fullmatch(text)
    if between is not None:
        return int(between[1]) <= value <= int(between[2])
    for piece in _PIECE.finditer(text):
        low, high = (int(end) if end.lstrip("-") else None for end in piece.groups())
        if (low is None or low <= value) and (high is None or value <= high):
            return True
    return False
