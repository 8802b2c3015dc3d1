"""What a program consists of while it is put together: C functions, and processes in FSP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

from stateglass.assemblies.interpretation.lines import Line
from stateglass.assemblies.interpretation.naming import CHOOSE, NEVER, Names
from stateglass.assemblies.interpretation.planning import Copy
from stateglass.assemblies.interpretation.queues import refusing_text
from stateglass.assemblies.interpretation.values import Coding, Values, offers


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A function without a body, and how it is declared."""

    name: str
    declaration: str


Option = tuple[str, tuple[Values, ...], int]
"""An event, what it carries, and the number that stands for the first of these values."""


@final
@dataclass
class Draft:
    """A program that grows."""

    names: Names = field(default_factory=Names)
    declared: dict[str, Function] = field(default_factory=dict)
    choosers: dict[int, str] = field(default_factory=dict)  # functions that choose, by the number of ways
    called_for: dict[tuple[str, ...], str] = field(default_factory=dict)  # functions by what they do or wait for
    answers: dict[str, tuple[str, str]] = field(default_factory=dict)  # by function: a process and its text
    events: dict[str, None] = field(default_factory=dict)  # functions whose calls are events
    processes: dict[str, str] = field(default_factory=dict)  # that run beside threads
    done: set[str] = field(default_factory=set)  # events that some code does, whoever waits for them
    called: set[Copy] = field(default_factory=set)  # what carries out reactions without threads
    awaited: set[str] = field(default_factory=set)  # events that happen only if somebody else does them
    offered: dict[str, tuple[Values, ...]] = field(default_factory=dict)  # events that need somebody who takes them
    options: dict[str, tuple[Option, ...]] = field(default_factory=dict)  # by function: what it waits for
    silent: list[str] = field(default_factory=list)  # functions that wait for what never happens
    globals: list[Line] = field(default_factory=list)
    functions: list[list[Line]] = field(default_factory=list)

    def declare(self, name: str, declaration: str) -> str:
        self.declared.setdefault(name, Function(name, declaration))
        return name

    def event_function(self, event: str, count: int) -> str:
        """A function that does an event with this number of arguments."""
        self.events[event] = None
        return self.declare(event, f"extern void {event}({', '.join(['int'] * count)});")

    def doing(self, event: str) -> str:
        """A function that does an event without data, answered by a process."""
        name = self._function((event,))
        if name not in self.answers:
            process = self.names.new(event[0].upper() + event[1:].replace("_", "", 1))
            self.answers[name] = process, f"{process} = ({event} -> return {{}} -> STOP)."
        return self.declare(name, f"extern void {name}(void);")

    def waiting(self, what: tuple[str, ...], options: Sequence[Option], process: str) -> str:
        """A function that waits for one of several events and returns the number of what has come."""
        name = self._function(what)
        if name not in self.answers:
            self.options[name] = tuple(options)
            self.answers[name] = self.names.new(process), ""
        return self.declare(name, f"extern int {name}(void);")

    def _function(self, what: tuple[str, ...]) -> str:
        """The name of the function that does something, or waits for it."""
        if what not in self.called_for:
            self.called_for[what] = self.names.new("fsp", *what)
        return self.called_for[what]

    def finish(self) -> None:
        """Says what functions wait for: an event that nobody else does would happen by itself, and is left out."""
        missing = self.awaited - self.done
        stopped = {self.called_for[event,] for event in missing if (event,) in self.called_for}
        taken = {event for options in self.options.values() for event, _, _ in options}
        self._refuse({event: data for event, data in self.offered.items() if event not in taken})
        for name, (process, _) in self.answers.items():
            if name in self.options:
                texts = [
                    text
                    for event, data, first in self.options[name]
                    if event not in missing
                    for text in offers(event, data, Coding(first, data), "return {$0 == #} -> STOP")
                ]
                self.answers[name] = process, f"{process} = ({' | '.join(texts)})." if texts else f"{process} = STOP."
                if not texts:
                    self.silent.append(name)
            elif name in stopped:
                self.answers[name] = process, f"{process} = STOP."

    def _refuse(self, events: Mapping[str, tuple[Values, ...]]) -> None:
        """Events for which a receiver is never at rest: a process knows them, and never does them."""
        if not events:
            return
        process = self.names.new("Nobody")
        self.processes[process] = refusing_text(process, events.items())

    def never(self) -> str:
        """A function that does not return."""
        if NEVER not in self.answers:
            process = self.names.new("Never")
            self.answers[NEVER] = process, f"{process} = STOP."
        return self.declare(NEVER, f"extern void {NEVER}(void);")

    def choose(self, ways: int) -> str:
        """A function that says which of so many ways is gone: 0 or 1 of two, or else 1 to their number."""
        if ways not in self.choosers:
            self.choosers[ways] = CHOOSE if ways == 2 else self.names.new(CHOOSE, "of", str(ways))
        name = self.choosers[ways]
        return self.declare(name, f"extern {'_Bool' if ways == 2 else 'int'} {name}(void);")

    @property
    def chosen(self) -> dict[str, str]:
        """What these functions return."""
        return {f"{name}()": "bool" if ways == 2 else f"1..{ways}" for ways, name in self.choosers.items()}
