"""An assembly as a picture: boxes are components with pins at their borders, ovals reactions, thick lines connections.

Sink pins are at the left of a component, source pins at the right. Lines tell kinds apart without colour: what has a
thread is drawn through, what has none is dashed; so are connections that wait for an end, and those that do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

from stateglass.design import Assembly, Component, Design, Interaction, Pin, PinName, Service, pin_text
from stateglass.views.designs.looks import SMALL, head, refuse_crowds, shortened
from stateglass.views.drawing import BORDER, FAINT, INK, PALE_INK, PAPER, attributes, dot_text
from stateglass.views.graphviz import render

MOST_THINGS: Final = 400
"""More pins and reactions than this cannot be told apart."""

_LEGEND: Final = (
    "lines: synch is solid with a full head, asynch dashed with a hollow one",
    "ovals: a thread is solid, dashed is carried out by who calls",
    "pins: a double border is used by the surroundings, a dashed one by nobody",
)


def assembly_picture(design: Design, assembly: Assembly, *, force: bool = False) -> str:
    """The picture as SVG text."""
    components = [design.by_name[one.component] for one in assembly.instances]
    things = sum(len(one.pins) + len(one.reactions) for one in components)
    help = "draw its statecharts one by one, divide it into smaller assemblies, or insist with --force"
    counts = [(things, "pins and reactions", MOST_THINGS), (len(assembly.connections), "connections", MOST_THINGS)]
    refuse_crowds(counts, help, force=force)
    return render(assembly_drawing(design, assembly), "svg", patient=force).decode("utf-8")


def assembly_drawing(design: Design, assembly: Assembly) -> str:
    """The DOT text of the picture."""
    return "\n".join(_Drawing(design, assembly).lines()) + "\n"


@final
class _Drawing:
    """Gives pins and reactions the names that arrows need."""

    def __init__(self, design: Design, assembly: Assembly) -> None:
        self._design = design
        self._assembly = assembly
        environment = next((one for one in design.environments if one.name == assembly.environment), None)
        self._services: tuple[Service, ...] = () if environment is None else environment.services
        self._used = {end for one in assembly.connections for end in (_place(one.source), _place(one.sink))}
        self._open = {_place(one) for one in assembly.exposed}
        self._columns = {name: number for number, name in enumerate(self._names())}

    def lines(self) -> Iterator[str]:
        yield from head("assembly", (f"assembly {self._assembly.name}", *_LEGEND), across=True)
        for instance in self._assembly.instances:
            yield from self._instance(instance.name, self._design.by_name[instance.component])
        for service in self._services:
            yield from self._service(service)
        backwards = self._backwards()
        for number, connection in enumerate(self._assembly.connections):
            source, sink = _place(connection.source), _place(connection.sink)
            pin = self._pin(*source) or self._pin(*sink)
            waits = pin is None or pin.interaction is Interaction.SYNCH
            look = {
                "id": dot_text(f"connection{number}"),
                "penwidth": "2.6",
                "style": "solid" if waits else "dashed",
                "arrowhead": "normal" if waits else "empty",
                "tooltip": dot_text(f"{connection.source} ~> {connection.sink}, {'synch' if waits else 'asynch'}"),
            }
            tail, tip = self._node(*source), self._node(*sink)
            if number in backwards:
                yield f"  {tail} -> {tip} [{attributes(look | {'constraint': 'false'})}];"
            else:
                yield f"  {tail}:e -> {tip}:w [{attributes(look)}];"
        yield "}"

    def _names(self) -> Iterator[str]:
        yield from (one.name for one in self._assembly.instances)
        yield from (one.name for one in self._services)

    def _instance(self, name: str, component: Component) -> Iterator[str]:
        number = self._columns[name]
        yield f"  subgraph cluster_{number} {{"
        look = {
            "label": dot_text(name if name == component.name else f"{name}: {component.name}"),
            "tooltip": dot_text(f"{name}: {component.name}"),
            "id": dot_text(f"instance{number}"),
            "style": "filled",
            "fillcolor": FAINT,
            "color": INK,
            "fontcolor": INK,
            "fontsize": "12",
            "penwidth": "1.4",
            "margin": "10",
            "labelloc": "t",
        }
        yield f"    graph [{attributes(look)}];"
        for pin in component.pins:
            yield f"    {self._node(name, pin.name)} [{attributes(self._pin_look(name, pin))}];"
        for order, reaction in enumerate(component.reactions):
            node = f"r{number}_{order}"
            yield f"    {node} [{attributes(_oval(reaction.name, threaded=reaction.threaded))}];"
            for pin in component.pins:
                if pin.name in reaction.pins:
                    ends = (self._node(name, pin.name), node) if pin.is_sink else (node, self._node(name, pin.name))
                    yield f'    {ends[0]} -> {ends[1]} [color="{PALE_INK}", penwidth=0.8, arrowsize=0.5, weight=8];'
        if not component.pins and not component.reactions:
            yield f'    r{number}_ [shape=plain, label=" "];'
        yield from self._aligned(name, component)
        yield "  }"

    def _aligned(self, name: str, component: Component) -> Iterator[str]:
        """Sink pins in one column, and source pins behind all reactions."""
        number = self._columns[name]
        sinks, sources = (
            [self._node(name, p.name) for p in component.pins if p.is_sink is side] for side in (True, False)
        )
        for nodes in (sinks, sources):
            if len(nodes) > 1:
                yield f"    {{ rank=same; {'; '.join(nodes)}; }}"
        middle = [f"r{number}_{order}" for order in range(len(component.reactions))]
        for left, right in ((sinks, middle), (middle, sources)) if middle else ((sinks, sources),):
            if left and right:
                yield from (f"    {one} -> {other} [style=invis];" for one in left for other in right)

    def _service(self, service: Service) -> Iterator[str]:
        """Of a service only those pins are shown that something is connected to."""
        number = self._columns[service.name]
        yield f"  subgraph cluster_{number} {{"
        look = {
            "label": dot_text(f"{service.name}: {service.kind}"),
            "tooltip": dot_text(f"service {service.kind} {service.name}"),
            "style": "rounded,dotted",
            "color": INK,
            "fontcolor": INK,
            "fontsize": "12",
            "labelloc": "t",
        }
        yield f"    graph [{attributes(look)}];"
        for pin in sorted({pin for owner, pin in self._used if owner == service.name}):
            yield f"    {self._node(service.name, pin)} [{attributes(_box(pin))}];"
        if not any(owner == service.name for owner, _ in self._used):
            yield f'    s{number}_ [shape=plain, label="not used", fontcolor="{PALE_INK}"];'
        yield "  }"

    def _pin_look(self, name: str, pin: Pin) -> dict[str, str]:
        look = _box(pin.name) | {
            "tooltip": dot_text(f"{'sink' if pin.is_sink else 'source'} {pin.interaction.value} {pin_text(pin)}"),
            "id": dot_text(f"pin_{name}_{pin.name}"),
        }
        if (name, pin.name) in self._open:
            return look | {"peripheries": "2"}
        return look if (name, pin.name) in self._used else look | {"style": "filled,dashed"}

    def _pin(self, owner: str, name: str) -> Pin | None:
        kind = next((one.component for one in self._assembly.instances if one.name == owner), None)
        return None if kind is None else self._design.by_name[kind].pin(name)

    def _node(self, owner: str, pin: str) -> str:
        return dot_text(f"{self._columns[owner]}:{pin}".replace(":", "."))

    def _backwards(self) -> set[int]:
        """Connections that close a circle: they must not pull the pins of a component apart."""
        reached: dict[str, set[str]] = {name: {name} for name in self._columns}
        found = set()
        for number, connection in enumerate(self._assembly.connections):
            source, sink = connection.source.instance, connection.sink.instance
            if source in reached[sink]:
                found.add(number)
                continue
            for before in reached.values():
                if source in before:
                    before |= reached[sink]
        return found


def _place(name: PinName) -> tuple[str, str]:
    return name.instance, name.pin


def _box(pin: str) -> dict[str, str]:
    return {
        "label": dot_text(shortened(pin, 24)),
        "shape": "box",
        "style": "filled",
        "fillcolor": "white",
        "fontsize": SMALL,
        "margin": "0.06,0.02",
        "height": "0.22",
        "width": "0.3",
    }


def _oval(name: str, *, threaded: bool) -> dict[str, str]:
    return {
        "label": dot_text(shortened(name, 24)),
        "shape": "ellipse",
        "style": "filled" if threaded else "filled,dashed",
        "fillcolor": PAPER,
        "color": BORDER,
        "penwidth": "1.6",
        "tooltip": dot_text(f"{name}: {'a thread' if threaded else 'carried out by who calls'}"),
    }
