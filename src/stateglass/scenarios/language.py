"""Scenarios as values: events and conditions with names, how events cause each other, and where that is to hold.

After Sawblade (Chechik, Devereux: Automated support for building behavioral models of event-driven systems, 2006). An
event happens at a step, a condition holds in a state. What a relation means is in `meaning`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Final, assert_never, final

from stateglass.evidence import Verdict
from stateglass.logic.claims import Fairness
from stateglass.logic.predicates import Named, Predicate
from stateglass.logic.temporal import Turn
from stateglass.source import NOWHERE, Span

# ---- events: what happens at a step


@final
@dataclass(frozen=True, slots=True)
class Start:
    """`init`: the beginning of a run, before its first step."""

    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True)
class Act:
    """A step with a label that a pattern matches: `call(open)`."""

    pattern: str
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """`rises(c)`, `falls(c)`, `changes(x)`: the step changes what is true."""

    turn: Turn
    condition: Condition
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class EventName:
    """An event of the vocabulary."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True, eq=False)
class AnyOf:
    """At least one of several events: `a | b`."""

    events: tuple[Event, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class AllOf:
    """Several events in the same step: `a & b`."""

    events: tuple[Event, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class When:
    """An event in a state in which a condition holds: `a when (c)`."""

    event: Event
    condition: Condition


@final
@dataclass(frozen=True, slots=True)
class Hole:
    """`?`: an event that is asked for."""

    span: Span = field(default=NOWHERE, compare=False)


Event = Start | Act | Change | EventName | AnyOf | AllOf | When | Hole

# ---- conditions: what holds in a state


@final
@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A predicate over propositions; names in it may be conditions of the vocabulary."""

    predicate: Predicate
    span: Span = NOWHERE

    @property
    def is_hole(self) -> bool:
        """`while (?)`: it is asked for."""
        return isinstance(self.predicate, Named) and self.predicate.name == HOLE


HOLE: Final = "?"
"""The name in a predicate that stands for a condition that is asked for."""


@final
@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The events and conditions that somebody speaks of, by name; one may be made of others, never of itself."""

    events: Mapping[str, Event] = field(default_factory=dict)
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)  # where each is defined


# ---- relations between events


@final
@unique
class Relation(Enum):
    """How a cause and an effect belong together."""

    CAN_FOLLOW = "~>"  # the effect can follow
    LEADS_TO = "->"  # the effect follows in any case
    ONLY_AFTER = "<-"  # the effect happens only after the cause has happened
    ONLY_SINCE = "<<-"  # and each time once more
    LINKED = "<->"  # leads to, and only after

    @property
    def is_refuted_by_runs(self) -> bool:
        """Whether some run is against it where it fails; else some run shows it where it holds."""
        return self is not Relation.CAN_FOLLOW


@final
@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A cause, an effect, and their relation; the cause stands on the left."""

    cause: Event
    relation: Relation
    effect: Event


Endpoint = Event | Condition


@final
@dataclass(frozen=True, slots=True, eq=False)
class After:
    """From the first time that something happens or holds."""

    start: Endpoint


@final
@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """Up to the first time that something happens or holds; if it never does, nothing is required."""

    end: Endpoint


@final
@dataclass(frozen=True, slots=True, eq=False)
class Between:
    """From each time that one thing happens up to the next time that another does, if it does."""

    start: Endpoint
    end: Endpoint


Scope = After | Before | Between


@final
@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A chain of links `a -> b -> c`, and what restricts it."""

    links: tuple[Link, ...]
    condition: Condition | None = None  # `while (c):`
    exception: Event | None = None  # `unless e`
    scope: Scope | None = None


@final
@dataclass(frozen=True, slots=True)
class Ancestry:
    """Which story another one was made from, and by which pattern of elaboration."""

    parent: str
    pattern: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """A story that somebody believes in: all its parts are to hold. `text` is what was written."""

    text: str
    parts: tuple[Part, ...]
    name: str = ""
    fairness: tuple[Fairness, ...] = ()
    ancestry: Ancestry | None = None
    expected: Verdict | None = None  # None: it is to hold
    span: Span = NOWHERE

    @property
    def title(self) -> str:
        """What answers call it."""
        return self.name or self.text


@final
@dataclass(frozen=True, slots=True)
class Story:
    """What a file of scenarios says: words, and what is said with them."""

    vocabulary: Vocabulary
    scenarios: tuple[Scenario, ...]
    fairness: tuple[Fairness, ...] = ()  # that all of them have


def inner_events(event: Event) -> tuple[Event, ...]:
    """The events directly inside of one."""
    match event:
        case AnyOf() | AllOf():
            return event.events
        case When():
            return (event.event,)
        case Start() | Act() | Change() | EventName() | Hole():
            return ()
        case _:
            assert_never(event)


def events_in(event: Event) -> Iterator[Event]:
    """An event and all that it is written with; names are not looked up."""
    yield event
    for inner in inner_events(event):
        yield from events_in(inner)
