"""Where execution can rest: what is about to happen, or what the environment has to choose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from stateglass.program import Scalar
from stateglass.source import Span


@final
@dataclass(frozen=True, slots=True)
class Starting:
    """Before the init function, when that has something to choose or to show."""


@final
@dataclass(frozen=True, slots=True)
class Stable:
    """Between calls of the subject. `chosen` inputs have their value for the call to come.

    Below zero: so many more are chosen before there is any call.
    """

    chosen: int = 0


@final
@dataclass(frozen=True, slots=True)
class CallingOut:
    """About to call a function without a body, at the end of segment `segment`."""

    segment: int
    function: str
    arguments: tuple[Any, ...]


@final
@dataclass(frozen=True, slots=True)
class Outside:
    """Inside a function without a body: the environment chooses what it returns and writes, and whom it calls back."""

    segment: int
    function: str
    arguments: tuple[Any, ...]
    calls: int = 0  # how often it has called back, if that is bounded


@final
@dataclass(frozen=True, slots=True)
class Visit:
    """A call from outside: the number of the entry that it is made by, and where whoever calls goes on when it is over.

    Whoever is called back is called from outside while a function without a body has not returned.
    """

    entry: int = 0
    after: Stable | Outside = field(default_factory=Stable)

    @property
    def is_callback(self) -> bool:
        return isinstance(self.after, Outside)


@final
@dataclass(frozen=True, slots=True)
class Asking:
    """About to read an input."""

    segment: int
    name: str
    type: Scalar


@final
@dataclass(frozen=True, slots=True)
class Choosing:
    """At the end of a segment that can be left in several ways, or in a way that is shown: each action, and its way."""

    segment: int
    options: tuple[tuple[str, int], ...]


@final
@dataclass(frozen=True, slots=True)
class Returning:
    """About to return from the entry function."""

    function: str
    value: Any
    span: Span = field(compare=False)  # which `return` it was makes no difference to what follows
    visit: Visit = field(default_factory=Visit)


@final
@dataclass(frozen=True, slots=True)
class Failing:
    """About to end with an error."""

    kind: str
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Exiting:
    """About to end normally."""

    code: Any
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Stuck:
    """Code that is not modelled, or a bound was reached: what follows is not known."""

    reason: str
    span: Span
    bound: bool = False  # a bound was reached

    def __str__(self) -> str:
        return f"{'a bound was reached' if self.bound else 'not supported'}: {self.reason} ({self.span})"


@final
@dataclass(frozen=True, slots=True)
class Dropped:
    """The run does not count: an assumption does not hold."""


@final
@dataclass(frozen=True, slots=True)
class Looping:
    """In a silent loop that never ends."""

    segment: int


@final
@dataclass(frozen=True, slots=True)
class Resting:
    """At the start of a segment, when every step is kept."""

    segment: int


@final
@dataclass(frozen=True, slots=True)
class Ended:
    """The program is over."""

    failed: bool = False


Pause = (
    Starting
    | Stable
    | CallingOut
    | Outside
    | Asking
    | Choosing
    | Returning
    | Failing
    | Exiting
    | Stuck
    | Dropped
    | Looping
    | Resting
    | Ended
)
