"""The verdict on a claim in branching logic, with a run or a graph that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from stateglass.check.conditions import conditions, vacuous_words
from stateglass.check.ctl import Evaluation
from stateglass.check.events import matcher
from stateglass.check.stuttering import is_stutter_invariant
from stateglass.check.truth import open_states
from stateglass.check.verdicts import NO_SINGLE_RUN, Judgement, judged, missing, support
from stateglass.check.why import Why
from stateglass.evidence import Answer, Path, Reason, Verdict
from stateglass.logic.claims import Fairness
from stateglass.logic.temporal import TRUE, Always, And, Formula, Implies, Not, Or, Quantified
from stateglass.model import Model, Relation
from stateglass.work import Progress, silent

MOST_CONDITIONS: Final = 16
"""So many implications are tried, outermost first: each is as much work as the claim."""


def decide_ctl(
    formula: Formula,
    model: Model,
    *,
    title: str,
    fairness: Sequence[Fairness] = (),
    progress: Progress = silent,
    avoiding: frozenset[int] = frozenset(),
) -> Answer:
    """Whether a branching formula holds in the initial state. Runs that show it go through no state to be avoided.

    With fairness, its quantifiers speak of fair runs only.
    """
    if fairness and (unknown := why_unfair(title, model)) is not None:
        return unknown
    evaluation = Evaluation(formula, model, progress, fairness)
    truth = evaluation.at_start()
    verdict = judged(truth, model, invariant=is_stutter_invariant(formula, _means))
    if verdict.verdict is Verdict.HOLDS:
        idle = idle_condition(formula, model, progress, fairness)
        if idle is not None:
            return Answer(title, Verdict.VACUOUS, None, vacuous_words(formula, idle), support(model))
    progress("looking for evidence")
    return _with_evidence(Answer(title, verdict.verdict, verdict.reason, verdict.words), verdict, evaluation, avoiding)


def why_unfair(title: str, model: Model) -> Answer | None:
    """Which runs are fair depends on all steps of their states: where some are not known, nothing can be said."""
    if model.origin.relation is Relation.OVER:
        words = (
            "In an abstraction it is not known which runs of the code are fair: in LTL or English it may be decided."
        )
        return Answer(title, Verdict.INCONCLUSIVE, Reason.ABSTRACTION, words)
    if open_states(model).any():
        words = f"Which runs are fair is not known where behaviour is missing. {missing(model)}"
        return Answer(title, Verdict.INCONCLUSIVE, Reason.PARTIAL, words)
    return None


def idle_condition(
    formula: Formula, model: Model, progress: Progress = silent, fairness: Sequence[Fairness] = ()
) -> Implies | None:
    """An implication whose left side never comes true in what can be reached, for a formula that holds."""
    for number, (implication, combination) in enumerate(conditions(formula)):
        if number == MOST_CONDITIONS:
            break
        # The combination is there for the events in it: whether it mentions one decides what quantifiers speak of.
        never = Quantified(True, Always(And(Not(implication.left), Or(TRUE, combination))))
        if model.origin.relation is Relation.OVER and not is_stutter_invariant(never, _means):
            continue
        if Evaluation(never, model, progress, fairness).at_start():
            return implication
    return None


def _means(pattern: str, label: str) -> bool:
    return matcher(pattern)(label)


def _with_evidence(answer: Answer, verdict: Judgement, evaluation: Evaluation, avoiding: frozenset[int]) -> Answer:
    model = evaluation.model
    sure = model.origin.relation is not Relation.OVER
    match verdict.verdict:
        case Verdict.HOLDS:
            story = Why(evaluation, sure=True, avoiding=avoiding).story(True)
            if story.evidence is None or (isinstance(story.evidence, Path) and not story.evidence.steps):
                return replace(answer, evidence=support(model))
            return replace(answer, explanation=f"{answer.explanation} {_shown(story.words)}", evidence=story.evidence)
        case Verdict.VIOLATED:
            story = Why(evaluation, sure=True, avoiding=avoiding).story(False)
            if story.evidence is None:
                return answer
            return replace(answer, explanation=f"{answer.explanation} {_shown(story.words)}", evidence=story.evidence)
        case _:
            if sure or verdict.reason is not Reason.ABSTRACTION or evaluation.at_start():
                return answer
            story = Why(evaluation, sure=False, avoiding=avoiding).story(False)
            if isinstance(story.evidence, Path) and story.words:
                # What is left to be said, a run of the code does not show, either.
                return replace(answer, explanation=f"{answer.explanation} {NO_SINGLE_RUN}")
            return replace(answer, evidence=story.evidence)


def _shown(words: str) -> str:
    return f"The evidence shows it. {words}".rstrip()
