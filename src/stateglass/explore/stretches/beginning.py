"""An init function that chooses and shows nothing is run on single values, once: what there is after it is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stateglass.explore.contents import Content
from stateglass.explore.manner import Manner
from stateglass.explore.pauses import Stable
from stateglass.explore.preparing import prepare
from stateglass.system import Choice, Pointed, System
from stateglass.work import OutOfTime

MOST_STEPS: Final = 2_000_000


def begun(system: System) -> Sequence[Content] | None:
    """What constants and variables hold when calls begin; None if that is not one row of values."""
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
    objects = [o for o in machine.memory.objects if o.first >= machine.last_variable]
    pointers = [c for number in machine.memory.pointers if number < len(cells) and isinstance(c := cells[number], int)]
    # A pointer to what was there while the function ran is known to the machine that ran it only.
    return None if any(o.address <= p <= o.address + o.size for p in pointers for o in objects) else cells


def _is_open(argument: object) -> bool:
    choice = argument.content if isinstance(argument, Pointed) else argument
    return isinstance(choice, Choice) and choice.anything
