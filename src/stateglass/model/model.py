"""The model: what Stateglass extracts, reduces, compares, checks and draws."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, unique
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.source import Assumption, Span

Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

TAU = "tau"
"""The label of a silent step."""
STABLE = "stable"
"""The proposition that is true between calls."""


@final
@unique
class Relation(Enum):
    """What a model is to the code it came from."""

    EXACT = "exact"  # the same behaviour, under the bounds and assumptions that the origin lists
    OVER = "over"  # all of the code's behaviour and perhaps more: an abstraction
    UNDER = "under"  # some of the code's behaviour: exploration was cut short


@final
@unique
class Sort(Enum):
    """How the integers of a proposition are to be read."""

    BOOL = "bool"
    INT = "int"
    ENUM = "enum"
    FLOAT = "float"
    POINTER = "pointer"


NO_RUN: Final = "no run counts: each of them comes to an assumption that does not hold, or to an error that is left out"
"""Of a partial model with nothing but its initial state: there is nothing that could be claimed of its runs."""
NO_RUN_YET: Final = (
    "no run is known to count: each of those that were found may still come to an assumption that does not hold"
)
"""The same where not all was explored: there may be runs that count."""


@final
@dataclass(frozen=True, slots=True)
class Origin:
    """Where a model came from and how far it can be trusted; it travels with the model."""

    relation: Relation = Relation.EXACT
    subject: str = ""
    files: tuple[str, ...] = ()
    bounds: tuple[tuple[str, str], ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    partial: tuple[str, ...] = ()  # why parts of the behaviour are missing; empty: nothing is
    history: tuple[str, ...] = ()  # what was done to the model since it was extracted


@final
@dataclass(frozen=True)
class Proposition:
    """A named value that every state has: a column of the table of valuations.

    Enumerators and named addresses are in `names`; a state where the value does not exist
    (never written, variable out of scope) has `defined` False.
    """

    name: str
    sort: Sort
    values: npt.NDArray[Any]  # int64, uint64 or float64, one per state
    names: tuple[tuple[int, str], ...] = ()
    defined: Flags | None = None

    def __post_init__(self) -> None:
        assert self.values.ndim == 1
        assert self.defined is None or self.defined.shape == self.values.shape
        _freeze(self.values, self.defined)

    @cached_property
    def _name_of(self) -> dict[int, str]:
        return dict(self.names)

    def text(self, state: int) -> str:
        """The value in `state` as the canonical text of actions has it."""
        if self.defined is not None and not self.defined[state]:
            return "?"
        value = self.values[state]
        if self.sort is Sort.FLOAT:
            return repr(float(value))
        number = int(value)
        if number in self._name_of:
            return self._name_of[number]
        if self.sort is Sort.BOOL:
            return "true" if number else "false"
        return str(number)


@final
@dataclass(frozen=True)
class Model:
    """A labelled Kripke structure.

    States are numbered from 0 in discovery order. Transition `i` goes from `sources[i]` with
    `labels[actions[i]]` to `targets[i]`; transitions are sorted by (source, action, target) and unique.
    `terminal` marks states in which the program has ended, `unexplored` those whose transitions were not all found
    (the model is partial then): neither are deadlocks.
    """

    states: int
    initial: int
    sources: Ints
    actions: Ints  # numbers of labels: an action is what a label says
    targets: Ints
    labels: tuple[str, ...]
    propositions: tuple[Proposition, ...] = ()
    terminal: Flags | None = None
    unexplored: Flags | None = None
    spans: tuple[Span, ...] = ()
    state_spans: Ints | None = None  # per state an index into `spans`, -1 for none
    transition_spans: Ints | None = None  # the same per transition
    origin: Origin = field(default_factory=Origin)

    def __post_init__(self) -> None:
        m = len(self.sources)
        assert self.states > 0 and 0 <= self.initial < self.states
        assert len(self.actions) == m and len(self.targets) == m
        for array in (self.sources, self.actions, self.targets):
            assert array.dtype == np.int32
        if m:
            assert 0 <= self.sources.min() and self.sources.max() < self.states
            assert 0 <= self.targets.min() and self.targets.max() < self.states
            assert 0 <= self.actions.min() and self.actions.max() < len(self.labels)
        assert len(set(self.labels)) == len(self.labels)
        assert all(len(p.values) == self.states for p in self.propositions)
        assert self.terminal is None or len(self.terminal) == self.states
        assert self.unexplored is None or len(self.unexplored) == self.states
        assert self.state_spans is None or len(self.state_spans) == self.states
        assert self.transition_spans is None or len(self.transition_spans) == m
        _freeze(self.sources, self.actions, self.targets)
        _freeze(self.terminal, self.unexplored, self.state_spans, self.transition_spans)

    @property
    def transitions(self) -> int:
        return len(self.sources)

    @property
    def partial(self) -> bool:
        return bool(self.origin.partial)

    @cached_property
    def first(self) -> npt.NDArray[np.int64]:
        """Transitions of state s are those numbered first[s] … first[s + 1] - 1."""
        # Sources are sorted. Counting them would take a copy of them in 64 bits.
        first = np.zeros(self.states + 1, dtype=np.int64)
        ends = np.append(np.flatnonzero(self.sources[1:] != self.sources[:-1]), self.transitions - 1)
        if self.transitions:
            first[self.sources[ends] + 1] = np.diff(ends, prepend=-1)
        return np.cumsum(first)

    @cached_property
    def deadlocks(self) -> Ints:
        """States without a transition that are neither ends nor unexplored."""
        stuck = np.diff(self.first) == 0
        for excused in (self.terminal, self.unexplored):
            if excused is not None:
                stuck &= ~excused
        return np.flatnonzero(stuck).astype(np.int32)

    @property
    def is_deterministic(self) -> bool:
        """Whether no state has two targets for one label; as transitions are sorted, they would stand side by side."""
        same = (self.sources[1:] == self.sources[:-1]) & (self.actions[1:] == self.actions[:-1])
        return not bool(same.any())

    def label_counts(self) -> dict[str, int]:
        """How many transitions carry each label, in label order."""
        counts = np.bincount(self.actions, minlength=len(self.labels))
        return {label: int(counts[i]) for i, label in enumerate(self.labels)}

    def proposition(self, name: str) -> Proposition | None:
        """The proposition of this name, if there is one."""
        return next((own for own in self.propositions if own.name == name), None)

    def valuation(self, state: int) -> dict[str, str]:
        """The propositions of a state as text, by name."""
        return {p.name: p.text(state) for p in self.propositions}

    def is_terminal(self, state: int) -> bool:
        return self.terminal is not None and bool(self.terminal[state])

    def is_unexplored(self, state: int) -> bool:
        return self.unexplored is not None and bool(self.unexplored[state])

    def span_of_state(self, state: int) -> Span | None:
        if self.state_spans is None or self.state_spans[state] < 0:
            return None
        return self.spans[int(self.state_spans[state])]

    def span_of_transition(self, transition: int) -> Span | None:
        if self.transition_spans is None or self.transition_spans[transition] < 0:
            return None
        return self.spans[int(self.transition_spans[transition])]


def _freeze(*arrays: npt.NDArray[Any] | None) -> None:
    for array in arrays:
        if array is not None:
            array.flags.writeable = False
