"""The texts of abstract values, as labels and states show them: how they are written, and what they say when read.

A text has lost its type: `top` is any integer, and `[5..]` goes on for ever. Arguments of labels may also be addresses
with what is there (`&n=1..3`), and records and arrays (`{.a=1, .b=top}`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.model.actions import split_arguments
from stateglass.program import Float, Scalar
from stateglass.program.abstractions import Abstraction, Truth
from stateglass.values.abstract import residues
from stateglass.values.abstract.sets import Anything, Interval, Pieces, Remainders, Value
from stateglass.values.abstract.views import contains

_TOP: Final = "top"
_MAYBE: Final = "maybe"
_TRUTHS: Final = {"true": 1, "false": 0}
_NUMBER: Final = re.compile(r"-?[0-9]{1,20}")
_RANGE: Final = re.compile(r"(-?[0-9]{1,20})\.\.(-?[0-9]{1,20})")
_PIECE: Final = re.compile(r"\[(-?[0-9]{0,20})\.\.(-?[0-9]{0,20})\]")
_PIECES: Final = re.compile(rf"{_PIECE.pattern}(?:\|{_PIECE.pattern})*")
_REMAINDERS: Final = re.compile(r"((?:[0-9]{1,6}\|)*[0-9]{1,6}) mod ([1-9][0-9]{0,5})")
_REFERENCE: Final = re.compile(r"(&[^=]+)=(.*)", re.DOTALL)
_STRING: Final = '"'
_UNKNOWN: Final = "?"
# Records in records lie flat; rows may hold rows.
_DEEPEST: Final = 20


def text(value: Value, type: Scalar, abstraction: Abstraction | None = None) -> str:
    """A value as a person reads it: `5`, `2..7`, `0|2 mod 4`, `[4..4]|[6..]`, `top`.

    It has no comma, which would part it in two where it is one of several arguments of a label.
    """
    if isinstance(abstraction, Truth) and not isinstance(type, Float):
        return _MAYBE if contains(value, 0, type) and value != 0 else "true" if value != 0 else "false"
    match value:
        case int():
            return str(value)
        case Anything():
            return _TOP
        case Interval():
            return f"{value.low}..{value.high}"
        case Remainders(modulus, mask):
            return f"{'|'.join(map(str, residues.bits(mask)))} mod {modulus}"
        case Pieces(points, mask):
            starts, ends = ("", *map(str, points)), (*(str(p - 1) for p in points), "")
            return "|".join(f"[{starts[i]}..{ends[i]}]" for i in residues.bits(mask))
        case _:
            assert_never(value)


@final
@dataclass(frozen=True, slots=True)
class Ranges:
    """Integers between ends, each of which is among them; None for an end that is not there."""

    ranges: tuple[tuple[int | None, int | None], ...]

    @property
    def single(self) -> int | None:
        """The only integer; None if there are several, or none."""
        (low, high), *more = self.ranges
        return low if low == high and not more else None

    def __contains__(self, number: int) -> bool:
        return any((a is None or a <= number) and (b is None or number <= b) for a, b in self.ranges)


@final
@dataclass(frozen=True, slots=True)
class Rests:
    """Integers that leave one of some rests."""

    modulus: int
    rests: frozenset[int]

    def __contains__(self, number: int) -> bool:
        return number % self.modulus in self.rests


@final
@dataclass(frozen=True, slots=True)
class Symbols:
    """Values that are known by their names alone, such as addresses and enumerators; one of several, perhaps."""

    names: frozenset[str]


Meaning = Ranges | Rests | Symbols
EVERYTHING: Final = Ranges(((None, None),))


def meaning(text: str) -> Meaning:
    """What the text of a scalar says; what is no number and no set of numbers is a name."""
    if text in (_TOP, _MAYBE):
        return EVERYTHING
    if text in _TRUTHS:
        return _one(_TRUTHS[text])
    if _NUMBER.fullmatch(text):
        return _one(int(text))
    if between := _RANGE.fullmatch(text):
        return Ranges(((int(between[1]), int(between[2])),))
    if found := _REMAINDERS.fullmatch(text):
        modulus = int(found[2])
        return Rests(modulus, frozenset(int(rest) % modulus for rest in found[1].split("|")))
    if _PIECES.fullmatch(text):
        return Ranges(tuple((_end(piece[1]), _end(piece[2])) for piece in _PIECE.finditer(text)))
    return Symbols(frozenset([text] if text.startswith(_STRING) else text.split("|")))


def is_vague(text: str) -> bool:
    """Whether an argument of a label, or a value of a state, stands for several values."""
    return any(_is_several(meaning(scalar)) for scalar in _scalars(text, _DEEPEST))


def plain_numbers(text: str) -> Sequence[int]:
    """The number that an exact value is, as we write it; none if it is something else."""
    found = meaning(text)
    number = found.single if isinstance(found, Ranges) else None
    return () if number is None else (number,)


def may_be_one_of(text: str, value: str, numbers_of: Callable[[str], Sequence[int]] = plain_numbers) -> bool:
    """Whether an exact value may be one of those that a text stands for.

    `numbers_of` says which numbers a value may be; what is none, such as an enumerator, may be any of a set of numbers.
    """
    return _may_be(text, value, numbers_of, _DEEPEST)


def _may_be(text: str, value: str, numbers_of: Callable[[str], Sequence[int]], depth: int) -> bool:
    if _UNKNOWN in (text, value):
        return True
    if (reference := _REFERENCE.fullmatch(text)) is not None:
        place, _, content = value.partition("=")
        return place == reference[1] and _may_be(reference[2], content, numbers_of, depth)
    parts = _parts(text)
    if parts is not None and depth:
        others = _parts(value)
        if others is None or [name for name, _ in parts] != [name for name, _ in others]:
            return others is None and not value.startswith("{")
        pairs = zip(parts, others, strict=True)
        return all(_may_be(one, other, numbers_of, depth - 1) for (_, one), (_, other) in pairs)
    found = meaning(text)
    match found:
        case Symbols(names):
            if value.startswith(_STRING) and any(name.startswith("&") for name in names):
                return True  # an exact value shows the text that lies at an address
            return value in names or value.partition("=")[0] in names
        case Ranges() | Rests():
            numbers = numbers_of(value)
            return not numbers or any(number in found for number in numbers)
        case _:
            assert_never(found)


def _is_several(found: Meaning) -> bool:
    match found:
        case Ranges():
            return found.single is None
        case Rests():
            return True
        case Symbols(names):
            return len(names) > 1
        case _:
            assert_never(found)


def _scalars(text: str, depth: int) -> list[str]:
    """The texts of all scalars in an argument."""
    if (reference := _REFERENCE.fullmatch(text)) is not None:
        text = reference[2]
    parts = _parts(text)
    if parts is None or not depth:
        return [text]
    return [scalar for _, part in parts for scalar in _scalars(part, depth - 1)]


def _parts(text: str) -> list[tuple[str, str]] | None:
    """What is in a record, by the paths of its members, or in a row, without names; None for anything else."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    parts: list[tuple[str, str]] = []
    for part in split_arguments(text[1:-1]):
        name, given, value = part.partition("=")
        parts.append((name, value) if given and part.startswith(".") else ("", part))
    return parts


def _one(number: int) -> Ranges:
    return Ranges(((number, number),))


def _end(text: str) -> int | None:
    return int(text) if text.lstrip("-") else None
