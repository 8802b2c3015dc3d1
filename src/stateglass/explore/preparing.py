"""From a system to the machine that runs it, and the environment that knows what may happen to it."""

from __future__ import annotations

from collections.abc import Collection

from stateglass.explore.doubts import Doubts, WaryDomain
from stateglass.explore.environment import Environment
from stateglass.explore.keeping import Keeping, abstraction_of, results_of
from stateglass.explore.labelling import Labelling
from stateglass.explore.machine import Machine
from stateglass.explore.valuations import cells_called
from stateglass.system import System, UndefinedBehaviour
from stateglass.values import Concrete, FaultKind
from stateglass.values.abstract import AbstractDomain


def prepare(
    system: System, max_depth: int, every_step: bool, watch: Collection[str] = ()
) -> tuple[Machine, Environment]:
    """A machine before its first step, with labels if the system has a map for them.

    Every value of the variables to `watch` is seen, also those that they have for a moment only.
    """
    machine = _machine(system, max_depth, every_step)
    environment = Environment(system, machine)
    if system.labels is not None:
        machine.labelling = Labelling(system.labels, machine.domain, environment.texts)
    machine.watch(cells_called(machine, watch))
    return machine, environment


def _machine(system: System, depth: int, every_step: bool) -> Machine:
    program, extra, tolerated = system.program, system.environment, _tolerated(system)
    if system.abstractions is None:
        return Machine(program, Concrete(_wrapping(system)), extra, depth, every_step, tolerated=tolerated)
    keeping = Keeping(abstraction_of(system.abstractions), results_of(system.abstractions))
    if system.undefined is UndefinedBehaviour.IGNORE:
        return Machine(program, AbstractDomain(), extra, depth, every_step, keeping, tolerated=tolerated)
    wanted = system.errors
    kinds = frozenset(k for k in FaultKind if wanted is None or k.value in wanted)
    doubts = Doubts(kinds - _wrapping(system))
    return Machine(program, WaryDomain(doubts), extra, depth, every_step, keeping, doubts, tolerated)


def _wrapping(system: System) -> frozenset[FaultKind]:
    """What wraps around: all that can if the user says so, and what is not looked for."""
    can_wrap = frozenset({FaultKind.OVERFLOW, FaultKind.SHIFT})
    if system.undefined is UndefinedBehaviour.WRAP:
        return can_wrap
    wanted = system.errors
    return frozenset(k for k in can_wrap if wanted is not None and k.value not in wanted)


def _tolerated(system: System) -> frozenset[FaultKind]:
    """What is not looked for, and has an outcome on common machines that a run goes on with."""
    harmless = frozenset({FaultKind.ALIGNMENT, FaultKind.OVERLAP})
    if system.undefined is UndefinedBehaviour.IGNORE:
        return harmless
    wanted = system.errors
    return frozenset(k for k in harmless if wanted is not None and k.value not in wanted)
