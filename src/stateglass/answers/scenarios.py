"""From a model, or code, and scenarios to answers, each with a run that was followed again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

from stateglass.answers.checking import places_of
from stateglass.answers.confirming import Explored, confirmed
from stateglass.check.verdicts import missing, support
from stateglass.check.why import Why
from stateglass.evidence import Answer, Path, Reason, Verdict
from stateglass.explore import Manner, explore
from stateglass.logic.claims import Claim, Language
from stateglass.model import Model, Relation
from stateglass.scenarios.elaboration.holes import is_question
from stateglass.scenarios.explaining import explanation
from stateglass.scenarios.formulas import claimed
from stateglass.scenarios.language import Scenario, Vocabulary
from stateglass.scenarios.validating import Reply, Validation, Validator
from stateglass.scenarios.vocabulary import names_asked, refuse_unknown_words
from stateglass.scenarios.writing import definitions_text
from stateglass.system import System
from stateglass.work import Progress, silent

Shown = Callable[[Reply], Path | None]
"""Finds the run that shows a relation, or refutes it."""


@final
@dataclass(frozen=True, slots=True)
class Told:
    """A scenario with its answer, and the model that the states of its evidence belong to."""

    scenario: Scenario
    answer: Answer
    model: Model
    validation: Validation | None = None  # None: it was not looked at


@final
@dataclass(frozen=True, slots=True)
class Telling:
    """The answers to scenarios on a model; fewer than there are scenarios if somebody did not want to wait."""

    model: Model
    told: tuple[Told, ...]
    interrupted: bool = False
    watch: frozenset[str] = frozenset()  # variables of the code whose every value is seen
    notes: tuple[str, ...] = ()
    code: Explored | None = None  # what runs are followed on, if the model is of code


def shortest(reply: Reply) -> Path | None:
    """The run that needs the fewest steps."""
    sure = reply.evaluation.model.origin.relation is not Relation.OVER
    story = Why(reply.evaluation, sure=sure).story(True)
    return story.evidence if isinstance(story.evidence, Path) else None


def tell(
    model: Model,
    vocabulary: Vocabulary,
    scenarios: Sequence[Scenario],
    *,
    code: Explored | None = None,
    shown: Shown = shortest,
    progress: Progress = silent,
) -> Telling:
    """The answer to each scenario that is no question. Ctrl-C leaves out the scenarios to come."""
    places = () if code is None else places_of(code.system.program)
    unmet = refuse_unknown_words(vocabulary, scenarios, model, places)
    validator = Validator(model, vocabulary, progress)
    watch = frozenset[str]() if code is None else code.manner.watch
    told: list[Told] = []
    try:
        for number, (scenario, sentences) in enumerate(zip(scenarios, unmet, strict=True)):
            if is_question(scenario):
                continue
            progress("checking", scenarios=number)
            if sentences:
                words = " ".join((*sentences, missing(model)))
                answer = Answer(scenario.title, Verdict.INCONCLUSIVE, Reason.PARTIAL, words)
                told.append(Told(scenario, answer, model))
                continue
            told.append(answered(validator.validate(scenario), validator, code, shown, progress))
    except KeyboardInterrupt:
        return Telling(model, tuple(told), True, watch, code=code)
    return Telling(model, tuple(told), watch=watch, code=code)


def tell_code(
    system: System,
    manner: Manner,
    vocabulary: Vocabulary,
    scenarios: Sequence[Scenario],
    *,
    shown: Shown = shortest,
    progress: Progress = silent,
) -> Telling:
    """The answers on code: one model, in which every value is seen that any scenario or word speaks of."""
    first = explore(system, replace(manner, max_states=1)).model
    # Which names there are is known from the first state on; which values are met is not.
    refuse_unknown_words(vocabulary, scenarios, first, all_met=False)
    watching = manner.watching(names_asked(vocabulary, scenarios, first))
    found = explore(system, watching, progress=progress)
    telling = tell(found.model, vocabulary, scenarios, code=Explored(system, watching), shown=shown, progress=progress)
    return replace(telling, interrupted=telling.interrupted or found.interrupted, notes=found.notes)


def answered(
    validation: Validation, validator: Validator, code: Explored | None, shown: Shown, progress: Progress
) -> Told:
    """The answer to a scenario that was validated, with a run that was followed again."""
    scenario, reply, model = validation.scenario, validation.deciding, validator.model
    words = explanation(validation, validator.vocabulary)
    answer = Answer(scenario.title, validation.verdict, reply.reason, words)
    run = _with_run(validation)
    path = None if run is None else shown(run)
    if path is None:
        evidence = support(model) if validation.verdict in (Verdict.HOLDS, Verdict.VACUOUS) else None
        return Told(scenario, replace(answer, evidence=evidence), model, validation)
    assert run is not None
    claim = Claim(
        f"{scenario.text} {definitions_text(validator.vocabulary)}",
        Language.CTL,
        claimed(run.question),
        scenario.title,
        scenario.fairness,
        scenario.span,
    )
    checked = confirmed(claim, replace(answer, evidence=path), model, code, progress)
    return Told(scenario, checked.answer, checked.model, validation)


def _with_run(validation: Validation) -> Reply | None:
    """The reply whose run is shown: it refutes the scenario, or is part of it."""
    deciding = validation.deciding
    if deciding.verdict is Verdict.HOLDS:
        return next((reply for reply in validation.replies if not reply.question.refutes), None)
    if deciding.verdict is Verdict.INCONCLUSIVE:
        over = deciding.reason is Reason.ABSTRACTION and deciding.question.refutes
        return deciding if over and deciding.may_have_run else None
    return deciding if deciding.verdict is Verdict.VIOLATED and deciding.question.refutes else None
