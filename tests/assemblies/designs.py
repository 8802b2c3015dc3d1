"""Designs made by hand, and short words for making them."""

from __future__ import annotations

from stateglass.design import (
    NOTHING,
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
    Service,
    State,
    Statement,
    Transition,
    Trigger,
    Type,
    Variable,
)
from stateglass.logic.predicates import Operator

INT, BOOL = Type("int"), Type("bool")


def value(of: int | str | Expression) -> Expression:
    """A number, or a variable by its name."""
    if isinstance(of, int):
        return Constant(of)
    return Name(of) if isinstance(of, str) else of


def operation(left: int | str | Expression, operator: str, right: int | str | Expression) -> Operation:
    return Operation(Operator(operator), (value(left), value(right)))


def assign(name: str, to: int | str | Expression) -> Assign:
    return Assign(Name(name), value(to))


def begin(pin: str, *arguments: int | str | Expression) -> Begin:
    return Begin(pin, tuple(map(value, arguments)))


def end(pin: str, *arguments: int | str | Expression) -> End:
    return End(pin, tuple(map(value, arguments)))


def block(*statements: Statement) -> Block:
    return Block(statements)


def data(name: str, type: Type = INT) -> Parameter:
    """What `^` carries."""
    return Parameter(name, type)


def result(name: str, type: Type = INT) -> Parameter:
    """What `$` carries."""
    return Parameter(name, type, Passing.END)


def sink(name: str, *parameters: Parameter, synch: bool = False) -> Pin:
    return Pin(name, True, Interaction.SYNCH if synch else Interaction.ASYNCH, parameters)


def source(name: str, *parameters: Parameter, synch: bool = False) -> Pin:
    return Pin(name, False, Interaction.SYNCH if synch else Interaction.ASYNCH, parameters)


def arrow(
    source: str, target: str, trigger: str = "", *actions: Statement, guard: Expression | None = None
) -> Transition:
    """A transition; the trigger is written `^pin`, `$pin` or `^pin(x, y)`."""
    found = None
    if trigger:
        pin, _, names = trigger[1:].rstrip(")").partition("(")
        found = Trigger(pin, trigger[0] == "$", tuple(name.strip() for name in names.split(",") if name))
    return Transition(source, target, found, guard, block(*actions) if actions else NOTHING)


def state(name: str, entry: Statement = NOTHING, exit: Statement = NOTHING, *, inside: str | None = None) -> State:
    def whole(of: Statement) -> Block:
        return of if isinstance(of, Block) else block(of)

    return State(name, whole(entry), whole(exit), inside)


def integer(name: str, initial: int = 0) -> Variable:
    return Variable(name, INT, Constant(initial))


def annotation(scope: str, subject: str, name: str, content: str | int) -> Annotation:
    return Annotation(scope, subject, "comfort", name, "int" if isinstance(content, int) else "string", content)


def store() -> Design:
    """A number that is set, counted up and counted down within bounds: the usual first example of such designs."""
    up = If(operation("data", "<", "max"), block(assign("data", operation("data", "+", 1))), block(assign("data", 0)))
    down = If(operation("data", ">", 0), block(assign("data", operation("data", "-", 1))), NOTHING)
    reaction = Reaction(
        "S",
        True,
        ("init", "incr", "decr"),
        (),
        (state("two", assign("data", 0)), state("four", up), state("five", down)),
        (
            arrow("start", "one"),
            arrow("one", "two", "^init"),
            arrow("two", "three", "", end("init")),
            arrow("three", "two", "^init"),
            arrow("three", "four", "^incr"),
            arrow("four", "three", "", end("incr")),
            arrow("three", "five", "^decr"),
            arrow("five", "three", "", end("decr")),
        ),
    )
    pins = tuple(map(sink, ("init", "incr", "decr")))
    return Design("store", (), (Component("store", (), (integer("data"), integer("max", 5)), pins, (reaction,)),))


def connected(*pairs: str) -> tuple[Connection, ...]:
    """`"a:out ~> b:in"`"""
    return tuple(Connection(pin_name(source), pin_name(sink)) for source, sink in (one.split("~>") for one in pairs))


def pin_name(text: str) -> PinName:
    """`a:out`"""
    instance, _, name = text.strip().partition(":")
    return PinName(instance, name)


def assembled(
    components: tuple[Component, ...],
    instances: str,
    *connections: str,
    services: tuple[Service, ...] = (),
    exposed: str = "",
    annotations: tuple[Annotation, ...] = (),
) -> Design:
    """A design with one assembly, `whole`; instances are written `a: Component(1), b: Other`."""
    made = []
    for one in instances.split(", "):
        name, _, kind = one.partition(": ")
        kind, _, arguments = kind.rstrip(")").partition("(")
        made.append(Instance(name, kind, tuple(Constant(int(number)) for number in arguments.split() if number)))
    open_pins = tuple(map(pin_name, exposed.split()))
    whole = Assembly("whole", "around", tuple(made), connected(*connections), open_pins)
    around = Environment("around", services)
    return Design("made", (), components, (around,), (whole,), annotations)
