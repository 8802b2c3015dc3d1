"""Circumstances of steps, as a table: values before, arguments of the call, what was chosen on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, final

import numpy as np

from stateglass.evolution.describing import at_rows
from stateglass.evolution.matching import Coded
from stateglass.evolution.outcomes import Rows
from stateglass.evolution.pairing import Pairing
from stateglass.evolution.visits import Visited
from stateglass.graphs.adjacency import Indices
from stateglass.model import STABLE, Action, Proposition, Sort, Verb, parsed
from stateglass.source import Topic

_INTEGER: Final = re.compile(r"-?\d{1,18}")
_NAME: Final = re.compile(r"[^\W\d]\w*")
_BOOLS: Final = frozenset(("true", "false"))
_UNASKED: Final = "?"
"""Stands for the value of what the surroundings were not asked for."""
_MOST_INPUTS: Final = 4
"""So many choices of the surroundings are told apart."""


@final
class Circumstances:
    """Tables of what was the case before, and during, the steps of two versions."""

    def __init__(self, pairs: Pairing, steps: Visited) -> None:
        self._pairs, self._steps = pairs, steps
        self._actions = [parsed(label) for label in steps.labels]
        self._parameters: dict[str, list[str]] = {}
        names = [p.name for p in (*pairs.old.propositions, *pairs.new.propositions)]
        self._taken = frozenset(names)

    def action(self, call: int) -> Action:
        return self._actions[call]

    @cached_property
    def functions(self) -> Indices:
        """For each label a number for what is done, whatever the arguments."""
        table: dict[tuple[Verb | None, str], int] = {}
        numbers = [table.setdefault((a.verb, a.name), len(table)) for a in self._actions]
        return np.array(numbers, dtype=np.int64)

    def before(self, pairs: Indices) -> list[Proposition]:
        """The values of the paired states: of the new one, and of the old one where a variable is gone."""
        new = self._pairs.pair_new[pairs].astype(np.int64)
        old = self._pairs.pair_old[pairs].astype(np.int64)
        columns = [at_rows(p, new) for p in self._pairs.new.propositions if self._is_shown(p.name)]
        gone = set(self._pairs.agreed.deleted)
        return columns + [at_rows(p, old) for p in self._pairs.old.propositions if p.name in gone]

    def table(self, rows: Rows) -> list[Proposition]:
        """All columns for steps of one function."""
        given = [as_proposition(name, column) for name, column in self.given(rows).items()]
        return self.before(rows.pairs) + given

    def given(self, rows: Rows) -> dict[str, Coded]:
        """Arguments and choices by name, where they are not always the same."""
        found: dict[str, Coded] = {}
        for name, column in (*self._arguments(rows.calls), *self._choices(rows.inputs)):
            if len(column.texts) > 1:
                found[self._free(name, found)] = column
        return found

    def pattern(self, calls: Indices) -> str:
        """The label of all these calls, with `*` for arguments that differ."""
        actions = [self._actions[call] for call in np.unique(calls)]
        if len({len(action.arguments) for action in actions}) > 1:
            return str(replace(actions[0], arguments=("*",)))
        columns = zip(*(action.arguments for action in actions), strict=True)
        return str(replace(actions[0], arguments=tuple(a[0] if len(set(a)) == 1 else "*" for a in columns)))

    def like(self, calls: Indices) -> Indices:
        """The labels that the pattern of these calls means."""
        actions = [self._actions[call] for call in np.unique(calls)]
        first, same_length = actions[0], len({len(action.arguments) for action in actions}) == 1
        fixed = [n for n, a in enumerate(first.arguments) if same_length and all(b.arguments[n] == a for b in actions)]

        def is_meant(action: Action) -> bool:
            if (action.verb, action.name) != (first.verb, first.name):
                return False
            if not same_length:
                return True
            return len(action.arguments) == len(first.arguments) and all(
                action.arguments[n] == first.arguments[n] for n in fixed
            )

        return np.array([n for n, action in enumerate(self._actions) if is_meant(action)], dtype=np.int64)

    def choices(self, word: int) -> list[str]:
        """The names of what the surroundings were asked for, one after the other."""
        return [_choice_name(self._actions[n]) for n in self._steps.words.labels(word)]

    def _is_shown(self, name: str) -> bool:
        return name != STABLE or not self._steps.are_calls

    def _free(self, name: str, found: dict[str, Coded]) -> str:
        """A name that nothing else has; what is asked for again is the second, the third."""
        name = f"argument {name}" if name.isdigit() else name
        if name in self._taken:
            name = f"the given {name}"
        number, free = 1, name
        while free in self._taken or free in found:
            number += 1
            free = f"{name} #{number}"
        return free

    def _arguments(self, calls: Indices) -> Iterator[tuple[str, Coded]]:
        distinct, places = np.unique(calls, return_inverse=True)
        actions = [self._actions[call] for call in distinct]
        if not actions or len({len(action.arguments) for action in actions}) != 1:
            return
        columns = [_coded([action.arguments[n] for action in actions]) for n in range(len(actions[0].arguments))]
        names = self._names(actions[0], [len(column.texts) > 1 for column in columns])
        for name, column in zip(names, columns, strict=True):
            yield name, Coded(column.texts, column.codes[places])

    def _names(self, action: Action, varies: list[bool]) -> list[str]:
        """What parameters are called, as far as bounds and assumptions say so; else they go by their numbers."""
        origins = self._pairs.new.origin, self._pairs.old.origin
        for origin in origins:
            subjects = [name for name, _ in origin.bounds]
            subjects += [a.subject for a in origin.assumptions if a.kind in (Topic.BOUND, Topic.INPUT)]
            known = list(dict.fromkeys(_parameters(action.name, subjects)))
            if len(known) == len(varies):
                return known
            if len(known) == sum(varies):
                rest = iter(known)
                return [next(rest) if varying else str(n + 1) for n, varying in enumerate(varies)]
        return [str(n + 1) for n in range(len(varies))]

    def _choices(self, inputs: Indices) -> Iterator[tuple[str, Coded]]:
        distinct, places = np.unique(inputs, return_inverse=True)
        words = [[self._actions[n] for n in self._steps.words.labels(int(word))] for word in distinct]
        for number in range(min(max(map(len, words), default=0), _MOST_INPUTS)):
            here = [word[number] if number < len(word) else None for word in words]
            names = {_choice_name(action) for action in here if action is not None}
            name = names.pop() if len(names) == 1 else f"choice {number + 1}"
            column = _coded([_UNASKED if action is None else _choice_value(action) for action in here])
            yield name, Coded(column.texts, column.codes[places])


def choice_phrase(name: str) -> str:
    """What code does when it asks the surroundings: `calls f()`, `does load(x)`."""
    return f"calls {name}" if name.endswith("()") else f"does {name}"


def _parameters(function: str, subjects: Sequence[str]) -> Iterator[str]:
    for subject in subjects:
        owner, _, name = subject.rpartition(".")
        if owner and _NAME.fullmatch(name) and (owner == function or function.endswith(f".{owner}")):
            yield name


def _choice_name(action: Action) -> str:
    match action.verb:
        case Verb.RETURN | Verb.THROW:
            return f"{action.name}()"
        case None:
            return action.name
        case _:
            return f"{action.head}({action.name})"


def _choice_value(action: Action) -> str:
    if action.verb is Verb.THROW:
        return f"throws {', '.join(action.arguments)}"
    return ", ".join(action.arguments) or ("returns" if action.verb is Verb.RETURN else "done")


def _coded(texts: Sequence[str]) -> Coded:
    table: dict[str, int] = {}
    codes = np.array([table.setdefault(text, len(table)) for text in texts], dtype=np.int32)
    return Coded(tuple(table), codes)


def as_proposition(name: str, column: Coded) -> Proposition:
    """Texts as the values that they look like."""
    present = np.array([text != _UNASKED for text in column.texts], dtype=np.bool_)
    defined = None if present.all() else present[column.codes]
    texts = [text for text in column.texts if text != _UNASKED]
    if all(text in _BOOLS for text in texts):
        values = np.array([text == "true" for text in column.texts], dtype=np.int64)
        return Proposition(name, Sort.BOOL, values[column.codes], defined=defined)
    if all(_INTEGER.fullmatch(text) for text in texts):
        values = np.array([0 if text == _UNASKED else int(text) for text in column.texts], dtype=np.int64)
        return Proposition(name, Sort.INT, values[column.codes], defined=defined)
    names = tuple((n, text) for n, text in enumerate(column.texts) if text != _UNASKED)
    sort = Sort.ENUM if all(_NAME.fullmatch(text) for text in texts) else Sort.POINTER
    return Proposition(name, sort, column.codes.astype(np.int64), names, defined)
