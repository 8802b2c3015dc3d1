"""Threads that share variables directly, as one system that every engine knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.explore.stretches import NoFlow, Phase, flow_of
from stateglass.explore.stretches import Seen as Shown
from stateglass.model import Verb
from stateglass.program import (
    VOID,
    Bool,
    Declaration,
    Enum,
    Int,
    Local,
    Program,
    Variable,
    is_scalar,
)
from stateglass.program.callgraph import reachable
from stateglass.program.names import root_of
from stateglass.smt import Operator
from stateglass.source import Assumption, Code, Diagnostic, InputError, Span, Topic
from stateglass.system import Fixed, Mode, System, build_system
from stateglass.system.inputs import possible_inputs
from stateglass.system.sharing import access_of, loading, storing
from stateglass.system.threads import Sharing, Thread, Threads
from stateglass.unbounded.threads.alone import done_alone
from stateglass.unbounded.threads.alphabets import Alphabet, Wording, alphabet_of, number_of
from stateglass.unbounded.threads.answering import events_of, stepping
from stateglass.unbounded.threads.systems import Setting, thread_systems
from stateglass.unbounded.threads.turns.bodies import Seen, told
from stateglass.unbounded.threads.turns.inlining import body_of, result_of
from stateglass.unbounded.threads.turns.meeting import Meeting, Member
from stateglass.unbounded.threads.turns.weaving import DEADLOCK, WOVEN, Woven, turn_variable, woven

_TURN: Final = Int(32, signed=True)


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """What a claim sees of threads."""

    inputs: frozenset[str] = frozenset()  # `left.input`
    watched: frozenset[str] = frozenset()
    accesses: bool = True  # reads and writes of shared variables are told
    deadlock: bool = False  # that nothing can happen is an error


@final
@dataclass(frozen=True)
class Turns:
    """The system, and what it was made of."""

    system: System
    woven: Woven
    meeting: Meeting


@final
class Taking:
    """Makes systems of the threads of one setting, for one claim after the other."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.threads = setting.threads
        problems = list(_refused(setting))
        if problems:
            raise InputError(problems)
        self.systems = thread_systems(setting, open=True)
        """What each thread runs by itself, None for a process."""
        self.wording = Wording(next(system for system in self.systems if system is not None))
        self._alphabets = [self._alphabet(*both) for both in zip(self.threads.threads, self.systems, strict=True)]
        self._constants = [{} if system is None else _constants(system, self.threads) for system in self.systems]

    def _alphabet(self, thread: Thread, system: System | None) -> Alphabet:
        if system is None:
            assert thread.process is not None
            return Alphabet(events_of(thread.process))
        found = alphabet_of(system, self.threads)
        if found is None:
            raise NoFlow(f"which events `{thread.name}` knows is not known: its code has parts that are not modelled")
        return found

    @property
    def labels(self) -> frozenset[str]:
        """Events that no function stands for: processes do them among themselves."""
        return frozenset(self._meeting(Asked()).others)

    @property
    def subject(self) -> str:
        return " || ".join(str(thread) for thread in self.threads.threads)

    def system(self, asked: Asked, *, open: bool) -> Turns:
        """The system as a claim sees it. `open`: inputs without a bound have any value of their type."""
        meeting = self._meeting(asked)
        made = woven(meeting, tuple(0 for _ in meeting.members), fails=asked.deadlock)
        return Turns(self._built(made, meeting, open=open), made, meeting)

    def _meeting(self, asked: Asked) -> Meeting:
        events = frozenset(self.threads.events)
        members = []
        whole = zip(self.threads.threads, self.systems, self._alphabets, self._constants, strict=True)
        for thread, system, alphabet, constants in whole:
            if system is None:
                assert thread.process is not None
                members.append(Member(thread.name, alphabet, process=stepping(thread.process, thread.arguments)))
                continue
            seen = Seen(events, asked.inputs, asked.watched, constants)
            given = [a.value for a in system.entries[0].arguments if isinstance(a, Fixed)]
            program, function = self.setting.program, thread.function
            members.append(
                Member(
                    thread.name, alphabet, body_of(program, thread.name, function, given, seen, is_told=asked.accesses)
                )
            )
        return Meeting(self.setting.program, members, self.wording, events)

    def _built(self, made: Woven, meeting: Meeting, *, open: bool) -> System:
        setting = self.setting
        program = self._program(made, meeting)
        bounds = dict(self._bounds(program))
        bounds |= {turn_variable(n): f"0..{len(texts) - 1}" for n, texts in enumerate(made.turns)}
        system = build_system(
            program,
            (WOVEN,),
            mode=Mode.RUN,
            bounds=tuple(bounds.items()),
            undefined=setting.undefined,
            open=open,
            name="threads",
        )
        return replace(system, assumptions=self.assumptions, bounds=setting.bounds)

    def _program(self, made: Woven, meeting: Meeting) -> Program:
        program, threads = self.setting.program, self.threads
        declarations = dict(program.declarations)
        for name in threads.events:
            declared = declarations[name]
            declarations[result_of(name)] = Declaration(result_of(name), declared.result, (), span=declared.span)
            declarations[name] = replace(declared, result=VOID)
        for name in meeting.others:
            declarations[name] = Declaration(name, VOID, ())
        declarations[DEADLOCK] = Declaration(DEADLOCK, VOID, (Local("place", _TURN),))
        for thread in threads.threads:
            if thread.process is None:
                declarations |= self._own(thread, declarations)
        variables = dict(program.variables)
        for number in range(len(made.turns)):
            variables[turn_variable(number)] = Variable(turn_variable(number), _TURN, volatile=True)
        functions = {**program.functions, WOVEN: made.function}
        return replace(program, declarations=declarations, variables=variables, functions=functions)

    def _own(self, thread: Thread, declarations: Mapping[str, Declaration]) -> dict[str, Declaration]:
        """Functions without a body under the name of a thread that calls them."""
        found: dict[str, Declaration] = {}
        for variable in self.threads.shared:
            type = self.setting.program.variables[variable].type
            for access in (loading(variable), storing(variable)):
                found[told(thread.name, access)] = Declaration(told(thread.name, access), VOID, (Local("value", type),))
        for name in reachable(self.setting.program, [thread.function]).externals:
            if access_of(name) is None and name not in self.threads.events:
                found[told(thread.name, name)] = replace(declarations[name], name=told(thread.name, name))
        return found

    def _bounds(self, program: Program) -> Iterator[tuple[str, str]]:
        """The bounds of inputs, also by the names that these have because a claim asks whose they are."""
        known = {need.name for need in possible_inputs(program, (WOVEN,), reachable(program, [WOVEN]))}
        for name, bound in self.setting.bounds:
            function = name.partition("(")[0].partition(".")[0]
            others = [told(thread.name, function) for thread in self.threads.threads]
            others += [result_of(function)] if function in self.threads.events else []
            for candidate in (name, *(other + name.removeprefix(function) for other in others)):
                if any(_is_for(candidate, need) for need in known):
                    yield candidate, bound

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What threads take for granted, and how they meet."""
        found: dict[Assumption, None] = {}
        for name in self.threads.events:
            found[Assumption(Topic.FUNCTION, name, "its calls are events: threads do them together")] = None
        for name in map(root_of, self.threads.shared):
            text = "threads share it directly: each read and write is one step, in one order for all"
            found[Assumption(Topic.VARIABLE, name, text)] = None
        for thread, system in zip(self.threads.threads, self.systems, strict=True):
            for assumption in () if system is None else system.assumptions:
                if access_of(assumption.subject.removesuffix("()")) is None:
                    found[_of_thread(assumption, thread)] = None
        return (*found, *done_alone(self.threads, self._alphabets))


def _of_thread(assumption: Assumption, thread: Thread) -> Assumption:
    """What is assumed of a function without a body, under the name that a thread has for it."""
    is_own = assumption.kind is Topic.FUNCTION and "." not in assumption.subject
    return replace(assumption, subject=told(thread.name, assumption.subject)) if is_own else assumption


def _is_for(bound: str, need: str) -> bool:
    """Whether a bound is for an input, a part of it, or what it is a part of."""
    return bound == need or bound.startswith((f"{need}[", f"{need}.")) or need.startswith((f"{bound}[", f"{bound}."))


def _constants(system: System, threads: Threads) -> dict[tuple[str, Span], tuple[int, ...]]:
    """The arguments of events that are always the same, by their calls."""
    try:
        flow = flow_of(system, Shown(events=True))
    except NoFlow:
        return {}
    if flow.of_phase(Phase.LOST):
        return {}
    found: dict[tuple[str, Span], set[tuple[int, ...] | None]] = {}
    for stretch in flow.stretches:
        action = stretch.action
        if action is None or action.verb is not Verb.CALL or action.name not in threads.events:
            continue
        row: list[int] = []
        for term, type in action.arguments:
            if term.operator is Operator.VALUE and is_scalar(type):
                row.append(number_of(term.extra, type))
        whole = tuple(row) if len(row) == len(action.arguments) else None
        found.setdefault((action.name, flow.rests[stretch.source].span), set()).add(whole)
    single = {key: next(iter(rows)) for key, rows in found.items() if len(rows) == 1}
    return {key: row for key, row in single.items() if row is not None}


def _refused(setting: Setting) -> Iterator[Diagnostic]:
    """What is not known where variables are shared directly."""
    program, threads = setting.program, setting.threads

    where = "which is not known where variables are shared directly"
    held = [name for name, sharing in threads.shared.items() if sharing is not Sharing.DIRECT]
    for name in held:
        message = f"a process holds `{name}`, and other variables are shared directly"
        yield Diagnostic(Code.UNSUPPORTED, message, help="share all of them in the same way")
    if setting.init is not None:
        yield Diagnostic(Code.UNSUPPORTED, f"`{setting.init}` runs before all threads, {where}")
    for name in threads.answers:
        message = f"a process answers `{name}`, {where}"
        yield Diagnostic(Code.UNSUPPORTED, message, help="let processes hold shared variables")
    for name in threads.events:
        declared = program.declarations[name]
        if declared.variadic or not all(isinstance(p.type, Int | Bool | Enum) for p in declared.parameters):
            message = f"the event `{name}` takes other things than whole numbers, {where}"
            yield Diagnostic(Code.UNSUPPORTED, message, declared.span)
    functions = [t.function for t in threads.threads if t.process is None]
    for read in {i.name: i for i in reachable(program, functions).inputs}.values():
        yield Diagnostic(Code.UNSUPPORTED, f"`{read.name}` is volatile, {where}", read.span)
