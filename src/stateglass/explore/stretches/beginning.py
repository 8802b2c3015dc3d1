"""An init function that chooses and shows nothing is run on single values, once: what there is after it is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stateglass.explore.cells.contents import Content
from stateglass.explore.cells.memory import Object
from stateglass.explore.cells.strays import is_stray
from stateglass.explore.machine import Machine
from stateglass.explore.manner import Manner
from stateglass.explore.pauses import Stable
from stateglass.explore.preparing import prepare
from stateglass.system import Choice, Pointed, System
from stateglass.work import OutOfTime

MOST_STEPS: Final = 2_000_000


def begun(system: System, known: Machine) -> Sequence[Content] | None:
    """What constants and variables hold when calls begin, for a machine that has run nothing; None if that is not one
    row of values."""
    if system.init is None or any(_is_open(a) for a in system.init.arguments):
        return None
    machine, environment = prepare(system, Manner())
    machine.interrupt = lambda: machine.steps > MOST_STEPS
    try:
        state = environment.first_state()
    except OutOfTime:
        return None
    if not isinstance(state.pause, Stable) or not machine.heap.empty:
        return None
    machine.restore(state)
    cells = machine.cells[: machine.last_variable]
    over = [o for o in machine.memory.objects if o.first >= machine.last_variable]
    graves: dict[int, Object] = {}
    for number in sorted(n for n in machine.memory.pointers if n < len(cells)):
        content = cells[number]
        if not isinstance(content, int):
            continue
        if is_stray(content):
            return None
        # Where something was while the function ran is known to the machine that ran it only; it is over.
        for one in over:
            if one.address <= content <= one.address + one.size:
                if one.address not in graves:
                    graves[one.address] = known.memory.add(one.name, one.type, careful=True)
                cells[number] = content - one.address + graves[one.address].address
                break
    return cells


def _is_open(argument: object) -> bool:
    choice = argument.content if isinstance(argument, Pointed) else argument
    return isinstance(choice, Choice) and choice.anything
