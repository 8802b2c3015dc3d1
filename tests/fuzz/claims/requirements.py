"""Requirements in English: written in all their wordings, and what they say of a single run, as the document has it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

from tests.fuzz.claims.worlds import EVENTS, PREDICATES, Positions

Thing = tuple[Any, ...]  # ("atom", text), ("not", thing), ("or", left, right), ("and", left, right)
LOOPS: Final = 8

BEHAVIOURS: Final = {
    "absence": ("{0} never happens", "{0} does not happen", "never {0}"),
    "universality": ("{0} always holds", "{0} holds always", "always {0}"),
    "existence": ("{0} happens", "{0} eventually holds", "{0} holds at least once", "eventually {0}"),
    "at most 1": ("{0} happens at most once", "{0} happens at most 1 times"),
    "at most 2": ("{0} happens at most twice", "{0} happens at most 2 times"),
    "precedence": ("{0} precedes {1}", "{1} is preceded by {0}", "{1} happens only after {0}"),
    "response": ("{1} follows {0}", "{1} responds to {0}", "{0} leads to {1}", "{0} is followed by {1}"),
    "two precede": ("{0}, then {1} precede {2}",),
    "two are preceded": ("{0} precedes {1}, then {2}",),
    "two are answered": ("{2} follows {0}, then {1}",),
    "two answer": ("{1}, then {2} follow {0}",),
}
SCOPES: Final = {
    "globally": ("", "globally"),
    "before": ("before {4}",),
    "after": ("after {3}",),
    "between": ("between {3} and {4}",),
    "after until": ("after {3} until {4}",),
}


def random_thing(chance: random.Random, *, combined: bool = True) -> Thing:
    """An event or a predicate, or some of them; one that is not `combined` has no `and` in it."""
    kind = chance.randrange(10 if combined else 8)
    event, predicate = ("atom", chance.choice(list(EVENTS))), ("atom", chance.choice(PREDICATES))
    if kind < 4:
        return event
    if kind < 7:
        return predicate
    if kind == 7:
        return ("or", event, ("atom", chance.choice(list(EVENTS))))
    return ("and", predicate, event) if kind == 8 else ("not", predicate)


def _thing_text(thing: Thing, chance: random.Random, quoted: bool = True) -> str:
    if thing[0] == "atom":
        text = str(thing[1])
        if text in EVENTS and not text.startswith('"') and (quoted or chance.random() < 0.5):
            return f"`{text}`"
        return text
    if thing[0] == "not":
        return f"not {_thing_text(thing[1], chance)}"
    return f"{_thing_text(thing[1], chance)} {thing[0]} {_thing_text(thing[2], chance)}"


def requirement_text(behaviour: str, scope: str, things: list[Thing], chance: random.Random) -> str:
    texts = [_thing_text(thing, chance) for thing in things]
    said = chance.choice(BEHAVIOURS[behaviour]).format(*texts)
    where = chance.choice(SCOPES[scope]).format(*texts)
    if not where:
        return said
    if chance.random() < 0.5:
        return f"{where[0].upper()}{where[1:]}, {said}"
    return f"{said} {where}"


def is_event(thing: Thing) -> bool:
    return thing[1] in EVENTS if thing[0] == "atom" else any(is_event(part) for part in thing[1:])


class Instants:
    """A single run as instants: the state and the step of each position, through its loop again and again."""

    def __init__(self, run: Positions) -> None:
        order, at = [], run.starts[0]
        while at not in order:
            order.append(at)
            (at,) = run.after[at]
        loop = order[order.index(at) :]
        self._letters = [run.letters[n] for n in order + loop * (LOOPS - 1)]
        self.end = 2 * len(self._letters)
        self.early = self.end - 4 * len(loop)  # what begins later than this is like something earlier

    def at(self, thing: Thing, instant: int) -> bool:
        return instant % 2 == is_event(thing) and self._holds(thing, instant // 2)

    def _holds(self, thing: Thing, position: int) -> bool:
        if thing[0] == "atom":
            return thing[1] in self._letters[position]
        values = [self._holds(part, position) for part in thing[1:]]
        return not values[0] if thing[0] == "not" else any(values) if thing[0] == "or" else all(values)

    def first(self, thing: Thing, start: int, end: int) -> int | None:
        return next((i for i in range(start, end) if self.at(thing, i)), None)

    def every(self, thing: Thing, start: int, end: int) -> list[int]:
        return [i for i in range(start, end) if self.at(thing, i)]

    def keeps(self, behaviour: str, scope: str, things: list[Thing]) -> bool:
        return all(self._kept(behaviour, things, start, end) for start, end in self._parts(scope, things[3], things[4]))

    def _parts(self, scope: str, opening: Thing, closing: Thing) -> Iterator[tuple[int, int]]:
        if scope == "globally":
            yield 0, self.end
        elif scope == "before":
            end = self.first(closing, 0, self.end)
            if end is not None:
                yield 0, end
        elif scope == "after":
            start = self.first(opening, 0, self.end)
            if start is not None:
                yield start, self.end
        else:
            for start in self.every(opening, 0, self.early):
                end = self.first(closing, start, self.end)
                if end is not None and end > start:
                    yield start, end
                elif end is None and scope == "after until":
                    yield start, self.end

    def _kept(self, behaviour: str, things: list[Thing], start: int, end: int) -> bool:
        one, two, three = things[:3]
        asked = min(end, self.early) if end == self.end else end
        match behaviour:
            case "absence":
                return self.first(one, start, end) is None
            case "universality":
                return all(self.at(one, i) for i in range(start, end) if i % 2 == is_event(one))
            case "existence":
                return self.first(one, start, end) is not None
            case "at most 1" | "at most 2":
                found = self.every(one, start, end)
                if not is_event(one):
                    found = [i for i in found if i - 2 not in found]
                return len(found) <= int(behaviour[-1])
            case "precedence":
                effect = self.first(two, start, end)
                return effect is None or self.first(one, start, effect + 1) is not None
            case "response":
                return all(self.first(two, i, end) is not None for i in self.every(one, start, asked))
            case "two precede":
                effect = self.first(three, start, end)
                if effect is None:
                    return True
                return any(j <= effect for i in self.every(one, start, effect) for j in self._after(one, two, i, end))
            case "two are preceded":
                begun = [i for i in self.every(two, start, end) if self._after(two, three, i, end)]
                return all(self.first(one, start, i + 1) is not None for i in begun)
            case "two are answered":
                return all(
                    any(self.first(three, j, end) is not None for j in self._after(one, two, i, end))
                    for i in self.every(one, start, asked)
                    if self._after(one, two, i, end)
                )
            case "two answer":
                return all(
                    any(self._after(two, three, j, end) for j in self.every(two, i, end))
                    for i in self.every(one, start, asked)
                )
            case _:
                raise AssertionError(behaviour)

    def _after(self, one: Thing, two: Thing, at: int, end: int) -> list[int]:
        """When the second comes after the first: after its step, or at once after a predicate."""
        return self.every(two, at + is_event(one), end)
