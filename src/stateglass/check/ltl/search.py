"""From the components of a product that hold accepted runs to one such run, with the shortest stem and a short loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Final, final

import numpy as np

from stateglass.check.ltl.lassos import Lasso
from stateglass.check.ltl.loops import Longs
from stateglass.check.ltl.product import Part, Product
from stateglass.graphs.arrays import components, way
from stateglass.model import Model
from stateglass.model.model import Flags, Ints

_ENTRIES: Final = 24
"""So many nodes nearest to the start are tried as beginnings of the loop."""
_LONG: Final = 80
"""Lassos of more steps than these are left as they are."""
_LARGE: Final = 100_000
"""In components with more steps than these, only the node nearest to the start is tried."""


@final
@dataclass(frozen=True)
class _Component:
    """Nodes whose components by the steps that are used hold accepted runs."""

    part: Part
    used: Flags
    component: Ints
    sources: Ints


def shortest(product: Product, accepted: Flags, banned: Longs) -> Lasso:
    """An accepted run. The stem is one of the shortest, up to what the loop saves elsewhere; linear in the product."""
    queue, parent, via = product.approach(accepted, _ENTRIES)
    entries = queue[accepted[queue]][:_ENTRIES]
    components: dict[tuple[int, int], _Component] = {}
    best: tuple[list[int], list[int]] | None = None
    for entry in entries.tolist():
        key = (int(product.component[entry]), int(banned[entry]))
        stem = _stem(entry, parent, via)
        if best is not None and len(stem) >= len(best[0]) + len(best[1]):
            break
        if key not in components:
            if components and best is not None and len(next(iter(components.values())).part.targets) > _LARGE:
                break
            members = np.flatnonzero(accepted & (product.component == key[0]) & (banned == key[1])).astype(np.int32)
            components[key] = _component(product, members, key[1])
        found = components[key]
        loop = _loop(product, found, int(np.searchsorted(found.part.members, entry)))
        if best is None or len(stem) + len(loop) < len(best[0]) + len(best[1]):
            best = (stem, loop)
        if len(found.part.targets) > _LARGE:
            break
    assert best is not None, "a component that holds an accepted run can be reached"
    return _lasso(*best)


def shortened(lasso: Lasso, model: Model, violates: Callable[[Lasso], bool], tries: int) -> Lasso:
    """The lasso without detours that it can do without, as long as `violates` says so, which is asked `tries` times.

    An automaton may need several turns to notice what happens in one.
    """
    found = True
    while found:
        found = False
        for shorter in _shorter(lasso, model):
            tries -= 1
            if tries < 0:
                return lasso
            if violates(shorter):
                lasso, found = shorter, True
                break
    return lasso


def _shorter(lasso: Lasso, model: Model) -> list[Lasso]:
    """Lassos by the same steps, some left out, shortest first."""
    steps, loop = lasso.steps, lasso.loop
    if len(steps) > _LONG:
        return []
    states = [int(model.sources[step]) for step in steps]
    states.append(int(model.targets[steps[-1]]) if steps else model.initial)
    found: list[Lasso] = []
    for i, j in combinations(range(len(states)), 2):
        if states[i] != states[j]:
            continue
        if j < len(steps):
            found.append(Lasso(steps[:j], i))
        if j <= loop:
            found.append(Lasso(steps[:i] + steps[j:], loop - (j - i)))
        elif i >= loop and j - i < len(steps) - loop:
            found.append(Lasso(steps[:i] + steps[j:], loop))
        elif i < loop < j < len(steps):
            # From here on the loop can be entered elsewhere: it is turned round.
            turned = steps[j:] + steps[loop:j]
            found.append(Lasso(steps[:i] + turned, i))
    return sorted(found, key=lambda one: (len(one.steps), one.loop))


def _stem(entry: int, parent: Ints, via: Longs) -> list[int]:
    steps: list[int] = []
    while entry != 0:
        steps.append(int(via[entry]))
        entry = int(parent[entry])
    return steps[::-1]


def _component(product: Product, members: Ints, banned: int) -> _Component:
    part = product.part(members)
    used = part.enabled & banned == 0
    component, _ = components(part.first, part.targets, used)
    sources = np.repeat(np.arange(len(members), dtype=np.int32), np.diff(part.first))
    used &= component[sources] == component[part.targets]
    return _Component(part, used, component, sources)


def _loop(product: Product, component: _Component, start: int) -> list[int]:
    """A closed walk from a node that meets all marks: each time to the nearest missing one, in the end back.

    The shortest such walk is NP-hard to find (Clarke, Grumberg, McMillan and Zhao, Efficient generation of
    counterexamples and witnesses in symbolic model checking, 1995); this one is short where marks are few.
    """
    part = component.part
    inside = component.used & (component.component[component.sources] == component.component[start])
    can_happen = int(np.bitwise_or.reduce(part.enabled[inside], initial=0))
    # Every step bears mark 0. Of strongly fair events, those that can happen here must.
    at, missing = start, (product.table.all_marks | can_happen) & ~1
    edges: list[int] = []
    while missing or at != start or not edges:
        wanted: Flags = part.marks & missing != 0 if missing else part.targets == start
        onward = way(part.first, part.targets, at, wanted, component.used).tolist()
        assert onward, "a component has a way from everywhere to everywhere"
        for edge in onward:
            missing &= ~int(part.marks[edge])
        edges += onward
        at = int(part.targets[edges[-1]])
    return [int(part.steps[edge]) for edge in edges]


def _lasso(stem: list[int], loop: list[int]) -> Lasso:
    """Steps of a run that has ended are no transitions; where it ends, nothing but such steps is repeated."""
    steps = [step for step in stem if step >= 0]
    if -1 in loop:
        return Lasso(tuple(steps), len(steps))
    return Lasso((*steps, *loop), len(steps))
