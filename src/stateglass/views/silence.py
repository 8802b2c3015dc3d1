"""Where a model can go on for ever without a visible action."""

from __future__ import annotations

import numpy as np

from stateglass.graphs.arrays import on_cycles
from stateglass.model import TAU, Model


def silent_cycles(model: Model) -> list[int]:
    """The states on cycles of `tau`, ascending; linear."""
    if TAU not in model.labels:
        return []
    silent = model.actions == model.labels.index(TAU)
    # Few states may have silent steps: a small graph of these alone needs no compiler.
    states = np.unique(model.sources[silent])
    silent &= np.isin(model.targets, states)
    sources, targets = np.searchsorted(states, model.sources[silent]), np.searchsorted(states, model.targets[silent])
    first = np.searchsorted(sources, np.arange(len(states) + 1))
    found: list[int] = states[on_cycles(first, targets)].tolist()
    return found
