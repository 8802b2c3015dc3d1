"""Where a model can go on for ever without a visible action."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stateglass.model import TAU, Model

_Numbers = npt.NDArray[np.int64]


def silent_cycles(model: Model) -> list[int]:
    """The states on cycles of `tau`, ascending.

    What cannot be on a cycle is peeled off first; the rest goes through the algorithm of Tarjan (Depth-first search
    and linear graph algorithms, 1972) with a stack of its own: linear in the number of silent transitions.
    """
    if TAU not in model.labels:
        return []
    silent = model.actions == model.labels.index(TAU)
    sources, targets = model.sources[silent].astype(np.int64), model.targets[silent].astype(np.int64)
    while len(sources):
        leaves = np.zeros(model.states, dtype=np.bool_)
        enters = leaves.copy()
        leaves[sources], enters[targets] = True, True
        kept = enters[sources] & leaves[targets]
        if kept.all() or kept.mean() > 0.99:
            break
        sources, targets = sources[kept], targets[kept]
    loops = sources == targets
    return sorted({*sources[loops].tolist(), *_in_components(sources, targets)})


def _in_components(sources: _Numbers, targets: _Numbers) -> list[int]:
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
