"""Abstractions of C Wolf (table 1): what a variable keeps of its values, each with the text by which a map names it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, final

MOST_REMAINDERS: Final = 1 << 16
"""A set of remainders is a bit for each: more of them are no abstraction any more."""
MOST_POINTS: Final = 1 << 12
"""So many points a partition may have."""


@final
@dataclass(frozen=True, slots=True)
class Top:
    """`top`: nothing is known."""

    def __str__(self) -> str:
        return "top"


@final
@dataclass(frozen=True, slots=True)
class MinMax:
    """`minmax`: a lower and an upper bound."""

    def __str__(self) -> str:
        return "minmax"


@final
@dataclass(frozen=True, slots=True)
class Mod:
    """`mod(k)`: a set of remainders modulo k."""

    modulus: int

    def __post_init__(self) -> None:
        if not 1 <= self.modulus <= MOST_REMAINDERS:
            raise ValueError(f"a modulus is one of 1 to {MOST_REMAINDERS}")

    def __str__(self) -> str:
        return f"mod({self.modulus})"


@final
@dataclass(frozen=True, slots=True)
class Part:
    """`part(a1, …, ak)`: a set of the intervals ]-∞, a1-1], [a1, a2-1], …, [ak, ∞[."""

    points: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.points) <= MOST_POINTS or any(a >= b for a, b in pairwise(self.points)):
            raise ValueError(f"points are 1 to {MOST_POINTS}, ascending and distinct")

    def __str__(self) -> str:
        return f"part({', '.join(str(p) for p in self.points)})"


@final
@dataclass(frozen=True, slots=True)
class Exact:
    """`int`: one value, or nothing is known."""

    def __str__(self) -> str:
        return "int"


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """`bool`: true (not 0), false (0) or maybe."""

    def __str__(self) -> str:
        return "bool"


@final
@dataclass(frozen=True, slots=True)
class Free:
    """`free`: whatever abstraction the value has that was assigned last."""

    def __str__(self) -> str:
        return "free"


Abstraction = Top | MinMax | Mod | Part | Exact | Truth | Free
