"""Predicates of the user in the names of the system in which threads take turns: they may speak of several threads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Final, final

from stateglass.logic.predicates import Applied, Named, Number, Predicate, Text
from stateglass.logic.reading.conditions import Condition
from stateglass.program.names import is_made_up
from stateglass.source import Span
from stateglass.system.threads import Threads
from stateglass.unbounded.given import Given, given_of, names_in, note_unknown, read_all
from stateglass.unbounded.temporal.atoms import Words
from stateglass.unbounded.threads.turns.systems import Turns
from stateglass.unbounded.threads.turns.weaving import WOVEN

MOST_MEANINGS: Final = 32
"""A function that several threads call, or one at several places, has variables of its own each time."""


def read_for_turns(
    texts: Sequence[str], turns: Turns, threads: Threads, places: Mapping[str, Span] | None = None
) -> tuple[Given, ...]:
    """Each predicate for all variables that it can mean; all that is wrong with them is one `InputError`."""
    if not texts:
        return ()
    reading = _Reading(Words(turns.system, inner=True), threads)
    return tuple(given for several in read_all(texts, reading.of, places) for given in several)


@final
class _Reading:
    def __init__(self, words: Words, threads: Threads) -> None:
        self._words = words
        self._known = names_in(words)
        self._threads = {thread.name: thread.function for thread in threads.threads if thread.process is None}
        self._meant: dict[str, dict[str, None]] = {}  # the variables of the system that a user's name means
        for name in self._known:
            for own in (name, *self._own_names(name)):
                self._meant.setdefault(own, {})[name] = None

    def _own_names(self, name: str) -> list[str]:
        """What users call a variable: `left::x` within the function of a thread, `get::x` within one that it calls."""
        inner = re.fullmatch(rf"{re.escape(WOVEN)}::(\w+)\.(?:(\w+)\.\d+\.)?(.*)", name)
        if inner is None:
            return [f"{thread}.{name}" for thread in self._threads]
        thread, function, variable = inner[1], inner[2] or self._threads[inner[1]], inner[3]
        if is_made_up(variable):
            return []
        return [f"{function}::{variable}", f"{thread}.{function}::{variable}"]

    def of(self, condition: Condition) -> list[Given] | None:
        """A condition for all variables that it can mean; None after a problem was noted."""
        names = dict.fromkeys(node.name for node in condition.named())
        for node in condition.named():
            if node.name not in self._meant:
                own = (name for name in self._meant if not name.startswith(WOVEN))
                note_unknown(condition.text, node, frozenset(own))
        if condition.text.problems:
            return None
        found = []
        for row in islice(product(*(sorted(self._meant[name]) for name in names)), MOST_MEANINGS):
            meant = _renamed(condition.predicate, dict(zip(names, row, strict=True)))
            given = given_of(condition, meant, self._words)
            if given is None:
                return None
            found.append(given)
        return found


def _renamed(predicate: Predicate, meant: Mapping[str, str]) -> Predicate:
    match predicate:
        case Named(name, span):
            return Named(meant[name], span)
        case Applied(operator, operands):
            return Applied(operator, tuple(_renamed(operand, meant) for operand in operands))
        case Number() | Text():
            return predicate
