"""Whether words are defined by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stateglass.logic.predicates import Applied, Named, Predicate
from stateglass.logic.unrolling import parts_first
from stateglass.scenarios.language import Change, Condition, Event, EventName, Vocabulary, When, events_in


def words_in(meaning: Event | Condition) -> Iterator[str]:
    """The names in a definition or a condition, of whatever they are; once for each time they are used."""
    if isinstance(meaning, Condition):
        yield from names_in(meaning.predicate)
        return
    for event in events_in(meaning):
        match event:
            case EventName():
                yield event.name
            case Change() | When():
                yield from names_in(event.condition.predicate)
            case _:
                pass


def names_in(predicate: Predicate) -> Iterator[str]:
    """The names in a predicate."""
    for part in parts_first(predicate, lambda p: p.operands if isinstance(p, Applied) else ()):
        if isinstance(part, Named):
            yield part.name


def circles(vocabulary: Vocabulary) -> list[tuple[str, ...]]:
    """The words that are defined by themselves: each circle once, in the order of its definitions."""
    definitions: Mapping[str, Event | Condition] = {**vocabulary.events, **vocabulary.conditions}
    uses = {
        name: list(dict.fromkeys(word for word in words_in(meaning) if word in definitions))
        for name, meaning in definitions.items()
    }
    found: list[tuple[str, ...]] = []
    done: set[str] = set()
    for first in definitions:
        way: list[str] = []
        work: list[tuple[str, bool]] = [(first, False)]
        while work:
            name, left = work.pop()
            if left:
                way.pop()
                done.add(name)
            elif name in way:
                found.append(tuple(way[way.index(name) :]))
            elif name not in done:
                way.append(name)
                work.append((name, True))
                work += [(used, False) for used in reversed(uses[name])]
    return found
