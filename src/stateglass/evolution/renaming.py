"""Variables that seem to have another name now: taken for the same, nearly all states are found again."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from stateglass.evolution.pairing import Refusal, pairing
from stateglass.model import Model

Renames = tuple[tuple[str, str], ...]
"""Names before and now."""

_MOST_TRIED: Final = 16
_ENOUGH: Final = 0.8
"""So much of either version must be found again along runs that both have."""


def likely_renames(old: Model, new: Model) -> Renames:
    """Pairs of a variable that is gone and one that is new and that are the same as far as can be seen.

    One that never changes says nothing, and where several would do none is taken.
    """
    known = [p.name for p in new.propositions]
    gone = [p.name for p in old.propositions if p.name not in known]
    come = [name for name in known if name not in [p.name for p in old.propositions]]
    if len(gone) * len(come) > _MOST_TRIED:
        return ()
    fits = [(name, other) for name in gone for other in come if _fits(old, new, name, other)]
    return tuple(
        (name, other)
        for name, other in fits
        if sum(name == n for n, _ in fits) == 1 and sum(other == o for _, o in fits) == 1
    )


def renamed(model: Model, renames: Renames) -> Model:
    """A model whose variables have the names that they have now."""
    names = dict(renames)
    columns = (replace(p, name=names.get(p.name, p.name)) for p in model.propositions)
    return replace(model, propositions=tuple(columns))


def _fits(old: Model, new: Model, name: str, other: str) -> bool:
    before = next(p for p in old.propositions if p.name == name)
    own = next(p for p in new.propositions if p.name == other)
    if before.sort is not own.sort or before.text(old.initial) != own.text(new.initial):
        return False
    pairs = pairing(renamed(old, ((name, other),)), new, by_runs=True)
    if isinstance(pairs, Refusal) or not len(pairs.pair_old):
        return False
    found = max(np.mean(pairs.old_counts > 0), np.mean(pairs.new_counts > 0))
    values = own.values[pairs.pair_new]
    return bool(found >= _ENOUGH and (values != values[0]).any())
