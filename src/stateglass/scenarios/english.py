"""Scenarios as English sentences."""

from __future__ import annotations

from typing import Final, assert_never

from stateglass.logic.notation import event_name
from stateglass.logic.predicates import Named
from stateglass.logic.temporal import Turn
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
    Link,
    Part,
    Relation,
    Scenario,
    Scope,
    Start,
    When,
)
from stateglass.scenarios.writing import condition_text
from stateglass.source import alternatives, as_sentence

MOST_NAMED: Final = 20
"""More alternatives are counted, not named."""


def sentence(scenario: Scenario) -> str:
    """What a scenario says."""
    said = "; and ".join(map(_part, scenario.parts))
    patterns = [f"`{event_name(f.pattern)}`{' (strongly)' if f.strong else ''}" for f in scenario.fairness]
    fair = f"on runs that are fair to {_listed(patterns)}, " if patterns else ""
    return as_sentence(f"{fair}{said}")


def event_clause(event: Event) -> str:
    """An event as what happens: `` `call3` happens``."""
    match event:
        case Start():
            return "the run begins"
        case Act():
            return f"`{event.pattern}` happens"
        case EventName():
            return f"`{event.name}` happens"
        case Change(Turn.CHANGES, Condition(Named(name))):
            return f"`{name}` changes"
        case Change():
            return (
                f"`{condition_text(event.condition)}` {'becomes true' if event.turn is Turn.RISES else 'becomes false'}"
            )
        case AnyOf(events):
            names = [_name(inner) for inner in events]
            if len(events) > MOST_NAMED:
                return f"one of {len(events):,} events happens"
            if all(names):
                return f"{alternatives(names)} happens"
            return " or ".join(map(event_clause, events))
        case AllOf(events):
            return " and, in the same step, ".join(map(event_clause, events))
        case When():
            return f"{event_clause(event.event)} where `{condition_text(event.condition)}` holds"
        case Hole():
            return "something (?) happens"
        case _:
            assert_never(event)


def never_clause(event: Event) -> str:
    """That an event does not happen at any time that is meant."""
    match event:
        case Act() | EventName():
            return f"{_name(event)} never happens"
        case Change(Turn.CHANGES, Condition(Named(name))):
            return f"`{name}` never changes"
        case Change():
            true = "true" if event.turn is Turn.RISES else "false"
            return f"`{condition_text(event.condition)}` never becomes {true}"
        case AnyOf(events) if all(map(_name, events)) and len(events) <= MOST_NAMED:
            return f"none of {_listed([_name(inner) for inner in events])} happens"
        case _:
            return f"it never comes to pass that {event_clause(event)}"


def _name(event: Event) -> str:
    match event:
        case Act():
            return f"`{event.pattern}`"
        case EventName():
            return f"`{event.name}`"
        case _:
            return ""


def _listed(names: list[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"


def _part(part: Part) -> str:
    before = "" if part.condition is None else f"as long as `{condition_text(part.condition)}` holds, "
    inside = "" if part.scope is None else f"{_scope(part.scope)}, "
    unless = "" if part.exception is None else f", unless {event_clause(part.exception)} first"
    return f"{inside}{before}{'; and '.join(map(_link, part.links))}{unless}"


def _scope(scope: Scope) -> str:
    match scope:
        case After(start):
            return f"after {_endpoint(start)}"
        case Before(end):
            return f"before {_endpoint(end)}"
        case Between(start, end):
            return f"from when {_endpoint(start)} up to when {_endpoint(end)}"
        case _:
            assert_never(scope)


def _endpoint(endpoint: Endpoint) -> str:
    return f"`{condition_text(endpoint)}` holds" if isinstance(endpoint, Condition) else event_clause(endpoint)


def _link(link: Link) -> str:
    cause, effect = event_clause(link.cause), event_clause(link.effect)
    from_start = isinstance(link.cause, Start)
    leads = f"{effect} sooner or later" if from_start else f"whenever {cause}, {effect} sooner or later"
    needs = f"{effect} only if {cause} before it or in the same step"
    match link.relation:
        case Relation.CAN_FOLLOW:
            return f"it can be that {effect if from_start else f'{cause} and, in the same step or later, {effect}'}"
        case Relation.LEADS_TO:
            return leads
        case Relation.ONLY_AFTER:
            return needs
        case Relation.ONLY_SINCE:
            return f"{needs}, and since the last time that it did"
        case Relation.LINKED:
            return f"{leads}; and {needs}"
        case _:
            assert_never(link.relation)
