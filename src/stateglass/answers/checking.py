"""From a model and claims to answers, each with evidence that was followed again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, final

from stateglass.answers.confirming import Checked as Checked
from stateglass.answers.confirming import Explored, confirmed
from stateglass.answers.other_runs import another
from stateglass.answers.prefixes import shortened
from stateglass.check.builtin import decide_lines
from stateglass.check.deciding import decide
from stateglass.check.standing import standing_in
from stateglass.check.verdicts import missing
from stateglass.check.vocabulary import refuse_unknown_words as refuse_unknown_words
from stateglass.evidence import Answer, Graph, Path, Reason, Verdict
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.model import Model, ModelBuilder
from stateglass.program import Program
from stateglass.program.names import without_files
from stateglass.program.unions import names_in_states
from stateglass.work import OutOfTime, Progress, silent
from stateglass.work.in_time import in_time

UNREAD: Final = "The time was over (--timeout) before all code was read."
NO_TIME: Final = "The time was over (--timeout) before it was decided on the model."


@final
@dataclass(frozen=True, slots=True)
class Checking:
    """The answers to claims on a model; fewer than there are claims if somebody did not want to wait."""

    model: Model  # the largest, if there are several
    checked: tuple[Checked, ...]
    interrupted: bool = False
    models: int = 1
    is_open: bool = False  # inputs have no bounds: the model is nothing but the first state
    unfinished: int = 0  # claims among them that an engine was still at when it was interrupted


def undecided(claims: Sequence[Claim], why: str, model: Model | None = None) -> Checking:
    """Claims for which there was no time."""
    known = model if model is not None else ModelBuilder().build(1)
    return Checking(known, tuple(_undecided(claim, why, known) for claim in claims))


def _undecided(claim: Claim, why: str, model: Model) -> Checked:
    return Checked(claim, Answer(claim.title, Verdict.INCONCLUSIVE, Reason.TIMEOUT, why), model, asked=model)


def check_claims(
    model: Model, claims: Sequence[Claim], *, code: Explored | None = None, later: int = 0, progress: Progress = silent
) -> Checking:
    """The answer to each claim.

    With `later`, evidence is shown that differs from so many before it. Ctrl-C leaves out the claims to come.
    """
    if code is None:
        unmet = refuse_unknown_words(claims, model)
    else:
        places, stands = places_of(code.system.program), standing_in(code.system)
        unmet = refuse_unknown_words(claims, model, places, stands=stands, elsewhere=members_of(code.system.program))
    checked: list[Checked] = []
    try:
        for number, (claim, sentences) in enumerate(zip(claims, unmet, strict=True)):
            progress("checking", claims=number)
            if sentences:
                checked.append(Checked(claim, _unmet(claim, sentences, model), model))
                continue
            if claim.content is BuiltIn.NO_UNREACHABLE and code is not None and code.unreached is not None:
                checked.append(Checked(claim, decide_lines(code.unreached, model, title=claim.title), model))
                continue

            def found(claim: Claim = claim) -> Checked:
                answer = _answer(claim, model, later, progress)
                watch = frozenset[str]() if code is None else code.manner.watch
                return replace(confirmed(claim, answer, model, code, progress), watch=watch, asked=model)

            try:
                checked.append(found() if code is None else in_time(code.manner.late(), found))
            except OutOfTime:
                checked.append(_undecided(claim, NO_TIME, model))
    except KeyboardInterrupt:
        return Checking(model, tuple(checked), interrupted=True)
    return Checking(model, tuple(checked))


def members_of(program: Program) -> Callable[[str], tuple[str, ...]]:
    """What states call the members of unions."""
    return partial(names_in_states, program)


def places_of(program: Program) -> frozenset[str]:
    """What pointers may lead to, by the names that states have for it."""
    of_files = {without_files(name) for name in program.variables if "@" in name}
    variables = (f"&{name}" for name in program.variables if name not in of_files)
    return frozenset((*program.functions, *program.declarations, *variables))


def _unmet(claim: Claim, sentences: tuple[str, ...], model: Model) -> Answer:
    """Whether a name is misspelt or comes later is not known: whatever were said of it would be said by chance."""
    words = " ".join((*sentences, missing(model)))
    return Answer(claim.title, Verdict.INCONCLUSIVE, Reason.PARTIAL, words)


def _answer(claim: Claim, model: Model, later: int, progress: Progress) -> Answer:
    answer = shortened(claim, decide(claim, model, progress=progress), model, progress)
    shown: list[Path | Graph] = []
    for number in range(later):
        if not isinstance(answer.evidence, Path | Graph):
            return answer
        shown.append(answer.evidence)
        following = another(claim, answer, model, shown, progress)
        if following is None:
            which = "No other run avoids its states." if number == 0 else f"It is the last of {number + 1} such runs."
            return replace(answer, explanation=f"{answer.explanation} {which}".strip())
        answer = following
    return answer
