"""Ctrl-C and alarms while nothing can be left: exceptions in callbacks are lost, or crash the interpreter."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, final

_ENDING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGALRM") if hasattr(signal, name))
"""Signals whose usual answer is an exception; the gravest first: Ctrl-C says more than that time is over."""


@final
class HeldBack:
    """As a context manager, notes signals that end work instead of answering them, and does that at the end."""

    def __init__(self) -> None:
        self._usual: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._heard: set[int] = set()

    @property
    def noted(self) -> bool:
        """Whether work is to end as soon as it can."""
        return bool(self._heard)

    def __enter__(self) -> None:
        self._heard.clear()
        self._usual.clear()
        # Only the main thread hears of signals, and a process that ignores them goes on doing so.
        if threading.current_thread() is not threading.main_thread():
            return
        self._usual |= {number: usual for number in _ENDING if callable(usual := signal.getsignal(number))}
        try:
            for number in self._usual:
                signal.signal(number, self._note)
        except BaseException:  # one has come before it was held back
            self.__exit__()
            raise

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._heard.add(number)

    def __exit__(self, *error: object) -> None:
        try:
            self._answer_as_usual()
        finally:
            self._answer_as_usual()  # as soon as one is, it may have come
            for number, usual in self._usual.items():
                if number in self._heard:
                    usual(number, sys._getframe())

    def _answer_as_usual(self) -> None:
        for number, usual in self._usual.items():
            signal.signal(number, usual)
