"""Repeated measurements, and the rows in which they are told."""

from __future__ import annotations

import os
import resource
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import IO, Final, final

# Linux counts kilobytes, macOS bytes.
_UNIT: Final = 1 << 20 if sys.platform == "darwin" else 1 << 10


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


def peak_memory() -> Row:
    """The most memory that this process has had in use."""
    return Row(
        "memory at its peak, models included", (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _UNIT,), "MiB"
    )


@final
@dataclass(frozen=True, slots=True)
class Process:
    """What one process took: wall time, processor time, its peak of memory; and how it ended."""

    seconds: float
    processor: float
    megabytes: float
    status: int  # negative: the number of a signal


def measured(words: Sequence[str], out: IO[bytes] | int = subprocess.DEVNULL, limit: float | None = None) -> Process:
    """Runs a program; one that takes longer than the limit is killed."""
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=out, stderr=subprocess.DEVNULL)
    clock = None if limit is None else threading.Timer(limit, os.kill, (process.pid, signal.SIGKILL))
    if clock is not None:
        clock.start()
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - start
    if clock is not None:
        clock.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Process(took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / _UNIT, process.returncode)


def checked(words: Sequence[str], process: Process, statuses: Container[int] = (0,)) -> Process:
    """The process, if it ended as it should."""
    if process.status not in statuses:
        raise SystemExit(f"{' '.join(words)}: exit {process.status}")
    return process


def best(words: Sequence[str], times: int) -> Process:
    """The quickest of several runs."""
    return min((checked(words, measured(words)) for _ in range(times)), key=lambda process: process.seconds)
