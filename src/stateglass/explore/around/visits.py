"""Calls from outside: with which arguments functions are called, what they leave behind, and what follows their end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, assert_never, final

from stateglass.explore.around.moves import Called, Exited, Move, Returned, Threw
from stateglass.explore.around.offering import Offers
from stateglass.explore.cells.contents import LENT
from stateglass.explore.cells.memory import Object
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Ended, Outside, Pause, Returning, Stable, Stuck, Visit
from stateglass.explore.shown.actions import Texts
from stateglass.model import TAU, Action, Verb
from stateglass.program import Type
from stateglass.program.exceptions import DROP_THROWN
from stateglass.source import Span
from stateglass.system import Argument, Choice, Entry, Filled, Fixed, Mode, Pointed, System


@final
class Visits:
    """Everything that is called from outside, by number: entries, `--init`, and what is called back."""

    def __init__(self, system: System, machine: Machine, texts: Texts, inputs: Sequence[range], offers: Offers) -> None:
        """`inputs` are cells that are chosen before each call."""
        self._system = system
        self._inputs = inputs
        self._machine = machine
        self._texts = texts
        self._offers = offers
        self.entries: list[Entry] = []
        self.clients = self._numbered(system.entries)
        self.init = self._numbered([system.init])[0] if system.init is not None else None
        self.callbacks = {name: [self._numbered(e) for e in levels] for name, levels in system.callbacks.items()}
        self.of_processes = {who: self._numbered(levels) for who, levels in system.process_calls.items()}
        self._gone = {e.gone: machine.globals[e.gone].first for e in self.entries if e.gone}
        self._chosen = [[n for a in e.arguments for n in self._cells_chosen(a)] for e in self.entries]
        self._kept = {v.name: v.type for v in system.environment}
        constants = {o.address: a.contents.name for a in self._all_filled() for o in self._objects(a) if o.readonly}
        self._constants = {a: name for first, name in constants.items() for a in self._addresses(first)}

    def _numbered(self, entries: Sequence[Entry]) -> range:
        first = len(self.entries)
        self.entries += entries
        return range(first, len(self.entries))

    # ---- calls

    def calls(self, number: int, after: Stable | Outside) -> Iterator[Move]:
        """Every call of an entry, by somebody who goes on with `after`."""
        entry = self.entries[number]
        if entry.gone and self._machine.cells[self._gone[entry.gone]]:
            return
        for arguments in self.combinations(number):
            yield self.call(number, arguments, after)

    def call(self, number: int, arguments: tuple[Any, ...], after: Stable | Outside) -> Move:
        """A call with these arguments, which are as in `combinations`."""
        entry = self.entries[number]
        function = self._system.program.functions[entry.function]
        types = [p.type for p in function.parameters]
        event = Called(entry.function, arguments, tuple(types), entry)
        make = partial(self.begin, number, arguments, after)
        return Move(self._call_text(entry, arguments, types), function.span, make, event)

    def callbacks_at(self, pause: Outside) -> Iterator[Move]:
        """The calls back that a function without a body may make before it returns."""
        levels = self.callbacks.get(pause.function)
        limit = self._system.callback_limit
        if levels is None or (limit and pause.calls >= limit):
            return
        depth = self._machine.stack.callbacks
        for number in levels[depth] if depth < len(levels) else ():
            yield from self.calls(number, pause)

    def combinations(self, number: int) -> Iterator[tuple[int | None, ...]]:
        """Every way to call an entry function.

        For a pointer, the content that is chosen (None: it stays), or the number of the row that its object holds.
        """
        options: list[tuple[int | None, ...]] = []
        entry, values = self.entries[number], self._offers.values
        for place, argument in enumerate(entry.arguments, -entry.hidden):
            position = None if _left(entry) or place < 0 else place
            match argument:
                case Choice():
                    options.append(values(argument, position))
                case Pointed(_, content):
                    options.append(values(content, position) if content is not None else (None,))
                case Filled(contents):
                    options.append(tuple(range(len(contents.rows))))
                case Fixed(value):
                    options.append((value,))
                case _:
                    assert_never(argument)
        return product(*options)

    def is_open(self, number: int) -> bool:
        """Whether an argument of an entry, or what it points to, may be anything."""
        given = [a.content if isinstance(a, Pointed) else a for a in self.entries[number].arguments]
        return any(isinstance(choice, Choice) and choice.anything for choice in given)

    def _call_text(self, entry: Entry, arguments: tuple[int | None, ...], types: list[Type]) -> str:
        parts: list[str] = []
        given = list(zip(entry.arguments, arguments, types, strict=True))[entry.hidden :]
        for argument, value, type in given:
            match argument:
                case Pointed() if argument.left:
                    continue
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

    def begin(self, number: int, arguments: tuple[int | None, ...], after: Stable | Outside) -> Pause:
        machine, entry = self._machine, self.entries[number]
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
        return machine.start(entry.function, values, Visit(number, after))

    # ---- what they end with

    def exits(self, function: str) -> bool:
        """Whether the program is over when this function returns, with what it returns as its status."""
        return function == "main" and self._runs_once(function)

    def _runs_once(self, function: str) -> bool:
        init = self._system.init
        return self._system.mode is Mode.RUN and (init is None or function != init.function)

    def returned(self, pause: Returning) -> Move:
        """The end of a call, as it is shown."""
        function = self._system.program.functions[pause.function]
        if self.exits(function.name):
            action = Action(Verb.EXIT, self._texts.value(pause.value, function.result))
            return Move(str(action), pause.span, Ended, Exited(pause.value, function.result))
        if pause.function == DROP_THROWN:
            return Move(TAU, pause.span, partial(self.over, pause.visit, threw=True))
        entry = self.entries[pause.visit.entry]
        if pause.function in (entry.forget, entry.leave):
            return Move(TAU, pause.span, partial(self._destroyed, pause))
        thrown = self._machine.thrown_type()
        if thrown is not None:
            threw = Action(Verb.THROW, entry.name, (thrown,))
            event = Threw(pause.function, thrown)
            return Move(str(threw), _user_code(pause.span), partial(self._catch, pause.visit), event)
        shown = [self._texts.value(pause.value, function.result)] if pause.value is not None else []
        shown += [self._returned_object(entry)] if entry.result else []
        changed = [t for a in entry.arguments[entry.hidden :] for t in self._left_behind(a)]
        back = Returned(pause.function, pause.value, function.result, room=entry.result)
        text = self._texts.returned(entry.name, shown, changed)
        return Move(text, _user_code(pause.span), partial(self._end, pause.visit), back)

    def _end(self, visit: Visit) -> Pause:
        """Whoever called has looked at the objects that were returned or changed, and is done with them."""
        entry = self.entries[visit.entry]
        for function, rooms in ((entry.forget, [entry.result]), (entry.leave, _left(entry))):
            pause = self._destroy(function, rooms, visit)
            if pause is not None:
                return pause
        return self.over(visit)

    def _destroyed(self, pause: Returning) -> Pause:
        """Goes on after destructors that had something to show."""
        entry, visit = self.entries[pause.visit.entry], pause.visit
        if pause.function == entry.forget:
            return self._destroy(entry.leave, _left(entry), visit) or self.over(visit)
        if entry.throws_end:
            # Whether it has thrown would have to be remembered until the destructors are done.
            return Stuck("what a function was given is destroyed in a way that can be seen", pause.span)
        return self.over(visit)

    def _destroy(self, function: str, rooms: Sequence[str], visit: Visit) -> Pause | None:
        """Destroys objects; None if there is nothing more to be said of it."""
        if not function:
            return None
        addresses = [self._machine.globals[name].address for name in rooms]
        pause = self._machine.finish(self._machine.start(function, addresses, visit))
        return None if isinstance(pause, Returning) else pause

    def _catch(self, visit: Visit) -> Pause:
        """Whoever called has caught the exception, and is done with it."""
        pause = self._machine.drop_thrown(visit)
        if not isinstance(pause, Returning):
            return pause
        entry = self.entries[visit.entry]
        return self._destroy(entry.leave, _left(entry), visit) or self.over(visit, threw=True)

    def over(self, visit: Visit, threw: bool = False) -> Pause:
        """What follows the end of a call: whoever called goes on."""
        entry, after = self.entries[visit.entry], visit.after
        if isinstance(after, Outside):
            self._forget(visit.entry)
            return replace(after, calls=after.calls + 1) if self._system.callback_limit else after
        if self._runs_once(entry.function) or (threw and visit.entry == self.init):
            return Ended()
        if threw and entry.throws_end and self._go(entry):
            return Ended()
        return self.stable()

    def _go(self, entry: Entry) -> bool:
        """A caller calls no more; whether nobody is left who does."""
        if not entry.gone:
            return True
        self._machine.cells[self._gone[entry.gone]] = 1
        return all(e.gone and self._machine.cells[self._gone[e.gone]] for e in self._system.entries) and not any(
            path in self._system.client_processes for path, _ in self._system.process_calls
        )

    def _returned_object(self, entry: Entry) -> str:
        return self._texts.object(self._machine.globals[entry.result].address, self._kept[entry.result])

    def _left_behind(self, argument: Argument) -> list[str]:
        """What a function leaves behind a pointer argument, as it is shown."""
        match argument:
            case Pointed(variable) if argument.left:
                address = self._machine.globals[variable].address
                return [f"&{argument.left}={self._texts.object(address, self._kept[variable])}"]
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

    # ---- what was lent for a call

    def stable(self) -> Pause:
        """Between calls."""
        self.forget_all()
        return Stable()

    def forget_all(self) -> None:
        """Empties what is chosen anew before each call: states that differ in old choices alone become one."""
        for cells in self._inputs:
            self._machine.cells[cells.start : cells.stop] = [None] * len(cells)
        for number in range(len(self.entries)):
            self._forget(number)

    def _forget(self, number: int) -> None:
        cells = self._machine.cells
        for cell in self._chosen[number]:
            cells[cell] = LENT
        entry = self.entries[number]
        for name in filter(None, (entry.result, *_left(entry))):
            room = self._machine.globals[name]
            cells[room.first : room.first + len(room.shape)] = [None] * len(room.shape)

    def kept(self) -> str:
        """The parameter whose constants, lent for a call that is over, a pointer still leads to; empty: none."""
        if not self._constants:
            return ""
        cells = self._machine.cells
        held = (self._constants.get(c) for n in self._machine.memory.pointers if isinstance(c := cells[n], int))
        return next((name for name in held if name is not None), "")

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
        return [a for e in self.entries for a in e.arguments if isinstance(a, Filled)]

    def _addresses(self, first: int) -> range:
        found = self._machine.memory.object_at(first)
        assert found is not None
        return range(found.address, found.address + found.size + 1)


def _user_code(span: Span) -> Span | None:
    """Text of ours that passes on what a function of the user returns is nothing to point to."""
    return None if span.in_library else span


def _left(entry: Entry) -> list[str]:
    """The rooms for objects that a function was given to change."""
    return [a.variable for a in entry.arguments if isinstance(a, Pointed) and a.left]


def _last(name: str) -> str:
    """The name of a parameter without its function."""
    return name.rpartition(".")[2]
