"""What can happen next in a state, with the text that is shown for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from stateglass.explore.pauses import Pause
from stateglass.program import Type
from stateglass.source import Span
from stateglass.system import Entry, Write


@final
@dataclass(frozen=True, slots=True)
class Called:
    """A function is called from outside, or one outside is called."""

    function: str
    arguments: tuple[Any, ...]
    types: tuple[Type, ...]
    entry: Entry | None = None  # how it is called from outside


@final
@dataclass(frozen=True, slots=True)
class Returned:
    """One of these returns."""

    function: str
    value: Any
    type: Type
    written: tuple[tuple[Write, tuple[int, ...]], ...] = ()  # what one without a body has written, and where
    room: str = ""  # the variable that an object lies in which is returned


@final
@dataclass(frozen=True, slots=True)
class Exited:
    """The program ends by itself."""

    status: Any
    type: Type


@final
@dataclass(frozen=True, slots=True)
class WasRead:
    """An input is read."""

    name: str
    value: Any
    type: Type


@final
@dataclass(frozen=True, slots=True)
class Threw:
    """An exception leaves a function that was called from outside, or one outside."""

    function: str
    type: str  # without its namespaces


@final
@dataclass(frozen=True, slots=True)
class LookedAt:
    """Somebody looks at a public variable of the object."""


@final
@dataclass(frozen=True, slots=True)
class Stored:
    """Somebody changes a public variable of the object."""

    position: int  # in bits
    value: int


Event = Called | Returned | Exited | WasRead | Threw | LookedAt | Stored


@final
@dataclass(frozen=True, slots=True)
class Move:
    """One transition out of a state: `make` brings the machine, which is in that state, to the next pause."""

    action: str
    span: Span | None
    make: Callable[[], Pause]
    event: Event | None = None  # what a label map may have a label for
