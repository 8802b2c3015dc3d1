"""Weak steps: what a state can do if silent steps before and after do not count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.graphs.adjacency import Adjacency, Indices, distinct, spread
from stateglass.graphs.arrays import components
from stateglass.model.model import Flags
from stateglass.relate.arena import Arena
from stateglass.work import Progress

MOST_WEAK_STEPS: Final = 4_000_000
"""As many as are found in seconds; the number can be the square of the number of states."""
_REPORT_EVERY: Final = 1024
_WITHOUT: Final = "branching and dpbranching bisimulation and traces need no list of these"
MORE: Final = "--max-cases allows more"


@final
class TooMany(Exception):
    """A search came to more cases than it may look at; the question is left open."""

    def __init__(self, what: str, help: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.help = help


@final
@dataclass(frozen=True)
class Steps:
    """Transitions of an arena, or weak ones; labels beyond those of the arena are its `silently` and `divergence`."""

    states: int
    sources: Indices
    labels: Indices
    targets: Indices
    weak: bool = False


def strong_steps(arena: Arena) -> Steps:
    sources, labels, targets = (column.astype(np.int64) for column in (arena.sources, arena.actions, arena.targets))
    return Steps(arena.states, sources, labels, targets)


def weak_steps(arena: Arena, most: int, *, divergence: bool = False, progress: Progress) -> Steps:
    """All weak steps; above `most` or `MOST_WEAK_STEPS`, `TooMany` is raised.

    Those with the label `silently` are any number of silent steps; the others are silent steps, a step with their
    label, and silent steps again.
    """
    most = min(most, MOST_WEAK_STEPS)
    near, far = silent_pairs(arena, most, progress)
    onward = Adjacency.of(near, far, arena.states)
    before = Adjacency.of(far, near, arena.states)
    visible = np.flatnonzero(~arena.silent)
    # Many of the combinations are the same step; but if there are far too many, not even listing them is tried.
    if _ways(arena, visible, onward, before) > 4 * most:
        raise TooMany(f"more than {most:,} weak transitions", _WITHOUT)
    # From every state that comes silently to a source, over the transition, to every state that follows silently.
    at, which = before.positions(arena.sources[visible])
    start, edge = before.ends[at], visible[which]
    at, which = onward.positions(arena.targets[edge])
    rows = _unique(start[which], arena.actions[edge[which]].astype(np.int64), onward.ends[at], arena.states)
    parts = [rows, (near, np.full(len(near), arena.silently), far)]
    if divergence:
        cyclic = _on_silent_cycle(arena, near, far)[far]
        parts.append((near[cyclic], np.full(int(cyclic.sum()), arena.divergence), far[cyclic]))
    sources, labels, targets = (np.concatenate(column) for column in zip(*parts, strict=True))
    if len(sources) > most:
        raise TooMany(f"more than {most:,} weak transitions", _WITHOUT)
    order = np.lexsort((targets, labels, sources))
    return Steps(arena.states, sources[order], labels[order], targets[order], weak=True)


def silent_pairs(arena: Arena, most: int, progress: Progress) -> tuple[Indices, Indices]:
    """Pairs of a state and a state that silent steps, or none, lead to; two columns, ascending.

    All states on a silent cycle reach the same. Components come in an order in which silent steps lead to earlier ones,
    so that the list of each is put together once from complete ones.
    """
    component, count = components(arena.first, arena.targets, arena.silent)
    members = Adjacency.of(component, np.arange(arena.states), count)
    sources, targets = component[arena.sources[arena.silent]], component[arena.targets[arena.silent]]
    onward = Adjacency.of(sources[sources != targets], targets[sources != targets], count)
    first, ends = onward.first.tolist(), onward.ends
    reached: list[Indices] = []
    total = 0
    for number in range(count):
        own = members.ends[members.first[number] : members.first[number + 1]]
        after = ends[first[number] : first[number + 1]].tolist()
        found = distinct(np.concatenate([own, *(reached[target] for target in after)])) if after else own
        reached.append(found)
        total += len(found) * len(own)
        if total > most:
            raise TooMany(f"more than {most:,} pairs of states that silent steps connect", _WITHOUT)
        if number % _REPORT_EVERY == 0:
            progress("following silent steps", states=number, pairs=total)
    lengths = np.array([len(found) for found in reached], dtype=np.int64)
    begins = np.cumsum(lengths) - lengths
    near = np.repeat(np.arange(arena.states, dtype=np.int64), lengths[component])
    return near, np.concatenate(reached)[spread(begins[component], lengths[component])]


def weakly(arena: Arena, flags: Flags) -> Flags:
    """The states from which silent steps, or none, lead to one of these."""
    into = Adjacency.of(arena.targets[arena.silent], arena.sources[arena.silent], arena.states)
    return into.reach(flags)


def _on_silent_cycle(arena: Arena, near: Indices, far: Indices) -> Flags:
    """A silent step leads somewhere from where silent steps lead back."""
    n = arena.states
    back = far * n + near
    steps = arena.sources[arena.silent].astype(np.int64) * n + arena.targets[arena.silent]
    cyclic = np.zeros(n, dtype=np.bool_)
    cyclic[steps[np.isin(steps, back)] // n] = True
    return cyclic


def _ways(arena: Arena, visible: Indices, onward: Adjacency, before: Adjacency) -> int:
    ins, outs = np.diff(before.first), np.diff(onward.first)
    return int((ins[arena.sources[visible]] * outs[arena.targets[visible]]).sum())


def _unique(sources: Indices, labels: Indices, targets: Indices, states: int) -> tuple[Indices, Indices, Indices]:
    kinds = int(labels.max(initial=0)) + 1
    keys = distinct((sources * kinds + labels) * states + targets)
    return keys // states // kinds, keys // states % kinds, keys % states
