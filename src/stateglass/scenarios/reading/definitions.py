"""What definitions are made of: the words in them, how large they get, whether they go in circles."""

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
    for part in _parts(predicate):
        if isinstance(part, Named):
            yield part.name


def _parts(predicate: Predicate) -> list[Predicate]:
    return parts_first(predicate, lambda p: p.operands if isinstance(p, Applied) else ())


def sizes_and_depths(vocabulary: Vocabulary) -> dict[str, tuple[int, int]]:
    """Of how many parts each word is made in the end, and through how many definitions; there are no circles."""
    definitions: Mapping[str, Event | Condition] = {**vocabulary.events, **vocabulary.conditions}
    found: dict[str, tuple[int, int]] = {}
    for first in definitions:
        work = [first]
        while work:
            name = work[-1]
            used = [word for word in words_in(definitions[name]) if word in definitions]
            missing = [word for word in used if word not in found]
            if missing and name not in found:
                work += missing
                continue
            work.pop()
            inner = [found[word] for word in used]
            size = _size(definitions[name]) + sum(size for size, _ in inner)
            found[name] = size, 1 + max((depth for _, depth in inner), default=0)
    return found


def _size(meaning: Event | Condition) -> int:
    if isinstance(meaning, Condition):
        return len(_parts(meaning.predicate))
    return sum(_size(e.condition) if isinstance(e, Change | When) else 1 for e in events_in(meaning))


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
