"""How much work may be done, counted by what depends on the work alone and not on how fast or busy a machine is.

A unit is one time that bitwuzla asks whether to stop: some fifty microseconds.
"""

from __future__ import annotations

from typing import Final, final

PER_SECOND: Final = 20_000
"""About so many units are a second."""
Z3_UNITS: Final = 100
"""So many of z3's own units are one."""
QUESTION: Final = 2
"""What a question costs besides what it makes a solver do: that is asked some ten times by most of them."""


@final
class Effort:
    """Some work that may be done; what is spent of a part is spent of the whole."""

    __slots__ = ("_left", "_whole")

    def __init__(self, most: int, whole: Effort | None = None) -> None:
        self._left = most
        self._whole = whole

    def left(self) -> int:
        mine = max(0, self._left)
        return mine if self._whole is None else min(mine, self._whole.left())

    def is_spent(self) -> bool:
        return self._left <= 0 or (self._whole is not None and self._whole.is_spent())

    def spend(self, units: int) -> None:
        self._left -= units
        if self._whole is not None:
            self._whole.spend(units)
