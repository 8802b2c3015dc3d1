"""Signals that end work while it cannot be left, wherever they come."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from types import FrameType
from typing import Any

import pytest

from stateglass.work import OutOfTime, held_back
from stateglass.work.held_back import HeldBack


def over(number: int, frame: FrameType | None) -> None:
    raise OutOfTime


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    usual = signal.signal(signal.SIGALRM, over)
    ctrl_c = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGALRM, usual)
    signal.signal(signal.SIGINT, ctrl_c)


def raising_at(line: int, numbers: tuple[int, ...]) -> Callable[..., Any]:
    """A tracer that raises signals before a line of the module, counted by those that are run."""
    passed = count()

    def tracer(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename != held_back.__file__:
            return None
        if event == "line" and next(passed) == line:
            for number in numbers:
                signal.raise_signal(number)
        return tracer

    return tracer


@pytest.mark.parametrize("numbers", [(signal.SIGALRM,), (signal.SIGINT,), (signal.SIGINT, signal.SIGALRM)])
def test_signals_are_answered_as_usual_afterwards_whenever_one_comes(numbers: tuple[int, ...]) -> None:
    for line in count():
        done: list[str] = []
        before = sys.gettrace()
        sys.settrace(raising_at(line, numbers))
        try:
            with HeldBack():
                done.append("all of it")
        except (OutOfTime, KeyboardInterrupt):
            pass
        else:
            break
        finally:
            sys.settrace(before)
            assert signal.getsignal(signal.SIGALRM) is over
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert line > 20


def answered(*numbers: int) -> None:
    held = HeldBack()
    with held:
        for number in numbers:
            signal.raise_signal(number)
        assert held.noted


def test_ctrl_c_says_more_than_that_time_is_over() -> None:
    with pytest.raises(KeyboardInterrupt):
        answered(signal.SIGALRM, signal.SIGINT)
    with pytest.raises(OutOfTime):
        answered(signal.SIGALRM)


def test_what_was_noted_is_forgotten_when_it_begins_again() -> None:
    held = HeldBack()
    with suppress(OutOfTime), held:
        signal.raise_signal(signal.SIGALRM)
    assert held.noted
    with held:
        assert not held.noted
