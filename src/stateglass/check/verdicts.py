"""From truth on a model to a verdict on the code: what carries over, and why the rest is not known.

In a partial model truth has two sides already. Of an abstraction only what holds of all runs and does not depend on
silent steps carries over, as the C Wolf paper says: a violation is not known to be one of the code before its evidence
was found there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.evidence import Reason, Support, Verdict
from stateglass.graphs.arrays import reached
from stateglass.model import Model, Relation
from stateglass.model.model import Flags

NO_SINGLE_RUN: Final = "It asks for what can happen, and no single run shows that something cannot."


@final
@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reason and a sentence, before there is any evidence."""

    verdict: Verdict
    reason: Reason | None
    words: str


def judged(truth: bool | None, model: Model, *, invariant: bool) -> Judgement:
    """The verdict on a claim, given its truth on the model; `invariant`: it does not depend on silent steps."""
    if model.origin.relation is Relation.OVER:
        return _of_abstraction(truth, model, invariant)
    match truth:
        case True:
            return Judgement(Verdict.HOLDS, None, "The claim holds.")
        case False:
            return Judgement(Verdict.VIOLATED, None, "The claim is violated.")
        case None:
            return Judgement(Verdict.INCONCLUSIVE, Reason.PARTIAL, f"{missing(model)} That may decide the claim.")


def _of_abstraction(truth: bool | None, model: Model, invariant: bool) -> Judgement:
    if truth and invariant:
        return Judgement(Verdict.HOLDS, None, "The claim holds on the abstraction, and so it does on the code.")
    if truth:
        words = "The claim holds on the abstraction but depends on the number of steps, and the code may take others."
    elif truth is None and model.partial:
        words = f"The model is an abstraction, which may do more than the code. {missing(model)}"
    else:
        words = (
            "The model is an abstraction, which may do more than the code: what it says may not be true of the code."
        )
    return Judgement(Verdict.INCONCLUSIVE, Reason.ABSTRACTION, words)


def missing(model: Model) -> str:
    """A sentence: parts of the behaviour are missing from the model, and why."""
    why = f" ({model.origin.partial[0]})" if model.origin.partial else ""
    return f"Parts of the behaviour are missing from the model{why}."


def support(model: Model, states: Flags | None = None) -> Support:
    """The states that an answer rests on, by default all that can be reached, and the places of their steps."""
    if states is None:
        states = reached(model.first, model.targets, model.initial)
    places: set[int] = set()
    if model.transition_spans is not None:
        places.update(np.unique(model.transition_spans[states[model.sources]]).tolist())
    return Support(int(states.sum()), tuple(model.spans[place] for place in sorted(places) if place >= 0))
