"""The beginning of a run that violates a claim however it goes on: what is repeated after it need not be confirmed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from stateglass.check.ltl.alphabet import Meaning
from stateglass.check.ltl.beginnings import Beginning
from stateglass.check.ltl.violations import Search
from stateglass.evidence import Path, Step
from stateglass.logic import temporal
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Relation
from stateglass.work import Progress

_ROUNDS: Final = 2
"""How often the repeated part of a run is gone to see whether what comes before its end violates a claim."""


def violating_beginning(
    formula: temporal.Formula, path: Path, model: Model, meaning: Callable[[Model], Meaning], progress: Progress
) -> Path | None:
    """The shortest beginning of a run of a model that violates a formula whatever follows; None if none does."""
    steps: tuple[Step, ...] = path.steps
    if path.loop_start is not None:
        steps += path.steps[path.loop_start :] * (_ROUNDS - 1)
    states = np.array([path.start, *(step.target for step in steps)], dtype=np.int64)
    builder = ModelBuilder()
    for label in model.labels:
        builder.label(label)
    for number, step in enumerate(steps):
        builder.add(number, step.action, number + 1)
    chain = builder.build(
        len(states),
        propositions=[_taken(p, states) for p in model.propositions],
        unexplored=range(len(states)),
        origin=Origin(Relation.UNDER, partial=("this is a beginning",)),
    )
    found = Search(chain, (), meaning(chain), progress).violation(formula)
    return Path(path.start, steps[: len(found.steps)]) if isinstance(found, Beginning) else None


def _taken(proposition: Proposition, states: npt.NDArray[np.int64]) -> Proposition:
    defined = None if proposition.defined is None else proposition.defined[states]
    return replace(proposition, values=proposition.values[states], defined=defined)
