"""Letters that one state comes to show and another never does: a difference that is found without sets of states."""

from __future__ import annotations

from collections import deque
from typing import Final

import numpy as np

from stateglass.graphs.adjacency import Adjacency, Indices
from stateglass.model.model import Flags
from stateglass.relate.arena import Arena

QUIET: Final = -1
"""In the place of a letter: nobody notices the step."""


def letters_of(arena: Arena, *, weak: bool) -> Indices:
    """What each transition shows: its label, and what is seen of the state that it leads to."""
    letters: Indices = arena.actions.astype(np.int64) * arena.colour_count + arena.colours[arena.targets]
    return np.where(arena.silent, QUIET, letters) if weak else letters


def novelties(arena: Arena, letters: Indices, left: int, right: int, *, certain: bool) -> Flags:
    """Transitions that the left gets to and whose letter the right never shows, wherever it gets.

    With `certain`, what open states may turn out to show counts as shown. Linear.
    """
    onward = Adjacency.of(arena.sources, arena.targets, arena.states)
    mine, others = (onward.reach(_only(arena, state)) for state in (left, right))
    if certain and (others & arena.open_states).any():
        return np.zeros(len(letters), dtype=np.bool_)
    fresh: Flags = mine[arena.sources] & ~np.isin(letters, letters[others[arena.sources]]) & (letters != QUIET)
    return fresh


def way_to(arena: Arena, letters: Indices, start: int, wanted: Flags) -> tuple[int, ...]:
    """The letters of a shortest way that ends with a wanted transition, of which one can be reached.

    A step that nobody notices makes a way no longer.
    """
    first, targets, shown, ends = arena.first.tolist(), arena.targets.tolist(), letters.tolist(), wanted.tolist()
    by: dict[int, int] = {}  # the transition by which each state is reached
    # By which transition a state may be reached: the start by none.
    waiting = deque([(start, -1)])
    while True:
        state, edge = waiting.popleft()
        if state in by:
            continue
        by[state] = edge
        for following in range(first[state], first[state + 1]):
            if ends[following]:
                return tuple(reversed([shown[following], *_back(arena, shown, by, state)]))
            if targets[following] not in by:
                put = waiting.appendleft if shown[following] == QUIET else waiting.append
                put((targets[following], following))


def _back(arena: Arena, shown: list[int], by: dict[int, int], state: int) -> list[int]:
    """The letters from a state back to the start."""
    found = []
    while (edge := by[state]) >= 0:
        if shown[edge] != QUIET:
            found.append(shown[edge])
        state = int(arena.sources[edge])
    return found


def _only(arena: Arena, state: int) -> Flags:
    flags: Flags = np.zeros(arena.states, dtype=np.bool_)
    flags[state] = True
    return flags
