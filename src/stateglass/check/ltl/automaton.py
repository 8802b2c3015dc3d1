"""Generalised Büchi automata on the letters of a model, and how they are made smaller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.check.ltl.limits import MARKS, TooLargeError
from stateglass.graphs.lists import components
from stateglass.model.model import Flags

_QUOTIENT_WORK: Final = 2_000_000
"""States times transitions up to which bisimilar states are looked for: more rounds cost more than they save."""


@final
@dataclass(frozen=True, slots=True)
class Transition:
    """A step on any of some letters, held as bits; so are the marks that it bears."""

    letters: int
    target: int
    marks: int


@final
@dataclass(frozen=True, slots=True)
class Automaton:
    """The transitions of each state; 0 is initial. A run is accepted if it meets each mark again and again.

    Without states, nothing is accepted.
    """

    transitions: tuple[tuple[Transition, ...], ...]
    marks: int

    @property
    def states(self) -> int:
        return len(self.transitions)

    @property
    def size(self) -> int:
        return sum(map(len, self.transitions))


def letters_of(flags: Flags) -> int:
    """A set of letters as the bits of a number."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def flags_of(letters: int, count: int) -> Flags:
    """The opposite of `letters_of`."""
    raw = np.frombuffer(letters.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(raw, count=count, bitorder="little").astype(np.bool_)


def simplified(automaton: Automaton) -> Automaton:
    """The same language with fewer states and marks.

    States from which nothing is accepted go, components keep only marks that some of their transitions lack (Somenzi
    and Bloem, 2000), and bisimilar states become one.
    """
    return _quotient(_pruned(automaton))


def _pruned(automaton: Automaton) -> Automaton:
    component = components([[step.target for step in row] for row in automaton.transitions])
    count = max(component, default=-1) + 1
    full = (1 << automaton.marks) - 1
    # By component: the marks that some of its steps bear, and those that all of them do.
    some, always = [0] * count, [full] * count
    cyclic = [False] * count
    for state, row in enumerate(automaton.transitions):
        own = component[state]
        for step in row:
            if component[step.target] == own:
                cyclic[own] = True
                some[own] |= step.marks
                always[own] &= step.marks
    accepting = [cyclic[c] and some[c] == full for c in range(count)]
    # Components are numbered against the direction of the steps: targets come first.
    useful = list(accepting)
    for state in sorted(range(automaton.states), key=lambda state: component[state]):
        useful[component[state]] |= any(useful[component[step.target]] for step in automaton.transitions[state])
    if not automaton.states or not useful[component[0]]:
        return Automaton((), 0)
    # A run stays in one component in the end, so each component can number its own marks from 0; a mark that all of its
    # steps bear is no condition there. Steps between components need none.
    wanted = [
        [bit for bit in range(automaton.marks) if not always[c] >> bit & 1] if accepting[c] else []
        for c in range(count)
    ]
    marks = max(map(len, wanted))
    # A component that accepts nothing must have a mark that its steps lack.
    if not marks and any(cyclic[c] and not accepting[c] and useful[c] for c in range(count)):
        marks = 1
    if marks > MARKS:
        raise TooLargeError(f"its automaton has more than {MARKS} conditions of acceptance")
    numbers: dict[int, int] = {}
    for state in range(automaton.states):
        if useful[component[state]]:
            numbers[state] = len(numbers)
    rows = []
    for state in numbers:
        own = component[state]
        joined: dict[tuple[int, int], int] = {}
        for step in automaton.transitions[state]:
            if step.target not in numbers:
                continue
            borne = 0
            if accepting[own] and component[step.target] == own:
                # Marks beyond those of its own component are met at every step.
                borne = ((1 << marks) - 1) & ~((1 << len(wanted[own])) - 1)
                borne |= sum(1 << place for place, bit in enumerate(wanted[own]) if step.marks >> bit & 1)
            key = (numbers[step.target], borne)
            joined[key] = joined.get(key, 0) | step.letters
        rows.append(tuple(Transition(letters, target, borne) for (target, borne), letters in joined.items()))
    return Automaton(tuple(rows), marks)


def _quotient(automaton: Automaton) -> Automaton:
    if automaton.states * automaton.size > _QUOTIENT_WORK:
        return automaton
    classes = [0] * automaton.states
    count = 1
    while True:
        signatures: dict[tuple[int, frozenset[tuple[tuple[int, int], int]]], int] = {}
        refined = []
        for state, row in enumerate(automaton.transitions):
            signature = (classes[state], frozenset(_by_class(row, classes).items()))
            refined.append(signatures.setdefault(signature, len(signatures)))
        classes = refined
        if len(signatures) == count:
            break
        count = len(signatures)
    first: dict[int, int] = {}
    for state, number in enumerate(classes):
        first.setdefault(number, state)
    return Automaton(
        tuple(
            tuple(
                Transition(letters, target, marks)
                for (target, marks), letters in _by_class(automaton.transitions[first[number]], classes).items()
            )
            for number in range(count if automaton.states else 0)
        ),
        automaton.marks,
    )


def _by_class(row: tuple[Transition, ...], classes: list[int]) -> dict[tuple[int, int], int]:
    joined: dict[tuple[int, int], int] = {}
    for step in row:
        key = (classes[step.target], step.marks)
        joined[key] = joined.get(key, 0) | step.letters
    return joined
