"""Pairs of an old and a new state that are taken for versions of one state.

Where propositions tell states apart, those that agree are a pair. In models of code they do not while a call runs: what
is being executed is no proposition. So states between calls are paired by their values, and states within calls if,
besides, the same actions lead to them from paired states.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.evolution.matching import Agreement, agreement, combined, in_one_table, join_size, joined, numbered
from stateglass.graphs.adjacency import Indices, distinct, spread, without
from stateglass.model import STABLE, Model
from stateglass.model.model import Flags, Ints

MOST_PAIRS: Final = 2_000_000
"""With more, too little is shared for states to be recognised."""
_NARROW: Final = 24
"""So many pairs are followed faster one by one than with arrays."""


@final
@dataclass(frozen=True, slots=True)
class Refusal:
    """Why two models were not put together; whoever asked goes on without it."""

    reason: str


@final
@dataclass(frozen=True, eq=False)
class Pairing:
    """Pairs of states, ordered by the old one; a state may be in none and in several."""

    old: Model
    new: Model
    agreed: Agreement
    pair_old: Ints
    pair_new: Ints
    by_runs: bool = False  # only states to which the same run leads are pairs

    @cached_property
    def old_counts(self) -> Indices:
        """In how many pairs each old state is."""
        return np.bincount(self.pair_old, minlength=self.old.states)

    @cached_property
    def new_counts(self) -> Indices:
        return np.bincount(self.pair_new, minlength=self.new.states)

    @cached_property
    def labels(self) -> tuple[tuple[str, ...], Ints, Ints]:
        """The labels of both models, and for each side the numbers that its own labels have there."""
        labels, numbers = in_one_table(self.old.labels, self.new.labels)
        return labels, np.arange(len(self.old.labels), dtype=np.int32), numbers


def pairing(old: Model, new: Model, most: int = MOST_PAIRS, *, by_runs: bool = False) -> Pairing | Refusal:
    """The pairs; refused where there would be more than `most`.

    With `by_runs`, states are not recognised by their values alone: the same run has to lead to both.
    """
    agreed = agreement(old, new)
    anchors = _anchors(old, agreed), _anchors(new, agreed)
    if by_runs:
        anchors = np.zeros_like(anchors[0]), np.zeros_like(anchors[1])
    left, right = np.flatnonzero(anchors[0]), np.flatnonzero(anchors[1])
    if join_size(agreed.old[left], agreed.new[right]) > most:
        return _too_many(agreed, most)
    first, second = joined(agreed.old[left], agreed.new[right])
    pairs = left[first] * new.states + right[second]
    if agreed.old[old.initial] == agreed.new[new.initial]:
        pairs = distinct(np.append(pairs, old.initial * new.states + new.initial))
    if not (anchors[0].all() and anchors[1].all()):
        found = _Walk(old, new, agreed).run(pairs, most)
        if found is None:
            return _too_many(agreed, most)
        pairs = found
    sides = (pairs // new.states).astype(np.int32), (pairs % new.states).astype(np.int32)
    return Pairing(old, new, agreed, *sides, by_runs)


def _anchors(model: Model, agreed: Agreement) -> Flags:
    """States that are recognised by their values alone: all, or those between calls where models say which these are.

    Without propositions in common nothing is recognised but the start.
    """
    if not [name for name in agreed.shared if name != STABLE]:
        return np.zeros(model.states, dtype=np.bool_)
    stable = model.proposition(STABLE) if STABLE in agreed.shared else None
    if stable is None:
        return np.ones(model.states, dtype=np.bool_)
    flags: Flags = stable.values != 0
    return flags if stable.defined is None else flags & stable.defined


def _too_many(agreed: Agreement, most: int) -> Refusal:
    shared = ", ".join(f"`{name}`" for name in agreed.shared[:5]) or "nothing"
    more = " and others" if len(agreed.shared) > 5 else ""
    return Refusal(
        f"more than {most:,} pairs of an old and a new state agree in what both models show ({shared}{more}): "
        "the models have too little in common to tell which states are the same"
    )


@final
class _Walk:
    """Follows equal actions from pairs to pairs that agree, breadth-first."""

    def __init__(self, old: Model, new: Model, agreed: Agreement) -> None:
        self._new_states = new.states
        self._first = old.first, new.first
        numbers = in_one_table(old.labels, new.labels)[1].astype(np.int64)
        # What both must have in common: the action and the class of the target, as one number.
        classes = int(max(agreed.old.max(), agreed.new.max())) + 1
        self._tokens = (
            old.actions.astype(np.int64) * classes + agreed.old[old.targets],
            (numbers[new.actions] if len(numbers) else new.actions.astype(np.int64)) * classes
            + agreed.new[new.targets],
        )
        self._targets = old.targets, new.targets

    def run(self, pairs: Indices, most: int) -> Indices | None:
        """All pairs that are reached; None if there are more than `most`."""
        known = set(pairs.tolist()) if len(pairs) <= _NARROW else None
        frontier, reached = pairs, np.sort(pairs)
        while len(frontier):
            if len(frontier) <= _NARROW:
                known = set(reached.tolist()) if known is None else known
                frontier = self._one_by_one(frontier, known, most)
                if len(known) > most:
                    return None
                reached = np.sort(np.fromiter(known, dtype=np.int64, count=len(known)))
                continue
            known = None
            after = self._after(frontier, most)
            if after is None:
                return None
            frontier = without(after, reached)
            reached = distinct(np.concatenate([reached, frontier]))
            if len(reached) > most:
                return None
        return reached

    def _after(self, pairs: Indices, most: int) -> Indices | None:
        sides = pairs // self._new_states, pairs % self._new_states
        columns: list[tuple[Indices, Indices]] = []
        for first, states in zip(self._first, sides, strict=True):
            starts = first[states]
            counts = first[states + 1] - starts
            columns.append((spread(starts, counts), np.repeat(np.arange(len(pairs), dtype=np.int64), counts)))
        keys = _as_numbers(
            [(owner, tokens[edges]) for (edges, owner), tokens in zip(columns, self._tokens, strict=True)]
        )
        if join_size(*(key.astype(np.int32) for key in keys)) > 4 * most:
            return None
        left, right = joined(*keys)
        targets = self._targets[0][columns[0][0][left]], self._targets[1][columns[1][0][right]]
        return distinct(targets[0].astype(np.int64) * self._new_states + targets[1])

    def _one_by_one(self, frontier: Indices, known: set[int], most: int) -> Indices:
        """Goes on while layers are narrow; the layer at which they no longer are, or an empty one."""
        layer = frontier.tolist()
        while 0 < len(layer) <= 4 * _NARROW and len(known) <= most:
            following: list[int] = []
            for pair in layer:
                for after in self._after_one(*divmod(pair, self._new_states)):
                    if after not in known:
                        known.add(after)
                        following.append(after)
            layer = following
        return np.array(layer, dtype=np.int64)

    def _after_one(self, old: int, new: int) -> list[int]:
        (first, second), (tokens, others), (targets, aims) = self._lists
        by_token: dict[int, list[int]] = {}
        for edge in range(second[new], second[new + 1]):
            by_token.setdefault(others[edge], []).append(aims[edge])
        return [
            targets[edge] * self._new_states + aim
            for edge in range(first[old], first[old + 1])
            for aim in by_token.get(tokens[edge], ())
        ]

    @cached_property
    def _lists(self) -> tuple[tuple[list[int], list[int]], ...]:
        columns: tuple[tuple[npt.NDArray[Any], npt.NDArray[Any]], ...] = (self._first, self._tokens, self._targets)
        return tuple((one.tolist(), other.tolist()) for one, other in columns)


def _as_numbers(pairs: list[tuple[Indices, Indices]]) -> list[Indices]:
    """Pairs of numbers on two sides as numbers that are equal if both parts are."""
    sizes = [len(one) for one, _ in pairs]
    owners = numbered(np.concatenate([one for one, _ in pairs]))[1]
    tokens = numbered(np.concatenate([other for _, other in pairs]))[1]
    keys = combined((owners, tokens), sum(sizes)).astype(np.int64)
    return [keys[: sizes[0]], keys[sizes[0] :]]
