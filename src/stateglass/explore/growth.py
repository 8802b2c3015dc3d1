"""Which variables make the many states: said when a budget ends the search for more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, final

import numpy as np

from stateglass.explore.machine import Machine, Snapshot
from stateglass.explore.memory import Object
from stateglass.explore.pieces import Stretch
from stateglass.explore.vague import is_vague

MANY_STATES: Final = 1000
MOST_LOOKED_AT: Final = 20_000
"""Of more states than this, so many are looked at, evenly spread."""
MOST_NAMED: Final = 3


@final
@dataclass(slots=True)
class _Values:
    """The values of one scalar: all of them, and how many of them were new in the later half of the states."""

    met: dict[Any, bool] = field(default_factory=dict)  # whether it was late

    def add(self, value: Any, late: bool) -> None:
        self.met[value] = late and self.met.get(value, True)

    @property
    def growing(self) -> bool:
        # What is finite has shown nearly all of its values by half time.
        fresh = sum(self.met.values())
        return fresh >= 3 and 4 * fresh >= len(self.met)


def most_values(machine: Machine, states: Sequence[Snapshot]) -> str:
    """The variables with the most values, those first and alone whose values keep growing in number."""
    if len(states) < MANY_STATES:
        return ""
    step = -(-len(states) // MOST_LOOKED_AT)
    looked_at = states[::step]
    values: dict[str, _Values] = {}
    _gather(values, machine.stretches_of_variables(looked_at), _variables(machine), len(looked_at))
    _gather(values, machine.stretches_of_others(looked_at), _others(machine), len(looked_at))
    growing = {name: found for name, found in values.items() if found.growing}
    ordered = sorted((growing or values).items(), key=lambda item: -len(item[1].met))
    least = "" if step == 1 else "at least "
    shown = [f"`{n}` ({least}{len(v.met):,})" for n, v in ordered[:MOST_NAMED] if len(v.met) > 2]
    if not shown:
        return ""
    what = "values keep growing in number" if growing else "most values so far"
    return f"; {what}: {', '.join(shown)}"


def _gather(values: dict[str, _Values], stretches: Iterable[Stretch], names: dict[int, str], count: int) -> None:
    for stretch in stretches:
        which = np.zeros(1, dtype=np.int64) if stretch.which is None else stretch.which
        _, firsts = np.unique(which, return_index=True)
        for row, first in zip(stretch.rows, firsts.tolist(), strict=True):
            for number, content in enumerate(row, stretch.first):
                if number in names and (isinstance(content, int) or is_vague(content)):
                    values.setdefault(names[number], _Values()).add(content, 2 * first >= count)


def _variables(machine: Machine) -> dict[int, str]:
    """The scalars of all variables by their names."""
    found = (_scalars(v, v.name, machine.first_variable) for v in machine.globals.values() if not v.readonly)
    return {number: name for scalars in found for number, name in scalars}


def _others(machine: Machine) -> dict[int, str]:
    """The same for the locals of functions, at whatever depth, and for the heap."""
    found = [_scalars(o, o.name, machine.last_variable) for o in machine.heap.objects]
    for activation in machine.activations:
        for name, variable in activation.variables.items():
            if not name.startswith("%"):
                found.append(_scalars(variable, f"{activation.function.name}::{name}", machine.last_variable))
    return {number: name for scalars in found for number, name in scalars}


def _scalars(variable: Object, name: str, origin: int) -> Iterator[tuple[int, str]]:
    for number, cell in enumerate(variable.shape, variable.first - origin):
        yield number, name + cell.path
