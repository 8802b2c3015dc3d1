"""How a model gets to its errors and deadlocks, or anywhere: shortest ways, with what changes at each step."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from stateglass.formats.valuations import changing
from stateglass.model import Model, is_error
from stateglass.source import Span

Numbers = npt.NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A transition on the way: its number, what it does, what has another value afterwards, where it stands."""

    transition: int
    action: str
    changes: tuple[tuple[str, str], ...]
    target: int
    span: Span | None


@final
@dataclass(frozen=True, slots=True)
class Way:
    """A shortest way from the initial state to something worth a look, and what that is."""

    title: str
    steps: tuple[Step, ...]


def noteworthy_ways(model: Model) -> list[Way]:
    """One way to each kind of error, then one to the nearest deadlock."""
    depths, arrivals = _search(model)
    ways: list[Way] = []
    for number, label in enumerate(model.labels):
        if not is_error(label):
            continue
        found = np.flatnonzero((model.actions == number) & (depths[model.sources] >= 0))
        if len(found):
            nearest = int(found[np.argmin(depths[model.sources[found]])])
            ways.append(Way(label, _steps(model, [*_way_to(model, arrivals, int(model.sources[nearest])), nearest])))
    stuck = model.deadlocks[depths[model.deadlocks] >= 0]
    if len(stuck):
        nearest = int(stuck[np.argmin(depths[stuck])])
        ways.append(Way(f"deadlock in state {nearest}", _steps(model, _way_to(model, arrivals, nearest))))
    return ways


def way_to_action(model: Model, labels: Collection[str]) -> Way | None:
    """A shortest way that ends with one of some actions; None if there is none."""
    depths, arrivals = _search(model)
    numbers = [number for number, label in enumerate(model.labels) if label in labels]
    found = np.flatnonzero(np.isin(model.actions, numbers) & (depths[model.sources] >= 0))
    if not len(found):
        return None
    nearest = int(found[np.argmin(depths[model.sources[found]])])
    way = [*_way_to(model, arrivals, int(model.sources[nearest])), nearest]
    return Way(f"`{model.labels[model.actions[nearest]]}`", _steps(model, way))


def way_to_state(model: Model, state: int) -> Way | None:
    """A shortest way to a state; None if there is none."""
    depths, arrivals = _search(model)
    return Way(f"state {state}", _steps(model, _way_to(model, arrivals, state))) if depths[state] >= 0 else None


def _search(model: Model) -> tuple[Numbers, Numbers]:
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


def _steps(model: Model, transitions: list[int]) -> tuple[Step, ...]:
    shown = changing(model)
    steps: list[Step] = []
    for transition in transitions:
        source, target = int(model.sources[transition]), int(model.targets[transition])
        changes = tuple((p.name, p.text(target)) for p in shown if p.text(source) != p.text(target))
        action = model.labels[model.actions[transition]]
        steps.append(Step(transition, action, changes, target, model.span_of_transition(transition)))
    return tuple(steps)
