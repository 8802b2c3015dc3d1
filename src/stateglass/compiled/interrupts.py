"""Ctrl-C, alarms and compiled loops: they are heard between two calls of them, never inside."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_RAISING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGALRM") if hasattr(signal, name))
"""Signals whose usual answer is an exception."""


def whole(loop: Callable[_Arguments, _Result], *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
    """The result of a compiled loop; Ctrl-C or an alarm in the meantime is answered when it has returned.

    Loading machine code goes through callbacks from C into Python. An exception that is raised in one of them, as the
    usual answer to Ctrl-C is, crashes the interpreter now and then.
    """
    if threading.current_thread() is not threading.main_thread():
        return loop(*args, **kwargs)
    heard: list[int] = []
    usual = {number: answer for number in _RAISING if callable(answer := signal.getsignal(number))}
    for number in usual:
        signal.signal(number, lambda number, frame: heard.append(number))
    try:
        return loop(*args, **kwargs)
    finally:
        for number, answer in usual.items():
            signal.signal(number, answer)
        # Ctrl-C says more than that time is over.
        for number in sorted(set(heard), key=_RAISING.index):
            usual[number](number, sys._getframe())
