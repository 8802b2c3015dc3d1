"""Tells a waiting person how far long work has come."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, final

from stateglass.cli.console import Console
from stateglass.compiled import told_of_compiling

SILENT_SECONDS = 0.5
REDRAW_SECONDS = 0.1
LINE_SECONDS = 10.0


# What draws holds it, and no process is forked meanwhile: the copy would find the stream locked for ever.
_drawing = threading.Lock()
os.register_at_fork(before=_drawing.acquire, after_in_parent=_drawing.release, after_in_child=_drawing.release)


@final
class ProgressLine:
    """Progress on standard error: one line that changes on a terminal, elsewhere a line every ten seconds.

    Quick work stays silent; of work that says nothing for a while, the last word stays there and the seconds go on.
    Use it as a context manager, so that the line is gone before the answer is printed.
    """

    def __init__(
        self, console: Console, clock: Callable[[], float] = time.monotonic, ticks: float | None = REDRAW_SECONDS
    ) -> None:
        """`ticks`: how often it looks at the clock by itself."""
        self._console = console
        self._clock = clock
        self._start = clock()
        self._next = self._start + (SILENT_SECONDS if console.terminal else LINE_SECONDS)
        self._shown = 0
        self._phase = ""
        self._counts: dict[str, int] = {}
        self._over = threading.Event()
        self._ticking = None if ticks is None else threading.Thread(target=self._tick, args=(ticks,), daemon=True)
        self._compiling = told_of_compiling(self)

    def __call__(self, phase: str, /, **counts: int) -> None:
        with _drawing:
            self._phase, self._counts = phase, counts
            self._draw()

    def close(self) -> None:
        with _drawing:
            if self._shown:
                self._console.write("\r" + " " * self._shown + "\r")
                self._console.stream.flush()
                self._shown = 0

    def __enter__(self) -> Self:
        self._compiling.__enter__()
        if self._ticking is not None:
            self._ticking.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        if self._ticking is not None:
            self._ticking.join()
        self._compiling.__exit__(kind, error, at)
        self.close()

    def _tick(self, seconds: float) -> None:
        while not self._over.wait(seconds):
            with _drawing:
                self._draw()

    def _draw(self) -> None:
        now = self._clock()
        if now < self._next or not self._phase:
            return
        self._next = now + (REDRAW_SECONDS if self._console.terminal else LINE_SECONDS)
        text = _text(self._phase, self._counts, now - self._start)
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
