"""From a model, or code, and scenarios to answers, each with a run that was followed again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

from stateglass.answers.answering import FIRST_LOOKS
from stateglass.answers.checking import members_of, places_of
from stateglass.answers.confirming import Explored, confirmed
from stateglass.check.standing import standing_in
from stateglass.check.verdicts import missing, support
from stateglass.evidence import Answer, Reason, Verdict
from stateglass.explore import Manner, explore
from stateglass.logic.claims import Claim, Language
from stateglass.model import Model
from stateglass.scenarios.apart import apart
from stateglass.scenarios.counting import Word, words_of
from stateglass.scenarios.elaboration.holes import is_question
from stateglass.scenarios.explaining import explanation
from stateglass.scenarios.formulas import opposite
from stateglass.scenarios.language import Scenario, Vocabulary
from stateglass.scenarios.validating import Reply, Validation, Validator
from stateglass.scenarios.vocabulary import mixes, names_asked, refuse_unknown_words
from stateglass.scenarios.witnesses import NO_FACTS, SHORTEST, AnnotatedPath, Facts, Strategy, witness
from stateglass.scenarios.writing import definitions_text
from stateglass.source import InputError
from stateglass.system import System
from stateglass.work import Progress, silent


@final
@dataclass(frozen=True, slots=True)
class Steering:
    """Which runs are shown: a strategy, and what it may know of a change."""

    strategy: Strategy = SHORTEST
    facts: Facts = NO_FACTS
    facts_of: Callable[[Model], Facts] | None = None  # what is known of a change once the model is there

    def on(self, model: Model) -> Steering:
        return self if self.facts_of is None else replace(self, facts=self.facts_of(model), facts_of=None)


BY_DEFAULT: Final = Steering()


@final
@dataclass(frozen=True, slots=True)
class Told:
    """A scenario with its answer, and the model that the states of its evidence belong to."""

    scenario: Scenario
    answer: Answer
    model: Model
    validation: Validation | None = None  # None: it was not looked at
    witness: AnnotatedPath | None = None  # the run of the evidence, with what is to be shown at each step


@final
@dataclass(frozen=True, slots=True)
class Telling:
    """The answers to scenarios on a model; fewer than there are scenarios if somebody did not want to wait."""

    model: Model
    told: tuple[Told, ...]
    interrupted: bool = False
    watch: frozenset[str] = frozenset()  # variables of the code whose every value is seen
    notes: tuple[str, ...] = ()
    words: tuple[Word, ...] = ()  # the vocabulary, with how often its words come true
    code: Explored | None = None  # what runs are followed on, if the model is of code
    facts: Facts = NO_FACTS  # what is known of a change


def tell(
    model: Model,
    vocabulary: Vocabulary,
    scenarios: Sequence[Scenario],
    *,
    code: Explored | None = None,
    steering: Steering = BY_DEFAULT,
    progress: Progress = silent,
) -> Telling:
    """The answer to each scenario that is no question. Ctrl-C leaves out the scenarios to come."""
    if code is None:
        unmet = refuse_unknown_words(vocabulary, scenarios, model)
    else:
        program, stands = code.system.program, standing_in(code.system)
        unmet = refuse_unknown_words(
            vocabulary, scenarios, model, places_of(program), stands=stands, elsewhere=members_of(program)
        )
    validator = Validator(model, vocabulary, progress)
    steering = steering.on(model)
    watch = frozenset[str]() if code is None else code.manner.watch
    split = _Split(model, vocabulary, progress)
    words: tuple[Word, ...] = ()
    told: list[Told] = []
    try:
        words = words_of(validator, scenarios)
        for number, (scenario, sentences) in enumerate(zip(scenarios, unmet, strict=True)):
            if is_question(scenario):
                continue
            progress("checking", scenarios=number)
            if sentences:
                why = " ".join((*sentences, missing(model)))
                answer = Answer(scenario.title, Verdict.INCONCLUSIVE, Reason.PARTIAL, why)
                told.append(Told(scenario, answer, model))
                continue
            found = answered(validator.validate(scenario), validator, code, steering, progress)
            told.append(found if code is None or code.manner.every_step else split.remarked(found))
    except KeyboardInterrupt:
        return Telling(model, tuple(told), True, watch, words=words, code=code, facts=steering.facts)
    return Telling(model, tuple(told), watch=watch, words=words, code=code, facts=steering.facts)


def tell_code(
    system: System,
    manner: Manner,
    vocabulary: Vocabulary,
    scenarios: Sequence[Scenario],
    *,
    steering: Steering = BY_DEFAULT,
    progress: Progress = silent,
) -> Telling:
    """The answers on code: one model, in which every value is seen that any scenario or word speaks of."""
    first, elsewhere = explore(system, replace(manner, max_states=1)).model, members_of(system.program)
    try:
        # Which names there are is known from the first state on; which values are met is not.
        refuse_unknown_words(vocabulary, scenarios, first, all_met=False, elsewhere=elsewhere)
    except InputError:
        # More is said of mistakes where more events are known.
        more = explore(system, replace(manner, max_states=min(FIRST_LOOKS[0], manner.max_states)), progress=progress)
        refuse_unknown_words(vocabulary, scenarios, more.model, all_met=False, elsewhere=elsewhere)
        raise
    watching = manner.watching(names_asked(vocabulary, scenarios, first))
    found = explore(system, watching, progress=progress)
    telling = tell(
        found.model, vocabulary, scenarios, code=Explored(system, watching), steering=steering, progress=progress
    )
    return replace(telling, interrupted=telling.interrupted or found.interrupted, notes=found.notes)


@final
class _Split:
    """Says where a verdict rests on an action and a change being one step of the code."""

    def __init__(self, model: Model, vocabulary: Vocabulary, progress: Progress) -> None:
        self._model = model
        self._vocabulary = vocabulary
        self._progress = progress

    @cached_property
    def _validator(self) -> Validator | None:
        other = apart(self._model)
        return None if other is None else Validator(other, self._vocabulary, self._progress)

    def remarked(self, told: Told) -> Told:
        """The answer, with what it would be if they were two."""
        if told.validation is None or not mixes(told.scenario, self._vocabulary) or self._validator is None:
            return told
        verdict = self._validator.validate(told.scenario).verdict
        if verdict is told.validation.verdict:
            return told
        remark = (
            f"Where an action and the change that it makes count as two steps (--steps all), it is {verdict.value}."
        )
        answer = replace(told.answer, explanation=f"{told.answer.explanation} {remark}".strip())
        return replace(told, answer=answer)


def answered(
    validation: Validation, validator: Validator, code: Explored | None, steering: Steering, progress: Progress
) -> Told:
    """The answer to a scenario that was validated, with a run that was followed again."""
    scenario, reply, model = validation.scenario, validation.deciding, validator.model
    words = explanation(validation, validator.vocabulary)
    answer = Answer(scenario.title, validation.verdict, reply.reason, words)
    run = _with_run(validation, validator)
    found = None if run is None else witness(run, steering.strategy, validator.vocabulary, steering.facts)
    if found is None:
        evidence = support(model) if validation.verdict in (Verdict.HOLDS, Verdict.VACUOUS) else None
        return Told(scenario, replace(answer, evidence=evidence), model, validation)
    assert run is not None
    claim = Claim(
        f"{scenario.text} {definitions_text(validator.vocabulary)}",
        Language.CTL,
        opposite(run.question.shown),  # what the run refutes
        scenario.title,
        scenario.fairness,
        scenario.span,
    )
    if validation.verdict is Verdict.HOLDS:
        answer = replace(answer, explanation=f"{words} The run is an example.")
    checked = confirmed(claim, replace(answer, evidence=found.path), model, code, progress)
    if validation.verdict is Verdict.INCONCLUSIVE and checked.answer.verdict is Verdict.VIOLATED:
        checked = replace(checked, answer=_of_exact_run(validation, run, checked.answer, validator.vocabulary))
    elif not run.question.refutes:
        said = checked.answer.explanation.replace("violate the claim", "show it").replace("violates it", "shows it")
        checked = replace(checked, answer=replace(checked.answer, explanation=said))
    if steering.strategy.reuses and steering.facts.without_old_witness is not None:
        remarked = f"{checked.answer.explanation} {steering.facts.without_old_witness(run)}".strip()
        checked = replace(checked, answer=replace(checked.answer, explanation=remarked))
    # A run of the code that takes the place of one of an abstraction has steps of its own.
    return Told(scenario, checked.answer, checked.model, validation, found if checked.model is model else None)


def _of_exact_run(validation: Validation, run: Reply, answer: Answer, vocabulary: Vocabulary) -> Answer:
    """The answer once a run of the abstraction was found in the code: it refutes a relation, or shows one."""
    decided = replace(run, verdict=Verdict.VIOLATED if run.question.refutes else Verdict.HOLDS, reason=None)
    replies = tuple(decided if reply is run else reply for reply in validation.replies)
    now = Validation(validation.scenario, replies)
    words = f"{explanation(now, vocabulary)} The run is one of the code."
    return replace(answer, verdict=now.verdict, reason=now.deciding.reason, explanation=words)


def _with_run(validation: Validation, validator: Validator) -> Reply | None:
    """The reply whose run is shown: it refutes the scenario, or is part of it, or an example of it."""
    deciding = validation.deciding
    if deciding.verdict is Verdict.HOLDS:
        able = next((reply for reply in validation.replies if not reply.question.refutes), None)
        found = able or validator.example(deciding)
        return found if found.has_run else None
    if deciding.verdict is Verdict.INCONCLUSIVE:
        return deciding if deciding.reason is Reason.ABSTRACTION and deciding.may_have_run else None
    return deciding if deciding.verdict is Verdict.VIOLATED and deciding.question.refutes else None
