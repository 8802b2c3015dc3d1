"""What states can do if silent steps do not count, as sets of classes, without a list of all weak steps.

There can be as many weak steps as pairs of states. What they lead to is needed as sets of classes only, and a set is
one long number: each state joins the sets of the states that its silent steps lead to (the bit sets of the Four
Russians, in the way of Purdom, A transitive closure algorithm, 1970).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

import numpy as np

from stateglass.graphs.adjacency import Adjacency
from stateglass.graphs.arrays import components
from stateglass.model.model import Flags, Ints
from stateglass.relate.arena import Arena
from stateglass.relate.saturation import TooMany
from stateglass.work import Progress

MOST_BITS: Final = 1 << 31
"""A quarter of a gigabyte of sets."""
_REPORT_EVERY: Final = 4096


@final
class Descent:
    """The states with silent steps, in an order in which silent steps lead to earlier ones.

    There is one: in an arena equivalent states were made one, so that it has no silent cycles but loops.
    """

    def __init__(self, arena: Arena) -> None:
        proper = arena.silent & (arena.sources != arena.targets)
        sources, targets = arena.sources[proper], arena.targets[proper]
        number, count = components(np.searchsorted(sources, np.arange(arena.states + 1)), targets)
        assert count == arena.states, "there is a silent cycle"
        states = np.unique(sources)
        self.order: list[int] = states[np.argsort(number[states])].tolist()
        onward = Adjacency.of(sources, targets, arena.states)
        first, ends = onward.first.tolist(), onward.ends.tolist()
        self.targets = [ends[first[state] : first[state + 1]] for state in self.order]

    def joined(self, own: dict[int, int], classes: list[int] | None, progress: Progress) -> dict[int, int]:
        """For each state, the union of its own set and those of all states that silent steps lead to.

        With `classes`, only silent steps within a class count. Sets are the bits of numbers; empty ones are left out.
        """
        found = dict(own)
        bits = 0
        for done, (state, targets) in enumerate(zip(self.order, self.targets, strict=True)):
            every = found.get(state, 0)
            for target in targets:
                if classes is None or classes[target] == classes[state]:
                    every |= found.get(target, 0)
            if every:
                found[state] = every
                bits += every.bit_length()
            if done % _REPORT_EVERY == 0:
                progress("following silent steps", states=done)
                if bits > MOST_BITS:
                    raise TooMany("sets of classes of more than 256 MB")
        return found


def weak_signatures(arena: Arena, descent: Descent, classes: Ints, divergence: bool, progress: Progress) -> Ints:
    """A number for each state: the same if weak steps with the same labels lead to the same classes."""
    kinds = classes.tolist()
    singles = [1 << kind for kind in range(max(kinds) + 1)]
    reached = descent.joined(dict(enumerate(singles[kind] for kind in kinds)), None, progress)
    visible = ~arena.silent
    does: dict[int, dict[int, int]] = {}  # by label
    columns = (column[visible].tolist() for column in (arena.sources, arena.actions, arena.targets))
    for source, label, target in zip(*columns, strict=True):
        of_label = does.setdefault(label, {})
        of_label[source] = of_label.get(source, 0) | reached[target]
    if divergence:
        loops = np.flatnonzero(_looping(arena)).tolist()
        does[arena.divergence] = {state: singles[kinds[state]] for state in loops}
    columns_of_sets = [reached, *(descent.joined(does[label], None, progress) for label in sorted(does))]
    return numbered(classes, columns_of_sets)


def numbered(classes: Ints, columns: Iterable[dict[int, int]]) -> Ints:
    """Numbers for states so that those get the same that have the same class and the same sets in all columns."""
    numbers = classes.tolist()
    for column in columns:
        known: dict[tuple[int, int], int] = {}
        for state, number in enumerate(numbers):
            numbers[state] = known.setdefault((number, column.get(state, 0)), len(known))
    return np.array(numbers, dtype=np.int32)


def _looping(arena: Arena) -> Flags:
    loops = arena.silent & (arena.sources == arena.targets)
    found: Flags = np.zeros(arena.states, dtype=np.bool_)
    found[arena.sources[loops]] = True
    return found
