"""A run as a driver needs it: what the environment does, what the code is to do, and the values seen meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from stateglass.program import Scalar, Type
from stateglass.source import Span


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A scalar: its value, or its bit pattern if it is a floating-point number."""

    value: int
    type: Scalar


@final
@dataclass(frozen=True, slots=True)
class Pointing:
    """A pointer that is not null: so many bytes behind the start of what has a name; without one, to anywhere."""

    target: str | None
    offset: int = 0


@final
@dataclass(frozen=True, slots=True)
class Text:
    """A pointer to characters that end with a NUL, which is not among them."""

    content: bytes


Value = Number | Pointing | Text


@final
@dataclass(frozen=True, slots=True)
class Buffer:
    """A pointer to an object of the environment, whose first elements are set for the call; none: it stays."""

    object: str
    contents: tuple[Number, ...] = ()


Argument = Number | Buffer


@final
@dataclass(frozen=True, slots=True)
class Filling:
    """What a scalar of an object of the environment is set to: so many bits behind its start."""

    object: str
    position: int
    number: Number


@final
@dataclass(frozen=True, slots=True)
class Sets:
    """The environment sets an input variable: scalars, by their places in C, or in objects of its own."""

    numbers: tuple[tuple[str, Number], ...]
    filled: tuple[Filling, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Calls:
    """The environment calls a function."""

    function: str
    arguments: tuple[Argument, ...]


@final
@dataclass(frozen=True, slots=True)
class Returns:
    """The function that the environment called returns: a scalar, or an object by its scalars."""

    function: str
    value: Value | None
    parts: tuple[tuple[str, Value], ...] = ()  # by their paths


@final
@dataclass(frozen=True, slots=True)
class Throws:
    """An exception leaves the function that the environment called."""

    function: str
    type: str  # without its namespaces


@final
@dataclass(frozen=True, slots=True)
class CallsOut:
    """The code calls a function outside; arguments that are no scalars are not compared."""

    function: str
    arguments: tuple[Value | None, ...]
    further: tuple[Type, ...] = ()  # of the arguments beside its parameters


@final
@dataclass(frozen=True, slots=True)
class Written:
    """What a function outside writes: so many bits behind where an argument points to."""

    argument: int
    position: int
    number: Number


@final
@dataclass(frozen=True, slots=True)
class ComesBack:
    """A function outside returns a number, or the pointer that one of its arguments is (-1: null), or it throws."""

    function: str
    value: Number | None = None
    handed: int | None = None
    written: tuple[Written, ...] = ()
    thrown: str = ""  # the type of an exception, without its namespaces


@final
@dataclass(frozen=True, slots=True)
class Reads:
    """The code reads a volatile input."""

    place: str  # in C
    number: Number


@final
@dataclass(frozen=True, slots=True)
class Changes:
    """Variables have values for a moment, between two things that can be seen from outside."""


@final
@dataclass(frozen=True, slots=True)
class Ends:
    """The program ends with a status."""

    status: int


@final
@dataclass(frozen=True, slots=True)
class Fails:
    """The code does something undefined, or gives up, at a place."""

    kind: str
    span: Span


Happening = Sets | Calls | Returns | Throws | CallsOut | ComesBack | Reads | Changes | Ends | Fails


@final
@dataclass(frozen=True, slots=True)
class Item:
    """Something that happens: the step of the evidence, its text, and the values that variables have at that moment."""

    step: int
    text: str
    what: Happening
    values: tuple[tuple[str, Value], ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Script:
    """The whole run; `before` is the call of the init function that goes before it.

    The claim is about the variables `asked`; `unknown` are those of them that hold no certain value at some moment.
    """

    items: tuple[Item, ...]
    before: Calls | None = None
    asked: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()

    def calls(self) -> Iterator[Calls]:
        """All calls that the environment makes."""
        if self.before is not None:
            yield self.before
        yield from (item.what for item in self.items if isinstance(item.what, Calls))

    def exits(self, function: str) -> bool:
        """Whether the program ends with a function, which does not return then."""
        return function == "main" and not any(
            isinstance(item.what, Returns) and item.what.function == function for item in self.items
        )

    def called_back(self) -> Iterator[int]:
        """The numbers of what the environment does before a function outside has returned."""
        depth = 0
        for number, item in enumerate(self.items):
            depth += isinstance(item.what, CallsOut) - isinstance(item.what, ComesBack)
            if depth and isinstance(item.what, Sets | Calls):
                yield number

    def compared(self) -> Iterator[Value]:
        """All values that the code is to have."""
        for item in self.items:
            yield from (value for _, value in item.values)
            match item.what:
                case Returns(_, value, parts):
                    yield from () if value is None else (value,)
                    yield from (part for _, part in parts)
                case CallsOut(_, arguments):
                    yield from (a for a in arguments if a is not None)
                case _:
                    pass
