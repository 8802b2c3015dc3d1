"""Designs for tests: random sound ones, and what they are without the places in their texts."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from random import Random
from typing import Any, Final

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
from stateglass.logic.expressions import BINDING, PREFIXES
from stateglass.source import NOWHERE, Span

_TYPES: Final = ("int", "bool", "unsigned char", "long long", "unsigned int", "short")
_STATES: Final = ("idle", "busy", "done")


def without_places(node: Any) -> Any:
    """The same with all spans nowhere, and from no file."""
    if isinstance(node, Span):
        return NOWHERE
    if isinstance(node, tuple):
        return tuple(map(without_places, node))
    if is_dataclass(node) and not isinstance(node, type):
        parts = {f.name: without_places(getattr(node, f.name)) for f in fields(node)}
        return type(node)(**parts | ({"file": ""} if isinstance(node, Design) else {}))
    return node


def random_design(random: Random) -> Design:
    """A sound design with each kind of node in it, now and then."""
    hue = Enumeration("Hue", (("RED", 0), ("GREEN", random.choice((1, 7))), ("BLUE", 8)))
    components = tuple(_component(random, name) for name in ("press", "robot"))
    instances = tuple(Instance(f"{c.name[0]}{n}", c.name, (_constant(random),)) for c in components for n in range(2))
    environment = Environment("cell", (Service("clock", "timer"), Service("level", "variable", (Constant(3),))))
    connections = (
        Connection(PinName("p0", "ask"), PinName("r0", "asked")),
        Connection(PinName("p1", "ask"), PinName("r0", "asked")),
        Connection(PinName("p0", "tell"), PinName("r1", "told")),
        Connection(PinName("p0", "tell"), PinName("p1", "told")),
    )
    exposed = tuple(PinName(i, "told") for i in ("p0", "r0") if random.random() < 0.5)
    assembly = Assembly("line", "cell", instances, connections, exposed)
    results = (("result", 'it "holds" \\ so'),) if random.random() < 0.5 else ()
    about = [Annotation("line", "line", "comfort", "Safe", "string", "G([p0.count >= 0])", of_result=results)]
    about += [Annotation(c.name, "R", "comfort", "queue", "int", random.randint(1, 9)) for c in components]
    about += [Annotation(c.name, "R", "other", "Note", "string", "a\nb\t'`") for c in components]
    # In the order of the text: those of a component come before those of an assembly.
    annotations = tuple(a for scope in ("press", "robot", "line") for a in about if a.scope == scope)
    return Design("", (hue,), components, (environment,), (assembly,), annotations)


def _component(random: Random, name: str) -> Component:
    type = Type(random.choice(_TYPES))
    is_signed = type.name in ("int", "short", "long long")
    count = Variable("count", type, Operation(*_minus_one()) if is_signed else Constant(1, text="0x1"))
    colour = Variable("colour", Type("Hue"), Name("GREEN"))
    pins = (
        Pin("asked", True, Interaction.SYNCH, (Parameter("a", Type("int")), Parameter("b", Type("bool"), Passing.END))),
        Pin("ask", False, Interaction.SYNCH, (Parameter("a", Type("int")), Parameter("b", Type("bool"), Passing.END))),
        Pin("told", True, Interaction.ASYNCH, (Parameter("c", Type("Hue")),)),
        Pin("tell", False, Interaction.ASYNCH, (Parameter("c", Type("Hue")),)),
    )
    own = (Variable("n", Type(random.choice(_TYPES))), Variable("count", Type("int"), Constant(16, text="0x10")))
    states = tuple(State(s, _block(random, 2), _block(random, 1)) for s in _STATES)
    transitions = [Transition("start", "idle", action=_block(random, 2))]
    transitions += [_transition(random) for _ in range(random.randint(1, 6))]
    reaction = Reaction("R", True, ("asked", "ask", "told", "tell"), own, states, tuple(transitions))
    other = Reaction("U", False, ("ask",))
    return Component(name, (Parameter("most", Type("int")),), (count, colour), pins, (reaction, other))


def _minus_one() -> tuple[Any, tuple[Expression, ...]]:
    return PREFIXES[1], (Constant(1),)


def _transition(random: Random) -> Transition:
    triggers = (
        None,
        Trigger("asked", False, random.choice(((), ("x",), ("n",)))),
        Trigger("ask", True, random.choice(((), ("y",)))),
        Trigger("told", False, ("colour",)),
    )
    guard = _expression(random, 3) if random.random() < 0.5 else None
    if isinstance(guard, Constant) or guard == Name("colour"):
        guard = None
    ends = random.choice(_STATES), random.choice(_STATES)
    return Transition(*ends, random.choice(triggers), guard, _block(random, 3))


def _block(random: Random, depth: int) -> Block:
    return Block(tuple(_statement(random, depth) for _ in range(random.choice((0, 1, 1, 2)))))


def _statement(random: Random, depth: int) -> Statement:
    match random.randrange(8 if depth else 4):
        case 0:
            return Assign(Name("count", owner=random.choice(("", "component"))), _expression(random, 3))
        case 1:
            return Begin("ask", (_expression(random, 2),))
        case 2:
            return Begin("tell", (Name("colour"),))
        case 3:
            return End("asked", (_expression(random, 2),))
        case 4:
            return Block((_statement(random, depth - 1), _statement(random, depth - 1)))
        case 5:
            return Repeat(_condition(random), _block(random, depth - 1))
        case _:
            return If(_condition(random), _block(random, depth - 1), _block(random, depth - 1))


def _condition(random: Random) -> Expression:
    return Operation(random.choice(list(BINDING)), (_expression(random, 2), _expression(random, 2)))


def _expression(random: Random, depth: int) -> Expression:
    match random.randrange(6 if depth else 3):
        case 0:
            return _constant(random)
        case 1 | 2:
            return random.choice((Name("n"), Name("most"), Name("count", owner="component"), Name("count")))
        case 3:
            return Operation(random.choice(PREFIXES), (_expression(random, depth - 1),))
        case _:
            operands = _expression(random, depth - 1), _expression(random, depth - 1)
            return Operation(random.choice(list(BINDING)), operands)


def _constant(random: Random) -> Constant:
    return random.choice((Constant(0, text="false"), Constant(1, text="true"), Constant(7), Constant(97, text="'a'")))
