"""From the columns that a text format gives to a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stateglass.formats.ends import ends
from stateglass.model import Model, Proposition, Sort
from stateglass.model.builder import canonical_columns

MOST_STATES = 100_000_000
"""More states than this are refused when a file claims them; the arrays for them would not fit into memory."""

UNMENTIONED_STATES = 1_000_000
"""States that no transition mentions cost a file nothing, but us memory: so many are believed and no more."""

STATE_NAME = "state"
"""The proposition that keeps the names of states in formats that give them names."""


def is_plausible(states: int, transitions: int) -> bool:
    """Whether a file with so many transitions may claim so many states."""
    return states <= 2 * transitions + UNMENTIONED_STATES


def assemble(
    states: int,
    initial: int,
    columns: tuple[Sequence[int] | npt.NDArray[np.integer[Any]], ...],
    labels: Sequence[str],
    terminal: Iterable[int] = (),
    propositions: tuple[Proposition, ...] = (),
    *,
    ordered: bool = False,
) -> Model:
    """A model from (sources, actions, targets), `ordered` or in any order; marks the normal ends that labels tell."""
    sources, actions, targets = (np.asarray(column, dtype=np.int32) for column in columns)
    if not ordered:
        sources, actions, targets = canonical_columns(sources, actions, targets)
    flags = ends(states, sources, actions, targets, labels)
    for state in terminal:
        flags[state] = True
    return Model(
        states=states,
        initial=initial,
        sources=sources,
        actions=actions,
        targets=targets,
        labels=tuple(labels),
        propositions=propositions,
        terminal=flags if flags.any() else None,
    )


def from_graph(
    names: Sequence[str],
    initial: str,
    edges: Iterable[tuple[str, str, str]],
    terminal: Iterable[str],
    numbered_prefix: str,
) -> tuple[Model, dict[str, int]]:
    """A model of named nodes and (source, label, target) edges, and the number of each name.

    Names that are `numbered_prefix` and the numbers 0 … n - 1 are state numbers; other names are kept
    as a proposition, and states are numbered in the given order, the initial one first.
    """
    plain = {f"{numbered_prefix}{i}": i for i in range(len(names))}
    propositions: tuple[Proposition, ...] = ()
    if plain.keys() == set(names):
        numbers = plain
    else:
        ordered = [initial, *(name for name in names if name != initial)]
        numbers = {name: i for i, name in enumerate(ordered)}
        values = np.arange(len(ordered), dtype=np.int64)
        propositions = (Proposition(STATE_NAME, Sort.ENUM, values, tuple(enumerate(ordered))),)
    labels: dict[str, int] = {}
    rows = [(numbers[s], labels.setdefault(label, len(labels)), numbers[t]) for s, label, t in edges]
    columns = tuple([row[i] for row in rows] for i in range(3))
    ending = [numbers[name] for name in terminal]
    return assemble(len(names), numbers[initial], columns, list(labels), ending, propositions), numbers


def state_names(model: Model) -> list[str] | None:
    """The names that `from_graph` kept, when they tell all states apart."""
    for proposition in model.propositions:
        if proposition.name == STATE_NAME and proposition.sort is Sort.ENUM and proposition.defined is None:
            names = [proposition.text(state) for state in range(model.states)]
            return names if len(set(names)) == model.states else None
    return None
