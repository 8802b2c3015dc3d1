"""The processes of a system: those that stand for parts, and those that clients follow; whether they fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import VOID, Bool, Enum, Int, Program, Type
from stateglass.source import Diagnostic, InputError, Severity
from stateglass.system.fields import names_of_parts, public_numbers
from stateglass.system.fsp import SUBJECT, Interface, Kind, Process, Signature, alphabet, misfits, read_process, start
from stateglass.system.fsp.nodes import Constant
from stateglass.system.parts import Kind as Standing
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


def running_processes(
    program: Program,
    subject: Subject,
    stand_ins: Mapping[str, StandIn],
    texts: Mapping[str, str],
    problems: list[Diagnostic],
) -> Running:
    """The processes that stand for parts and clients; what they say that their surroundings do not have is noted."""
    functions: dict[tuple[str, str], dict[str, str]] = {}
    for name, stand_in in stand_ins.items():
        choice = stand_in.part.choice
        if choice is not None and choice.kind is Standing.PROCESS:
            functions.setdefault((stand_in.part.path, choice.name), {})[name] = stand_in.short
    functions |= {(c.name, c.process): {} for c in subject.callers if c.process}
    interface = _interface_of(program, subject)
    taken = set(program.variables)
    if subject.owner is not None:
        taken |= set(names_of_parts(program, subject.owner, program.variables).values())
    found: list[RunningProcess] = []
    calls: list[ProcessCall] = []
    for (path, called), named in functions.items():
        try:
            process = read_process(texts[called], called)
        except InputError as error:
            problems += error.diagnostics
            continue
        member = Interface({short: _signature(program, name) for name, short in named.items()})
        wrong = [d for d in misfits(process, member, interface) if d.severity is Severity.ERROR]
        problems += wrong
        first = start(process)
        if first.failed:
            message = f"`{process.name}` begins in error: {first.failed}"
            problems.append(process.finding(message, process.definitions[0].at, "", Severity.ERROR))
        shown = path if path not in taken else f"{subject.title}.{path}"
        found.append(RunningProcess(path, process, f"%process {path}", shown, named))
        if not wrong:
            calls += [ProcessCall(path, name, subject.public[name.removeprefix(SUBJECT)]) for name in _called(process)]
    return Running(tuple(found), tuple(calls), frozenset(c.name for c in subject.callers if c.process))


def _called(process: Process) -> dict[str, None]:
    return dict.fromkeys(p.name for p in alphabet(process) if p.kind is Kind.CALL and p.name.startswith(SUBJECT))


def _signature(program: Program, name: str) -> Signature:
    declaration = program.declarations[name]
    return Signature(len(declaration.parameters), declaration.result != VOID)


def _interface_of(program: Program, subject: Subject) -> Interface:
    """What processes may call and use of the object."""
    if subject.owner is None:
        return Interface({})
    methods: dict[str, Signature] = {}
    for short, name in subject.public.items():
        function, hidden = program.functions[name], subject.receivers[name].hidden
        written = function.parameters[hidden:]
        usable = hidden == 1 and all(map(_has_values, (*(p.type for p in written), function.result)))
        methods[short] = Signature(len(written), function.result != VOID, unsupported="" if usable else _NO_VALUE)
    fields = frozenset(name for name, type, _, _ in public_numbers(program, subject.owner) if _has_values(type))
    return Interface(methods, fields)


def _has_values(type: Type) -> bool:
    return type == VOID or isinstance(type, Bool | Int | Enum)
