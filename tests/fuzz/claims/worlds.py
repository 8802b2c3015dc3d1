"""Small random models as files, the atoms that claims on them are made of, and what `check` answers."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, final

from tests.cli.running import stateglass

TAU: Final = "tau"
LABELS: Final = ("a", "b", "call(f, 1)", "call(f, 2)", TAU)
NEW: Final = "new(3)"
VALUES: Final = (0, 1, 2, None)

Valuation = tuple[int | None, int | None]  # of x and y
Letter = frozenset[str]  # the atoms that are true at a position


@final
@dataclass(frozen=True)
class World:
    """States with values of x and y, steps, which states are ends, and which were not explored."""

    values: tuple[Valuation, ...]
    steps: tuple[tuple[int, str, int], ...]
    ends: frozenset[int] = frozenset()
    unexplored: frozenset[int] = frozenset()
    relation: str = "exact"
    start: int = 0

    def text(self) -> str:
        """The model as a file. All labels occur, if only out of reach, so that every name is known."""
        extra = len(self.values)
        states: list[dict[str, Any]] = []
        for number, (x, y) in enumerate((*self.values, (0, 0))):
            state: dict[str, Any] = {"values": {"x": x, "y": y}}
            if number in self.ends:
                state["terminal"] = True
            if number in self.unexplored:
                state["unexplored"] = True
            states.append(state)
        steps = sorted({*self.steps, *((extra, label, extra) for label in LABELS)})
        labels = list(dict.fromkeys([*LABELS, *(label for _, label, _ in steps)]))
        relation = "under" if self.unexplored and self.relation == "exact" else self.relation
        columns: list[dict[str, Any]] = [
            {"name": name, "sort": "int", "type": "int64", "names": []} for name in ("x", "y")
        ]
        return json.dumps(
            {
                "format": "stateglass-model",
                "version": 1,
                "origin": {
                    "relation": relation,
                    "subject": "",
                    "files": [],
                    "bounds": [],
                    "assumptions": [],
                    "partial": ["it was cut short"] if self.unexplored else [],
                    "history": [],
                },
                "initial": self.start,
                "labels": labels,
                "propositions": columns,
                "spans": [],
                "states": states,
                "transitions": [{"source": s, "label": a, "target": t} for s, a, t in steps],
            }
        )


def random_world(chance: random.Random, states: int = 4, *, partial: bool = False) -> World:
    count = chance.randint(1, states)
    values = tuple((chance.choice(VALUES), chance.choice(VALUES[:3])) for _ in range(count))
    steps = {
        (chance.randrange(count), chance.choice(LABELS), chance.randrange(count))
        for _ in range(chance.randint(0, 2 * count))
    }
    busy = {s for s, _, _ in steps}
    ends = frozenset(s for s in range(count) if s not in busy and chance.random() < 0.5)
    unexplored = frozenset(s for s in range(count) if partial and s not in ends and chance.random() < 0.3)
    return World(values, tuple(sorted(steps)), ends, unexplored, start=chance.randrange(count))


def completed(chance: random.Random, world: World) -> World:
    """A whole model that a partial one may be a part of."""
    more = chance.randint(0, 2)
    values = (*world.values, *((chance.choice(VALUES), chance.choice(VALUES[:3])) for _ in range(more)))
    steps = set(world.steps)
    for state in [*world.unexplored, *range(len(world.values), len(values))]:
        for _ in range(chance.randint(0, 2)):
            steps.add((state, chance.choice((*LABELS, NEW)), chance.randrange(len(values))))
    return replace(world, values=values, steps=tuple(sorted(steps)), unexplored=frozenset())


# ---- atoms, as claims have them: each is its text

_COMPARED: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "[x == 1]": lambda x, y: x == 1,
    "[y != 0]": lambda x, y: y != 0,
    "[x > y]": lambda x, y: x > y,
    "[!(x == 1)]": lambda x, y: x != 1,
    "[x + y == 2 || x * y == 2]": lambda x, y: x + y == 2 or x * y == 2,
}
EVENTS: Final = {
    "a": {"a"},
    "b": {"b"},
    "call": {"call(f, 1)", "call(f, 2)"},
    "call(f, 1)": {"call(f, 1)"},
    "call(f, *)": {"call(f, 1)", "call(f, 2)"},
    "tau": {TAU},
    '"re:[ab]"': {"a", "b"},
}
PREDICATES: Final = tuple(_COMPARED)
ATOMS: Final = (*PREDICATES, *EVENTS)


def predicates_of(valuation: Valuation) -> Letter:
    """The predicates that hold; one without a value does not."""
    x, y = valuation
    found = set()
    for text, test in _COMPARED.items():
        if ("x" in text and x is None) or ("y" in text and y is None):
            continue
        if test(x, y):
            found.add(text)
    return frozenset(found)


def events_of(label: str | None) -> Letter:
    return frozenset(text for text, labels in EVENTS.items() if label in labels)


# ---- positions: a state and the step that leaves it


@final
@dataclass(frozen=True)
class Positions:
    """A graph of positions with the atoms that are true there; where nothing follows, a run stays for ever."""

    letters: tuple[Letter, ...]
    after: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]
    able: tuple[Letter, ...]  # the events that could happen
    states: tuple[int, ...]  # of the world; -1 where it is not known


def positions_of(world: World, *, chaos: bool = False, atoms: Iterable[str] = ATOMS) -> Positions:
    """All positions of a world, told apart by these atoms.

    With `chaos`, a state that was not explored can do anything; else it goes nowhere.
    """
    kept = frozenset(atoms)
    here: dict[int, list[tuple[str | None, int]]] = {s: [] for s in range(len(world.values))}
    for s, label, t in world.steps:
        here[s].append((label, t))
    values = list(world.values)
    if chaos and world.unexplored:
        # One of each kind that the atoms tell apart.
        labels = {events_of(label) & kept: label for label in (*LABELS, NEW)}.values()
        more = {predicates_of(v) & kept: v for v in itertools.product(VALUES, VALUES)}.values()
        anything = range(len(values), len(values) + len(more))
        values += more
        for state in anything:
            here[state] = [(label, t) for label in labels for t in anything]
        for state in world.unexplored:
            here[state] += [(label, t) for label in labels for t in anything]
        for state in (*anything, *world.unexplored):
            here[state].append((None, state))
    for state in range(len(world.values)):
        if not here[state] and state not in world.unexplored:
            here[state] = [(None, state)]
    order = [(s, label, t) for s in here for label, t in here[s]]
    first: dict[int, list[int]] = {s: [] for s in here}
    for number, (s, _, _) in enumerate(order):
        first[s].append(number)
    letters = tuple((predicates_of(values[s]) | events_of(label)) & kept for s, label, _ in order)
    # A run that has ended goes on at its own position.
    after = tuple((n,) if label is None else tuple(first[t]) for n, (_, label, t) in enumerate(order))
    able = tuple(frozenset().union(*(events_of(label) for label, _ in here[s])) for s, _, _ in order)
    known = len(world.values)
    return Positions(
        letters, after, tuple(first[world.start]), able, tuple(s if s < known else -1 for s, _, _ in order)
    )


# ---- answers


def answers(world: World, claims: Sequence[str], folder: Path, *options: str) -> list[dict[str, Any]]:
    """What `stateglass check` says of each claim."""
    (folder / "model.json").write_text(world.text(), encoding="utf-8")
    (folder / "all.claims").write_text("".join(f"c{n} = {c}\n" for n, c in enumerate(claims)), encoding="utf-8")
    ran = stateglass(
        "check", str(folder / "model.json"), "--claims", str(folder / "all.claims"), "--format", "json", *options
    )
    assert ran.status in (0, 1, 3), (ran.status, ran.err, ran.out)
    found: list[dict[str, Any]] = json.loads(ran.out)["verdicts"]
    assert len(found) == len(claims)
    return found


def walked(world: World, evidence: dict[str, Any]) -> World | None:
    """A run that is shown as a world of its own; None if it is none of the world."""
    at, values, steps = world.start, [world.values[world.start]], []
    for number, step in enumerate(evidence["steps"]):
        if (at, step["action"], step["state"]) not in world.steps:
            return None
        at = step["state"]
        values.append(world.values[at])
        steps.append((number, step["action"], number + 1))
    last = len(steps)
    if evidence["loop_start"] is not None:
        back = evidence["loop_start"]
        states = [world.start, *(step["state"] for step in evidence["steps"])]
        if not 0 <= back < last or states[back] != at:
            return None
        steps[-1] = (last - 1, steps[-1][1], back)
        return World(tuple(values[:-1]), tuple(steps))
    if evidence["ends"]:
        if at in world.unexplored or any(s == at for s, _, _ in world.steps):
            return None
        return World(tuple(values), tuple(steps))
    return World(tuple(values), tuple(steps), unexplored=frozenset({last}))
