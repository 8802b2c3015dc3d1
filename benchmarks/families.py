"""Families of models of any size, to see how time and memory grow.

`python -m benchmarks.families FAMILY TRANSITIONS FILE` writes one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from stateglass.formats import write_model
from stateglass.model import TAU, Model
from stateglass.model.builder import canonical_order

Column = npt.NDArray[np.integer]


def random_sparse(transitions: int) -> Model:
    """Five transitions per state on the average, between any two states, every fifth one silent."""
    dice = np.random.default_rng(1)
    states = max(transitions // 5, 1)
    ends = dice.integers(0, states, (2, transitions))
    return model_of(states, ends[0], dice.integers(0, 5, transitions), ends[1], (TAU, "a", "b", "c", "d"))


def chain(transitions: int) -> Model:
    """One long path, every third step silent: as many rounds of refinement as there are states."""
    at = np.arange(transitions)
    return model_of(transitions + 1, at, at % 3, at + 1, (TAU, "a", "b"))


def grid(transitions: int) -> Model:
    """A cube of states with a step in each of six directions; no two states are strongly bisimilar."""
    side = max(round((transitions / 6) ** (1 / 3)), 2)
    cells = np.arange(side**3).reshape(side, side, side)
    columns: list[tuple[Column, Column | int, Column]] = []
    for axis in range(3):
        low = np.take(cells, range(side - 1), axis).ravel()
        high = np.take(cells, range(1, side), axis).ravel()
        columns += [(low, 2 * axis, high), (high, 2 * axis + 1, low)]
    return _from(side**3, columns, (TAU, "west", "north", "south", "up", "down"))


def silent_tree(transitions: int) -> Model:
    """A binary tree of silent steps; each leaf offers one of ten actions, which leads back to the root."""
    leaves = max((transitions + 2) // 3, 2)
    inner = leaves - 1
    children = np.arange(1, 2 * inner + 1)
    ends = np.arange(inner, inner + leaves)
    dice = np.random.default_rng(1)
    columns: list[tuple[Column, Column | int, Column]] = [
        ((children - 1) // 2, 0, children),
        (ends, 1 + dice.integers(0, 10, leaves), np.zeros_like(ends)),
    ]
    return _from(inner + leaves, columns, (TAU, *(f"a{i}" for i in range(10))))


def counters(transitions: int) -> Model:
    """Four counters side by side, each of which starts anew when it is full; one of them counts silently."""
    size = max(round((transitions / 4) ** (1 / 4)), 2)
    states = np.arange(size**4)
    columns: list[tuple[Column, Column | int, Column]] = []
    for i in range(4):
        digit = states // size**i % size
        full = digit == size - 1
        after = np.where(full, states - digit * size**i, states + size**i)
        step = 0 if i == 0 else 2 * i
        columns.append((states, np.where(full, 2 * i + 1, step), after))
    labels = (TAU, "wrap0", "count1", "wrap1", "count2", "wrap2", "count3", "wrap3")
    return _from(size**4, columns, labels)


def ladder(transitions: int) -> Model:
    """A rail of silent steps, from each of which a rung leads to a rail of visible ones: long inert paths are cut from
    the end on, one step at a time."""
    rungs = max(transitions // 3, 1)
    left = np.arange(rungs)
    right = left + rungs + 1
    columns: list[tuple[Column, Column | int, Column]] = [(left, 0, left + 1), (left, 1, right), (right, 2, right + 1)]
    return _from(2 * rungs + 2, columns, (TAU, "rung", "step"))


def comb(transitions: int) -> Model:
    """A spine of silent steps with teeth of silent steps, as many as each is long; visible ones lead from the tips to
    one rail, each a step farther from its end."""
    teeth = max(round(transitions**0.5), 2)
    spine = np.arange(teeth)
    cells = teeth + np.arange(teeth * teeth).reshape(teeth, teeth)
    rail = teeth + teeth * teeth + spine
    columns: list[tuple[Column, Column | int, Column]] = [
        (spine[:-1], 0, spine[1:]),
        (spine, 0, cells[:, 0]),
        (cells[:, :-1].ravel(), 0, cells[:, 1:].ravel()),
        (cells[:, -1], 1, rail),
        (rail[:-1], 2, rail[1:]),
    ]
    return _from(teeth * teeth + 2 * teeth, columns, (TAU, "tip", "step"))


FAMILIES: Final[dict[str, Callable[[int], Model]]] = {
    "random": random_sparse,
    "chain": chain,
    "grid": grid,
    "tree": silent_tree,
    "counters": counters,
    "ladder": ladder,
    "comb": comb,
}


def _from(states: int, columns: list[tuple[Column, Column | int, Column]], labels: tuple[str, ...]) -> Model:
    sources = np.concatenate([s for s, _, _ in columns])
    actions = np.concatenate([np.broadcast_to(np.asarray(a), s.shape) for s, a, _ in columns])
    return model_of(states, sources, actions, np.concatenate([t for _, _, t in columns]), labels)


def model_of(states: int, sources: Column, actions: Column, targets: Column, labels: tuple[str, ...]) -> Model:
    s, a, t = (column.astype(np.int32) for column in (sources, actions, targets))
    order = canonical_order(s, a, t)
    return Model(states, 0, s[order], a[order], t[order], labels)


if __name__ == "__main__":
    # In a process of its own, so that the memory of whoever measures stays small: children inherit its peak.
    write_model(FAMILIES[sys.argv[1]](int(sys.argv[2])), sys.argv[3])
