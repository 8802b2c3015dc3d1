"""Small random models on which relations are tried, close to each other so that they are often nearly related."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np

from stateglass.model import Model, ModelBuilder, Origin, Proposition, Sort

Rows = list[tuple[int, str, int]]


def random_rows(chance: random.Random, states: int) -> Rows:
    labels = chance.choice([["a"], ["a", "tau"], ["a", "b", "tau"], ["tau", "tau", "a"]])
    number = chance.randint(0, states * 2)
    rows = [(chance.randrange(states), chance.choice(labels), chance.randrange(states)) for _ in range(number)]
    if chance.random() < 0.5:  # a spine, so that most states are reached
        rows += [(s, chance.choice(labels), s + 1) for s in range(states - 1)]
    return rows


def built(
    rows: Rows,
    states: int,
    *,
    ends: Iterable[int] = (),
    unexplored: Iterable[int] = (),
    values: list[int] | None = None,
) -> Model:
    builder = ModelBuilder()
    for row in rows:
        builder.add(*row)
    columns = [] if values is None else [Proposition("p", Sort.INT, np.array(values, dtype=np.int64))]
    open_states = list(unexplored)
    origin = Origin(partial=("cut",)) if open_states else Origin()
    return builder.build(states, propositions=columns, terminal=ends, unexplored=open_states, origin=origin)


def random_pair(chance: random.Random, *, ends: bool = False, values: bool = False) -> tuple[Model, Model]:
    """Two models; the second is often the first with a change that need not matter."""
    states = chance.randint(1, 5)
    rows = random_rows(chance, states)
    others, more = list(rows), states
    kind = chance.randrange(5)
    if kind == 0:
        more = chance.randint(1, 5)
        others = random_rows(chance, more)
    if kind in (1, 2):  # a state is doubled
        twin = chance.randrange(states)
        others += [(states, label, t) for s, label, t in rows if s == twin]
        others = [(s, label, states if t == twin and chance.random() < 0.5 else t) for s, label, t in others]
        more = states + 1
    if kind in (2, 3):  # a silent step is put before something
        others += [(chance.randrange(more), "tau", chance.randrange(more))]
    if kind == 4 and others:
        others.pop(chance.randrange(len(others)))
    looks = [chance.randrange(2) for _ in range(max(states, more))]
    ended = [s for s in range(max(states, more)) if ends and chance.random() < 0.3]
    return tuple(  # type: ignore[return-value]
        built(r, n, ends=[s for s in ended if s < n], values=looks[:n] if values else None)
        for r, n in ((rows, states), (others, more))
    )
