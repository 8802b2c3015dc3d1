"""Reactions without threads that would wait for themselves."""

from __future__ import annotations

from collections.abc import Mapping

from stateglass.assemblies.validation.findings import Findings
from stateglass.design import Assembly, Begin, Component, Connection, Design, Instance, Reaction, parts_of


def check_circles(found: Findings, design: Design, assembly: Assembly) -> None:
    """Unthreaded reactions that end up, by `synch` interactions, waiting for themselves."""
    owners = {
        (i.name, pin): (i.name, reaction)
        for i in assembly.instances
        for reaction in _reactions(design, i)
        for pin in reaction.pins
        if _is_sink(design.by_name[i.component], pin)
    }
    calls: dict[tuple[str, str], list[tuple[str, str, Connection]]] = {}
    for connection in assembly.connections:
        called = owners.get((connection.sink.instance, connection.sink.pin))
        instance = next((i for i in assembly.instances if i.name == connection.source.instance), None)
        if called is None or instance is None or called[1].threaded:
            continue
        for reaction in _reactions(design, instance):
            if not reaction.threaded and connection.source.pin in _begun(reaction):
                calls.setdefault((instance.name, reaction.name), []).append((called[0], called[1].name, connection))
    for caller in calls:
        for instance_name, reaction_name, connection in calls[caller]:
            if caller in _called(calls, (instance_name, reaction_name)):
                message = f"`{caller[0]}.{caller[1]}` would wait for itself: this interaction never ends"
                found.error(message, connection.span, "make one of the reactions in this circle `threaded`")


def _called(
    calls: Mapping[tuple[str, str], list[tuple[str, str, Connection]]], first: tuple[str, str]
) -> set[tuple[str, str]]:
    """The reactions that are carried out, perhaps by a detour, when one is."""
    todo, seen = [first], {first}
    while todo:
        for instance, reaction, _ in calls.get(todo.pop(), ()):
            if (instance, reaction) not in seen:
                seen.add((instance, reaction))
                todo.append((instance, reaction))
    return seen


def _reactions(design: Design, instance: Instance) -> tuple[Reaction, ...]:
    component = design.by_name.get(instance.component)
    return component.reactions if component else ()


def _is_sink(component: Component, name: str) -> bool:
    pin = component.pin(name)
    return pin is not None and pin.is_sink


def _begun(reaction: Reaction) -> set[str]:
    blocks = [b for s in reaction.states for b in (s.entry, s.exit)] + [t.action for t in reaction.transitions]
    return {part.pin for block in blocks for part in parts_of(block) if isinstance(part, Begin)}
