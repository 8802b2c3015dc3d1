"""How much of a run is needed to violate a claim: of `G p`, what comes after the state without `p` does not matter.

A run that is cut short is a partial model: anything may follow. If the opposite of the claim holds there, the claim is
violated whatever follows, so that the rest need not be shown. What violates a claim still does so with more steps
behind it: the shortest beginning is found by halving.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from stateglass.check.deciding import decide
from stateglass.evidence import Answer, Path, Verdict
from stateglass.logic import temporal
from stateglass.logic.claims import Claim, Language
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Relation
from stateglass.operations.claims import count_nodes
from stateglass.reduce.progress import Progress

MOST_NODES: Final = 500
"""Of a larger formula the whole run is shown: deciding it many times would take long."""


def shortened(claim: Claim, answer: Answer, model: Model, progress: Progress) -> Answer:
    """The answer with the shortest beginning of its run that violates the claim, if a beginning does."""
    if answer.verdict is not Verdict.VIOLATED or not isinstance(answer.evidence, Path):
        return answer
    found = violating_beginning(claim, answer.evidence, model, progress)
    return answer if found is None else replace(answer, evidence=found)


def violating_beginning(claim: Claim, path: Path, model: Model, progress: Progress) -> Path | None:
    """The shortest beginning of a run that violates the claim whatever follows; None if none is known to."""
    if claim.fairness or count_nodes(claim, MOST_NODES) >= MOST_NODES:
        return None
    if claim.language not in (Language.LTL, Language.ENGLISH) or not isinstance(claim.content, temporal.Formula):
        return None
    opposite = Claim(claim.text, Language.LTL, temporal.Not(claim.content))

    def violates(count: int) -> bool:
        answer = decide(opposite, _beginning(path, count, model), progress=progress)
        return answer.verdict in (Verdict.HOLDS, Verdict.VACUOUS)

    low, high = 0, len(path.steps)
    if not violates(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if violates(middle) else (middle + 1, high)
    return Path(path.start, path.steps[:high])


def _beginning(path: Path, count: int, model: Model) -> Model:
    """The first steps of a run as a model of their own, each state as often as the run comes to it."""
    builder = ModelBuilder()
    for number, step in enumerate(path.steps[:count]):
        builder.add(number, step.action, number + 1, None)
    visited = np.array([path.start, *(step.target for step in path.steps[:count])], dtype=np.int64)
    built = builder.build(
        count + 1,
        propositions=[_of_states(p, visited) for p in model.propositions],
        unexplored=[count],
        origin=Origin(Relation.UNDER, partial=("this is the beginning of a run",)),
    )
    missing = tuple(label for label in model.labels if label not in built.labels)
    return replace(built, labels=(*built.labels, *missing))


def _of_states(proposition: Proposition, states: npt.NDArray[Any]) -> Proposition:
    defined = None if proposition.defined is None else proposition.defined[states]
    return Proposition(proposition.name, proposition.sort, proposition.values[states], proposition.names, defined)
