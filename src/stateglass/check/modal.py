"""The verdict on a claim in the modal mu-calculus."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from stateglass.check.conditions import holds_because
from stateglass.check.duties import short
from stateglass.check.modal_parts import antecedents, is_about_ways
from stateglass.check.mu import Mu
from stateglass.check.mu_proofs import proof_of
from stateglass.check.mu_why import Play, path_of_play
from stateglass.check.verdicts import NO_SINGLE_RUN, judged, support
from stateglass.evidence import Answer, Reason, Verdict
from stateglass.logic.mcrl2 import in_mcrl2, path_text
from stateglass.logic.modal import FALSE, Formula, Implies, Necessary, Not, parts
from stateglass.logic.steps import AnyStep, Piece, Repeated
from stateglass.model import Model, Relation
from stateglass.work import Progress, silent

MOST_CONDITIONS: Final = 16
"""So many conditions are tried, outermost first: each is as much work as the claim."""
_EVERYWHERE: Final[tuple[Piece, ...]] = (Repeated((AnyStep(True),)),)


def decide_mu(
    formula: Formula,
    model: Model,
    *,
    title: str,
    progress: Progress = silent,
    avoiding: frozenset[int] = frozenset(),
) -> Answer:
    """Whether a modal formula holds in the initial state. A run that shows it goes through no state to be avoided."""
    mu = Mu(formula, model, progress)
    truth = mu.truth.at(model.initial)
    verdict = judged(truth, model, invariant=is_about_ways(formula))
    answer = Answer(title, verdict.verdict, verdict.reason, verdict.words)
    abstract = model.origin.relation is Relation.OVER
    if verdict.verdict is Verdict.HOLDS:
        idle = _idle(formula, model, progress)
        if idle:
            words = holds_because(f"{idle[0]}.", of_all=idle[1])
            return replace(answer, verdict=Verdict.VACUOUS, explanation=words, evidence=support(model))
    progress("looking for evidence")
    match verdict.verdict:
        case Verdict.HOLDS:
            shown = path_of_play(mu, holds=True, sure=True, avoiding=avoiding)
            if shown is None or not shown.path.steps:
                return replace(answer, evidence=support(model))
            return _shown(answer, shown, mu, holds=True, avoiding=avoiding)
        case Verdict.VIOLATED:
            shown = path_of_play(mu, holds=False, sure=True, avoiding=avoiding)
            return _shown(answer, shown, mu, holds=False, avoiding=avoiding)
        case _:
            if not abstract or verdict.reason is not Reason.ABSTRACTION or truth:
                return answer
            shown = path_of_play(mu, holds=False, sure=False, avoiding=avoiding)
            if shown is None:
                return answer
            if shown.words or not shown.complete:
                # What is left to be said, a run of the code does not show, either.
                return replace(answer, explanation=f"{answer.explanation} {NO_SINGLE_RUN}")
            return replace(answer, evidence=shown.path)


def _shown(answer: Answer, shown: Play | None, mu: Mu, *, holds: bool, avoiding: frozenset[int]) -> Answer:
    """The answer with a run, or with a graph where a run does not show everything."""
    if shown is None or not shown.complete:
        if avoiding:
            # What has to be heeded at once cannot be avoided.
            return answer
        proof = proof_of(mu, holds=holds)
        if proof is not None:
            return replace(answer, explanation=f"{answer.explanation} {proof[1]}".rstrip(), evidence=proof[0])
    if shown is None:
        return answer
    return replace(answer, explanation=f"{answer.explanation} {shown.words}".rstrip(), evidence=shown.path)


def _idle(formula: Formula, model: Model, progress: Progress) -> tuple[str, bool] | None:
    """What never happens in any state that can be reached, and whether the claim says nothing but what follows then."""
    for number, part in enumerate(antecedents(formula)):
        if number == MOST_CONDITIONS:
            break
        if isinstance(part, Implies):
            never = Necessary(_EVERYWHERE, Not(part.left))
        else:
            never = Necessary((*_EVERYWHERE, *part.path), FALSE)
        if model.origin.relation is Relation.OVER and not is_about_ways(never):
            continue
        if Mu(never, model, progress).truth.at(model.initial):
            whole = formula
            while whole is not part and len(parts(whole)) == 1:
                (whole,) = parts(whole)
            if isinstance(part, Implies):
                return f"`{short(in_mcrl2(part.left))}` never comes true", whole is part
            return f"no run goes along `{short(path_text(part.path))}`", whole is part
    return None
