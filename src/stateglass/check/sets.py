"""Values of an abstraction by their texts, as values of the abstract domain: integers of 64 bits, or names."""

from __future__ import annotations

from typing import Final, assert_never

from stateglass.program import Int
from stateglass.values.abstract import TOP, Value
from stateglass.values.abstract.texts import Ranges, Rests, Symbols, meaning
from stateglass.values.abstract.views import from_ranges, from_residues

WIDE: Final = Int(64, signed=True)

Content = Value | Symbols


def content(text: str) -> Content:
    """What a text of an abstraction stands for; what does not fit into 64 bits with a sign is taken for anything."""
    found = meaning(text)
    match found:
        case Symbols():
            return found
        case Rests(modulus, rests):
            return from_residues(modulus, sum(1 << rest for rest in rests), WIDE)
        case Ranges(ranges):
            ends = [(WIDE.low if a is None else a, WIDE.high if b is None else b) for a, b in ranges]
            fits = all(WIDE.low <= low <= high <= WIDE.high for low, high in ends)
            return from_ranges(tuple(sorted(ends)), WIDE) if fits else TOP
        case _:
            assert_never(found)
