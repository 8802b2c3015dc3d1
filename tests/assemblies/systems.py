"""What runs in a design: reactions of instances, how their pins are connected, and what surrounds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple, final

from stateglass.design import (
    Annotation,
    Assembly,
    Assign,
    Begin,
    Block,
    Component,
    Constant,
    Design,
    End,
    Expression,
    If,
    Instance,
    Interaction,
    Name,
    Parameter,
    Passing,
    Pin,
    Reaction,
    Repeat,
    Service,
    State,
    Transition,
    Trigger,
    Type,
    Variable,
    WhenFull,
    names_in,
    parts_of,
)
from tests.assemblies.arithmetic import KINDS, Kind, Reads, evaluated
from tests.assemblies.charts import Chart, Data, Slot

ROOM: Final = 2
LEAST_URGENT: Final = 1 << 30


class Place(NamedTuple):
    """A pin of an instance."""

    instance: str
    pin: str


class NoBound(Exception):
    """Open surroundings give data of a type with too many values, and nothing says which."""


@final
@dataclass(frozen=True)
class Running:
    """A reaction of an instance."""

    instance: str
    chart: Chart
    room: int
    full: WhenFull
    urgency: Mapping[str, int]  # of sink pins with a priority: the smallest number goes first
    open_sinks: tuple[str, ...]  # where the surroundings begin interactions
    rank: int | None = None  # of its thread, if that is scheduled: the smallest number goes first

    @property
    def reaction(self) -> Reaction:
        return self.chart.reaction

    def pin(self, name: str) -> Pin:
        found = self.chart.component.pin(name)
        assert found is not None, name
        return found


@final
@dataclass(frozen=True)
class System:
    """Everything that does not change while a design runs."""

    reactions: tuple[Running, ...]
    variables: tuple[tuple[str, Kind, int], ...]  # name as claims have it, type, initial value
    targets: Mapping[Place, tuple[tuple[int, str], ...]]  # of a source pin: reactions and their sink pins, in order
    given: Mapping[Place, Mapping[Passing, tuple[Data, ...]]]  # all data that surroundings may give

    def any_data(self, instance: str, pin: str, passing: Passing) -> tuple[Data, ...]:
        return self.given[Place(instance, pin)][passing]


def of_component(design: Design, name: str) -> System:
    """A component by itself: all of its pins are open."""
    return _Building(design, (Instance("", name),)).system()


def of_assembly(design: Design, name: str) -> System:
    assembly = next(one for one in design.assemblies if one.name == name)
    environment = next((one for one in design.environments if one.name == assembly.environment), None)
    services = () if environment is None else environment.services
    return _Building(design, assembly.instances, services, assembly).system()


@final
class _Building:
    """Puts a system together."""

    def __init__(
        self,
        design: Design,
        instances: tuple[Instance, ...],
        services: tuple[Service, ...] = (),
        assembly: Assembly | None = None,
    ) -> None:
        self._design = design
        self._assembly = assembly
        self._all = [(one.name, design.by_name[one.component], one.arguments) for one in instances]
        self._all += [(one.name, service_component(one), ()) for one in services]
        self._kinds = {**KINDS, **{enumeration.name: KINDS["int"] for enumeration in design.enumerations}}
        self._enumerators = {name: value for one in design.enumerations for name, value in one.values}
        self._mute = {name for name, component, _ in self._all if component.pins and not component.reactions}
        self._variables: list[tuple[str, Kind, int]] = []

    def system(self) -> System:
        reactions = [running for one in self._all for running in self._instance(*one)]
        where = {
            Place(running.instance, pin): (number, pin)
            for number, running in enumerate(reactions)
            for pin in running.reaction.pins
            if running.pin(pin).is_sink
        }
        targets: dict[Place, tuple[tuple[int, str], ...]] = {}
        for source, sink in self._connections():
            targets[source] = (*targets.get(source, ()), where[sink])
        given = {Place(name, pin.name): self._given(name, component, pin) for name, component, _ in self._all
                 for pin in component.pins}  # fmt: skip
        return System(tuple(reactions), tuple(self._variables), targets, given)

    def _connections(self) -> Iterator[tuple[Place, Place]]:
        for source, sink in self._written():
            if not self._mute & {source.instance, sink.instance}:
                yield source, sink

    def _written(self) -> Iterator[tuple[Place, Place]]:
        for one in self._assembly.connections if self._assembly else ():
            yield Place(one.source.instance, one.source.pin), Place(one.sink.instance, one.sink.pin)

    def _is_open(self, place: Place) -> bool:
        """Whether the surroundings use a pin, or somebody who does not say what it does."""
        if self._assembly is None or any(Place(one.instance, one.pin) == place for one in self._assembly.exposed):
            return True
        return any(sink == place and source.instance in self._mute for source, sink in self._written())

    def _instance(self, name: str, component: Component, arguments: tuple[Constant, ...]) -> Iterator[Running]:
        constants = dict(self._enumerators)
        for parameter, argument in zip(component.parameters, arguments, strict=True):
            constants[parameter.name] = self._kinds[parameter.type.name].converted(argument.value)
        common = {}
        for variable in component.variables:
            users = sum(_uses(reaction, variable.name) for reaction in component.reactions)
            common["component", variable.name] = self._slot(name, "", variable, constants, shared=users > 1)
        for reaction in component.reactions:
            slots = dict(common)
            for variable in reaction.variables:
                slots["reaction", variable.name] = self._slot(name, reaction.name, variable, constants, shared=False)
            sinks = {
                pin.name: sum(source == (name, pin.name) for source, _ in self._connections()) for pin in component.pins
            }
            chart = Chart(reaction, component, self._kinds, slots, constants, sinks)
            yield self._running(name, chart)

    def _running(self, name: str, chart: Chart) -> Running:
        component, reaction = chart.component, chart.reaction
        room = self._design.annotated(component.name, reaction.name, "queue")
        full = self._design.annotated(component.name, reaction.name, "full")
        urgency = {pin: self._design.annotated(component.name, pin, "priority") for pin in reaction.pins}
        return Running(
            name,
            chart,
            ROOM if room is None else int(room),
            WhenFull.BLOCK if full is None else WhenFull(full),
            {pin: int(number) for pin, number in urgency.items() if number is not None},
            tuple(
                pin.name
                for pin in component.pins
                if pin.is_sink and pin.name in reaction.pins and self._is_open(Place(name, pin.name))
            ),
            self._rank(component, reaction),
        )

    def _rank(self, component: Component, reaction: Reaction) -> int | None:
        if not reaction.threaded or component.name not in self._design.by_name:
            return None
        number = self._design.annotated(component.name, reaction.name, "priority")
        return LEAST_URGENT if number is None else int(number)

    def _slot(
        self, instance: str, reaction: str, variable: Variable, known: Mapping[str, int], *, shared: bool
    ) -> Slot:
        kind = self._kinds[variable.type.name]
        initial = kind.converted(constant(variable.initial, known))
        self._variables.append((".".join(part for part in (instance, reaction, variable.name) if part), kind, initial))
        return Slot(len(self._variables) - 1, kind, shared)

    def _given(self, instance: str, component: Component, pin: Pin) -> Mapping[Passing, tuple[Data, ...]]:
        """All data that can come from outside on a pin; for pins that are not used so, nothing."""
        connected = any(Place(instance, pin.name) in ends for ends in self._connections())
        found = {}
        for passing in Passing:
            from_outside = passing is (Passing.BEGIN if pin.is_sink else Passing.END)
            is_used = self._is_open(Place(instance, pin.name)) or not (pin.is_sink or connected)
            is_used = is_used and instance not in self._mute
            values = [self._values(component, pin, one) for one in pin.passed(passing) if from_outside and is_used]
            found[passing] = tuple(product(*values))
        return found

    def _values(self, component: Component, pin: Pin, parameter: Parameter) -> tuple[int, ...]:
        bounds = _ranges(self._design.annotations, component.name, pin.name)
        if parameter.name in bounds:
            first, last = bounds[parameter.name]
            return tuple(range(first, last + 1))
        if self._kinds[parameter.type.name] is KINDS["bool"]:
            return (0, 1)
        for enumeration in self._design.enumerations:
            if enumeration.name == parameter.type.name:
                return tuple(sorted({value for _, value in enumeration.values}))
        raise NoBound(f"{component.name}:{pin.name}({parameter.name})")


def constant(expression: Expression, known: Mapping[str, int]) -> int:
    """The value of an expression without variables."""

    def read(name: Name) -> Reads:
        yield from ()  # nothing is asked for
        return known[name.name], KINDS["int"]

    try:
        next(evaluated(expression, read))
    except StopIteration as done:
        return int(done.value[0])
    raise AssertionError(expression)


def _ranges(annotations: tuple[Annotation, ...], scope: str, subject: str) -> dict[str, tuple[int, int]]:
    """`"force: 0..3, hand: 0..1"`"""
    found = {}
    for annotation in annotations:
        if (annotation.scope, annotation.subject, annotation.name) == (scope, subject, "values"):
            for part in str(annotation.value).split(","):
                name, _, values = part.partition(":")
                first, _, last = values.partition("..")
                found[name.strip()] = (int(first), int(last or first))
    return found


def _uses(reaction: Reaction, variable: str) -> bool:
    """Whether a name stands in a reaction and is not a variable of its own."""
    blocks = [block for state in reaction.states for block in (state.entry, state.exit)]
    blocks += [transition.action for transition in reaction.transitions]
    expressions = [one.guard for one in reaction.transitions if one.guard is not None]
    names: list[Name] = []
    for statement in (part for block in blocks for part in parts_of(block)):
        match statement:
            case Assign(target, value):
                names.append(target)
                expressions.append(value)
            case Begin(_, arguments) | End(_, arguments):
                expressions += arguments
            case If(condition, _, _) | Repeat(condition, _):
                expressions.append(condition)
            case Block():
                pass
    names += [name for expression in expressions for name in names_in(expression)]
    names += [Name(name) for one in reaction.transitions if one.trigger for name in one.trigger.names]
    own = {one.name for one in reaction.variables}
    return any(name.name == variable and (name.owner or variable not in own) for name in names)


def service_component(service: Service) -> Component:
    """What a service is, as if somebody had designed it."""
    idle = (State("idle"),)
    if service.kind == "timer":
        tick = Transition("idle", "idle", action=Block((Begin("tick"),)))
        ticking = Reaction("T", True, ("tick",), (), idle, (Transition("start", "idle"), tick))
        return Component(service.name, (), (), (Pin("tick", False, Interaction.ASYNCH),), (ticking,))
    assert service.kind == "variable", service.kind
    value = Parameter("value", Type("int"))
    pins = (
        Pin("read", True, Interaction.SYNCH, (Parameter("value", Type("int"), Passing.END),)),
        Pin("write", True, Interaction.SYNCH, (value,)),
    )
    reads = Transition("idle", "idle", Trigger("read", False), action=Block((End("read", (Name("value"),)),)))
    writes = Transition("idle", "idle", Trigger("write", False, ("value",)), action=Block((End("write"),)))
    holding = Reaction("V", False, ("read", "write"), (), idle, (Transition("start", "idle"), reads, writes))
    initial = service.arguments[0] if service.arguments else Constant(0)
    return Component(service.name, (), (Variable("value", Type("int"), initial),), pins, (holding,))
