"""Kripke structures with differences: an old and a new model as one, in which each step is kept, new or gone.

A state is an old and a new state that are versions of one another, or one that has no other version. A step is
preserved (p) if both models have it, imposed (i) if only the new one has it, deleted (d) if only the old one has it. A
variable that was deleted stays one of the old variables; new steps do not depend on it. The tool Sawblade has these
structures.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, unique
from functools import cached_property
from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.evolution.matching import coded, in_one_table
from stateglass.evolution.pairing import MOST_PAIRS, Pairing, Refusal, pairing
from stateglass.graphs.adjacency import Indices, distinct, spread
from stateglass.model import Model, Proposition, Sort
from stateglass.model.model import Flags, Ints

MOST_STEPS: Final = 8_000_000


@final
@unique
class Kind(IntEnum):
    """What became of a step; pairs of states that no step of either model joins are never listed."""

    PRESERVED = 0
    IMPOSED = 1
    DELETED = 2

    @property
    def letter(self) -> str:
        return "pid"[self]


@final
@dataclass(frozen=True)
class Side:
    """What belongs to one version: the version's own number of each state, -1 where it has none, and its marks."""

    states: Ints
    initial: int
    terminal: Flags | None = None
    unexplored: Flags | None = None

    @property
    def present(self) -> Flags:
        return self.states >= 0


@final
@dataclass(frozen=True)
class Structure:
    """A Kripke structure with differences. Steps are sorted by (source, action, target) and unique.

    States with the same old number were one state before the change, those with the same new number are one now.
    `old_variables` are those of the old model, whether the new one still has them or not; `deleted` are the names of
    those that it has not. `new_variables` are those that were added.
    """

    old: Side
    new: Side
    sources: Ints
    actions: Ints
    targets: Ints
    kinds: npt.NDArray[np.int8]
    labels: tuple[str, ...]
    old_variables: tuple[Proposition, ...]
    new_variables: tuple[Proposition, ...]
    deleted: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        assert len(self.old.states) == len(self.new.states)
        assert (self.old.present | self.new.present).all()
        assert self.old.states[self.old.initial] >= 0 and self.new.states[self.new.initial] >= 0
        assert len(self.sources) == len(self.actions) == len(self.targets) == len(self.kinds)

    @property
    def states(self) -> int:
        return len(self.old.states)

    @property
    def steps(self) -> int:
        return len(self.sources)

    @cached_property
    def first(self) -> Indices:
        """Steps of state s are those numbered first[s] … first[s + 1] - 1."""
        return np.searchsorted(self.sources, np.arange(self.states + 1)).astype(np.int64)

    def counts(self) -> dict[Kind, int]:
        """How many steps there are of each kind."""
        found = np.bincount(self.kinds, minlength=len(Kind))
        return {kind: int(found[kind]) for kind in Kind}


def structure(old: Model, new: Model, most: int = MOST_PAIRS) -> Structure | Refusal:
    """Both models as one; refused where they have so little in common that nearly all states would be pairs."""
    pairs = pairing(old, new, most)
    return pairs if isinstance(pairs, Refusal) else put_together(pairs)


def put_together(pairs: Pairing, most: int = MOST_STEPS) -> Structure | Refusal:
    """The structure of a pairing: its pairs, then old states without a new one, then new ones without an old one."""
    old, new = pairs.old, pairs.new
    alone_old, alone_new = np.flatnonzero(pairs.old_counts == 0), np.flatnonzero(pairs.new_counts == 0)
    old_states = np.concatenate([pairs.pair_old, alone_old, np.full(len(alone_new), -1)]).astype(np.int32)
    new_states = np.concatenate([pairs.pair_new, np.full(len(alone_old), -1), alone_new]).astype(np.int32)
    labels, old_numbers, new_numbers = pairs.labels
    sides = (_Lifted(old, old_states, old_numbers), _Lifted(new, new_states, new_numbers))
    if sum(side.size for side in sides) > most:
        return Refusal(
            f"one state has so many versions that there would be more than {most} pairs of them with a step between"
        )
    keys = _Keys(len(old_states), len(labels))
    before, after = (distinct(keys.of(*side.steps())) for side in sides)
    merged = distinct(np.concatenate([before, after]))
    is_old, is_new = (np.zeros(len(merged), dtype=np.bool_) for _ in range(2))
    is_old[np.searchsorted(merged, before)] = True
    is_new[np.searchsorted(merged, after)] = True
    sources, actions, targets = keys.parts(merged)
    return Structure(
        _side(old, old_states, _initial(old_states, new_states, old.initial, new.initial)),
        _side(new, new_states, _initial(new_states, old_states, new.initial, old.initial)),
        sources,
        actions,
        targets,
        np.where(is_old, np.where(is_new, Kind.PRESERVED, Kind.DELETED), Kind.IMPOSED).astype(np.int8),
        labels,
        _old_variables(pairs, old_states, new_states),
        tuple(_at(p, new_states) for p in new.propositions if p.name in pairs.agreed.added),
        pairs.agreed.deleted,
    )


def _initial(own: Ints, other: Ints, start: int, other_start: int) -> int:
    """The state that stands for where a model starts, if possible one that stands for the other's start, too."""
    both = np.flatnonzero((own == start) & (other == other_start))
    return int(both[0]) if len(both) else int(np.flatnonzero(own == start)[0])


@final
class _Lifted:
    """The steps of one model between all states of the structure that stand for its states."""

    def __init__(self, model: Model, states: Ints, numbers: Ints) -> None:
        self._model, self._numbers = model, numbers
        present = np.flatnonzero(states >= 0)
        self._order = present[np.argsort(states[present], kind="stable")]
        self._counts = np.bincount(states[present], minlength=model.states)
        self._starts = np.cumsum(self._counts) - self._counts
        self.size = int(self._counts[model.sources] @ self._counts[model.targets])

    def steps(self) -> tuple[Indices, Indices, Indices]:
        """Sources, actions and targets."""
        model, counts, starts = self._model, self._counts, self._starts
        from_counts, to_counts = counts[model.sources], counts[model.targets]
        edges = np.repeat(np.arange(model.transitions, dtype=np.int64), from_counts)
        sources = self._order[spread(starts[model.sources], from_counts)]
        wide = to_counts[edges]
        targets = self._order[spread(starts[model.targets[edges]], wide)]
        actions = self._numbers[model.actions[edges]] if model.transitions else edges
        return np.repeat(sources, wide), np.repeat(actions, wide).astype(np.int64), targets


@final
class _Keys:
    """Steps as single numbers, in the order of (source, action, target)."""

    def __init__(self, states: int, labels: int) -> None:
        self._states, self._labels = states, max(labels, 1)
        assert states * self._labels * states < 1 << 63

    def of(self, sources: Indices, actions: Indices, targets: Indices) -> Indices:
        return (sources.astype(np.int64) * self._labels + actions) * self._states + targets

    def parts(self, keys: Indices) -> tuple[Ints, Ints, Ints]:
        rest, targets = np.divmod(keys, self._states)
        sources, actions = np.divmod(rest, self._labels)
        return sources.astype(np.int32), actions.astype(np.int32), targets.astype(np.int32)


def _side(model: Model, states: Ints, initial: int) -> Side:
    return Side(states, initial, _marks(model.terminal, states), _marks(model.unexplored, states))


def _marks(flags: Flags | None, states: Ints) -> Flags | None:
    if flags is None:
        return None
    marks: Flags = (states >= 0) & flags[states]
    return marks


def _old_variables(pairs: Pairing, old_states: Ints, new_states: Ints) -> tuple[Proposition, ...]:
    after = {p.name: p for p in pairs.new.propositions}
    return tuple(
        _shared(p, after[p.name], old_states, new_states) if p.name in after else _at(p, old_states)
        for p in pairs.old.propositions
    )


def _at(proposition: Proposition, states: Ints) -> Proposition:
    """A column for the states of the structure; without a value where one has no state of this version."""
    present = states >= 0
    defined = present if proposition.defined is None else present & proposition.defined[states]
    values = np.where(present, proposition.values[states], proposition.values.dtype.type(0))
    return Proposition(
        proposition.name, proposition.sort, values, proposition.names, None if defined.all() else defined
    )


def _shared(old: Proposition, new: Proposition, old_states: Ints, new_states: Ints) -> Proposition:
    """A column of both: from the old state where there is one, else from the new one."""
    if (old.sort, old.names, old.values.dtype) == (new.sort, new.names, new.values.dtype):
        before, after = _at(old, old_states), _at(new, new_states)
        use = old_states >= 0
        values = np.where(use, before.values, after.values)
        everywhere = np.ones(len(use), dtype=np.bool_)
        defined: Flags = np.where(
            use,
            everywhere if before.defined is None else before.defined,
            everywhere if after.defined is None else after.defined,
        )
        return Proposition(old.name, old.sort, values, old.names, None if defined.all() else defined)
    # Enumerators may have other numbers now: values go by their texts.
    left, right = coded(old), coded(new)
    texts, numbers = in_one_table(left.texts, right.texts)
    codes = np.where(old_states >= 0, left.codes[old_states], numbers[right.codes[new_states]])
    undefined = texts.index("?") if "?" in texts else -1
    names = tuple((number, text) for number, text in enumerate(texts) if text != "?")
    return Proposition(
        old.name,
        Sort.ENUM,
        codes.astype(np.int64),
        names,
        None if undefined < 0 or not (codes == undefined).any() else codes != undefined,
    )
