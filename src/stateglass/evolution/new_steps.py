"""What strategies for witnesses ask of the steps of a new model: which are new, and which variables they change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.evolution.matching import coded
from stateglass.evolution.pairing import Pairing, Refusal
from stateglass.graphs.adjacency import Indices, spread
from stateglass.model import Model
from stateglass.model.model import Flags, Ints

_MOST_CHECKED: Final = 20_000_000


@final
@dataclass(frozen=True, eq=False)
class NewSteps:
    """One entry for each transition of the new model.

    A transition is preserved, not new, if it joins versions of states that the old model joins by the same action.
    """

    is_new: Flags
    new_variable_changes: Ints  # how many of the added variables have another value after it


def new_steps(pairs: Pairing) -> NewSteps | Refusal:
    """Marks the transitions of the new model; linear in the pairs of versions of their ends."""
    new = pairs.new
    counts = pairs.new_counts
    from_counts, to_counts = counts[new.sources], counts[new.targets]
    if int(from_counts @ to_counts) > _MOST_CHECKED:
        return Refusal("states have so many old versions that it is not clear which transitions are new")
    changes = np.zeros(new.transitions, dtype=np.int32)
    for proposition in new.propositions:
        if proposition.name in pairs.agreed.added:
            codes = coded(proposition).codes
            changes += codes[new.sources] != codes[new.targets]
    return NewSteps(~_preserved(pairs, from_counts, to_counts), changes)


def _preserved(pairs: Pairing, from_counts: Indices, to_counts: Indices) -> Flags:
    old, new = pairs.old, pairs.new
    order = np.argsort(pairs.pair_new, kind="stable")
    versions = pairs.pair_old[order].astype(np.int64)
    starts = np.cumsum(pairs.new_counts) - pairs.new_counts
    edges = np.repeat(np.arange(new.transitions, dtype=np.int64), from_counts)
    sources = versions[spread(starts[new.sources], from_counts)]
    wide = to_counts[edges]
    targets = versions[spread(starts[new.targets[edges]], wide)]
    edges, sources = np.repeat(edges, wide), np.repeat(sources, wide)
    labels, _, numbers = pairs.labels
    found = _in(_keys(old, len(labels)), (sources * len(labels) + numbers[new.actions[edges]]) * old.states + targets)
    preserved = np.zeros(new.transitions, dtype=np.bool_)
    preserved[edges[found]] = True
    return preserved


def _keys(model: Model, labels: int) -> Indices:
    """Transitions as numbers; ascending, as labels of the old model have the first numbers."""
    return (model.sources.astype(np.int64) * labels + model.actions) * model.states + model.targets


def _in(known: Indices, wanted: Indices) -> Flags:
    if not len(known):
        return np.zeros(len(wanted), dtype=np.bool_)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    flags: Flags = known[at] == wanted
    return flags
