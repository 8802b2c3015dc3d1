"""Processes around the subject: what they accept, answer and call, with their states as numbers in variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, final

from stateglass.explore.around.moves import Called, LookedAt, Move, Returned, Stored, Threw, WasRead
from stateglass.explore.around.visits import Visits
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Asking, CallingOut, Failing, Outside, Pause, Returning, Stable, Stuck, Visit
from stateglass.explore.shown.actions import Texts
from stateglass.model import TAU, Verb
from stateglass.model import Action as Label
from stateglass.program import VOID, Bool, Enum, Int, Type
from stateglass.program.faults import FaultKind
from stateglass.source import NOWHERE, Span
from stateglass.system import System
from stateglass.system.fsp import SUBJECT, Action, Kind, Name, State, String, Truth, Value, Whole, offers, start, steps
from stateglass.system.system import PublicField, RunningProcess


@final
class Processes:
    """The moves of processes; the machine must be in the state that is asked about."""

    def __init__(self, system: System, machine: Machine, texts: Texts, visits: Visits) -> None:
        self._system = system
        self._machine = machine
        self._texts = texts
        self._visits = visits
        self._callers = {
            number: (running, name)
            for running in system.processes
            for (path, name), numbers in visits.of_processes.items()
            if path == running.path
            for number in numbers
        }
        subject = system.object
        prefix = f"{subject.variable}." if subject is not None else ""
        self._fields = {f.name.removeprefix(prefix): f for f in (subject.fields if subject is not None else ())}
        self._by_field = {name: p for p in system.processes for name in p.fields}
        self._by_function = {name: p for p in system.processes for name in p.functions}
        self._states: dict[str, list[State]] = {p.path: [start(p.process)] for p in system.processes}
        self._numbers: dict[str, dict[State, int]] = {path: {s[0]: 0} for path, s in self._states.items()}
        self._definitions = {p.path: dict(p.definitions.members) for p in system.processes}
        for running in system.processes:
            self._show(running, self._states[running.path][0])

    def answers(self, function: str) -> bool:
        return function in self._by_function

    def holds(self, name: str) -> bool:
        """Whether a variable, or a function that is told what is stored to one, is a process's."""
        return self._variable(name) in self._by_field

    def _variable(self, name: str) -> str:
        return self._system.stores.get(name, name).removeprefix("::")

    def loaded(self, pause: Asking) -> Iterator[Move]:
        """A variable is read: the process says its value."""
        running = self._by_field[pause.name]
        span = self._machine.accessed_at()
        for action, after in steps(self._state(running)):
            if action.kind is Kind.LOAD and action.name == running.fields[pause.name]:
                content = self._content(action.values[0], pause.type)
                if content is None:
                    wrong = Stuck(
                        f"`{running.process.name}` says `{action}`, which is no value of `{pause.type}`", span
                    )
                    yield Move(TAU, span, partial(_ended, wrong))
                    continue
                text = self._texts.load(self._system.loads[pause.name], str(action.values[0]))
                event = WasRead(pause.name, content, pause.type)
                answer = partial(self._machine.answer, pause, content)
                yield Move(text, span, partial(self._go_on, running, after, pause, span, answer), event)

    def stored(self, pause: CallingOut, move: Move) -> Iterator[Move]:
        """A variable is changed, if the process accepts that now."""
        name = self._variable(pause.function)
        running = self._by_field[name]
        (value,), (type,) = pause.arguments, self._machine.segment(pause.segment).types
        for after in offers(
            self._state(running), Action(Kind.STORE, running.fields[name], (self._value(value, type),))
        ):
            make = partial(self._go_on, running, after, pause, move.span or NOWHERE, move.make)
            yield replace(move, make=make)

    def call(self, pause: CallingOut) -> Iterator[Move]:
        """The call of a function, if the process accepts it now; if it does not, nothing more happens."""
        running = self._by_function[pause.function]
        segment = self._machine.segment(pause.segment)
        given = list(zip(pause.arguments, segment.types, strict=True))
        action = Action(Kind.CALL, running.functions[pause.function], tuple(self._value(v, t) for v, t in given))
        text = self._texts.call(pause.function, given) if self._machine.labelling is None else TAU
        event = Called(pause.function, pause.arguments, segment.types)
        inside = Outside(pause.segment, pause.function, pause.arguments)
        span = self._machine.called_at(pause, through=True)
        for after in offers(self._state(running), action):
            yield Move(text, span, partial(self._go, running, after, inside, span), event)

    def come_back(self, pause: Outside) -> Iterator[Move]:
        """What the process does while it is called: it answers, or does something of its own."""
        running = self._by_function[pause.function]
        span = self._machine.called_at(pause, through=True)
        own = running.functions[pause.function]
        for action, after in steps(self._state(running)):
            match action.kind:
                case Kind.RETURN if action.name in (own, ""):
                    yield self._return(pause, action, running, after, span)
                case Kind.THROW if action.name in (own, ""):
                    yield self._throw(pause, action, running, after, span)
                case _:
                    continue  # an answer to another function than the one that is called: it waits

    def own_events(self, pause: Pause) -> Iterator[Move]:
        """What processes do of their own accord, whatever the subject is doing meanwhile."""
        for running in self._system.processes:
            for action, after in steps(self._state(running)):
                if action.kind is Kind.EVENT:
                    text = TAU if action.name == TAU else f"{running.shown}.{action}"
                    yield Move(text, None, partial(self._go, running, after, pause, NOWHERE))

    # ---- what a process asks of its subject

    def visits(self, pause: Stable | Outside) -> Iterator[Move]:
        """The calls and accesses of processes: between calls of anybody, and before what is called has returned."""
        for running in self._system.processes:
            if isinstance(pause, Stable) or pause.function in running.functions:
                yield from self._visits_of(running, pause)

    def _visits_of(self, running: RunningProcess, pause: Stable | Outside) -> Iterator[Move]:
        state = self._state(running)
        for action, after in steps(state):
            if action.kind is Kind.CALL:
                yield self._call(running, action, after, pause)
            elif action.kind is Kind.STORE:
                field = self._fields[action.name.removeprefix(SUBJECT)]
                yield self._store(running, field, action, after, pause)
        for name, field in self._fields.items():
            content = self._machine.cells[self._field_cell(field)]
            if content is None:
                continue
            value = self._value(content, field.type)
            for after in offers(state, Action(Kind.LOAD, SUBJECT + name, (value,))):
                text = str(Label(Verb.LOAD, field.name, (self._texts.value(content, field.type),)))
                yield Move(text, None, partial(self._go, running, after, pause, NOWHERE), LookedAt())

    def _call(self, running: RunningProcess, action: Action, after: State, pause: Stable | Outside) -> Move:
        levels = self._visits.of_processes[running.path, action.name]
        level = 0 if isinstance(pause, Stable) else self._machine.stack.callbacks + 1
        if level >= len(levels):
            deep = f"`{running.process.name}` calls `{action.name}` back more than {len(levels) - 1} deep"
            stuck = Stuck(f"{deep} (callback_depth)", NOWHERE, bound=True)
            return Move(TAU, None, partial(_ended, stuck))
        entry = self._visits.entries[levels[level]]
        types = [p.type for p in self._system.program.functions[entry.function].parameters]
        given = [self._content(v, t) for v, t in zip(action.values, types[entry.hidden :], strict=True)]
        if None in given:
            wrong = Stuck(f"`{running.process.name}` calls `{action}`, with what is no value there", NOWHERE)
            return Move(TAU, None, partial(_ended, wrong))
        move = self._visits.call(levels[level], (*[None] * entry.hidden, *given), pause)
        return replace(move, make=partial(self._go_on, running, after, pause, NOWHERE, move.make))

    def _store(
        self, running: RunningProcess, field: PublicField, action: Action, after: State, pause: Stable | Outside
    ) -> Move:
        content = self._content(action.values[0], field.type)
        if content is None:
            wrong = Stuck(f"`{running.process.name}` does `{action}`, which is no value there", NOWHERE)
            return Move(TAU, None, partial(_ended, wrong))

        def make() -> Pause:
            self._machine.cells[self._field_cell(field)] = content
            return self._go(running, after, pause, NOWHERE)

        text = str(Label(Verb.STORE, field.name, (self._texts.value(content, field.type),)))
        return Move(text, None, make, Stored(field.position, content))

    def waits_for(self, visit: Visit) -> bool:
        """Whether it is a process that has called."""
        return visit.entry in self._callers

    def told(self, pause: Returning) -> Iterator[Move]:
        """What a process has called is over: it goes on, if it is ready for what it gets."""
        running, name = self._callers[pause.visit.entry]
        move = self._visits.returned(pause)
        thrown = self._machine.thrown_type()
        if move.action == TAU:  # what was thrown is being destroyed, and the process knows of it
            yield move
            return
        if thrown is not None:
            action = Action(Kind.THROW, name, (Name(thrown),))
        else:
            type = self._system.program.functions[pause.function].result
            values = () if pause.value is None else (self._value(pause.value, type),)
            action = Action(Kind.RETURN, name, values)
        for after in offers(self._state(running), action):
            yield replace(move, make=partial(self._go_on, running, after, pause, pause.span, move.make))

    def _field_cell(self, field: PublicField) -> int:
        assert self._system.object is not None
        whole = self._machine.globals[self._system.object.variable]
        return self._machine.memory.cell_number(8 * whole.address + field.position)

    # ---- answers

    def _return(self, pause: Outside, action: Action, running: RunningProcess, after: State, span: Span) -> Move:
        type = self._system.externals[pause.function].result_type
        value = self._content(action.values[0], type) if action.values else None
        shown = [str(v) for v in action.values]
        text = self._texts.returned(pause.function, shown) if self._machine.labelling is None else TAU
        if (value is None) != (type == VOID):
            stuck = Stuck(f"`{running.process.name}` answers `{action}`, which is no value of `{type}`", span)
            return Move(text, span, partial(_ended, stuck))
        answer = partial(self._machine.answer, pause, value)
        make = partial(self._go_on, running, after, pause, span, answer)
        return Move(text, span, make, Returned(pause.function, value, type))

    def _throw(self, pause: Outside, action: Action, running: RunningProcess, after: State, span: Span) -> Move:
        thrown = str(action.values[0]) if action.values else ""
        text = f"throw({pause.function}, {thrown})" if self._machine.labelling is None else TAU
        function = dict(self._system.externals[pause.function].throws).get(thrown)

        def go_on() -> Pause:
            if function is None:
                return Stuck(f"`{running.process.name}` throws `{thrown}`, which is no exception here", span)
            return self._machine.call_instead(pause, function)

        make = partial(self._go_on, running, after, pause, span, go_on)
        return Move(text, span, make, Threw(pause.function, thrown))

    # ---- states and values

    def _state(self, running: RunningProcess) -> State:
        number = self._machine.cells[self._cell(running)]
        assert isinstance(number, int)
        return self._states[running.path][number]

    def _cell(self, running: RunningProcess) -> int:
        return self._machine.globals[running.variable].first

    def _go(self, running: RunningProcess, after: State, then: Pause, span: Span) -> Pause:
        """The process gets into a state; one that is an error ends everything."""
        numbers, states = self._numbers[running.path], self._states[running.path]
        number = numbers.setdefault(after, len(states))
        if number == len(states):
            states.append(after)
        self._machine.cells[self._cell(running)] = number
        self._show(running, after)
        return Failing(FaultKind.PROCESS.value, span) if after.failed else then

    def _go_on(
        self, running: RunningProcess, after: State, pause: Pause, span: Span, then: Callable[[], Pause]
    ) -> Pause:
        """The process gets into a state, and what it has to do with goes on, unless that state is an error."""
        going = self._go(running, after, pause, span)
        return then() if going is pause else going

    def _show(self, running: RunningProcess, state: State) -> None:
        cell = self._machine.globals[running.shown].first
        self._machine.cells[cell] = self._definitions[running.path][state.definition]

    def _value(self, value: Any, type: Type) -> Value:
        """A value of the program as processes have it; what is no number, enumerator or text goes by what is shown."""
        if isinstance(value, int) and isinstance(type, Bool):
            return Truth(bool(value))
        if isinstance(value, int) and isinstance(type, Int):
            return Whole(value)
        shown = self._texts.value(value, type)
        if len(shown) > 1 and shown[0] == shown[-1] == '"':
            # Texts are shown with the escapes of C, all of which Python has.
            return String(shown[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape"))
        return Whole(int(shown)) if isinstance(type, Enum) and shown.lstrip("-").isdigit() else Name(shown)

    def _content(self, value: Value, type: Type) -> int | None:
        """What a value of a process is in the program; None if it is no value of that type."""
        match value, type:
            case Truth(holds), Bool():
                return int(holds)
            case Whole(number), Int() if type.low <= number <= type.high:
                return number
            case ((Name() | String()), Enum()):
                return next((v for v, n in self._texts.enumerators(type).items() if n == str(value)), None)
            case _:
                return None


def _ended(stuck: Stuck) -> Pause:
    return stuck
