"""How long an explanation may take: the verdict that it explains does not wait for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, final

from stateglass.work import OutOfTime, Progress

SECONDS_TO_EXPLAIN: Final = 30.0
"""Longer than a person who has the verdict wants to wait for the reason."""


@final
class Patience:
    """Progress that ends the work by `OutOfTime` when a time has passed since `begin`."""

    def __init__(
        self,
        progress: Progress,
        seconds: float = SECONDS_TO_EXPLAIN,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.progress = progress
        self._seconds = seconds
        self._clock = clock
        self._end: float | None = None

    @property
    def limit(self) -> str:
        return f"{self._seconds:g} s"

    def begin(self) -> None:
        """Starts the clock: the verdict is known, and only reasons are looked for. A second call changes nothing."""
        if self._end is None:
            self._end = self._clock() + self._seconds

    def part(self, share: float) -> Patience:
        """Patience for a part of the work that may take this share of the whole time, beginning now."""
        part = Patience(self, self._seconds * share, self._clock)
        part.begin()
        return part

    def __call__(self, phase: str, /, **counts: int) -> None:
        self.progress(phase, **counts)
        if self._end is not None and self._clock() >= self._end:
            raise OutOfTime
