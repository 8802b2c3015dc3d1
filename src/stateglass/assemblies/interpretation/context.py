"""What the functions of a program have in common: names of variables, states and pins, and the draft they go into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from stateglass.assemblies.interpretation.bounds import Bounds
from stateglass.assemblies.interpretation.events import Events
from stateglass.assemblies.interpretation.planning import Carrier, Copy, Plan
from stateglass.assemblies.interpretation.program import Draft
from stateglass.assemblies.interpretation.wiring import Place, Role
from stateglass.design import Name, Parameter
from stateglass.design import Variable as Declared


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the design, and of the program."""

    name: str  # in C
    design: str  # `p.R.n`
    unit: str
    reaction: str  # empty: it belongs to the component
    declared: Declared

    @property
    def type(self) -> str:
        """Its type in the design."""
        return self.declared.type.name


@final
@dataclass(frozen=True)
class Context:
    """Everything that was decided before functions are written."""

    plan: Plan
    events: Events
    bounds: Bounds
    draft: Draft
    threads: Mapping[Carrier, str]  # the functions that threads run
    copies: Mapping[Copy, str]
    variables: Mapping[tuple[str, str, str], Variable]  # by instance, reaction and name
    states: Mapping[tuple[Role, str], str]  # enumerators
    pins: Mapping[Place, str]
    kept: Mapping[tuple[Carrier, Place, str], str]  # what comes back from an unthreaded reaction, by parameter
    tracked: Mapping[Place, str]  # what is under way on pins of unthreaded reactions
    state_variables: Mapping[Role, str]  # of unthreaded reactions

    def variable(self, role: Role, name: Name) -> Variable | None:
        """The variable that a name means in a reaction."""
        own = self.variables.get((role.unit, role.reaction, name.name))
        if own is not None and name.owner in ("", role.reaction):
            return own
        return self.variables.get((role.unit, "", name.name))

    def constant(self, role: Role, name: Name) -> int:
        """The value of a parameter of the component or of an enumerator."""
        known = self.plan.wiring.by_name[role.unit].constants
        if name.name in known:
            return known[name.name]
        enumerations = self.plan.wiring.design.enumerations
        return next(value for one in enumerations for own, value in one.values if own == name.name)

    def c_type(self, type: str) -> str:
        """A type of the design in C, where enumerations are numbers."""
        if any(one.name == type for one in self.plan.wiring.design.enumerations):
            return "int"
        return "_Bool" if type == "bool" else type

    def done_flag(self, carrier: Carrier, sink: Place) -> str:
        """Whether what a thread has begun on a pin of an unthreaded reaction is complete."""
        return self.kept[carrier, sink, ""]

    def back(self, carrier: Carrier, sink: Place, parameter: Parameter) -> str:
        return self.kept[carrier, sink, parameter.name]
