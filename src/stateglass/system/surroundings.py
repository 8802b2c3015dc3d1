"""What stands for the rest of the program around an object: parts that are no code, what they throw and call back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

from stateglass.program import Global, Program, Record
from stateglass.program.callgraph import reachable
from stateglass.program.classes import Class
from stateglass.source import Assumption, Code, Diagnostic, InputError, input_error, suggestion
from stateglass.system.accesses import HeldBy, held_by, with_accesses
from stateglass.system.making.plan import Plan
from stateglass.system.namespace import GLOBAL, is_global, without_globals
from stateglass.system.parts import Part, PartChoice, is_code, parts_of, read_members
from stateglass.system.running import Running, running_processes, standing_for
from stateglass.system.stand_ins import StandIn, with_stand_ins
from stateglass.system.subjects import Asked, Subject
from stateglass.system.system import Double, RunningProcess
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
    loads: Mapping[str, str] = field(default_factory=dict)  # variables that are asked for, and what actions call them
    stores: Mapping[str, str] = field(default_factory=dict)  # functions that are told what is stored, and to what
    of_classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of a class: variables of its parts
    replaced: frozenset[str] = frozenset()  # free functions with a body that something stands for
    valueless: frozenset[str] = frozenset()  # global variables, and parts of the object, that are no code
    doubles: tuple[Double, ...] = ()

    @property
    def processes(self) -> tuple[RunningProcess, ...]:
        return self.running.processes

    @property
    def answered(self) -> frozenset[str]:
        """Functions that processes answer for."""
        return frozenset(name for p in self.processes for name in p.functions)

    @property
    def told(self) -> frozenset[str]:
        """Variables that processes stand for."""
        return frozenset(name for p in self.processes for name in p.fields)

    def called_from_outside(self) -> dict[str, tuple[str, ...]]:
        """What may be called before a function without a body ends, by its name."""
        called = {p.path: tuple(c.function for c in self.running.calls if c.path == p.path) for p in self.processes}
        return {**self.callbacks, **{name: called[p.path] for p in self.processes for name in p.functions}}


def surroundings_of(program: Program, subject: Subject, asked: Asked, plan: Plan | None = None) -> Surroundings:
    """The surroundings that the user asks for, with the objects of a plan; all that is wrong is one `InputError`."""
    plan = plan or Plan()
    problems: list[Diagnostic] = []
    said = read_members(asked.members, tuple(asked.process_texts))
    of_parts = {path: choice for path, choice in said.items() if not is_global(path)}
    if of_parts and subject.owner is None:
        raise input_error(Code.USAGE, "`members` is about the parts of an object, and no class is looked at")
    begun = (*subject.functions, *subject.public.values(), *(f for _, f in subject.callbacks))
    begun = (*begun, *([subject.init] if subject.init is not None else []))
    outside = without_globals(program, {p: c for p, c in said.items() if is_global(p)}, begun, problems)
    parts = _parts(outside.program, subject.owner, of_parts, plan) if subject.owner is not None else []
    made = with_stand_ins(outside.program, parts, {} if plan.fails else plan.results)
    stand_ins = {**made.functions, **_made_up(made.program, plan)}
    aliases: dict[str, tuple[str, ...]] = {}
    for name, stand_in in stand_ins.items():
        aliases[stand_in.of_class] = (*aliases.get(stand_in.of_class, ()), name)
    held = [*held_by(made.program, parts), *outside.held()]
    accesses = with_accesses(made.program, parts, held, outside.variables)
    shown = {h.name: GLOBAL + h.name if is_global(path) else h.name for h, path, _ in held}
    program = accesses.program
    standing = standing_for(stand_ins, outside, held)
    running = running_processes(program, subject, standing, asked.process_texts, problems)
    called = (*subject.functions, *(f for _, f in subject.callbacks), *(c.function for c in running.calls))
    roots = tuple(dict.fromkeys((*called, *([subject.init] if subject.init is not None else []))))
    reached = reachable(program, (*roots, *program.constructors)).externals
    answered = {name for p in running.processes for name in p.functions}
    without_body = [n for n in reached if n not in answered and n not in accesses.stores]
    callbacks = _callbacks(subject, without_body, aliases, problems)
    thrown = (*asked.can_throw, *running.thrown())
    problems += _promises(thrown, stand_ins, aliases)
    program, throws = with_throws(program, thrown, dict.fromkeys((*without_body, *answered)), aliases, problems)
    if problems:
        raise InputError(problems)
    return Surroundings(
        program=program,
        stand_ins=stand_ins,
        throws=throws,
        aliases=aliases,
        assumptions=(*outside.assumptions(), *made.assumptions),
        running=running,
        callbacks=callbacks,
        roots=roots,
        loads={name: shown[name] for name in accesses.loads},
        stores={told: shown[name] for told, name in accesses.stores.items()},
        of_classes=_of_classes(parts, held),
        replaced=outside.replaced,
        valueless=frozenset((*outside.variables, *(p.path for p in parts if not is_code(p)))),
        doubles=made.doubles,
    )


def _of_classes(parts: Sequence[Part], held: Sequence[HeldBy]) -> dict[str, tuple[str, ...]]:
    """`Motor.angle` for the variables `motor.angle` and `spare.angle`."""
    classes = {p.path: p.owner.name for p in parts}
    found: dict[str, tuple[str, ...]] = {}
    for one, path, _ in held:
        if path in classes:
            of_class = classes[path] + one.name.removeprefix(path)
            found[of_class] = (*found.get(of_class, ()), one.name)
    return found


def _parts(program: Program, owner: Class, said: dict[str, PartChoice], plan: Plan) -> list[Part]:
    """The parts of the object that is looked at, and the objects with code that are handed to it."""
    handed = [(t.name, t.owner) for t in plan.things if not t.stub and t.name in program.variables]
    others = [*(t.name for t in plan.things if (t.name, t.owner) not in handed), *plan.handed]
    return parts_of(program, owner, owner.name, said, handed, others)


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
