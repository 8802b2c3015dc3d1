"""What a line of a log says happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, final

from stateglass.model import Action, Verb


@final
@dataclass(frozen=True, slots=True)
class SystemCall:
    """A system call as strace writes it; its arguments are kept in one piece, most readers need only the name."""

    name: str
    arguments: str
    result: str  # "" if it never returned
    restarted: bool = False  # a signal came in between: the kernel may begin the same call again by itself

    def __str__(self) -> str:
        return f"{self.name}({self.arguments})" + (f" = {self.result}" if self.result else "")


@final
@dataclass(frozen=True, slots=True)
class Signal:
    """A signal was delivered."""

    name: str

    def __str__(self) -> str:
        return f"signal({self.name})"


@final
@dataclass(frozen=True, slots=True)
class End:
    """The process ended with this status."""

    status: int

    def __str__(self) -> str:
        return str(Action(Verb.EXIT, str(self.status)))


@final
@dataclass(frozen=True, slots=True)
class Killed:
    """A signal ended the process."""

    signal: str

    def __str__(self) -> str:
        return f"killed({self.signal})"


# An event of a plain log is its text.
Happening = str | SystemCall | Signal | End | Killed


class Reader(Protocol):
    """Turns the lines of a log into what happened, each with the number of its line."""

    skipped: int  # lines that say nothing

    def read(self, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Happening]]: ...
