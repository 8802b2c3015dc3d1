"""The variables of a program as propositions of the states that were found."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from stateglass.explore.cells.contents import Unsure
from stateglass.explore.cells.pieces import Stretch
from stateglass.explore.cells.vague import is_vague
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Ended, Stable
from stateglass.explore.shown.actions import Texts
from stateglass.explore.shown.containers import MOST_STATES, Container, containers_of, shown_contents
from stateglass.explore.states import Snapshot
from stateglass.model import Proposition, Sort
from stateglass.program import Bool, Enum, Float, Pointer, Scalar, representation
from stateglass.program.classes import TABLE
from stateglass.program.exceptions import is_of_exceptions
from stateglass.program.floats import to_python
from stateglass.program.names import is_made_up

MOST_PROPOSITIONS: Final = 4096
"""With more scalars than this, arrays of more than `LONG_ARRAY` elements are not shown."""
LONG_ARRAY: Final = 64


def propositions(machine: Machine, texts: Texts, states: Sequence[Snapshot]) -> tuple[list[Proposition], list[str]]:
    """`stable` and one proposition for each scalar variable, and the names of variables that were left out."""
    stable = np.array([_is_stable(s) for s in states], dtype=np.int64)
    shown, left_out = _shown_cells(machine)
    containers = _containers(machine)
    if len(states) > MOST_STATES:
        left_out += [container.name for container in containers]
        containers = []
    columns: dict[int, Proposition] = {}
    whole = {
        c.size: column for c, column in zip(containers, shown_contents(machine, texts, containers, states), strict=True)
    }
    for stretch in machine.states.stretches_of_variables(states):
        # Variables live for ever: their rows are all equally long.
        for position, contents in enumerate(zip(*stretch.rows, strict=True), stretch.first):
            if position in shown:
                values = [c.value if isinstance(c, Unsure) else c for c in contents]
                column = _column(*shown[position], values, texts)
                columns[position] = _spread(column, stretch, len(states))
    found = [Proposition("stable", Sort.BOOL, stable)]
    for position in shown:
        if machine.first_variable + position in whole:
            found.append(whole[machine.first_variable + position])
        found.append(columns[position])
    return found, left_out


def cells_called(machine: Machine, names: Collection[str]) -> list[int]:
    """The numbers of the cells that propositions of these names show; a name may leave out what stands before it."""
    endings = tuple(f"{mark}{name}" for name in names for mark in ("::", "."))
    shown, _ = _shown_cells(machine)
    found = [n for n, (name, _) in shown.items() if name in names or name.endswith(endings)]
    return [machine.first_variable + n for n in found]


def shown_names(machine: Machine) -> dict[str, tuple[int, Scalar]]:
    """The numbers and types of the cells that propositions show, by name."""
    shown, _ = _shown_cells(machine)
    return {name: (machine.first_variable + number, type) for number, (name, type) in shown.items()}


def unsigned_names(machine: Machine) -> frozenset[str]:
    """The propositions that C computes without a sign: smaller numbers than `int` are converted to it."""
    shown, _ = _shown_cells(machine)
    numbers = [(name, representation(type)) for name, type in shown.values() if not isinstance(type, Float | Pointer)]
    least = machine.program.target.int_bits
    return frozenset(name for name, number in numbers if not number.signed and number.bits >= least)


def names_called(machine: Machine, names: Collection[str]) -> frozenset[str]:
    """The propositions that these names mean: those that are called so, else those whose names end so."""
    shown, _ = _shown_cells(machine)
    exactly = {name for name, _ in shown.values() if name in names}
    cells = cells_called(machine, [name for name in names if name not in exactly])
    return frozenset(exactly.union(shown[n - machine.first_variable][0] for n in cells))


def numbers_in(machine: Machine, state: Snapshot) -> dict[str, tuple[int, Scalar]]:
    """What the variables that propositions show hold in a state, as far as that is a single number."""
    machine.restore(state)
    shown, _ = _shown_cells(machine)
    cells = {named: machine.cells[machine.first_variable + n] for n, named in shown.items()}
    return {name: (content, type) for (name, type), content in cells.items() if isinstance(content, int)}


def _spread(column: Proposition, stretch: Stretch, count: int) -> Proposition:
    """From a value for each row that there is to a value for each state; what is always the same is there once."""

    def spread(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.broadcast_to(values, (count,)) if stretch.which is None else values[stretch.which]

    defined = None if column.defined is None else spread(column.defined)
    return Proposition(column.name, column.sort, spread(column.values), column.names, defined)


def _is_stable(state: Snapshot) -> bool:
    match state.pause:
        case Stable(chosen):
            return chosen == 0
        case Ended(failed):
            return not failed
        case _:
            return False


def _shown_cells(machine: Machine) -> tuple[dict[int, tuple[str, Scalar]], list[str]]:
    objects = [o for o in machine.globals.values() if o.first >= machine.first_variable and not o.readonly]
    total = sum(len(o.shape) for o in objects)
    cells: dict[int, tuple[str, Scalar]] = {}
    left_out: list[str] = []
    containers = _containers(machine)
    inside = {number for container in containers for number in container.cells}
    sizes = {container.size: f"{container.name}.size" for container in containers}
    for variable in objects:
        called = machine.called.get(variable.name, {})
        if is_made_up(variable.name) or is_of_exceptions(variable.name):
            continue
        if total > MOST_PROPOSITIONS and len(variable.shape) > LONG_ARRAY:
            left_out.append(variable.name)
            continue
        for number, cell in enumerate(variable.shape, variable.first - machine.first_variable):
            cell_number = machine.first_variable + number
            name = sizes.get(cell_number, called.get(cell.path, variable.name + cell.path))
            if cell.padding or not name or TABLE in cell.path or (cell_number in inside and cell_number not in sizes):
                continue
            if representation(cell.type).bits <= 64:
                cells[number] = name, cell.type
            else:
                left_out.append(name)
    return cells, left_out


def _containers(machine: Machine) -> list[Container]:
    if machine.memory.keeping is not None:
        return []  # what abstract values lie where pointers lead is not known
    found: list[Container] = []
    for variable in machine.globals.values():
        if variable.first >= machine.first_variable and not is_made_up(variable.name):
            found += containers_of(variable, machine.called.get(variable.name, {}), machine.memory.records)
    return found


def _column(name: str, type: Scalar, contents: Sequence[object], texts: Texts) -> Proposition:
    if any(is_vague(c) for c in contents):
        return _column_of_sets(name, type, contents, texts)
    known = np.array([isinstance(c, int) for c in contents], dtype=np.bool_)
    if isinstance(type, Float):
        numbers = np.array([to_python(c, type.format) if isinstance(c, int) else 0.0 for c in contents])
        return Proposition(name, Sort.FLOAT, numbers, (), None if known.all() else known)
    wide = np.int64 if representation(type).signed or representation(type).bits < 64 else np.uint64
    values = np.array([c if isinstance(c, int) else 0 for c in contents], dtype=wide)
    return Proposition(name, _sort(type), values, tuple(_names(type, contents, texts)), None if known.all() else known)


def _column_of_sets(name: str, type: Scalar, contents: Sequence[object], texts: Texts) -> Proposition:
    """Abstract values are numbered in the order in which they are met, and go by their texts."""
    numbers: dict[str, int] = {}
    values = [numbers.setdefault(texts.value(c, type), len(numbers)) for c in contents]
    known = np.array([isinstance(c, int) or is_vague(c) for c in contents], dtype=np.bool_)
    named = tuple((number, shown) for shown, number in numbers.items())
    return Proposition(name, Sort.ENUM, np.array(values, dtype=np.int64), named, None if known.all() else known)


def _sort(type: Scalar) -> Sort:
    match type:
        case Bool():
            return Sort.BOOL
        case Enum():
            return Sort.ENUM
        case Pointer():
            return Sort.POINTER
        case _:
            return Sort.INT


def _names(type: Scalar, contents: Sequence[object], texts: Texts) -> Iterator[tuple[int, str]]:
    if isinstance(type, Enum):
        yield from sorted(texts.enumerators(type).items())
    elif isinstance(type, Pointer):
        for address in sorted({c for c in contents if isinstance(c, int)}):
            yield address, texts.address(address)
