"""The processes of a system: those that stand for parts, and those that clients follow; whether they fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.program import VOID, Bool, Enum, Int, Program, Type
from stateglass.program.exceptions import thrown_name, thrown_types
from stateglass.program.names import without_file
from stateglass.source import Diagnostic, InputError, Severity, suggestion
from stateglass.system.accesses import HeldBy
from stateglass.system.fields import names_of_parts, public_numbers
from stateglass.system.fsp import SUBJECT, Interface, Kind, Process, Signature, alphabet, misfits, read_process, start
from stateglass.system.fsp.nodes import Constant
from stateglass.system.namespace import GLOBAL, Outside, is_global, short_name
from stateglass.system.parts import PartChoice, PartKind
from stateglass.system.stand_ins import StandIn
from stateglass.system.subjects import Subject
from stateglass.system.system import RunningProcess

_NO_VALUE: Final = "it takes or returns what processes have no values for"


@final
@dataclass(frozen=True, slots=True)
class ProcessCall:
    """A function of the subject that a process calls, and the process's name for it."""

    path: str
    name: str
    function: str


@final
@dataclass(frozen=True, slots=True)
class Running:
    """Processes that run beside the subject, and what they call of it."""

    processes: tuple[RunningProcess, ...] = ()
    calls: tuple[ProcessCall, ...] = ()
    clients: frozenset[str] = frozenset()  # processes that stand for no part

    def thrown(self) -> Iterator[str]:
        """What processes may throw, as the project file would say it of a stub."""
        for running in self.processes:
            names = {short: name for name, short in running.functions.items()}
            for pattern in alphabet(running.process):
                if pattern.kind is Kind.THROW and pattern.name in names:
                    for argument in pattern.arguments[:1]:
                        if isinstance(argument, Constant):
                            yield f"{names[pattern.name]}={argument.value}"


@final
@dataclass(frozen=True, slots=True)
class Standing:
    """What a process stands for: functions and variables of the program, and how it may call them."""

    functions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    fields: dict[str, tuple[str, ...]] = field(default_factory=dict)


StandingBy = Mapping[tuple[str, str], Standing]
"""By the path of what a process stands for, and the process."""


def standing_for(stand_ins: Mapping[str, StandIn], outside: Outside, held: Sequence[HeldBy]) -> StandingBy:
    """Everything that processes stand for."""
    found: dict[tuple[str, str], Standing] = {}

    def standing(path: str, choice: PartChoice | None) -> Standing:
        is_process = choice is not None and choice.kind is PartKind.PROCESS
        return found.setdefault((path, choice.name), Standing()) if choice is not None and is_process else Standing()

    for name, stand_in in stand_ins.items():
        standing(stand_in.part.path, stand_in.part.choice).functions[name] = (stand_in.short,)
    for name, (path, choice) in outside.functions.items():
        standing(path, choice).functions[name] = _spellings(name)
    for one, path, choice in held:
        spelled = _spellings(one.name) if is_global(path) else (one.name.removeprefix(f"{path}."),)
        standing(path, choice).fields[one.name] = spelled
    return found


def _spellings(name: str) -> tuple[str, ...]:
    """How something in a namespace may be called; the first one is the canonical way."""
    plain = without_file(name)
    return GLOBAL + plain, plain, GLOBAL + plain.replace(".", "::"), plain.replace(".", "::")


def running_processes(
    program: Program,
    subject: Subject,
    standing: StandingBy,
    texts: Mapping[str, str],
    problems: list[Diagnostic],
) -> Running:
    """The processes that stand for parts and clients; what they say that their surroundings do not have is noted."""
    wanted = {**standing, **{(c.name, c.process): Standing() for c in subject.callers if c.process}}
    if not wanted:
        return Running()
    interface = _interface_of(program, subject)
    taken = set(program.variables)
    if subject.owner is not None:
        taken |= set(names_of_parts(program, subject.owner, program.variables).values())
    found: list[RunningProcess] = []
    calls: list[ProcessCall] = []
    for (path, called), stands in wanted.items():
        try:
            process = read_process(texts[called], called)
        except InputError as error:
            problems += error.diagnostics
            continue
        spoken = {p.name for p in alphabet(process)}
        functions, fields = _spoken(stands.functions, spoken), _spoken(stands.fields, spoken)
        signatures = {short: _signature(program, name) for name, short in functions.items()}
        member = Interface(signatures, frozenset(fields.values()))
        wrong = [d for d in misfits(process, member, interface) if d.severity is Severity.ERROR]
        wrong += _impossible(program, subject, process)
        problems += wrong
        first = start(process)
        if first.failed:
            message = f"`{process.name}` begins in error: {first.failed}"
            problems.append(process.finding(message, process.definitions[0].at, "", Severity.ERROR))
        shown = short_name(path) or called
        shown = shown if shown not in taken else f"{subject.title or GLOBAL}.{shown}"
        found.append(RunningProcess(path, process, f"%process {path}", shown, functions, fields))
        if not wrong:
            calls += [
                ProcessCall(path, name, subject.callable[name.removeprefix(SUBJECT)]) for name in _called(process)
            ]
    return Running(tuple(found), tuple(calls), frozenset(c.name for c in subject.callers if c.process))


def _spoken(spellings: Mapping[str, tuple[str, ...]], spoken: Collection[str]) -> dict[str, str]:
    """What a process calls functions or variables: of several ways the one that it uses."""
    return {name: next((s for s in ways if s in spoken), ways[0]) for name, ways in spellings.items()}


def _called(process: Process) -> dict[str, None]:
    return dict.fromkeys(p.name for p in alphabet(process) if p.kind is Kind.CALL and p.name.startswith(SUBJECT))


def _signature(program: Program, name: str) -> Signature:
    declaration = program.declarations[name]
    return Signature(len(declaration.parameters), declaration.result != VOID)


def _interface_of(program: Program, subject: Subject) -> Interface:
    """What processes may call and use of the object."""
    methods: dict[str, Signature] = {}
    for short, name in subject.callable.items():
        function, hidden = program.functions.get(name), subject.hidden(name)
        if function is None:
            continue  # something stands for it
        written = function.parameters[hidden:]
        usable = hidden <= 1 and all(map(_has_values, (*(p.type for p in written), function.result)))
        methods[short] = Signature(len(written), function.result != VOID, unsupported="" if usable else _NO_VALUE)
    numbers = public_numbers(program, subject.owner) if subject.owner is not None else ()
    return Interface(methods, frozenset(name for name, type, _, _ in numbers if _has_values(type)))


def _impossible(program: Program, subject: Subject, process: Process) -> Iterator[Diagnostic]:
    """What a process waits for or does that its subject cannot do: exceptions of no type, and changes of constants."""
    types = {thrown_name(t) for t in thrown_types(program.variables)}
    numbers = public_numbers(program, subject.owner) if subject.owner is not None else ()
    constants = {SUBJECT + name for name, _, _, constant in numbers if constant}
    for pattern in alphabet(process):
        if pattern.kind is Kind.STORE and pattern.name in constants:
            yield process.finding(f"`{pattern.name}` is constant", pattern.at, "", Severity.ERROR)
        if pattern.kind is not Kind.THROW or not pattern.name.startswith(SUBJECT):
            continue
        for argument in pattern.arguments:
            if isinstance(argument, Constant) and str(argument.value) not in types:
                help = suggestion(str(argument.value), types) if types else "the program throws nothing"
                message = f"no exception is a `{argument.value}` here"
                yield process.finding(message, pattern.at, help, Severity.ERROR)


def _has_values(type: Type) -> bool:
    return type == VOID or isinstance(type, Bool | Int | Enum)
