"""Ctrl-C or an alarm while the solver works: an exception in its callback would be lost, so it is raised afterwards."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, final

_RAISING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGALRM") if hasattr(signal, name))
"""Signals whose usual answer is an exception."""


@final
class Interruptions:
    """As a context manager, notes signals that end work instead of answering them, and does that at the end."""

    def __init__(self) -> None:
        self.noted = False
        self._before: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._heard: list[int] = []

    def __enter__(self) -> None:
        self.noted = False
        self._heard.clear()
        # Only the main thread hears of signals, and a process that ignores them goes on doing so.
        if threading.current_thread() is threading.main_thread():
            for number in _RAISING:
                handler = signal.getsignal(number)
                if callable(handler) and not isinstance(handler, signal.Handlers):
                    self._before[number] = handler
                    signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.noted = True
        self._heard.append(number)

    def __exit__(self, *error: object) -> None:
        before, self._before = self._before, {}
        for number, handler in before.items():
            signal.signal(number, handler)
        # Ctrl-C says more than that time is over.
        for number in sorted(set(self._heard), key=_RAISING.index):
            before[number](number, sys._getframe())
