"""Work that is left when its time is over, whether it looks at a clock or not.

An alarm of the operating system is the clock: it is heard between two steps of Python, wherever they are. So whatever
was being made is forgotten as a whole, as with Ctrl-C.
"""

from __future__ import annotations

import gc
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Final, ParamSpec, TypeVar

from stateglass.work import OutOfTime

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
AGAIN: Final = 0.25
"""What could not be left, or took the end of time for that of a part, is told again after so many seconds."""
_SOONEST: Final = 0.001
_IMPORTING: Final = "<frozen importlib._bootstrap>"
_working: dict[int, float] = {}
"""When work is over that is being done, by the call of `_worked` that does it."""

_left: list[int] = []
"""The alarms that have ended something."""


def something_was_left() -> bool:
    """Whether some work was left in the middle, with all that it held."""
    return bool(_left)


def in_time(
    seconds: float, work: Callable[_Arguments, _Result], *args: _Arguments.args, **kwargs: _Arguments.kwargs
) -> _Result:
    """What some work comes to; `OutOfTime` out of the middle of it when so many seconds have passed.

    Only the main thread hears an alarm. In others, and where there are none, work ends when it looks at a clock itself.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return work(*args, **kwargs)
    usual, before = signal.getsignal(signal.SIGALRM), dict(_working)
    if usual not in (signal.SIG_DFL, _heard):
        return work(*args, **kwargs)  # somebody else waits for an alarm
    signal.signal(signal.SIGALRM, _heard)
    try:
        return _worked(time.monotonic() + seconds, lambda: work(*args, **kwargs))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _working.clear()
        _working.update(before)
        _wait()


def _worked(end: float, work: Callable[[], _Result]) -> _Result:
    _working[id(sys._getframe())] = end
    _wait()
    return work()


def _wait() -> None:
    """Sets the alarm for what is over first."""
    if _working:
        seconds = max(min(_working.values()) - time.monotonic(), _SOONEST)
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)


def _heard(number: int, frame: FrameType | None) -> None:
    """Ends work whose time is over, and nothing else: not what follows its end."""
    now, around = time.monotonic(), frame
    collecting = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    is_over = False
    while around is not None:
        if around.f_code.co_filename == _IMPORTING:
            return  # half a module would be in the way of all that needs it later
        code = around.f_code
        if code in collecting or code.co_name == "__del__" or code.co_filename == weakref.__file__:
            return  # nobody hears of what is raised there
        is_over = is_over or _working.get(id(around), now) < now
        around = around.f_back
    if is_over:
        _left.append(number)
        raise OutOfTime
