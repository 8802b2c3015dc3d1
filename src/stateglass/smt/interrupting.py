"""Ctrl-C while the solver works: an exception in its callback would be lost, so it is noted and raised afterwards."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, final


@final
class Interruptions:
    """As a context manager, notes Ctrl-C instead of raising it, and raises it at the end."""

    def __init__(self) -> None:
        self.noted = False
        self._before: Callable[[int, FrameType | None], Any] | None = None

    def __enter__(self) -> None:
        self.noted = False
        # Only the main thread hears of signals, and a process that ignores them goes on doing so.
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler) and not isinstance(handler, signal.Handlers):
                self._before = handler
                signal.signal(signal.SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.noted = True

    def __exit__(self, *error: object) -> None:
        before, self._before = self._before, None
        if before is not None:
            signal.signal(signal.SIGINT, before)
            if self.noted:
                before(signal.SIGINT, None)
