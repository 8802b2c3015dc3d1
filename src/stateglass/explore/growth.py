"""Which variables make the many states: said when a budget ends the search for more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, final

from stateglass.explore.machine import Machine, Snapshot
from stateglass.explore.memory import Object
from stateglass.explore.vague import is_vague

MANY_STATES: Final = 1000
MOST_LOOKED_AT: Final = 20_000
"""Of more states than this, so many are looked at, evenly spread."""
MOST_NAMED: Final = 3


@final
@dataclass(slots=True)
class _Values:
    """The values of one scalar: all of them, and how many of them were new in the later half of the states."""

    seen: set[Any] = field(default_factory=set)
    fresh: int = 0

    def add(self, value: Any, late: bool) -> None:
        if value not in self.seen:
            self.seen.add(value)
            self.fresh += late

    @property
    def growing(self) -> bool:
        # What is finite has shown nearly all of its values by half time.
        return self.fresh >= 3 and 4 * self.fresh >= len(self.seen)


def most_values(machine: Machine, states: Sequence[Snapshot]) -> str:
    """The variables with the most values, those first and alone whose values keep growing in number."""
    if len(states) < MANY_STATES:
        return ""
    values: dict[str, _Values] = {}
    step = -(-len(states) // MOST_LOOKED_AT)
    for number in range(0, len(states), step):
        late = 2 * number >= len(states)
        for name, content in _contents(machine, states[number]):
            if isinstance(content, int) or is_vague(content):
                values.setdefault(name, _Values()).add(content, late)
    growing = {name: found for name, found in values.items() if found.growing}
    ordered = sorted((growing or values).items(), key=lambda item: -len(item[1].seen))
    least = "" if step == 1 else "at least "
    shown = [f"`{n}` ({least}{len(v.seen):,})" for n, v in ordered[:MOST_NAMED] if len(v.seen) > 2]
    if not shown:
        return ""
    what = "values keep growing in number" if growing else "most values so far"
    return f"; {what}: {', '.join(shown)}"


def _contents(machine: Machine, state: Snapshot) -> Iterator[tuple[str, Any]]:
    """Every scalar of a state by its name: variables, and the locals of all functions that are running."""
    position = machine.last_variable - machine.first_variable
    for variable in machine.globals.values():
        if not variable.readonly:
            yield from _scalars(variable, variable.name, state.cells, variable.first - machine.first_variable)
    for number, _ in state.frames:
        activation = machine.activation(number)
        for name, variable in activation.variables.items():
            if not name.startswith("%"):
                begin = position + variable.first - activation.first
                yield from _scalars(variable, f"{activation.function.name}::{name}", state.cells, begin)
        position += activation.end - activation.first


def _scalars(variable: Object, name: str, cells: Sequence[Any], begin: int) -> Iterator[tuple[str, Any]]:
    # An array is one thing to whoever writes a map.
    for cell, content in zip(variable.shape, cells[begin : begin + len(variable.shape)], strict=False):
        yield name + cell.path, content
