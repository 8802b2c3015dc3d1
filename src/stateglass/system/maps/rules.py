"""Label maps as values: events, and the labels that they give to transitions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Final, assert_never, final

from stateglass.source import NOWHERE, Span
from stateglass.system.maps.conditions import Condition, print_condition
from stateglass.system.maps.entries import quoted
from stateglass.system.maps.places import PlaceName

VALUE: Final = 0
"""`$0`: what is returned, written or read, or the exit status; `$1` … are the arguments of a call."""

_PLAIN_LABEL: Final = re.compile(r"[^\W\d][\w$]*(\.[^\W\d][\w$]*)*")
_PLAIN_ITEM: Final = re.compile(r"[^\W\d][\w$]*|-?(0|[1-9][0-9]*)")


@final
@unique
class Relation(Enum):
    """How a value is compared with a constant."""

    EQUAL = "=="
    UNEQUAL = "!="
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="


Constant = int | str
"""A number, or an enumerator by its name."""


@final
@dataclass(frozen=True, slots=True)
class AnyValue:
    """`_`: whatever it is."""

    def __str__(self) -> str:
        return "_"


@final
@dataclass(frozen=True, slots=True)
class Compared:
    """`3`, `== 3`, `>= 3`."""

    relation: Relation
    constant: Constant
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.relation.value} {self.constant}"


@final
@dataclass(frozen=True, slots=True)
class Within:
    """`0..3`."""

    low: Constant
    high: Constant
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


Pattern = AnyValue | Compared | Within


@final
@dataclass(frozen=True, slots=True)
class Watch:
    """`watch (condition)`: it becomes true, or stays so, when a variable that it names is assigned."""

    condition: Condition

    def __str__(self) -> str:
        return f"watch ({print_condition(self.condition)})"


@final
@dataclass(frozen=True, slots=True)
class ExitEvent:
    """`exit`, `exit == 0`: the program ends, with such a status."""

    status: Pattern = AnyValue()

    def __str__(self) -> str:
        return f"exit{_tested(self.status)}"


@final
@dataclass(frozen=True, slots=True)
class CallEvent:
    """`call f`, `call f(3, _)`: with such arguments; None: with any. `more`: others may follow (`...`)."""

    function: str
    arguments: tuple[Pattern, ...] | None = None
    more: bool = False

    def __str__(self) -> str:
        if self.arguments is None:
            return f"call {self.function}"
        shown = [_argument(a) for a in self.arguments] + ["..."] * self.more
        return f"call {self.function}({', '.join(shown)})"


@final
@dataclass(frozen=True, slots=True)
class ReturnEvent:
    """`return f`, `return f == 0`: it returns, with such a value."""

    function: str
    value: Pattern = AnyValue()

    def __str__(self) -> str:
        return f"return {self.function}{_tested(self.value)}"


@final
@dataclass(frozen=True, slots=True)
class ReadEvent:
    """`read x`: the value of a variable, or of a part of it, is used."""

    place: PlaceName

    def __str__(self) -> str:
        return f"read {self.place}"


@final
@dataclass(frozen=True, slots=True)
class WriteEvent:
    """`write x`: a variable, or a part of it, gets a value."""

    place: PlaceName

    def __str__(self) -> str:
        return f"write {self.place}"


@final
@dataclass(frozen=True, slots=True)
class LineEvent:
    """`line "fsm.c":12`: code of this line runs."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"line {quoted(self.file)}:{self.line}"


Event = Watch | ExitEvent | CallEvent | ReturnEvent | ReadEvent | WriteEvent | LineEvent


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """`$1`: a value of the event, put into its label."""

    number: int

    def __str__(self) -> str:
        return f"${self.number}"


@final
@dataclass(frozen=True, slots=True)
class Label:
    """`accept`, `send($1, data)`; None for no parentheses at all."""

    name: str
    items: tuple[str | Parameter, ...] | None = None

    @property
    def parameters(self) -> tuple[int, ...]:
        """The numbers of the values it wants."""
        return tuple(dict.fromkeys(i.number for i in self.items or () if isinstance(i, Parameter)))

    def filled(self, values: Mapping[int, str]) -> str:
        """The label of a transition, with the values of its event."""
        if self.items is None:
            return self.name
        return f"{self.name}({', '.join(values[i.number] if isinstance(i, Parameter) else i for i in self.items)})"

    def __str__(self) -> str:
        if self.items is None:
            return self.name if _PLAIN_LABEL.fullmatch(self.name) else quoted(self.name)
        return f"{self.name}({', '.join(_shown_item(i) for i in self.items)})"


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """`event => label;`."""

    event: Event
    label: Label
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.event} => {self.label};"


@final
@dataclass(frozen=True, slots=True)
class LabelMap:
    """Rules in order: the first one that an event fits gives the label; without one it is `tau`."""

    rules: tuple[Rule, ...] = ()

    def __str__(self) -> str:
        return "".join(f"{rule}\n" for rule in self.rules)


def _tested(pattern: Pattern) -> str:
    match pattern:
        case AnyValue():
            return ""
        case Compared():
            return f" {pattern}"
        case Within():
            return f" in {pattern}"
        case _:
            assert_never(pattern)


def _argument(pattern: Pattern) -> str:
    if isinstance(pattern, Compared) and pattern.relation is Relation.EQUAL:
        return str(pattern.constant)
    return str(pattern)


def _shown_item(item: str | Parameter) -> str:
    if isinstance(item, Parameter):
        return str(item)
    return item if _PLAIN_ITEM.fullmatch(item) else quoted(item)
