"""What stands for the rest of the program around an object: parts that are no code, what they throw and call back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import final

from stateglass.program import Global, Program, Record
from stateglass.program.callgraph import reachable
from stateglass.source import Assumption, Code, Diagnostic, InputError, input_error, suggestion
from stateglass.system.making.planning import Plan
from stateglass.system.parts import Part, parts_of, read_members
from stateglass.system.running import Running, running_processes
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
    running: Running = field(default_factory=Running)
    callbacks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # what functions without a body may call
    roots: tuple[str, ...] = ()  # everything that is called from outside

    @property
    def processes(self) -> tuple[RunningProcess, ...]:
        return self.running.processes

    @property
    def answered(self) -> frozenset[str]:
        """Functions that processes answer for."""
        return frozenset(name for p in self.processes for name in p.functions)

    def called_from_outside(self) -> dict[str, tuple[str, ...]]:
        """What may be called before a function without a body ends, by its name."""
        called = {p.path: tuple(c.function for c in self.running.calls if c.path == p.path) for p in self.processes}
        return {**self.callbacks, **{name: called[p.path] for p in self.processes for name in p.functions}}


def surroundings_of(program: Program, subject: Subject, asked: Asked, plan: Plan | None = None) -> Surroundings:
    """The surroundings that the user asks for, with the objects of a plan; all that is wrong is one `InputError`."""
    plan = plan or Plan()
    said = read_members(asked.members, tuple(asked.process_texts))
    if said and subject.owner is None:
        raise input_error(Code.USAGE, "`members` is about the parts of an object, and no class is looked at")
    assumptions: tuple[Assumption, ...] = ()
    stand_ins: Mapping[str, StandIn] = {}
    if subject.owner is not None:
        handed = [(t.name, t.owner) for t in plan.things if not t.stub and t.name in program.variables]
        stubs = [*(t.name for t in plan.things if (t.name, t.owner) not in handed), *plan.handed]
        parts = parts_of(program, subject.owner, subject.owner.name, said, handed, stubs)
        made = with_stand_ins(program, parts, {} if plan.fails else plan.results)
        program, assumptions = made.program, made.assumptions
        stand_ins = {**made.functions, **_made_up(program, plan)}
    aliases: dict[str, tuple[str, ...]] = {}
    for name, stand_in in stand_ins.items():
        aliases[stand_in.of_class] = (*aliases.get(stand_in.of_class, ()), name)
    problems: list[Diagnostic] = []
    running = running_processes(program, subject, stand_ins, asked.process_texts, problems)
    called = (*subject.functions, *(f for _, f in subject.callbacks), *(c.function for c in running.calls))
    roots = tuple(dict.fromkeys((*called, *([subject.init] if subject.init is not None else []))))
    outside = reachable(program, (*roots, *program.constructors)).externals
    answered = {name for p in running.processes for name in p.functions}
    callbacks = _callbacks(subject, [n for n in outside if n not in answered], aliases, problems)
    thrown = (*asked.can_throw, *running.thrown())
    problems += _promises(thrown, stand_ins, aliases)
    known = dict.fromkeys((*outside, *answered))
    program, throws = with_throws(program, thrown, known, aliases, problems)
    if problems:
        raise InputError(problems)
    return Surroundings(program, stand_ins, throws, aliases, assumptions, running, callbacks, roots)


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


def _promises(
    thrown: tuple[str, ...], stand_ins: Mapping[str, StandIn], aliases: Mapping[str, tuple[str, ...]]
) -> Iterator[Diagnostic]:
    """What is declared `noexcept` cannot throw, whatever stands for it."""
    names = dict.fromkeys(text.partition("=")[0].strip() for text in thrown)
    for one in (one for name in names for one in ((name,) if name in stand_ins else aliases.get(name, ()))):
        if not stand_ins[one].throws:
            message = f"`{one}` cannot throw: it is declared `noexcept`"
            yield Diagnostic(Code.USAGE, message, stand_ins[one].part.owner.span)


def _callbacks(
    subject: Subject, outside: Collection[str], aliases: Mapping[str, tuple[str, ...]], problems: list[Diagnostic]
) -> dict[str, tuple[str, ...]]:
    """What functions without a body may call, by their names."""
    found: dict[str, dict[str, None]] = {}
    for key, function in subject.callbacks:
        meant = (key,) if key in outside else tuple(n for n in aliases.get(key, ()) if n in outside)
        for name in meant:
            found.setdefault(name, {})[function] = None
        if not meant:
            message = f"`callbacks`: there is no function `{key}` without a body that is called"
            known = [*outside, *(a for a, names in aliases.items() if set(names) & set(outside))]
            help = suggestion(key, known) if known else "everything that is called has a body, or is a process"
            problems.append(Diagnostic(Code.UNKNOWN_NAME, message, help=help))
    return {name: tuple(functions) for name, functions in found.items()}
