"""Random designs about order: states inside states, priorities in a queue, and what is looked at first in a state.

The same for the same seed, and valid by the way they are made. Almost everything that is done can be seen: actions
send a number of their own by an open pin, or write a variable.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import count
from typing import Final, final

from stateglass.design import (
    NOTHING,
    START,
    Annotation,
    Assembly,
    Begin,
    Block,
    Component,
    Constant,
    Design,
    Environment,
    Instance,
    Interaction,
    Pin,
    Reaction,
    State,
    Statement,
    Transition,
)
from tests.assemblies.designs import (
    annotation,
    arrow,
    assign,
    begin,
    block,
    data,
    end,
    integer,
    operation,
    result,
    sink,
    source,
)
from tests.assemblies.designs import connected as wires
from tests.assemblies.designs import pin_name as at
from tests.assemblies.generator import WHOLE

_FULL: Final = ("block", "block", "discard", "discard", "error")
_NEXT: Final = assign("v", operation(operation("v", "+", 1), "%", 2))
_SETTING: Final = Reaction(
    "V",
    True,
    ("set",),
    (),
    (State("set_once"),),
    (arrow(START, "set_once"), arrow("set_once", "set_once", "^set", _NEXT)),
)
"""What changes a variable while another reaction is at rest."""


def nested_design(seed: int) -> Design:
    """An assembly called `whole` around the component `M`, or for some seeds that component by itself."""
    return _Plan(random.Random(seed)).design()


@final
class _Plan:
    """Decides on the pins of `M`, and on who sends to it and is called by it."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._about = chance.choice(("states", "ends", "ends", "queue", "queue", "all"))
        self._alone = self._about in ("states", "ends")
        self._threaded = self._about == "queue" or chance.random() < 0.85
        names = [f"in{number}" for number in range({"queue": 3, "ends": 1}.get(self._about, 2))]
        given = (data("p"),) if self._about != "queue" and chance.random() < 0.4 else ()
        likely = 1.0 if not self._threaded else 0.1 if self._about == "queue" else 0.2
        self._sinks = [sink(name, *given, synch=chance.random() < likely) for name in names]
        calls = {"queue": (0,), "ends": (1, 2, 2), "all": (0, 1)}.get(self._about, (0, 0, 1))
        self._calls = [source(f"call{n}", result("r"), synch=True) for n in range(chance.choice(calls))]
        self._notes: list[Annotation] = []

    def design(self) -> Design:
        chance, pins = self._chance, (*self._sinks, source("out", data("what")), *self._calls)
        for pin in pins:
            if pin.parameters and pin.name != "out":
                self._notes.append(annotation("M", pin.name, "values", f"{pin.parameters[0].name}: 0..1"))
        self._notes.append(annotation("M", "v", "values", "0..2"))
        used = [pin.name for pin in pins]
        chance.shuffle(used)
        most = {"states": 6, "ends": 3, "queue": 2, "all": 3}[self._about]
        is_set = self._alone and chance.random() < 0.6
        quiet = 0.25 if self._about == "queue" else 1.0
        chart = _Statechart(chance, self._sinks, self._calls, most, quiet, is_set=is_set)
        transitions, states = chart.transitions_and_states()
        reactions = [Reaction("R", self._threaded, tuple(used), (integer("w"),), states, transitions)]
        if is_set:
            reactions.append(_SETTING)
            pins = (*pins, sink("set"))
        machine = Component("M", (), (integer("v"),), pins, tuple(reactions))
        if self._alone:
            return Design("nested", (), (machine,), annotations=tuple(self._notes))
        return self._assembled(machine)

    def _assembled(self, machine: Component) -> Design:
        components, instances, connections = [machine], ["m"], []
        for number in range(2):
            components.append(self._sender(f"S{number}"))
            instances.append(f"s{number}")
            connections += [f"s{number}:to_{pin.name} ~> m:{pin.name}" for pin in self._sinks]
        if self._calls and self._chance.random() < 0.6:
            components.append(_server(self._chance, len(self._calls)))
            instances.append("t")
            connections += [f"m:{pin.name} ~> t:serve{n}" for n, pin in enumerate(self._calls)]
        self._queue()
        kinds = dict(zip(instances, components, strict=True))
        placed = tuple(Instance(name, kind.name) for name, kind in kinds.items())
        exposed = (at("m:out"),) if self._chance.random() < 0.5 else ()
        whole = Assembly(WHOLE, "around", placed, wires(*connections), exposed)
        return Design("nested", (), tuple(components), (Environment("around"),), (whole,), tuple(self._notes))

    def _sender(self, name: str) -> Component:
        """A thread that sends to several pins, a few times or for ever."""
        chance = self._chance
        pins = tuple(Pin(f"to_{pin.name}", False, pin.interaction, pin.parameters) for pin in self._sinks)
        rounds = [self._sent(pins) for _ in range(chance.choice((1, 2) if self._about == "queue" else (1, 1, 2)))]
        arrows = [arrow(START, "a0")]
        arrows += [arrow(f"a{n}", f"a{n + 1}", "", *sent) for n, sent in enumerate(rounds)]
        if chance.random() < 0.3:
            arrows.append(arrow(f"a{len(rounds)}", "a0"))
        states = tuple(State(f"a{n}") for n in range(len(rounds) + 1))
        reaction = Reaction("T", True, tuple(pin.name for pin in pins), (), states, tuple(arrows))
        return Component(name, (), (), pins, (reaction,))

    def _sent(self, pins: tuple[Pin, ...]) -> list[Statement]:
        """Messages one after the other, to different pins as far as there are any."""
        chosen = self._chance.sample(pins, self._chance.choice((1, 2, 2)))
        return [Begin(pin.name, tuple(Constant(self._chance.randrange(2)) for _ in pin.parameters)) for pin in chosen]

    def _queue(self) -> None:
        chance = self._chance
        if not self._threaded or all(pin.interaction is Interaction.SYNCH for pin in self._sinks):
            return
        self._notes.append(
            annotation("M", "R", "queue", chance.choice((2, 2, 3) if self._about == "queue" else (1, 2)))
        )
        self._notes.append(annotation("M", "R", "full", chance.choice(_FULL)))
        waiting = [pin.name for pin in self._sinks if pin.interaction is Interaction.ASYNCH]
        known = (None,) * 6 if chance.random() < 0.2 else (1, 2, None, 2, None, 1)
        urgency = chance.sample(known, len(waiting))
        for name, number in zip(waiting, urgency, strict=True):
            if number is not None:
                self._notes.append(annotation("M", name, "priority", number))


def _server(chance: random.Random, pins: int) -> Component:
    """A reaction, with or without a thread, that answers each call with a number, the next one each time."""
    names = [f"serve{number}" for number in range(pins)]
    answers = [
        arrow(one, other, f"^{name}", end(name, number))
        for number, (one, other) in enumerate((("x", "y"), ("y", "x")))
        for name in names
    ]
    made = tuple(sink(name, result("r"), synch=True) for name in names)
    states = (State("x"), State("y"))
    reaction = Reaction("A", chance.random() < 0.4, tuple(names), (), states, (arrow(START, "x"), *answers))
    return Component("T", (), (), made, (reaction,))


@final
@dataclass
class _Node:
    """A state in the making."""

    name: str
    parent: str | None
    initial: bool = False


@final
class _Statechart:
    """Draws states inside states, and transitions between all depths of them."""

    def __init__(
        self, chance: random.Random, sinks: list[Pin], calls: list[Pin], most: int, quiet: float, *, is_set: bool
    ) -> None:
        self._is_set, self._quiet = is_set, quiet
        self._chance, self._sinks, self._calls = chance, sinks, calls
        self._numbers = count(1)
        self._nodes: list[_Node] = []
        self._calling: set[str] = set()
        self._answered: set[str] = set()
        names = count(0)
        self._grow(None, chance.choice((1, 2, 2)), names, most)
        if len(self._nodes) == 1:
            self._nodes.append(_Node("s9", None))

    def _grow(self, parent: str | None, children: int, names: count[int], most: int) -> None:
        made = []
        for _ in range(children):
            if len(self._nodes) >= most:
                break
            made.append(_Node(f"s{next(names)}", parent))
            self._nodes.append(made[-1])
        if parent is not None and made:
            self._chance.choice(made).initial = True
        for node in made:
            depth = sum(1 for _ in self._around(node.name))
            if depth < 4 and self._chance.random() < (0.8, 0.6, 0.3)[depth - 1]:
                self._grow(node.name, self._chance.choice((1, 2, 2)), names, most)

    def _around(self, name: str) -> list[str]:
        node = next(one for one in self._nodes if one.name == name)
        return [name, *(self._around(node.parent) if node.parent else ())]

    def _any(self) -> str:
        return self._chance.choice(self._nodes).name

    def transitions_and_states(self) -> tuple[tuple[Transition, ...], tuple[State, ...]]:
        chance = self._chance
        transitions = [arrow(START, self._any(), "", *self._doing(0.4))]
        for pin in self._sinks:
            transitions += self._on(pin)
        transitions += [one for pin in self._calls for one in self._ends(pin)]
        for _ in range(2 if self._is_set else chance.choice((0, 0, 1)) if self._quiet == 1 else 0):
            transitions.append(self._completion(self._any()))
        states = [
            State(node.name, self._entry(node.name), self._action(0.55), node.parent, node.initial)
            for node in self._nodes
        ]
        return tuple(chance.sample(transitions, len(transitions))), tuple(chance.sample(states, len(states)))

    def _on(self, pin: Pin) -> list[Transition]:
        """Transitions with a sink pin as trigger, often both from a state and from one around it."""
        chance, sources = self._chance, []
        leaf = self._any()
        sources += self._around(leaf)[:2] if not self._is_set and chance.random() < 0.6 else [leaf]
        sources += [self._any() for _ in range(0 if self._is_set else chance.choice((0, 1, 2)))]
        found = []
        for name in dict.fromkeys(sources):
            target = name if chance.random() < 0.25 else self._any()
            word = chance.choice(("w", "v", "x")) if pin.parameters else ""
            trigger = f"^{pin.name}({word})" if word else f"^{pin.name}"
            known = word if chance.random() < 0.5 and word else "w"
            guard = operation(known, "==", chance.randrange(2)) if chance.random() < 0.3 else None
            doing = self._doing(0.5)
            if chance.random() < (0.95 if pin.interaction is Interaction.SYNCH else 0.5):
                doing.insert(chance.randint(0, len(doing)), end(pin.name))
            found.append(arrow(name, target, trigger, *doing, guard=guard))
        return found

    def _ends(self, pin: Pin) -> list[Transition]:
        """What is done at the end of a call, beside what is done without a trigger in the same states."""
        chance, found = self._chance, []
        names = tuple(dict.fromkeys((self._any(), self._any())))
        in_a_row = chance.random() < 0.4  # the second one is entered with the end that the first one has looked at
        for name in names:
            guard = operation("x", "==", chance.randrange(2)) if chance.random() < 0.4 else None
            self._calling.add(name)
            doing, target = self._doing(0.7), self._any()
            if in_a_row and name == names[0]:
                doing, target = [begin("out", next(self._numbers))], names[-1]
                self._answered.add(target)
            found.append(arrow(name, target, f"${pin.name}(x)", *doing, guard=guard))
            if chance.random() < 0.7:
                found.append(self._completion(chance.choice(self._around(name))))
        return found

    def _completion(self, name: str) -> Transition:
        chance = self._chance
        number, variable = chance.randrange(2), "v" if self._is_set else chance.choice(("v", "w"))
        doing: list[Statement] = [begin("out", next(self._numbers)), assign(variable, (number + 1) % 3)]
        return arrow(name, self._any(), "", *doing, guard=operation(variable, "==", number))

    def _entry(self, name: str) -> Block:
        """Where ends are looked at, there are mostly some, but where one was looked at just before."""
        if name in self._answered:
            return block(begin("out", next(self._numbers)))
        if name in self._calling and self._chance.random() < 0.4:
            return block(*(begin(pin.name) for pin in self._calls))
        return self._action(0.75)

    def _action(self, likely: float) -> Block:
        doing = self._doing(likely)
        return block(*doing) if doing else NOTHING

    def _doing(self, likely: float) -> list[Statement]:
        """Something that can be seen: a number of its own is sent, or a variable changes so that the order matters."""
        chance = self._chance
        if chance.random() > likely * self._quiet:
            return []
        if self._calls and chance.random() < 0.55:
            called = chance.sample(self._calls, chance.randint(1, len(self._calls)))
            return [begin(pin.name) for pin in called]
        match chance.randrange(6):
            case 0:
                return [assign("w", operation(operation("w", "+", 1), "%", 3))]
            case 1:
                return [assign("v", chance.randrange(3))]
            case 2:
                return [begin("out", chance.choice(("w", "v")))]
            case _:
                return [begin("out", next(self._numbers))]
