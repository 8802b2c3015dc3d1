"""Strategies as text: `avoid-events={landing3, call(open)}, fewest-changes, shortest`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from stateglass.logic.predicates import Named
from stateglass.logic.reading.scanning import closing
from stateglass.logic.reading.text import Text
from stateglass.scenarios.language import Vocabulary
from stateglass.scenarios.reading.grammar import read_event
from stateglass.scenarios.reading.lexing import Known, condition_at
from stateglass.scenarios.witnesses.strategies import (
    Aim,
    Conditions,
    Custom,
    Events,
    NewSteps,
    NewVariables,
    OldWitness,
    Sense,
    Shortest,
    States,
    Strategy,
    Variables,
    Visited,
)
from stateglass.source import Code, shown, suggestion

GIVEN: Final = "<strategy>"
"""What stands for a file in the places of what is wrong."""
MOST_CHARACTERS: Final = 100_000
MOST_STATE: Final = (1 << 31) - 1
_GREEDY: Final = re.compile(r"\s*greedy\s*:")
_CUSTOM: Final = re.compile(r"(.+\.py):([^\W\d]\w*)", re.DOTALL)
_NAMED: Final = re.compile(r"([^\s={}]+)\s*(=)?\s*", re.DOTALL)
_RANGE: Final = re.compile(r"(\d{1,10})(?:\s*\.\.\s*(\d{1,10}))?")
_VARIABLE: Final = re.compile(r"`([^`]+)`|([\w.:*?$\[\]@>-]+)")

_Span = tuple[int, int]
_Making = Callable[[Text, Sense, list[_Span], Known], Aim | None]


def read_strategy(text: str, vocabulary: Vocabulary | None = None, *, greedy: bool = False) -> Strategy:
    """The strategy that a text says; everything that is wrong with it is said at once."""
    words = vocabulary or Vocabulary()
    known = Known(frozenset(words.events), frozenset(words.conditions))
    source = Text(text, GIVEN, code=Code.USAGE)
    if len(text) > MOST_CHARACTERS:
        source.problem(f"a strategy has at most {MOST_CHARACTERS:,} characters", 0, 1)
        source.check()
    prefix = _GREEDY.match(text)
    start = prefix.end() if prefix is not None else 0
    aims: list[Aim] = []
    texts: list[str] = []
    items = list(_items(source, start, len(text)))
    source.check()
    for first, last in items:
        if first >= last:
            source.problem("an aim is missing", first, first + 1, _HELP)
            continue
        aim = _aim(source, first, last, known)
        if aim is not None:
            aims.append(aim)
            texts.append(text[first:last])
    source.check()
    return Strategy(tuple(aims), tuple(texts), greedy or prefix is not None)


def _items(text: Text, start: int, end: int) -> Iterator[_Span]:
    """What stands between commas, without the blanks around it; commas in brackets or quotes are none."""
    position = begin = start
    while position <= end:
        sign = text.text[position] if position < end else ","
        if sign == ",":
            first, last = begin, position
            while first < last and text.text[first].isspace():
                first += 1
            while first < last and text.text[last - 1].isspace():
                last -= 1
            yield first, last
            begin = position = position + 1
            continue
        after: int | None = position + 1
        if sign in "([{":
            after = _closing(text.text, position, end)
        elif sign in "\"'`":
            found = text.text.find(sign, position + 1, end)
            after = None if found < 0 else found + 1
        if after is None:
            text.problem(f"the closing sign for {shown(sign)} is missing", position, position + 1)
            after = position + 1
        position = after


def _closing(text: str, start: int, end: int) -> int | None:
    """Where a bracket is closed; braces are no brackets of the notations inside."""
    if text[start] != "{":
        return closing(text, start, end)
    position = start + 1
    while position < end and text[position] != "}":
        inner = closing(text, position, end) if text[position] in "([" else None
        position = position + 1 if inner is None else inner
    return position + 1 if position < end else None


def _aim(text: Text, start: int, end: int, known: Known) -> Aim | None:
    custom = _CUSTOM.fullmatch(text.text, start, end)
    if custom is not None:
        return Custom(custom[1], custom[2], text.span(start, end))
    named = _NAMED.match(text.text, start, end)
    name = "" if named is None else named[1]
    if named is None or name not in _AIMS:
        text.problem(f"there is no strategy {shown(name)}", start, start + max(len(name), 1), suggestion(name, _AIMS))
        return None
    sense, making, needs = _AIMS[name]
    items: list[_Span] = []
    if named[2] is not None:
        first, last = named.end(), end
        if text.text[first:last].startswith("{") and _closing(text.text, first, last) == last:
            first, last = first + 1, last - 1
        items = list(_items(text, first, last))
        if any(a >= b for a, b in items):
            text.problem(f"what `{name}` is about is missing", start, end, f"write `{name}={{a, b}}`")
            return None
    elif named.end() < end:
        text.problem(f"only `=` may follow `{name}`", named.end(), end, _HELP)
        return None
    if items and not needs:
        text.problem(f"`{name}` is about nothing in particular", start, end, f"write `{name}` alone")
        return None
    if not items and needs and sense is not Sense.FEWEST:
        text.problem(f"what `{name}` is about is missing", start, end, f"write `{name}=…`, or `{name}={{…, …}}`")
        return None
    return making(text, sense, items, known)


def _states(text: Text, sense: Sense, items: list[_Span], known: Known) -> Aim | None:
    found: list[range] = []
    for start, end in items:
        match = _RANGE.fullmatch(text.text, start, end)
        first = -1 if match is None else int(match[1])
        last = first if match is None or match[2] is None else int(match[2])
        if not 0 <= first <= last <= MOST_STATE:
            help = "a state has a number, such as `3`; several are `3..7`"
            text.problem(f"{shown(text.text[start:end])} is no state", start, end, help)
            return None
        found.append(range(first, last + 1))
    return States(sense, tuple(found), text.span(items[0][0], items[-1][1]))


def _conditions(text: Text, sense: Sense, items: list[_Span], known: Known) -> Aim | None:
    found = tuple(condition_at(text, *_unbracketed(text, start, end)) for start, end in items)
    for condition in found:
        if condition.is_hole:
            text.problem_at(condition.span, "`?` is no condition")
    return Conditions(sense, found)


def _unbracketed(text: Text, start: int, end: int) -> _Span:
    if text.text[start] == "[" and closing(text.text, start, end) == end:
        return start + 1, end - 1
    return start, end


def _events(text: Text, sense: Sense, items: list[_Span], known: Known) -> Aim | None:
    events = [read_event(text, start, end, known) for start, end in items]
    found = tuple(event for event in events if event is not None)
    return Events(sense, found, text.span(0, len(text.text))) if len(found) == len(events) else None


def _variables(text: Text, sense: Sense, items: list[_Span], known: Known) -> Aim | None:
    found: list[Named] = []
    for start, end in items:
        match = _VARIABLE.fullmatch(text.text, start, end)
        if match is None:
            help = "name a proposition, or several by a pattern: `E1.*`"
            text.problem(f"{shown(text.text[start:end])} is no name of a value", start, end, help)
            return None
        found.append(Named(match[1] or match[2], text.span(start, end)))
    return Variables(sense, tuple(found))


def _alone(kind: Callable[[Sense], Aim]) -> _Making:
    return lambda text, sense, items, known: kind(sense)


_HELP: Final = "write aims with commas between them, such as `avoid-events={open, close}, shortest`"
_AIMS: Final[dict[str, tuple[Sense, _Making, bool]]] = {
    "shortest": (Sense.FEWEST, _alone(lambda sense: Shortest()), False),
    "avoid-visited": (Sense.AVOID, _alone(Visited), False),
    "prefer-visited": (Sense.PREFER, _alone(Visited), False),
    "avoid-states": (Sense.AVOID, _states, True),
    "prefer-states": (Sense.PREFER, _states, True),
    "avoid-conditions": (Sense.AVOID, _conditions, True),
    "prefer-conditions": (Sense.PREFER, _conditions, True),
    "avoid-events": (Sense.AVOID, _events, True),
    "prefer-events": (Sense.PREFER, _events, True),
    "fewest-events": (Sense.FEWEST, _events, True),
    "avoid-vars": (Sense.AVOID, _variables, True),
    "prefer-vars": (Sense.PREFER, _variables, True),
    "fewest-changes": (Sense.FEWEST, _variables, True),
    "avoid-new-transitions": (Sense.AVOID, _alone(NewSteps), False),
    "prefer-new-transitions": (Sense.PREFER, _alone(NewSteps), False),
    "avoid-new-variable-events": (Sense.AVOID, _alone(NewVariables), False),
    "prefer-new-variable-events": (Sense.PREFER, _alone(NewVariables), False),
    "fewest-new-variable-events": (Sense.FEWEST, _alone(NewVariables), False),
    "reuse-old-witness": (Sense.PREFER, _alone(lambda sense: OldWitness()), False),
}
NAMES: Final = tuple(_AIMS)
"""What strategies may be made of, beside functions of somebody's own."""
