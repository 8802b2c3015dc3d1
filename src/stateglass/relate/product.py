"""The reachable part of a parallel composition, found layer by layer with array operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.graphs.adjacency import spread
from stateglass.model import Model
from stateglass.relate.interning import Interner, Words
from stateglass.relate.rules import Rule
from stateglass.source import Code, input_error
from stateglass.work import Progress

Table = npt.NDArray[np.int32]

MOST_COMPOSED_STATES: Final = 10_000_000
"""Where a composition is cut short unless it is told otherwise."""
MOST_STATES: Final = 2**31 - 2
_WORD: Final = 1 << 31
_ORDERED: Final = 100_000  # steps in a layer up to which states are numbered by source and label; nobody reads more


@final
@dataclass(frozen=True)
class Product:
    """States as rows of component states, and transitions as unsorted columns (source, result label, target)."""

    states: Table
    sources: Table
    labels: Table
    targets: Table
    results: tuple[str, ...]
    expanded: int  # the states before this one were expanded; all of them unless the search was cut short

    @property
    def complete(self) -> bool:
        return self.expanded == len(self.states)


def product(models: Sequence[Model], rules: Sequence[Rule], most_states: int, progress: Progress) -> Product:
    """Breadth first from the initial states; states are numbered in the order of discovery.

    A search that comes to more than `most_states` is cut short after a whole layer: states beyond are not expanded.
    """
    results = tuple(dict.fromkeys(rule.result for rule in rules))
    groups = _groups(models, rules, {result: number for number, result in enumerate(results)})
    numbers = _Numbers([model.states for model in models])
    frontier = np.array([[model.initial for model in models]], dtype=np.int32)
    numbers.of(frontier)
    layers = [frontier]
    found: list[tuple[Table, Table, Table]] = []
    base = transitions = 0
    while len(frontier) and base + len(frontier) <= most_states:
        progress("composing", states=numbers.count, transitions=transitions)
        rows = [group.steps(frontier) for group in groups]
        at = np.concatenate([r[0] for r in rows]) if rows else np.zeros(0, dtype=np.int64)
        label = np.concatenate([r[1] for r in rows]) if rows else np.zeros(0, dtype=np.int32)
        after = np.concatenate([r[2] for r in rows]) if rows else np.zeros((0, len(models)), dtype=np.int32)
        if len(at) <= _ORDERED:
            # Numbers follow the source and its labels, not the order in which groups of rules were tried.
            order = np.lexsort((label, at))
            at, label, after = at[order], label[order], after[order]
        known = numbers.count
        target = numbers.of(after)
        found.append(((base + at).astype(np.int32), label, target.astype(np.int32)))
        base += len(frontier)
        transitions += len(at)
        new = np.flatnonzero(target >= known)
        # Of several writes to one place the last one stays: from behind, that is the first occurrence.
        firsts = np.empty(numbers.count - known, dtype=np.int64)
        firsts[target[new[::-1]] - known] = new[::-1]
        frontier = after[firsts]
        if numbers.count > MOST_STATES:
            raise input_error(Code.TOO_LARGE, f"the composition has more than {MOST_STATES} states")
        layers.append(frontier)
    if not found:
        found = [(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int32))]
    return Product(
        np.concatenate(layers),
        np.concatenate([row[0] for row in found]),
        np.concatenate([row[1] for row in found]),
        np.concatenate([row[2] for row in found]),
        results,
        base,
    )


@final
class _Numbers:
    """Numbers of rows of component states, in the order in which they are first seen.

    As many components as fit are packed into one word, in a mixed radix; it gets a number. The next components are
    packed with that number into another word, and so on: so rows of any length need only a table from words to numbers.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._groups: list[tuple[int, int]] = []
        start, room = 0, 1
        for i, size in enumerate(sizes):
            if room * size > (_WORD * _WORD if not self._groups else _WORD) and i > start:
                self._groups.append((start, i))
                start, room = i, 1
            room *= size
        self._groups.append((start, len(sizes)))
        self._sizes = list(sizes)
        self._tables = [Interner() for _ in self._groups]

    @property
    def count(self) -> int:
        return self._tables[-1].count

    def of(self, rows: Table) -> Words:
        numbers = np.zeros(len(rows), dtype=np.int64)
        for (start, end), table in zip(self._groups, self._tables, strict=True):
            word = np.zeros(len(rows), dtype=np.int64)
            for i in range(start, end):
                word = word * self._sizes[i] + rows[:, i]
            numbers = table.intern(numbers * _WORD + word if start else word)
        return numbers


@final
@dataclass(frozen=True)
class _Part:
    """The transitions of one component that take part in a group of rules, sorted by source and rule."""

    component: int
    keys: Words  # source * rules + rule
    rules: Words
    targets: npt.NDArray[np.int32]
    first: Words  # where the transitions of each source begin


@final
@dataclass(frozen=True)
class _Group:
    """All rules for the same components."""

    parts: tuple[_Part, ...]
    results: npt.NDArray[np.int32]

    def steps(self, frontier: Table) -> tuple[Words, npt.NDArray[np.int32], Table]:
        """From each row of the frontier: its index, the label that shows, and the row after the step."""
        # From what the first component can do, the others are joined one after the other, as tables are.
        head = self.parts[0]
        sources = frontier[:, head.component].astype(np.int64)
        starts = head.first[sources]
        counts = head.first[sources + 1] - starts
        at = np.repeat(np.arange(len(frontier), dtype=np.int64), counts)
        chosen = spread(starts, counts)
        rule = head.rules[chosen]
        moved = [(head.component, head.targets[chosen])]
        for part in self.parts[1:]:
            wanted = frontier[at, part.component].astype(np.int64) * len(self.results) + rule
            starts = np.searchsorted(part.keys, wanted, side="left")
            counts = np.searchsorted(part.keys, wanted, side="right") - starts
            chosen = spread(starts, counts)
            at, rule = np.repeat(at, counts), np.repeat(rule, counts)
            moved = [(i, np.repeat(targets, counts)) for i, targets in moved]
            moved.append((part.component, part.targets[chosen]))
        after = frontier[at]
        for i, targets in moved:
            after[:, i] = targets
        return at, self.results[rule], after


def _groups(models: Sequence[Model], rules: Sequence[Rule], numbers: dict[str, int]) -> list[_Group]:
    by_components: dict[tuple[int, ...], list[Rule]] = {}
    for rule in rules:
        by_components.setdefault(rule.components, []).append(rule)
    groups = []
    for components, alike in by_components.items():
        parts = tuple(
            _part(models[i], i, [rule.labels[position] for rule in alike]) for position, i in enumerate(components)
        )
        results = np.array([numbers[rule.result] for rule in alike], dtype=np.int32)
        # A component that seldom takes part leaves less to look up in the others.
        groups.append(_Group(tuple(sorted(parts, key=lambda part: len(part.keys))), results))
    return groups


def _part(model: Model, component: int, labels: Sequence[str]) -> _Part:
    """`labels` has one label per rule; one label may take part in several rules."""
    rules_of: dict[str, list[int]] = {}
    for number, label in enumerate(labels):
        rules_of.setdefault(label, []).append(number)
    lists = [rules_of.get(label, []) for label in model.labels]
    counts = np.array([len(numbers) for numbers in lists], dtype=np.int64)
    flat = np.array([number for numbers in lists for number in numbers], dtype=np.int64)
    before = np.cumsum(counts) - counts
    repeats = counts[model.actions]
    rule = flat[spread(before[model.actions], repeats)]
    source = np.repeat(model.sources, repeats).astype(np.int64)
    target = np.repeat(model.targets, repeats)
    keys = source * len(labels) + rule
    order = np.argsort(keys, kind="stable")
    first = np.searchsorted(source[order], np.arange(model.states + 1)).astype(np.int64)
    return _Part(component, keys[order], rule[order], target[order], first)
