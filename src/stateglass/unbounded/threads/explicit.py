"""Threads whose data is bounded: models of all that each of them can do, put together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

from stateglass.explore import Manner, explore
from stateglass.explore.stepwise import Machine, cells_called, prepare
from stateglass.model import Model
from stateglass.system import System
from stateglass.system.threads import Threads
from stateglass.unbounded.threads.alphabets import Alphabet, alphabet_of
from stateglass.unbounded.threads.composing import Composition, aliases_for, composed, known_values
from stateglass.unbounded.threads.parts import Team, team_of
from stateglass.unbounded.threads.using import with_own_values
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress

LEAST_TOGETHER: Final = 200_000
"""So many states of the whole are looked at, however few each thread may have."""


LEAST_SECONDS: Final = 0.1
"""So long a thread is explored even if time is over."""


@final
@dataclass(frozen=True)
class Explored:
    """The whole, and how the code of each thread was explored."""

    composition: Composition
    manners: tuple[Manner, ...]  # by thread


@final
@dataclass(frozen=True)
class Ready:
    """Models of all that each thread can do, not yet put together."""

    team: Team
    manners: tuple[Manner, ...]  # by thread
    aliases: Mapping[str, str]
    is_partial: bool

    def together(self, most_states: int, progress: Progress) -> Explored:
        """All threads put together at once."""
        return Explored(composed(self.team, most_states, self.aliases, progress), self.manners)


@final
class Explorer:
    """Explores threads for one claim after the other: what is the same for several is found once."""

    def __init__(self, threads: Threads, systems: Sequence[System | None], progress: Progress) -> None:
        self._threads = threads
        self._systems = systems
        self._progress = progress
        self._models: dict[tuple[int, Manner], Model] = {}

    def ready(self, manner: Manner, asked: Collection[str], *, partly: bool) -> Ready | None:
        """All that each thread can do, with every value seen that is `asked` for: `x`, or `left.x` of one thread.

        None if limits were reached, unless a part of it is wanted, too.
        """
        time, left = Deadline(manner.left()), sum(system is not None for system in self._systems)
        manners: list[Manner] = []
        models: list[Model | None] = []
        for number, system in enumerate(self._systems):
            # A thread that is dropped later has done things before that lead others to an error.
            own = replace(manner.watching(self._watched(number, asked)), counted=False)
            manners.append(own)
            if system is None:
                models.append(None)
                continue
            # Who is done early leaves its time to the others.
            own = manners[-1] = replace(own, timeout=max(time.left() / left, LEAST_SECONDS))
            left -= 1
            model = self._explored(number, system, own)
            if model.partial and not partly:
                return None
            models.append(model)
        team = team_of(self._threads, models, self._alphabets, seen=bool(asked))
        aliases = aliases_for(sorted(asked), known_values(team), self._threads)
        return Ready(team, tuple(manners), aliases, any(model is not None and model.partial for model in models))

    def _explored(self, number: int, system: System, manner: Manner) -> Model:
        key = number, replace(manner, timeout=0.0)
        known = self._models.get(key)
        if known is None:
            found = explore(system, manner, progress=self._progress)
            if found.interrupted:
                raise KeyboardInterrupt
            known = with_own_values(found.model, system)
            if not known.partial:
                self._models[key] = known
        return known

    @cached_property
    def _alphabets(self) -> tuple[Alphabet | None, ...]:
        return tuple(
            Alphabet() if system is None else alphabet_of(system, self._threads, self._progress)
            for system in self._systems
        )

    def _watched(self, number: int, asked: Collection[str]) -> frozenset[str]:
        """The variables of a thread whose every value is seen."""
        system = self._systems[number]
        if system is None or not asked:
            return frozenset()
        thread = self._threads.threads[number].name
        names = {name.removeprefix(f"{thread}.") for name in asked}
        return frozenset(name for name in names if cells_called(self._machines[number], {name}))

    @cached_property
    def _machines(self) -> dict[int, Machine]:
        found = {}
        for number, system in enumerate(self._systems):
            if system is not None:
                found[number], _ = prepare(system, Manner())
        return found


def explored(
    threads: Threads,
    systems: Sequence[System | None],
    manner: Manner,
    asked: Collection[str],
    progress: Progress,
    *,
    partly: bool,
) -> Explored | None:
    """All that threads can do together; None if limits were reached, unless a part of it is wanted, too."""
    ready = Explorer(threads, systems, progress).ready(manner, asked, partly=partly)
    if ready is None:
        return None
    whole = ready.together(max(manner.max_states, LEAST_TOGETHER), progress)
    return whole if partly or not whole.composition.model.partial else None
