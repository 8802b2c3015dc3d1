"""Truth with two sides: where something holds for certain, and where it may hold.

In a partial model, what is not explored may turn out either way, and in an abstraction a value may be one of several
(Bruns and Godefroid, Model checking partial state spaces with 3-valued temporal logics, 1999).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from stateglass.model import Model, Relation
from stateglass.model.model import Flags


@final
@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """Where a formula holds for certain, and where it may hold; one array if there is no difference."""

    must: Flags
    may: Flags

    @staticmethod
    def known(where: Flags) -> Truth:
        return Truth(where, where)

    @property
    def is_known(self) -> bool:
        """Whether both sides are the same array: then work on one side is work on both, and is done once."""
        return self.must is self.may

    def negated(self) -> Truth:
        if self.is_known:
            return Truth.known(~self.must)
        return Truth(~self.may, ~self.must)

    def and_also(self, other: Truth) -> Truth:
        if self.is_known and other.is_known:
            return Truth.known(self.must & other.must)
        return Truth(self.must & other.must, self.may & other.may)

    def or_else(self, other: Truth) -> Truth:
        if self.is_known and other.is_known:
            return Truth.known(self.must | other.must)
        return Truth(self.must | other.must, self.may | other.may)

    def at(self, place: int) -> bool | None:
        """Whether it holds at one place; None if it may be either."""
        if self.must[place]:
            return True
        return None if self.may[place] else False


def open_states(model: Model) -> Flags:
    """The states whose transitions may not all be known; all of them if a partial model does not say which.

    What is seen of a state itself is known all the same, and where the program has ended, nothing follows.
    """
    lacks = model.partial or model.origin.relation is Relation.UNDER
    flags: Flags = np.full(model.states, lacks, dtype=np.bool_)
    if model.unexplored is not None and model.unexplored.any():
        flags = model.unexplored
    return flags if model.terminal is None else flags & ~model.terminal
