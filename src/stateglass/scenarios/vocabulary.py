"""The words of scenarios: what a scenario speaks of, and which of it a model does not have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from stateglass.check.vocabulary import Elsewhere, nowhere, stands_nowhere, vocabulary_of
from stateglass.logic.predicates import Named
from stateglass.logic.temporal import Formula, Happens
from stateglass.logic.vocabulary import nodes_in, odd_words, unmet_in
from stateglass.model import Model
from stateglass.relate.patterns import Pattern
from stateglass.scenarios.language import (
    Act,
    After,
    AllOf,
    AnyOf,
    Before,
    Between,
    Change,
    Condition,
    Event,
    EventName,
    Hole,
    Part,
    Scenario,
    Start,
    Vocabulary,
    When,
    events_in,
)
from stateglass.scenarios.meaning import Words
from stateglass.scenarios.reading import GIVEN
from stateglass.scenarios.reading.definitions import words_in
from stateglass.source import Diagnostic, InputError, pointed


def refuse_unknown_words(
    vocabulary: Vocabulary,
    scenarios: Sequence[Scenario],
    model: Model,
    places: Collection[str] = (),
    *,
    all_met: bool = True,
    stands: Callable[[str], bool] = stands_nowhere,
    elsewhere: Elsewhere = nowhere,
) -> list[tuple[str, ...]]:
    """Refuses names that no state or label of the model has, in definitions and scenarios, all at once.

    What `stands` in the code is known, whether it is met or not, if the model is whole.
    Of a partial model, events that were not met are no mistake: for each scenario, they are returned in sentences.
    """
    own = vocabulary.events
    known = vocabulary_of(model, places, all_met=all_met, words=own, stands=stands, elsewhere=elsewhere)
    words = Words(vocabulary)
    asked = [_content(scenario, words) for scenario in scenarios]
    problems = dict.fromkeys(odd_words(tuple(_definitions(vocabulary, words)), known))
    for scenario, content in zip(scenarios, asked, strict=True):
        problems |= dict.fromkeys(_pointed(problem, scenario) for problem in odd_words(content, known))
    if problems:
        raise InputError(sorted(problems, key=lambda d: (d.span, d.message)))
    return [unmet_in(content, known) for content in asked]


def _pointed(problem: Diagnostic, scenario: Scenario) -> Diagnostic:
    """A problem with the words below it, where they are in no file."""
    first, start, end = scenario.span.start, problem.span.start, problem.span.end
    if first.file != GIVEN or start.file != GIVEN or not first.line == start.line == end.line:
        return problem
    words = pointed(scenario.text, start.column - first.column, end.column - first.column)
    return replace(problem, message=problem.message + words)


def names_asked(vocabulary: Vocabulary, scenarios: Iterable[Scenario], model: Model) -> frozenset[str]:
    """The names of values in definitions and scenarios: propositions and enumerators; patterns mean all that fit."""
    words = Words(vocabulary)
    asked = tuple(_content(scenario, words) for scenario in scenarios)
    everything = (tuple(_definitions(vocabulary, words)), *asked)
    names = {node.name for node in nodes_in(everything) if isinstance(node, Named)}
    patterns = [Pattern.of(name) for name in sorted(names) if "*" in name]
    return frozenset(names) | {
        own.name for own in model.propositions if any(pattern.matches(own.name) for pattern in patterns)
    }


def _definitions(vocabulary: Vocabulary, words: Words) -> Iterator[Formula]:
    for event in vocabulary.events.values():
        yield from _of_event(event, words)
    for condition in vocabulary.conditions.values():
        yield from _of_condition(condition, words)


def _content(scenario: Scenario, words: Words) -> tuple[object, ...]:
    """What a scenario speaks of, as formulas: what stands for a hole is not asked."""
    return (*(formula for part in scenario.parts for formula in _of_part(part, words)), *scenario.fairness)


def words_spoken_of(meaning: Event | Condition, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The words of the vocabulary in an event or a condition, each once."""
    return tuple(dict.fromkeys(w for w in words_in(meaning) if w in vocabulary.events or w in vocabulary.conditions))


def words_used(scenarios: Iterable[Scenario], vocabulary: Vocabulary) -> frozenset[str]:
    """The words that scenarios speak of, and those that these are made of."""
    found: set[str] = set()
    work = [
        name
        for scenario in scenarios
        for part in scenario.parts
        for end in _ends_of(part)
        for name in words_spoken_of(end, vocabulary)
    ]
    while work:
        name = work.pop()
        if name not in found:
            found.add(name)
            meaning = vocabulary.events.get(name) or vocabulary.conditions[name]
            work += words_spoken_of(meaning, vocabulary)
    return frozenset(found)


def with_words_used(scenarios: Iterable[Scenario], vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary without words that scenarios can be told without: a model need not know these."""
    used = words_used(scenarios, vocabulary)
    return Vocabulary(
        {name: event for name, event in vocabulary.events.items() if name in used},
        {name: condition for name, condition in vocabulary.conditions.items() if name in used},
        {name: span for name, span in vocabulary.spans.items() if name in used},
    )


def mixes(scenario: Scenario, vocabulary: Vocabulary) -> bool:
    """Whether a scenario speaks of actions and of values, too."""
    words = Words(vocabulary)
    found = [node for part in scenario.parts for node in nodes_in(tuple(_of_part(part, words)))]
    return any(isinstance(n, Happens) for n in found) and any(isinstance(n, Named) for n in found)


def _ends_of(part: Part) -> tuple[Event | Condition, ...]:
    """The events and conditions of a part, in the order of its text."""
    ends: list[Event | Condition | None] = [part.condition]
    for link in part.links:
        ends += [link.cause, link.effect]
    ends.append(part.exception)
    match part.scope:
        case Between(start, end):
            ends += [start, end]
        case After(point) | Before(point):
            ends.append(point)
        case None:
            pass
    return tuple(end for end in ends if end is not None)


def _of_part(part: Part, words: Words) -> Iterator[Formula]:
    for asked in _ends_of(part):
        if isinstance(asked, Condition):
            yield from _of_condition(asked, words)
        else:
            yield from _of_event(asked, words)


def _of_event(event: Event, words: Words) -> Iterator[Formula]:
    for inner in events_in(event):
        match inner:
            case Act() | Change() | EventName():
                if not (isinstance(inner, Change) and inner.condition.is_hole):
                    yield words.occurrence(inner).at_step
            case When():
                yield from _of_condition(inner.condition, words)
            case Start() | AnyOf() | AllOf() | Hole():
                pass


def _of_condition(condition: Condition, words: Words) -> Iterator[Formula]:
    if not condition.is_hole:
        yield words.condition(condition)
