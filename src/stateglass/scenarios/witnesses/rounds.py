"""What is repeated for ever: rounds in which every event gets its turn that has to.

Where runs are to be fair, a round stays in a part of the model in which a fair run can stay, takes each event that can
happen there and must not be missed for ever, or passes where it cannot happen if that is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.check.fair_runs import FairRuns
from stateglass.compiled.interrupts import whole
from stateglass.graphs.arrays import components
from stateglass.model.model import Flags, Ints
from stateglass.scenarios.witnesses.ground import Ground, Longs, fixed

MOST_LOOKED_AT: Final = 8_000_000
"""So many positions are looked at to find a better round than the first; the best by then is taken."""
MOST_NODES: Final = 2_000_000
MOST_EVENTS: Final = 4
"""With more events that need a turn, the round that takes one after the other is not improved."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """Where rounds may go: positions, what each gives its turn, and what has to get its turn, by the state."""

    inside: Flags
    can_begin: Flags  # the states that some round goes through
    marks: Ints  # bits
    wanted: Ints
    events: int


def arena(ground: Ground, through: Flags, fair: FairRuns | None) -> Arena:
    """The rounds that take positions of `through` only."""
    positions = ground.positions
    usable = through & ground.allowed
    marks: Ints = np.zeros(positions.count, dtype=np.int32)
    wanted: Ints = np.zeros(positions.states, dtype=np.int32)
    if fair is None:
        inner = ground.numbers[usable[ground.numbers]]
        before = np.concatenate([[0], np.cumsum(usable[ground.numbers])])
        component, _ = components(before[ground.first], positions.targets[inner])
        inside = usable & (component[positions.sources] == component[positions.targets])
        return Arena(inside, _flagged(positions.sources[inside], positions.states), marks, wanted, 0)
    part = fair.part(usable)
    same = part.component[positions.sources] == part.component[positions.targets]
    inside = part.positions & same
    count = int(part.component.max(initial=-1)) + 1
    for bit, turn in enumerate(fair.turns):
        gets: Flags = turn.happens if turn.strong else turn.happens | ~turn.can_happen[positions.sources]
        marks[inside & gets] |= 1 << bit
        able = _flagged(part.component[positions.sources[inside & gets]], count)
        of_fair = part.component >= 0
        wanted[of_fair] |= np.where(able[part.component[of_fair]], 1 << bit, 0).astype(np.int32)
    return Arena(inside, _flagged(positions.sources[inside], positions.states), marks, wanted, len(fair.turns))


def _flagged(places: Ints, count: int) -> Flags:
    flags: Flags = np.zeros(count, dtype=np.bool_)
    flags[places] = True
    return flags


def one_after_the_other(ground: Ground, arena: Arena, entry: int) -> list[int]:
    """A round from a state: to each event in turn by the way that costs least, and back."""
    taken: list[int] = []
    at = entry
    # What is inside connects all that it goes through, component by component.
    for bit in range(arena.events):
        is_wanted = arena.wanted[entry] >> bit & 1
        if is_wanted and not any(arena.marks[p] >> bit & 1 for p in taken):
            leg = ground.leg(at, arena.inside, arena.inside & (arena.marks >> bit & 1 != 0))
            assert leg is not None
            taken += leg
            at = int(ground.positions.targets[leg[-1]])
    if at != entry or not taken:
        leg = ground.leg(at, arena.inside, arena.inside & (ground.positions.targets == entry))
        assert leg is not None
        taken += leg
    return taken


def best_round(
    ground: Ground, arena: Arena, entries: Ints, reached: Longs, best: tuple[int, ...]
) -> tuple[int, list[int]] | None:
    """An entry and a round that, with the way to the entry, cost less than `best`, and least; None if there is none."""
    if arena.events > MOST_EVENTS or ground.states << arena.events > MOST_NODES or not len(entries):
        return None
    order = np.lexsort(reached.T[::-1])
    found, taken = whole(
        ground.loops.rounds,
        ground.first,
        ground.numbers,
        ground.targets,
        fixed(arena.inside).view(np.uint8),
        fixed(arena.marks),
        fixed(arena.wanted),
        ground.steps,
        fixed(entries[order]),
        fixed(reached[order]),
        fixed(np.array(best, dtype=np.int64)),
        MOST_LOOKED_AT,
    )
    return None if found < 0 else (int(found), taken.tolist())
