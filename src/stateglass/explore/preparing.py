"""From a system to the machine that runs it, and the environment that knows what may happen to it."""

from __future__ import annotations

from stateglass.explore.around.environment import Environment
from stateglass.explore.cells.keeping import Keeping, abstraction_of, results_of
from stateglass.explore.doubts import Doubts
from stateglass.explore.labels.labelling import Labelling
from stateglass.explore.machine import Machine
from stateglass.explore.manner import Manner
from stateglass.explore.shown.valuations import cells_called
from stateglass.program.faults import DELIBERATE
from stateglass.system import System
from stateglass.values import Concrete
from stateglass.values.abstract import AbstractDomain, WaryDomain


def prepare(system: System, manner: Manner) -> tuple[Machine, Environment]:
    """A machine before its first step, with labels if the system has a map for them."""
    machine = _machine(system, manner.max_depth, manner.every_step)
    environment = Environment(system, machine)
    if system.labels is not None:
        machine.labelling = Labelling(system.labels, machine.domain, environment.texts)
    machine.watch(cells_called(machine, manner.watch))
    return machine, environment


def _machine(system: System, depth: int, every_step: bool) -> Machine:
    program, extra, undefined = system.program, system.environment, system.undefined
    tolerated = undefined.tolerated
    if system.abstractions is None:
        return Machine(program, Concrete(undefined.wraps), extra, depth, every_step, tolerated=tolerated)
    keeping = Keeping(abstraction_of(system.abstractions), results_of(system.abstractions))
    if not undefined.reported - DELIBERATE:
        return Machine(program, AbstractDomain(), extra, depth, every_step, keeping, tolerated=tolerated)
    doubts = Doubts(undefined.reported)
    domain = WaryDomain(undefined.reported, doubts.note)
    return Machine(program, domain, extra, depth, every_step, keeping, doubts, tolerated)
