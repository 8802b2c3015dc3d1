"""What processes and their surroundings do together: actions with values, and their canonical text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

SUBJECT: Final = "subject."
"""What the names start with by which a member speaks of the object that it is a member of."""
TAU: Final = "tau"
"""The event that nobody sees."""


@final
@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number. Values are classes of their own because for Python `1` and `True` are the same."""

    number: int

    def __str__(self) -> str:
        return str(self.number)


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    holds: bool

    def __str__(self) -> str:
        return "true" if self.holds else "false"


@final
@dataclass(frozen=True, slots=True)
class String:
    """A text in quotes."""

    text: str

    def __str__(self) -> str:
        return json.dumps(self.text, ensure_ascii=False)


@final
@dataclass(frozen=True, slots=True)
class Name:
    """An enumerator, the type of an exception or an object, by its name."""

    name: str

    def __str__(self) -> str:
        return self.name


Value = Whole | Truth | String | Name


@final
@unique
class Kind(Enum):
    """What is done."""

    CALL = "call"
    RETURN = "return"
    THROW = "throw"
    LOAD = "load"
    STORE = "store"
    EVENT = "event"  # it goes by its name alone


_ANSWERS: Final = frozenset({Kind.RETURN, Kind.THROW, Kind.LOAD})


def chosen_by_process(kind: Kind, name: str) -> bool:
    """Whether it is the process that chooses such an action and its values, or whoever deals with the process.

    A member is called and answers; with `subject.` it is the other way round. Events are nobody's in particular, so
    that a process may do them when it likes.
    """
    return kind is Kind.EVENT or (kind in _ANSWERS) != name.startswith(SUBJECT)


@final
@dataclass(frozen=True, slots=True)
class Action:
    """Something that is done. A `RETURN` without a name is from the one function that the process stands for."""

    kind: Kind
    name: str
    values: tuple[Value, ...] = ()

    @property
    def chosen_by_process(self) -> bool:
        return chosen_by_process(self.kind, self.name)

    def __str__(self) -> str:
        """The canonical text, which is what models have."""
        values = ", ".join(map(str, self.values))
        if self.kind is Kind.EVENT:
            return f"{self.name}({values})" if values else self.name
        if not self.name:
            return f"{self.kind.value} {{$0 == {values}}}" if values else f"{self.kind.value} {{}}"
        return f"{self.kind.value}({self.name}{', ' if values else ''}{values})"
