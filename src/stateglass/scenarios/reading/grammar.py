"""From tokens to events and scenarios."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, final

from stateglass.evidence import Verdict
from stateglass.logic.predicates import Number
from stateglass.logic.reading.parsing import Grammar, Misplaced
from stateglass.logic.reading.text import Text, Token
from stateglass.scenarios.language import (
    After,
    AllOf,
    Ancestry,
    AnyOf,
    Before,
    Between,
    Condition,
    Endpoint,
    Event,
    Link,
    Part,
    Scope,
    When,
)
from stateglass.scenarios.reading.lexing import STRAY, Known, tokens_of

_EVENTS: Final = """
?event: both (_EITHER both)+ -> any_of | both
?both: unit (_BOTH unit)+ -> all_of | unit
?unit: unit WHEN -> when | EVENT -> event | STATE -> state | _OPEN event _CLOSE
"""
_EVENT: Final = "start: event\n" + _EVENTS
_SCENARIO: Final = (
    """
start: part (_AND part)* tail*
part: (WHILE _COLON)? chain restriction*
chain: event (RELATION event)+
?restriction: UNLESS event -> unless | BETWEEN event _AND event -> between | AFTER event -> after
    | BEFORE event -> before
!?tail: FROM | EXPECTED
"""
    + _EVENTS
)
_WORDS: Final = {
    "EVENT": "an event",
    "STATE": "",
    "RELATION": "a relation such as `->`",
    "_EITHER": "`|`",
    "_BOTH": "",
    "WHEN": "",
    "WHILE": "",
    "_OPEN": "",
    "_CLOSE": "`)`",
    "_COLON": "`:`",
    "_AND": "`and`",
    "UNLESS": "",
    "BETWEEN": "",
    "AFTER": "",
    "BEFORE": "",
    "BY": "",
    "FROM": "",
    "EXPECTED": "",
}
_SCENARIO_HELP: Final = "write a scenario as in `request -> answer` or `while (on): request -> answer unless reset`"
_EVENT_HELP: Final = "write an event as in `call(open) | rises(door == OPEN)`"


@final
@dataclass(frozen=True, slots=True)
class Said:
    """What an entry says of events, and beside it."""

    parts: tuple[Part, ...]
    ancestry: Ancestry | None
    expected: Verdict | None
    end: int  # where what it says of events ends


def read_event(text: Text, start: int, end: int, known: Known) -> Event | None:
    """The event that some of the characters say; None after problems were noted."""
    tokens = tokens_of(text, start, end, known)
    if any(token.type == STRAY for token in tokens):
        return None
    event: Event | None = _events().parse(text, tokens, end, "the event", _EVENT_HELP)
    return event


def read_parts(text: Text, start: int, end: int, known: Known) -> Said | None:
    """The scenario that some of the characters say; None after problems were noted."""
    tokens = tokens_of(text, start, end, known)
    if any(token.type == STRAY for token in tokens):
        return None
    found = _scenarios().parse(text, tokens, end, "the scenario", _SCENARIO_HELP)
    if found is None:
        return None
    parts, tails = found
    beside: dict[str, Token] = {}
    for token in tails:
        if token.type in beside:
            text.problem_with(token, "this is said twice")
        beside[token.type] = token
    ancestry, expected = beside.get("FROM"), beside.get("EXPECTED")
    before = tails[0].start if tails else end
    return Said(
        parts, None if ancestry is None else ancestry.value, None if expected is None else expected.value, before
    )


# ---- making values


@final
@dataclass(frozen=True, slots=True)
class _State:
    """A condition where an event or the end of a stretch may stand."""

    token: Token
    condition: Condition


def _an_event(found: Event | _State) -> Event:
    if isinstance(found, _State):
        message = f"`{found.token.text}` is a condition, and an event should stand here"
        word = found.token.text.strip("[]")
        raise Misplaced(found.token, message, f"`rises({word})` is the step that makes it true")
    return found


def _endpoint(found: Event | _State) -> Endpoint:
    return found.condition if isinstance(found, _State) else found


def _chain(*found: Any) -> tuple[Link, ...]:
    events = [_an_event(event) for event in found[::2]]
    return tuple(
        Link(events[number], relation.value, events[number + 1]) for number, relation in enumerate(found[1::2])
    )


@final
@dataclass(frozen=True, slots=True)
class _Restriction:
    """What stands behind a chain: an exception or a scope."""

    token: Token
    exception: Event | None = None
    scope: Scope | None = None


@final
@dataclass(frozen=True, slots=True)
class _Part:
    """A chain with what restricts it; `condition` is None where none is said here."""

    condition: Condition | None
    links: tuple[Link, ...]
    exception: Event | None
    scope: Scope | None


def _part(*found: Any) -> _Part:
    condition = found[0].value if isinstance(found[0], Token) else None
    links, *restrictions = found[1:] if condition is not None else found
    exception: Event | None = None
    scope: Scope | None = None
    for restriction in restrictions:
        if restriction.exception is not None:
            if exception is not None:
                raise Misplaced(restriction.token, "there are two exceptions", "join their events: `unless a | b`")
            exception = restriction.exception
        else:
            if scope is not None:
                raise Misplaced(restriction.token, "there are two scopes, and a relation is judged in one")
            scope = restriction.scope
    return _Part(condition, links, exception, scope)


def _scenario(*found: Any) -> tuple[tuple[Part, ...], list[Token]]:
    """A condition is for all parts that follow, up to the next one; `while (true)` is for none."""
    parts: list[Part] = []
    condition: Condition | None = None
    for part in found:
        if isinstance(part, Token):
            continue
        condition = part.condition or condition
        own = None if condition is None or _is_true(condition) else condition
        parts.append(Part(part.links, own, part.exception, part.scope))
    return tuple(parts), [token for token in found if isinstance(token, Token)]


def _is_true(condition: Condition) -> bool:
    return isinstance(condition.predicate, Number) and condition.predicate.value == 1


_MAKING: Final[dict[str, Any]] = {
    "any_of": lambda *events: AnyOf(tuple(map(_an_event, events))),
    "all_of": lambda *events: AllOf(tuple(map(_an_event, events))),
    "when": lambda event, condition: When(_an_event(event), condition.value),
    "event": lambda token: token.value,
    "state": lambda token: _State(token, token.value),
}


@cache
def _events() -> Grammar:
    return Grammar(_EVENT, {**_MAKING, "start": _an_event}, _WORDS)


@cache
def _scenarios() -> Grammar:
    making = {
        **_MAKING,
        "start": _scenario,
        "part": _part,
        "chain": _chain,
        "unless": lambda token, event: _Restriction(token, exception=_an_event(event)),
        "between": lambda token, one, other: _Restriction(token, scope=Between(_endpoint(one), _endpoint(other))),
        "after": lambda token, start: _Restriction(token, scope=After(_endpoint(start))),
        "before": lambda token, end: _Restriction(token, scope=Before(_endpoint(end))),
    }
    return Grammar(_SCENARIO, making, _WORDS)
