"""Random labelled models of two versions, small enough for answers by brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st

from stateglass.model import Model, ModelBuilder, Proposition, Sort

Valuation = tuple[tuple[str, str], ...]
Transition = tuple[Valuation, str, Valuation]

LABELS = ("a", "b", "call(f, 1)")
DOMAINS: dict[str, tuple[str, ...]] = {
    "on": ("false", "true"),
    "count": ("0", "1", "-3"),
    "mode": ("IDLE", "RUN"),
    "extra": ("?", "7"),
}


def column(name: str, texts: list[str], shift: int = 0) -> Proposition:
    """A proposition with these values; enumerators have other numbers with another shift."""
    if name == "mode":
        numbers = {text: number + shift for number, text in enumerate(DOMAINS[name])}
        names = tuple((number, text) for text, number in numbers.items())
        return Proposition(name, Sort.ENUM, np.array([numbers[t] for t in texts], dtype=np.int64), names)
    if name == "on":
        return Proposition(name, Sort.BOOL, np.array([t == "true" for t in texts], dtype=np.int64))
    values = np.array([0 if t == "?" else int(t) for t in texts], dtype=np.int64)
    defined = np.array([t != "?" for t in texts], dtype=np.bool_)
    return Proposition(name, Sort.INT, values, defined=None if defined.all() else defined)


@st.composite
def models(draw: st.DrawFn, names: tuple[str, ...], *, distinct: bool = True, shift: int = 0) -> Model:
    """A model over these variables, whose states differ in their values if `distinct`."""
    everything = list(product(*(DOMAINS[name] for name in names)))
    chosen = draw(st.lists(st.sampled_from(everything), min_size=1, max_size=6, unique=distinct))
    states = st.integers(0, len(chosen) - 1)
    builder = ModelBuilder()
    for source, label, target in draw(st.lists(st.tuples(states, st.sampled_from(LABELS), states), max_size=12)):
        builder.add(source, label, target)
    ended = draw(st.sets(states, max_size=1))
    columns = [column(name, [v[n] for v in chosen], shift) for n, name in enumerate(names)]
    return builder.build(len(chosen), draw(states), propositions=columns, terminal=ended)


@st.composite
def versions(draw: st.DrawFn, *, distinct: bool = True) -> tuple[Model, Model]:
    """Two models; variables may be added, deleted, renamed and numbered anew in between."""
    some = st.lists(st.sampled_from(tuple(DOMAINS)), min_size=1, unique=True).map(tuple)
    old, new = draw(some), draw(some)
    return draw(models(old, distinct=distinct)), draw(models(new, distinct=distinct, shift=draw(st.integers(0, 3))))


def valuation(model: Model, state: int) -> Valuation:
    return tuple(sorted(model.valuation(state).items()))


def canonical(model: Model) -> tuple[Valuation, frozenset[Valuation], frozenset[Transition], frozenset[Valuation]]:
    """What is the same for isomorphic models whose states differ in their values."""
    values = [valuation(model, state) for state in range(model.states)]
    assert len(set(values)) == len(values)
    steps = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    return (
        values[model.initial],
        frozenset(values),
        frozenset((values[s], model.labels[a], values[t]) for s, a, t in steps),
        frozenset(values[s] for s in range(model.states) if model.is_terminal(s)),
    )


def rows(model: Model) -> set[tuple[int, str, int]]:
    """The transitions by number of state."""
    steps = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    return {(s, model.labels[a], t) for s, a, t in steps}
