"""Calls from outside as single steps: from one state between calls to the next, with what is said on the way.

Of the actions in between, some are chosen by the surroundings (what a function without a body returns, what a
register holds), the others are what the code does in answer. A call that goes on in silence for ever is a step, too.
Where models do not say what is between calls, or where a call may go on for ever in another way, a step is a visible
action and the silent transitions before it, or each transition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.check.truth import open_states
from stateglass.evolution.matching import combined, numbered
from stateglass.graphs.adjacency import Adjacency, Indices, distinct, spread, without
from stateglass.model import STABLE, TAU, Model, Verb, parsed
from stateglass.model.model import Flags, Ints

NO_END: Final = "no end"
"""Stands for what is said by code that says nothing for ever."""
_MOST_ACTIONS: Final = 1000
_MOST_ROWS: Final = 1_000_000
"""With more ways through calls, beside those that there are transitions, nobody reads what becomes of them."""


@final
class Words:
    """Sequences of labels by number; 0 is the empty one."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self._words: list[tuple[int, int]] = [(-1, -1)]

    def longer(self, words: Indices, labels: Indices) -> Indices:
        """Each word with one more label at its end."""
        keys = words << 32 | labels
        distinct, places = numbered(keys)
        numbers = np.array([self._number(*divmod(int(key), 1 << 32)) for key in distinct], dtype=np.int64)
        return numbers[places]

    def labels(self, word: int) -> tuple[int, ...]:
        found = []
        while word:
            word, label = self._words[word]
            found.append(label)
        return tuple(reversed(found))

    def _number(self, word: int, label: int) -> int:
        number = self._numbers.setdefault((word, label), len(self._words))
        if number == len(self._words):
            self._words.append((word, label))
        return number


@final
@dataclass(frozen=True, eq=False)
class Visits:
    """Steps of one model: where each begins, its first action, what was chosen, what the code did, where it ends.

    Labels and words have the same numbers for both models.
    """

    model: Model
    sources: Indices
    calls: Indices
    inputs: Indices
    outputs: Indices
    targets: Indices
    begins: Indices  # where the first action is taken: in the source, or after silent transitions
    bases: Flags  # states in which steps begin and end
    open_sources: Flags  # states from which steps lead to where the model was not explored


@final
@dataclass(frozen=True, eq=False)
class Visited:
    """The steps of two models."""

    old: Visits
    new: Visits
    labels: tuple[str, ...]
    words: Words
    are_calls: bool  # or single transitions


def visited(old: Model, new: Model) -> Visited:
    """The steps of both models as calls, or else as single transitions."""
    *_, last = views(old, new)
    return last


def views(old: Model, new: Model) -> Iterator[Visited]:
    """The steps of both models: as calls, if both can be seen so, or else as visible actions, then as transitions."""
    calls = _as_calls(old, new)
    if calls is not None:
        yield calls
        return
    table: dict[str, int] = {}
    numbers = [np.array([table.setdefault(x, len(table)) for x in m.labels], dtype=np.int64) for m in (old, new)]
    silent = table.get(TAU, -1)
    if silent >= 0 and len(table) > 1:
        visible = [_visible(model, own, silent) for model, own in zip((old, new), numbers, strict=True)]
        if visible[0] is not None and visible[1] is not None:
            yield Visited(visible[0], visible[1], tuple(table), Words(), are_calls=False)
    single = [_single(model, own) for model, own in zip((old, new), numbers, strict=True)]
    yield Visited(single[0], single[1], tuple(table), Words(), are_calls=False)


def _as_calls(old: Model, new: Model) -> Visited | None:
    table: dict[str, int] = {}
    numbers = [np.array([table.setdefault(x, len(table)) for x in m.labels], dtype=np.int64) for m in (old, new)]
    no_end = table.setdefault(NO_END, len(table))
    bases = [_between_calls(model) for model in (old, new)]
    if bases[0] is not None and bases[1] is not None:
        words = Words()
        chosen = np.zeros(len(table), dtype=np.bool_)
        for model, base, own in zip((old, new), bases, numbers, strict=True):
            chosen[own[_chosen(model, base)]] = True
        silent = table.get(TAU, -1)
        sides = [
            _calls(model, base, own, chosen, silent, no_end, words)
            for model, base, own in zip((old, new), bases, numbers, strict=True)
            if base is not None
        ]
        if sides[0] is not None and sides[1] is not None:
            return Visited(sides[0], sides[1], tuple(table), words, are_calls=True)
    return None


def _between_calls(model: Model) -> Flags | None:
    """Where calls begin; None if the model does not say so, or if it is not where it starts."""
    stable = model.proposition(STABLE)
    if stable is None:
        return None
    flags: Flags = stable.values != 0
    flags = flags if stable.defined is None else flags & stable.defined
    return None if flags.all() or not flags[model.initial] else flags


def _chosen(model: Model, base: Flags | None) -> Ints:
    """The labels that are one of several within a call: the surroundings choose among them."""
    assert base is not None
    several = (np.diff(model.first) > 1) & ~base
    answers = np.array([parsed(label).verb in (Verb.RETURN, Verb.THROW) for label in model.labels], dtype=np.bool_)
    # How the call itself ends is up to the code.
    ends = base[model.targets] & (answers[model.actions] if len(answers) else False)
    return np.unique(model.actions[several[model.sources] & ~ends])


def _calls(
    model: Model, base: Flags, own: Indices, chosen: Flags, silent: int, no_end: int, words: Words
) -> Visits | None:
    """Follows all calls at once, action by action; None if there are too many ways, or some that may have no end."""
    silent_for_ever = _silent_for_ever(model, base, own, silent)
    if _endless(model, ~base & ~silent_for_ever):
        return None
    starts = np.flatnonzero(base[model.sources])
    empty = np.zeros(len(starts), dtype=np.int64)
    rows = (
        model.sources[starts].astype(np.int64),
        own[model.actions[starts]] if len(starts) else empty,
        empty,
        empty,
        model.targets[starts].astype(np.int64),
    )
    out_degree = np.diff(model.first)
    unexplored = open_states(model)
    open_sources = unexplored.copy()
    done: list[Sequence[Indices]] = []
    total = 0
    for _ in range(_MOST_ACTIONS):
        at = rows[4]
        finished = base[at] | (out_degree[at] == 0) | silent_for_ever[at]
        done.append(_ended([column[finished] for column in rows], silent_for_ever, no_end, words))
        going = [column[~finished] for column in rows]
        total += len(at)
        if not len(going[0]):
            break
        open_sources[going[0][unexplored[going[4]]]] = True
        counts = out_degree[going[4]]
        if total + int(counts.sum()) > _MOST_ROWS + 8 * model.transitions:
            return None
        edges = spread(model.first[going[4]], counts)
        source, call, inputs, outputs = (np.repeat(column, counts) for column in going[:4])
        rows = _distinct(
            _said(source, call, inputs, outputs, own[model.actions[edges]], chosen, silent, words),
            model.targets[edges].astype(np.int64),
        )
    else:
        return None
    columns = [np.concatenate(parts) for parts in zip(*done, strict=True)]
    lost = unexplored[columns[4]] & ~base[columns[4]]
    open_sources[columns[0][lost]] = True
    source, call, inputs, outputs, target = (column[~lost] for column in columns)
    return Visits(model, source, call, inputs, outputs, target, source, base, open_sources)


def _endless(model: Model, within: Flags) -> bool:
    """Whether a run can stay for ever in these states."""
    inside = within[model.sources] & within[model.targets]
    against = Adjacency.of(model.targets[inside], model.sources[inside], model.states)
    return bool(against.endless(within, np.zeros(model.states, dtype=np.bool_)).any())


def _silent_for_ever(model: Model, base: Flags, own: Indices, silent: int) -> Flags:
    """States within calls after which nothing is done any more, and no end is reached either."""
    leaves = base | (np.diff(model.first) == 0) | open_states(model)
    if model.transitions:
        leaves[model.sources[own[model.actions] != silent]] = True
    against: Adjacency = Adjacency.of(model.targets, model.sources, model.states)
    return ~against.reach(leaves)


def _ended(rows: list[Indices], silent_for_ever: Flags, no_end: int, words: Words) -> list[Indices]:
    """Rows of calls that are over; of those that never will be, this is the last that is said."""
    source, call, inputs, outputs, target = rows
    stays = silent_for_ever[target]
    if stays.any():
        outputs = outputs.copy()
        outputs[stays] = words.longer(outputs[stays], np.full(int(stays.sum()), no_end, dtype=np.int64))
    return [source, call, inputs, outputs, target]


def _said(
    source: Indices,
    call: Indices,
    inputs: Indices,
    outputs: Indices,
    labels: Indices,
    chosen: Flags,
    silent: int,
    words: Words,
) -> list[Indices]:
    """Rows after one more action."""
    heard = chosen[labels] & (labels != silent)
    spoken = ~chosen[labels] & (labels != silent)
    inputs, outputs = inputs.copy(), outputs.copy()
    inputs[heard] = words.longer(inputs[heard], labels[heard])
    outputs[spoken] = words.longer(outputs[spoken], labels[spoken])
    return [source, call, inputs, outputs]


def _distinct(columns: list[Indices], targets: Indices) -> tuple[Indices, Indices, Indices, Indices, Indices]:
    """Rows without repetitions: silent choices may lead to the same."""
    all_columns = [*columns, targets]
    classes = combined((numbered(column)[1] for column in all_columns), len(targets))
    firsts = np.unique(classes, return_index=True)[1]
    a, b, c, d, e = (column[firsts] for column in all_columns)
    return a, b, c, d, e


def _visible(model: Model, own: Indices, silent: int) -> Visits | None:
    """Visible actions with the silent transitions before them, from the start and from where a visible action leads.

    Where nothing follows silent transitions, they are a silent step. None if there are too many ways.
    """
    seen = own[model.actions] != silent if model.transitions else np.zeros(0, dtype=np.bool_)
    base = np.zeros(model.states, dtype=np.bool_)
    base[model.initial] = True
    base[model.targets[seen]] = True
    starts = np.flatnonzero(base)
    frontier = reached = starts * (model.states + 1)  # source and state as one number
    done: list[tuple[Indices, Indices | Ints, Indices | Ints, Indices | Ints]] = []
    while len(frontier):
        source, at = frontier // model.states, frontier % model.states
        counts = model.first[at + 1] - model.first[at]
        edges = spread(model.first[at], counts)
        source = np.repeat(source, counts)
        shown = np.flatnonzero(seen[edges])
        done.append(
            (source[shown], own[model.actions[edges[shown]]], model.targets[edges[shown]], model.sources[edges[shown]])
        )
        quiet = ~seen[edges]
        after = distinct(source[quiet] * model.states + model.targets[edges[quiet]])
        frontier = without(after, reached)
        reached = distinct(np.concatenate([reached, frontier]))
        if len(reached) > _MOST_ROWS + 8 * model.transitions:
            return None
    source, at = reached // model.states, reached % model.states
    ends = (model.first[at + 1] == model.first[at]) & (source != at)
    done.append((source[ends], np.full(int(ends.sum()), silent, dtype=np.int64), at[ends], source[ends]))
    columns = [np.concatenate(parts).astype(np.int64) for parts in zip(*done, strict=True)]
    classes = combined((numbered(column)[1] for column in columns[:3]), len(columns[0]))
    begin, call, target, first = (column[np.unique(classes, return_index=True)[1]] for column in columns)
    none = np.zeros(len(begin), dtype=np.int64)
    unexplored = open_states(model)
    open_sources = unexplored.copy()
    open_sources[source[unexplored[at]]] = True
    return Visits(model, begin, call, none, none, target, first, base, open_sources)


def _single(model: Model, own: Indices) -> Visits:
    none = np.zeros(model.transitions, dtype=np.int64)
    unexplored = open_states(model)
    return Visits(
        model,
        model.sources.astype(np.int64),
        own[model.actions] if model.transitions else none,
        none,
        none,
        model.targets.astype(np.int64),
        model.sources.astype(np.int64),
        np.ones(model.states, dtype=np.bool_),
        unexplored,
    )
