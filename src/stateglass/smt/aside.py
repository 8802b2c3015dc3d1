"""z3 at work beside the main thread, which alone hears Ctrl-C and watches the clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

import z3

GRACE: Final = 2.0
"""So many seconds z3 may need to stop after it was told to."""
MOST_MEGABYTES: Final = 4_000
"""z3 gives up rather than take more memory than this."""

_Answer = TypeVar("_Answer")


def aside(context: z3.Context, work: Callable[[], _Answer], seconds: float) -> _Answer | None:
    """What some work in a context comes to; None if it had to be stopped, or stopped by itself in the middle."""
    z3.set_param("memory_max_size", MOST_MEGABYTES)
    found: list[_Answer] = []

    def worker() -> None:
        with suppress(z3.Z3Exception):  # cancelled, or out of memory: there is no answer
            found.append(work())

    thread = threading.Thread(target=worker, daemon=True)
    # z3's own limit of time comes first; this one is for work that does not look at it.
    end = time.monotonic() + seconds + GRACE / 2
    thread.start()
    try:
        while thread.is_alive() and time.monotonic() < end:
            thread.join(0.05)
    finally:
        if thread.is_alive():
            context.interrupt()
            thread.join(GRACE)
    return found[0] if found else None
