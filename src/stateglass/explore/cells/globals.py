"""The variables of a program: where they lie, and what they hold before it starts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from stateglass.explore.cells.contents import Unknown
from stateglass.explore.cells.memory import Memory, Object
from stateglass.explore.code.evaluator import Evaluator
from stateglass.program import Global, Local, Program, Variable
from stateglass.program.names import is_static_local, told_apart
from stateglass.values import Fault

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine


def placed(
    memory: Memory, program: Program, variables: Iterable[Variable], exposed: frozenset[str]
) -> dict[str, Object]:
    """Give variables their places; those whose address is taken are `exposed`."""
    own = [v for v in program.variables.values() if not v.span.in_library]
    shown = told_apart({v.name: v.span.file for v in own if v.internal or is_static_local(v.name)})
    return {
        variable.name: memory.add(
            shown.get(variable.name, variable.name),
            variable.type,
            readonly=variable.readonly,
            volatile=variable.volatile,
            declared=variable.name if variable.name in shown else "",
            exposed=variable.name in exposed,
        )
        for variable in variables
    }


def initialise(machine: Machine, variables: Iterable[Variable]) -> None:
    """Give variables their first values; those that cannot have one are unknown."""

    def find(variable: Global | Local) -> Object:
        assert isinstance(variable, Global), "static initialisers mention no locals"
        return machine.globals[variable.name]

    static, memory, cells = Evaluator(machine, find), machine.memory, machine.cells
    for variable in variables:
        place = machine.globals[variable.name]
        try:
            for initial in variable.initial:
                value = static.value(initial.value)(cells)
                memory.initialise(cells, 8 * place.address + initial.position, value, initial.type)
        except Unknown as unknown:
            machine.unknown[variable.name] = f"`{variable.name}` cannot be initialised: {unknown}"
        except Fault as fault:
            machine.unknown[variable.name] = f"`{variable.name}` cannot be initialised: error({fault})"
        run = range(place.first, place.first + len(place.shape))
        if memory.keeping is not None and not variable.readonly:
            cells[run.start : run.stop] = [memory.keeping.keep(n, cells[n]) for n in run]
        if variable.name in machine.unknown or variable.unwritten:
            cells[run.start : run.stop] = [None] * len(run)
