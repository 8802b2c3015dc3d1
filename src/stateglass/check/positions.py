"""The positions of all runs of a model: its transitions, and one step that stays for each state in which runs end.

Where not all transitions of a state are known, there is one more position, which may exist or not, and leads to a state
of which nothing is known. In an abstraction no transition is certain to exist. Every state has at least one position,
so that a run never stops.
"""

from __future__ import annotations

from functools import cached_property
from types import ModuleType
from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.check import loops
from stateglass.check.truth import Truth, open_states
from stateglass.compiled.interrupts import whole
from stateglass.model import Model, Relation
from stateglass.model.model import Flags, Ints

MOST_PLAIN = 20_000
"""So many states and transitions go through a loop as it stands in the time that compiled loops take to be loaded."""
_TINY: Final = 2_000
"""So few are done as they stand before anything is loaded, however often they are looked at."""

_NONE: Final = np.zeros(0, dtype=np.uint8)


@final
class Positions:
    """Positions by number: first the transitions as the model has them, then ends, then what is not known."""

    def __init__(self, model: Model) -> None:
        self.model = model
        opened = open_states(model)
        ends = np.flatnonzero((np.diff(model.first) == 0) & ~opened).astype(np.int32)
        unknown = np.flatnonzero(opened).astype(np.int32)
        self.ends = ends
        self.first_unknown = model.transitions + len(ends)
        self.states = model.states + (len(unknown) > 0)
        """With the state of which nothing is known, if there is need for it."""
        self.sources: Ints = model.sources
        self.targets: Ints = model.targets
        if len(unknown):
            nowhere = np.full(len(unknown) + 1, model.states, dtype=np.int32)
            self.sources = np.concatenate([model.sources, ends, unknown, nowhere[:1]])
            self.targets = np.concatenate([model.targets, ends, nowhere])
        elif len(ends):
            self.sources = np.concatenate([model.sources, ends])
            self.targets = np.concatenate([model.targets, ends])
        abstract = model.origin.relation is Relation.OVER
        self.is_certain = not abstract and not len(unknown)
        """Whether all positions are known to exist, and no others: then truth has one side."""
        self._certain = _NONE
        if not self.is_certain:
            self._certain = np.zeros(self.count, dtype=np.uint8)
            self._certain[: self.first_unknown] = 1
            if abstract:
                self._certain[: model.transitions] = 0

    @property
    def count(self) -> int:
        return len(self.sources)

    @cached_property
    def loops(self) -> ModuleType:
        if self.states + self.count <= MOST_PLAIN:
            return loops
        from stateglass.check.kernels import compiled

        return compiled

    def hurry(self) -> None:
        """Many questions will be asked: loads the compiled loops at once, however small the model is."""
        if self.states + self.count > _TINY:
            from stateglass.check.kernels import compiled

            self.loops = compiled

    @cached_property
    def incoming(self) -> tuple[npt.NDArray[np.int64], Ints, Ints]:
        first, edges, origins = whole(self.loops.incoming, self.sources, self.targets, self.states)
        return first, edges, origins

    def of_states(self, truth: Truth) -> Truth:
        """Truth in the states of the model, with one more state of which nothing is known, if there is one here."""
        if self.states == self.model.states:
            return truth
        return Truth(np.append(truth.must, False), np.append(truth.may, True))

    def of_labels(self, truth: Truth) -> Truth:
        """At which positions a label is one of these. Where runs end there is none; what is not known may be any."""

        def spread(labels: Flags, unknown: bool) -> Flags:
            known = labels[self.model.actions] if len(labels) else np.zeros(0, dtype=np.bool_)
            rest = self.count - self.model.transitions
            if not rest:
                return known
            more = np.zeros(rest, dtype=np.bool_)
            more[len(self.ends) :] = unknown
            return np.concatenate([known, more])

        if truth.is_known and self.first_unknown == self.count:
            return Truth.known(spread(truth.must, False))
        return Truth(spread(truth.must, False), spread(truth.may, True))

    def on_all_sides(self, flags: Flags, by_position: bool) -> Flags:
        """Flags for each position, from flags for each state: what holds in a state holds at all its positions."""
        found: Flags = flags if by_position else flags[self.sources]
        return found

    def until(
        self, through: Flags, through_by_position: bool, goal: Flags, goal_by_position: bool, policy: int
    ) -> Ints:
        """How many steps it takes from each state to the goal through `through`; -1 if that does not succeed."""
        first, edges, origins = self.incoming
        ranks: Ints = whole(
            self.loops.until,
            first,
            edges,
            origins,
            self.sources,
            self._certain,
            policy,
            through.view(np.uint8),
            through_by_position,
            goal.view(np.uint8),
            goal_by_position,
        )
        return ranks

    def somewhere(self, flags: Flags, policy: int) -> Flags:
        """The states whose positions are flagged as the policy wants it."""
        found: Flags = (
            whole(self.loops.somewhere, self.sources, flags.view(np.uint8), self._certain, policy, self.states) != 0
        )
        return found

    def existing(self, *, sure: bool) -> Flags:
        """The positions that runs may be told by: those that certainly exist, or all but what is not known."""
        if sure and not self.is_certain:
            certain: Flags = self._certain != 0
            return certain
        flags: Flags = np.ones(self.count, dtype=np.bool_)
        flags[self.first_unknown :] = False
        return flags
