"""What a group of steps does, in words that fit all of them: values that are reached, kept, counted up or copied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from stateglass.evolution.matching import Coded, coded
from stateglass.evolution.visits import NO_END
from stateglass.graphs.adjacency import Indices
from stateglass.model import STABLE, Action, Model, Proposition, Sort, Verb, parsed
from stateglass.model.model import Flags


@final
@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of a variable before and now, in words; None where a version has no such step.

    Both are None if there is no single text for all steps of a group.
    """

    name: str
    old: str | None
    new: str | None

    @property
    def is_told(self) -> bool:
        return self.old is not None or self.new is not None

    @property
    def text(self) -> str:
        """As in `state == BROKEN (was OPEN)`; what is relative is not written with `==`."""
        if not self.is_told:
            return f"other values of {self.name}"
        if self.new is None or self.old is None:
            return f"{self.name} {self._written(self.new if self.old is None else self.old)}"
        was = "without a value" if self.old == _NOTHING else self.old
        return f"{self.name} {self._written(self.new)} (was {was})"

    def _written(self, value: str | None) -> str:
        assert value is not None
        if value == UNCHANGED:
            return UNCHANGED
        if value == _NOTHING:
            return "without a value"
        if value.startswith(("+= ", "-= ")):
            return value
        return f"== {value}"


UNCHANGED: Final = "unchanged"
_NOTHING: Final = "?"
"""The text of a value that does not exist."""


@final
class Side:
    """The columns of one version, coded by text once and when asked for."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.propositions: Mapping[str, Proposition] = {p.name: p for p in model.propositions}
        self._coded: dict[str, tuple[tuple[str, ...], Indices]] = {}

    @cached_property
    def shows_values(self) -> Flags:
        """The states in which some variable has a value; all of them, if there are no variables."""
        values = [p for p in self.propositions.values() if p.name != STABLE]
        if not values or any(p.defined is None for p in values):
            return np.ones(self.model.states, dtype=np.bool_)
        found: Flags = np.logical_or.reduce([p.defined for p in values if p.defined is not None])
        return found

    def texts(self, name: str, states: Indices) -> list[str]:
        """The distinct texts that a proposition has in these states."""
        texts, codes = self._column(name)
        return [texts[code] for code in np.unique(codes[states])]

    def codes(self, name: str, states: Indices) -> Indices:
        return self._column(name)[1][states]

    def text(self, name: str, code: int) -> str:
        return self._column(name)[0][code]

    def fitted(self, name: str, sources: Indices, targets: Indices, given: Mapping[str, Coded]) -> str | None:
        """What a step leads to, if one text fits all: a value, no change, a difference, or another value from before.

        `given` are values of arguments, one for each step.
        """
        after = self.codes(name, targets)
        if (after == after[0]).all():
            return self.text(name, int(after[0]))
        before = self.codes(name, sources)
        if (after == before).all():
            return UNCHANGED
        own = self.propositions[name]
        if own.sort is Sort.INT and own.values.dtype == np.int64 and not own.names:
            steps = own.values[targets] - own.values[sources]
            if (steps == steps[0]).all() and "?" not in self.texts(name, np.concatenate([sources, targets])):
                return f"{'+' if steps[0] > 0 else '-'}= {abs(int(steps[0]))}"
        return self._copied(name, sources, after, given)

    def _copied(self, name: str, sources: Indices, after: Indices, given: Mapping[str, Coded]) -> str | None:
        table = {text: code for code, text in enumerate(self._column(name)[0])}
        for other, column in given.items():
            if (_as_codes(column.texts, table)[column.codes] == after).all():
                return other
        for other, proposition in self.propositions.items():
            if other != name and proposition.sort is self.propositions[name].sort:
                texts, codes = self._column(other)
                if (_as_codes(texts, table)[codes[sources]] == after).all():
                    return other
        return None

    def _column(self, name: str) -> tuple[tuple[str, ...], Indices]:
        if name not in self._coded:
            column = coded(self.propositions[name])
            self._coded[name] = column.texts, column.codes.astype(np.int64)
        return self._coded[name]


def _as_codes(texts: Sequence[str], table: Mapping[str, int]) -> Indices:
    return np.array([table.get(text, -1) for text in texts], dtype=np.int64)


@final
@dataclass(frozen=True, slots=True)
class Said:
    """What the code does in a call: the actions on the way, how it ends, and with which value."""

    on_the_way: tuple[str, ...]
    end: str
    value: str

    @staticmethod
    def of(labels: Sequence[str], call: Action) -> Said:
        """Takes the end of the call apart: `return(f, 3)` ends with `return(f)` and the value 3."""
        if not labels:
            return Said((), "", "")
        last = parsed(labels[-1])
        if last.verb is Verb.RETURN and last.name == call.name and call.verb is Verb.CALL:
            return Said(tuple(labels[:-1]), str(Action(Verb.RETURN, last.name)), ", ".join(last.arguments))
        if last.is_ending or labels[-1] == NO_END or (last.verb is Verb.THROW and last.name == call.name):
            return Said(tuple(labels[:-1]), labels[-1], "")
        return Said(tuple(labels), "", "")


def said_differently(old: Said, new: Said) -> list[str]:
    """Phrases for what is said differently, values aside: what follows "now"."""
    phrases: list[str] = []
    before, after = _unlike_parts(old.on_the_way, new.on_the_way)
    if before and after:
        phrases.append(f"does {listed(after)} (was {listed(before)})")
    elif after:
        phrases.append(f"does {listed(after)}")
    elif before:
        phrases.append(f"no longer does {listed(before)}")
    if old.end != new.end:
        was = "" if not old.end else " (had no end)" if old.end == NO_END else f" (was `{old.end}`)"
        if new.end == NO_END:
            phrases.append(f"never ends{was}")
        else:
            phrases.append(f"ends with `{new.end}`{was}" if new.end else f"does not end with `{old.end}`")
    return phrases


def listed(labels: Sequence[str], most: int = 4) -> str:
    """Actions in a row; that something returns at once, without a value, goes without saying."""
    labels = [label for n, label in enumerate(labels) if n == 0 or not _just_returns(labels[n - 1], label)]
    shown = [f"`{label}`" for label in labels[:most]]
    return ", ".join(shown) + (f" and {len(labels) - most} more" if len(labels) > most else "")


def _just_returns(before: str, label: str) -> bool:
    call, back = parsed(before), parsed(label)
    return call.verb is Verb.CALL and back == Action(Verb.RETURN, call.name)


def _unlike_parts(old: Sequence[str], new: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Both without what they begin and end with in common."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]
