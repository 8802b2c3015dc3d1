"""The letters that a formula reads: positions of a model that no atom of the formula tells apart are one letter.

A position is a state and the label of the step that leaves it; the end of a run is a step without a label, and a step
that was not explored one of which nothing is known. Each atom is true, false or undecided in a letter (the values of an
abstraction may leave it open), and so is whether an event that must get its turn can happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, assert_never, final

import numpy as np
import numpy.typing as npt

from stateglass.check.ltl.limits import LETTERS, TooLargeError
from stateglass.check.ltl.propositions import Both, Done, Propositions, Seen
from stateglass.check.truth import Truth
from stateglass.logic.claims import Fairness
from stateglass.logic.predicates import Predicate
from stateglass.model import Model, Relation
from stateglass.model.model import Flags, Ints

Bytes = npt.NDArray[np.uint8]


@final
@dataclass(frozen=True, slots=True)
class Meaning:
    """What the atoms of formulas mean on a model: predicates for each state, patterns for each label."""

    predicate: Callable[[Predicate], Truth]
    pattern: Callable[[str], Truth]
    open: Flags  # states whose steps may not all be known


@final
@dataclass(frozen=True)
class Alphabet:
    """The letter of a state and a label is `grid[state_class, label_class]`, -1 where there is no such position.

    The last two columns of the grid are those of the end of a run and of an unknown step. The letter `anything`
    stands for positions in states that are not known either; it is -1 if the model is complete. Truth is 0, 1
    (undecided) or 2 for each letter.
    """

    state_class: Ints
    label_class: Ints
    grid: Ints
    letters: int
    anything: int
    atoms: dict[int, Bytes]
    enabled: tuple[Bytes, ...]
    happens: tuple[Bytes, ...]

    @property
    def undecided(self) -> bool:
        """Whether something is undecided in a position that was explored."""
        known = np.unique(self.grid[:, :-1])
        known = known[known >= 0]
        rows = [*self.atoms.values(), *self.enabled, *self.happens]
        return any(bool((row[known] == 1).any()) for row in rows)


def alphabet_of(
    atoms: Iterable[int], said: Propositions, fairness: Sequence[Fairness], model: Model, meaning: Meaning
) -> Alphabet:
    """The letters that some atoms, by their nodes, and events that must get their turn need; linear in the model."""
    roots = sorted(set(atoms))
    nodes = _inside(roots, said)
    patterns = {fair.pattern: _values(meaning.pattern(fair.pattern)) for fair in fairness}
    seen: dict[int, Bytes] = {}
    done: dict[int, Bytes] = {}
    for number in nodes:
        match said.nodes[number]:
            case Seen(predicate):
                seen[number] = _values(meaning.predicate(predicate))
            case Done(pattern):
                done[number] = _values(meaning.pattern(pattern))
            case Both() | None:
                pass
            case _ as other:
                assert_never(other)
    can = [_can_happen(patterns[fair.pattern], model, meaning.open) for fair in fairness]
    state_class, a_state = _folded([*seen.values(), *can], model.states)
    label_class, a_label = _folded([*done.values(), *patterns.values()], len(model.labels))
    columns = len(a_label) + 2
    if len(a_state) * columns > LETTERS:
        raise TooLargeError(f"its atoms tell more than {LETTERS:,} kinds of positions apart")
    cells = _occurring(model, meaning.open, state_class, label_class, len(a_state), columns)
    at_state, at_label = np.divmod(cells, columns)

    def in_states(row: Bytes) -> Bytes:
        return row[a_state][at_state]

    def in_labels(row: Bytes) -> Bytes:
        # At the end of a run nothing happens; an unknown step may be anything.
        return np.append(row[a_label], np.array([0, 1], dtype=np.uint8))[at_label]

    truth = _evaluated(
        nodes, roots, said, {n: in_states(r) for n, r in seen.items()} | {n: in_labels(r) for n, r in done.items()}
    )
    enabled = [in_states(row) for row in can]
    happens = [in_labels(patterns[fair.pattern]) for fair in fairness]
    letter, a_cell = _folded([*truth.values(), *enabled, *happens], len(cells))
    grid = np.full(len(a_state) * columns, -1, dtype=np.int32)
    grid[cells] = letter
    known = len(a_cell)
    anything = known if meaning.open.any() else -1

    def in_letters(row: Bytes) -> Bytes:
        return np.append(row[a_cell], np.ones(1, dtype=np.uint8)) if anything >= 0 else row[a_cell]

    return Alphabet(
        state_class,
        label_class,
        grid.reshape(len(a_state), columns),
        known + (anything >= 0),
        anything,
        {atom: in_letters(row) for atom, row in truth.items()},
        tuple(in_letters(row) for row in enabled),
        tuple(in_letters(row) for row in happens),
    )


def _inside(roots: Iterable[int], said: Propositions) -> list[int]:
    """All nodes that these consist of, parts first: a part has a lower number."""
    found = set(roots)
    work = list(found)
    while work:
        node = said.nodes[work.pop()]
        if isinstance(node, Both):
            new = {node.left >> 1, node.right >> 1} - found
            found |= new
            work += new
    return sorted(found)


def _values(truth: Truth) -> Bytes:
    return truth.must.astype(np.uint8) + truth.may.astype(np.uint8)


def _can_happen(pattern: Bytes, model: Model, open: Flags) -> Bytes:
    """Whether some step that a pattern matches leaves each state."""
    can = open.astype(np.uint8)
    for value in (1, 2):
        matching = pattern == value
        if matching.any():
            able = np.zeros(model.states, dtype=np.bool_)
            able[model.sources[matching[model.actions]]] = True
            # In an abstraction, what can be done in a state need not be possible for all that the state stands for.
            sure = value == 2 and model.origin.relation is not Relation.OVER
            can[able] = np.maximum(can[able], 1 + sure)
    return can


def _folded(rows: Sequence[Bytes], length: int) -> tuple[Ints, npt.NDArray[np.int64]]:
    """Classes of places in which all rows agree, and a place of each class."""
    classes: npt.NDArray[Any] = np.zeros(length, dtype=np.int32)
    count = 1
    for row in rows:
        classes = classes * np.int32(3) + row if count < 1 << 29 else classes.astype(np.int64) * 3 + row
        present = np.zeros(3 * count, dtype=np.bool_)
        present[classes] = True
        numbers = np.cumsum(present, dtype=np.int32) - np.int32(1)
        classes = numbers[classes]
        count = int(present.sum())
    places = np.zeros(count if length else 0, dtype=np.int64)
    places[classes[::-1]] = np.arange(length - 1, -1, -1)
    classes = classes.astype(np.int32)
    classes.flags.writeable = False
    return classes, places


def _occurring(
    model: Model, open: Flags, state_class: Ints, label_class: Ints, states: int, columns: int
) -> npt.NDArray[np.int64]:
    """The cells of the grid that have a position in the model."""
    occurs = np.zeros(states * columns, dtype=np.bool_)
    occurs[state_class[model.sources] * np.int32(columns) + label_class[model.actions]] = True
    ends = (np.diff(model.first) == 0) & ~open
    occurs[state_class[ends] * np.int32(columns) + np.int32(columns - 2)] = True
    occurs[state_class[open] * np.int32(columns) + np.int32(columns - 1)] = True
    return np.flatnonzero(occurs)


def _evaluated(
    nodes: Sequence[int], roots: Sequence[int], said: Propositions, leaves: dict[int, Bytes]
) -> dict[int, Bytes]:
    """The truth of the roots, from that of the leaves; what is not needed any more is forgotten."""
    uses = dict.fromkeys(nodes, 0)
    for root in roots:
        uses[root] += 1
    for number in nodes:
        node = said.nodes[number]
        if isinstance(node, Both):
            uses[node.left >> 1] += 1
            uses[node.right >> 1] += 1
    values = leaves
    for number in nodes:
        node = said.nodes[number]
        if isinstance(node, Both):
            sides = []
            for edge in (node.left, node.right):
                row = values[edge >> 1]
                sides.append(np.uint8(2) - row if edge & 1 else row)
                uses[edge >> 1] -= 1
            values[number] = np.minimum(sides[0], sides[1])
            for edge in (node.left, node.right):
                if uses[edge >> 1] == 0:
                    values.pop(edge >> 1, None)
    return {root: values[root] for root in roots}
