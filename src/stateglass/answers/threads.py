"""Claims on functions that run at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stateglass.answers.checking import Checked, Checking
from stateglass.answers.claims import names_asked, refuse_counting
from stateglass.answers.prefixes import shortened
from stateglass.check.deciding import decide
from stateglass.check.vocabulary import refuse_unknown_words
from stateglass.evidence import Answer, Path, Reason, Verdict, problem_of, told
from stateglass.explore import Manner
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.system import System
from stateglass.unbounded.threads.explicit import Explored, explored
from stateglass.unbounded.threads.following import Projection, followed
from stateglass.unbounded.threads.systems import Setting, thread_systems
from stateglass.unbounded.threads.waiting import waits
from stateglass.work import Progress


def answer_threads(
    setting: Setting, manner: Manner, claims: Sequence[Claim], progress: Progress
) -> tuple[Checking, tuple[str, ...]]:
    """The answers, and what was noticed on the way."""
    if not manner.every_step:
        refuse_counting(claims)
    systems = thread_systems(setting, abstract=False)
    whole = explored(setting.threads, systems, manner, names_asked(claims), progress)
    model = whole.composition.model
    refuse_unknown_words(claims, model)
    checked = [_checked(claim, whole, systems, progress) for claim in claims]
    return Checking(model, tuple(checked), interrupted=whole.interrupted), ()


def _checked(claim: Claim, whole: Explored, systems: Sequence[System | None], progress: Progress) -> Checked:
    model = whole.composition.model
    answer = shortened(claim, decide(claim, model, progress=progress), model, progress)
    path = answer.evidence
    if not isinstance(path, Path):
        return Checked(claim, answer, model)
    assert not problem_of(path, model)
    found = told(path, model)
    assert isinstance(found, Path)
    projection = Projection(whole.composition, path)
    answer = replace(answer, evidence=replace(found, steps=projection.told(found.steps)), confirmed_by=("model",))
    if claim.content is BuiltIn.NO_DEADLOCK and answer.verdict is Verdict.VIOLATED:
        last = path.steps[-1].target if path.steps else path.start
        answer = replace(answer, explanation=f"A deadlock can be reached: {waits(whole.composition, last)}")
    return Checked(claim, _followed(answer, path, whole, systems), model, asked=model)


def _followed(answer: Answer, path: Path, whole: Explored, systems: Sequence[System | None]) -> Answer:
    problem = followed(whole.composition, path, systems, whole.manners)
    if problem:
        why = f"its evidence could not be executed again: {problem}"
        return replace(answer, verdict=Verdict.INCONCLUSIVE, reason=Reason.UNSUPPORTED, explanation=why)
    return replace(answer, confirmed_by=("reference",))
