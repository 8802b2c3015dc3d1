"""The ways of one run from a rest: those that are still to be gone, and those that have come to another rest."""

from __future__ import annotations

import heapq
from contextlib import suppress
from itertools import groupby
from typing import Never, final

from stateglass.explore.merging.contents import Cells, Meeting, Way
from stateglass.explore.merging.context import Context, Lost
from stateglass.explore.merging.outcome import Kind
from stateglass.explore.stretches.arrivals import Arrival, Key
from stateglass.explore.stretches.flow import Chosen, Phase, Shown
from stateglass.explore.stretches.levels import Location, When
from stateglass.explore.stretches.watching import Watching
from stateglass.explore.stretches.whole import Whole
from stateglass.smt import Term
from stateglass.source import Span


@final
class Ways:
    """Taken in the order of the code, so that ways that meet become one; what is shown is the same on all of them."""

    def __init__(self, whole: Whole, context: Context) -> None:
        self._whole = whole
        self._context = context
        self._terms = whole.terms
        self._watching = Watching(whole, context)
        # Code rests as soon as one of them changes, so that it ends with what it has begun with.
        self._ends_with = self._watching.now()
        self._pending: dict[tuple[When, Location], list[Way]] = {}
        self._queue: list[tuple[When, Location]] = []
        self._arrived: dict[Key, list[Way]] = {}
        self.drops = False  # for some values the run does not count
        self.action: Shown | None = None
        self.entry: int | None = None

    @property
    def is_over(self) -> bool:
        return not self._queue

    def take(self) -> tuple[When, Location]:
        """The next moment, with the ways that come there as the one at hand."""
        at = heapq.heappop(self._queue)
        self._context.way = self._merged(self._pending.pop(at))
        return at

    def watched(self) -> Cells:
        """What the variables hold that somebody watches."""
        return self._watching.now()

    def push(self, location: Location, when: When, way: Way) -> None:
        """Goes on there later, together with others that come there at the same moment."""
        at = (when, location)
        if at in self._pending:
            self._pending[at].append(way)
        else:
            self._pending[at] = [way]
            heapq.heappush(self._queue, at)

    def arrive(self, key: Key) -> Never:
        """The way at hand has come to a rest."""
        cells = self._context.way.cells
        if key.location is not None:
            alive, first = self._whole.levels.alive(key.location), self._whole.machine.last_variable
            for number in [n for n in cells if n >= first and n not in alive]:
                del cells[number]
        self._arrived.setdefault(key, []).append(self._context.way)
        raise Lost

    def rest_if_changed(self, before: Cells, behind: Location, span: Span) -> None:
        """Rests where a variable that somebody watches has another value than before; else goes on."""
        context, terms = self._context, self._terms
        same = self._watching.same(before)
        if same is terms.true:
            return
        way = context.way
        if same is not terms.false:
            context.way = Way((*way.guard, terms.negation(same)), dict(way.cells))
        with suppress(Lost):
            self.arrive(Key(Phase.CHANGED, behind, span=span))
        if same is terms.false:
            raise Lost
        context.way = Way((*way.guard, same), way.cells)

    def arrivals(self, chosen: tuple[Chosen, ...]) -> list[Arrival]:
        """Where the run has come to in the end."""
        terms, feasible = self._terms, self._whole.feasible
        found: list[Arrival] = []
        # The first event that there is for a valuation counts, and what comes behind it does not happen.
        happened = terms.false
        ends: dict[Key, list[Term]] = {}
        for key, group in groupby(self._context.events, lambda event: _end(event.kind, event.what, event.span)):
            events = list(group)
            when = terms.either(*(event.when for event in events))
            guard = terms.both(when, terms.negation(happened))
            if not feasible(guard):
                continue
            self.drops |= any(event.kind is Kind.DROPPED for event in events)
            happened = terms.either(happened, when)
            if key is not None:
                ends.setdefault(key, []).append(guard)
        for key, guards in ends.items():
            found.append(Arrival(key, terms.either(*guards), self._ends_with, chosen, self.action, self.entry))
        nothing = terms.negation(happened)
        for key, ways in self._arrived.items():
            way = self._merged(ways)
            guard = terms.both(*way.guard, nothing)
            if feasible(guard):
                cells = self._ends_with if key.phase.is_end else way.cells
                found.append(Arrival(key, guard, cells, chosen, self.action, self.entry))
        return found

    def _merged(self, ways: list[Way]) -> Way:
        context = self._context
        return Meeting(self._terms, context.before, context.width, ways, self._whole.keep_time).merged()


def _end(kind: Kind, what: str, span: Span) -> Key | None:
    """Where an event leads; None: there is no such run, or it does not count."""
    match kind:
        case Kind.FAULT:
            return Key(Phase.FAILED, what=what, span=span)
        case Kind.EXIT:
            return Key(Phase.OVER)
        case Kind.DROPPED | Kind.OUTSIDE:
            return None
        case Kind.BOUND | Kind.UNSUPPORTED:
            return Key(Phase.LOST, what=what, span=span, bound=kind is Kind.BOUND)
