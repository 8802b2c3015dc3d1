"""Random models for reductions: seeded ones by the thousand, and Hypothesis's, which shrink."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from stateglass.model import Model, ModelBuilder, Origin, Proposition, Sort

LABELS = ("tau", "a", "b")
Row = tuple[int, str, int]


def model_of(
    rows: Sequence[Row],
    states: int,
    initial: int = 0,
    terminal: Sequence[int] = (),
    unexplored: Sequence[int] = (),
    levels: Sequence[int] = (),
) -> Model:
    builder = ModelBuilder()
    for source, label, target in rows:
        builder.add(source, label, target)
    propositions = [Proposition("level", Sort.INT, np.array(levels, dtype=np.int64))] if levels else []
    partial = ("cut short",) if unexplored else ()
    return builder.build(
        states,
        initial,
        propositions=propositions,
        terminal=terminal,
        unexplored=unexplored,
        origin=Origin(partial=partial),
    )


def random_model(seed: int, most_states: int = 7) -> Model:
    """Mostly silent or mostly visible, sparse or dense, now and then with ends, unexplored states and values."""
    dice = random.Random(seed)
    states = dice.randint(1, most_states)
    labels = dice.choice([("tau", "a"), LABELS, ("tau", "tau", "tau", "a"), ("a", "b")])
    count = dice.randint(0, dice.choice([states, 2 * states, 3 * states]))
    rows = [(dice.randrange(states), dice.choice(labels), dice.randrange(states)) for _ in range(count)]
    marked = dice.random() < 0.3
    return model_of(
        rows,
        states,
        dice.randrange(states),
        [s for s in range(states) if marked and dice.random() < 0.3],
        [s for s in range(states) if marked and dice.random() < 0.2],
        [dice.randrange(2) for _ in range(states)],
    )


@st.composite
def models(draw: st.DrawFn, most_states: int = 6) -> Model:
    states = draw(st.integers(1, most_states))
    numbers = st.integers(0, states - 1)
    rows = draw(st.lists(st.tuples(numbers, st.sampled_from(LABELS), numbers), max_size=3 * states))
    marks = st.lists(numbers, max_size=1)
    levels = draw(st.lists(st.integers(0, 1), min_size=states, max_size=states))
    return model_of(rows, states, draw(numbers), draw(marks), draw(marks), levels)


def union(a: Model, b: Model) -> tuple[Model, int, int]:
    """Both models side by side, and where their initial states are."""
    rows = [*_rows(a, 0), *_rows(b, a.states)]
    marks = [
        [*np.flatnonzero(x).tolist()] if x is not None else []
        for x in (a.terminal, a.unexplored, b.terminal, b.unexplored)
    ]
    levels = [*_levels(a), *_levels(b)]
    whole = model_of(
        rows,
        a.states + b.states,
        a.initial,
        [*marks[0], *(s + a.states for s in marks[2])],
        [*marks[1], *(s + a.states for s in marks[3])],
        levels,
    )
    return whole, a.initial, a.states + b.initial


def _levels(model: Model) -> list[int]:
    return next((p.values.tolist() for p in model.propositions if p.name == "level"), [0] * model.states)


def _rows(model: Model, offset: int) -> list[Row]:
    rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    return [(s + offset, model.labels[a], t + offset) for s, a, t in rows]
