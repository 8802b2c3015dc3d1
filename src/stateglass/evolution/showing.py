"""A shortest run to a step of a change, so that whoever reads of it can see it happen."""

from __future__ import annotations

from typing import Final

import numpy as np

from stateglass.evidence import Step, told_steps
from stateglass.graphs.arrays import way
from stateglass.model import STABLE, TAU, Model

MOST_STEPS: Final = 2_000
"""A longer run is shown to nobody."""


def run_to(model: Model, source: int, label: str, target: int) -> tuple[Step, ...]:
    """From the initial state to `source`, and on by a call that begins with `label` and ends in `target`."""
    before = _way_to(model, source)
    after = None if before is None else _call(model, source, label, target)
    if before is None or after is None or len(before) + len(after) > MOST_STEPS:
        return ()
    ends = ((int(model.sources[t]), int(model.targets[t]), model.labels[model.actions[t]]) for t in [*before, *after])
    return told_steps((Step(*end) for end in ends), model)


def _way_to(model: Model, state: int) -> list[int] | None:
    if state == model.initial:
        return []
    found = way(model.first, model.targets, model.initial, model.targets == state).tolist()
    return found or None


def _call(model: Model, source: int, label: str, target: int) -> list[int] | None:
    """The transitions of one call, or the one transition that is a step of its own."""
    first, last = int(model.first[source]), int(model.first[source + 1])
    starting = [t for t in range(first, last) if model.labels[model.actions[t]] == label]
    stable = model.proposition(STABLE)
    for transition in starting:
        at = int(model.targets[transition])
        if at == target:
            return [transition]
        if stable is None or stable.values[at]:
            continue
        within = np.asarray(stable.values[model.sources] == 0)
        rest = way(model.first, model.targets, at, within & (model.targets == target), within).tolist()
        if rest:
            return [transition, *rest]
    return _visible(model, source, label, target)


def _visible(model: Model, source: int, label: str, target: int) -> list[int] | None:
    """Silent steps, and then the action."""
    numbers = {name: number for number, name in enumerate(model.labels)}
    wanted = (model.actions == numbers.get(label, -1)) & (model.targets == target)
    silent = model.actions == numbers.get(TAU, -1)
    found = way(model.first, model.targets, source, wanted, silent | wanted).tolist()
    return found or None
