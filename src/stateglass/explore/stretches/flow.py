"""A system as rests and stretches between them: all that code can do, with terms in place of values.

A rest is a place where code can be interrupted; a stretch is all the ways from one rest to another that meet no third
one, as one formula. Loops begin with rests, so that a stretch has no loop, and the whole is finite however large the
data is. Everything that decides claims on unbounded data works on this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from functools import cached_property
from typing import final

from stateglass.explore.merging.contents import Content, Reason
from stateglass.model import Verb
from stateglass.program import Scalar, Type
from stateglass.smt import Term, Terms
from stateglass.source import NOWHERE, Span


@final
@unique
class Phase(Enum):
    """What is about to happen at a rest."""

    START = "start"  # nothing has happened
    STABLE = "stable"  # the environment chooses an input or calls
    LOOP = "loop"  # a loop begins or goes on: no moment of a run of its own, and claims are not asked there
    CHANGED = "changed"  # a variable that somebody watches has just got a value
    CALLING = "calling"  # a function without a body is about to be called
    INSIDE = "inside"  # a function without a body is about to return
    ASKING = "asking"  # an input is about to be read
    RETURNING = "returning"  # an entry function is about to return
    EXITING = "exiting"  # the program is about to end with a status
    FAILED = "failed"  # an error has happened: nothing follows
    OVER = "over"  # the program has ended normally: nothing follows
    LOST = "lost"  # code that is not modelled: what follows is not known

    @property
    def is_end(self) -> bool:
        return self in (Phase.FAILED, Phase.OVER, Phase.LOST)


@final
@unique
class Part(Enum):
    """What a slot says of its cell."""

    VALUE = "value"  # all bits of the value
    BIT = "bit"  # the value, which is 0 or 1
    INDEX = "index"  # which one of the known addresses the value is
    ABSENT = "absent"  # whether there is no value
    HOLES = "holes"  # ones where no bit was written


@final
@dataclass(frozen=True, slots=True)
class Slot:
    """A variable that the formulas of a rest may speak of."""

    cell: int
    name: str  # of the variable of the program, as states call it
    type: Scalar
    part: Part
    term: Term  # the variable itself; its own at each rest
    absent: Reason | None = None  # what reading the cell is if there is no value
    addresses: tuple[int, ...] = ()  # for `INDEX`


@final
@dataclass(frozen=True, slots=True)
class Watched:
    """What a variable that somebody speaks of holds at a rest, in terms of the slots there."""

    name: str  # of the proposition
    type: Scalar
    content: Content


@final
@dataclass(frozen=True, slots=True)
class Rest:
    """A place where code can be interrupted, and what may be different there from run to run."""

    number: int
    phase: Phase
    slots: tuple[Slot, ...]
    what: str = ""  # the function that is called or returns, the kind of error, what is not known
    span: Span = NOWHERE
    bound: bool = False  # of a lost one: a bound was reached
    entry: int | None = None  # of `RETURNING`: the number of the entry; None: the init function
    chosen: int = 0  # of `STABLE`: how many inputs have been chosen
    watched: tuple[Watched, ...] = ()  # what claims speak of
    named: tuple[Watched, ...] = ()  # what predicates of the user speak of
    drops: bool = False  # for some values the run does not count that goes on from here

    def __str__(self) -> str:
        return f"{self.phase.value} {self.what}".strip() + (f" ({self.span})" if self.span.line else "")


@final
@unique
class Source(Enum):
    """Who asks the environment for a value, in the order of a run."""

    ARGUMENT = "argument"  # of a call from outside
    INPUT = "input"  # a global variable that is set before a call
    READ = "read"  # a volatile variable
    RESULT = "result"  # of a function without a body
    WRITTEN = "written"  # behind a pointer that such a function was given


@final
@dataclass(frozen=True, slots=True)
class Chosen:
    """A value that the environment chooses within a stretch."""

    source: Source
    name: str  # the input, as bounds call it
    function: str  # that is called; empty for inputs and reads
    type: Scalar
    term: Term
    when: Term  # for which valuations it is asked for


@final
@dataclass(frozen=True, slots=True)
class Shown:
    """The action that a stretch begins with, its values as terms."""

    verb: Verb
    name: str
    arguments: tuple[tuple[Term, Type], ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Stretch:
    """All ways from a rest to another one: for which values they are gone, and what there is afterwards.

    Values are those of the slots of the source, and of what is chosen on the way.
    """

    number: int
    source: int
    target: int
    guard: Term
    after: tuple[Term, ...]  # one for each slot of the target
    chosen: tuple[Chosen, ...] = ()
    action: Shown | None = None  # None: silent
    entry: int | None = None  # the number of the entry that is called by it; None: none is


@final
@dataclass(frozen=True)
class Flow:
    """The whole: the first rest is where every run begins, and it has no slots."""

    terms: Terms
    rests: tuple[Rest, ...]
    stretches: tuple[Stretch, ...]
    names: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # cells of the variables that claims speak of
    whole: Flow | None = None  # of a slice: the flow with all slots; its rests and stretches have the same numbers

    @cached_property
    def leaving(self) -> tuple[tuple[Stretch, ...], ...]:
        """The stretches from each rest."""
        found: list[list[Stretch]] = [[] for _ in self.rests]
        for stretch in self.stretches:
            found[stretch.source].append(stretch)
        return tuple(map(tuple, found))

    @cached_property
    def arriving(self) -> tuple[tuple[Stretch, ...], ...]:
        """The stretches to each rest."""
        found: list[list[Stretch]] = [[] for _ in self.rests]
        for stretch in self.stretches:
            found[stretch.target].append(stretch)
        return tuple(map(tuple, found))

    def of_phase(self, phase: Phase) -> tuple[Rest, ...]:
        return tuple(rest for rest in self.rests if rest.phase is phase)
