"""z3 at work beside the main thread, when time is over."""

from __future__ import annotations

import threading
import time
from typing import Any, final

import pytest

from stateglass.smt.aside import aside
from stateglass.work import OutOfTime
from stateglass.work.in_time import AGAIN, in_time


@final
class Slow:
    """A context whose work takes its time to end, longer than an alarm takes to come again."""

    def __init__(self) -> None:
        self._told = threading.Event()
        self.is_done = False

    def interrupt(self) -> None:
        self._told.set()

    def work(self) -> None:
        self._told.wait(20)
        time.sleep(3 * AGAIN)
        self.is_done = True


def test_nobody_is_at_work_any_more_when_time_is_over() -> None:
    context = Slow()
    asked: Any = context
    with pytest.raises(OutOfTime):
        in_time(0.1, aside, asked, context.work, 100.0)
    assert context.is_done
