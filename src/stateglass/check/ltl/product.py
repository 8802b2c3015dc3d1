"""The product of a model and an automaton: its strongly connected components, and which of them hold an accepted run.

A component does if its steps bear all marks together, and an event that must get its turn again and again (a Streett
pair) happens in it or cannot happen in it; where it can and does not, the component is looked at again without the
states in which it can (Emerson and Lei: Modalities for model checking, 1987). Linear in the product without such
events, and for each of them at most so many times.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.check.ltl import loops
from stateglass.check.ltl.alphabet import Alphabet
from stateglass.check.ltl.automaton import Automaton, flags_of
from stateglass.check.ltl.limits import MARKS, TABLE, TooLargeError
from stateglass.check.ltl.loops import Longs
from stateglass.compiled.interrupts import whole
from stateglass.graphs.arrays import components
from stateglass.logic.claims import Fairness
from stateglass.model import Model
from stateglass.model.model import Flags, Ints

MOST_PLAIN: Final = 20_000
"""Up to so many states and transitions, a loop runs as plain Python in the time that loading machine code takes."""


@final
@dataclass(frozen=True)
class Table:
    """What an automaton does with each letter: entries `begins[q * letters + l]` … lead to `ends` and bear `marks`.

    Bit 0 of the marks is borne by every step, so that a component without steps has not all marks. Then come those of
    the automaton, of events that get their turn weakly, and of strong ones that happen; `enabled` has the bits of the
    latter where they can happen.
    """

    letters: int
    begins: Ints
    ends: Ints
    marks: Longs
    enabled: Longs
    all_marks: int
    pairs: int  # the bits of events that get their turn strongly


def table_of(automaton: Automaton, alphabet: Alphabet, fairness: tuple[Fairness, ...], *, strict: bool) -> Table:
    if automaton.states * alphabet.letters > TABLE:
        raise TooLargeError(f"its automaton of {automaton.states:,} states tells {alphabet.letters:,} letters apart")
    if 1 + automaton.marks + len(fairness) > MARKS:
        raise TooLargeError(f"there are more than {MARKS} conditions to be met again and again")
    count = alphabet.letters
    own, able = np.ones(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    least = 2 if strict else 1
    pairs = 0
    for number, fair in enumerate(fairness):
        bit = np.int64(1 << (1 + automaton.marks + number))
        happens, enabled = alphabet.happens[number] >= least, alphabet.enabled[number]
        if fair.strong:
            pairs |= int(bit)
            own[happens] |= bit
            able[enabled > 2 - least] |= bit
        else:
            # Weakly fair: the event happens again and again, or again and again it cannot. Both are one mark.
            own[happens | (enabled <= 2 - least)] |= bit
    cells: list[npt.NDArray[np.int64]] = []
    ends: list[npt.NDArray[np.int32]] = []
    marks: list[Longs] = []
    enabled_rows: list[Longs] = []
    for state, row in enumerate(automaton.transitions):
        for step in row:
            letters = np.flatnonzero(flags_of(step.letters, count))
            cells.append(letters + state * count)
            ends.append(np.full(len(letters), step.target, dtype=np.int32))
            marks.append(own[letters] | np.int64(step.marks << 1))
            enabled_rows.append(able[letters])
    cell = _joined(cells, np.int64)
    order = np.argsort(cell, kind="stable")
    begins = np.zeros(automaton.states * count + 1, dtype=np.int32)
    np.cumsum(np.bincount(cell, minlength=automaton.states * count), out=begins[1:])
    everything = (1 << (1 + automaton.marks + len(fairness))) - 1
    return Table(
        count,
        begins,
        _joined(ends, np.int32)[order],
        _joined(marks, np.int64)[order],
        _joined(enabled_rows, np.int64)[order],
        everything & ~pairs,
        pairs,
    )


def _joined(pieces: list[Any], dtype: Any) -> npt.NDArray[Any]:
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=dtype)


@final
@dataclass(frozen=True)
class Part:
    """Some nodes of a product and the steps between them; those are transitions of the model, -1 where a run ended."""

    members: Ints
    first: Longs
    targets: Ints
    marks: Longs
    enabled: Longs
    steps: Longs


@final
class Product:
    """A product, visited once; later questions are answered from what the visit has left behind."""

    def __init__(
        self, model: Model, open: Flags, avoiding: Flags, alphabet: Alphabet, table: Table, states: int
    ) -> None:
        self.model = model
        self.table = table
        flags = open.astype(np.uint8) * np.uint8(loops.OPEN) + avoiding.astype(np.uint8) * np.uint8(loops.AVOIDED)
        self._rules = loops.Rules(
            model.first,
            model.actions,
            model.targets,
            flags,
            alphabet.state_class,
            alphabet.label_class,
            alphabet.grid,
            table.letters,
            table.begins,
            table.ends,
            table.marks,
            table.enabled,
        )
        self._space = model.states * states
        self._plain = model.states + model.transitions <= MOST_PLAIN
        self._visited: loops.Visited

    @cached_property
    def _loops(self) -> Any:
        if self._plain:
            return loops
        from stateglass.check.ltl import kernels

        return kernels

    @property
    def nodes(self) -> Longs:
        return self._visited.nodes

    @property
    def component(self) -> Ints:
        return self._visited.component

    def explore(self, *, stop: bool) -> tuple[bool, int]:
        """Whether it stopped at an accepted run, and the first node where unexplored behaviour may be one (-1: none).

        With `stop` false all of the product is visited.
        """
        space, table = self._space, self.table
        try:
            # Memory that is not touched costs nothing: these have room for the whole product, of which less is met.
            longs = [np.empty(space, dtype=np.int64) for _ in range(8)]
            ints = [np.empty(space, dtype=np.int32) for _ in range(5)]
            number = np.zeros(space, dtype=np.int32)
        except MemoryError:
            raise TooLargeError(f"a product of {space:,} nodes has no place in memory") from None
        visited = loops.Visited(number, longs[0], ints[0], longs[1], longs[2])
        stacks = loops.Stacks(ints[1], longs[3], ints[2], ints[3], longs[4], longs[5], longs[6], longs[7], ints[4])
        # With strong fairness, a component with all marks may hold no fair run: none can stop the search.
        all_marks = table.all_marks if stop and not table.pairs else -1
        met, found, stopped, doubt = whole(
            self._loops.explored, self._rules, visited, stacks, self.model.initial, all_marks
        )
        self._visited = loops.Visited(
            number,
            visited.nodes[:met],
            visited.component[:met],
            visited.component_marks[:found],
            visited.component_enabled[:found],
        )
        return bool(stopped), doubt

    def accepting(self) -> tuple[Flags, Longs]:
        """The nodes of components that hold accepted runs; for each the bits of events that its runs do without.

        Runs inside take no step at which such an event can happen.
        """
        table = self.table
        full = self._visited.component_marks & table.all_marks == table.all_marks
        lacking = self._visited.component_enabled & ~self._visited.component_marks & table.pairs
        accepted = (full & (lacking == 0))[self.component]
        banned = np.zeros(len(self.nodes) if table.pairs else 1, dtype=np.int64)
        again = full & (lacking != 0)
        if again.any():
            members = np.flatnonzero(again[self.component]).astype(np.int32)
            accepted[members], banned[members] = self._without(members)
        return accepted, np.broadcast_to(banned, (len(self.nodes),))

    def part(self, members: Ints) -> Part:
        place = np.full(len(self.nodes), -1, dtype=np.int32)
        place[members] = np.arange(len(members), dtype=np.int32)

        def arrays(size: int) -> loops.Steps:
            marks, enabled, steps = (np.empty(size, dtype=np.int64) for _ in range(3))
            first = np.zeros(len(members) + 1, dtype=np.int64)
            return loops.Steps(first, np.empty(size, dtype=np.int32), marks, enabled, steps)

        induced = self._loops.induced
        # Once to count the steps, and once to list them.
        size = whole(induced, self._rules, self._visited, members, place, 0, arrays(0))
        found = arrays(size)
        whole(induced, self._rules, self._visited, members, place, size, found)
        return Part(members, *found)

    def _without(self, members: Ints) -> tuple[Flags, Longs]:
        part = self.part(members)
        sources = np.repeat(np.arange(len(members), dtype=np.int32), np.diff(part.first))
        banned = np.zeros(len(members), dtype=np.int64)
        accepted = np.zeros(len(members), dtype=np.bool_)
        alive = np.ones(len(members), dtype=np.bool_)
        # An event that can happen in a component and never does is banned there: the steps at which it can happen are
        # left out, and what is left is looked at again. Each round bans an event or ends a component.
        while alive.any():
            used = alive[sources] & alive[part.targets] & (part.enabled & banned[sources] == 0)
            component, count = components(part.first, part.targets, used)
            inner = used & (component[sources] == component[part.targets])
            marks, enabled = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
            np.bitwise_or.at(marks, component[sources[inner]], part.marks[inner])
            np.bitwise_or.at(enabled, component[sources[inner]], part.enabled[inner])
            full = marks & self.table.all_marks == self.table.all_marks
            lacking = enabled & ~marks & self.table.pairs
            accepted |= (full & (lacking == 0))[component]
            alive &= (full & (lacking != 0))[component]
            banned |= np.where(alive, lacking[component], 0)
        return accepted, banned

    def approach(self, wanted: Flags, most: int) -> tuple[Ints, Ints, Longs]:
        """Nodes breadth first until `most` wanted ones were met, the node before each, and the step from there."""
        count = len(self.nodes)
        parent = np.full(count, -1, dtype=np.int32)
        via = np.full(count, -1, dtype=np.int64)
        queue = np.empty(count, dtype=np.int32)
        length = whole(
            self._loops.approached,
            self._rules,
            self._visited,
            wanted.view(np.uint8),
            most,
            parent,
            via,
            queue,
        )
        return queue[:length], parent, via
