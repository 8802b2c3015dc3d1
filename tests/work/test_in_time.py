"""Work is left when its time is over, wherever it is; what comes before and after it is not."""

from __future__ import annotations

import gc
import importlib
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from stateglass.compiled.interrupts import whole
from stateglass.work import OutOfTime
from stateglass.work.in_time import in_time

SOON = 0.01


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    yield
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def endless() -> None:
    while True:
        pass


def test_work_that_looks_at_no_clock_is_left() -> None:
    with pytest.raises(OutOfTime):
        in_time(SOON, endless)


def test_work_that_is_done_in_time_has_its_result() -> None:
    assert in_time(100, divmod, 17, 5) == (3, 2)


def test_its_own_exceptions_come_out() -> None:
    with pytest.raises(ZeroDivisionError):
        in_time(100, divmod, 17, 0)


def test_who_takes_the_end_for_another_is_told_again() -> None:
    taken: list[int] = []

    def stubborn() -> None:
        while True:
            with suppress(OutOfTime):
                if len(taken) == 2:
                    break
                endless()
            taken.append(1)

    with suppress(OutOfTime):
        in_time(SOON, stubborn)
    assert len(taken) == 2


def test_the_end_of_a_part_is_not_that_of_the_whole() -> None:
    done: list[str] = []

    def outer() -> None:
        with pytest.raises(OutOfTime):
            in_time(SOON, endless)
        done.append("part")
        with pytest.raises(OutOfTime):
            in_time(SOON, endless)
        done.append("other part")

    in_time(100, outer)
    assert done == ["part", "other part"]


def test_a_part_that_may_take_long_ends_with_the_whole() -> None:
    reached: list[str] = []

    def outer() -> None:
        in_time(100, endless)
        reached.append("behind it")

    with pytest.raises(OutOfTime):
        in_time(SOON, outer)
    assert not reached


def test_other_threads_do_without_an_alarm() -> None:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(in_time(0.0, abs, -3)))
    thread.start()
    thread.join()
    assert found == [3]


def test_alarms_of_others_are_left_alone() -> None:
    heard: list[int] = []
    usual = signal.signal(signal.SIGALRM, lambda number, frame: heard.append(number))
    try:
        in_time(SOON, lambda: signal.raise_signal(signal.SIGALRM))
    finally:
        signal.signal(signal.SIGALRM, usual)
    assert heard == [signal.SIGALRM]


def test_a_compiled_loop_is_not_left_in_the_middle() -> None:
    done: list[str] = []

    def loop() -> None:
        # Until the alarm has come: it comes again at longer intervals.
        while signal.getitimer(signal.ITIMER_REAL)[0] <= SOON:
            pass
        done.append("all of it")

    with pytest.raises(OutOfTime):
        in_time(SOON, whole, loop)
    assert done == ["all of it"]


def test_a_module_is_not_left_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["import signal", f"while signal.getitimer(signal.ITIMER_REAL)[0] <= {SOON}:", "    pass", "whole = True"]
    (tmp_path / "takes_long.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    with suppress(OutOfTime):
        in_time(SOON, importlib.import_module, "takes_long")
    assert importlib.import_module("takes_long").whole


@pytest.mark.parametrize("collected", [True, False])
def test_what_nobody_hears_of_is_told_again(collected: bool) -> None:
    """In callbacks of the collector and in `__del__`, exceptions are lost."""
    end = time.monotonic() + 20 * SOON

    def wait(*_: object) -> None:
        while time.monotonic() < end:
            pass

    class Ending:
        def __del__(self) -> None:
            wait()

    def work() -> None:
        if collected:
            gc.collect(0)
        else:
            Ending()
        endless()

    gc.callbacks.append(wait)
    try:
        with pytest.raises(OutOfTime):
            in_time(SOON, work)
    finally:
        gc.callbacks.remove(wait)
