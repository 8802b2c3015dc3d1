"""Random teams: models of threads and processes that meet in events, and runs of what they do together."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from stateglass.evidence import Path, Step
from stateglass.model import TAU, Model, ModelBuilder, Proposition, Sort
from stateglass.relate.operators import with_labels
from stateglass.system.threads import Thread, Threads
from stateglass.unbounded.threads.alphabets import Alphabet
from stateglass.unbounded.threads.composing import composed
from stateglass.unbounded.threads.joining import Interest
from stateglass.unbounded.threads.parts import Part, Team
from stateglass.work import silent

EVENTS = ("a", "b", "c", "d")


def random_team(chance: random.Random) -> Team:
    threads, parts, alphabets = [], [], []
    for number in range(chance.choice((3, 4, 4, 5))):
        known = chance.sample(EVENTS, chance.randint(1, 3))
        is_code = number == 0 or chance.random() < 0.7
        threads.append(Thread(f"t{number}", f"t{number}"))
        parts.append(_part(chance, number, known, is_code=is_code))
        alphabets.append(Alphabet(frozenset(known)))
    return Team(Threads(tuple(threads), EVENTS), tuple(parts), tuple(alphabets))


def _part(chance: random.Random, number: int, known: list[str], *, is_code: bool) -> Part:
    builder = ModelBuilder()
    states = chance.randint(2, 5)
    end, failed = states, states + 1
    for state in range(states):
        for _ in range(chance.choice((0, 1, 1, 2, 2, 3))):
            builder.add(state, chance.choice((TAU, TAU, *known, *known)), chance.randrange(states))
        if is_code and chance.random() < 0.15:
            builder.add(state, chance.choice((TAU, known[0])), end)
        if chance.random() < 0.1:
            builder.add(state, "error(assertion)" if is_code else "error(process)", failed)
    value = np.array([chance.randrange(2) for _ in range(states + 2)], dtype=np.int64)
    unexplored = [state for state in range(states) if chance.random() < 0.05]
    terminal = [end, failed] if is_code else [failed]
    columns = [Proposition("x", Sort.INT, value)]
    model = builder.build(states + 2, terminal=terminal, propositions=columns, unexplored=unexplored)
    over = np.arange(states + 2) == failed
    return Part(number, model, is_code, over)


def random_interest(chance: random.Random) -> Interest:
    labels = frozenset(chance.sample((*EVENTS, "error(assertion)", "error(process)"), chance.randint(0, 3)))
    values = frozenset(chance.sample([f"t{number}.x" for number in range(5)], chance.randint(0, 1)))
    return Interest(labels.__contains__, values.__contains__)


def at_once(team: Team, interest: Interest) -> Model:
    """All that a team does, with the rest of it silent."""
    model = composed(team, 1_000_000, {}, silent).model
    kept = tuple(p for p in model.propositions if interest.value(p.name))
    labels = [label if interest.label(label) else TAU for label in model.labels]
    return replace(with_labels(model, labels), propositions=kept)


def random_path(chance: random.Random, model: Model) -> Path:
    """A run to where nothing follows, or that comes back to a state."""
    state, steps, seen = model.initial, list[Step](), {model.initial: 0}
    while True:
        leaving = range(int(model.first[state]), int(model.first[state + 1]))
        if not leaving:
            return Path(model.initial, tuple(steps), ends=True)
        taken = chance.choice(leaving)
        target = int(model.targets[taken])
        steps.append(Step(state, target, model.labels[model.actions[taken]]))
        if target in seen:
            return Path(model.initial, tuple(steps), seen[target])
        state = target
        seen[state] = len(steps)
