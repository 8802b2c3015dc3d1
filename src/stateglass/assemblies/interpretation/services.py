"""What the environment provides, as components that nobody has to write."""

from __future__ import annotations

from typing import Final

from stateglass.design import (
    START,
    Begin,
    Block,
    Component,
    Constant,
    End,
    Interaction,
    Name,
    Parameter,
    Passing,
    Pin,
    Reaction,
    Service,
    State,
    Transition,
    Trigger,
    Type,
    Variable,
)
from stateglass.source import Code, InputError, input_error, suggestion

KINDS: Final = ("timer", "variable")
_IDLE: Final = "idle"


def service_component(service: Service) -> Component:
    """The component that a service is, by the kind that it was asked for by."""
    match service.kind:
        case "timer":
            return _timer(service)
        case "variable":
            return _variable(service)
        case kind:
            raise _unknown(service, kind)


def _timer(service: Service) -> Component:
    """It ticks at any time, again and again."""
    ticking = (Transition(START, _IDLE), Transition(_IDLE, _IDLE, action=Block((Begin("tick"),))))
    reaction = Reaction("T", True, ("tick",), states=(State(_IDLE),), transitions=ticking)
    return Component(service.kind, pins=(Pin("tick", False, Interaction.ASYNCH),), reactions=(reaction,))


def _variable(service: Service) -> Component:
    """It holds a number that others read and write."""
    number = Type("int")
    pins = (
        Pin("read", True, Interaction.SYNCH, (Parameter("value", number, Passing.END),)),
        Pin("write", True, Interaction.SYNCH, (Parameter("value", number),)),
    )
    transitions = (
        Transition(START, _IDLE),
        Transition(_IDLE, _IDLE, Trigger("read", False), action=Block((End("read", (Name("value"),)),))),
        Transition(_IDLE, _IDLE, Trigger("write", False, ("value",)), action=Block((End("write"),))),
    )
    reaction = Reaction("V", False, ("read", "write"), states=(State(_IDLE),), transitions=transitions)
    value = Variable("value", number, service.arguments[0] if service.arguments else Constant(0))
    return Component(service.kind, variables=(value,), pins=pins, reactions=(reaction,))


def _unknown(service: Service, kind: str) -> InputError:
    help = suggestion(kind, KINDS) or f"there are {' and '.join(f'`{one}`' for one in KINDS)}"
    return input_error(Code.UNKNOWN_NAME, f"there is no service `{kind}`", service.span, help)
