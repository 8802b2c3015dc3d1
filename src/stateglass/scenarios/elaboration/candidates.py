"""What stories may be made with: events and conditions of the vocabulary, what they are made of, simple facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.check.names import Names
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate
from stateglass.model import STABLE, Proposition, Sort
from stateglass.scenarios.elaboration.extents import Extent, Extents
from stateglass.scenarios.language import Act, AnyOf, Event, EventName, Start, Vocabulary, inner_events
from stateglass.scenarios.writing import event_text

_FEW_EVENTS: Final = 3
"""With fewer words for events than this, the actions of the model are looked at, too."""
_MOST_LABELS: Final = 40
_MOST_VALUES: Final = 6
"""A proposition with more values than this is not told apart value by value."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """An event that may play a part, and when it happens."""

    event: Event
    extent: Extent
    from_model: bool = False  # the vocabulary does not have it


@final
@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A condition of the vocabulary, a fact about one proposition, or the opposite of one of them."""

    predicate: Predicate
    extent: Extent
    is_negative: bool = False
    from_model: bool = False


# ---- events


def event_candidates(extents: Extents, vocabulary: Vocabulary) -> list[Candidate]:
    """The events of the vocabulary and what they are made of, each with its steps; none that cannot happen.

    Of actions that happen at the same steps, and of changes that do, the first one stands for all; names come first.
    """
    named: list[Event] = [EventName(name) for name in vocabulary.events]
    inner = [part for name in vocabulary.events for part in _parts(vocabulary.events[name], vocabulary)]
    found: dict[tuple[Extent, bool], Candidate] = {}

    def add(events: Iterable[Event], from_model: bool) -> None:
        for event in events:
            extent = extents.event(event)
            if not extent.is_empty and not isinstance(event, Start):
                found.setdefault((extent, has_action(event, vocabulary)), Candidate(event, extent, from_model))

    add([*named, *inner], False)
    if len(found) < _FEW_EVENTS and len(extents.model.labels) <= _MOST_LABELS:
        add(map(Act, extents.model.labels), True)
    return list(found.values())


def alternatives(event: Event, vocabulary: Vocabulary) -> tuple[Event, ...]:
    """The events of which one has to happen: what is joined by `|`, names looked up; itself if it is one."""
    match event:
        case EventName(name) if name in vocabulary.events:
            inner = alternatives(vocabulary.events[name], vocabulary)
            return inner if len(inner) > 1 else (event,)
        case AnyOf():
            return event.events
        case _:
            return (event,)


def parts_of(event: Event, vocabulary: Vocabulary) -> list[Event]:
    """All that an event is made of by `|`, at any depth, without the event itself; each text once."""
    found: dict[str, Event] = {}
    for part in _parts(event, vocabulary):
        found.setdefault(event_text(part), part)
    return list(found.values())


def _parts(event: Event, vocabulary: Vocabulary) -> Iterator[Event]:
    inner = alternatives(event, vocabulary)
    for part in inner if len(inner) > 1 else ():
        yield part
        yield from _parts(part, vocabulary)


def joined(events: list[Event]) -> Event:
    """Events joined by `|`."""
    flat = [inner for event in events for inner in (event.events if isinstance(event, AnyOf) else (event,))]
    return flat[0] if len(flat) == 1 else AnyOf(tuple(flat))


def has_action(event: Event, vocabulary: Vocabulary) -> bool:
    """Whether it takes an action for the event to happen; else it is a change of values, or the start.

    An action and a change may happen in the same steps and still be cause and effect. Two actions, or two changes, of
    which one happens whenever the other does are two words for one thing.
    """
    match event:
        case Act():
            return True
        case EventName(name):
            return name in vocabulary.events and has_action(vocabulary.events[name], vocabulary)
        case _:
            return any(has_action(inner, vocabulary) for inner in inner_events(event))


# ---- conditions


def literals(extents: Extents, vocabulary: Vocabulary) -> list[Literal]:
    """The conditions of the vocabulary and their opposites."""
    return _with_opposites([Named(name) for name in vocabulary.conditions], extents, from_model=False)


def facts(extents: Extents) -> list[Literal]:
    """What can be said of single propositions that have few values."""
    model = extents.model
    names = Names(model)
    told = [own for own in model.propositions if own.name != STABLE and not names.is_vague(own.name)]
    return _with_opposites([fact for own in told for fact in _facts_about(own)], extents, from_model=True)


def _facts_about(own: Proposition) -> Iterator[Predicate]:
    if own.sort is Sort.FLOAT or own.sort is Sort.POINTER:
        return
    values = own.values if own.defined is None else own.values[own.defined]
    distinct = np.unique(values).tolist()
    if own.sort is Sort.BOOL:
        yield Named(own.name)
    elif 1 < len(distinct) <= _MOST_VALUES:
        texts = dict(own.names)
        for value in distinct:
            yield Applied(Operator.EQUAL, (Named(own.name), _constant(value, texts)))
        for value in distinct[1:-1] if own.sort is Sort.INT else ():
            yield Applied(Operator.GREATER_EQUAL, (Named(own.name), Number(value)))


def _constant(value: int, texts: dict[int, str]) -> Predicate:
    return Named(texts[value]) if value in texts else Number(value)


def _with_opposites(predicates: list[Predicate], extents: Extents, *, from_model: bool) -> list[Literal]:
    everywhere = extents.everywhere
    found: dict[Extent, Literal] = {}
    for predicate in predicates:
        extent = extents.predicate(predicate)
        opposite = opposite_of(predicate)
        for which, where, negative in (
            (predicate, extent, False),
            (opposite, extents.predicate(opposite), True),
        ):
            if not where.is_empty and not everywhere.is_within(where):
                found.setdefault(where, Literal(which, where, negative, from_model))
    return list(found.values())


_OPPOSITES: Final = {
    Operator.EQUAL: Operator.NOT_EQUAL,
    Operator.GREATER_EQUAL: Operator.LESS,
}
_OPPOSITES_BOTH: Final = _OPPOSITES | {other: one for one, other in _OPPOSITES.items()}


def opposite_of(predicate: Predicate) -> Predicate:
    """The negation; of a comparison with a constant, the opposite comparison."""
    match predicate:
        case Applied(Operator.NOT, (inner,)):
            return inner
        case Applied(operator, operands) if operator in _OPPOSITES_BOTH:
            return Applied(_OPPOSITES_BOTH[operator], operands)
        case _:
            return Applied(Operator.NOT, (predicate,))
