"""Random designs with what the other generators never make: odd wiring, odd types, odd ways to say the same.

Each is a design of another generator that is changed here and there. What comes out is valid for the interpretation,
and mostly also as a text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Final, assert_never, final

from stateglass.design import (
    Annotation,
    Assembly,
    Assign,
    Begin,
    Block,
    Component,
    Connection,
    Constant,
    Design,
    End,
    Enumeration,
    Expression,
    If,
    Instance,
    Interaction,
    Name,
    Operation,
    Pin,
    PinName,
    Reaction,
    Repeat,
    Statement,
    Transition,
    Trigger,
    Type,
    Variable,
    names_in,
    parts_of,
)
from stateglass.logic.predicates import Operator
from tests.assemblies.designs import arrow, assign, operation
from tests.assemblies.generator import WHOLE, random_design
from tests.assemblies.nested import nested_design

_SMALL: Final = ("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
                 "unsigned long")  # fmt: skip
_RED_TWICE: Final = Enumeration("Colour", (("RED", 0), ("GREEN", 1), ("ALSO_RED", 0), ("BLUE", 2)))


def varied_design(seed: int) -> Design:
    """An assembly called `whole`, or one component by itself."""
    chance = random.Random(seed)
    design = chance.choice((random_design, random_design, nested_design))(seed)
    if chance.random() < 0.3:
        design = _with_types(design, chance)
    if design.assemblies and chance.random() < 0.8:
        design = _Wiring(design, chance).varied()
    design = replace(design, components=tuple(_component(one, chance) for one in design.components))
    if design.assemblies and len(design.components) > 1 and not _holds_numbers(design) and chance.random() < 0.1:
        design = _without_behaviour(design, chance)
    if chance.random() < 0.3:  # what is not said is to be found
        design = replace(design, annotations=tuple(_kept(design)))
    return design


def _with_types(design: Design, chance: random.Random) -> Design:
    """Types are others everywhere, so that connections still fit; those of services stay."""
    types = {"unsigned char": chance.choice(_SMALL)}
    if not _holds_numbers(design):
        types["int"] = chance.choice(_SMALL)

    def of(type: Type) -> Type:
        return Type(types.get(type.name, type.name))

    def variables(some: tuple[Variable, ...]) -> tuple[Variable, ...]:
        return tuple(replace(one, type=of(one.type)) for one in some)

    def pin(one: Pin) -> Pin:
        return replace(one, parameters=tuple(replace(p, type=of(p.type)) for p in one.parameters))

    components = tuple(
        replace(
            one,
            variables=variables(one.variables),
            pins=tuple(map(pin, one.pins)),
            reactions=tuple(replace(r, variables=variables(r.variables)) for r in one.reactions),
        )
        for one in design.components
    )
    enumerations = (_RED_TWICE,) if design.enumerations else ()
    return replace(design, enumerations=enumerations, components=components)


def _holds_numbers(design: Design) -> bool:
    """Whether there is a service whose pins have data."""
    return any(service.kind == "variable" for one in design.environments for service in one.services)


def _without_behaviour(design: Design, chance: random.Random) -> Design:
    """One component does not say what it does; the surroundings do it."""
    mute = chance.randrange(len(design.components))
    components = list(design.components)
    components[mute] = replace(components[mute], reactions=())
    return replace(design, components=tuple(components))


def _kept(design: Design) -> Iterator[Annotation]:
    """Annotations without those for values that the design itself assigns and passes."""
    (assembly,) = design.assemblies or (None,)
    for note in design.annotations:
        component = design.by_name[note.scope]
        pin = component.pin(note.subject)
        if note.name != "values" or assembly is None or (pin is not None and _from_outside(design, assembly, note)):
            yield note


def _from_outside(design: Design, assembly: Assembly, note: Annotation) -> bool:
    """Whether the data of a pin comes, for some instance, from who is not part of the design."""
    mute = {one.name for one in assembly.instances if not design.by_name[one.component].reactions}
    partners: dict[tuple[str, str], list[str]] = {}
    for one in assembly.connections:
        partners.setdefault((one.source.instance, one.source.pin), []).append(one.sink.instance)
        partners.setdefault((one.sink.instance, one.sink.pin), []).append(one.source.instance)
    for instance in assembly.instances:
        others = partners.get((instance.name, note.subject), ())
        is_open = any((e.instance, e.pin) == (instance.name, note.subject) for e in assembly.exposed)
        if instance.component == note.scope and (is_open or not others or mute & {instance.name, *others}):
            return True
    return False


@final
class _Wiring:
    """Connects pins as nobody has planned it: several times, to themselves, not at all."""

    def __init__(self, design: Design, chance: random.Random) -> None:
        self._design = design
        self._chance = chance
        self._assembly = design.assemblies[0]
        self._components = list(design.components)
        self._instances = list(self._assembly.instances)
        self._connections = list(self._assembly.connections)
        self._exposed = list(self._assembly.exposed)

    def varied(self) -> Design:
        chance = self._chance
        if chance.random() < 0.3:
            self._to_itself(chance.choice(self._instances))
        if chance.random() < 0.3:
            self._twin(chance.choice(self._instances))
        own = [one for one in self._connections if any(i.name == one.sink.instance for i in self._instances)]
        if own and chance.random() < 0.2:
            self._connections.remove(chance.choice(own))
        for _ in range(chance.choice((0, 1, 1, 2))):
            self._connect()
        if self._connections and chance.random() < 0.3:
            self._expose(chance.choice(self._connections))
        whole = Assembly(
            WHOLE,
            self._assembly.environment,
            tuple(self._instances),
            tuple(chance.sample(self._connections, len(self._connections))),
            tuple(self._exposed),
        )
        return replace(self._design, components=tuple(self._components), assemblies=(whole,))

    def _to_itself(self, instance: Instance) -> None:
        """A thread sends to itself, or calls itself and waits for ever."""
        number = next(n for n, one in enumerate(self._components) if one.name == instance.component)
        component = self._components[number]
        threads = [at for at, reaction in enumerate(component.reactions) if reaction.threaded]
        if not threads:
            return
        how = Interaction.SYNCH if self._chance.random() < 0.15 else Interaction.ASYNCH
        pins = (Pin("again", False, how), Pin("once_more", True, how))
        at = self._chance.choice(threads)
        reaction = component.reactions[at]
        names = [state.name for state in reaction.states]
        moves = list(reaction.transitions)
        for name in self._chance.sample(names, min(2, len(names))):
            done = (End("once_more"),) if self._chance.random() < 0.7 else ()
            moves.append(arrow(name, self._chance.choice(names), "^once_more", *done))
        which = self._chance.randrange(len(moves))
        moves[which] = replace(moves[which], action=Block((*moves[which].action.statements, Begin("again"))))
        new = replace(reaction, pins=(*reaction.pins, "again", "once_more"), transitions=tuple(moves))
        reactions = (*component.reactions[:at], new, *component.reactions[at + 1 :])
        self._components[number] = replace(component, pins=(*component.pins, *pins), reactions=reactions)
        for one in self._instances:
            if one.component == component.name:
                self._wire(PinName(one.name, "again"), PinName(one.name, "once_more"))

    def _twin(self, instance: Instance) -> None:
        """One more of a component, which interacts with the partners of the first one."""
        name = f"twin_of_{instance.name}"
        self._instances.append(replace(instance, name=name))
        for wire in tuple(self._connections):
            if wire.source.instance == instance.name:
                to = wire.sink if wire.sink.instance != instance.name else PinName(name, wire.sink.pin)
                self._wire(PinName(name, wire.source.pin), to)

    def _connect(self) -> None:
        """Two pins that fit are connected, perhaps not the first time."""
        sinks = [(PinName(i.name, p.name), p) for i in self._instances for p in self._component(i).pins if p.is_sink]
        ticks = [(one.source, Pin("tick", False, Interaction.ASYNCH)) for one in self._connections
                 if one.source.pin == "tick"]  # fmt: skip
        taken = {str(one.source) for one in self._connections} | set(map(str, self._exposed))
        small = {(note.scope, note.subject) for note in self._design.annotations if note.name == "values"}
        sources = [
            (PinName(i.name, pin.name), pin)
            for i in self._instances
            for pin in self._component(i).pins
            if not pin.is_sink and (not pin.parameters or (i.component, pin.name) in small)
        ]
        fitting = [
            (source, sink)
            for source, out in (*sources, *ticks)
            for sink, into in sinks
            if out.interaction is into.interaction and _types(out) == _types(into)
            if out.interaction is Interaction.ASYNCH or str(source) not in taken
        ]
        if fitting:
            self._wire(*self._chance.choice(fitting))

    def _expose(self, wire: Connection) -> None:
        """Others use a pin that is connected as well."""
        sink = next((i for i in self._instances if i.name == wire.sink.instance), None)
        if sink is not None and wire.sink not in self._exposed:
            self._exposed.append(wire.sink)

    def _wire(self, source: PinName, sink: PinName) -> None:
        if all((one.source, one.sink) != (source, sink) for one in self._connections):
            self._connections.append(Connection(source, sink))

    def _component(self, instance: Instance) -> Component:
        return next(one for one in self._components if one.name == instance.component)


def _types(pin: Pin) -> list[tuple[str, str]]:
    return [(one.type.name, one.passing.value) for one in pin.parameters]


def _component(component: Component, chance: random.Random) -> Component:
    limits = [Name(parameter.name) for parameter in component.parameters]

    def begins(variable: Variable) -> Variable:
        if not limits or variable.type.name == "Colour" or chance.random() < 0.7:
            return variable
        return replace(variable, initial=operation(chance.choice(limits), "%", 2))

    return replace(
        component,
        variables=tuple(map(begins, component.variables)),
        reactions=tuple(_Statechart(one, component, chance).varied() for one in component.reactions),
    )


@final
class _Statechart:
    """Says what a reaction says in other words, or something else in its place."""

    def __init__(self, reaction: Reaction, component: Component, chance: random.Random) -> None:
        self._reaction, self._component, self._chance = reaction, component, chance
        self._own = {one.name for one in reaction.variables}
        self._outer = {one.name for one in component.variables}
        self._counters = count(1)
        self._new: list[Variable] = []

    def varied(self) -> Reaction:
        chance, reaction = self._chance, self._reaction
        moves = [self._transition(one) for one in reaction.transitions]
        states = {one.name: one for one in reaction.states}
        if chance.random() < 0.2:
            moves += [replace(one, target=chance.choice(list(states))) for one in _sample(chance, moves[1:], 2)
                      if one.source != "start"]  # fmt: skip
        for at, move in enumerate(moves):
            late = [one for one in move.action.statements if isinstance(one, End) and self._is_known_later(one)]
            if late and chance.random() < 0.15:
                moved = late[0]
                rest = tuple(one for one in move.action.statements if one is not moved)
                moves[at] = replace(move, action=Block(rest))
                where = states[move.target]
                states[move.target] = (
                    replace(where, entry=Block((*where.entry.statements, moved)))
                    if chance.random() < 0.6
                    else replace(where, exit=Block((moved, *where.exit.statements)))
                )
        if chance.random() < 0.1:
            self._complete_another(moves)
        for name, one in states.items():
            states[name] = replace(one, entry=self._block(one.entry, set()), exit=self._block(one.exit, set()))
        variables = (*reaction.variables, *self._new)
        return replace(reaction, variables=variables, states=tuple(states.values()), transitions=tuple(moves))

    def _is_known_later(self, end: End) -> bool:
        names = {name.name for argument in end.arguments for name in names_in(argument)}
        return not any(name.startswith("x") or name == "w" for name in names)

    def _complete_another(self, moves: list[Transition]) -> None:
        """`$in` where something else is under way, or nothing."""
        sinks = [p for p in map(self._component.pin, self._reaction.pins) if p is not None and p.is_sink]
        if sinks:
            pin, at = self._chance.choice(sinks), self._chance.randrange(len(moves))
            data = tuple(Constant(1) for one in pin.parameters if one.passing.value == "produce")
            moves[at] = replace(moves[at], action=Block((*moves[at].action.statements, End(pin.name, data))))

    def _transition(self, one: Transition) -> Transition:
        known: set[str] = set()
        trigger = one.trigger
        if trigger is not None and trigger.names:
            known = {name for name in trigger.names if name not in self._own | self._outer}
            if not known & set(_names(one)) and self._chance.random() < 0.5:
                trigger, known = Trigger(trigger.pin, trigger.is_end), set()
        guard = None if one.guard is None else self._condition(self._expression(one.guard, known))
        return replace(one, trigger=trigger, guard=guard, action=self._block(one.action, known))

    def _block(self, block: Block, known: set[str]) -> Block:
        return Block(tuple(self._statement(one, known) for one in block.statements))

    def _statement(self, one: Statement, known: set[str]) -> Statement:
        def data(arguments: tuple[Expression, ...]) -> tuple[Expression, ...]:
            return tuple(self._value(self._expression(argument, known)) for argument in arguments)

        match one:
            case Assign(target, value):
                done: Statement = Assign(self._name(target, known), self._value(self._expression(value, known)))
            case Begin(pin, arguments):
                done = Begin(pin, data(arguments))
            case End(pin, arguments):
                done = End(pin, data(arguments))
            case If(condition, then, otherwise):
                condition = self._condition(self._expression(condition, known))
                done = If(condition, self._block(then, known), self._block(otherwise, known))
            case Repeat(condition, body):
                return Repeat(self._expression(condition, known), self._block(body, known))
            case Block():
                done = self._block(one, known)
            case other:
                assert_never(other)
        return self._within(done, known)

    def _within(self, done: Statement, known: set[str]) -> Statement:
        """A statement in others."""
        match self._chance.randrange(40):
            case 0:
                return Block((done, Block()))
            case 1:
                return If(self._any(known), Block((done,)), Block((Block(),)))
            case 2:
                return If(self._any(known), Block(), Block((done,)))
            case 3:
                name = f"round{next(self._counters)}"
                self._new.append(Variable(name, Type("int")))
                body = Block((assign(name, operation(name, "+", 1)), done))
                return Block((assign(name, 0), Repeat(operation(name, "<", self._chance.randrange(3)), body)))
            case _:
                return done

    def _any(self, known: set[str]) -> Expression:
        names = [*self._own, *self._outer, *known]
        return operation(self._name(Name(self._chance.choice(names)), known), ">", 0) if names else Constant(1)

    def _expression(self, one: Expression, known: set[str]) -> Expression:
        match one:
            case Constant():
                return one
            case Name():
                return self._name(one, known)
            case Operation(operator, operands):
                return Operation(operator, tuple(self._expression(operand, known) for operand in operands))
            case other:
                assert_never(other)

    def _name(self, name: Name, known: set[str]) -> Name:
        """The same variable by its longer name, or the one that is hidden by it."""
        is_outer = name.name in self._outer and name.name not in known
        return replace(name, owner="component") if is_outer and self._chance.random() < 0.15 else name

    def _value(self, one: Expression) -> Expression:
        """A value that is as small, in other words."""
        if self._chance.random() < 0.75:
            return one
        unsigned = Constant(1, text="1u")
        forms: tuple[Callable[[], Expression], ...] = (
            lambda: operation(operation(one, "+", 7), "-", 7),
            lambda: Operation(Operator.MINUS, (Operation(Operator.MINUS, (one,)),)),
            lambda: Operation(Operator.COMPLEMENT, (Operation(Operator.COMPLEMENT, (one,)),)),
            lambda: operation(operation(one, "<<", 1), ">>", 1),
            lambda: operation(operation(one, "*", 3), "&", 1),
            lambda: operation(operation(one, "^", 1), "&", 1),
            lambda: operation(operation(5, ">>", one), "%", 2),
            lambda: operation(operation(one, "-", 1), "<", unsigned),
            lambda: operation(operation(one, "|", 2), "/", 2),
            lambda: operation(operation(-3, "/", operation(one, "+", 1)), "&", 1),
            lambda: operation(operation(one, "-", unsigned), "%", 2),
            lambda: operation(operation(4, "/", one), "&", 1),  # undefined for 0
        )
        return self._chance.choice(forms[:-1] if self._chance.random() < 0.9 else forms)()

    def _condition(self, one: Expression) -> Expression:
        match self._chance.randrange(12):
            case 0:
                return Operation(Operator.NOT, (Operation(Operator.NOT, (one,)),))
            case 1:
                return operation(one, "==", 1)
            case 2:
                return operation(one, "&&", operation(operation(one, "+", 1), ">", 0))
            case 3:
                return operation(operation(one, "-", 1), "<", 0)
            case _:
                return one


def _names(one: Transition) -> Iterator[str]:
    """The names that a transition reads."""
    if one.guard is not None:
        yield from (name.name for name in names_in(one.guard))
    for statement in parts_of(one.action):
        yield from (name.name for expression in _computed(statement) for name in names_in(expression))


def _computed(statement: Statement) -> tuple[Expression, ...]:
    match statement:
        case Assign(_, value):
            return (value,)
        case Begin(_, arguments) | End(_, arguments):
            return arguments
        case If(condition) | Repeat(condition):
            return (condition,)
        case Block():
            return ()
        case other:
            assert_never(other)


def _sample(chance: random.Random, some: list[Transition], most: int) -> list[Transition]:
    return chance.sample(some, min(most, len(some)))
