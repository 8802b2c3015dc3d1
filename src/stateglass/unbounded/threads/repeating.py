"""Whether a thread can do its part of a run, and for ever what is to be repeated: until its values come back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.unbounded.abstraction.refining import Refined, Stuck
from stateglass.unbounded.results import Walk
from stateglass.unbounded.threads.abstract import AbstractRun, AbstractThread, Round
from stateglass.unbounded.threads.parts import Row

FIRST: Final = 3
"""So often what is to be repeated is done at first to see whether values come back."""
MORE: Final = (8, 17)
"""And so often if they do not: counters come back after as many rounds as they have values."""
MOST_STRETCHES: Final = 400
"""Longer runs are not looked at."""
MOST_LATER: Final = 12
"""So often a loop is told to end after more rounds than the first; each time, it may be one round more."""


@final
@dataclass(frozen=True)
class Repeated:
    """A run that a thread can do, and the first stretch of it that is repeated for ever, if any is."""

    walk: Walk
    start: int | None = None


@final
@dataclass(frozen=True)
class Unsure:
    """A thread can do some rounds; whether for ever is not known."""


@final
@dataclass(frozen=True)
class Ranked:
    """A thread cannot do it for ever: a number would become smaller again and again."""


@final
@dataclass
class Later:
    """How often it was found that a thread can do the first rounds and no more."""

    count: int = 0


def repeated(
    thread: AbstractThread, found: Round, rows: list[Row], again: int | None, later: Later, *, to_rest: bool
) -> Repeated | Unsure | Ranked | Refined | Stuck:
    """Whether the code can do what the reduced model of a thread does, from `again` on for ever."""
    if again is None:
        outcome = thread.refine(found.along(rows, to_rest=to_rest))
        return Repeated(outcome) if isinstance(outcome, Walk) else outcome
    for rounds in (FIRST, *MORE):
        # What is to be repeated for ever can at least be done some times.
        run = found.along(rows + rows[again:] * (rounds - 1), to_rest=False)
        if rounds > FIRST and (len(run.stretches) > MOST_STRETCHES or later.count >= MOST_LATER):
            return Unsure()
        outcome = thread.refine(run)
        if not isinstance(outcome, Walk):
            later.count += rounds > FIRST
            return outcome
        for first, last in _pairs(rounds):
            begin, end = (run.marks[again + number * (len(rows) - again)] for number in (first, last))
            walk = thread.closed(AbstractRun(run.states[: end + 1], run.stretches[:end]), begin)
            if walk is not None:
                return Repeated(walk, begin)
        if thread.ranked(found, _loop(run, run.marks[again])):
            return Ranked()
    return Unsure()


def _loop(run: AbstractRun, begin: int) -> tuple[int, ...]:
    """The stretches between the last abstract state of a run and when it was in it before; none if it was not."""
    last = run.states[-1]
    before = next((at for at in range(len(run.states) - 2, begin - 1, -1) if run.states[at] == last), None)
    return () if before is None else run.stretches[before:]


def _pairs(rounds: int) -> Iterator[tuple[int, int]]:
    """After which round values may be as they were before another one."""
    for last in range(1, rounds + 1) if rounds == FIRST else (rounds,):
        for first in range(last - 1, -1, -1):
            yield first, last
