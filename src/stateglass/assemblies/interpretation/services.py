"""What the environment provides, as components that nobody has to write."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from stateglass.design import (
    SERVICES,
    START,
    Begin,
    Block,
    Component,
    End,
    Name,
    Reaction,
    Service,
    State,
    Transition,
    Trigger,
)

_IDLE: Final = "idle"
_STATES: Final = (State(_IDLE),)
_STARTS: Final = Transition(START, _IDLE)


def service_component(service: Service) -> Component:
    """The component that a service is, by the kind that it was asked for by."""
    kind = SERVICES[service.kind]
    variables = tuple(
        replace(variable, initial=argument)
        for variable, argument in zip(kind.variables, service.arguments, strict=False)
    )
    variables += kind.variables[len(variables) :]
    reaction = _timer() if kind.name == "timer" else _variable()
    # Components of the design cannot be called that.
    return Component(f"service {kind.name}", (), variables, kind.pins, (reaction,), service.span)


def _timer() -> Reaction:
    """It ticks at any time, again and again."""
    ticks = Transition(_IDLE, _IDLE, action=Block((Begin("tick"),)))
    return Reaction("T", True, ("tick",), states=_STATES, transitions=(_STARTS, ticks))


def _variable() -> Reaction:
    """It holds a number that others read and write."""
    reads = Transition(_IDLE, _IDLE, Trigger("read", False), action=Block((End("read", (Name("value"),)),)))
    writes = Transition(_IDLE, _IDLE, Trigger("write", False, ("value",)), action=Block((End("write"),)))
    return Reaction("V", False, ("read", "write"), states=_STATES, transitions=(_STARTS, reads, writes))
