"""Random small designs, the same for the same seed, valid by the way they are made; most of what is in them happens."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final, final

from stateglass.design import (
    START,
    Annotation,
    Assembly,
    Begin,
    Block,
    Component,
    Connection,
    Constant,
    Design,
    End,
    Enumeration,
    Environment,
    Expression,
    If,
    Instance,
    Interaction,
    Name,
    Operation,
    Parameter,
    Passing,
    Pin,
    PinName,
    Reaction,
    Repeat,
    Service,
    State,
    Statement,
    Transition,
    Trigger,
    Type,
    Variable,
)
from stateglass.logic.predicates import Operator
from tests.assemblies.designs import annotation, assign, operation

WHOLE: Final = "whole"
COLOUR: Final = Enumeration("Colour", (("RED", 0), ("GREEN", 1), ("BLUE", 2)))
_TYPES: Final = (Type("int"), Type("int"), Type("bool"), Type("unsigned char"), Type("Colour"))


@final
@dataclass
class _Part:
    """A reaction in the making."""

    component: int
    name: str
    threaded: bool
    pins: list[Pin] = field(default_factory=list)

    def named(self, *, sinks: bool) -> list[Pin]:
        return [pin for pin in self.pins if pin.is_sink is sinks]


def random_design(seed: int) -> Design:
    """An assembly called `whole` of one to three components, or for some seeds one component by itself."""
    return _Plan(random.Random(seed)).design()


@final
class _Plan:
    """Decides who interacts with whom; pins come in pairs, so that all connections fit."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._count = chance.choice((1, 2, 2, 3))
        self._alone = self._count == 1 and chance.random() < 0.5
        self._parts = [
            _Part(component, f"R{number}", chance.random() < 0.65)
            for component in range(self._count)
            for number in range(chance.choice((1, 1, 2) if self._count > 1 else (1, 2, 2, 3)))
        ]
        self._parts[0].threaded = True
        self._pins: list[list[Pin]] = [[] for _ in range(self._count)]
        self._links: list[tuple[tuple[int, str], tuple[int, str]]] = []
        self._exposed: list[tuple[int, str]] = []
        self._services: list[Service] = []
        self._wires: list[Connection] = []
        self._notes: list[Annotation] = []
        self._names = count(1)

    def design(self) -> Design:
        chance = self._chance
        for _ in range(chance.randint(1, 1 + len(self._parts))):
            self._link()
        if chance.random() < 0.35:
            self._loose()
        for part in self._parts:
            part.threaded = part.threaded or not part.named(sinks=True)  # nobody would carry it out
        if not self._alone and chance.random() < 0.2:
            self._timer()
        if not self._alone and chance.random() < 0.2:
            self._variable()
        components = tuple(map(self._component, range(self._count)))
        for part in self._parts:
            if part.threaded and any(pin.interaction is Interaction.ASYNCH for pin in part.named(sinks=True)):
                self._queue(part)
        if self._alone:
            return Design("random", (COLOUR,), components, annotations=tuple(self._notes))
        instances, wires = self._placed()
        around = Environment("around", tuple(self._services))
        exposed = tuple(PinName(f"i{number}", pin) for number, pin in self._exposed)
        whole = Assembly(WHOLE, "around", instances, wires, exposed)
        return Design("random", (COLOUR,), components, (around,), (whole,), tuple(self._notes))

    def _placed(self) -> tuple[tuple[Instance, ...], tuple[Connection, ...]]:
        """One instance of each component, at times a second one of the first, which uses what the first one uses."""
        instances = [Instance(f"i{number}", f"C{number}", self._argument()) for number in range(self._count)]
        wires = [
            Connection(PinName(f"i{one}", source), PinName(f"i{other}", sink))
            for (one, source), (other, sink) in self._links
        ]
        is_leading = all(sink[0] != 0 for _, sink in self._links) and len(self._parts) < 4
        if is_leading and self._count > 1 and self._chance.random() < 0.4:
            instances.append(Instance("j0", "C0", self._argument()))
            more = (*wires, *self._wires)
            wires += [Connection(PinName("j0", w.source.pin), w.sink) for w in more if w.source.instance == "i0"]
        return tuple(instances), (*wires, *self._wires)

    def _argument(self) -> tuple[Constant, ...]:
        return (Constant(self._chance.randrange(3)),)

    def _link(self) -> None:
        """Two reactions interact; who has no thread is mostly called by those before it, so that no circles arise."""
        chance = self._chance
        to = chance.choice(self._parts)
        before = self._parts[: self._parts.index(to)]
        others = [part for part in self._parts if part is not to and (part.threaded or chance.random() < 0.1)]
        by = chance.choice(before or others) if before or others else None
        if by is None:
            return
        old = [pin for pin in to.named(sinks=True) if (to.component, pin.name) in [sink for _, sink in self._links]]
        if old and chance.random() < 0.25:
            pin = chance.choice(old)
            source = self._source_like(by, pin)
        else:
            synch = not to.threaded or chance.random() < 0.4
            pin = self._pin(to, True, synch)
            again = [p for p in by.named(sinks=False) if not synch and p.interaction is Interaction.ASYNCH]
            fitting = [p for p in again if p.parameters == pin.parameters]
            source = chance.choice(fitting) if fitting and chance.random() < 0.5 else self._source_like(by, pin)
        self._links.append(((by.component, source.name), (to.component, pin.name)))

    def _loose(self) -> None:
        """A pin that the surroundings use, or nobody."""
        part = self._chance.choice(self._parts)
        is_sink = self._chance.random() < 0.5
        pin = self._pin(part, is_sink, not part.threaded or self._chance.random() < 0.5)
        if is_sink or self._chance.random() < 0.5:
            self._exposed.append((part.component, pin.name))

    def _timer(self) -> None:
        threaded = [part for part in self._parts if part.threaded]
        part = self._chance.choice(threaded)
        pin = self._add(part, Pin(f"tick{next(self._names)}", True, Interaction.ASYNCH))
        self._services.append(Service("clock", "timer"))
        self._wires.append(Connection(PinName("clock", "tick"), PinName(f"i{part.component}", pin.name)))

    def _variable(self) -> None:
        part = self._chance.choice(self._parts)
        self._services.append(Service("level", "variable", (Constant(self._chance.randrange(3)),)))
        read = Parameter("value", Type("int"), Passing.END)
        for name, parameters in (("read", (read,)), ("write", (Parameter("value", Type("int")),))):
            pin = self._add(part, Pin(f"{name}{next(self._names)}", False, Interaction.SYNCH, parameters))
            self._wires.append(Connection(PinName(f"i{part.component}", pin.name), PinName("level", name)))

    def _pin(self, part: _Part, is_sink: bool, synch: bool) -> Pin:
        chance = self._chance
        kinds = [Passing.BEGIN] if chance.random() < 0.4 else []
        if synch and chance.random() < 0.4:
            kinds.append(Passing.END)
        if kinds and chance.random() < 0.1:
            kinds.append(Passing.BEGIN)
        parameters = tuple(
            Parameter(f"p{number}", chance.choice(_TYPES), passing) for number, passing in enumerate(kinds)
        )
        name = f"{'in' if is_sink else 'out'}{next(self._names)}"
        interaction = Interaction.SYNCH if synch else Interaction.ASYNCH
        pin = self._add(part, Pin(name, is_sink, interaction, parameters))
        ranges = ", ".join(f"{p.name}: 0..1" for p in parameters if p.type.name not in ("bool", "Colour"))
        if ranges:
            self._notes.append(annotation(f"C{part.component}", name, "values", ranges))
        return pin

    def _source_like(self, part: _Part, sink: Pin) -> Pin:
        name = f"out{next(self._names)}"
        ranges = ", ".join(f"{p.name}: 0..1" for p in sink.parameters if p.type.name not in ("bool", "Colour"))
        if ranges:
            self._notes.append(annotation(f"C{part.component}", name, "values", ranges))
        pin = Pin(name, False, sink.interaction, sink.parameters)
        same = [p for p in self._parts if p.component == part.component and p is not part]
        if same and self._chance.random() < 0.15:
            self._chance.choice(same).pins.append(pin)  # both use it
        return self._add(part, pin)

    def _add(self, part: _Part, pin: Pin) -> Pin:
        part.pins.append(pin)
        self._pins[part.component].append(pin)
        return pin

    def _queue(self, part: _Part) -> None:
        chance, scope = self._chance, f"C{part.component}"
        self._notes.append(annotation(scope, part.name, "queue", chance.choice((1, 1, 2))))
        if chance.random() < 0.5:
            self._notes.append(annotation(scope, part.name, "full", chance.choice(("block", "discard", "error"))))
        if chance.random() < 0.4:
            for pin in part.named(sinks=True):
                if pin.interaction is Interaction.ASYNCH and chance.random() < 0.8:
                    self._notes.append(annotation(scope, pin.name, "priority", chance.randint(1, 3)))

    def _component(self, number: int) -> Component:
        chance = self._chance
        common = tuple(
            Variable(f"v{n}", chance.choice(_TYPES), Constant(chance.randrange(2)))
            for n in range(chance.choice((0, 1, 1, 2)))
        )
        for variable in common:
            if variable.type.name not in ("bool", "Colour"):
                self._notes.append(annotation(f"C{number}", variable.name, "values", "0..2"))
        parts = [part for part in self._parts if part.component == number]
        parameters = () if self._alone else (Parameter("limit", Type("int")),)
        constant = Constant(1) if self._alone else Name("limit")
        reactions = tuple(_Statechart(chance, part, common, constant).reaction() for part in parts)
        return Component(f"C{number}", parameters, common, tuple(self._pins[number]), reactions)


@final
class _Statechart:
    """Writes a reaction over the pins that were planned for it."""

    def __init__(
        self, chance: random.Random, part: _Part, common: tuple[Variable, ...], constant: Constant | Name
    ) -> None:
        self._chance = chance
        self._part = part
        self._constant = constant
        self._own = tuple(
            Variable(chance.choice(("v0", f"w{n}")), chance.choice(_TYPES), Constant(chance.randrange(2)))
            for n in range(chance.choice((0, 1)))
        )
        self._usable = [*self._own, *(variable for variable in common if chance.random() < 0.7)]
        self._loops = False
        self._names = [f"s{number}" for number in range(chance.choice((1, 2, 2, 3)))]
        self._more: list[State] = []
        self._transitions: list[Transition] = []

    def reaction(self) -> Reaction:
        chance, part = self._chance, self._part
        self._transitions.append(Transition(START, self._names[0], action=self._block(0.3, ())))
        for name in tuple(self._names):
            self._leaving(name)
        for pin in part.named(sinks=False):
            if chance.random() < 0.6:
                self._use(pin)
        parents = self._nesting()
        states = tuple(
            State(name, self._block(0.15, ()), self._block(0.1, ()), parents.get(name), initial=name == "s0")
            for name in self._names
        )
        own = (*self._own, Variable("i", Type("int"))) if self._loops else self._own
        pins = tuple(pin.name for pin in part.pins)
        transitions = tuple(chance.sample(self._transitions, len(self._transitions)))
        return Reaction(part.name, part.threaded, pins, own, (*states, *self._more), transitions)

    def _use(self, pin: Pin) -> None:
        """Some transition begins an interaction on a pin, perhaps before what it does otherwise."""
        number = self._chance.randrange(len(self._transitions))
        transition = self._transitions[number]
        doing = list(transition.action.statements)
        begins = Begin(pin.name, self._data(pin, Passing.BEGIN, ()))
        doing.insert(self._chance.randint(0, len(doing)), begins)
        self._transitions[number] = replace(transition, action=Block(tuple(doing)))

    def _nesting(self) -> dict[str, str]:
        """At times the first states stand in another one, which can be left as a whole."""
        chance = self._chance
        if chance.random() > 0.25:
            return {}
        around = State("around", self._block(0.5, ()), self._block(0.5, ()))
        self._more.append(around)
        inside = self._names[: chance.randint(1, len(self._names))]
        for pin in self._part.named(sinks=True)[:1]:
            self._take("around", pin, chance.choice((*self._names, "around")))
        return dict.fromkeys(inside, "around")

    def _leaving(self, name: str) -> None:
        """The ways out of a state: mostly one for each sink pin, or else without a trigger."""
        chance, part = self._chance, self._part
        sinks = part.named(sinks=True)
        for pin in sinks:
            for _ in range(chance.choice((0, 1, 1, 1, 1, 2))):
                self._take(name, pin, self._any_state())
        for pin in part.named(sinks=False):
            if pin.interaction is Interaction.SYNCH and chance.random() < 0.4:
                self._looked_at(name, pin)
        if not sinks or chance.random() < 0.12:
            guard = self._condition(()) if chance.random() < (0.3 if not sinks else 0.8) else None
            action = Block((*self._statements(0.9, ()), *self._sends(0.8, ())))
            target = self._any_state()
            self._transitions.append(Transition(name, target, None, guard, action))

    def _any_state(self) -> str:
        return self._chance.choice(self._names)

    def _take(self, source: str, pin: Pin, target: str) -> None:
        chance = self._chance
        names, known = self._received(pin, Passing.BEGIN)
        guard = self._condition(known) if chance.random() < 0.25 else None
        trigger = Trigger(pin.name, False, names)
        ends = End(pin.name, self._data(pin, Passing.END, known))
        kind = chance.random()
        if kind < 0.1 and len(self._names) < 5:  # completed on the way out of the next state
            between = f"s{len(self._names)}"
            self._names.append(between)
            self._transitions.append(Transition(source, between, trigger, guard, self._block(0.5, known)))
            ends = End(pin.name, self._data(pin, Passing.END, ()))
            self._transitions.append(Transition(between, target, None, None, Block((ends,))))
            return
        doing = [*self._statements(0.5, known), *self._sends(0.4, known)]
        if kind < 0.95:
            doing.insert(chance.randint(0, len(doing)), ends)
        self._transitions.append(Transition(source, target, trigger, guard, Block(tuple(doing))))

    def _looked_at(self, source: str, pin: Pin) -> None:
        names, known = self._received(pin, Passing.END)
        guard = self._condition(known) if self._chance.random() < 0.4 else None
        action = Block(tuple(self._statements(0.5, known)))
        self._transitions.append(Transition(source, self._any_state(), Trigger(pin.name, True, names), guard, action))

    def _received(self, pin: Pin, passing: Passing) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names in a trigger, and those of them that only the transition knows."""
        names = []
        for number, _ in enumerate(pin.passed(passing)):
            variable = self._chance.choice(self._usable).name if self._usable and self._chance.random() < 0.3 else ""
            names.append(variable if variable and variable not in names else f"x{number}")
        return tuple(names), tuple(name for name in names if name.startswith("x"))

    def _block(self, likely: float, known: tuple[str, ...]) -> Block:
        return Block((*self._statements(likely, known), *self._sends(likely / 2, known)))

    def _sends(self, likely: float, known: tuple[str, ...]) -> list[Statement]:
        sources = self._part.named(sinks=False)
        if not sources or self._chance.random() > likely:
            return []
        pin = self._chance.choice(sources)
        begins = Begin(pin.name, self._data(pin, Passing.BEGIN, known))
        kind = self._chance.random()
        if kind < 0.1:
            return [If(self._condition(known), Block((begins,)), Block(tuple(self._statements(0.5, known))))]
        if kind < 0.16:
            self._loops = True
            body = Block((begins, assign("i", operation("i", "+", 1))))
            return [assign("i", 0), Repeat(operation("i", "<", 2), body)]
        return [begins]

    def _statements(self, likely: float, known: tuple[str, ...]) -> list[Statement]:
        if not self._usable or self._chance.random() > likely:
            return []
        variable = self._chance.choice(self._usable)
        is_hidden = any(variable.name == own.name for own in self._own) and variable not in self._own
        if is_hidden:
            return []
        changes = assign(variable.name, self._value(known))
        if self._chance.random() < 0.15:
            return [If(self._condition(known), Block((changes,)), Block())]
        return [changes]

    def _data(self, pin: Pin, passing: Passing, known: tuple[str, ...]) -> tuple[Expression, ...]:
        return tuple(self._value(known, most=2) for _ in pin.passed(passing))

    def _value(self, known: tuple[str, ...], most: int = 3) -> Expression:
        """A small number: it stays so, however often it goes around."""
        chance = self._chance
        names = [*(Name(variable.name) for variable in self._usable), *map(Name, known), self._constant]
        one = chance.choice(names)
        match chance.randrange(6):
            case 0 | 1:
                return Constant(chance.randrange(2))
            case 2:
                return Operation(Operator.NOT, (one,))
            case 3:
                return operation(operation(one, "+", 1), "%", most)
            case 4:
                return operation(operation(one, "+", chance.choice(names)), "%", most)
            case _:
                return operation(one, "%", most)

    def _condition(self, known: tuple[str, ...]) -> Expression:
        chance = self._chance
        names = [*(variable.name for variable in self._usable), *known]
        left = chance.choice(names) if names else self._constant
        simple = operation(left, chance.choice(("==", "!=", "<", ">=")), chance.randrange(2))
        if chance.random() < 0.2 and names:
            return operation(simple, chance.choice(("&&", "||")), operation(chance.choice(names), "==", 1))
        return simple
