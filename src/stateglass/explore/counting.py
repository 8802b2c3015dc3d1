"""What is left of a model when runs that do not count are taken out.

A run that comes to an assumption that does not hold is dropped as a whole, not from there on: what it did before is no
behaviour of the subject. A state through which only such runs go is none of the subject's either.

Where not all was explored, whether a run is dropped may not be known. What is left then is what some run does that is
known to its end or to go on for ever, so that a part of a model shows nothing that the whole does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from stateglass.graphs.adjacency import Adjacency
from stateglass.model import NO_RUN, NO_RUN_YET, Model, Origin, Relation
from stateglass.model.model import Flags, Ints
from stateglass.model.parts import with_states

UNCERTAIN: Final = (
    "what is not known to belong to a run that counts is left out: an assumption that comes later may drop it"
)


def counting(model: Model, dropped: Sequence[int] | Ints) -> Flags:
    """The states that some run goes through that counts; none does that comes to one of those that are `dropped`."""
    if not len(dropped):
        return np.ones(model.states, dtype=np.bool_)
    may_end = np.diff(model.first) == 0
    may_end[list(dropped)] = False
    if model.unexplored is not None:
        may_end |= model.unexplored
    return _going_on(model, may_end)


def counted(model: Model, dropped: Sequence[int], *, drops_later: bool) -> tuple[Model, Flags]:
    """Without the states that only runs come to that do not count, and which states are left.

    Those that are `dropped` lead nowhere else. With `drops_later`, what was not explored may be dropped, too.
    """
    kept = counting(model, dropped)
    if not kept[model.initial]:
        return _alone(model, NO_RUN)
    open = model.unexplored
    if drops_later and open is not None and open.any():
        sure = _going_on(model, (np.diff(model.first) == 0) & kept & ~open)
        if not sure[model.initial]:
            return _alone(model, NO_RUN_YET)
        if (kept & ~sure).any():
            open = open.copy()
            open[model.sources[(kept & ~sure)[model.targets]]] = True
            model = replace(model, unexplored=open, origin=_with(model, UNCERTAIN))
            kept = sure
    return (model if kept.all() else with_states(model, kept)), kept


def _going_on(model: Model, may_end: Flags) -> Flags:
    """The states from which a run goes on for ever, or to one of those where it may end."""
    everywhere = np.ones(model.states, dtype=np.bool_)
    return Adjacency.of(model.targets, model.sources, model.states).endless(everywhere, may_end)


def _alone(model: Model, reason: str) -> tuple[Model, Flags]:
    """Nothing but the initial state, of which nothing is known to follow."""
    kept = np.zeros(model.states, dtype=np.bool_)
    kept[model.initial] = True
    relation = Relation.UNDER if model.origin.relation is Relation.EXACT else model.origin.relation
    origin = replace(_with(model, reason), relation=relation)
    return replace(with_states(model, kept), unexplored=np.ones(1, dtype=np.bool_), origin=origin), kept


def _with(model: Model, reason: str) -> Origin:
    return replace(model.origin, partial=(*model.origin.partial, reason))
