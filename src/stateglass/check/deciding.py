"""The answer to a claim on a model: which engine decides it."""

from __future__ import annotations

from typing import assert_never

from stateglass.check.branching import decide_ctl
from stateglass.check.builtin import decide_builtin
from stateglass.check.ltl import decide_ltl
from stateglass.check.modal import decide_mu
from stateglass.check.recorded import decide_recorded
from stateglass.evidence import Answer, Reason, Verdict
from stateglass.logic import modal, temporal
from stateglass.logic.claims import BuiltIn, Claim, Conforms, Language, Recorded
from stateglass.model import NO_RUN, NO_RUN_YET, Model
from stateglass.source import Code, input_error
from stateglass.work import Progress, silent


def decide(
    claim: Claim, model: Model, *, progress: Progress = silent, avoiding: frozenset[int] = frozenset()
) -> Answer:
    """The verdict on a claim, with evidence that goes through no state to be avoided, the initial one excepted.

    Names of values that the model does not have, and formulas that are none, are mistakes of whoever wrote the claim.
    Events that it does not have never happen: `refuse_unknown_words` is asked before. Where no run counts, whatever is
    said of all runs is empty.
    """
    answer = _decided(claim, model, progress, avoiding)
    if NO_RUN_YET in model.origin.partial:
        return _unknown(claim, NO_RUN_YET)
    if NO_RUN not in model.origin.partial:
        return answer
    if _is_about_all_runs(claim):
        return Answer(claim.title, Verdict.VACUOUS, None, f"The claim holds only because {NO_RUN}.")
    return _unknown(claim, NO_RUN)


def _unknown(claim: Claim, why: str) -> Answer:
    return Answer(claim.title, Verdict.INCONCLUSIVE, Reason.PARTIAL, f"{why[:1].upper()}{why[1:]}.")


def _is_about_all_runs(claim: Claim) -> bool:
    content = claim.content
    if isinstance(content, BuiltIn):
        return content is not BuiltIn.NO_UNREACHABLE
    return isinstance(content, temporal.Formula) and not (claim.language is Language.CTL or has_quantifier(content))


def _decided(claim: Claim, model: Model, progress: Progress, avoiding: frozenset[int]) -> Answer:
    content = claim.content
    if isinstance(content, BuiltIn):
        _without_fairness(claim)
        return decide_builtin(content, model, title=claim.title, progress=progress, avoiding=avoiding)
    if isinstance(content, Recorded):
        _without_fairness(claim)
        return decide_recorded(content, model, title=claim.title, progress=progress, avoiding=avoiding)
    if isinstance(content, Conforms):
        help = "compare two models: stateglass compare A B --by weaksimulation; of code, name threads"
        raise input_error(Code.UNSUPPORTED, f"`{claim.title}` is a claim on threads", claim.span, help=help)
    if isinstance(content, modal.Formula):
        _without_fairness(claim)
        return decide_mu(content, model, title=claim.title, progress=progress, avoiding=avoiding)
    if isinstance(content, temporal.Formula):
        if claim.language is Language.CTL or has_quantifier(content):
            fairness = claim.fairness
            return decide_ctl(
                content, model, title=claim.title, fairness=fairness, progress=progress, avoiding=avoiding
            )
        return decide_ltl(content, claim.fairness, model, title=claim.title, progress=progress, avoiding=avoiding)
    assert_never(content)


def has_quantifier(formula: temporal.Formula) -> bool:
    """Whether a formula speaks of all or some runs from a state."""
    seen: set[int] = set()
    work = [formula]
    while work:
        node = work.pop()
        if isinstance(node, temporal.Quantified):
            return True
        if id(node) not in seen:
            seen.add(id(node))
            work += temporal.parts(node)
    return False


def _without_fairness(claim: Claim) -> None:
    if claim.fairness:
        fair = claim.fairness[0]
        raise input_error(
            Code.UNSUPPORTED,
            f"`{fair.pattern}` cannot be assumed to be fair in this claim: only LTL, CTL and English speak of runs",
            fair.span,
            help="write the claim in one of these, or leave the assumption out",
        )
