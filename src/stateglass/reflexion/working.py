"""Who does the work, and how long it may take: this process, or an executor if that pays."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from math import isqrt
from typing import Any, Final, TypeVar, final

T = TypeVar("T")
R = TypeVar("R")

SHARES: Final = 8
"""Tasks that work of ordinary size is cut into; not more, since each begins with a solver that has learned nothing."""
HARDEST: Final = 6
"""The effort for each purpose is enough for so many of the hardest questions; then only easy ones are answered."""
WORTH: Final = 0.8
"""Processes are started only if about so many seconds of work are left: each has to load the program first."""


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@final
class Clock:
    """The time that everything may take together, if it is limited."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self.late = False  # something was left out because there was no time
        self.interrupted = False

    @property
    def left(self) -> float | None:
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    @property
    def why(self) -> str:
        """Why a question has no answer."""
        if self.interrupted:
            return "interrupted: this was not known yet"
        if self.late:
            return f"timeout: there was no time left after {self.seconds:g} seconds (--timeout)"
        return "solver: a question is too hard (--solver-effort)"

    def interrupt(self) -> None:
        """Ctrl-C: the first time the work ends as at a timeout, the second time at once."""
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = self.late = True
        self._end = time.monotonic()

    def note(self, *, late: bool) -> None:
        self.late = self.late or late


def shares(items: Sequence[T], least: int, most: int) -> list[tuple[T, ...]]:
    """Items in the shares of tasks, of `least` to `most` items each; the same for any number of workers.

    What a solver has learned from earlier items may change an answer from known to unknown, so the cut must not depend
    on who does the work. Each task reads the whole formula first, and gets slower with each item: of very many items
    more than `most` go together, about the square root of them, so that neither cost outgrows the other.
    """
    size = min(max(-(-len(items) // SHARES), least), max(most, isqrt(2 * len(items))))
    return [tuple(items[start : start + size]) for start in range(0, len(items), size)]


@final
class Workers:
    """Does tasks, in this process or in others. Tasks are functions of plain data, so it does not matter where."""

    def __init__(self, executor: Executor | None = None, processes: int = 1) -> None:
        """With an executor, all tasks go to it; else tasks are done here, and if there is much left, by processes."""
        self._executor = executor
        self._processes = processes

    def map(self, work: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """The answers in the order of the tasks."""
        if self._executor is not None:
            yield from self._executor.map(work, tasks)
            return
        begin = time.process_time()  # how busy the machine is with others does not matter
        for done, task in enumerate(tasks):
            yield work(task)
            left = len(tasks) - done - 1
            if self._processes > 1 and left > 1 and (time.process_time() - begin) / (done + 1) * left > WORTH:
                yield from _in_processes(work, tasks[done + 1 :], min(self._processes, left))
                return


def _in_processes(work: Callable[[T], R], tasks: Sequence[T], count: int) -> Iterator[R]:
    others = set(multiprocessing.active_children())
    # What tasks have in common reaches each process once, not with each of them.
    pool = ProcessPoolExecutor(count, initializer=_begin, initargs=(work, tasks))
    try:
        yield from pool.map(_do, range(len(tasks)))
    except BaseException:
        # Whoever waits has gone: nobody is interested in what they are at.
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
            process.join()
        raise
    pool.shutdown()


_given: list[tuple[Callable[[Any], Any], Sequence[Any]]] = []
"""In a process that does tasks of another one: how, and all of them."""


def _begin(work: Callable[[T], R], tasks: Sequence[T]) -> None:
    # An interruption reaches the whole group of processes: the one that started the others answers it for all.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _given[:] = [(work, tasks)]


def _do(number: int) -> Any:
    ((work, tasks),) = _given
    return work(tasks[number])
