"""Scenarios as text that reads back as the same scenarios."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from stateglass.logic.claims import Fairness
from stateglass.logic.expressions import predicate_text, quoted
from stateglass.logic.notation import event_name
from stateglass.logic.predicates import Named
from stateglass.logic.temporal import Turn
from stateglass.scenarios.language import (
    HOLE,
    Act,
    After,
    AllOf,
    AnyOf,
    Before,
    Between,
    Change,
    Condition,
    Endpoint,
    Event,
    EventName,
    Hole,
    Link,
    Part,
    Scenario,
    Start,
    Story,
    Vocabulary,
    When,
)
from stateglass.scenarios.reading.lexing import RESERVED, TURNS

_PLAIN_NAME: Final = re.compile(r"[\w.-]+")
_PLAIN_CHANGING: Final = re.compile(r"[\w.:*?$@>-]+(?:\[[\w*?]+\][\w.:*?$@>-]*)*")
_NOTHING: Final = Vocabulary()


def event_text(event: Event, vocabulary: Vocabulary = _NOTHING) -> str:
    """An event; an action that is called like a word of the vocabulary stands in quotes."""
    match event:
        case Start():
            return "init"
        case Act():
            return _action(event.pattern, vocabulary)
        case Change(Turn.CHANGES, Condition(Named(name))):
            return f"changes({name if _PLAIN_CHANGING.fullmatch(name) else quoted(name, '`')})"
        case Change():
            return f"{event.turn.value}({condition_text(event.condition)})"
        case EventName():
            return event.name
        case AnyOf(events):
            return " | ".join(_grouped(inner, (AnyOf,), vocabulary) for inner in events)
        case AllOf(events):
            return " & ".join(_grouped(inner, (AnyOf, AllOf), vocabulary) for inner in events)
        case When():
            return f"{_grouped(event.event, (AnyOf, AllOf), vocabulary)} when ({condition_text(event.condition)})"
        case Hole():
            return "?"
        case _:
            assert_never(event)


def _grouped(event: Event, looser: tuple[type, ...], vocabulary: Vocabulary) -> str:
    text = event_text(event, vocabulary)
    return f"({text})" if isinstance(event, looser) else text


def _action(pattern: str, vocabulary: Vocabulary) -> str:
    head = pattern.partition("(")[0]
    taken = pattern in RESERVED or head in TURNS or pattern in vocabulary.events or pattern in vocabulary.conditions
    return quoted(pattern) if taken or HOLE in pattern or "#" in pattern else event_name(pattern)


def condition_text(condition: Condition) -> str:
    """A condition without what stands around it."""
    return HOLE if condition.is_hole else predicate_text(condition.predicate)


def endpoint_text(endpoint: Endpoint, vocabulary: Vocabulary = _NOTHING) -> str:
    """What a scope begins or ends with; a condition in brackets, unless it is a name."""
    if not isinstance(endpoint, Condition):
        return event_text(endpoint, vocabulary)
    predicate = endpoint.predicate
    plain = isinstance(predicate, Named) and predicate.name in vocabulary.conditions
    return condition_text(endpoint) if plain else f"[{condition_text(endpoint)}]"


def parts_text(parts: Iterable[Part], vocabulary: Vocabulary = _NOTHING) -> str:
    """What a scenario says, without its name. `while` counts for what follows, up to the next."""
    written: list[str] = []
    condition = ""
    for part in parts:
        own = "true" if part.condition is None else condition_text(part.condition)
        before = "" if own == (condition or "true") else f"while ({own}): "
        condition = own
        behind = "".join(_restrictions(part, vocabulary))
        for chain in _chains(part.links):
            written.append(f"{before}{_chain(chain, vocabulary)}{behind}")
            before = ""
    return " and ".join(written)


def _restrictions(part: Part, vocabulary: Vocabulary) -> Iterator[str]:
    if part.exception is not None:
        yield f" unless {event_text(part.exception, vocabulary)}"
    match part.scope:
        case None:
            pass
        case After(start):
            yield f" after {endpoint_text(start, vocabulary)}"
        case Before(end):
            yield f" before {endpoint_text(end, vocabulary)}"
        case Between(start, end):
            yield f" between {endpoint_text(start, vocabulary)} and {endpoint_text(end, vocabulary)}"
        case _:
            assert_never(part.scope)


def _chains(links: Iterable[Link]) -> Iterator[list[Link]]:
    """The links in stretches in which each begins with the effect of the one before."""
    chain: list[Link] = []
    for link in links:
        if chain and event_text(chain[-1].effect) != event_text(link.cause):
            yield chain
            chain = []
        chain.append(link)
    if chain:
        yield chain


def _chain(links: list[Link], vocabulary: Vocabulary) -> str:
    first = event_text(links[0].cause, vocabulary)
    return first + "".join(f" {link.relation.value} {event_text(link.effect, vocabulary)}" for link in links)


def scenario_text(scenario: Scenario, vocabulary: Vocabulary = _NOTHING) -> str:
    """A line of a file, without the fairness that all scenarios of a file share."""
    name = f"scenario {_name(scenario.name)}: " if scenario.name else ""
    parent = scenario.ancestry
    origin = "" if parent is None else f"  from {_name(parent.parent)} by {parent.pattern}"
    expected = "" if scenario.expected is None else f"  expected {scenario.expected.value}"
    return f"{name}{parts_text(scenario.parts, vocabulary)}{origin}{expected}"


def _name(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) else quoted(name)


def fairness_text(fairness: Fairness, vocabulary: Vocabulary = _NOTHING) -> str:
    return f"{'strongly ' if fairness.strong else ''}fair {_action(fairness.pattern, vocabulary)}"


def definitions_text(vocabulary: Vocabulary) -> str:
    """The definitions of a vocabulary, a line for each."""
    events = [f"event {name} = {event_text(event, vocabulary)}" for name, event in vocabulary.events.items()]
    conditions = [f"condition {name} = {condition_text(c)}" for name, c in vocabulary.conditions.items()]
    return "".join(f"{line}\n" for line in (*events, *conditions))


def story_text(story: Story) -> str:
    """A whole file."""
    words = story.vocabulary
    fair = [fairness_text(fairness, words) for fairness in story.fairness]
    said = [scenario_text(scenario, words) for scenario in story.scenarios]
    return definitions_text(words) + "".join(f"{line}\n" for line in (*fair, *said))
