"""How a model gets to its errors and deadlocks, or anywhere: shortest ways, with what changes at each step."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from stateglass.evidence import Step, told_steps
from stateglass.model import Model, is_error

Numbers = npt.NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class Way:
    """A shortest way from the initial state to something worth a look, and what that is."""

    title: str
    transitions: tuple[int, ...]
    steps: tuple[Step, ...]  # one for each of them


def noteworthy_ways(model: Model) -> list[Way]:
    """One way to each kind of error, then one to the nearest deadlock."""
    depths, arrivals = shortest(model)
    ways: list[Way] = []
    for number, label in enumerate(model.labels):
        if not is_error(label):
            continue
        found = np.flatnonzero((model.actions == number) & (depths[model.sources] >= 0))
        if len(found):
            nearest = int(found[np.argmin(depths[model.sources[found]])])
            ways.append(_way(model, label, [*_way_to(model, arrivals, int(model.sources[nearest])), nearest]))
    stuck = model.deadlocks[depths[model.deadlocks] >= 0]
    if len(stuck):
        nearest = int(stuck[np.argmin(depths[stuck])])
        ways.append(_way(model, f"deadlock in state {nearest}", _way_to(model, arrivals, nearest)))
    return ways


def way_to_action(model: Model, labels: Collection[str]) -> Way | None:
    """A shortest way that ends with one of some actions; None if there is none."""
    depths, arrivals = shortest(model)
    numbers = [number for number, label in enumerate(model.labels) if label in labels]
    found = np.flatnonzero(np.isin(model.actions, numbers) & (depths[model.sources] >= 0))
    if not len(found):
        return None
    nearest = int(found[np.argmin(depths[model.sources[found]])])
    way = [*_way_to(model, arrivals, int(model.sources[nearest])), nearest]
    return _way(model, f"`{model.labels[model.actions[nearest]]}`", way)


def way_to_state(model: Model, state: int) -> Way | None:
    """A shortest way to a state; None if there is none."""
    depths, arrivals = shortest(model)
    return _way(model, f"state {state}", _way_to(model, arrivals, state)) if depths[state] >= 0 else None


def shortest(model: Model) -> tuple[Numbers, Numbers]:
    """Breadth first, a layer at a time: the depth of each state, and the transition it is first reached by."""
    depths = np.full(model.states, -1, dtype=np.int64)
    arrivals = np.full(model.states, -1, dtype=np.int64)
    depths[model.initial] = 0
    layer = np.array([model.initial], dtype=np.int64)
    depth = 0
    while len(layer):
        depth += 1
        counts = model.first[layer + 1] - model.first[layer]
        before = np.cumsum(counts) - counts
        leaving = np.repeat(model.first[layer] - before, counts) + np.arange(counts.sum())
        targets, positions = np.unique(model.targets[leaving], return_index=True)
        fresh = depths[targets] < 0
        layer = targets[fresh].astype(np.int64)
        depths[layer] = depth
        arrivals[layer] = leaving[positions[fresh]]
    return depths, arrivals


def _way_to(model: Model, arrivals: Numbers, state: int) -> list[int]:
    backwards: list[int] = []
    while state != model.initial:
        backwards.append(int(arrivals[state]))
        state = int(model.sources[backwards[-1]])
    return backwards[::-1]


def _way(model: Model, title: str, transitions: list[int]) -> Way:
    ends = ((int(model.sources[t]), int(model.targets[t]), model.labels[model.actions[t]]) for t in transitions)
    return Way(title, tuple(transitions), told_steps((Step(*end) for end in ends), model))
