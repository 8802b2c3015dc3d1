"""Random models for the formats, and what it means that two are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from stateglass.formats.ends import ends
from stateglass.model import Assumption, Model, ModelBuilder, Origin, Proposition, Relation, Sort
from stateglass.source import Place, Span, Topic

_PIECES = ["call(f, 3)", "tau", "exit(0)", "error(overflow)", '"', "\\", "\\n", "\n", "\r", "\t", ", ", " ", "#", ";",
           ":", "&amp;", "#35;", "<br/>", "%%", "ü→", "\u2028", "\x85", "\0", "[*]", "-->", "}", "i", "a"]  # fmt: skip
labels = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=4).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6
)
any_texts = st.text(st.characters() | st.sampled_from(" \t\n\r\xa0\x85\u2028\u3000\ufeff\x1b"), max_size=4)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
places = st.builds(Place, words, st.integers(0, 9), st.integers(0, 9))
spans = st.builds(Span, places, places, st.none() | places)
origins = st.builds(
    Origin,
    st.sampled_from(Relation),
    words,
    st.lists(words, max_size=2).map(tuple),
    st.lists(st.tuples(words, words), max_size=2).map(tuple),
    st.lists(st.builds(Assumption, st.sampled_from(Topic), words, words), max_size=2).map(tuple),
    st.lists(words, max_size=2).map(tuple),
    st.lists(words, max_size=2).map(tuple),
)


@st.composite
def plain_models(draw: st.DrawFn) -> Model:
    """Models that have only what every format keeps: transitions, and the ends that labels tell."""
    states = draw(st.integers(1, 6))
    numbers = st.integers(0, states - 1)
    builder = ModelBuilder()
    for source, label, target in draw(st.lists(st.tuples(numbers, labels, numbers), max_size=12)):
        builder.add(source, label, target)
    initial = draw(numbers)
    bare = builder.build(states, initial)
    marked = ends(states, bare.sources, bare.actions, bare.targets, bare.labels)
    return builder.build(states, initial, terminal=np.flatnonzero(marked).tolist())


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Models with everything."""
    states = draw(st.integers(1, 5))
    numbers = st.integers(0, states - 1)
    builder = ModelBuilder()
    for source, label, target in draw(st.lists(st.tuples(numbers, labels, numbers), max_size=8)):
        builder.add(source, label, target, draw(st.none() | spans))
    state_spans = draw(st.none() | st.lists((st.none() | spans).map(builder.span), min_size=states, max_size=states))
    names = draw(st.lists(words.filter(bool), max_size=3, unique=True))
    return builder.build(
        states,
        draw(numbers),
        propositions=[draw(propositions(name, states)) for name in names],
        terminal=draw(st.lists(numbers, max_size=2)),
        unexplored=draw(st.lists(numbers, max_size=2)),
        state_spans=state_spans,
        origin=draw(origins),
    )


@st.composite
def propositions(draw: st.DrawFn, name: str, states: int) -> Proposition:
    sort = draw(st.sampled_from(Sort))
    kind, values = _values(draw, sort)
    defined = draw(st.none() | st.lists(st.booleans(), min_size=states, max_size=states))
    cells = draw(st.lists(values, min_size=states, max_size=states))
    texts = () if sort is Sort.FLOAT else tuple(draw(st.lists(st.tuples(st.integers(-2, 3), words), max_size=3)))
    if defined is not None:
        # The value where there is none has no meaning; text formats give it back as 0.
        cells = [cell if there else 0 for cell, there in zip(cells, defined, strict=True)]
    mask = None if defined is None or all(defined) else np.array(defined, dtype=np.bool_)
    return Proposition(name, sort, np.array(cells, dtype=kind), texts, mask)


def _values(draw: st.DrawFn, sort: Sort) -> tuple[str, st.SearchStrategy[Any]]:
    match sort:
        case Sort.FLOAT:
            return "float64", st.floats()
        case Sort.BOOL:
            return "int64", st.integers(0, 1)
        case _:
            if draw(st.booleans()):
                return "uint64", st.integers(0, 3) | st.integers(0, 2**64 - 1)
            return "int64", st.integers(-2, 3) | st.integers(-(2**63), 2**63 - 1)


def same_array(a: npt.NDArray[Any] | None, b: npt.NDArray[Any] | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.dtype == b.dtype and bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))


def assert_same(a: Model, b: Model) -> None:
    """Equality in everything."""
    assert (a.states, a.initial, a.labels, a.spans, a.origin) == (b.states, b.initial, b.labels, b.spans, b.origin)
    for key in ("sources", "actions", "targets", "terminal", "unexplored", "transition_spans"):
        assert same_array(getattr(a, key), getattr(b, key)), key
    assert _span_list(a) == _span_list(b)
    assert len(a.propositions) == len(b.propositions)
    for p, q in zip(a.propositions, b.propositions, strict=True):
        assert (p.name, p.sort, p.names) == (q.name, q.sort, q.names)
        assert same_array(p.values, q.values)
        assert same_array(p.defined, q.defined)


def assert_same_graph(a: Model, b: Model) -> None:
    """Equality of states, transitions and ends; labels may be numbered differently."""
    assert (a.states, a.initial) == (b.states, b.initial)
    assert edges(a) == edges(b)
    assert _ended(a) == _ended(b)


def edges(model: Model) -> set[tuple[int, str, int]]:
    rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    return {(source, model.labels[action], target) for source, action, target in rows}


def _ended(model: Model) -> list[int]:
    return [] if model.terminal is None else np.flatnonzero(model.terminal).tolist()


def _span_list(model: Model) -> list[Span | None]:
    return [model.span_of_state(state) for state in range(model.states)]
