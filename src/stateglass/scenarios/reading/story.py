"""Reads files of scenarios: definitions of events and conditions, fairness, and what is said with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, final

from stateglass.logic.claims import Fairness
from stateglass.logic.reading.scanning import unescaped
from stateglass.logic.reading.text import Text
from stateglass.scenarios.language import Act, Condition, Event, EventName, Scenario, Story, Vocabulary
from stateglass.scenarios.reading.definitions import circles, sizes_and_depths
from stateglass.scenarios.reading.entries import Entry, entries, without_comments
from stateglass.scenarios.reading.grammar import read_event, read_parts
from stateglass.scenarios.reading.lexing import RESERVED, Known, condition_at
from stateglass.source import Code, Span, shown

GIVEN: Final = "<scenario>"
"""What stands for a file where a scenario is in none."""
MOST_CHARACTERS: Final = 10_000_000
MOST_PARTS: Final = 10_000
MOST_DEFINITIONS: Final = 100
NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[\d+\])*")
_DEFINITION: Final = re.compile(r"(event|condition)\s+(?![-<~&|:])([^\s=]+)\s*(=(?!=))?\s*")
_FAIR: Final = re.compile(r"(?:(strongly|weakly)\s+)?fair\s+(?=[^\s<&|:-]|->)(?!->)")
_SCENARIO: Final = re.compile(r'scenario\s+(?:"((?:\\.|[^"\\])*)"|([\w.-]+))\s*:(?!:)\s*|scenario\s*:\s*')
_NAMED: Final = re.compile(r"([\w.-]+)\s*:(?!:)")
_UNNAMED: Final = re.compile(r"scenario(?=\s)")


def read_story(text: str, file: str = GIVEN, known: Vocabulary | None = None) -> Story:
    """What a file says; everything that is wrong with it is said at once. `known` are words from elsewhere."""
    source = Text(without_comments(text), file, code=Code.SCENARIO)
    if len(text) > MOST_CHARACTERS:
        source.problem(f"scenarios have at most {MOST_CHARACTERS:,} characters", 0, 1)
        source.check()
    story = _Reading(source, known or Vocabulary()).story()
    source.check()
    return story


def read_scenario(text: str, vocabulary: Vocabulary, fairness: Sequence[Fairness] = ()) -> Scenario:
    """A scenario as a command line has it, with the words of a vocabulary."""
    source = Text(text, GIVEN, code=Code.SCENARIO)
    reading = _Reading(source, vocabulary)
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    scenario = reading.scenario(Entry(start, max(start, end)), tuple(fairness))
    source.check()
    assert scenario is not None
    return scenario


@final
class _Reading:
    """A text whose names are found first: a word may be used before it is defined."""

    def __init__(self, text: Text, known: Vocabulary) -> None:
        self._text = text
        self._known = known
        self._entries = list(entries(text))
        self._names: dict[str, tuple[str, Span]] = {}
        for entry in self._entries:
            match = _DEFINITION.match(text.text, entry.start, entry.end)
            if match is not None:
                self._names.setdefault(match[2], (match[1], text.span(*match.span(2))))
        events = [*known.events, *(name for name, (kind, _) in self._names.items() if kind == "event")]
        conditions = [*known.conditions, *(name for name, (kind, _) in self._names.items() if kind == "condition")]
        self._words = Known(frozenset(events), frozenset(conditions))

    def story(self) -> Story:
        events: dict[str, Event] = dict(self._known.events)
        conditions: dict[str, Condition] = dict(self._known.conditions)
        spans: dict[str, Span] = dict(self._known.spans)
        fair: list[Entry] = []
        scenarios: list[Entry] = []
        for entry in self._entries:
            if match := _DEFINITION.match(self._text.text, entry.start, entry.end):
                self._define(match, entry, events, conditions, spans)
            elif _FAIR.match(self._text.text, entry.start, entry.end):
                fair.append(entry)
            else:
                scenarios.append(entry)
        vocabulary = Vocabulary(events, conditions, spans)
        self._check_definitions(vocabulary)
        fairness = tuple(f for entry in fair if (f := self._fairness(entry, vocabulary)) is not None)
        read = [self.scenario(entry, fairness) for entry in scenarios]
        found = tuple(scenario for scenario in read if scenario is not None)
        self._check_names(found)
        return Story(vocabulary, found, fairness)

    def _define(
        self,
        match: re.Match[str],
        entry: Entry,
        events: dict[str, Event],
        conditions: dict[str, Condition],
        spans: dict[str, Span],
    ) -> None:
        kind, name = match[1], match[2]
        at = match.span(2)
        if not NAME.fullmatch(name):
            self._text.problem(f"{shown(name)} is no name", *at, "a name has letters, digits, `_` and dots")
        elif name in RESERVED:
            self._text.problem(f"`{name}` has a meaning of its own, and cannot be the name of an {kind}", *at)
        elif name in spans or name in events or name in conditions:
            where = f"it is defined at {spans[name]}, too" if name in spans else ""
            self._text.problem(f"`{name}` is defined twice", *at, where)
        else:
            spans[name] = self._text.span(*at)
        if match[3] is None:
            help = f"write `{kind} {name} = …`"
            self._text.problem(f"the definition of {shown(name)} has no equals sign", *at, help)
        elif match.end() >= entry.end:
            self._text.problem(f"the definition of {shown(name)} is empty", *at, "write it behind the equals sign")
        elif kind == "event":
            event = read_event(self._text, match.end(), entry.end, self._words)
            if event is not None:
                events.setdefault(name, event)
        else:
            conditions.setdefault(name, condition_at(self._text, match.end(), entry.end))

    def _check_definitions(self, vocabulary: Vocabulary) -> None:
        found = circles(vocabulary)
        for name, (size, depth) in ({} if found else sizes_and_depths(vocabulary)).items():
            if size > MOST_PARTS:
                self._text.problem_at(vocabulary.spans[name], f"`{name}` has more than {MOST_PARTS:,} parts in the end")
                return
            if depth > MOST_DEFINITIONS:
                message = f"`{name}` is defined through more than {MOST_DEFINITIONS} other words"
                self._text.problem_at(vocabulary.spans[name], message)
                return
        for circle in found:
            way = " -> ".join((*circle, circle[0]))
            help = f"the circle is {way}" if len(circle) > 1 else ""
            self._text.problem_at(vocabulary.spans[circle[0]], f"`{circle[0]}` is defined by itself", help)

    def _fairness(self, entry: Entry, vocabulary: Vocabulary) -> Fairness | None:
        match = _FAIR.match(self._text.text, entry.start, entry.end)
        assert match is not None
        event = read_event(self._text, match.end(), entry.end, self._words)
        seen: set[str] = set()
        while isinstance(event, EventName) and event.name not in seen:
            seen.add(event.name)
            event = vocabulary.events.get(event.name)
        if event is None:
            return None
        if not isinstance(event, Act):
            help = "write a line `fair …` for each of its actions"
            self._text.problem("fairness is about an action of the model", match.end(), entry.end, help)
            return None
        return Fairness(event.pattern, match[1] == "strongly", self._text.span(match.end(), entry.end))

    def scenario(self, entry: Entry, fairness: tuple[Fairness, ...]) -> Scenario | None:
        text = self._text
        start, name = entry.start, ""
        if match := _SCENARIO.match(text.text, start, entry.end):
            start = match.end()
            name = match[2] or unescaped(match[1] or "", '"')
        elif unnamed := _UNNAMED.match(text.text, start, entry.end):
            help = "write `scenario NAME: request -> answer`, or leave the word out"
            text.problem("`scenario` stands before a name and a colon", *unnamed.span(), help)
            return None
        elif (named := _NAMED.match(text.text, start, entry.end)) and named[1] != "while":
            message = f"{shown(named[1])} stands before a colon"
            text.problem(message, *named.span(1), f"write `scenario {named[1]}: …` if it is the name of a scenario")
            return None
        if start >= entry.end:
            text.problem("a scenario is empty", entry.start, entry.end + 1, "write one as in `request -> answer`")
            return None
        said = read_parts(text, start, entry.end, self._words)
        if said is None:
            return None
        lines = text.text[start : said.end].split("\n")
        written = " ".join(line.strip() for line in lines if line.strip())
        whole = text.span(start, entry.end)
        return Scenario(written, said.parts, name, fairness, said.ancestry, said.expected, whole)

    def _check_names(self, scenarios: Sequence[Scenario]) -> None:
        first: dict[str, Scenario] = {}
        for scenario in scenarios:
            if scenario.name and scenario.name in first:
                help = f"the first is at {first[scenario.name].span}"
                self._text.problem_at(scenario.span, f"there are two scenarios `{scenario.name}`", help)
            first.setdefault(scenario.name, scenario)
