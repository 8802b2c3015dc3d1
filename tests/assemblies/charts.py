"""How one statechart moves, in the words of the page about meaning: what it does, and what it asks the world around it.

A move begins with the state that has been entered, or with an event that arrives at rest. It is a plain Python
generator: whatever it needs from outside is yielded as a request and comes back as the answer. So a move that is
interrupted is the list of answers that it was given; to go on, it is run again with these.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import Any, Final, NamedTuple, assert_never, final

from stateglass.design import (
    START,
    Assign,
    Begin,
    Block,
    Component,
    End,
    Expression,
    If,
    Interaction,
    Name,
    Passing,
    Pin,
    Reaction,
    Repeat,
    State,
    Statement,
    Transition,
)
from tests.assemblies.arithmetic import INT, Kind, Number, Reads, evaluated

MOST_ROUNDS: Final = 200
"""A loop in an action is gone through so often: it is to end by itself."""

Data = tuple[int, ...]


class TooLong(Exception):
    """A loop in an action did not end soon."""


class Slot(NamedTuple):
    """A variable: where it is kept, and its type."""

    number: int
    kind: Kind
    shared: bool  # by several reactions


class Read(NamedTuple):
    """The value of a variable is asked for."""

    slot: Slot


class Write(NamedTuple):
    """A variable changes."""

    slot: Slot
    value: int


class Choose(NamedTuple):
    """One of several ways is taken."""

    ways: int


class Enter(NamedTuple):
    """From now on the statechart is in this state."""

    state: str


class Look(NamedTuple):
    """The end that has arrived on a source pin, or None; it does not wait any more."""

    pin: str


class Call(NamedTuple):
    """A `synch` interaction begins; the answer comes when it is complete."""

    pin: str
    data: Data


class Put(NamedTuple):
    """A message goes to one of the sinks that an `asynch` source pin is connected to; the first one begins it."""

    pin: str
    data: Data
    sink: int


class Complete(NamedTuple):
    """`$in`"""

    pin: str
    data: Data


Request = Read | Write | Choose | Enter | Look | Call | Put | Complete


@final
@unique
class Phase(Enum):
    """What a statechart is about to do."""

    BEGIN = "leave the start"
    LOOK = "look for what can be done in a state that has been entered"
    EVENT = "handle the event"
    REST = "nothing"


Moving = Generator[Request, Any, Phase]
Doing = Generator[Request, Any, None]
Locals = Mapping[str, Number]


@final
@dataclass(frozen=True)
class Chart:
    """A reaction of an instance, with what its names mean there."""

    reaction: Reaction
    component: Component
    kinds: Mapping[str, Kind]
    slots: Mapping[tuple[str, str], Slot]  # by owner (`reaction`, `component`) and name
    constants: Mapping[str, int]  # parameters of the component and enumerators
    sinks: Mapping[str, int]  # how many sinks a source pin is connected to

    def move(self, state: str, phase: Phase, event: tuple[str, Data] | None) -> Moving:
        """What is done from a state entered, or an event taken, to the next state entered or to rest."""
        match phase:
            case Phase.BEGIN:
                taken = yield from self._transition(START, None, ())
                return Phase.LOOK if taken else Phase.REST
            case Phase.LOOK:
                for pin in self.reaction.pins:
                    if not self._pin(pin).is_sink:
                        data = yield Look(pin)
                        if data is not None and (yield from self._transition(state, (pin, True), data)):
                            return Phase.LOOK
                return Phase.LOOK if (yield from self._transition(state, None, ())) else Phase.REST
            case Phase.EVENT:
                assert event is not None
                pin, data = event
                if (yield from self._transition(state, (pin, False), data)):
                    return Phase.LOOK
                yield Complete(pin, (0,) * len(self._pin(pin).passed(Passing.END)))
                return Phase.REST
            case Phase.REST:
                raise AssertionError(state)
            case _:
                assert_never(phase)

    def _transition(self, state: str, trigger: tuple[str, bool] | None, data: Data) -> Generator[Request, Any, bool]:
        """Takes one of the transitions with a trigger that can be taken, from the innermost state outwards."""
        for source in self._around(state):
            possible = []
            for transition in self.reaction.transitions:
                own = transition.trigger and (transition.trigger.pin, transition.trigger.is_end)
                if transition.source == source and own == trigger:
                    known = self._brought(transition, data)
                    if transition.guard is None or (yield from self._value(transition.guard, known))[0]:
                        possible.append((transition, known))
            if possible:
                which = yield Choose(len(possible))
                yield from self._take(state, *possible[which])
                return True
        return False

    def _take(self, state: str, transition: Transition, known: Locals) -> Doing:
        for name, (value, _) in known.items():
            slot = self._slot(Name(name))
            if slot is not None:
                yield Write(slot, value)
        own = {name: number for name, number in known.items() if self._slot(Name(name)) is None}
        outside = self._shared(transition.source, transition.target)
        for left in self._around(state):
            if left == outside:
                break
            yield from self._do(self._state(left).exit, {})
        yield from self._do(transition.action, own)
        inmost = transition.target
        while (inner := self._initial(inmost)) is not None:
            inmost = inner
        yield Enter(inmost)
        entered = list(self._around(inmost))
        entered = entered[: entered.index(outside)] if outside is not None else entered
        for state in reversed(entered):
            yield from self._do(self._state(state).entry, {})

    def _brought(self, transition: Transition, data: Data) -> Locals:
        """What the names in a trigger stand for in its guard."""
        if transition.trigger is None:
            return {}
        pin, at_end = self._pin(transition.trigger.pin), transition.trigger.is_end
        parameters = pin.passed(Passing.END if at_end else Passing.BEGIN)
        known = {}
        for name, parameter, value in zip(transition.trigger.names, parameters, data, strict=False):
            slot = self._slot(Name(name))
            kind = self.kinds[parameter.type.name] if slot is None else slot.kind
            known[name] = (kind.converted(value), kind)
        return known

    def _do(self, statement: Statement, known: Locals) -> Doing:
        match statement:
            case Assign(target, value):
                slot = self._slot(target)
                assert slot is not None
                number, _ = yield from self._value(value, known)
                yield Write(slot, slot.kind.converted(number))
            case Begin(pin, arguments):
                data = yield from self._data(self._pin(pin), Passing.BEGIN, arguments, known)
                if self._pin(pin).interaction is Interaction.SYNCH:
                    yield Call(pin, data)
                else:
                    for sink in range(max(1, self.sinks.get(pin, 0))):
                        yield Put(pin, data, sink)
            case End(pin, arguments):
                yield Complete(pin, (yield from self._data(self._pin(pin), Passing.END, arguments, known)))
            case If(condition, then, otherwise):
                holds = (yield from self._value(condition, known))[0]
                yield from self._do(then if holds else otherwise, known)
            case Repeat(condition, body):
                for _ in range(MOST_ROUNDS):
                    if not (yield from self._value(condition, known))[0]:
                        return
                    yield from self._do(body, known)
                raise TooLong
            case Block(statements):
                for one in statements:
                    yield from self._do(one, known)
            case other:
                assert_never(other)

    def _data(
        self, pin: Pin, passing: Passing, arguments: tuple[Expression, ...], known: Locals
    ) -> Generator[Request, Any, Data]:
        data = []
        for parameter, argument in zip(pin.passed(passing), arguments, strict=True):
            number, _ = yield from self._value(argument, known)
            data.append(self.kinds[parameter.type.name].converted(number))
        return tuple(data)

    def _value(self, expression: Expression, known: Locals) -> Reads:
        def read(name: Name) -> Reads:
            slot = self._slot(name)
            if not name.owner and name.name in known:
                return known[name.name]
            if slot is not None:
                return (yield Read(slot)), slot.kind
            return self.constants[name.name], INT

        return evaluated(expression, read)

    def _slot(self, name: Name) -> Slot | None:
        """The variable that a name means: of the reaction, or else of the component."""
        own = None if name.owner else self.slots.get(("reaction", name.name))
        return own or self.slots.get(("component", name.name))

    def _pin(self, name: str) -> Pin:
        found = self.component.pin(name)
        assert found is not None, name
        return found

    def _state(self, name: str) -> State:
        return next((state for state in self.reaction.states if state.name == name), State(name))

    def _around(self, name: str) -> Iterator[str]:
        """A state and those that it stands in, outwards."""
        at: str | None = name
        while at is not None:
            yield at
            at = self._state(at).parent

    def _shared(self, source: str, target: str) -> str | None:
        """The innermost state that contains both ends; none contains itself."""
        outer = list(self._around(source))[1:]
        return next((state for state in list(self._around(target))[1:] if state in outer), None)

    def _initial(self, name: str) -> str | None:
        """Where a state that has states inside begins."""
        inner = [state for state in self.reaction.states if state.parent == name]
        return next((state.name for state in inner if state.initial), inner[0].name if inner else None)
