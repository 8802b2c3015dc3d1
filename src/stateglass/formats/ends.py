"""Which states are normal ends, for formats that cannot mark them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stateglass.model.actions import parsed
from stateglass.model.model import Flags, Ints, Model


def ends(states: int, sources: Ints, actions: Ints, targets: Ints, labels: Sequence[str]) -> Flags:
    """The states without transitions that an ending action leads to."""
    ending = np.array([parsed(label).is_ending for label in labels], dtype=np.bool_)
    flags = np.zeros(states, dtype=np.bool_)
    if len(actions) and ending.any():
        flags[targets[ending[actions]]] = True
        flags[sources] = False
    return flags


def told_ends(model: Model) -> Flags:
    """The states of a model that its labels alone would make normal ends."""
    return ends(model.states, model.sources, model.actions, model.targets, model.labels)
