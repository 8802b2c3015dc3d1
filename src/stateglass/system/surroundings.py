"""What stands for the rest of the program around an object: parts that are no code, and what they may throw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import final

from stateglass.program import VOID, Global, Program, Record
from stateglass.program.callgraph import reachable
from stateglass.source import Assumption, Code, Diagnostic, InputError, Severity, input_error
from stateglass.system.fsp import Interface, Signature, alphabet, misfits, read_process
from stateglass.system.fsp import Kind as Action
from stateglass.system.fsp.nodes import Constant
from stateglass.system.making.planning import Plan
from stateglass.system.parts import Kind, Part, parts_of, read_members
from stateglass.system.stand_ins import StandIn, with_stand_ins
from stateglass.system.subjects import Asked, Subject
from stateglass.system.system import RunningProcess
from stateglass.system.throwing import Thrown, with_throws


@final
@dataclass(frozen=True, slots=True)
class Surroundings:
    """The program with stand-ins, and what is known of them."""

    program: Program
    stand_ins: Mapping[str, StandIn] = field(default_factory=dict)
    throws: Mapping[str, tuple[Thrown, ...]] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of a class: the functions of its parts
    assumptions: tuple[Assumption, ...] = ()
    processes: tuple[RunningProcess, ...] = ()

    @property
    def answered(self) -> frozenset[str]:
        """Functions that processes answer for."""
        return frozenset(name for p in self.processes for name in p.functions)


def surroundings_of(program: Program, subject: Subject, asked: Asked, plan: Plan | None = None) -> Surroundings:
    """The surroundings that the user asks for, with the objects that a plan makes."""
    plan = plan or Plan()
    processes = {name.strip(): text for name, _, text in (p.partition("=") for p in asked.processes)}
    said = read_members(asked.members, tuple(processes))
    if said and subject.owner is None:
        raise input_error(Code.USAGE, "`members` is about the parts of an object, and no class is looked at")
    assumptions: tuple[Assumption, ...] = ()
    stand_ins: Mapping[str, StandIn] = {}
    if subject.owner is not None:
        handed = [(t.name, t.owner) for t in plan.things if not t.stub and t.name in program.variables]
        stubs = [t.name for t in plan.things if (t.name, t.owner) not in handed]
        parts = parts_of(program, subject.owner, subject.owner.name, said, handed, stubs)
        made = with_stand_ins(program, parts)
        program, assumptions = made.program, made.assumptions
        stand_ins = {**made.functions, **_made_up(program, plan)}
    aliases: dict[str, tuple[str, ...]] = {}
    for name, stand_in in stand_ins.items():
        aliases[stand_in.of_class] = (*aliases.get(stand_in.of_class, ()), name)
    roots = (*subject.functions, *([subject.init] if subject.init is not None else []))
    used = reachable(program, roots)
    running = _running(program, stand_ins, processes)
    thrown = (*asked.can_throw, *(text for p in running for text in _thrown_by(p)))
    _refuse_promises(thrown, stand_ins, aliases)
    known = [*used.externals, *(name for p in running for name in p.functions)]
    program, throws = with_throws(program, thrown, known, aliases)
    return Surroundings(program, stand_ins, throws, aliases, assumptions, running)


def _made_up(program: Program, plan: Plan) -> dict[str, StandIn]:
    """The functions of objects whose classes are made up."""
    found: dict[str, StandIn] = {}
    for function in plan.functions:
        if function.name in program.declarations:
            thing = function.thing
            part = Part(thing.name, thing.owner, Global(thing.name, Record(thing.owner.record)), thing.choice)
            of_class = f"{thing.owner.name}.{function.short}"
            found[function.name] = StandIn(function.name, function.short, of_class, part, function.throws)
    return found


def _refuse_promises(
    thrown: tuple[str, ...], stand_ins: Mapping[str, StandIn], aliases: Mapping[str, tuple[str, ...]]
) -> None:
    """What is declared `noexcept` cannot throw, whatever stands for it."""
    names = dict.fromkeys(text.partition("=")[0].strip() for text in thrown)
    meant = [one for name in names for one in ((name,) if name in stand_ins else aliases.get(name, ()))]
    problems = [
        Diagnostic(Code.USAGE, f"`{name}` cannot throw: it is declared `noexcept`", stand_ins[name].part.owner.span)
        for name in meant
        if not stand_ins[name].throws
    ]
    if problems:
        raise InputError(problems)


def _running(
    program: Program, stand_ins: Mapping[str, StandIn], texts: Mapping[str, str]
) -> tuple[RunningProcess, ...]:
    """The processes that stand for parts, if they fit what they stand for."""
    functions: dict[tuple[str, str], dict[str, str]] = {}
    for name, stand_in in stand_ins.items():
        choice = stand_in.part.choice
        if choice is not None and choice.kind is Kind.PROCESS:
            functions.setdefault((stand_in.part.path, choice.name), {})[name] = stand_in.short
    found: list[RunningProcess] = []
    problems: list[Diagnostic] = []
    for (path, called), named in functions.items():
        process = read_process(texts[called], called)
        methods = {
            short: Signature(len(program.declarations[name].parameters), program.declarations[name].result != VOID)
            for name, short in named.items()
        }
        problems += [d for d in misfits(process, Interface(methods)) if d.severity is Severity.ERROR]
        found.append(RunningProcess(path, process, f"%process {path}", named))
    if problems:
        raise InputError(problems)
    return tuple(found)


def _thrown_by(running: RunningProcess) -> Iterator[str]:
    """What a process may throw, as the project file would say it of a stub."""
    names = {short: name for name, short in running.functions.items()}
    for pattern in alphabet(running.process):
        if pattern.kind is Action.THROW and pattern.name in names:
            for argument in pattern.arguments[:1]:
                if isinstance(argument, Constant):
                    yield f"{names[pattern.name]}={argument.value}"
