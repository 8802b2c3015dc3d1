"""What whoever does long work and whoever waits for it agree on: progress that is told, and time that is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, final


class Progress(Protocol):
    """Is told how far work has come."""

    def __call__(self, phase: str, /, **counts: int) -> None: ...


def silent(phase: str, /, **counts: int) -> None:
    """Progress that nobody wants to see."""


@final
class OutOfTime(Exception):
    """The time that work may take is over: it is left as it is."""


def until(is_over: Callable[[], bool], progress: Progress) -> Progress:
    """The same progress for work that ends when time is over: with `OutOfTime`, whenever it tells something."""

    def told(phase: str, /, **counts: int) -> None:
        if is_over():
            raise OutOfTime
        progress(phase, **counts)

    return told


def time_limit(seconds: float, clock: Callable[[], float] = time.monotonic) -> Callable[[], bool]:
    """Says whether so many seconds have passed, from now on."""
    end = clock() + seconds
    return lambda: clock() > end


def lateness(seconds: float) -> float:
    """How much longer than so many seconds it may take to put down and to follow what was found in them."""
    return 1.0 + 0.15 * seconds
