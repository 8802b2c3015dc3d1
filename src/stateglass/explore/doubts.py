"""Undefined behaviour that abstract values do not rule out: noted on the way, and a way to end for the explorer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar, final

from stateglass.explore.pauses import Failing
from stateglass.source import NOWHERE, Span
from stateglass.values import Fault, FaultKind

S = TypeVar("S")
T = TypeVar("T")
Doubt = tuple[Failing, int]
"""How a run may end, and the number of what the variables hold then."""


@final
class Doubts:
    """What the machine came across since it was asked last; `look` gives the variables, `blamed` the user's line."""

    def __init__(self, heeded: frozenset[FaultKind]) -> None:
        self._heeded = heeded
        self._found: dict[Doubt, None] = {}
        self._off = not heeded
        self.any = False  # since whoever looks at it made it false, also of faults that are not heeded
        self.look: Callable[[], int] = int
        self.blamed: Callable[[Span], Span] = lambda span: span

    def note(self, kind: FaultKind, span: Span) -> None:
        """Some of the values at hand are such a fault, others are not."""
        self.any = True
        if not self._off and kind in self._heeded and span is not NOWHERE:
            self._found[Failing(kind.value, self.blamed(span)), self.look()] = None

    def each(self, many: Iterable[S], use: Callable[[S], T]) -> list[T]:
        """What comes of each of several values that are possible; a fault of some is noted, one of all is raised."""
        found: list[T] = []
        faults: list[Fault] = []
        for one in many:
            try:
                found.append(use(one))
            except Fault as reason:
                faults.append(reason)
        # Where all are faults they may be of different kinds, each of which is how the run may end.
        for fault in faults if found else faults[1:]:
            self.note(fault.kind, fault.span)
        if faults and not found:
            raise faults[0]
        return found

    def take(self) -> tuple[Doubt, ...]:
        """All that was noted, which is forgotten then."""
        found = tuple(self._found)
        self._found.clear()
        return found

    @contextmanager
    def silenced(self) -> Iterator[None]:
        """While something is computed that the program does not."""
        before, self._off = self._off, True
        try:
            yield
        finally:
            self._off = before
