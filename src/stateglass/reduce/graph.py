"""What the algorithms of this room work on: transitions by source, and a colour per state.

A *colour* stands for what tells states apart before any step is taken. A *block* is a set of states that are still
together while a partition is refined; when nothing changes any more, blocks are the *classes* of the equivalence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import numpy.typing as npt

from stateglass.graphs.arrays import components
from stateglass.model import TAU, Model
from stateglass.model.model import Ints


@final
@dataclass(frozen=True)
class Graph:
    """Transitions as bare numbers; `first[s]` … `first[s + 1]` are those of state s, in any order.

    States of different colours are never equivalent. A transition with action `silent` is an unobservable step between
    states of one colour; -1: there are none.
    """

    first: Ints
    actions: Ints
    targets: Ints
    colours: Ints
    silent: int = -1
    ordered: bool = False  # whether the transitions of each state are known to be sorted, each once

    def __post_init__(self) -> None:
        assert len(self.first) == len(self.colours) + 1
        assert self.first[-1] == len(self.actions) == len(self.targets)
        for array in (self.first, self.actions, self.targets, self.colours):
            assert array.dtype == np.int32
            # Numba compiles a loop once for each type of array, and whether one is writeable is part of its type.
            array.flags.writeable = False

    @property
    def states(self) -> int:
        return len(self.colours)

    @property
    def size(self) -> int:
        """States and transitions: the work of one round is in proportion to it."""
        return len(self.colours) + len(self.actions)

    @cached_property
    def sources(self) -> Ints:
        sources = np.repeat(np.arange(self.states, dtype=np.int32), np.diff(self.first))
        sources.flags.writeable = False
        return sources

    def silent_components(self) -> tuple[Ints, int]:
        """The strongly connected components of the silent steps, which lead to equal or lower numbers."""
        return components(self.first, self.targets, self.actions == self.silent)

    @cached_property
    def widest(self) -> int:
        """The most transitions that leave one state."""
        return int(np.diff(self.first).max(initial=0))


@final
@dataclass(frozen=True)
class Partition:
    """A class per state, numbered by first states, and the classes in which silence can go on for ever."""

    classes: Ints
    endless: npt.NDArray[np.uint8]  # 1 or 0 per class; 0 also where nobody asked

    @property
    def count(self) -> int:
        return len(self.endless)

    @staticmethod
    def of(blocks: Ints, endless_states: npt.NDArray[np.uint8] | None = None) -> Partition:
        """From blocks numbered in any way."""
        classes, count = by_first(blocks)
        endless = np.zeros(count, dtype=np.uint8)
        if endless_states is not None:
            endless[classes[endless_states != 0]] = 1
        return Partition(classes, endless)


def by_first(blocks: Ints) -> tuple[Ints, int]:
    """A partition with its classes numbered in the order of their first states, and how many there are."""
    firsts = first_states(blocks, int(blocks.max(initial=-1)) + 1)
    firsts = np.sort(firsts[firsts < len(blocks)])
    number = np.empty(int(blocks.max(initial=-1)) + 1, dtype=np.int32)
    number[blocks[firsts]] = np.arange(len(firsts), dtype=np.int32)
    return number[blocks], len(firsts)


def first_states(blocks: Ints, count: int) -> Ints:
    """The lowest state of each block; the number of states where a block is empty."""
    firsts = np.full(count, len(blocks), dtype=np.int32)
    # Of several assignments to one place the last holds: with the states in reverse, the first state's.
    firsts[blocks[::-1]] = np.arange(len(blocks) - 1, -1, -1, dtype=np.int32)
    return firsts


def graph_of(model: Model, colours: Ints, *, silence: bool) -> Graph:
    """The graph of a model. With `silence`, `tau` between states of one colour is silent.

    A `tau` between states of different colours shows; it counts as an action of its own, numbered after all labels.
    """
    first = model.first.astype(np.int32)
    tau = model.labels.index(TAU) if silence and TAU in model.labels else -1
    actions = model.actions
    if tau >= 0 and colours.any():
        shows = (actions == tau) & (colours[model.sources] != colours[model.targets])
        if shows.any():
            actions = np.where(shows, np.int32(len(model.labels)), actions)
    if tau >= 0 and not (actions == tau).any():
        tau = -1
    return Graph(first, actions, model.targets, colours, tau, ordered=actions is model.actions)
