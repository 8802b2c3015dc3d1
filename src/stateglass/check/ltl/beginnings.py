"""Runs that violate a formula however they go on: of a partial model, what follows them need not be known.

The automaton of the formula is followed as a set of states: all that it can be in after what was read. Each of them
accepts something. Where the set becomes empty, the run violates the formula whatever follows (Kupferman and Vardi:
Model checking of safety properties, 2001). Exponential in the automaton; linear in the product with the model.

An event that must get its turn changes nothing: every beginning of a run goes on to a run in which all of them do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.check.ltl.alphabet import Alphabet
from stateglass.check.ltl.automaton import Automaton, Transition
from stateglass.check.ltl.limits import SETS, TooLargeError
from stateglass.check.ltl.product import Product, table_of
from stateglass.evidence import Path, Step
from stateglass.model import Model
from stateglass.model.model import Flags

_NOTHING: Final = frozenset[int]()


@final
@dataclass(frozen=True, slots=True)
class Beginning:
    """Transitions of a model from its initial state on, after which nothing satisfies a formula any more."""

    steps: tuple[int, ...]
    ends: bool  # whether the run is over there

    def path(self, model: Model) -> Path:
        """The run as evidence."""
        steps = tuple(
            Step(int(model.sources[i]), int(model.targets[i]), model.labels[model.actions[i]]) for i in self.steps
        )
        return Path(model.initial, steps, ends=self.ends)


def shortest_beginning(
    automaton: Automaton, goal: int, model: Model, open: Flags, avoided: Flags, alphabet: Alphabet
) -> Beginning | None:
    """A shortest run after which an automaton is in a state from which it is clear that the formula is violated."""
    table = table_of(automaton, alphabet, (), strict=False)
    product = Product(model, open, avoided, alphabet, table, automaton.states)
    product.explore(stop=False)
    at, state = np.divmod(product.nodes, model.states)
    wanted: Flags = at == goal
    # What is seen of a state is read there whatever its next step is.
    unknown = np.flatnonzero(open[state])
    cell = at[unknown] * alphabet.letters + alphabet.grid[alphabet.state_class[state[unknown]], -1]
    before = np.append(0, np.cumsum(table.ends == goal))
    wanted[unknown] |= before[table.begins[cell + 1]] > before[table.begins[cell]]
    if not wanted.any():
        return None
    queue, parent, via = product.approach(wanted, 1)
    node = int(queue[wanted[queue]][0])
    steps: list[int] = []
    ends = False
    while node != 0:
        step = int(via[node])
        if step < 0:
            ends = True
        else:
            steps.append(step)
        node = int(parent[node])
    return Beginning(tuple(reversed(steps)), ends)


def sets_of(automaton: Automaton, letters: int) -> tuple[Automaton, int]:
    """The deterministic automaton of sets of states, and the number of the empty one (-1: it is not reached).

    Each state is to accept something. Sets with a state that can read whatever comes are left out: they never become
    empty.
    """
    if not automaton.states:
        return Automaton(((),), 0), 0
    everything = (1 << letters) - 1
    lasting = _lasting(automaton, everything)
    if 0 in lasting:
        return Automaton(((),), 0), -1
    numbers = {frozenset({0}): 0}
    waiting = [frozenset({0})]
    rows: list[tuple[Transition, ...]] = []
    cost = 0
    unit = 1 + (letters >> 12)
    while len(rows) < len(waiting):
        # The letters after which each set of states is reached.
        reached = {_NOTHING: everything} if waiting[len(rows)] else {}
        for state in sorted(waiting[len(rows)]):
            for step in automaton.transitions[state]:
                split: dict[frozenset[int], int] = {}
                for targets, those in reached.items():
                    read = those & step.letters
                    if read and step.target not in lasting:
                        more = targets | {step.target}
                        split[more] = split.get(more, 0) | read
                    if read != those:
                        split[targets] = split.get(targets, 0) | (those & ~read)
                reached = split
                cost += unit * (1 + len(reached))
                if cost > SETS:
                    raise TooLargeError("its automaton can be in too many sets of states")
        row = []
        for targets, those in reached.items():
            if targets not in numbers:
                numbers[targets] = len(waiting)
                waiting.append(targets)
            row.append(Transition(those, numbers[targets], 0))
        rows.append(tuple(row))
    return Automaton(tuple(rows), 0), numbers.get(_NOTHING, -1)


def universal(automaton: Automaton, letters: int) -> int:
    """A state that accepts whatever comes, by a step to itself (-1: none is found)."""
    step = ((1 << letters) - 1, (1 << automaton.marks) - 1)
    for state, row in enumerate(automaton.transitions):
        if any((other.letters, other.marks) == step and other.target == state for other in row):
            return state
    return -1


def _lasting(automaton: Automaton, everything: int) -> set[int]:
    """States with which an automaton can go on for ever, whatever it reads."""
    found = set(range(automaton.states))
    while True:
        kept = set()
        for state in found:
            readable = 0
            for step in automaton.transitions[state]:
                if step.target in found:
                    readable |= step.letters
            if readable == everything:
                kept.add(state)
        if kept == found:
            return found
        found = kept
