"""How long engines may work: one budget for all of them, cut into slices."""

from __future__ import annotations

import time
from typing import final


@final
class Deadline:
    """A moment after which no answer is wanted."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """How many seconds are left; 0 if it is over."""
        return max(0.0, self._end - time.monotonic())

    def is_over(self) -> bool:
        return self.left() <= 0

    def slice(self, seconds: float) -> Deadline:
        """An earlier moment, or the same one if that is earlier."""
        return Deadline(min(seconds, self.left()))
