"""A design as threads and processes: C text, FSP text, and what every name in them means in the design."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import final

from stateglass.assemblies.interpretation.bounds import Bounds
from stateglass.assemblies.interpretation.context import Context, Variable
from stateglass.assemblies.interpretation.dropping import Written, events_of
from stateglass.assemblies.interpretation.events import Event, Events
from stateglass.assemblies.interpretation.expressions import initial_value
from stateglass.assemblies.interpretation.functions import copy_function, thread_function
from stateglass.assemblies.interpretation.lines import Line
from stateglass.assemblies.interpretation.planning import OUTSIDE, Carrier, Copy, Plan, Tracking
from stateglass.assemblies.interpretation.program import Draft
from stateglass.assemblies.interpretation.queues import Kind, Queue, lock_text, refusing_text
from stateglass.assemblies.interpretation.sharing import threads_of, using_threads
from stateglass.assemblies.interpretation.values import Values, domain_text
from stateglass.assemblies.interpretation.wiring import Role, Wiring
from stateglass.assemblies.types import UNDEFINED
from stateglass.design import START, Interaction, Passing, WhenFull
from stateglass.source import Code, Diagnostic, InputError
from stateglass.system.threads import AskedThreads

ROOM = 2
"""So many messages a queue has room for if nobody says otherwise."""

_WORD = re.compile(r"\w+")


def _words(functions: Iterable[Iterable[Line]]) -> frozenset[str]:
    return frozenset(word for function in functions for line in function for word in _WORD.findall(line.text))


@final
@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a design beside the design."""

    bounds: Mapping[str, str] = field(default_factory=dict)
    room: int | None = None  # of every queue


@final
@dataclass(frozen=True)
class Interpretation:
    """A program that does what a design does."""

    wiring: Wiring
    lines: tuple[Line, ...]  # of C
    asked: AskedThreads
    bounds: tuple[tuple[str, str], ...]
    events: Mapping[str, Event]  # by name; without those that nobody takes part in
    variables: Mapping[str, Variable]  # by their names in claims on the program
    states: Mapping[Role, tuple[str, tuple[str, ...]]]  # the variable that has the state, and the states by number
    threads: Mapping[str, Carrier]
    queues: tuple[Queue, ...]
    locks: Mapping[str, Role]  # by process
    unused: frozenset[str]  # variables of the program that no thread uses
    idle: frozenset[Role]  # reactions that nobody carries out
    choosers: frozenset[str]  # functions that say which of several transitions is taken
    choices: Mapping[str, int]  # by thread: how many sink pins it is ready for
    active: Mapping[str, str]  # by event that somebody waits for: the thread that brings it about; empty: none
    calls: Mapping[str, str]  # by event after which a thread does nothing but wait: the thread
    users: Mapping[str, tuple[str, ...]]  # by the name of a variable in claims: the threads that use it
    carried: Mapping[str, tuple[Values, ...]]  # by event that a thread waits for: the data that it takes

    written: Written

    def is_carried(self, role: Role) -> bool:
        return role not in self.idle

    def calling(self, called: Mapping[str, Collection[str]]) -> Interpretation:
        """The same program if the code of threads, when it is read, calls these functions and no others."""
        dropped = self.written.dropped(called)
        if not dropped:
            return self
        process = self.written.process
        asked = replace(
            self.asked,
            threads=(*self.asked.threads, f"process {process}"),
            processes={**self.asked.processes, process: refusing_text(process, dropped)},
        )
        return replace(self, asked=asked)

    @property
    def text(self) -> str:
        """The program in C."""
        return "".join(f"{line.text}\n" for line in self.lines)


def _beginnings(wiring: Wiring) -> Iterator[Diagnostic]:
    """Variables that begin with nothing that is a number, as parameters have it."""
    for unit in wiring.units:
        for variable in (*unit.component.variables, *(v for r in unit.component.reactions for v in r.variables)):
            try:
                initial_value(wiring, unit.name, variable)
            except ArithmeticError:
                message = f"`{variable.name}` of `{unit.name}` would begin with {UNDEFINED}"
                yield Diagnostic(Code.DESIGN, message, variable.span)


def interpreted(wiring: Wiring, said: Said) -> Interpretation:
    """The program for a wiring; all that is missing is one `InputError`."""
    if problems := dict.fromkeys(_beginnings(wiring)):
        raise InputError(problems)
    return _Interpreting(wiring, said).run()


@final
class _Interpreting:
    def __init__(self, wiring: Wiring, said: Said) -> None:
        self._wiring = wiring
        self._said = said
        self._plan = Plan(wiring)
        self._draft = Draft()
        self._bounds = Bounds(wiring, said.bounds)
        self._problems: list[Diagnostic] = []
        self._locks: dict[str, Role] = {}
        self._threads = {c: self._function_name(c) for c in self._plan.carriers}
        self._events = Events(self._plan, self._draft.names, self._threads.__getitem__)

    def run(self) -> Interpretation:
        context = self._context()
        by_thread = {self._threads[c]: self._functions(context, c) for c in self._plan.carriers}
        functions = [function for written in by_thread.values() for function in written]
        queues = tuple(self._queues())
        self._write_locks()
        self._draft.finish()
        shared = self._shared(context)
        problems = [*self._problems, *self._bounds.problems, *self._bounds.unused()]
        if problems:
            raise InputError(dict.fromkeys(problems))
        draft = self._draft
        lines = (*self._head(context), *(line for function in functions for line in (*function, Line(""))))
        in_thread = {thread: _words(written) for thread, written in by_thread.items()}
        words = frozenset[str]().union(*in_thread.values())
        known = words | self._words_of_processes(words)
        processes = dict(draft.answers.values()) | draft.processes
        asked = AskedThreads(
            (*(self._threads[c] for c in self._plan.carriers), *(f"process {name}" for name in draft.processes)),
            tuple(f"{event}(*)" for event in draft.events),
            tuple(f"{function}=process {process}" for function, (process, _) in draft.answers.items()),
            tuple(f"{name}=process" for name in shared),
            processes,
        )
        return Interpretation(
            self._wiring,
            lines,
            asked,
            (*draft.chosen.items(), *((f"{name}()", "0") for name in draft.silent), *shared.items()),
            {event.name: event for event in self._events.all if event.name in known},
            {variable.name: variable for variable in context.variables.values()},
            {
                role: (self._state_name(context, role), (START, *self._plan.charts[role].states))
                for role in self._wiring.roles
            },
            {name: carrier for carrier, name in self._threads.items()},
            queues,
            self._locks,
            frozenset(variable.name for variable in context.variables.values() if variable.name not in words),
            frozenset(role for role in self._plan.carried if not self._is_carried(context, role, words)),
            frozenset(draft.choosers.values()),
            {name: len(self._plan.sinks(carrier.role)) for carrier, name in self._threads.items()},
            {
                event: "" if carrier is None else self._threads[carrier]
                for event, carrier in self._events.active.items()
            },
            {event: self._threads[carrier] for event, carrier in self._events.calls.items()},
            self._users(context),
            {event: data for options in draft.options.values() for event, data, _ in options},
            Written(
                draft.names.new("Dropped"),
                {thread: words & draft.declared.keys() for thread, words in in_thread.items()},
                events_of(draft, queues),
            ),
        )

    def _words_of_processes(self, words: Set[str]) -> set[str]:
        """What processes speak of that run beside threads, or answer the functions that these call."""
        texts = [text for function, (_, text) in self._draft.answers.items() if function in words]
        return {word for text in (*texts, *self._draft.processes.values()) for word in _WORD.findall(text)}

    def _functions(self, context: Context, carrier: Carrier) -> list[list[Line]]:
        """That of a thread, behind those that it calls; others would know events that no thread knows."""
        thread = thread_function(context, carrier)
        copies = self._plan.copies(carrier)
        written: dict[Copy, list[Line]] = {}
        while missing := [copy for copy in copies if copy in self._draft.called and copy not in written]:
            written |= {copy: copy_function(context, copy) for copy in missing}
        by = [*((copy.role, written[copy]) for copy in copies if copy in written), (carrier.role, thread)]
        return [[replace(line, unit=role.unit) for line in lines] for role, lines in by]

    def _is_carried(self, context: Context, role: Role, words: Set[str]) -> bool:
        """Whether a thread, or what it calls, is this reaction."""
        state = context.state_variables.get(role)
        return bool(self._plan.carried[role]) and (state is None or state in words)

    # ---- names

    def _prefix(self, unit: str) -> str:
        return unit or self._wiring.name

    def _function_name(self, carrier: Carrier) -> str:
        return self._draft.names.new(self._prefix(carrier.role.unit), carrier.role.reaction)

    def _context(self) -> Context:
        names, plan = self._draft.names, self._plan
        variables = {}
        for unit in self._wiring.units:
            owners = [("", unit.component.variables), *((r.name, r.variables) for r in unit.component.reactions)]
            for reaction, own in owners:
                for variable in own:
                    name = names.new(self._prefix(unit.name), reaction, variable.name)
                    design = ".".join(part for part in (unit.name, reaction, variable.name) if part)
                    variables[unit.name, reaction, variable.name] = Variable(
                        name, design, unit.name, reaction, variable
                    )
        states, pins, kept, tracked, state_variables = {}, {}, {}, {}, {}
        copies: dict[Copy, str] = {}
        for role in self._wiring.roles:
            for state in plan.charts[role].numbers:
                states[role, state] = names.new(role.unit, role.reaction, "at", state)
            for pin in plan.sinks(role):
                pins[pin] = names.new(role.unit, role.reaction, "on", pin.pin)
            if not self._wiring.reaction(role).threaded:
                state_variables[role] = names.new(self._prefix(role.unit), role.reaction, "currState")
                for pin in plan.sinks(role):
                    if plan.tracking(pin) is not Tracking.NOTHING:
                        tracked[pin] = names.new(*pin, "under_way")
        for carrier in plan.carriers:
            thread = self._threads[carrier]
            for copy in plan.copies(carrier):
                copies[copy] = names.new(thread, "does", *copy.role)
                for pin in plan.sinks(copy.role):
                    flag = ("",) if plan.tracking(pin) is Tracking.WHOSE else ()
                    for parameter in (*flag, *(p.name for p in self._wiring.pin(pin).passed(Passing.END))):
                        if (carrier, pin, parameter) not in kept:
                            kept[carrier, pin, parameter] = names.new(thread, "back", *pin, parameter or "done")
        return Context(
            plan,
            self._events,
            self._bounds,
            self._draft,
            self._threads,
            copies,
            variables,
            states,
            pins,
            kept,
            tracked,
            state_variables,
        )

    def _users(self, context: Context) -> dict[str, tuple[str, ...]]:
        found = {}
        for variable in context.variables.values():
            carriers = threads_of(context, variable)
            found[variable.name] = tuple(self._threads[c] for c in self._plan.carriers if c in carriers)
        for role, carried in self._plan.carried.items():
            found[self._state_name(context, role)] = tuple(self._threads[carrier] for carrier in carried)
        return found

    def _state_name(self, context: Context, role: Role) -> str:
        """What claims on the program call the state of a reaction."""
        if role in context.state_variables:
            return context.state_variables[role]
        return f"{self._threads[Carrier(role, outside=False)]}::currState"

    # ---- text

    def _head(self, context: Context) -> list[Line]:
        """Everything before the functions."""
        kind = "assembly" if self._wiring.is_assembly else "component"
        lines = [Line(f"// the {kind} {self._wiring.name}"), Line("#include <assert.h>"), Line("")]
        for role in self._wiring.roles:
            if not self._plan.carried[role]:
                continue
            lines.append(Line(f"enum {{ // states of {role}"))
            for state, number in self._plan.charts[role].numbers.items():
                lines.append(Line(f"   {context.states[role, state]} = {number},"))
            lines.append(Line("};"))
            if self._plan.sinks(role):
                lines.append(Line(f"enum {{ // sink pins of {role}"))
                for number, pin in enumerate(self._plan.sinks(role)):
                    lines.append(Line(f"   {context.pins[pin]} = {number},"))
                lines.append(Line("};"))
            lines.append(Line(""))
        lines += [Line(function.declaration) for function in self._draft.declared.values()]
        lines.append(Line(""))
        for variable in context.variables.values():
            value = initial_value(self._wiring, variable.unit, variable.declared)
            text = f"static {context.c_type(variable.type)} {variable.name} = {value};"
            lines.append(Line(text, variable.declared.span))
        for role, name in context.state_variables.items():
            if self._plan.carried[role]:
                lines.append(Line(f"static int {name} = {context.states[role, START]};"))
        lines += [Line(f"static int {name} = 0;") for name in (*context.tracked.values(), *context.kept.values())]
        lines.append(Line(""))
        return lines

    # ---- processes

    def _queues(self) -> list[Queue]:
        found = []
        for role in self._wiring.roles:
            reaction = self._wiring.reaction(role)
            kinds = []
            for sink in self._plan.sinks(role) if reaction.threaded else ():
                senders = [s for s in self._plan.senders(sink) if s.carrier is not None]
                if self._wiring.pin(sink).interaction is Interaction.SYNCH or not senders:
                    continue
                puts = [
                    put
                    for s in senders
                    if s.carrier is not None and s.source is not None
                    if (put := self._events.put(s.source, sink, s.carrier).name) in self._draft.done
                ]
                if not puts:
                    continue
                priority = self._annotated(role, sink.pin, "priority")
                data = self._bounds.of_pin(sink, Passing.BEGIN)
                delivered = self._events.delivered(sink).name
                self._draft.done.add(delivered)
                self._draft.offered[delivered] = data
                kinds.append(
                    Kind(sink.pin, tuple(puts), delivered, data, priority if isinstance(priority, int) else None)
                )
            if kinds:
                found.append(self._queue(role, tuple(kinds)))
        return found

    def _queue(self, role: Role, kinds: tuple[Kind, ...]) -> Queue:
        room = self._annotated(role, role.reaction, "queue")
        full = self._annotated(role, role.reaction, "full")
        queue = Queue(
            self._draft.names.new("Queue", *role),
            str(role),
            self._said.room or (room if isinstance(room, int) and room > 0 else ROOM),
            WhenFull(full) if full in [one.value for one in WhenFull] else WhenFull.BLOCK,
            kinds,
            self._events.overflow(role).name,
        )
        problem = queue.problem(self._wiring.reaction(role).span)
        if problem is not None:
            self._problems.append(problem)
        self._draft.processes[queue.process] = queue.text()
        return queue

    def _annotated(self, role: Role, subject: str, name: str) -> str | int | None:
        component = self._wiring.by_name[role.unit].component
        return self._wiring.design.annotated(component.name, subject, name)

    def _write_locks(self) -> None:
        for role in self._wiring.roles:
            if not self._plan.is_locked(role):
                continue
            ways = []
            for carrier in self._plan.carried[role]:
                unlock = self._events.unlock(role, carrier).name
                if carrier.role == role:
                    for sink in self._plan.sinks(role):
                        if OUTSIDE in self._plan.senders(sink):
                            data = self._bounds.of_pin(sink, Passing.BEGIN)
                            ways.append((self._events.begin(sink, OUTSIDE).name, data, unlock))
                elif (lock := self._events.lock(role, carrier).name) in self._draft.done:
                    ways.append((lock, (), unlock))
            if not ways:
                continue
            name = self._draft.names.new("Lock", *role)
            self._locks[name] = role
            self._draft.processes[name] = lock_text(name, ways)

    # ---- variables that several threads use

    def _shared(self, context: Context) -> dict[str, str]:
        """Variables that several threads use, with what they may hold."""
        found: dict[str, str] = {}
        for name, values, problem in using_threads(context):
            if problem is not None:
                self._problems.append(problem)
            elif values is not None:
                found[name] = domain_text(values)
        return found
