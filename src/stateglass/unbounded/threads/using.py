"""Which variables belong to a thread: those that its code speaks of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from stateglass.model import Model
from stateglass.program.callgraph import reachable
from stateglass.program.names import root_of
from stateglass.system import System


def used_by(system: System) -> Callable[[str], bool]:
    """Whether a value, by its name, is of a variable that a thread uses."""
    used = reachable(system.program, [entry.function for entry in system.entries]).variables
    return lambda name: root_of(name) in used


def with_own_values(model: Model, system: System) -> Model:
    """A model of a thread without the values of variables that it does not use."""
    is_own = used_by(system)
    return replace(model, propositions=tuple(p for p in model.propositions if is_own(p.name)))
