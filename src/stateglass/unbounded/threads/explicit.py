"""Threads whose data is bounded: models of all that each of them can do, put together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore import Manner, explore
from stateglass.explore.stepwise import cells_called, prepare
from stateglass.model import Model
from stateglass.system import System
from stateglass.system.threads import Threads
from stateglass.unbounded.threads.alphabets import Alphabet, alphabet_of
from stateglass.unbounded.threads.composing import Composition, aliases_for, composed, known_values
from stateglass.unbounded.threads.parts import Team, team_of
from stateglass.unbounded.threads.using import with_own_values
from stateglass.work import Progress

LEAST_TOGETHER: Final = 200_000
"""So many states of the whole are looked at, however few each thread may have."""


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


def each_explored(
    threads: Threads,
    systems: Sequence[System | None],
    manner: Manner,
    asked: Collection[str],
    progress: Progress,
    *,
    partly: bool,
) -> Ready | None:
    """All that each thread can do, with every value seen that is `asked` for: `x`, or `left.x` of one thread.

    None if limits were reached, unless a part of it is wanted, too.
    """
    manners: list[Manner] = []
    models: list[Model | None] = []
    for thread, system in zip(threads.threads, systems, strict=True):
        own = manner.watching(watched(thread.name, system, manner, asked))
        manners.append(own)
        if system is None:
            models.append(None)
            continue
        found = explore(system, own, progress=progress)
        if found.interrupted:
            raise KeyboardInterrupt
        if found.model.partial and not partly:
            return None
        models.append(with_own_values(found.model, system))
    team = team_of(threads, models, [_alphabet(system, threads) for system in systems], seen=bool(asked))
    aliases = aliases_for(sorted(asked), known_values(team), threads)
    return Ready(team, tuple(manners), aliases, any(model is not None and model.partial for model in models))


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
    ready = each_explored(threads, systems, manner, asked, progress, partly=partly)
    if ready is None:
        return None
    whole = ready.together(max(manner.max_states, LEAST_TOGETHER), progress)
    return whole if partly or not whole.composition.model.partial else None


def watched(thread: str, system: System | None, manner: Manner, asked: Collection[str]) -> frozenset[str]:
    """The variables of a thread whose every value is seen."""
    if system is None or not asked:
        return frozenset()
    names = {name.removeprefix(f"{thread}.") for name in asked}
    machine, _ = prepare(system, manner)
    return frozenset(name for name in names if cells_called(machine, {name}))


def _alphabet(system: System | None, threads: Threads) -> Alphabet | None:
    return Alphabet() if system is None else alphabet_of(system, threads)
