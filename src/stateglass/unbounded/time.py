"""How long engines may work: one budget of time for all of them, cut into slices by the work that they do.

Which engine finds an answer must not depend on how fast or busy a machine is: the clock says no more than when all of
them have to stop.
"""

from __future__ import annotations

import time
from typing import final

from stateglass.smt import PER_SECOND, Effort
from stateglass.work import lateness


@final
class Deadline:
    """A moment after which no answer is wanted, and perhaps the work that may be done until then."""

    def __init__(self, seconds: float, effort: Effort | None = None, late: float | None = None) -> None:
        """`late`: so much longer it may take to put down and to follow what was found."""
        self.end = time.monotonic() + seconds
        self._late = lateness(seconds) if late is None else late
        self.effort = effort

    def left(self) -> float:
        """How many seconds are left; 0 if it is over."""
        return max(0.0, self.end - time.monotonic())

    def late(self) -> float:
        """How many seconds are left to put down and to follow what was found."""
        return max(0.0, self.end + self._late - time.monotonic())

    def is_over(self) -> bool:
        return self.left() <= 0 or (self.effort is not None and self.effort.is_spent())

    def part(self, units: int) -> Deadline:
        """The same moment, and so much work at most, as far as there is as much left."""
        return Deadline(self.left(), Effort(units, self.effort), self._late)

    def worth(self, seconds: float) -> Deadline:
        """The same moment, and as much work at most as takes about so long where nobody else is at work."""
        return self.part(int(seconds * PER_SECOND))

    def spend(self, units: int) -> None:
        """Notes work that no solver has counted."""
        if self.effort is not None:
            self.effort.spend(units)
