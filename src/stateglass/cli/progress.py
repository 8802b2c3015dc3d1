"""Tells a waiting person how far long work has come."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, final

from stateglass.cli.console import Console
from stateglass.operations.waiting import told_of_compiling

SILENT_SECONDS = 0.5
REDRAW_SECONDS = 0.1
LINE_SECONDS = 10.0


@final
class ProgressLine:
    """Progress on standard error: one line that changes on a terminal, elsewhere a line every ten seconds.

    Quick work stays silent. Use it as a context manager, so that the line is gone before the answer is printed.
    """

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._start = clock()
        self._next = self._start + (SILENT_SECONDS if console.terminal else LINE_SECONDS)
        self._shown = 0
        self._compiling = told_of_compiling(self)

    def __call__(self, phase: str, /, **counts: int) -> None:
        now = self._clock()
        if now < self._next:
            return
        self._next = now + (REDRAW_SECONDS if self._console.terminal else LINE_SECONDS)
        self._show(_text(phase, counts, now - self._start))

    def close(self) -> None:
        if self._shown:
            self._console.write("\r" + " " * self._shown + "\r")
            self._console.stream.flush()
            self._shown = 0

    def __enter__(self) -> Self:
        self._compiling.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._compiling.__exit__(kind, error, at)
        self.close()

    def _show(self, text: str) -> None:
        if self._console.terminal:
            # A full line would wrap, and a wrapped line cannot be overwritten.
            text = text[: self._console.width - 1]
            self._console.write("\r" + text.ljust(self._shown))
            self._shown = len(text)
        else:
            self._console.line(text)
        self._console.stream.flush()


def _text(phase: str, counts: dict[str, int], seconds: float) -> str:
    parts = [f"{value:,} {name.replace('_', ' ')}" for name, value in counts.items()]
    return f"{phase}: " + ", ".join([*parts, f"{seconds:.0f} s"])
