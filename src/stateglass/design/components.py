"""Components: variables, pins by which they interact, and reactions, each of which is a statechart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, unique
from functools import cached_property
from typing import Final, final

from stateglass.design.actions import (
    NOTHING,
    ZERO,
    Assign,
    Begin,
    Block,
    End,
    Expression,
    If,
    Repeat,
    Statement,
    parts_of,
)
from stateglass.source import NOWHERE, Span

START: Final = "start"
"""The pseudo-state that every statechart leaves at first."""


@final
@dataclass(frozen=True, slots=True)
class Type:
    """A type of C with integers as values, `bool`, or an enumeration by its name."""

    name: str  # `int`, `unsigned char`, `bool`, `Colour`
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True)
class Enumeration:
    """`enum Colour { RED, GREEN = 4 };`, with all values written out."""

    name: str
    values: tuple[tuple[str, int], ...]
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """`int data = 0;` of a component or of a reaction."""

    name: str
    type: Type
    initial: Expression = ZERO
    span: Span = NOWHERE


@final
@unique
class Passing(Enum):
    """When a parameter of a pin has its value."""

    BEGIN = "consume"  # `^` carries it, from source to sink
    END = "produce"  # `$` carries it, from sink to source


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """`produce int level`: data of an interaction. The direction is seen from the sink, also in a source pin."""

    name: str
    type: Type
    passing: Passing = Passing.BEGIN
    span: Span = NOWHERE


@final
@unique
class Interaction(Enum):
    """Whether who begins an interaction waits for its end."""

    SYNCH = "synch"
    ASYNCH = "asynch"


@final
@dataclass(frozen=True, slots=True)
class Pin:
    """`sink synch read(produce int level);`: where a component can be interacted with (sink), or does so (source)."""

    name: str
    is_sink: bool
    interaction: Interaction
    parameters: tuple[Parameter, ...] = ()
    span: Span = NOWHERE

    def passed(self, passing: Passing) -> tuple[Parameter, ...]:
        """The parameters that `^`, or `$`, carries."""
        return tuple(parameter for parameter in self.parameters if parameter.passing is passing)


@final
@dataclass(frozen=True, slots=True)
class State:
    """`state open { entry …; exit …; }`; states may stand inside states, which diagrams have and CCL has not."""

    name: str
    entry: Block = NOTHING
    exit: Block = NOTHING
    parent: str | None = None
    initial: bool = False  # where its parent begins
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Trigger:
    """`^in(x)`: an interaction on a sink pin begins, or `$out(x)`: that of a source pin is complete.

    `names` are given the data: variables, or names for this transition alone.
    """

    pin: str
    is_end: bool
    names: tuple[str, ...] = ()
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Transition:
    """`one -> two { trigger ^in(); guard x > 0; action $in(); }`"""

    source: str
    target: str
    trigger: Trigger | None = None
    guard: Expression | None = None
    action: Block = NOTHING
    span: Span = NOWHERE


@final
@dataclass(frozen=True)
class Reaction:
    """`threaded react S(in, out) { … }`: a statechart over some pins of its component, all of it in one thread."""

    name: str
    threaded: bool
    pins: tuple[str, ...]
    variables: tuple[Variable, ...] = ()
    states: tuple[State, ...] = ()  # also those that are only named by transitions
    transitions: tuple[Transition, ...] = ()  # in the order of the text
    span: Span = NOWHERE


@final
@dataclass(frozen=True)
class Component:
    """A unit of design: what it is made of, and how it behaves as far as that is said."""

    name: str
    parameters: tuple[Parameter, ...] = ()  # constants that an instance is given
    variables: tuple[Variable, ...] = ()
    pins: tuple[Pin, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    span: Span = NOWHERE

    @cached_property
    def _by_name(self) -> dict[str, Pin]:
        return {pin.name: pin for pin in reversed(self.pins)}

    def pin(self, name: str) -> Pin | None:
        return self._by_name.get(name)

    def reactions_on(self, pin: str) -> tuple[Reaction, ...]:
        """The reactions that use a pin."""
        return tuple(reaction for reaction in self.reactions if pin in reaction.pins)


def expressions_in(reaction: Reaction) -> Iterator[Expression]:
    """All that a reaction computes."""
    blocks = [block for state in reaction.states for block in (state.entry, state.exit)]
    for transition in reaction.transitions:
        blocks.append(transition.action)
        if transition.guard is not None:
            yield transition.guard
    for statement in (part for block in blocks for part in parts_of(block)):
        yield from _computed(statement)


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
