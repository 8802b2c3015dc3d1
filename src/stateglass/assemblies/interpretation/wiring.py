"""What runs in a design: instances of components, what their pins are connected to, and who carries out what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

from stateglass.assemblies.interpretation.services import service_component
from stateglass.design import (
    START,
    Assembly,
    Begin,
    Component,
    Constant,
    Design,
    Interaction,
    Pin,
    Reaction,
    Statement,
    parts_of,
)
from stateglass.source import Code, Diagnostic, InputError, Severity, suggestion


class Place(NamedTuple):
    """A pin of an instance; of a component that stands by itself, the instance has no name."""

    unit: str
    pin: str

    def __str__(self) -> str:
        return f"{self.unit}:{self.pin}" if self.unit else self.pin


class Role(NamedTuple):
    """A reaction of an instance."""

    unit: str
    reaction: str

    def __str__(self) -> str:
        return f"{self.unit}.{self.reaction}" if self.unit else self.reaction


@final
@dataclass(frozen=True)
class Unit:
    """A component in its place, with values for its parameters."""

    name: str
    component: Component
    arguments: tuple[Constant, ...] = ()

    @property
    def constants(self) -> dict[str, int]:
        return {p.name: a.value for p, a in zip(self.component.parameters, self.arguments, strict=False)}

    def reaction(self, name: str) -> Reaction:
        return next(reaction for reaction in self.component.reactions if reaction.name == name)


@final
@dataclass(frozen=True)
class Wiring:
    """Everything that a design connects, seen from an assembly or from a component by itself."""

    design: Design
    name: str
    units: tuple[Unit, ...]
    targets: Mapping[Place, tuple[Place, ...]]  # of a source pin: sink pins, in the order of connections
    open: frozenset[Place]  # pins that the surroundings use
    is_assembly: bool
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Unit]:
        return {unit.name: unit for unit in self.units}

    @cached_property
    def sources(self) -> dict[Place, tuple[Place, ...]]:
        """Of a sink pin: the source pins that are connected to it."""
        found: dict[Place, tuple[Place, ...]] = {}
        for source, sinks in self.targets.items():
            for sink in sinks:
                found[sink] = (*found.get(sink, ()), source)
        return found

    def pin(self, place: Place) -> Pin:
        pin = self.by_name[place.unit].component.pin(place.pin)
        assert pin is not None
        return pin

    def reaction(self, role: Role) -> Reaction:
        return self.by_name[role.unit].reaction(role.reaction)

    def is_service(self, unit: str) -> bool:
        """Whether an instance is none of the design, but of the library."""
        return self.by_name[unit].component.name not in self.design.by_name

    def handler(self, sink: Place) -> Role:
        """The reaction that takes what comes to a sink pin."""
        unit = self.by_name[sink.unit]
        return Role(unit.name, next(r.name for r in unit.component.reactions_on(sink.pin)))

    def is_handled(self, sink: Place) -> bool:
        return bool(self.by_name[sink.unit].component.reactions_on(sink.pin))

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        return tuple(Role(unit.name, r.name) for unit in self.units for r in unit.component.reactions)

    def pins(self, role: Role, *, sinks: bool) -> tuple[Place, ...]:
        """The sink pins, or the source pins, that a reaction uses, in its order."""
        places = [Place(role.unit, name) for name in self.reaction(role).pins]
        return tuple(place for place in places if self.pin(place).is_sink is sinks)

    def begun_by(self, role: Role) -> tuple[Place, ...]:
        """The source pins on which a reaction begins interactions."""
        pins = [
            part.pin for block in blocks_of(self.reaction(role)) for part in parts_of(block) if isinstance(part, Begin)
        ]
        return tuple(Place(role.unit, name) for name in dict.fromkeys(pins))

    def called_by(self, role: Role) -> Iterator[tuple[Place, Place, Role]]:
        """The unthreaded reactions that a reaction interacts with: its source pin, the sink pin, and who handles it."""
        for source in self.begun_by(role):
            for sink in self.targets.get(source, ()):
                if self.pin(sink).interaction is Interaction.SYNCH:
                    other = self.handler(sink)
                    if not self.reaction(other).threaded:
                        yield source, sink, other

    def is_used(self, sink: Place) -> bool:
        """Whether anything ever comes to a sink pin."""
        return sink in self.open or sink in self.sources


def blocks_of(reaction: Reaction) -> Iterator[Statement]:
    """All actions of a reaction."""
    for state in reaction.states:
        yield from (state.entry, state.exit)
    for transition in reaction.transitions:
        yield transition.action


def wiring_of(design: Design, name: str, arguments: Sequence[Constant] = ()) -> Wiring:
    """A component or an assembly as it runs; what cannot run is one `InputError`.

    `arguments` are the values of the parameters of a component that is looked at by itself.
    """
    assembly = next((one for one in design.assemblies if one.name == name), None)
    found = _assembled(design, assembly) if assembly is not None else _alone(design, name, arguments)
    problems = list(_problems(found))
    if problems:
        raise InputError(problems)
    return found


def _alone(design: Design, name: str, arguments: Sequence[Constant]) -> Wiring:
    component = design.by_name.get(name)
    if component is None:
        known = [*(a.name for a in design.assemblies), *design.by_name]
        help = suggestion(name, known)
        raise InputError([Diagnostic(Code.UNKNOWN_NAME, f"there is no component or assembly `{name}`", help=help)])
    without = component.parameters[len(arguments) :] if component.reactions else ()
    if without:
        values = ", ".join(str(number) for number in range(1, len(component.parameters) + 1))
        message = f"`{name}` by itself has no value for {_listed(p.name for p in without)}"
        help = f"look at it in an assembly: `assembly with_values() {{ {name} it({values}); expose {{ … }}; }}`"
        raise InputError([Diagnostic(Code.DESIGN, message, component.span, help=help)])
    places = frozenset(Place("", pin.name) for pin in component.pins)
    return Wiring(design, name, (Unit("", component, tuple(arguments)),), {}, places, is_assembly=False)


def _listed(names: Iterable[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _assembled(design: Design, assembly: Assembly) -> Wiring:
    environment = next((one for one in design.environments if one.name == assembly.environment), None)
    units = [Unit(one.name, design.by_name[one.component], one.arguments) for one in assembly.instances]
    units += [Unit(one.name, service_component(one)) for one in (environment.services if environment else ())]
    targets: dict[Place, tuple[Place, ...]] = {}
    for one in assembly.connections:
        source, sink = Place(one.source.instance, one.source.pin), Place(one.sink.instance, one.sink.pin)
        targets[source] = (*targets.get(source, ()), sink)
    vague = {unit.name for unit in units if unit.component.pins and not unit.component.reactions}
    opened = {Place(one.instance, one.pin) for one in assembly.exposed}
    # Whoever says nothing about its behaviour may do anything: its partners are open to it.
    opened |= {sink for source, sinks in targets.items() if source.unit in vague for sink in sinks}
    known = {
        source: kept
        for source, sinks in targets.items()
        if source.unit not in vague and (kept := tuple(sink for sink in sinks if sink.unit not in vague))
    }
    whole = Wiring(design, assembly.name, tuple(units), known, frozenset(opened), is_assembly=True)
    warnings = tuple(_warnings(whole, vague))
    return Wiring(design, assembly.name, whole.units, known, whole.open, is_assembly=True, warnings=warnings)


def _warnings(wiring: Wiring, vague: set[str]) -> Iterator[Diagnostic]:
    for unit in wiring.units:
        if unit.name in vague and len(vague) < len(wiring.units):
            message = f"`{unit.component.name}` has no reactions: `{unit.name}` is taken to do anything on its pins"
            yield Diagnostic(Code.UNSUPPORTED, message, unit.component.span, Severity.WARNING)


def _problems(wiring: Wiring) -> Iterator[Diagnostic]:
    """What cannot be run."""
    for unit in wiring.units:
        for pin in unit.component.pins:
            users = unit.component.reactions_on(pin.name)
            if pin.is_sink and len(users) > 1:
                names = " and ".join(f"`{user.name}`" for user in users[:2])
                message = f"the reactions {names} both use the sink pin `{pin.name}`"
                yield Diagnostic(Code.UNSUPPORTED, message, pin.span, help="let one reaction take what comes to it")
        for role in (role for role in wiring.roles if role.unit == unit.name):
            yield from _problems_of(wiring, role)
    for source, sinks in wiring.targets.items():
        if wiring.pin(source).interaction is Interaction.SYNCH and len(sinks) > 1:
            message = f"the `synch` pin `{source}` is connected to {len(sinks)} sink pins: who would complete it?"
            yield Diagnostic(Code.UNSUPPORTED, message, wiring.pin(source).span)
        for sink in sinks:
            if not wiring.is_handled(sink):
                message = f"no reaction handles the pin `{sink}`, which `{source}` is connected to"
                yield Diagnostic(Code.UNSUPPORTED, message, wiring.pin(sink).span)


def _problems_of(wiring: Wiring, role: Role) -> Iterator[Diagnostic]:
    reaction = wiring.reaction(role)
    starts = [t for t in reaction.transitions if t.source == START]
    if not starts:
        message = f"no transition leads from `start` of `{reaction.name}` to a state"
        yield Diagnostic(Code.UNSUPPORTED, message, reaction.span, help="write `start -> idle {}`")
    if starts and all(t.guard is not None for t in starts):
        message = f"all transitions from `start` of `{reaction.name}` have guards: it may never begin"
        yield Diagnostic(Code.UNSUPPORTED, message, starts[0].span, help="leave one guard out")
    for place in () if reaction.threaded else wiring.pins(role, sinks=True):
        if wiring.pin(place).interaction is Interaction.ASYNCH:
            message = f"the unthreaded reaction `{reaction.name}` uses the `asynch` sink pin `{place.pin}`"
            yield Diagnostic(Code.UNSUPPORTED, message, reaction.span, help="write `threaded` in front of it")
