"""Processes as a closed set of final, frozen nodes. `at` is where one stands in its text, and no part of what it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, unique
from functools import cached_property
from typing import final

from stateglass.source import NOWHERE, Code, Diagnostic, Severity
from stateglass.source.notation import Text
from stateglass.system.fsp.actions import Kind, Value, chosen_by_process

At = tuple[int, int]
_NOWHERE: At = (0, 0)


@final
@unique
class Operator(Enum):
    """What combines two values, as C has it."""

    OR = "||"
    AND = "&&"
    EQUAL = "=="
    UNEQUAL = "!="
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A value; a name that no variable has is a value too."""

    value: Value
    at: At = field(default=_NOWHERE, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """What a parameter or an earlier action has given a value."""

    name: str
    at: At = field(default=_NOWHERE, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Negative:
    """`-x`"""

    operand: Expression
    at: At = field(default=_NOWHERE, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Not:
    """`!x`"""

    operand: Expression
    at: At = field(default=_NOWHERE, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Infix:
    """`x + y`"""

    operator: Operator
    left: Expression
    right: Expression
    at: At = field(default=_NOWHERE, compare=False, repr=False)


Expression = Constant | Variable | Negative | Not | Infix


@final
@dataclass(frozen=True, slots=True)
class Interval:
    """`0..N`"""

    low: Expression
    high: Expression


@final
@dataclass(frozen=True, slots=True)
class Booleans:
    """`bool`"""


@final
@dataclass(frozen=True, slots=True)
class Listed:
    """`{RED, GREEN}`"""

    items: tuple[Expression, ...]


Domain = Interval | Booleans | Listed


@final
@dataclass(frozen=True, slots=True)
class Binding:
    """`v:0..3`: some value of these, which goes by this name from here on."""

    name: str
    domain: Domain
    at: At = field(default=_NOWHERE, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Pattern:
    """The actions that a prefix waits for or chooses from."""

    kind: Kind
    name: str
    arguments: tuple[Expression | Binding, ...] = ()
    at: At = field(default=_NOWHERE, compare=False, repr=False)

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return tuple(a for a in self.arguments if isinstance(a, Binding))

    @property
    def chosen_by_process(self) -> bool:
        return chosen_by_process(self.kind, self.name)


@final
@dataclass(frozen=True, slots=True)
class Prefix:
    """`action -> then`, with one action or any of a set."""

    patterns: tuple[Pattern, ...]
    then: Term


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """`this | that`"""

    options: tuple[Term, ...]


@final
@dataclass(frozen=True, slots=True)
class Guarded:
    """`when (condition) term`"""

    condition: Expression
    term: Term


@final
@dataclass(frozen=True, slots=True)
class Reference:
    """On with another definition: `OPEN[n + 1]`."""

    name: str
    arguments: tuple[Expression, ...] = ()
    at: At = field(default=_NOWHERE, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Stop:
    """`STOP`: nothing more is done."""


@final
@dataclass(frozen=True, slots=True)
class Error:
    """`ERROR`: this must not happen."""


Term = Prefix | Choice | Guarded | Reference | Stop | Error


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """`N = 3`: a value for all of a process, which whoever starts it may choose otherwise."""

    name: str
    default: Value
    at: At = field(default=_NOWHERE, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """`OPEN[n:0..3] = term`"""

    name: str
    indices: tuple[Binding, ...]
    term: Term
    at: At = field(default=_NOWHERE, compare=False, repr=False)


@final
@dataclass(frozen=True)
class Process:
    """Definitions, of which the first is where it starts. It has been validated."""

    parameters: tuple[Parameter, ...]
    definitions: tuple[Definition, ...]
    warnings: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)
    text: Text | None = field(default=None, compare=False, repr=False)  # that it was read from

    @property
    def name(self) -> str:
        return self.definitions[0].name

    def finding(self, message: str, at: At, help: str, severity: Severity) -> Diagnostic:
        """Something to say about a place in the process."""
        if self.text is None:
            return Diagnostic(Code.PROCESS, message, NOWHERE, severity, help)
        return self.text.finding(message, *at, help, severity)

    @cached_property
    def by_name(self) -> dict[str, Definition]:
        return {d.name: d for d in self.definitions}
