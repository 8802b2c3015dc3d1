"""How often the words of a vocabulary come true on a model: steps of events, states of conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from stateglass.check.ctl import Evaluation
from stateglass.check.predicates import predicate_truth
from stateglass.graphs.arrays import reached
from stateglass.logic.temporal import FALSE, Formula
from stateglass.model import Model
from stateglass.model.model import Flags
from stateglass.scenarios.language import Scenario, Story, Vocabulary
from stateglass.scenarios.meaning import Words
from stateglass.scenarios.validating import Validator
from stateglass.scenarios.vocabulary import words_spoken_of, words_used
from stateglass.scenarios.writing import condition_text, event_text
from stateglass.source import NOWHERE, Code, Diagnostic, Severity


@final
@dataclass(frozen=True, slots=True)
class Word:
    """An event or a condition: its definition, how often it comes true, what it is made of."""

    name: str
    is_event: bool
    text: str
    count: int  # steps, or states; in an abstraction, those at which it may
    at_start: bool  # an event that happens at the start of runs
    parts: tuple[str, ...]  # other words
    used: bool  # a scenario speaks of it, or of a word that is made of it


def words_of(validator: Validator, scenarios: Sequence[Scenario] = ()) -> tuple[Word, ...]:
    """All words, events first; what can be reached is counted."""
    vocabulary, model = validator.vocabulary, validator.model
    meaning = Words(vocabulary)
    states = reached(model.first, model.targets, model.initial)
    steps: Flags = states[model.sources]
    used = words_used(scenarios, vocabulary)
    found: list[Word] = []
    for name, event in vocabulary.events.items():
        occurrence = meaning.occurrence(event)
        count = _steps(occurrence.at_step, validator, steps)
        starts = occurrence.at_start is not FALSE and validator.holds(occurrence.at_start) is not False
        parts = words_spoken_of(event, vocabulary)
        found.append(Word(name, True, event_text(event, vocabulary), count, starts, parts, name in used))
    for name, condition in vocabulary.conditions.items():
        truth = predicate_truth(meaning.predicate(condition.predicate), model, condition.span)
        count = int((truth.may & states).sum())
        parts = words_spoken_of(condition, vocabulary)
        found.append(Word(name, False, condition_text(condition), count, False, parts, name in used))
    return tuple(found)


def with_uses(words: Sequence[Word], story: Story) -> tuple[Word, ...]:
    """The words, with whether the scenarios of a story speak of them."""
    used = words_used(story.scenarios, story.vocabulary)
    return tuple(replace(word, used=word.name in used) for word in words)


def _steps(formula: Formula, validator: Validator, counted: Flags) -> int:
    """The steps of the model at which an event happens, or may."""
    evaluation = Evaluation(formula, validator.model, positions=validator.positions)
    value = evaluation.value(formula, evaluation.is_fixed(formula))
    if not value.by_position:
        assert formula is FALSE or not value.truth.may.any() or value.truth.may.all()
        return int(counted.sum()) if value.truth.may.all() and len(value.truth.may) else 0
    return int(np.count_nonzero(value.truth.may[: validator.model.transitions] & counted))


def odd_definitions(words: Sequence[Word], vocabulary: Vocabulary, model: Model) -> Iterator[Diagnostic]:
    """Warnings: words that never come true, and names that hide others."""
    propositions = {own.name for own in model.propositions}
    for word in words:
        span = vocabulary.spans.get(word.name, NOWHERE)
        if not word.count and not word.at_start:
            where = "in what was explored" if model.partial else "in this model"
            message = f"`{word.name}` never {'happens' if word.is_event else 'holds'} {where}"
            yield Diagnostic(Code.SCENARIO, message, span, Severity.WARNING)
        if not word.is_event and word.name in propositions and word.text != word.name:
            message = f"the model has a proposition `{word.name}`: in predicates, this condition is meant"
            yield Diagnostic(Code.SCENARIO, message, span, Severity.WARNING)
