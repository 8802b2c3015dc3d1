"""Whether assemblies are put together well: instances, services, connections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Final

from stateglass.assemblies.types import limits
from stateglass.assemblies.validation.circles import check_circles
from stateglass.assemblies.validation.findings import Findings
from stateglass.assemblies.validation.scope import NUMBER, enumerators, sort_of
from stateglass.design import (
    SERVICES,
    Assembly,
    Connection,
    Constant,
    Design,
    Instance,
    Interaction,
    Parameter,
    Pin,
    PinName,
    Service,
)
from stateglass.source import Span, counted

Pins = Mapping[str, Mapping[str, Pin]]
"""The pins of instances and services, by their names."""

_ONE_ANSWER: Final = "who waits for an answer asks one alone: declare another source pin"


def check_wiring(found: Findings, design: Design) -> None:
    names = [(e.name, e.span) for e in design.environments] + [(a.name, a.span) for a in design.assemblies]
    taken = {c.name for c in design.components} | {e.name for e in design.enumerations}
    found.once("the name", names)
    for name, span in names:
        if name in taken:
            found.error(f"the name `{name}` is there twice", span, "give each a name of its own")
    for environment in design.environments:
        found.once("the service", ((s.name, s.span) for s in environment.services))
        for service in environment.services:
            _service(found, design, service)
    for assembly in design.assemblies:
        _assembly(found, design, assembly)


def _service(found: Findings, design: Design, service: Service) -> None:
    kind = SERVICES.get(service.kind)
    if kind is None:
        found.unknown("kind of services", service.kind, service.span, SERVICES)
        return
    if len(service.arguments) > len(kind.settings):
        _number(found, f"`{service.kind}`", len(kind.settings), len(service.arguments), service.span)
    _values(found, design, service.arguments, kind.settings)


def _assembly(found: Findings, design: Design, assembly: Assembly) -> None:
    services = _services(found, design, assembly)
    found.once("the name", [(s.name, s.span) for s in services] + [(i.name, i.span) for i in assembly.instances])
    if not assembly.instances:
        message = f"there is nothing in the assembly `{assembly.name}`"
        found.missing(message, assembly.span, "add an instance: `store s();`")
    for instance in assembly.instances:
        _instance(found, design, instance)
    pins: dict[str, dict[str, Pin]] = {
        s.name: {p.name: p for p in SERVICES[s.kind].pins} for s in services if s.kind in SERVICES
    }
    for instance in assembly.instances:
        component = design.by_name.get(instance.component)
        if component is not None and instance.name not in pins:
            pins[instance.name] = {p.name: p for p in component.pins}
    unknown = {i.name for i in assembly.instances if i.component not in design.by_name}
    unknown |= {s.name for s in services if s.kind not in SERVICES}
    for connection in assembly.connections:
        _connection(found, pins, unknown, connection)
    for name in assembly.exposed:
        _pin(found, pins, unknown, name)
    found.once("the pin", ((str(name), name.span) for name in assembly.exposed))
    _twice(found, pins, assembly)
    _unconnected(found, design, assembly)
    check_circles(found, design, assembly)


def _services(found: Findings, design: Design, assembly: Assembly) -> tuple[Service, ...]:
    if not assembly.environment:
        return ()
    for environment in design.environments:
        if environment.name == assembly.environment:
            return environment.services
    found.unknown("environment", assembly.environment, assembly.span, (e.name for e in design.environments))
    return ()


def _instance(found: Findings, design: Design, instance: Instance) -> None:
    component = design.by_name.get(instance.component)
    if component is None:
        found.unknown("component", instance.component, instance.span, design.by_name)
        return
    if len(instance.arguments) != len(component.parameters):
        _number(found, f"`{component.name}`", len(component.parameters), len(instance.arguments), instance.span)
    _values(found, design, instance.arguments, component.parameters)


def _number(found: Findings, what: str, wanted: int, given: int, span: Span) -> None:
    found.error(f"{what} takes {counted(wanted, 'value')}, and not {given}", span)


def _values(found: Findings, design: Design, given: Iterable[Constant], parameters: Iterable[Parameter]) -> None:
    constants = enumerators(design)
    for value, parameter in zip(given, parameters, strict=False):
        wanted = sort_of(parameter.type)
        if found.gaps.explains(value.text):
            continue
        sort = constants[value.text].sort if value.text in constants else NUMBER
        if wanted not in (NUMBER, sort):
            message = f"`{parameter.name}` is of `{wanted}`, and this is not"
            names = (name for name, meaning in constants.items() if meaning.sort == wanted)
            found.error(message, value.span, "there is " + ", ".join(f"`{n}`" for n in names))
        low, high = limits(parameter.type.name)
        if wanted == NUMBER and not low <= value.value <= high:
            message = f"{value.value} does not fit into `{parameter.type.name} {parameter.name}`"
            found.error(message, value.span, f"its values are {low} to {high}")


def _pin(found: Findings, pins: Pins, unknown: set[str], name: PinName) -> Pin | None:
    if name.instance not in pins:
        if name.instance not in unknown:
            found.unknown("instance or service", name.instance, name.span, pins)
        return None
    pin = pins[name.instance].get(name.pin)
    if pin is None:
        found.unknown("pin", str(name), name.span, (f"{name.instance}:{p}" for p in pins[name.instance]))
    return pin


def _connection(found: Findings, pins: Pins, unknown: set[str], connection: Connection) -> None:
    source, sink = (_pin(found, pins, unknown, name) for name in (connection.source, connection.sink))
    if source is None or sink is None:
        return
    if source.is_sink or not sink.is_sink:
        if source.is_sink and not sink.is_sink:
            message, help = "this connection goes the wrong way", f"write `{connection.sink} ~> {connection.source};`"
        else:
            odd = connection.source if source.is_sink else connection.sink
            is_what = "a sink" if source.is_sink else "a source"
            message, help = f"`{odd}` is {is_what} pin", "a connection goes from a source pin to a sink pin"
        found.error(message, connection.span, help)
        return
    if source.interaction is not sink.interaction:
        message = (
            f"`{connection.source}` is `{source.interaction.value}`, `{connection.sink}` is `{sink.interaction.value}`"
        )
        found.error(message, connection.span, "both ends of a connection are `synch`, or both are `asynch`")
    for out, into in zip_longest(source.parameters, sink.parameters):
        if out is None or into is None:
            message = (
                f"`{connection.source}` has {counted(len(source.parameters), 'parameter')}, "
                f"`{connection.sink}` has {counted(len(sink.parameters), 'parameter')}"
            )
            found.error(message, connection.span, "connected pins have the same parameters")
            return
        if (out.type.name, out.passing) != (into.type.name, into.passing):
            message = (
                f"`{connection.source}` has `{out.passing.value} {out.type.name} {out.name}`, "
                f"`{connection.sink}` has `{into.passing.value} {into.type.name} {into.name}`"
            )
            found.error(message, connection.span, "connected pins have parameters of the same types, in the same order")


def _twice(found: Findings, pins: Pins, assembly: Assembly) -> None:
    seen: set[tuple[str, str]] = set()
    begun: dict[str, PinName] = {}
    for connection in assembly.connections:
        source, sink = connection.source, connection.sink
        if (str(source), str(sink)) in seen:
            found.error(f"`{source}` and `{sink}` are connected already", connection.span, "remove one of the two")
            continue
        seen.add((str(source), str(sink)))
        pin = pins.get(source.instance, {}).get(source.pin)
        if pin is not None and not pin.is_sink and pin.interaction is Interaction.SYNCH:
            if str(source) in begun:
                message = f"`{source}` is connected to `{begun[str(source)]}` already"
                found.error(message, connection.span, _ONE_ANSWER)
            begun.setdefault(str(source), sink)
    for name in assembly.exposed:
        if str(name) in begun:
            message = f"`{name}` is connected to `{begun[str(name)]}` already"
            found.error(message, name.span, _ONE_ANSWER)


def _unconnected(found: Findings, design: Design, assembly: Assembly) -> None:
    used = {str(end) for c in assembly.connections for end in (c.source, c.sink)} | set(map(str, assembly.exposed))
    for instance in assembly.instances:
        component = design.by_name.get(instance.component)
        for pin in component.pins if component else ():
            name = f"{instance.name}:{pin.name}"
            if name not in used:
                effect = "nothing comes to it" if pin.is_sink else "what it begins is lost"
                help = f"connect it, or write `expose {{ {name} }};` if others use it"
                found.warn(f"`{name}` is not connected: {effect}", instance.span, help)
