"""What an environment may provide: the kinds of services, with their pins."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, final

from stateglass.design.components import Interaction, Parameter, Passing, Pin, Type, Variable

_INT: Final = Type("int")


@final
@dataclass(frozen=True, slots=True)
class ServiceKind:
    """A kind of service; `settings` are what it can be given, each of which may be left out."""

    name: str
    pins: tuple[Pin, ...]
    variables: tuple[Variable, ...] = ()  # what claims may ask for
    settings: tuple[Parameter, ...] = ()


SERVICES: Final = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            ServiceKind("timer", (Pin("tick", False, Interaction.ASYNCH),)),
            ServiceKind(
                "variable",
                (
                    Pin("read", True, Interaction.SYNCH, (Parameter("value", _INT, Passing.END),)),
                    Pin("write", True, Interaction.SYNCH, (Parameter("value", _INT),)),
                ),
                (Variable("value", _INT),),
                (Parameter("initial", _INT),),
            ),
        )
    }
)
