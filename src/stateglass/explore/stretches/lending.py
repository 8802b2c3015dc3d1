"""What the environment gives before a call from outside and takes back afterwards, as unknowns on the way at hand."""

from __future__ import annotations

from typing import assert_never, final

from stateglass.explore.machine import Machine
from stateglass.explore.merging.contents import LENT, UNWRITTEN
from stateglass.explore.merging.context import Context
from stateglass.explore.merging.frames import Value, fill
from stateglass.explore.merging.outcome import Kind
from stateglass.explore.merging.places import MergedPlaces
from stateglass.explore.stretches.asking import Asking
from stateglass.explore.stretches.flow import Shown, Source
from stateglass.model import Verb
from stateglass.program import Int, Type, is_scalar
from stateglass.smt import Operator, Term
from stateglass.source import NOWHERE
from stateglass.system import Choice, Contents, Entry, Filled, Fixed, InputVariable, Pointed, System


@final
class Lending:
    """Gives and takes; cells are those of the way at hand."""

    def __init__(
        self, system: System, machine: Machine, context: Context, places: MergedPlaces, asking: Asking
    ) -> None:
        self._system = system
        self._machine = machine
        self._context = context
        self._terms = context.terms
        self._places = places
        self._asking = asking

    def begin(self) -> None:
        """Chooses what is chosen once, before anything happens."""
        for number in range(-len(self._system.beginnings), 0):
            self.set_input(number)

    def take_back(self) -> None:
        """Between calls: what was lent or chosen for one is not there any more."""
        machine, cells = self._machine, self._context.way.cells
        for number in range(len(self._system.inputs)):
            for cell in self._input_cells(number):
                cells[cell] = UNWRITTEN
        for entry in (*self._system.entries, *([self._system.init] if self._system.init is not None else [])):
            for argument in entry.arguments:
                if isinstance(argument, Pointed) and argument.content is not None:
                    cells[machine.globals[argument.variable].first] = LENT
                elif isinstance(argument, Filled):
                    for name in argument.objects:
                        if not machine.globals[name].readonly:
                            fill(cells, machine.globals[name], LENT)

    def set_input(self, number: int) -> Shown:
        """Chooses what a variable holds; the action that this is."""
        one = self._input(number)
        choice = one.choice
        if isinstance(choice, Choice):
            row, type = [self._asking.choice(choice, Source.INPUT)], choice.type
        else:
            row, type = [value for value, _ in self._asking.row(choice, Source.INPUT)], choice.element
        for cell, value in zip(self._input_cells(number), row, strict=True):
            self._context.way.cells[cell] = value
        return Shown(Verb.STORE, one.shown, tuple((v, type) for v in row))

    def _input(self, number: int) -> InputVariable:
        one = self._system.input_at(number)
        assert one is not None
        return one

    def _input_cells(self, number: int) -> range:
        machine, one = self._machine, self._input(number)
        first = machine.memory.cell_number(8 * machine.globals[one.variable].address + one.position)
        return range(first, first + (1 if isinstance(one.choice, Choice) else len(one.choice.rows[0])))

    def arguments(self, entry: Entry) -> tuple[list[Value], Shown]:
        """What a function is called with, and the action that this is."""
        function = self._system.program.functions[entry.function]
        values: list[Value] = []
        shown: list[tuple[Term, Type]] = []
        machine, terms, name = self._machine, self._terms, entry.function
        for argument, parameter in zip(entry.arguments, function.parameters, strict=True):
            type = parameter.type
            value: Term
            match argument:
                case Choice():
                    value = self._asking.choice(argument, Source.ARGUMENT, name)
                case Fixed(given):
                    assert is_scalar(type)
                    value = self._context.domain.constant(given, type)
                case Pointed(variable, content):
                    whole = machine.globals[variable]
                    if content is not None:
                        made = self._asking.choice(content, Source.ARGUMENT, name)
                        self._context.way.cells[whole.first] = made
                    value = terms.constant(whole.address + argument.offset, 8 * machine.memory.pointer_size)
                case Filled(contents, objects):
                    value = self._filled(contents, objects, name)
                case _:
                    assert_never(argument)
            shown.append((value, type))
            values.append(value)
        return values, Shown(Verb.CALL, entry.name, tuple(shown))

    def _filled(self, contents: Contents, objects: tuple[str, ...], function: str) -> Term:
        """The address of the object that holds the chosen row."""
        machine, terms, width = self._machine, self._terms, 8 * self._machine.memory.pointer_size
        number = self._asking.value(contents.name, Int(32, signed=False), Source.ARGUMENT, function)
        beyond = terms.compare(Operator.LESS_EQUAL, terms.constant(len(objects), 32), number)
        self._context.end(Kind.OUTSIDE, "no such value", beyond, NOWHERE)
        address = terms.constant(machine.globals[objects[-1]].address, width)
        for at, (name, row) in enumerate(zip(objects, contents.rows, strict=True)):
            is_it = terms.equal(number, terms.constant(at, 32))
            whole = machine.globals[name]
            if at < len(objects) - 1:
                address = terms.choose(is_it, terms.constant(whole.address, width), address)
            if not whole.readonly:
                for cell, value in enumerate(row, whole.first):
                    constant = terms.constant(value, self._context.width(cell))
                    self._places.access.put(cell, constant, is_it, NOWHERE, direct=True)
        return address
