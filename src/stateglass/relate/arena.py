"""Two models side by side as one graph, made as small as the question allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.graphs.adjacency import Adjacency, Indices, spread
from stateglass.model import TAU, Model, Proposition, Sort
from stateglass.model.builder import canonical_columns
from stateglass.model.model import Flags, Ints
from stateglass.reduce import Equivalence, partition
from stateglass.source import Code, input_error, suggestion
from stateglass.work import Progress

_WEAKER: Final = frozenset({Equivalence.BRANCHING, Equivalence.WEAK})


@final
@dataclass(frozen=True)
class Arena:
    """Both models as one graph in which the states `left` and `right` are to be compared.

    The colour of a state is a number for what is seen of the state itself: whether the program has ended, and the
    propositions that are kept. `open_states` may have more transitions than are known; their colours are known.
    """

    states: int
    left: int
    right: int
    sources: Ints
    actions: Ints
    targets: Ints
    labels: tuple[str, ...]
    ended: Flags
    open_states: Flags
    colours: Ints
    kept: tuple[Proposition, ...]

    @property
    def tau(self) -> int:
        """The number of the silent label, -1 if there is none."""
        return self.labels.index(TAU) if TAU in self.labels else -1

    @property
    def silently(self) -> int:
        """A number beyond those of the labels, for weak steps: any number of silent steps, or none."""
        return len(self.labels)

    @property
    def divergence(self) -> int:
        """Another one: silent steps to a state that is on a silent cycle."""
        return len(self.labels) + 1

    @cached_property
    def silent(self) -> Flags:
        """Transitions that nobody notices; a `tau` that changes what is seen of the state is noticed."""
        quiet = self.actions == self.tau
        flags: Flags = quiet & (self.colours[self.sources] == self.colours[self.targets])
        return flags

    @cached_property
    def first(self) -> Indices:
        return np.searchsorted(self.sources, np.arange(self.states + 1)).astype(np.int64)

    @cached_property
    def colour_count(self) -> int:
        """How many colours there are."""
        return int(self.colours.max()) + 1

    def edges(self, states: Indices) -> Indices:
        """The numbers of the transitions of these states."""
        starts = self.first[states]
        return spread(starts, self.first[states + 1] - starts)

    def steps(self, state: int) -> list[tuple[int, int]]:
        """The transitions of one state as pairs of label and target."""
        chosen = slice(int(self.first[state]), int(self.first[state + 1]))
        return list(zip(self.actions[chosen].tolist(), self.targets[chosen].tolist(), strict=True))


def side_by_side(a: Model, b: Model, keep: Sequence[str] = ()) -> tuple[Arena, Model]:
    """The disjoint union of two models, as an arena and as a model; both must have the propositions to keep."""
    table = {label: number for number, label in enumerate(a.labels)}
    numbers = np.array([table.setdefault(label, len(table)) for label in b.labels], dtype=np.int32)
    actions = numbers[b.actions] if len(numbers) else b.actions
    columns = canonical_columns(b.sources, actions, b.targets)
    kept = tuple(_joined(name, a, b) for name in keep)
    states = a.states + b.states
    union = Model(
        states=states,
        initial=a.initial,
        sources=np.concatenate([a.sources, columns[0] + np.int32(a.states)]),
        actions=np.concatenate([a.actions, columns[1]]),
        targets=np.concatenate([a.targets, columns[2] + np.int32(a.states)]),
        labels=tuple(table),
        propositions=kept,
        terminal=np.concatenate([_flags(a.terminal, a.states), _flags(b.terminal, b.states)]),
        unexplored=np.concatenate([_open(a), _open(b)]),
    )
    assert union.terminal is not None and union.unexplored is not None
    arena = Arena(
        states,
        a.initial,
        a.states + b.initial,
        union.sources,
        union.actions,
        union.targets,
        union.labels,
        union.terminal,
        union.unexplored,
        _colours(union.terminal, kept),
        kept,
    )
    return arena, union


def quotient(arena: Arena, union: Model, by: Equivalence, progress: Progress) -> Arena | None:
    """The arena with equivalent states made one; None if that answers the question: the two states are equivalent.

    Equivalent states have the same colour, and both are open or none is.
    """
    classes = partition(union, by, tuple(p.name for p in arena.kept), progress=progress)
    if classes[arena.left] == classes[arena.right] and not arena.open_states.any():
        return None
    count = int(classes.max()) + 1
    firsts = np.zeros(count, dtype=np.int64)
    firsts[classes[::-1]] = np.arange(arena.states - 1, -1, -1)
    chosen = np.ones(len(arena.sources), dtype=np.bool_)
    if by is not Equivalence.STRONG:
        within = arena.silent & (classes[arena.sources] == classes[arena.targets])
        chosen = ~within if by in _WEAKER else ~within | _diverging(arena, classes, within)[arena.sources]
    sources, actions, targets = (
        classes[arena.sources[chosen]],
        arena.actions[chosen],
        classes[arena.targets[chosen]],
    )
    sources, actions, targets = canonical_columns(sources, actions, targets)
    return Arena(
        count,
        int(classes[arena.left]),
        int(classes[arena.right]),
        sources,
        actions,
        targets,
        arena.labels,
        arena.ended[firsts],
        arena.open_states[firsts],
        arena.colours[firsts],
        tuple(
            Proposition(p.name, p.sort, p.values[firsts], p.names, None if p.defined is None else p.defined[firsts])
            for p in arena.kept
        ),
    )


def _diverging(arena: Arena, classes: Ints, within: Flags) -> Flags:
    """The states of classes in which silent steps can go on for ever without leaving the class."""
    into = Adjacency.of(arena.targets[within], arena.sources[within], arena.states)
    nowhere = np.zeros(arena.states, dtype=np.bool_)
    endless = into.endless(~nowhere, nowhere)
    diverging = np.zeros(int(classes.max()) + 1, dtype=np.bool_)
    diverging[classes[endless]] = True
    result: Flags = diverging[classes]
    return result


def _flags(flags: Flags | None, states: int) -> Flags:
    return np.zeros(states, dtype=np.bool_) if flags is None else flags


def _open(model: Model) -> Flags:
    """The states that may have more transitions than are known: all of a partial model that does not say which.

    Never those in which the program has ended: nothing follows there.
    """
    flags: Flags = np.full(model.states, model.partial, dtype=np.bool_)
    if model.unexplored is not None and model.unexplored.any():
        flags = model.unexplored
    return flags & ~_flags(model.terminal, model.states)


def _joined(name: str, a: Model, b: Model) -> Proposition:
    """A proposition of both models as one column; two values are the same if their texts are."""
    numbers: dict[str, int] = {}
    columns = [_coded(name, model, which, numbers) for model, which in ((a, "first"), (b, "second"))]
    names = tuple((number, text) for text, number in numbers.items())
    return Proposition(name, Sort.INT, np.concatenate(columns), names)


def _coded(name: str, model: Model, which: str, numbers: dict[str, int]) -> npt.NDArray[np.int64]:
    found = [p for p in model.propositions if p.name == name]
    if not found:
        help = suggestion(name, [p.name for p in model.propositions]) or "it has no propositions"
        raise input_error(Code.UNKNOWN_NAME, f"the {which} model has no proposition `{name}`", help=help)
    # As bits: 0.0 and -0.0 are equal, but not as text.
    number = np.unique(found[0].values.view(np.int64), return_inverse=True)[1]
    if found[0].defined is not None:
        number = np.where(found[0].defined, number, -1)
    _, firsts, inverse = np.unique(number, return_index=True, return_inverse=True)
    codes = [numbers.setdefault(found[0].text(int(first)), len(numbers)) for first in firsts]
    return np.array(codes, dtype=np.int64)[inverse]


def _colours(ended: Flags, kept: Sequence[Proposition]) -> Ints:
    colours = ended.astype(np.int64)
    for proposition in kept:
        combined = colours * (int(proposition.values.max(initial=0)) + 1) + proposition.values
        colours = np.unique(combined, return_inverse=True)[1].astype(np.int64)
    return colours.astype(np.int32)
