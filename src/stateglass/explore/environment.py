"""What can happen next in a state: the moves of the environment and of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, assert_never, final

from stateglass.explore.actions import Texts
from stateglass.explore.machine import Machine, Snapshot
from stateglass.explore.memory import FOREIGN
from stateglass.explore.pauses import (
    Asking,
    CallingOut,
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
from stateglass.model import TAU
from stateglass.program import FunctionType, Pointer, Type
from stateglass.source import Span
from stateglass.system import Argument, Choice, Entry, Fixed, Mode, Pointed, System
from stateglass.values import Fault


@final
@dataclass(frozen=True, slots=True)
class Move:
    """One transition out of a state: `make` brings the machine, which is in that state, to the next pause."""

    action: str
    span: Span | None
    make: Callable[[], Pause]


@final
class Environment:
    """Knows the moves; the machine must be in the state that is asked about when a move's text is made."""

    def __init__(self, system: System, machine: Machine) -> None:
        self._system = system
        self._machine = machine
        self._texts = Texts(machine, system.program.enums)
        self._entries = {e.function: e for e in (*system.entries, *([system.init] if system.init else []))}
        self._input_cells = [
            machine.memory.cell_number(8 * machine.globals[i.variable].address + i.position) for i in system.inputs
        ]
        self._chosen_cells = [
            machine.globals[a.variable].first
            for e in self._entries.values()
            for a in e.arguments
            if isinstance(a, Pointed) and a.content is not None
        ]

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
        if len(arguments) == 1 and isinstance(machine.finish(self._call(init, arguments[0])), Returning):
            self._forget_inputs()
            return machine.snapshot(Stable())
        return before

    def moves(self, pause: Pause) -> Iterator[Move]:
        """All moves from the state the machine is in."""
        match pause:
            case Starting():
                assert self._system.init is not None
                yield from self._calls(self._system.init)
            case Stable(chosen) if chosen < len(self._system.inputs):
                yield from self._choose_input(chosen)
            case Stable():
                for entry in self._system.entries:
                    yield from self._calls(entry)
            case CallingOut():
                yield self._call_out(pause)
            case Outside():
                yield from self._come_back(pause)
            case Asking():
                yield from self._inputs(pause)
            case Returning():
                yield self._return(pause)
            case Failing(kind, span):
                yield Move(f"error({kind})", span, lambda: Ended(failed=True))
            case Exiting(code, span):
                yield Move(f"exit({code})", span, Ended)
            case Looping(number):
                yield Move(TAU, self._machine.segment(number).span, lambda: pause)
            case Resting(number):
                yield Move(TAU, self._machine.segment(number).span, lambda: self._machine.proceed(pause))
            case Stuck() | Dropped() | Ended():
                return
            case _:
                assert_never(pause)

    def span(self, pause: Pause) -> Span | None:
        """Where in the source a state is."""
        match pause:
            case CallingOut(number) | Outside(number) | Asking(number) | Looping(number) | Resting(number):
                return self._machine.segment(number).span
            case Failing(_, span) | Exiting(_, span) | Stuck(_, span):
                return span
            case Returning(_, _, span):
                return span
            case Starting() | Stable() | Dropped() | Ended():
                return None
            case _:
                assert_never(pause)

    # ---- the environment's side

    def _choose_input(self, chosen: int) -> Iterator[Move]:
        choice = self._system.inputs[chosen].choice
        cell = self._input_cells[chosen]

        def make(value: int) -> Pause:
            self._machine.cells[cell] = value
            return Stable(chosen + 1)

        for value in choice.values:
            yield Move(self._texts.store(choice.name, value, choice.type), None, partial(make, value))

    def _forget_inputs(self) -> None:
        """Between calls the value of what is chosen anew before each call does not matter."""
        for cell in (*self._input_cells, *self._chosen_cells):
            self._machine.cells[cell] = None

    def _calls(self, entry: Entry) -> Iterator[Move]:
        function = self._system.program.functions[entry.function]
        types = [p.type for p in function.parameters]
        for arguments in self._combinations(entry):
            text = self._call_text(entry, arguments, types)
            yield Move(text, function.span, partial(self._call, entry, arguments))

    def _combinations(self, entry: Entry) -> Iterator[tuple[int | None, ...]]:
        """Every way to call an entry function; for a pointer, the content that is chosen (None: it stays)."""
        options: list[tuple[int | None, ...]] = []
        for argument in entry.arguments:
            match argument:
                case Choice(_, _, values):
                    options.append(values)
                case Pointed(_, content):
                    options.append(content.values if content is not None else (None,))
                case Fixed(value):
                    options.append((value,))
                case _:
                    assert_never(argument)
        return product(*options)

    def _call_text(self, entry: Entry, arguments: tuple[int | None, ...], types: list[Type]) -> str:
        parts = [entry.function]
        for argument, value, type in zip(entry.arguments, arguments, types, strict=True):
            if isinstance(argument, Pointed):
                parts.append(self._pointed_text(argument, value))
            else:
                parts.append(self._texts.value(value, type))
        return f"call({', '.join(parts)})"

    def _pointed_text(self, argument: Pointed, value: int | None) -> str:
        """An argument by reference: with its value if that is a scalar."""
        whole = self._machine.globals[argument.variable]
        name = argument.variable.rpartition(".")[2]
        if len(whole.shape) != 1 or whole.shape[0].path:
            return f"&{name}"
        content = self._machine.cells[whole.first] if value is None else value
        return f"&{name}={self._texts.value(content, whole.shape[0].type)}"

    def _call(self, entry: Entry, arguments: tuple[int | None, ...]) -> Pause:
        machine = self._machine
        values: list[Any] = []
        for argument, value in zip(entry.arguments, arguments, strict=True):
            if isinstance(argument, Pointed):
                whole = machine.globals[argument.variable]
                if value is not None:
                    machine.cells[whole.first] = value
                values.append(whole.address)
            else:
                values.append(value)
        return machine.start(entry.function, values)

    def _inputs(self, pause: Asking) -> Iterator[Move]:
        choice = self._system.volatile[pause.name]
        span = self._machine.segment(pause.segment).span
        for value in choice.values:
            text = self._texts.load(pause.name, value, pause.type)
            yield Move(text, span, partial(self._machine.answer, pause, value))

    # ---- functions without a body

    def _call_out(self, pause: CallingOut) -> Move:
        segment = self._machine.segment(pause.segment)
        span = segment.span
        text = self._texts.call(pause.function, zip(pause.arguments, segment.types, strict=True))
        external = self._system.externals.get(pause.function)
        unsupported = f"`{pause.function}` is called in an unforeseen way" if external is None else external.unsupported

        def make() -> Pause:
            if unsupported:
                return Stuck(unsupported, span)
            return Outside(pause.segment, pause.function, pause.arguments)

        return Move(text, span, make)

    def _come_back(self, pause: Outside) -> Iterator[Move]:
        external = self._system.externals[pause.function]
        # A null pointer is not written through.
        writes = [w for w in external.writes if pause.arguments[w.argument]]
        span = self._machine.segment(pause.segment).span
        results: tuple[int | None, ...] = external.result.values if external.result is not None else (None,)
        for value, *written in product(results, *(w.choice.values for w in writes)):
            shown = [(value, external.result_type)] if value is not None else []
            changed = [
                f"{self._texts.part(pause.arguments[w.argument], w.position)}={self._texts.value(v, w.choice.type)}"
                for w, v in zip(writes, written, strict=True)
            ]
            text = self._texts.returned(pause.function, shown, changed)

            def make(value: int | None = value, written: list[int | None] = written) -> Pause:
                machine = self._machine
                try:
                    for write, content in zip(writes, written, strict=True):
                        store = machine.memory.storer(write.choice.type, write.position % 8, span)
                        assert content is not None
                        store(machine.cells, pause.arguments[write.argument] + write.position // 8, content)
                except Fault as fault:
                    return Failing(fault.kind.value, fault.span)
                self._hand_over(pause)
                return machine.answer(pause, value)

            yield Move(text, span, make)

    def _hand_over(self, pause: Outside) -> None:
        """What a function without a body was given to write, and nobody has written yet, may have been written."""
        cells = self._machine.cells
        for address in self._writable(pause):
            found = self._machine.memory.object_at(address)
            if found is None or found.readonly:
                continue
            for number in range(found.first, found.first + len(found.shape)):
                if cells[number] is None:
                    cells[number] = FOREIGN

    def _writable(self, pause: Outside) -> Iterator[int]:
        """The addresses that a function without a body may write through."""
        declaration = self._system.program.declarations[pause.function]
        types = [p.type for p in declaration.parameters]
        # What comes behind the declared parameters of a variadic function goes by its own type.
        types += self._machine.segment(pause.segment).types[len(types) :]
        for type, argument in zip(types, pause.arguments, strict=False):
            if isinstance(type, Pointer) and not type.readonly and not isinstance(type.target, FunctionType):
                yield argument

    # ---- the end of a call

    def _return(self, pause: Returning) -> Move:
        system = self._system
        function = system.program.functions[pause.function]
        once = system.mode is Mode.RUN and (system.init is None or pause.function != system.init.function)
        span = pause.span
        if once and function.name == "main":
            return Move(f"exit({self._texts.value(pause.value, function.result)})", span, Ended)
        shown = [(pause.value, function.result)] if pause.value is not None else []
        changed = [
            self._pointed_text(a, None)
            for a in self._entries[pause.function].arguments
            if isinstance(a, Pointed) and self._is_scalar(a)
        ]

        def make() -> Pause:
            if once:
                return Ended()
            self._forget_inputs()
            return Stable()

        return Move(self._texts.returned(pause.function, shown, changed), span, make)

    def _is_scalar(self, argument: Argument) -> bool:
        if not isinstance(argument, Pointed):
            return False
        shape = self._machine.globals[argument.variable].shape
        return len(shape) == 1 and not shape[0].path
