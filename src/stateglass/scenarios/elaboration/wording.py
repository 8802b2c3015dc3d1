"""Events and scenarios as text."""

from __future__ import annotations

from typing import assert_never

from stateglass.logic.expressions import predicate_text
from stateglass.logic.notation import event_name
from stateglass.scenarios.language import (
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
    Part,
    Start,
    When,
)


def scenario_text(parts: tuple[Part, ...]) -> str:
    return " and ".join(map(_part, parts))


def _part(part: Part) -> str:
    text = event_text(part.links[0].cause)
    for link in part.links:
        text += f" {link.relation.value} {event_text(link.effect)}"
    if part.condition is not None:
        text = f"while ({predicate_text(part.condition.predicate)}): {text}"
    if part.exception is not None:
        text += f" unless {event_text(part.exception)}"
    match part.scope:
        case None:
            return text
        case After(start):
            return f"{text} after {_endpoint(start)}"
        case Before(end):
            return f"{text} before {_endpoint(end)}"
        case Between(start, end):
            return f"{text} between {_endpoint(start)} and {_endpoint(end)}"
        case _:
            assert_never(part.scope)


def _endpoint(end: Endpoint) -> str:
    return f"[{predicate_text(end.predicate)}]" if isinstance(end, Condition) else event_text(end)


def event_text(event: Event) -> str:
    match event:
        case Start():
            return "init"
        case Act():
            return event_name(event.pattern)
        case Change():
            return f"{event.turn.value}({predicate_text(event.condition.predicate)})"
        case EventName():
            return event.name
        case AnyOf():
            return " | ".join(_inner(e) if isinstance(e, AllOf) else event_text(e) for e in event.events)
        case AllOf():
            return " & ".join(_inner(e) for e in event.events)
        case When():
            return f"{_inner(event.event)} when ({predicate_text(event.condition.predicate)})"
        case Hole():
            return "?"
        case _:
            assert_never(event)


def _inner(event: Event) -> str:
    text = event_text(event)
    return f"({text})" if isinstance(event, AnyOf | AllOf | When) else text
