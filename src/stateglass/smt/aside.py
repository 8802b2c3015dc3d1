"""z3 at work beside the main thread, which alone hears Ctrl-C and watches the clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

import z3

from stateglass.smt.effort import Z3_UNITS, Effort
from stateglass.work.held_back import HeldBack

GRACE: Final = 2.0
"""So many seconds z3 may need to stop after it was told to."""
MOST_MEGABYTES: Final = 4_000
"""z3 gives up rather than take more memory than this."""
MOST_UNITS: Final = 4_000_000_000
"""z3 counts what it does in 32 bits."""

_Answer = TypeVar("_Answer")


def aside(context: z3.Context, work: Callable[[], _Answer], seconds: float) -> _Answer | None:
    """What some work in a context comes to; None if it had to be stopped, or stopped by itself in the middle."""
    z3.set_param("memory_max_size", MOST_MEGABYTES)
    found: list[_Answer] = []
    # A thread counts as ended, though it goes on, if an exception comes up while somebody waits for it to end.
    is_over = threading.Event()

    def worker() -> None:
        try:
            with suppress(z3.Z3Exception):  # cancelled, or out of memory: there is no answer
                found.append(work())
        finally:
            is_over.set()

    # z3's own limit of time comes first; this one is for work that does not look at it.
    end = time.monotonic() + seconds + GRACE / 2
    try:
        threading.Thread(target=worker, daemon=True).start()
        while not is_over.is_set() and time.monotonic() < end:
            is_over.wait(0.05)
    finally:
        # An alarm that comes again is no reason not to wait: nobody may touch what z3 is still at work with.
        with HeldBack():
            if not is_over.is_set():
                context.interrupt()
                is_over.wait(GRACE)
    return found[0] if found else None


def limit(effort: Effort | None) -> int:
    """What is left of an effort in z3's units; 0 is no limit."""
    return 0 if effort is None else min(max(1, effort.left() * Z3_UNITS), MOST_UNITS)


def units(statistics: Any) -> int:
    """What some work has cost, in z3's units."""
    return next((int(value) for name, value in statistics if name == "rlimit count"), 0)
