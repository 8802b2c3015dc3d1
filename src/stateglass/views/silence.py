"""Where a model can go on for ever without a visible action."""

from __future__ import annotations

import numpy as np

from stateglass.model import TAU, Model
from stateglass.model.model import Ints

MANY_STEPS = 200_000
"""From so many silent transitions on, loading a compiler pays."""


def silent_cycles(model: Model) -> list[int]:
    """The states on cycles of `tau`, ascending.

    The algorithm of Tarjan (Depth-first search and linear graph algorithms, 1972) with a stack of its own: linear in
    the number of silent transitions; compiled where there are many.
    """
    if TAU not in model.labels:
        return []
    silent = model.actions == model.labels.index(TAU)
    sources, targets = model.sources[silent], model.targets[silent]
    if len(sources) >= MANY_STEPS:
        from stateglass.compiled.interrupts import whole
        from stateglass.formats.kernels.cycles import on_cycles

        first = np.zeros(model.states + 1, dtype=np.int64)
        np.cumsum(np.bincount(sources, minlength=model.states), out=first[1:])
        return np.flatnonzero(whole(on_cycles, first, targets)).tolist()
    loops = sources == targets
    return sorted({*sources[loops].tolist(), *_in_components(sources, targets)})


def _in_components(sources: Ints, targets: Ints) -> list[int]:
    """The states in strongly connected components of two or more."""
    after: dict[int, list[int]] = {}
    for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
        after.setdefault(source, []).append(target)
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    waiting: list[int] = []
    is_waiting: set[int] = set()
    found: list[int] = []
    for root in after:
        if root in index:
            continue
        work = [(root, iter(after[root]))]
        index[root] = low[root] = len(index)
        waiting.append(root)
        is_waiting.add(root)
        while work:
            state, successors = work[-1]
            for target in successors:
                if target not in index:
                    index[target] = low[target] = len(index)
                    waiting.append(target)
                    is_waiting.add(target)
                    work.append((target, iter(after.get(target, ()))))
                    break
                if target in is_waiting:
                    low[state] = min(low[state], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == index[state]:
                    component = _popped(waiting, state)
                    is_waiting.difference_update(component)
                    found += component if len(component) > 1 else []
    return found


def _popped(waiting: list[int], last: int) -> list[int]:
    component: list[int] = []
    while not component or component[-1] != last:
        component.append(waiting.pop())
    return component
