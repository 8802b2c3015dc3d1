"""The verdict on a claim in linear logic: what the model says, and how much of that carries over to the code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stateglass.check.conditions import vacuous_words
from stateglass.check.events import matcher
from stateglass.check.ltl.alphabet import Meaning
from stateglass.check.ltl.beginnings import Beginning
from stateglass.check.ltl.limits import TooLargeError
from stateglass.check.ltl.vacuity import idle_condition
from stateglass.check.ltl.violations import Doubt, Satisfied, Search, Violation, meaning_on
from stateglass.check.stuttering import is_stutter_invariant
from stateglass.check.verdicts import missing, support
from stateglass.evidence import Answer, Reason, Verdict
from stateglass.logic import temporal
from stateglass.logic.claims import Fairness
from stateglass.model import Model, Relation
from stateglass.model.model import Flags
from stateglass.work import Progress, silent


def decide_ltl(
    formula: temporal.Formula,
    fairness: Sequence[Fairness],
    model: Model,
    *,
    title: str,
    progress: Progress = silent,
    avoiding: frozenset[int] = frozenset(),
    meaning: Meaning | None = None,
    known: temporal.Formula | None = None,
) -> Answer:
    """Whether all runs that are fair satisfy a formula. A counterexample goes through no state to be avoided.

    Who knows better than the model what the atoms of the formula mean on it gives their `meaning`; what is `known` of
    all runs of the code, whatever the model can do, leaves out others.
    """
    search = Search(model, fairness, meaning or meaning_on(model, formula), progress)
    whole = formula if known is None else temporal.Implies(known, formula)
    try:
        found = search.violation(whole, avoiding)
        if avoiding and not isinstance(found, Violation | Beginning):
            found = search.violation(whole)
            if isinstance(found, Violation | Beginning):
                text = "Every run that violates the claim goes through one of the states to be avoided."
                return replace(_violated(title, found, model), explanation=text, evidence=None)
    except TooLargeError as error:
        return _unknown(title, Reason.BOUND, f"The claim is too large to be checked: {error}.")
    match found:
        case Violation() | Beginning():
            return _violated(title, found, model)
        case Doubt():
            none = "No known run violates the claim" if found.thorough else "No run was found that violates the claim"
            text = f"{none}, but one that goes on from state {found.state} may."
            return _unknown(title, Reason.PARTIAL, f"{text} {missing(model)}")
        case Satisfied():
            return _satisfied(title, formula, found, search, model)


def _violated(title: str, found: Violation | Beginning, model: Model) -> Answer:
    path = found.path(model) if isinstance(found, Beginning) else found.lasso.path(model)
    if model.origin.relation is Relation.OVER:
        text = "A run of the abstraction violates the claim; whether the code has such a run is not known."
        return Answer(title, Verdict.INCONCLUSIVE, Reason.ABSTRACTION, text, path)
    if isinstance(found, Beginning):
        text = "This run violates the claim." if path.ends else "This run violates the claim, however it goes on."
        return Answer(title, Verdict.VIOLATED, None, text, path)
    if not found.certain:
        text = "A run may violate the claim, depending on what is not known of its states."
        reason = Reason.PARTIAL if model.partial else Reason.ABSTRACTION
        return Answer(title, Verdict.INCONCLUSIVE, reason, text, path)
    return Answer(title, Verdict.VIOLATED, None, "This run violates the claim.", path)


def _satisfied(title: str, formula: temporal.Formula, found: Satisfied, search: Search, model: Model) -> Answer:
    nowhere: Flags = np.zeros(model.states, dtype=np.bool_)
    rests_on = support(model, nowhere if found.states is None else found.states)
    abstract = model.origin.relation is Relation.OVER
    if abstract and not is_stutter_invariant(formula, _means):
        text = "The claim holds on the abstraction, but silent steps matter to it, and the code may take others."
        return Answer(title, Verdict.INCONCLUSIVE, Reason.ABSTRACTION, text, rests_on)
    idle = idle_condition(formula, search, lambda never: not abstract or is_stutter_invariant(never, _means))
    if idle is not None:
        return Answer(title, Verdict.VACUOUS, None, vacuous_words(formula, idle), rests_on)
    return Answer(title, Verdict.HOLDS, None, "All runs satisfy the claim.", rests_on)


def _means(pattern: str, label: str) -> bool:
    return matcher(pattern)(label)


def _unknown(title: str, reason: Reason, text: str) -> Answer:
    return Answer(title, Verdict.INCONCLUSIVE, reason, text)
