"""What to say about a state: only the propositions that tell states apart."""

from __future__ import annotations

import numpy as np

from stateglass.model import STABLE, Model, Proposition


def changing(model: Model) -> list[Proposition]:
    """The propositions that do not have the same value in all states, without `stable`."""
    return [p for p in model.propositions if p.name != STABLE and _changes(p)]


def parallel(model: Model) -> dict[tuple[int, int], list[int]]:
    """The transitions between each pair of states that has any, in the order of the model."""
    pairs: dict[tuple[int, int], list[int]] = {}
    ends = zip(model.sources.tolist(), model.targets.tolist(), strict=True)
    for transition, pair in enumerate(ends):
        pairs.setdefault(pair, []).append(transition)
    return pairs


def quiet_ends(model: Model) -> list[int]:
    """The normal ends that no transition leaves: an arrow to the end means one of them and nothing else."""
    if model.terminal is None:
        return []
    flags = model.terminal.copy()
    flags[model.sources] = False
    return np.flatnonzero(flags).tolist()


def _changes(proposition: Proposition) -> bool:
    values = proposition.values
    if proposition.defined is not None:
        if not proposition.defined.any():
            return False
        if not proposition.defined.all():
            return True
    # A NaN differs from itself, but is the same text everywhere.
    return bool((values != values[0]).any()) and len({proposition.text(s) for s in range(len(values))}) > 1
