"""Runs other than those that were shown before.

At first one is looked for that meets none of their states. If there is none, one may still end, or go round for ever,
where they do: many ways lead to one place. Then only the ways are barred: of the states on them nothing is known that
could follow, so that what is still violated, or still holds, is so whatever follows there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stateglass.answers.prefixes import shortened
from stateglass.check.deciding import decide
from stateglass.evidence import Answer, Graph, Path
from stateglass.logic.claims import Claim
from stateglass.model import Model, Relation
from stateglass.work import Progress


def another(
    claim: Claim, answer: Answer, model: Model, shown: Sequence[Path | Graph], progress: Progress
) -> Answer | None:
    """The same answer with other evidence than what was shown; None if there is none."""
    avoided = frozenset[int]().union(*map(states_of, shown)) - {model.initial}
    for looked_at, barred in ((model, avoided), (_without_ways(model, shown), frozenset[int]())):
        found = decide(claim, looked_at, progress=progress, avoiding=barred)
        if (found.verdict, found.reason) == (answer.verdict, answer.reason) and isinstance(
            found.evidence, Path | Graph
        ):
            found = shortened(claim, found, model, progress)
            if found.evidence not in shown:
                return found
    return None


def states_of(evidence: Path | Graph) -> set[int]:
    """The states that a run or a graph goes through."""
    match evidence:
        case Path(start, steps):
            return {start, *(step.target for step in steps)}
        case Graph(nodes):
            return {node.state for node in nodes}


def _without_ways(model: Model, shown: Sequence[Path | Graph]) -> Model:
    """A model in which no run leaves the states that were shown, apart from the initial one and from loops."""
    left = np.zeros(model.states, dtype=np.bool_)
    gone = np.zeros(model.transitions, dtype=np.bool_)
    for evidence in shown:
        if isinstance(evidence, Graph):
            left[list(states_of(evidence))] = True
            continue
        way = evidence.steps[: evidence.loop_start]
        left[[step.source for step in way]] = True
        if evidence.loop_start is None and way:
            left[way[-1].target] = True
        if len(way) == 1:
            (step,) = way
            ends = (model.sources == step.source) & (model.targets == step.target)
            gone |= ends & (model.actions == model.labels.index(step.action))
    left[model.initial] = False
    kept = ~gone & ~left[model.sources]
    unexplored = np.zeros(model.states, dtype=np.bool_) if model.unexplored is None else model.unexplored.copy()
    unexplored[model.sources[~kept]] = True
    origin = model.origin
    relation = Relation.OVER if origin.relation is Relation.OVER else Relation.UNDER
    return replace(
        model,
        sources=model.sources[kept],
        actions=model.actions[kept],
        targets=model.targets[kept],
        transition_spans=None if model.transition_spans is None else model.transition_spans[kept],
        unexplored=unexplored,
        origin=replace(origin, relation=relation, partial=(*origin.partial, "what was shown before is left out")),
    )
