"""Whether what a model does depends on a variable: one that nothing depends on may as well be deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from stateglass.evolution.matching import coded, combined
from stateglass.evolution.structure import Kind, Structure
from stateglass.graphs.adjacency import Indices
from stateglass.model import Model, Proposition
from stateglass.model.model import Ints
from stateglass.source import Code, input_error, suggestion


@final
@dataclass(frozen=True, slots=True)
class Dependence:
    """Two states that differ in the variable alone, and a step that only the first of them has."""

    state: int
    other: int
    action: str
    target: int


def dependence(where: Structure | Model, variable: str) -> Dependence | None:
    """Why steps depend on a variable; None if they do not.

    States that agree in all other variables must have the same steps. Of a structure, those of the new version count.
    """
    match where:
        case Model():
            states = np.arange(where.states, dtype=np.int64)
            return _dependence(
                where.propositions, variable, states, where.sources, where.actions, where.targets, where.labels
            )
        case Structure():
            present = np.flatnonzero(where.new.present)
            numbers = np.cumsum(where.new.present, dtype=np.int32) - np.int32(1)
            steps = where.kinds != Kind.DELETED
            return _dependence(
                (*where.old_variables, *where.new_variables),
                variable,
                present,
                numbers[where.sources[steps]],
                where.actions[steps],
                where.targets[steps],
                where.labels,
            )


def _dependence(
    variables: tuple[Proposition, ...],
    variable: str,
    states: Indices,
    sources: Ints,
    actions: Ints,
    targets: Ints,
    labels: tuple[str, ...],
) -> Dependence | None:
    if variable not in (known := [p.name for p in variables]):
        message = f"the model has no variable `{variable}`"
        raise input_error(Code.UNKNOWN_NAME, message, help=suggestion(variable, known))
    others = (coded(p).codes[states] for p in variables if p.name != variable)
    classes = combined(others, len(states))
    sizes = np.bincount(classes)
    steps = combined((classes[sources], actions, targets), len(sources))
    lacking = np.flatnonzero(np.bincount(steps)[steps] < sizes[classes[sources]]) if len(sources) else sources
    if not len(lacking):
        return None
    step = int(lacking[0])
    having = sources[steps == steps[step]]
    alike = np.flatnonzero(classes == classes[sources[step]])
    other = int(np.setdiff1d(alike, having)[0])
    return Dependence(int(states[sources[step]]), int(states[other]), labels[int(actions[step])], int(targets[step]))
