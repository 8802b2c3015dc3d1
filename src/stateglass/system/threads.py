"""What runs at the same time: functions with constant arguments and processes, and what they do together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Final, final

from stateglass.model.actions import split_arguments
from stateglass.program import Pointer, Program
from stateglass.program.callgraph import mentioned, reachable
from stateglass.program.effects import Effects
from stateglass.program.program import ANYTHING
from stateglass.source import NOWHERE, Code, Diagnostic, InputError, Severity, Span, counted, suggestion
from stateglass.system.fsp.actions import Kind
from stateglass.system.fsp.alphabet import alphabet
from stateglass.system.fsp.nodes import Process
from stateglass.system.fsp.reader import read_process

_NOTATION: Final = re.compile(
    r"\s*(?:(?P<name>[^\W\d]\w*)\s*=(?!=)\s*)?(?P<process>process\s+)?(?P<what>[^\W\d][\w:]*)\s*(?:\((?P<given>.*)\))?\s*"
)
_PROCESS: Final = re.compile(r"\s*process\s+(\w+)\s*")
_NUMBER: Final = re.compile(r"-?\d+")
_ANY: Final = "(*)"
_HELP: Final = "write `serve(0)`, `left = serve(0)` or `process FORK`"


@final
@unique
class Sharing(Enum):
    """How several threads use one variable."""

    PROCESS = "process"  # a process holds it; reads and writes are events
    DIRECT = "direct"  # it is in memory that all threads see; reads and writes are steps of their own


@final
@dataclass(frozen=True, slots=True)
class Thread:
    """A function that runs once, with constants for its parameters; or a process."""

    name: str
    function: str  # or the name of the process
    arguments: tuple[str, ...] = ()  # as bounds have them
    process: Process | None = None
    held: tuple[tuple[str, int], ...] = ()  # of a process that holds a variable: its values, as text and as numbers

    def __str__(self) -> str:
        given = f"({', '.join(self.arguments)})" if self.arguments else ""
        # A number behind the function's name is not worth telling: nobody wrote it.
        own = "" if self.name.removeprefix(self.function).rstrip("0123456789") == "" else f"{self.name} = "
        return f"{own}{'' if self.process is None else 'process '}{self.function}{given}"


@final
@dataclass(frozen=True)
class Threads:
    """What runs at the same time, and how it meets."""

    threads: tuple[Thread, ...]
    events: tuple[str, ...] = ()  # functions without a body whose calls are events
    answers: Mapping[str, Process] = field(default_factory=dict)  # by function: what happens during a call
    shared: Mapping[str, Sharing] = field(default_factory=dict)  # by variable
    whole: frozenset[str] = frozenset()  # events that a thread knows with all data, even if its own is always the same

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that run, each once."""
        return tuple(dict.fromkeys(t.function for t in self.threads if t.process is None))

    @property
    def is_direct(self) -> bool:
        """Whether threads share some variable directly."""
        return Sharing.DIRECT in self.shared.values()


@final
@dataclass(frozen=True, slots=True)
class AskedThreads:
    """What the user says of threads, as text."""

    threads: tuple[str, ...]
    events: tuple[str, ...] = ()  # `take`, or `take(*)`: whoever does one of them knows all
    answers: tuple[str, ...] = ()  # `choose=process CHOICE`
    shared: tuple[str, ...] = ()  # `count=direct`
    processes: Mapping[str, str] = field(default_factory=dict)  # texts by name
    places: Mapping[str, Span] = field(default_factory=dict)  # where these texts stand, if they are in a file


def read_threads(program: Program, asked: AskedThreads) -> Threads:
    """What is meant; all that is wrong is one `InputError`."""
    reading = _Reading(program, asked)
    found = reading.read()
    problems = reading.problems or list(_conflicts(program, found))
    if problems:
        raise InputError(problems)
    return found


def misnamed(threads: Threads, names: Iterable[str]) -> list[Diagnostic]:
    """Names that claim to be of functions and are of threads: `left::x`, where it is `serve` that has the variable."""
    found = []
    for name in sorted(names):
        owner, _, own = name.rpartition("::")
        for thread in threads.threads:
            if thread.process is None and owner == thread.name != thread.function:
                message = f"`{name}` is no variable: `{owner}` is a thread, and not a function"
                help = f"write `{thread.function}::{own}`, or `{owner}.{thread.function}::{own}` for this thread alone"
                found.append(Diagnostic(Code.UNKNOWN_NAME, message, help=help))
    return found


@final
class _Reading:
    def __init__(self, program: Program, asked: AskedThreads) -> None:
        self.problems: list[Diagnostic] = []
        self._program = program
        self._asked = asked
        self._said = ""  # what is being read

    def read(self) -> Threads:
        threads = self._named([t for text in self._asked.threads if (t := self._thread(text)) is not None])
        events = {text.removesuffix(_ANY): text.endswith(_ANY) for text in self._asked.events}
        for text in self._asked.events:
            self._said = text
            self._without_body(text.removesuffix(_ANY), "an event")
        answers: dict[str, Process] = {}
        for text in self._asked.answers:
            self._said = text
            name, _, who = (part.strip() for part in text.partition("="))
            found = _PROCESS.fullmatch(who)
            if found is None:
                self._problem(f"`{text}` says of no function which process answers it", f"write `{name}=process P`")
            elif self._without_body(name, "what a process answers"):
                process = self._process(found[1])
                if process is not None:
                    answers[name] = process
        both = [name for name in events if name in answers]
        if both:
            self._said = both[0]
            self._problem(f"`{both[0]}` is an event, and a process answers it", "choose one of the two")
        names = {thread.name for thread in threads}
        shared: dict[str, Sharing] = {}
        for text in self._asked.shared:
            self._said = text
            name, _, how = (part.strip() for part in text.partition("="))
            if how not in {sharing.value for sharing in Sharing}:
                words = " or ".join(f"`{name}={sharing.value}`" for sharing in Sharing)
                self._problem(f"`{text}` does not say how the variable is shared", f"write {words}")
            elif name in names:
                self._problem(
                    f"a thread and a shared variable are both called `{name}`", "give the thread another name"
                )
            elif name not in self._program.variables:
                self._problem(f"there is no variable `{name}`", suggestion(name, self._program.variables), known=False)
            else:
                shared[name] = Sharing(how)
        whole = frozenset(name for name, is_whole in events.items() if is_whole)
        return Threads(threads, tuple(events), answers, shared, whole)

    def _thread(self, text: str) -> Thread | None:
        self._said = text
        found = _NOTATION.fullmatch(text)
        if found is None:
            self._problem(f"`{text}` is no thread", _HELP)
            return None
        name = found["name"] or ""
        what, arguments = found["what"], split_arguments(found["given"] or "")
        if found["process"] is not None:
            process = self._process(what)
            return None if process is None else self._started(process, name, arguments, text)
        function = self._program.functions.get(what)
        if function is None:
            declared = what in self._program.declarations
            missing = f"the function `{what}` is declared but has no body"
            help = suggestion(what, self._program.own_functions)
            self._problem(missing if declared else f"there is no function `{what}`", help, known=False)
            return None
        if len(arguments) != len(function.parameters):
            takes = counted(len(function.parameters), "argument") if function.parameters else "no arguments"
            self._problem(f"`{function.name}` takes {takes}, and {_given(arguments)} in `{text}`", _HELP)
            return None
        if any(isinstance(parameter.type, Pointer) for parameter in function.parameters):
            message = f"`{function.name}` takes a pointer, for which there is no constant"
            self._problem(message, "start the thread with a function that calls it")
            return None
        return Thread(name, function.name, arguments)

    def _started(self, process: Process, name: str, arguments: tuple[str, ...], text: str) -> Thread | None:
        """A process with values for the first of its parameters."""
        if len(arguments) > len(process.parameters):
            has = counted(len(process.parameters), "parameter") if process.parameters else "no parameters"
            self._problem(f"`{process.name}` has {has}, and {_given(arguments)} in `{text}`", _HELP)
            return None
        wrong = [argument for argument in arguments if not _NUMBER.fullmatch(argument)]
        if wrong:
            self._problem(f"`{wrong[0]}` in `{text}` is no whole number", _HELP)
            return None
        odd = [pattern for pattern in alphabet(process) if pattern.kind is not Kind.EVENT]
        if odd:
            message = f"`{process.name}` runs beside functions: it does events, and no `{odd[0].kind.value}`"
            self.problems.append(process.finding(message, odd[0].at, "write the name of an event", Severity.ERROR))
            return None
        return Thread(name, process.name, arguments, process)

    def _named(self, threads: Sequence[Thread]) -> tuple[Thread, ...]:
        """Each with a name of its own: of several of one function, it has a number from 0 on behind it."""
        count = Counter(t.function for t in threads if not t.name)
        numbers: Counter[str] = Counter()
        named: dict[str, Thread] = {}
        self._said = ""
        for thread in threads:
            name = thread.name
            if not name:
                name = (
                    thread.function if count[thread.function] == 1 else f"{thread.function}{numbers[thread.function]}"
                )
                numbers[thread.function] += 1
            if name in named:
                self._problem(f"two threads are called `{name}`", "write a name before each: `left = serve(0)`")
            named[name] = Thread(name, thread.function, thread.arguments, thread.process)
        if not any(t.process is None for t in threads) and not self.problems:
            self._problem("no thread runs a function", "name one: `serve(0)`")
        return tuple(named.values())

    def _process(self, name: str) -> Process | None:
        text = self._asked.processes.get(name)
        if text is None:
            help = suggestion(name, self._asked.processes) or f"write it in the project file, under [process.{name}]"
            self._problem(f"there is no process `{name}`", help, known=False)
            return None
        try:
            return read_process(text, name)
        except InputError as error:
            self.problems += error.diagnostics
            return None

    def _without_body(self, name: str, what: str) -> bool:
        if name in self._program.declarations and name not in self._program.functions:
            return True
        if name in self._program.functions:
            self._problem(f"`{name}` has a body: {what} is a function without one")
        else:
            outside = [n for n in self._program.declarations if n not in self._program.functions]
            self._problem(f"there is no function `{name}`", suggestion(name, outside), known=False)
        return False

    def _problem(self, message: str, help: str = "", *, known: bool = True) -> None:
        span = self._asked.places.get(self._said, NOWHERE)
        self.problems.append(Diagnostic(Code.USAGE if known else Code.UNKNOWN_NAME, message, span, help=help))


def _given(arguments: Sequence[str]) -> str:
    """`1 stands`, `2 stand`."""
    return f"{len(arguments) or 'none'} {'stands' if len(arguments) == 1 else 'stand'}"


def _conflicts(program: Program, threads: Threads) -> Iterator[Diagnostic]:
    """Variables that two threads use and nobody says how."""
    effects = Effects(program)
    addressed = mentioned(program)[1]
    used: dict[str, list[Thread]] = {}
    changed: set[str] = set()
    for thread in threads.threads:
        if thread.process is None:
            everything = reachable(program, [thread.function])
            for name in sorted(everything.variables):
                used.setdefault(name, []).append(thread)
            stored = effects.stored_by(everything.functions)
            changed |= stored | (addressed if ANYTHING in stored else frozenset())
    for name, users in used.items():
        variable = program.variables.get(name)
        if variable is None or variable.readonly or variable.literal or variable.volatile:
            continue
        if variable.by_thread and (len(users) > 1 or name in threads.shared):
            message = f"each thread has a `{name}` of its own, which is not known of several that use it"
            yield Diagnostic(Code.UNSUPPORTED, message, variable.span, help="give each function a variable of its own")
        elif len(users) > 1 and name in changed and name not in threads.shared:
            who = f"`{users[0].name}` and `{users[1].name}`"
            help = f'say how: --shared {name}=direct, or `shared = {{ {name} = "direct" }}` in the project file'
            yield Diagnostic(Code.USAGE, f"the threads {who} both use the variable `{name}`", variable.span, help=help)
