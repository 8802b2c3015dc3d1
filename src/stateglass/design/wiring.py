"""Assemblies: instances of components whose pins are connected, the services around them, and annotations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from functools import cached_property
from typing import Final, final

from stateglass.design.actions import Constant
from stateglass.design.components import Component, Enumeration
from stateglass.source import NOWHERE, Span

COMFORT: Final = "comfort"
"""The framework that claims and settings are annotated for."""


@final
@dataclass(frozen=True, slots=True)
class PinName:
    """`instance:pin`; without an instance, a pin of a component that stands by itself."""

    instance: str
    pin: str
    span: Span = NOWHERE

    def __str__(self) -> str:
        return f"{self.instance}:{self.pin}" if self.instance else self.pin


@final
@unique
class Discipline(Enum):
    """Which message a queue delivers next."""

    FIFO = "fifo"
    PRIORITY = "priority"  # of the pin with the smallest number, and of that the oldest


@final
@unique
class WhenFull(Enum):
    """What becomes of a message for a queue that is full."""

    BLOCK = "block"  # its sender waits
    DISCARD = "discard"  # it is lost
    ERROR = "error"  # that must not happen


@final
@dataclass(frozen=True, slots=True)
class Connection:
    """`a:out ~> b:in;`"""

    source: PinName
    sink: PinName
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Instance:
    """`store s(5);`: a component in an assembly, with values for its parameters."""

    name: str
    component: str
    arguments: tuple[Constant, ...] = ()
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Service:
    """`service timer clock();`: what the environment provides, by the kind that the library knows it by."""

    name: str
    kind: str
    arguments: tuple[Constant, ...] = ()
    span: Span = NOWHERE


@final
@dataclass(frozen=True)
class Environment:
    """`environment Rt() { service … }`"""

    name: str
    services: tuple[Service, ...] = ()
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Annotation:
    """`annotate S {"comfort", const string Claim1 = "G([data >= 0])"}`: a property of something, by a name.

    `scope` is the component or assembly that it stands in, `subject` what is written behind the word `annotate`.
    """

    scope: str
    subject: str
    framework: str  # `COMFORT` for claims and what else is meant for checking
    name: str
    type: str  # `string`, `int`
    value: str | int
    span: Span = NOWHERE  # the whole
    value_span: Span = NOWHERE
    of_result: tuple[tuple[str, str], ...] = ()  # further constants by name, such as predictions that were written back

    @property
    def qualified(self) -> str:
        return f"{self.scope}.{self.subject}.{self.name}" if self.subject != self.scope else f"{self.scope}.{self.name}"


@final
@dataclass(frozen=True)
class Assembly:
    """Instances, and what is connected to what; `exposed` are pins that the surroundings use."""

    name: str
    environment: str = ""
    instances: tuple[Instance, ...] = ()
    connections: tuple[Connection, ...] = ()
    exposed: tuple[PinName, ...] = ()
    span: Span = NOWHERE


@final
@dataclass(frozen=True)
class Design:
    """All that a file says, names resolved and checked: components, assemblies of them, and annotations."""

    file: str
    enumerations: tuple[Enumeration, ...] = ()
    components: tuple[Component, ...] = ()
    environments: tuple[Environment, ...] = ()
    assemblies: tuple[Assembly, ...] = ()
    annotations: tuple[Annotation, ...] = ()  # in the order of the text

    @cached_property
    def by_name(self) -> dict[str, Component]:
        return {component.name: component for component in self.components}

    def annotated(self, scope: str, subject: str, name: str) -> str | int | None:
        """What an annotation says that is meant for checking, the last one if there are several."""
        wanted = (scope, subject, COMFORT, name)
        found = [a.value for a in self.annotations if (a.scope, a.subject, a.framework, a.name) == wanted]
        return found[-1] if found else None
