"""The verdict on a claim in linear logic: what the model says, and how much of that carries over to the code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stateglass.check.events import matcher
from stateglass.check.ltl.limits import TooLargeError
from stateglass.check.ltl.vacuity import idle_condition
from stateglass.check.ltl.violations import Doubt, Satisfied, Search, Violation, meaning_on
from stateglass.check.stuttering import is_stutter_invariant
from stateglass.evidence import Answer, Reason, Support, Verdict
from stateglass.logic import temporal
from stateglass.logic.claims import Fairness
from stateglass.logic.notation import formula_text
from stateglass.model import Model, Relation
from stateglass.model.model import Flags
from stateglass.reduce import Progress, silent


def decide_ltl(
    formula: temporal.Formula,
    fairness: Sequence[Fairness],
    model: Model,
    *,
    title: str,
    progress: Progress = silent,
    avoiding: frozenset[int] = frozenset(),
) -> Answer:
    """Whether all runs that are fair satisfy a formula. A counterexample goes through no state to be avoided."""
    search = Search(model, fairness, meaning_on(model), progress)
    try:
        found = search.violation(formula, avoiding)
        if avoiding and not isinstance(found, Violation):
            found = search.violation(formula)
            if isinstance(found, Violation):
                text = "Every run that violates the claim goes through one of the states to be avoided."
                return replace(_violated(title, found, model), explanation=text, evidence=None)
    except TooLargeError as error:
        return _unknown(title, Reason.BOUND, f"The claim is too large to be checked: {error}.")
    match found:
        case Violation():
            return _violated(title, found, model)
        case Doubt():
            return _unknown(
                title,
                Reason.PARTIAL,
                f"No known run violates the claim, but state {found.state} is not fully explored, and from there a run "
                "may do so.",
            )
        case Satisfied():
            return _satisfied(title, formula, found, search, model)


def _violated(title: str, found: Violation, model: Model) -> Answer:
    path = found.lasso.path(model)
    if model.origin.relation is Relation.OVER:
        text = "A run of the abstraction violates the claim; whether the code has such a run is not known."
        return Answer(title, Verdict.INCONCLUSIVE, Reason.ABSTRACTION, text, path)
    if not found.certain:
        text = "A run may violate the claim, depending on what is not known of its states."
        reason = Reason.PARTIAL if model.partial else Reason.ABSTRACTION
        return Answer(title, Verdict.INCONCLUSIVE, reason, text, path)
    return Answer(title, Verdict.VIOLATED, None, "This run violates the claim.", path)


def _satisfied(title: str, formula: temporal.Formula, found: Satisfied, search: Search, model: Model) -> Answer:
    support = _support(found.states, model)
    if model.origin.relation is Relation.OVER and not is_stutter_invariant(formula, _means):
        text = "The claim holds on the abstraction, but silent steps matter to it, and the code may take others."
        return Answer(title, Verdict.INCONCLUSIVE, Reason.ABSTRACTION, text, support)
    idle = idle_condition(formula, search)
    if idle is not None:
        text = f"The claim holds only because `{formula_text(idle)}` never comes true."
        return Answer(title, Verdict.VACUOUS, None, text, support)
    return Answer(title, Verdict.HOLDS, None, "All runs satisfy the claim.", support)


def _means(pattern: str, label: str) -> bool:
    return matcher(pattern)[0](label)


def _unknown(title: str, reason: Reason, text: str) -> Answer:
    return Answer(title, Verdict.INCONCLUSIVE, reason, text)


def _support(states: Flags | None, model: Model) -> Support:
    """The states that were looked at, and the places of the steps that leave them."""
    if states is None:
        return Support(0, ())
    places: set[int] = set()
    if model.transition_spans is not None:
        places.update(np.unique(model.transition_spans[states[model.sources]]).tolist())
    return Support(int(states.sum()), tuple(model.spans[place] for place in sorted(places) if place >= 0))
