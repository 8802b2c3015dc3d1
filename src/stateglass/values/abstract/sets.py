"""Abstract values: the integers that a variable may hold, in the representations of the C Wolf abstractions.

Each value exists once: equal ones are the same object, so that comparing and hashing them costs what an address costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final
from weakref import WeakValueDictionary

_KNOWN: WeakValueDictionary[tuple[object, ...], Any] = WeakValueDictionary()


def _once(cls: type, key: tuple[object, ...]) -> Any:
    """The object of a class with these fields: the one that exists already, if there is one."""
    found = _KNOWN.get((cls, *key))
    if found is None:
        found = object.__new__(cls)
        _KNOWN[(cls, *key)] = found
    return found


@final
@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Anything:
    """Any value of the type."""

    def __new__(cls) -> Anything:
        known: Anything = _once(cls, ())
        return known

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return Anything, ()


@final
@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Interval:
    """The integers low…high, at least two (`minmax`)."""

    low: int
    high: int

    def __new__(cls, low: int, high: int) -> Interval:
        known: Interval = _once(cls, (low, high))
        return known

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return Interval, (self.low, self.high)


@final
@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Remainders:
    """The integers whose remainder modulo `modulus`, never negative, has its bit set in `mask` (`mod(k)`)."""

    modulus: int
    mask: int

    def __new__(cls, modulus: int, mask: int) -> Remainders:
        known: Remainders = _once(cls, (modulus, mask))
        return known

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return Remainders, (self.modulus, self.mask)


@final
@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Pieces:
    """The pieces of the number line whose bit is set in `mask` (`part(…)`).

    The ascending `points` cut the line: piece 0 is all below the first point, piece i begins at point i - 1, and the
    last one has no end. Only what lies in the type of the value counts.
    """

    points: tuple[int, ...]
    mask: int

    def __new__(cls, points: tuple[int, ...], mask: int) -> Pieces:
        known: Pieces = _once(cls, (points, mask))
        return known

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return Pieces, (self.points, self.mask)


Set = Interval | Remainders | Pieces | Anything
Value = int | Set

TOP: Final = Anything()
# What a comparison gives when it may be either.
MAYBE: Final = Interval(0, 1)
