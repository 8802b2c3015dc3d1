"""What makes the many states: said when a budget ends the search for more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.explore.cells.contents import Unsure
from stateglass.explore.cells.memory import Object
from stateglass.explore.cells.pieces import Stretch
from stateglass.explore.cells.vague import is_vague
from stateglass.explore.machine import Machine
from stateglass.explore.states import Snapshot
from stateglass.program.names import is_made_up

MANY_STATES: Final = 100
MOST_LOOKED_AT: Final = 20_000
"""Of more states than this, so many are looked at, evenly spread."""
MOST_NAMED: Final = 3
DEEP: Final = 8
"""Functions that call each other less deep than this, and fewer objects, are nothing special."""


@final
@dataclass(slots=True)
class _Values:
    """The values of something: all of them, and which of them were new in the later half of the states."""

    met: dict[Any, bool] = field(default_factory=dict)  # whether it was late

    def add(self, value: Any, late: bool) -> None:
        self.met[value] = late and self.met.get(value, True)

    @property
    def growing(self) -> bool:
        # What is finite has shown nearly all of its values by half time.
        fresh = sum(self.met.values())
        return fresh >= 3 and 4 * fresh >= len(self.met)


@final
@dataclass(slots=True)
class _Whole:
    """A variable of several scalars: which contents it has had in each state, as far as they were looked at."""

    which: npt.NDArray[np.int64]
    scalars: int = 0

    def add(self, which: npt.NDArray[np.int64]) -> None:
        together = self.which * (int(which.max()) + 1) + which
        _, self.which = np.unique(together, return_inverse=True)
        self.scalars += 1


@final
@dataclass(frozen=True, slots=True)
class _Scalar:
    """A cell: the variable it belongs to, where that begins, and its own name.

    A local variable is in another place at each depth of recursion, and for each choice of variadic arguments.
    """

    variable: str
    begin: int
    name: str


def most_values(machine: Machine, states: Sequence[Snapshot]) -> str:
    """What keeps growing: variables by the number of their values, calls by their depth, the heap.

    If nothing does, the variables with the most values.
    """
    if len(states) < MANY_STATES:
        return ""
    step = -(-len(states) // MOST_LOOKED_AT)
    looked_at = states[::step]
    values: dict[str, _Values] = {}
    wholes: dict[tuple[str, int], _Whole] = {}
    for stretches, scalars in (
        (machine.states.stretches_of_variables(looked_at), _variables(machine)),
        (machine.states.stretches_of_others(looked_at), _others(machine)),
    ):
        _gather(values, wholes, stretches, scalars, len(looked_at))
    least = "" if step == 1 else "at least "
    growing = {name: len(found.met) for name, found in values.items() if found.growing}
    deeper = [*_deeper_calls(machine, looked_at), *_more_objects(machine, looked_at)]
    if growing or deeper:
        said = [f"values keep growing in number: {_listed(growing, least)}"] if growing else []
        return "".join(f"; {text}" for text in (*said, *deeper))
    most = {name: len(found.met) for name, found in values.items()}
    # Of an array each element may have few values, and all together many.
    for (name, _), whole in wholes.items():
        if whole.scalars > 1:
            most[name] = max(most.get(name, 0), int(whole.which.max()) + 1)
    listed = _listed(most, least)
    return f"; most values so far: {listed}" if listed else ""


def _listed(counts: dict[str, int], least: str) -> str:
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"`{name}` ({least}{count:,})" for name, count in ordered[:MOST_NAMED] if count > 2)


def _gather(
    values: dict[str, _Values],
    wholes: dict[tuple[str, int], _Whole],
    stretches: Iterable[Stretch],
    scalars: dict[int, _Scalar],
    count: int,
) -> None:
    for stretch in stretches:
        which = np.zeros(count, dtype=np.int64) if stretch.which is None else stretch.which
        _, firsts = np.unique(which, return_index=True)
        for offset in range(max(map(len, stretch.rows))):
            scalar = scalars.get(stretch.first + offset)
            if scalar is None:
                continue
            numbers: dict[Any, int] = {}
            places = []
            for row, first in zip(stretch.rows, firsts.tolist(), strict=True):
                content = row[offset] if offset < len(row) else None
                places.append(numbers.setdefault(content, len(numbers)))
                content = content.value if isinstance(content, Unsure) else content
                if isinstance(content, int) or is_vague(content):
                    values.setdefault(scalar.name, _Values()).add(content, 2 * first >= count)
            if len(numbers) > 1:
                place = scalar.variable, scalar.begin
                whole = wholes.setdefault(place, _Whole(np.zeros(count, dtype=np.int64)))
                whole.add(np.array(places, dtype=np.int64)[which])


def _deeper_calls(machine: Machine, states: Sequence[Snapshot]) -> Iterator[str]:
    """The function that is running most often at the same time, if it is more often than in the first half."""
    half = len(states) // 2
    early, late = (_deepest(machine, part) for part in (states[:half], states[half:]))
    name, depth = max(late.items(), key=lambda item: item[1], default=("", 0))
    if depth >= DEEP and depth > early.get(name, 0):
        yield f"calls nest deeper and deeper: `{name}` ({depth})"


def _deepest(machine: Machine, states: Sequence[Snapshot]) -> dict[str, int]:
    found: dict[str, int] = {}
    for stack in {s.stack for s in states}:
        for name, depth in Counter(machine.states.running(stack)).items():
            found[name] = max(depth, found.get(name, 0))
    return found


def _more_objects(machine: Machine, states: Sequence[Snapshot]) -> Iterator[str]:
    half = len(states) // 2
    early, late = (max(machine.states.on_heap(s) for s in part) for part in (states[:half], states[half:]))
    if late >= DEEP and late > early:
        yield f"objects on the heap become more and more ({late})"


def _variables(machine: Machine) -> dict[int, _Scalar]:
    """The scalars of all variables by their numbers."""
    found = (_scalars(v, v.name, machine.first_variable) for v in machine.globals.values() if not v.readonly)
    return {number: scalar for scalars in found for number, scalar in scalars}


def _others(machine: Machine) -> dict[int, _Scalar]:
    """The same for the locals of functions, at whatever depth, and for the heap."""
    found = [_scalars(o, o.name, machine.last_variable) for o in machine.heap.objects]
    for activation in machine.activations:
        for name, variable in activation.variables.items():
            if not is_made_up(name):
                found.append(_scalars(variable, f"{activation.function.name}::{name}", machine.last_variable))
    return {number: scalar for scalars in found for number, scalar in scalars}


def _scalars(variable: Object, name: str, origin: int) -> Iterator[tuple[int, _Scalar]]:
    for number, cell in enumerate(variable.shape, variable.first - origin):
        yield number, _Scalar(name, variable.first, name + cell.path)
