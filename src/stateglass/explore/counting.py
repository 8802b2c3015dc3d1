"""What is left of a model when runs that do not count are taken out.

A run that comes to an assumption that does not hold is dropped as a whole, not from there on: what it did before is no
behaviour of the subject. A state through which only such runs go is none of the subject's either.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stateglass.graphs.adjacency import Adjacency
from stateglass.model import Model
from stateglass.model.model import Flags, Ints


def counting(model: Model, dropped: Sequence[int] | Ints) -> Flags:
    """The states that some run goes through that counts; none does that comes to one of those that are `dropped`."""
    everywhere = np.ones(model.states, dtype=np.bool_)
    if not len(dropped):
        return everywhere
    may_end = np.diff(model.first) == 0
    may_end[list(dropped)] = False
    if model.unexplored is not None:
        may_end |= model.unexplored
    return Adjacency.of(model.targets, model.sources, model.states).endless(everywhere, may_end)
