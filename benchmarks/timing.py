"""Repeated measurements, and the rows in which they are told."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Row:
    """One figure: the median of several runs, their spread, and what was promised."""

    name: str
    figures: tuple[float, ...]
    unit: str
    promise: str = ""

    @property
    def best(self) -> float:
        """What others on the machine have disturbed least."""
        return max(self.figures) if self.unit.endswith("/s") else min(self.figures)

    def __str__(self) -> str:
        middle, low, high = statistics.median(self.figures), min(self.figures), max(self.figures)
        digits = 0 if middle >= 1000 else 2
        spread = f"{low:,.{digits}f} … {high:,.{digits}f}"
        return f"{self.name:<44} {middle:>14,.{digits}f} {self.unit:<9} {spread:<26} {self.promise}"


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def repeat(work: Callable[[], float], times: int = 5) -> tuple[float, ...]:
    return tuple(work() for _ in range(times))
