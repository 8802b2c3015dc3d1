"""Elaborations and answers to questions, each with a run that was followed again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from stateglass.answers.confirming import Explored
from stateglass.answers.scenarios import BY_DEFAULT, Steering, Telling, Told, answered
from stateglass.model import Model
from stateglass.scenarios.elaboration.findings import NO_NEW_STEPS, SHORTEST_RUN, Elaboration, Pattern, Showing
from stateglass.scenarios.elaboration.formulas_with_holes import ask_formula
from stateglass.scenarios.elaboration.holes import Answered, Questioner
from stateglass.scenarios.elaboration.search import Elaborator
from stateglass.scenarios.language import Scenario, Vocabulary
from stateglass.scenarios.validating import Validator
from stateglass.scenarios.vocabulary import refuse_unknown_words
from stateglass.scenarios.witnesses import read_strategy
from stateglass.work import Progress, silent


@final
@dataclass(frozen=True, slots=True, eq=False)
class ToldElaboration:
    """An elaboration and the story whose run shows it, with its answer."""

    elaboration: Elaboration
    told: Told | None  # None: nobody wanted to wait for it


@final
@dataclass(frozen=True, slots=True, eq=False)
class ToldFindings:
    """What a pattern gave."""

    pattern: Pattern
    found: tuple[ToldElaboration, ...]
    rejected: tuple[ToldElaboration, ...]
    remarks: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class ToldElaborated:
    """What all patterns gave for one story."""

    base: Scenario
    findings: tuple[ToldFindings, ...]
    checks: int
    interrupted: bool = False


@final
class Elaborating:
    """Elaborates stories about what a telling is about: a model, or code. `old` is the model before a change."""

    def __init__(
        self,
        telling: Telling,
        vocabulary: Vocabulary,
        old: Model | None = None,
        progress: Progress = silent,
    ) -> None:
        self.validator = Validator(telling.model, vocabulary)
        self._code: Explored | None = telling.code
        self._facts = telling.facts
        self._progress = progress
        self._interrupted = False
        before = None if old is None else Validator(old, vocabulary)
        self._elaborator = Elaborator(self.validator, before, progress)

    def elaborate(self, scenario: Scenario, patterns: Sequence[Pattern] = tuple(Pattern)) -> ToldElaborated:
        """Ctrl-C ends the search; what was found is told, without runs that were not looked for yet."""
        elaborated = self._elaborator.elaborate(scenario, patterns)
        self._interrupted = elaborated.interrupted
        findings = tuple(
            ToldFindings(
                one.pattern,
                tuple(map(self._shown, one.found)),
                tuple(map(self._shown, one.rejected)),
                one.remarks,
            )
            for one in elaborated.findings
        )
        return ToldElaborated(scenario, findings, elaborated.checks, self._interrupted)

    def _shown(self, elaboration: Elaboration) -> ToldElaboration:
        if self._interrupted:
            return ToldElaboration(elaboration, None)
        showing = elaboration.showing
        try:
            validation = self.validator.validate(showing.scenario)
            told = answered(validation, self.validator, self._code, self._steering(showing), self._progress)
        except KeyboardInterrupt:
            self._interrupted = True
            return ToldElaboration(elaboration, None)
        return ToldElaboration(elaboration, told)

    def _steering(self, showing: Showing) -> Steering:
        text = showing.strategy
        if text == NO_NEW_STEPS and self._facts.is_new is None:
            text = SHORTEST_RUN
        return Steering(read_strategy(text, self.validator.vocabulary), self._facts)

    def tell(self, scenario: Scenario) -> Told:
        """The answer to another story."""
        refuse_unknown_words(self.validator.vocabulary, [scenario], self.validator.model)
        validation = self.validator.validate(scenario)
        return answered(validation, self.validator, self._code, BY_DEFAULT, self._progress)

    def ask(self, question: Scenario) -> Answered:
        """The answers to a story with a hole."""
        return Questioner(self.validator, self._progress).ask(question)

    def ask_formula(self, text: str, like: Scenario | None = None) -> Answered:
        """The answers to a formula with a hole."""
        return ask_formula(text, self.validator, () if like is None else like.fairness)
