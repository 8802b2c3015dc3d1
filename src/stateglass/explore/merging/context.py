"""What the parts of a run for all inputs share: the terms, the memory, the way at hand, and what was noted on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import final

from stateglass.explore.cells.contents import NOTHING_COPIED
from stateglass.explore.cells.memory import VOLATILE, Memory, Object
from stateglass.explore.machine import Machine
from stateglass.explore.merging.contents import Content, NotKnown, Reason, Way
from stateglass.explore.merging.outcome import Event, Fresh, Kind
from stateglass.explore.merging.trail import Trail
from stateglass.program import BOOL, Bool, Function, Global, Local, Scalar, representation
from stateglass.smt import Term, Terms
from stateglass.source import Span
from stateglass.values import Fault, FaultKind
from stateglass.values.symbolic import Symbolic


@final
class Lost(Exception):
    """The way at hand cannot be followed any further; what is to be said of that has been noted."""


@final
@dataclass(frozen=True, slots=True)
class Frame:
    """A function that is being run: where its variables are."""

    function: Function
    variables: dict[str, Object]
    variadic: Object | None = None


@final
@dataclass
class Context:
    """Changes as the run goes on."""

    machine: Machine
    terms: Terms
    before: Callable[[int], Content]  # what a cell holds that was not written
    wraps: frozenset[FaultKind] = frozenset()  # faults that are none
    ignored: frozenset[FaultKind] = frozenset()  # faults that nobody wants to hear of: such valuations do not count
    fits: bool = False  # unsigned results that do not fit are an overflow, too
    way: Way = field(default_factory=lambda: Way((), {}))
    frame: Frame = field(init=False)
    domain: Symbolic = field(init=False)
    events: list[Event] = field(default_factory=list)
    fresh: list[Fresh] = field(default_factory=list)
    decisions: dict[Term, None] = field(default_factory=dict)
    called_out: dict[str, set[int]] = field(default_factory=dict)
    volatile: dict[str, None] = field(default_factory=dict)
    rounds: int = 0
    callers: list[Span] = field(default_factory=list)
    trail: Trail = field(default_factory=Trail)
    is_copying: bool = False  # that something was never written is no error

    def __post_init__(self) -> None:
        self.domain = Symbolic(self.terms, self.note, self.wraps, fits=self.fits)

    @property
    def memory(self) -> Memory:
        return self.machine.memory

    def content(self, number: int) -> Content:
        """What a cell holds now."""
        found = self.way.cells.get(number)
        return self.before(number) if found is None else found

    def width(self, number: int) -> int:
        """How many bits a cell has."""
        return cell_width(self.memory, number)

    def find(self, variable: Global | Local) -> Object:
        if isinstance(variable, Global):
            return self.machine.globals[variable.name]
        return self.frame.variables[variable.name]

    def when(self, condition: Term) -> Term:
        """The valuations on the way at hand for which a condition holds."""
        return self.terms.both(*self.way.guard, condition)

    def note(self, kind: FaultKind, condition: Term, span: Span) -> None:
        """There is a fault on the way at hand, under a condition."""
        if self.is_copying and kind is FaultKind.UNINITIALISED:
            self.lose(NOTHING_COPIED, condition, span)
        elif condition is not self.terms.false:
            self.end(Kind.DROPPED if kind in self.ignored else Kind.FAULT, kind.value, condition, span)

    @contextmanager
    def copying(self) -> Iterator[None]:
        """While parts of something that is copied are read: if they were never written, nothing is known of them."""
        self.is_copying = True
        try:
            yield
        finally:
            self.is_copying = False

    def missing(self, reason: Reason, condition: Term, span: Span) -> None:
        """A cell without a value is read on the way at hand, under a condition."""
        if isinstance(reason, NotKnown):
            self.lose(reason.value, condition, span)
        else:
            self.note(reason, condition, span)

    def wrong(self, trouble: Exception, condition: Term, span: Span) -> None:
        """What the memory has to say about an address, under a condition."""
        if isinstance(trouble, Fault):
            self.note(trouble.kind, condition, span)
        else:
            self.lose(str(trouble), condition, span)

    def end(self, kind: Kind, what: str, condition: Term, span: Span) -> None:
        """The way at hand ends under a condition."""
        when = self.when(condition)
        if when is not self.terms.false:
            self.events.append(Event(kind, what, when, self.blamed(span)))
        if condition is self.terms.true:
            raise Lost

    def lose(self, reason: str, condition: Term, span: Span, *, bound: bool = False) -> None:
        """The way at hand cannot be followed under a condition."""
        self.end(Kind.BOUND if bound else Kind.UNSUPPORTED, reason, condition, span)

    def ask(self, name: str, type: Scalar, span: Span, only: Term | None = None, *, origin: str) -> Term:
        """A value from outside; under a condition, if it is not always asked for."""
        number = len(self.fresh)
        made = new_value(self.terms, f"{name}#{number}", type)
        when = self.when(self.terms.true if only is None else only)
        self.fresh.append(Fresh(name, type, made, when, self.blamed(span), origin))
        return made

    def blamed(self, span: Span) -> Span:
        """The line of the user's code that something in the library was called from."""
        for caller in reversed(self.callers):
            if not span.in_library:
                break
            span = caller
        return span


def cell_width(memory: Memory, number: int) -> int:
    """How many bits a cell has."""
    return (memory.load_code[number] & ~VOLATILE) >> 1 or representation(BOOL).bits


def new_value(terms: Terms, name: str, type: Scalar) -> Term:
    """Any value of a type."""
    width = representation(type).bits
    if isinstance(type, Bool):
        return terms.extend(terms.variable(name, 1), width, is_signed=False)
    return terms.variable(name, width)
