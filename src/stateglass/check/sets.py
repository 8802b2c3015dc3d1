"""Values of an abstraction by their texts, each of which may stand for several: `top`, `2..7`, `0|2 mod 4`, `&a|&b`.

They are read as `values/abstract` and `explore` write them. The type is no longer known: `top` is any integer of 64
bits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import Int
from stateglass.values.abstract import TOP, Value
from stateglass.values.abstract.views import from_ranges, from_residues

WIDE: Final = Int(64, signed=True)

_ANYTHING: Final = frozenset({"top", "maybe"})
_NUMBER: Final = re.compile(r"-?\d{1,20}")
_RANGE: Final = re.compile(r"(-?\d{1,20})\.\.(-?\d{1,20})")
_PIECE: Final = re.compile(r"\[(-?\d{0,20})\.\.(-?\d{0,20})\]")
_PIECES: Final = re.compile(rf"{_PIECE.pattern}(?:\|{_PIECE.pattern})*")
_REMAINDERS: Final = re.compile(r"((?:\d{1,6}\|)*\d{1,6}) mod ([1-9]\d{0,5})")


@final
@dataclass(frozen=True, slots=True)
class Symbols:
    """Values that are known by their names alone, such as addresses and enumerators; one of several, perhaps."""

    names: frozenset[str]


Content = Value | Symbols


def content(text: str) -> Content:
    """What a text of an abstraction stands for; what is no number and no set is a name."""
    found = numbers(text)
    if found is not None:
        return found
    return Symbols(frozenset(text.split("|") if not text.startswith('"') else [text]))


def numbers(text: str) -> Value | None:
    """The integers that a text stands for; None if it is about something else."""
    if text in _ANYTHING:
        return TOP
    if text in ("true", "false"):
        return int(text == "true")
    if _NUMBER.fullmatch(text):
        return _fitting(int(text), int(text))
    between = _RANGE.fullmatch(text)
    if between is not None:
        return _fitting(int(between[1]), int(between[2]))
    rests = _REMAINDERS.fullmatch(text)
    if rests is not None:
        modulus = int(rests[2])
        mask = 0
        for rest in rests[1].split("|"):
            mask |= 1 << int(rest) % modulus
        return from_residues(modulus, mask, WIDE)
    if _PIECES.fullmatch(text):
        ranges = [_ends(piece[1], piece[2]) for piece in _PIECE.finditer(text)]
        if all(low <= high and WIDE.low <= low and high <= WIDE.high for low, high in ranges):
            return from_ranges(tuple(sorted(ranges)), WIDE)
        return TOP
    return None


def is_vague(text: str) -> bool:
    """Whether a text stands for several values."""
    found = content(text)
    return len(found.names) > 1 if isinstance(found, Symbols) else not isinstance(found, int)


def _ends(low: str, high: str) -> tuple[int, int]:
    return (int(low) if low.lstrip("-") else WIDE.low, int(high) if high.lstrip("-") else WIDE.high)


def _fitting(low: int, high: int) -> Value:
    """What does not fit into 64 bits with a sign is taken for anything."""
    return from_ranges(((low, high),), WIDE) if WIDE.low <= low <= high <= WIDE.high else TOP
