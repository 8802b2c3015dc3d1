"""What a monitor must answer, by looking at one state after the other; and random models to ask about."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from stateglass.model import Model, ModelBuilder, Origin
from stateglass.replay import Alphabet, Dictionary, LogVerdict, Match, Monitor, Outcome, PlainReader

LABELS = ("a", "b", "call(f, 1)", "tau")


def random_model(chance: random.Random, *, partial: bool = False, most_states: int = 6) -> Model:
    states = chance.randint(1, most_states)
    builder = ModelBuilder()
    for _ in range(chance.randint(0, states * 3)):
        builder.add(chance.randrange(states), chance.choice(LABELS), chance.randrange(states))
    ends = [s for s in range(states) if chance.random() < 0.2]
    unexplored = [s for s in range(states) if partial and s not in ends and chance.random() < 0.2]
    origin = Origin(partial=("cut",)) if unexplored else Origin()
    return builder.build(states, chance.randrange(states), terminal=ends, unexplored=unexplored, origin=origin)


def random_walk(chance: random.Random, model: Model, steps: int) -> tuple[list[str], int]:
    """The visible actions on a path, and the state where it ends."""
    state, word = model.initial, []
    for _ in range(steps):
        low, high = int(model.first[state]), int(model.first[state + 1])
        if low == high:
            break
        transition = chance.randrange(low, high)
        label = model.labels[model.actions[transition]]
        word += [label] if label != "tau" else []
        state = int(model.targets[transition])
    return word, state


def naive(model: Model, word: Sequence[str], *, complete: bool) -> tuple[LogVerdict, int | None]:
    """The verdict, and the line: a walk over sets of states that follows the definition and remembers nothing."""
    rows = list(zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True))
    now = _silently(rows, model, {model.initial})
    seen_open = False
    for number, label in enumerate(word, 1):
        seen_open = seen_open or any(model.is_unexplored(s) for s in now)
        now = _silently(rows, model, {t for s, a, t in rows if s in now and model.labels[a] == label})
        if not now:
            return (LogVerdict.OPEN if seen_open else LogVerdict.LEFT), number
    seen_open = seen_open or any(model.is_unexplored(s) for s in now)
    stuck = set(model.deadlocks.tolist())
    if complete and not any(model.is_terminal(s) or s in stuck for s in now):
        return (LogVerdict.OPEN if seen_open else LogVerdict.LEFT), len(word) or None
    return (LogVerdict.ACCEPTED if word or complete else LogVerdict.EMPTY), None


def _silently(rows: list[tuple[int, int, int]], model: Model, states: set[int]) -> set[int]:
    while True:
        more = states | {t for s, a, t in rows if s in states and model.labels[a] == "tau"}
        if more == states:
            return states
        states = more


def followed(
    model: Model,
    lines: Iterable[str],
    *,
    match: Match = Match.TEXT,
    complete: bool = False,
    ignore_unknown: bool = False,
    most_bytes: int = 1 << 20,
) -> Outcome:
    dictionary = Dictionary(Alphabet(model.labels), match, complete=complete)
    monitor = Monitor(model, dictionary, ignore_unknown=ignore_unknown, complete=complete, most_bytes=most_bytes)
    return monitor.run(PlainReader(), iter(list(enumerate(lines, 1))))
