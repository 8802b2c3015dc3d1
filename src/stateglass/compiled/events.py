"""When numba compiles; to be imported only where numba is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

from numba.core import event

_known: set[Callable[[], None]] = set()


def before_compiling(call: Callable[[], None]) -> None:
    """Calls a function whenever a loop is about to be compiled, and not when its machine code is loaded from disk."""
    if call not in _known:
        _known.add(call)
        register: Any = event.register
        register("numba:compile", _Beginning(call))


@final
class _Beginning(event.Listener):
    """Calls a function when a compilation begins."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call

    def on_start(self, event: Any) -> None:
        self._call()

    def on_end(self, event: Any) -> None:
        pass
