"""Parts of threads put together some at a time: what nobody asks for any more becomes silent, and the rest is reduced.

What is left behaves like all of them: branching bisimilarity with explicit divergence is kept when models are put
together, also where they refuse steps, and when labels become silent [van Glabbeek, Luttik, Trčka: Branching
bisimilarity with explicit divergence, 2009]. That somebody has ended is kept as a value of states.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np
import numpy.typing as npt

from stateglass.model import TAU, Model, Proposition, Sort
from stateglass.model.builder import canonical_columns
from stateglass.model.model import Flags, Ints
from stateglass.reduce import Equivalence, Reduction, reduce
from stateglass.relate.product import Product, product
from stateglass.relate.rules import Rule
from stateglass.unbounded.threads.composing import known_name, open_in, rules_of
from stateglass.unbounded.threads.parts import Team
from stateglass.work import Progress

_OVER: Final = "%over"
"""States in which the whole program has ended."""
_ENDED: Final = "%ended"
"""States in which all threads of a block have ended."""
_OPEN: Final = "%open"
"""States of which not all is known that may follow."""
_MARKS: Final = (_OVER, _ENDED, _OPEN)
MOST_KEPT: Final = 50_000
"""Blocks with more states are not kept for other claims."""

Move = frozenset[tuple[int, str]]
"""Parts that take a step at the same time, each with its label."""


@final
@dataclass(frozen=True)
class Interest:
    """What is asked of the whole: labels, and values by the names that the whole has for them."""

    label: Callable[[str], bool]
    value: Callable[[str], bool]


@final
@dataclass(frozen=True, eq=False)
class Block:
    """Some parts put together, and the smaller model that stands for them."""

    parts: tuple[int, ...]
    children: tuple[Block, ...]  # none: it is a single part
    found: Product
    rules: tuple[Rule, ...]  # who moves at the transitions of `found`, by their labels
    labels: tuple[str, ...]  # what they are called in `inner`
    inner: Model
    reduction: Reduction | None = None

    @property
    def model(self) -> Model:
        return self.inner if self.reduction is None else self.reduction.model

    @cached_property
    def classes(self) -> Ints:
        """The state of `model` for each state of `inner`."""
        if self.reduction is None:
            return np.arange(self.inner.states, dtype=np.int32)
        assert self.reduction.classes is not None
        return self.reduction.classes

    def is_over(self, state: int) -> bool:
        """Whether the whole program has ended in a state of `inner`."""
        return bool(_column(self.inner, _OVER)[state])

    def marked(self, mark: str) -> Flags:
        """States of `model` with a mark."""
        return _column(self.model, mark)

    @cached_property
    def _order(self) -> tuple[Ints, npt.NDArray[np.int64]]:
        """Transitions by their sources, and where those of each source begin."""
        over = _column(self.inner, _OVER)
        left = np.flatnonzero(~over[self.found.sources]).astype(np.int32)
        order = left[np.lexsort((self.found.labels[left], -self.found.targets[left], self.found.sources[left]))]
        return order, np.searchsorted(self.found.sources[order], np.arange(self.inner.states + 1))

    def leaving(self, state: int) -> Iterator[tuple[int, int]]:
        """The rules by which a state of `inner` is left, and where to; states that were found later come first.

        Of a run, these are further along: what goes there leaves less to be done.
        """
        order, first = self._order
        for number in order[first[state] : first[state + 1]]:
            yield int(self.found.labels[number]), int(self.found.targets[number])


@final
class Shelf:
    """Blocks that were put together for some claim: those of which others see the same are taken from here."""

    def __init__(self) -> None:
        self.numbers: dict[Move, int] = {}
        self._known: dict[Hashable, Block] = {}
        self._too_large: dict[Hashable, int] = {}  # with so many states it was given up

    def block(self, what: Hashable, most: int, made: Callable[[], Block | None]) -> Block | None:
        """What is known by all that it is made of; None if it has more states than it may have."""
        known = self._known.get(what)
        if known is not None:
            return known if known.inner.states <= most else None
        if most <= self._too_large.get(what, -1):
            return None
        found = made()
        if found is None:
            self._too_large[what] = most
        elif found.inner.states <= MOST_KEPT:
            self._known[what] = found
        return found


def _column(model: Model, name: str) -> Flags:
    flags: Flags = next(p.values for p in model.propositions if p.name == name) != 0
    return flags


@final
class Joiner:
    """Puts parts of a team together."""

    def __init__(
        self, team: Team, interest: Interest, aliases: Mapping[str, str], shelf: Shelf, progress: Progress
    ) -> None:
        self._team = team
        self._shelf = shelf
        self._aliases = aliases
        self._interest = interest
        self._progress = progress
        self._results = {
            frozenset(zip(rule.components, rule.labels, strict=True)): rule.result for rule in rules_of(team)
        }
        self.largest: Model | None = None  # of those that were not reduced yet

    @property
    def moves(self) -> Sequence[Move]:
        """Who moves together in the whole."""
        return tuple(self._results)

    def thread_of(self, block: Block) -> int:
        """The thread that the first part of a block belongs to."""
        return self._team.parts[block.parts[0]].thread

    def single(self, part: int) -> Block:
        """A part alone."""
        model = self._team.parts[part].model
        rules: dict[tuple[str, str], None] = {}
        for move in self._results:
            for _, label in sorted(pair for pair in move if pair[0] == part):
                rules[label, self._name(move, (part,))] = None
        named = [(Rule((0,), (label,), str(n)), name) for n, (label, name) in enumerate(rules)]
        block = self._block((part,), (), [model], named, most=model.states)
        assert block is not None
        return self.reduced(block)

    def _contents(self, part: int) -> Hashable:
        """All that the block of a single part is made of, beside its rules."""
        model, over, unexplored = self._team.parts[part].model, self._team.parts[part].over, open_in(self._team, part)
        columns = (model.sources, model.actions, model.targets, over, unexplored, model.terminal)
        seen = [(self._called(part, p.name), p) for p in model.propositions]
        values = tuple(
            (name, p.sort, p.names, p.values.tobytes(), None if p.defined is None else p.defined.tobytes())
            for name, p in seen
            if self._interest.value(name)
        )
        numbers = tuple(None if column is None else column.tobytes() for column in columns)
        return model.states, model.initial, model.labels, self._team.parts[part].is_code, numbers, values

    def joined(self, children: Sequence[Block], most: int) -> Block | None:
        """Blocks put together as they are; None if they have too many states."""
        parts = tuple(sorted(part for child in children for part in child.parts))
        rules: dict[tuple[tuple[int, ...], tuple[str, ...], str], None] = {}
        for move in self._results:
            moving = [n for n, child in enumerate(children) if any(part in child.parts for part, _ in move)]
            if moving:
                labels = tuple(self._name(move, children[n].parts) for n in moving)
                rules[tuple(moving), labels, self._name(move, parts)] = None
        named = [(Rule(who, labels, str(n)), name) for n, (who, labels, name) in enumerate(rules)]
        return self._block(parts, tuple(children), [child.model for child in children], named, most)

    def reduced(self, block: Block) -> Block:
        names = [p.name for p in block.inner.propositions]
        by = Equivalence.DPBRANCHING
        found = self._shelf.block(
            block,
            block.inner.states,
            lambda: replace(block, reduction=reduce(block.inner, by, names, self._progress)),
        )
        assert found is not None
        return found

    def _name(self, move: Move, parts: Sequence[int]) -> str:
        """What a block calls its own share in a move: one that others take part in has a name of its own."""
        own = frozenset(pair for pair in move if pair[0] in parts)
        if own == move:
            result = self._results[move]
            return result if self._interest.label(result) else TAU
        number = self._shelf.numbers.setdefault(own, len(self._shelf.numbers))
        return f"{number}:{'|'.join(dict.fromkeys(label for _, label in sorted(own)))}"

    def _block(
        self,
        parts: tuple[int, ...],
        children: tuple[Block, ...],
        models: Sequence[Model],
        named: Sequence[tuple[Rule, str]],
        most: int,
    ) -> Block | None:
        what = (parts, children or self._contents(parts[0]), tuple(named))
        block = self._shelf.block(what, most, lambda: self._made(parts, children, models, named, most))
        if block is not None and (self.largest is None or block.inner.states > self.largest.states):
            self.largest = block.inner
        return block

    def _made(
        self,
        parts: tuple[int, ...],
        children: tuple[Block, ...],
        models: Sequence[Model],
        named: Sequence[tuple[Rule, str]],
        most: int,
    ) -> Block | None:
        rules, labels = tuple(rule for rule, _ in named), tuple(name for _, name in named)
        found = product(models, rules, most, self._progress)
        if not found.complete:
            return None
        columns = self._values(parts, children, found)
        over = next(c for c in columns if c.name == _OVER).values != 0
        alphabet = tuple(dict.fromkeys(labels))
        numbers = np.array([alphabet.index(label) for label in labels], dtype=np.int32)
        rows = ~over[found.sources]
        shown = numbers[found.labels[rows]] if len(numbers) else found.labels[rows]
        sources, actions, targets = canonical_columns(found.sources[rows], shown, found.targets[rows])
        inner = Model(len(found.states), 0, sources, actions, targets, alphabet, columns)
        return Block(parts, children, found, rules, labels, inner)

    def _values(self, parts: tuple[int, ...], children: tuple[Block, ...], found: Product) -> tuple[Proposition, ...]:
        """What is seen in states, whether all threads have ended in them, and whether the program has."""
        at = found.states.T
        if children:
            sides = list(zip(children, at, strict=True))
            over, ended, open_states = ([child.marked(mark)[own] for child, own in sides] for mark in _MARKS)
            pairs = [(p, own) for child, own in sides for p in child.model.propositions]
            seen = [_taken(p, own) for p, own in pairs if p.name not in _MARKS]
        else:
            part = self._team.parts[parts[0]]
            (states,) = at
            over, open_states = [_at(part.over, states)], [_at(open_in(self._team, parts[0]), states)]
            ended = [_at(part.model.terminal, states) if part.is_code else np.ones(len(states), dtype=np.bool_)]
            called = [(self._called(parts[0], p.name), p) for p in part.model.propositions]
            seen = [_taken(replace(p, name=n), states) for n, p in called if self._interest.value(n)]
        marks = (np.any(over, axis=0), np.all(ended, axis=0), np.any(open_states, axis=0))
        return (*seen, *(_mark(name, values) for name, values in zip(_MARKS, marks, strict=True)))

    def _called(self, part: int, value: str) -> str:
        """What claims call a value of a part."""
        name = f"{self._team.names[part]}.{value}"
        return self._aliases.get(name, known_name(name, self._team.threads))


def _at(flags: Flags | None, states: Ints) -> Flags:
    return np.zeros(len(states), dtype=np.bool_) if flags is None else flags[states]


def _mark(name: str, values: Flags) -> Proposition:
    return Proposition(name, Sort.BOOL, values.astype(np.int64))


def _taken(proposition: Proposition, states: Ints) -> Proposition:
    defined = None if proposition.defined is None else proposition.defined[states]
    return replace(proposition, values=proposition.values[states], defined=defined)


def shown(block: Block) -> Model:
    """The model of a block that is the whole: with what claims see of it."""
    model = block.model
    ended, open_states = block.marked(_ENDED) | block.marked(_OVER), block.marked(_OPEN)
    return replace(
        model,
        propositions=tuple(p for p in model.propositions if p.name not in _MARKS),
        terminal=ended if ended.any() else None,
        unexplored=open_states if open_states.any() else None,
    )
