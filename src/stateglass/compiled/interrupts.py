"""Ctrl-C and compiled loops: it is heard between two calls of them, never inside."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def whole(loop: Callable[_Arguments, _Result], *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
    """The result of a compiled loop; Ctrl-C in the meantime is answered when it has returned.

    Loading machine code goes through callbacks from C into Python. An exception that is raised in one of them, as the
    usual answer to Ctrl-C is, crashes the interpreter now and then.
    """
    usual = signal.getsignal(signal.SIGINT)
    if not callable(usual) or threading.current_thread() is not threading.main_thread():
        return loop(*args, **kwargs)
    heard: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        return loop(*args, **kwargs)
    finally:
        signal.signal(signal.SIGINT, usual)
        if heard:
            usual(*heard[0])
