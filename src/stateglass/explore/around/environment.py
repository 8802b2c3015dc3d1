"""What can happen next in a state: the moves of the environment and of the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import assert_never, final

from stateglass.explore.around.moves import Exited, LookedAt, Move, Stored, WasRead
from stateglass.explore.around.offering import Offers
from stateglass.explore.around.outside import Elsewhere
from stateglass.explore.around.processes import Processes
from stateglass.explore.around.visits import Visits
from stateglass.explore.machine import Machine
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
from stateglass.explore.shown.actions import Texts
from stateglass.explore.states import Snapshot
from stateglass.model import TAU, Action, Verb
from stateglass.program import Int
from stateglass.source import Span
from stateglass.system import Choice, Contents, InputVariable, System, Write


@final
class Environment:
    """Knows the moves; the machine must be in the state that is asked about when a move's text is made."""

    def __init__(self, system: System, machine: Machine) -> None:
        self._system = system
        self._machine = machine
        self._texts = Texts(machine, system.program.enums)
        self._int = Int(system.program.target.int_bits, signed=True)
        # Numbers below zero are those of beginnings, as in pauses.
        own = [*enumerate(system.inputs), *enumerate(system.beginnings, -len(system.beginnings))]
        self._input_cells = {number: self._cells_of(i) for number, i in own}
        if system.object is not None:
            # As a local variable is: what the constructor leaves alone has no value.
            whole = machine.globals[system.object.variable]
            machine.cells[whole.first : whole.first + len(whole.shape)] = [None] * len(whole.shape)
            machine.called[whole.name] = system.object.names
        for name in system.valueless:
            whole = machine.globals[name]
            machine.cells[whole.first : whole.first + len(whole.shape)] = [None] * len(whole.shape)
            machine.called[name] = {cell.path: "" for cell in whole.shape}
        self.offers = Offers(is_exact=machine.memory.keeping is None)
        self._elsewhere = Elsewhere(system, machine, self._texts, self.offers)
        inputs = [cells for number, cells in self._input_cells.items() if number >= 0]
        self._visits = Visits(system, machine, self._texts, inputs, self.offers)
        self._processes = Processes(system, machine, self._texts, self._visits)
        self.kept = self._visits.kept
        machine.tells_return = lambda entry: not self._visits.exits(entry)

    @property
    def texts(self) -> Texts:
        return self._texts

    def first_state(self) -> Snapshot:
        """The state before what is chosen once; if nothing is, that before the first step."""
        if not self._system.beginnings:
            return self._begun()
        for number, cells in self._input_cells.items():
            if number < 0:
                self._machine.cells[cells.start : cells.stop] = [None] * len(cells)
        self._visits.forget_all()
        return self._machine.snapshot(Stable(-len(self._system.beginnings)))

    def _begun(self) -> Snapshot:
        """The state after initialisation, or before it if it is not silent and determined."""
        machine, visits = self._machine, self._visits
        init = self._system.init
        if init is None or visits.init is None:
            visits.forget_all()
            return machine.snapshot(Stable())
        before = machine.snapshot(Starting())
        arguments = list(visits.combinations(visits.init))
        labelling = machine.labelling
        if labelling is not None and (labelling.knows_call(init.function) or labelling.knows_return(init.function)):
            return before
        is_determined = len(arguments) == 1 and (machine.memory.keeping is not None or not visits.is_open(visits.init))
        silent = is_determined and isinstance(
            machine.finish(visits.begin(visits.init, arguments[0], Stable())), Returning
        )
        if silent and machine.thrown_type() is None and not machine.doubts.take():
            visits.forget_all()
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
        if isinstance(pause, Stable | CallingOut | Outside | Asking | Returning):
            yield from self._processes.own_events(pause)

    def _moves_of_subject(self, pause: Pause) -> Iterator[Move]:
        match pause:
            case Starting():
                assert self._visits.init is not None
                yield from self._visits.calls(self._visits.init, Stable())
            case Stable(chosen) if (one := self._system.input_at(chosen)) is not None:
                yield from self._choose_input(chosen, one)
            case Stable():
                for number in self._visits.clients:
                    yield from self._visits.calls(number, Stable())
                yield from self._accesses()
                yield from self._processes.visits(Stable())
            case CallingOut(function=name) if name in self._system.stores:
                stored = self._elsewhere.store(pause)
                yield from self._processes.stored(pause, stored) if self._processes.holds(name) else (stored,)
            case CallingOut(function=name) if self._processes.answers(name):
                yield from self._processes.call(pause)
            case Outside(function=name) if self._processes.answers(name):
                yield from self._processes.come_back(pause)
                yield from self._processes.visits(pause)
            case CallingOut():
                yield self._elsewhere.call(pause)
            case Outside():
                yield from self._elsewhere.come_back(pause)
                yield from self._visits.callbacks_at(pause)
            case Asking(name=name) if self._processes.holds(name):
                yield from self._processes.loaded(pause)
            case Asking():
                yield from self._inputs(pause)
            case Choosing(number, options):
                span = self._machine.segment(number).span
                for action, way in options:
                    yield Move(action, span, partial(self._machine.take, pause, way))
            case Returning(visit=visit) if self._processes.waits_for(visit):
                yield from self._processes.told(pause)
            case Returning():
                yield self._visits.returned(pause)
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
            case Returning(function, value) if self._visits.exits(function):
                over = not labelling.exit(value, self._system.program.functions[function].result)
            case _:
                over = False
        return Ended() if over else pause

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

    def writes(self, pause: Outside) -> list[Write]:
        """The values that a function without a body writes before it returns, in their order."""
        return self._elsewhere.writes(pause)

    # ---- the environment's side

    def _choose_input(self, chosen: int, one: InputVariable) -> Iterator[Move]:
        choice, shown = one.choice, one.shown
        cells = self._input_cells[chosen]

        def make(values: tuple[int, ...]) -> Pause:
            self._machine.cells[cells.start : cells.stop] = values
            if chosen != -1:
                return Stable(chosen + 1)
            state = self._begun()
            self._machine.restore(state)
            return state.pause

        match choice:
            case Choice(_, type):
                for value in self.offers.values(choice, 0):
                    text = self._texts.store(shown, self._texts.value(value, type))
                    yield Move(text, None, partial(make, (value,)))
            case Contents(_, _, rows):
                for row in rows:
                    yield Move(self._texts.store(shown, self._texts.row(row, choice)), None, partial(make, row))
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

    def _accesses(self) -> Iterator[Move]:
        """Everybody may look at the public variables of the object, and set those that there are values for."""
        subject, machine = self._system.object, self._machine
        for field in subject.fields if subject is not None else ():
            assert subject is not None
            cell = machine.memory.cell_number(8 * machine.globals[subject.variable].address + field.position)
            value = machine.cells[cell]
            if value is not None:
                looked_at = Action(Verb.LOAD, field.name, (self._texts.value(value, field.type),))
                yield Move(str(looked_at), None, self._visits.stable, LookedAt())
            for stored in field.values:
                changed = Action(Verb.STORE, field.name, (self._texts.value(stored, field.type),))
                event = Stored(field.position, stored)
                yield Move(str(changed), None, partial(self._set, cell, stored), event)

    def _set(self, cell: int, value: int) -> Pause:
        self._machine.cells[cell] = value
        return self._visits.stable()

    def _inputs(self, pause: Asking) -> Iterator[Move]:
        choice = self._system.volatile[pause.name]
        shown = self._system.loads.get(pause.name)
        span = self._machine.segment(pause.segment).span if shown is None else self._machine.accessed_at()
        for value in self.offers.values(choice, 0):
            text = self._texts.load(shown or f"::{pause.name}", self._texts.value(value, pause.type))
            event = WasRead(pause.name, value, pause.type)
            yield Move(text, span, partial(self._machine.answer, pause, value), event)
