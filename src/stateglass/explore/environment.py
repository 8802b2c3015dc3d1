"""What can happen next in a state: the moves of the environment and of the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, assert_never, final

from stateglass.explore.actions import Texts
from stateglass.explore.contents import LENT
from stateglass.explore.machine import Machine
from stateglass.explore.memory import Object
from stateglass.explore.moves import Called, Exited, Move, Returned, WasRead
from stateglass.explore.outside import Elsewhere, values_of
from stateglass.explore.pauses import (
    Asking,
    CallingOut,
    Choosing,
    Dropped,
    Ended,
    Exiting,
    Failing,
    Looping,
    Outside,
    Pause,
    Resting,
    Returning,
    Stable,
    Starting,
    Stuck,
)
from stateglass.explore.processes import Processes
from stateglass.explore.states import Snapshot
from stateglass.model import TAU, Action, Verb
from stateglass.program import Int, Type
from stateglass.source import Span
from stateglass.system import (
    Argument,
    Choice,
    Contents,
    Entry,
    Filled,
    Fixed,
    InputVariable,
    Mode,
    Pointed,
    System,
)


@final
class Environment:
    """Knows the moves; the machine must be in the state that is asked about when a move's text is made."""

    def __init__(self, system: System, machine: Machine) -> None:
        self._system = system
        self._machine = machine
        self._texts = Texts(machine, system.program.enums)
        self._int = Int(system.program.target.int_bits, signed=True)
        self._entries = {e.function: e for e in (*system.entries, *([system.init] if system.init else []))}
        self._input_cells = [self._cells_of(i) for i in system.inputs]
        self._chosen_cells = [n for e in self._entries.values() for a in e.arguments for n in self._cells_chosen(a)]
        kept = {v.name: v.type for v in system.environment}
        self._rooms = {e.result: kept[e.result] for e in system.entries if e.result}
        if system.object is not None:
            # As a local variable is: what the constructor leaves alone has no value.
            whole = machine.globals[system.object.variable]
            machine.cells[whole.first : whole.first + len(whole.shape)] = [None] * len(whole.shape)
            machine.called[whole.name] = system.object.names
        self._elsewhere = Elsewhere(system, machine, self._texts)
        self._processes = Processes(system, machine, self._texts)
        constants = {o.address: a.contents.name for a in self._all_filled() for o in self._objects(a) if o.readonly}
        self._constants = {a: name for first, name in constants.items() for a in self._addresses(first)}
        machine.tells_return = lambda entry: not self._exits(entry)

    @property
    def texts(self) -> Texts:
        return self._texts

    def first_state(self) -> Snapshot:
        """The state after initialisation, or before it if it is not silent and determined."""
        machine = self._machine
        init = self._system.init
        if init is None:
            self._forget_inputs()
            return machine.snapshot(Stable())
        before = machine.snapshot(Starting())
        arguments = list(self._combinations(init))
        labelling = machine.labelling
        if labelling is not None and (labelling.knows_call(init.function) or labelling.knows_return(init.function)):
            return before
        silent = len(arguments) == 1 and isinstance(machine.finish(self._call(init, arguments[0])), Returning)
        if silent and not machine.doubts.take():
            self._forget_inputs()
            return machine.snapshot(Stable())
        return before

    def moves(self, pause: Pause) -> Iterator[Move]:
        """All moves from the state the machine is in, called as the label map says if there is one."""
        labelling = self._machine.labelling
        if labelling is None or isinstance(pause, Choosing | Failing):
            yield from self._moves(pause)
            return
        for move in self._moves(pause):
            for action in labelling.actions(move.event):
                yield replace(move, action=action)

    def _moves(self, pause: Pause) -> Iterator[Move]:
        yield from self._moves_of_subject(pause)
        if isinstance(pause, Stable | CallingOut | Outside | Returning):
            yield from self._processes.own_events(pause)

    def _moves_of_subject(self, pause: Pause) -> Iterator[Move]:
        match pause:
            case Starting():
                assert self._system.init is not None
                yield from self._calls(self._system.init)
            case Stable(chosen) if chosen < len(self._system.inputs):
                yield from self._choose_input(chosen)
            case Stable():
                for entry in self._system.entries:
                    yield from self._calls(entry)
                yield from self._accesses()
            case CallingOut(function=name) if self._processes.answers(name):
                yield from self._processes.call(pause)
            case Outside(function=name) if self._processes.answers(name):
                yield from self._processes.come_back(pause)
            case CallingOut():
                yield self._elsewhere.call(pause)
            case Outside():
                yield from self._elsewhere.come_back(pause)
            case Asking():
                yield from self._inputs(pause)
            case Choosing(number, options):
                span = self._machine.segment(number).span
                for action, way in options:
                    yield Move(action, span, partial(self._machine.take, pause, way))
            case Returning():
                yield self._return(pause)
            case Failing(kind, span):
                yield Move(str(Action(Verb.ERROR, kind)), span, lambda: Ended(failed=True))
            case Exiting(code, span):
                status = self._texts.value(code, self._int)
                yield Move(str(Action(Verb.EXIT, status)), span, Ended, Exited(code, self._int))
            case Looping(number):
                yield Move(TAU, self._machine.segment(number).span, lambda: pause)
            case Resting(number):
                yield Move(TAU, self._machine.segment(number).span, lambda: self._machine.proceed(pause))
            case Stuck() | Dropped() | Ended():
                return
            case _:
                assert_never(pause)

    def ended(self, pause: Pause) -> Pause:
        """The pause, or `Ended` if it is an end of the program that a label map has no action for: no step shows it."""
        labelling = self._machine.labelling
        if labelling is None:
            return pause
        match pause:
            case Exiting(code):
                over = not labelling.exit(code, self._int)
            case Returning(function, value) if self._exits(function):
                over = not labelling.exit(value, self._system.program.functions[function].result)
            case _:
                over = False
        return Ended() if over else pause

    def _runs_once(self, function: str) -> bool:
        init = self._system.init
        return self._system.mode is Mode.RUN and (init is None or function != init.function)

    def _exits(self, function: str) -> bool:
        """Whether the program is over when this function returns, with what it returns as its status."""
        return function == "main" and self._runs_once(function)

    def span(self, pause: Pause) -> Span | None:
        """Where in the source a state is."""
        match pause:
            case CallingOut(number) | Outside(number) | Asking(number) | Choosing(number) | Looping(number):
                return self._machine.segment(number).span
            case Resting(number):
                return self._machine.segment(number).span
            case Failing(_, span) | Exiting(_, span) | Stuck(_, span):
                return span
            case Returning(_, _, span):
                return span
            case Starting() | Stable() | Dropped() | Ended():
                return None
            case _:
                assert_never(pause)

    def reason(self, stuck: Stuck) -> str:
        """Why what follows a state is not known, and what could be done about it."""
        return self._elsewhere.reason(stuck)

    # ---- the environment's side

    def _choose_input(self, chosen: int) -> Iterator[Move]:
        choice = self._system.inputs[chosen].choice
        cells = self._input_cells[chosen]

        def make(values: tuple[int, ...]) -> Pause:
            self._machine.cells[cells.start : cells.stop] = values
            return Stable(chosen + 1)

        match choice:
            case Choice(name, type):
                for value in values_of(choice):
                    yield Move(self._texts.store(name, self._texts.value(value, type)), None, partial(make, (value,)))
            case Contents(name, _, rows):
                for row in rows:
                    yield Move(self._texts.store(name, self._texts.row(row, choice)), None, partial(make, row))
            case _:
                assert_never(choice)

    def _cells_of(self, variable: InputVariable) -> range:
        machine = self._machine
        first = machine.memory.cell_number(8 * machine.globals[variable.variable].address + variable.position)
        match variable.choice:
            case Choice():
                return range(first, first + 1)
            case Contents(_, _, rows):
                return range(first, first + len(rows[0]))
            case _:
                assert_never(variable.choice)

    def _cells_chosen(self, argument: Argument) -> Iterator[int]:
        """The cells behind a pointer argument that are chosen anew for each call."""
        match argument:
            case Pointed(variable, content):
                if content is not None:
                    yield self._machine.globals[variable].first
            case Filled():
                for whole in self._filled(argument):
                    yield from range(whole.first, whole.first + len(whole.shape))
            case Choice() | Fixed():
                pass
            case _:
                assert_never(argument)

    def _filled(self, argument: Filled) -> list[Object]:
        """The objects that are filled before a call; constants always are."""
        return [o for o in self._objects(argument) if not o.readonly]

    def _objects(self, argument: Filled) -> list[Object]:
        return [self._machine.globals[name] for name in dict.fromkeys(argument.objects)]

    def _all_filled(self) -> list[Filled]:
        return [a for e in self._entries.values() for a in e.arguments if isinstance(a, Filled)]

    def _addresses(self, first: int) -> range:
        found = self._machine.memory.object_at(first)
        assert found is not None
        return range(found.address, found.address + found.size + 1)

    def kept(self) -> str:
        """The parameter whose constants, lent for a call that is over, a pointer still leads to; empty: none."""
        if not self._constants:
            return ""
        cells = self._machine.cells
        held = (self._constants.get(c) for n in self._machine.memory.pointers if isinstance(c := cells[n], int))
        return next((name for name in held if name is not None), "")

    def _forget_inputs(self) -> None:
        """Empties what is chosen anew before each call: states that differ in old choices alone become one."""
        for cells in self._input_cells:
            self._machine.cells[cells.start : cells.stop] = [None] * len(cells)
        for cell in self._chosen_cells:
            self._machine.cells[cell] = LENT
        for name in self._rooms:
            room = self._machine.globals[name]
            self._machine.cells[room.first : room.first + len(room.shape)] = [None] * len(room.shape)

    def _calls(self, entry: Entry) -> Iterator[Move]:
        function = self._system.program.functions[entry.function]
        types = [p.type for p in function.parameters]
        for arguments in self._combinations(entry):
            text = self._call_text(entry, arguments, types)
            event = Called(entry.function, arguments, tuple(types))
            yield Move(text, function.span, partial(self._call, entry, arguments), event)

    def _accesses(self) -> Iterator[Move]:
        """Everybody may look at the public variables of the object, and set those that there are values for."""
        subject, machine = self._system.object, self._machine
        for field in subject.fields if subject is not None else ():
            assert subject is not None
            cell = machine.memory.cell_number(8 * machine.globals[subject.variable].address + field.position)
            value = machine.cells[cell]
            if value is not None:
                looked_at = Action(Verb.LOAD, field.name, (self._texts.value(value, field.type),))
                yield Move(str(looked_at), None, Stable)
            for stored in field.values:
                changed = Action(Verb.STORE, field.name, (self._texts.value(stored, field.type),))
                yield Move(str(changed), None, partial(self._set, cell, stored))

    def _set(self, cell: int, value: int) -> Pause:
        self._machine.cells[cell] = value
        return Stable()

    def _combinations(self, entry: Entry) -> Iterator[tuple[int | None, ...]]:
        """Every way to call an entry function.

        For a pointer, the content that is chosen (None: it stays), or the number of the row that its object holds.
        """
        options: list[tuple[int | None, ...]] = []
        for argument in entry.arguments:
            match argument:
                case Choice():
                    options.append(values_of(argument))
                case Pointed(_, content):
                    options.append(values_of(content) if content is not None else (None,))
                case Filled(contents):
                    options.append(tuple(range(len(contents.rows))))
                case Fixed(value):
                    options.append((value,))
                case _:
                    assert_never(argument)
        return product(*options)

    def _call_text(self, entry: Entry, arguments: tuple[int | None, ...], types: list[Type]) -> str:
        parts: list[str] = []
        given = list(zip(entry.arguments, arguments, types, strict=True))[entry.hidden :]
        for argument, value, type in given:
            match argument:
                case Pointed():
                    parts.append(self._pointed_text(argument, value))
                case Filled(contents):
                    assert value is not None
                    row = self._texts.row(contents.rows[value], contents)
                    parts.append(row if contents.text else f"&{_last(contents.name)}={row}")
                case Choice() | Fixed():
                    parts.append(self._texts.value(value, type))
                case _:
                    assert_never(argument)
        return str(Action(Verb.CALL, entry.name, tuple(parts)))

    def _pointed_text(self, argument: Pointed, value: int | None) -> str:
        """An argument by reference: with its value if that is a scalar."""
        whole = self._machine.globals[argument.variable]
        name = _last(argument.variable)
        if len(whole.shape) != 1 or whole.shape[0].path:
            return f"&{name}"
        content = self._machine.cells[whole.first] if value is None else value
        return f"&{name}={self._texts.value(content, whole.shape[0].type)}"

    def _call(self, entry: Entry, arguments: tuple[int | None, ...]) -> Pause:
        machine = self._machine
        values: list[Any] = []
        for argument, value in zip(entry.arguments, arguments, strict=True):
            match argument:
                case Pointed(variable):
                    whole = machine.globals[variable]
                    if value is not None:
                        machine.cells[whole.first] = value
                    values.append(whole.address + argument.offset)
                case Filled(contents, objects):
                    assert value is not None
                    whole = machine.globals[objects[value]]
                    if not whole.readonly:
                        machine.cells[whole.first : whole.first + len(whole.shape)] = contents.rows[value]
                    values.append(whole.address)
                case Choice() | Fixed():
                    values.append(value)
                case _:
                    assert_never(argument)
        return machine.start(entry.function, values)

    def _inputs(self, pause: Asking) -> Iterator[Move]:
        choice = self._system.volatile[pause.name]
        span = self._machine.segment(pause.segment).span
        for value in values_of(choice):
            text = self._texts.load(pause.name, self._texts.value(value, pause.type))
            event = WasRead(pause.name, value, pause.type)
            yield Move(text, span, partial(self._machine.answer, pause, value), event)

    # ---- the end of a call

    def _return(self, pause: Returning) -> Move:
        system = self._system
        function = system.program.functions[pause.function]
        once = self._runs_once(pause.function)
        span = pause.span
        if self._exits(function.name):
            action = Action(Verb.EXIT, self._texts.value(pause.value, function.result))
            return Move(str(action), span, Ended, Exited(pause.value, function.result))
        thrown = self._machine.thrown_type()
        if thrown is not None:
            entry = self._entries[pause.function]
            threw = Action(Verb.THROW, entry.name, (thrown,))
            return Move(str(threw), span, partial(self._end_of_throw, once or entry.throws_end))
        entry = self._entries[pause.function]
        shown = [self._texts.value(pause.value, function.result)] if pause.value is not None else []
        shown += [self._returned_object(entry)] if entry.result else []
        changed = [t for a in entry.arguments[entry.hidden :] for t in self._left_behind(a)]

        def make() -> Pause:
            if once:
                return Ended()
            if entry.forget:
                # Whoever called has looked at the object that was returned, and is done with it.
                room = self._machine.globals[entry.result]
                pause = self._machine.finish(self._machine.start(entry.forget, [room.address]))
                if not isinstance(pause, Returning):
                    return pause
            self._forget_inputs()
            return Stable()

        event = Returned(pause.function, pause.value, function.result)
        return Move(self._texts.returned(entry.name, shown, changed), span, make, event)

    def _returned_object(self, entry: Entry) -> str:
        return self._texts.object(self._machine.globals[entry.result].address, self._rooms[entry.result])

    def _end_of_throw(self, once: bool) -> Pause:
        """Whoever called has caught the exception, and is done with it."""
        pause = self._machine.drop_thrown()
        if once or not isinstance(pause, Returning):
            return Ended() if once else pause
        self._forget_inputs()
        return Stable()

    def _left_behind(self, argument: Argument) -> list[str]:
        """What a function leaves behind a pointer argument, as it is shown."""
        match argument:
            case Pointed(variable):
                shape = self._machine.globals[variable].shape
                return [self._pointed_text(argument, None)] if len(shape) == 1 and not shape[0].path else []
            case Filled(contents):
                cells = self._machine.cells
                for whole in self._filled(argument):
                    row = cells[whole.first : whole.first + len(whole.shape)]
                    # Of several lengths, only the object that this call was given holds anything.
                    if any(c is not LENT for c in row):
                        return [f"&{_last(contents.name)}={self._texts.row(row, contents)}"]
                return []
            case Choice() | Fixed():
                return []
            case _:
                assert_never(argument)


def _last(name: str) -> str:
    """The name of a parameter without its function."""
    return name.rpartition(".")[2]
