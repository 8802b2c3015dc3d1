"""The old and the new model taken out of a structure with differences, and whether it is well-formed at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stateglass.evolution.describing import at_rows
from stateglass.evolution.matching import combined, numbered
from stateglass.evolution.structure import Kind, Side, Structure
from stateglass.graphs.adjacency import Indices
from stateglass.model import Model, Proposition
from stateglass.model.builder import canonical_columns
from stateglass.model.model import Flags, Ints


def old_model(structure: Structure) -> Model:
    """The model before the change: states that were one are one, with the old variables."""
    steps = structure.kinds != Kind.IMPOSED
    return _taken_out(structure, structure.old, steps, structure.old_variables)


def new_model(structure: Structure) -> Model:
    """The model after the change, with the variables that it still has and those that were added."""
    kept = [p for p in structure.old_variables if p.name not in structure.deleted]
    return _taken_out(structure, structure.new, structure.kinds != Kind.DELETED, [*kept, *structure.new_variables])


def malformed(structure: Structure) -> str:
    """Why this is no structure with differences; empty if it is one.

    States that were one had the same steps before, to all states that were one, and likewise now. They have the same
    values of the variables of that version.
    """
    sides = (
        ("before", structure.old, structure.kinds != Kind.IMPOSED, structure.old_variables),
        (
            "now",
            structure.new,
            structure.kinds != Kind.DELETED,
            [p for p in (*structure.old_variables, *structure.new_variables) if p.name not in structure.deleted],
        ),
    )
    for word, side, steps, variables in sides:
        if (side.states[structure.sources[steps]] < 0).any() or (side.states[structure.targets[steps]] < 0).any():
            return f"a step joins states that are none {word}"
        *_, counts, sizes = _steps(structure, side, steps)
        if (counts != sizes).any():
            return f"some of the states that are one {word} have a step that others lack"
        firsts = _firsts(side)
        present = np.flatnonzero(side.present)
        for variable in variables:
            at_first, own = at_rows(variable, firsts[side.states[present]]), at_rows(variable, present)
            if not _same_values(at_first, own):
                return f"states that are one {word} have different values of `{variable.name}`"
    return ""


def _taken_out(structure: Structure, side: Side, steps: Flags, variables: Sequence[Proposition]) -> Model:
    sources, actions, targets, counts, sizes = _steps(structure, side, steps)
    # A step between classes is one between all of their states.
    everywhere = counts == sizes
    used, numbers = numbered(actions[everywhere].astype(np.int64))
    columns = (
        canonical_columns(sources[everywhere], numbers, targets[everywhere])
        if everywhere.any()
        else (
            sources[:0],
            actions[:0],
            targets[:0],
        )
    )
    firsts = _firsts(side)
    return Model(
        states=len(firsts),
        initial=int(side.states[side.initial]),
        sources=columns[0],
        actions=columns[1],
        targets=columns[2],
        labels=tuple(structure.labels[number] for number in used),
        propositions=tuple(at_rows(p, firsts) for p in variables),
        terminal=None if side.terminal is None else side.terminal[firsts],
        unexplored=None if side.unexplored is None else side.unexplored[firsts],
    )


def _firsts(side: Side) -> Indices:
    """For each state of a version, the first state of the structure that stands for it."""
    present = np.flatnonzero(side.present)
    return present[np.unique(side.states[present], return_index=True)[1]]


def _steps(structure: Structure, side: Side, steps: Flags) -> tuple[Ints, Ints, Ints, Indices, Indices]:
    """Steps of a version; for each, how many steps of the structure it is, and how many it should be."""
    chosen = np.flatnonzero(steps)
    sources, actions, targets = (
        side.states[structure.sources[chosen]],
        structure.actions[chosen],
        side.states[structure.targets[chosen]],
    )
    classes = combined((sources, actions, targets), len(chosen))
    firsts = np.unique(classes, return_index=True)[1]
    members = np.bincount(side.states[side.present])
    counts = np.bincount(classes)
    sources, actions, targets = sources[firsts], actions[firsts], targets[firsts]
    return sources, actions, targets, counts, members[sources] * members[targets]


def _same_values(one: Proposition, other: Proposition) -> bool:
    defined = [np.ones(len(p.values), dtype=np.bool_) if p.defined is None else p.defined for p in (one, other)]
    same = np.ascontiguousarray(one.values).view(np.int64) == np.ascontiguousarray(other.values).view(np.int64)
    return bool((defined[0] == defined[1]).all() and (same | ~defined[0]).all())
