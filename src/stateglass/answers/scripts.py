"""From a run of the reference semantics to the script of a driver for the real code."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, assert_never, final

from stateglass.explore.stepwise import (
    Called,
    CallingOut,
    Exited,
    Failing,
    LookedAt,
    Looping,
    Outside,
    Resting,
    Retracing,
    Returned,
    Run,
    Snapshot,
    Stable,
    Stored,
    Taken,
    Threw,
    WasRead,
    is_stray,
    names_called,
    numbers_in,
)
from stateglass.program import (
    Cell,
    Int,
    Pointer,
    Record,
    Scalar,
    Type,
    cells_of,
    is_scalar,
    representation,
    value_cells,
)
from stateglass.program.faults import REACHED, FaultKind
from stateglass.replay.driving.script import (
    Argument,
    Buffer,
    Calls,
    CallsOut,
    Changes,
    ComesBack,
    Ends,
    Fails,
    Filling,
    Happening,
    Item,
    Number,
    Pointing,
    Reads,
    Returns,
    Script,
    Sets,
    Text,
    Throws,
    Value,
    Written,
)
from stateglass.replay.driving.spelling import refused
from stateglass.system import Choice, Contents, Entry, Filled, Fixed, Handed, InputVariable, Pointed, System
from stateglass.system.starting import STARTING

MOST_VALUES: Final = 400
"""Of more variables than this, only these are compared, and those that the claim asks about."""
MOST_IN_ALL: Final = 100_000
"""Of a long run that would be more values than this, fewer variables are compared at each moment."""
_BYTE: Final = 8


@final
class Scripting:
    """Takes a run apart; `watch` has the variables whose momentary values belong to it, `asked` those of the claim."""

    def __init__(
        self,
        system: System,
        retracing: Retracing,
        watch: Collection[str],
        *,
        every_step: bool,
        asked: Collection[str] = (),
        texts: bool = False,
    ) -> None:
        """`texts`: the claim is about texts that are passed to functions outside."""
        self._system = system
        self._retracing = retracing
        self._watch = watch
        self._texts = texts
        self._every_step = every_step
        self._asked = names_called(retracing.machine, asked)
        self._most = MOST_VALUES
        # The driver writes what a volatile input gives into it; in the run it keeps what it holds.
        self._given = {_root(name) for name in system.volatile}

    def script(self, run: Run) -> Script:
        """What is repeated for ever is done twice."""
        again = run.taken[run.loop_start :] if run.loop_start is not None else ()
        self._most = min(MOST_VALUES, max(1, MOST_IN_ALL // max(1, len(run.taken) + len(again))))
        items: list[Item] = list(self._beginning(run))
        before: dict[str, Value] = {}
        unknown: set[str] = set()
        made = self._system.object is None or isinstance(run.first.pause, Stable)
        for number, taken in enumerate((*run.taken, *again), 1):
            step = number if number <= len(run.taken) else number - len(again)
            values = self._numbers(taken.source)
            for what in self._happening(taken):
                # What stays in the run has to stay in the code, too; of too many, what moves is more interesting.
                moved = [(name, value) for name, value in values.items() if before.get(name) != value]
                stays = [(n, v) for n, v in values.items() if before.get(n) == v and _root(n) not in self._given]
                seen = () if self._is_first(what) else self._fewer([*moved, *stays])
                items.append(Item(step, taken.step.action, what, seen))
                before = values
            items += self._moment(taken, step, values)
            # What an object has no value for before it is made, nobody can ask for.
            made = made or isinstance(taken.step.state.pause, Stable)
            if self._asked and made:
                unknown |= self._asked - self._numbers(taken.step.state).keys()
        if not items and self._asked:
            # The claim is about where the run starts, and stops.
            items.append(Item(0, "the start", Sets(()), self._fewer(list(self._numbers(run.first).items()))))
        return Script(tuple(items), self._silent_init(run), self._asked, frozenset(unknown))

    def _beginning(self, run: Run) -> Iterator[Item]:
        """What objects that are handed in hold at first."""
        machine = self._retracing.machine
        machine.restore(run.first)
        filled: list[Filling] = []
        for one in self._system.beginnings:
            whole = machine.globals[one.variable]
            number = machine.memory.cell_number(8 * whole.address + one.position)
            value, type = machine.cells[number], whole.shape[number - whole.first].type
            if isinstance(value, int):
                filled.append(Filling(one.variable, one.position, Number(value, type)))
        if filled:
            yield Item(0, "the start", Sets((), tuple(filled)))

    def _is_first(self, what: Happening) -> bool:
        """Whether variables get their first values with this call; a process has computed them before."""
        init, program = self._system.init, self._system.program
        made_up = init is not None and bool(program.constructors)
        return (
            made_up and isinstance(what, Calls) and init is not None and what.function == self._known_as(init.function)
        )

    def _fewer(self, values: list[tuple[str, Value]]) -> tuple[tuple[str, Value], ...]:
        first = [(name, value) for name, value in values if name in self._asked]
        others = [(name, value) for name, value in values if name not in self._asked]
        return (*first, *others[: self._most])

    def _numbers(self, state: Snapshot) -> dict[str, Value]:
        found = numbers_in(self._retracing.machine, state)
        return {name: self._value(number, type) for name, (number, type) in found.items()}

    def _value(self, number: int, type: Scalar) -> Value:
        return self._pointing(number) if isinstance(type, Pointer) and number else Number(number, type)

    def _pointing(self, address: int) -> Pointing:
        """Where an address leads to, if that has a name that does not come and go."""
        machine = self._retracing.machine
        function = machine.known.name_at(address)
        if function is not None:
            return Pointing(function)
        found = None if is_stray(address) else machine.memory.object_at(address)
        if found is None or machine.globals.get(found.name) is not found:
            return Pointing(None)
        return Pointing(found.name, address - found.address)

    def _argument_out(self, value: Any, type: Type) -> Value | None:
        text = self._text_at(value) if self._texts and _is_text(type) else None
        return text if text is not None else self._scalar(value, type)

    def _text_at(self, address: Any) -> Text | None:
        """The characters from an address on, as far as all of them are known."""
        machine = self._retracing.machine
        found = machine.memory.object_at(address) if isinstance(address, int) and not is_stray(address) else None
        if not address or found is None:
            return None
        content = bytearray()
        for cell, number in zip(found.shape, range(found.first, found.first + len(found.shape)), strict=True):
            character = machine.cells[number]
            if cell.position < 8 * (address - found.address):
                continue
            if not isinstance(character, int) or cell.width != _BYTE:
                return None
            if not character:
                return Text(bytes(content))
            content.append(character & 0xFF)
        return None

    def _scalar(self, value: Any, type: Type) -> Value | None:
        return self._value(value, type) if isinstance(value, int) and is_scalar(type) else None

    def _moment(self, taken: Taken, step: int, before: dict[str, Value]) -> Iterator[Item]:
        """Values that nobody outside can see, and that matter."""
        if not isinstance(taken.step.state.pause, Resting) or not (self._watch or self._every_step):
            return
        after = self._numbers(taken.step.state)
        seen = {name: value for name, value in after.items() if self._every_step or self._is_watched(name)}
        moved = [(name, value) for name, value in seen.items() if before.get(name) != value]
        if moved:
            text = ", ".join(f"{name} = {_text(value)}" for name, value in moved[:3])
            yield Item(step, text, Changes(), self._fewer(moved))

    def _is_watched(self, name: str) -> bool:
        return name in self._watch or any(name.endswith((f"::{w}", f".{w}")) for w in self._watch)

    def _silent_init(self, run: Run) -> Calls | None:
        init = self._system.init
        if init is None or not isinstance(run.first.pause, Stable):
            return None
        chosen: list[int | None] = []
        for argument in init.arguments:
            match argument:
                case Choice(_, _, values):
                    chosen.append(values[0])
                case Fixed(value):
                    chosen.append(value)
                case Pointed(_, content):
                    chosen.append(None if content is None else content.values[0])
                case Filled():
                    chosen.append(0)
                case _:
                    assert_never(argument)
        called = self._known_as(init.function)
        return Calls(called, self._arguments(init, tuple(chosen))) if called else None

    def _happening(self, taken: Taken) -> Iterator[Happening]:
        pause, event = taken.pause, taken.step.event
        match event:
            case Called(function) if function in self._system.replaced and not self._is_linked(function):
                raise refused(f"something stands for `{function}`, and the code has a body for it")
            case WasRead(name) if name in self._system.loads:
                raise refused(f"something stands for `{name}`, and the code has a variable of its own")
            case Called(function, arguments, types) if isinstance(pause, CallingOut):
                declared = len(self._system.program.declarations[function].parameters)
                self._retracing.machine.restore(taken.source)
                given = tuple(map(self._argument_out, arguments, types))
                yield CallsOut(function, given[:declared], types[declared:])
            case Called(function) | Returned(function) if not self._known_as(function):
                return
            case Called(function, arguments, _, entry):
                assert entry is not None
                yield Calls(self._known_as(function), self._arguments(entry, arguments))
            case Returned() if isinstance(pause, Outside):
                yield self._come_back(pause, event)
            case Returned(function, value, type):
                yield Returns(self._known_as(function), self._scalar(value, type), self._parts(taken.source, event))
            case Threw(function, thrown) if isinstance(pause, Outside):
                yield ComesBack(function, thrown=thrown)
            case Threw(function, thrown):
                yield Throws(self._known_as(function), thrown)
            case LookedAt():
                yield Sets(())
            case Stored(position, content):
                yield self._stored(position, content)
            case Exited(status):
                yield Ends(int(status))
            case WasRead(name, value, type):
                number = _number(value, type)
                if number is None:
                    raise refused(f"`{name}` gives something that is no number")
                yield Reads(name, number)
            case None if isinstance(pause, CallingOut) and pause.function in self._system.stores:
                name = self._system.stores[pause.function]
                raise refused(f"something stands for `{name}`, and the code has a variable of its own")
            case None if isinstance(pause, Failing) and pause.kind == FaultKind.PROCESS.value:
                return  # it is the environment that does what it must not
            case None if isinstance(pause, Failing):
                self._refuse_reached(pause)
                yield Fails(pause.kind, pause.span)
            case None if isinstance(pause, Stable) and (one := self._system.input_at(pause.chosen)) is not None:
                yield self._set(taken, one)
            case None if isinstance(pause, Looping):
                raise refused("it ends in a loop that nothing can be seen of")
            case None:
                return
            case _:
                assert_never(event)

    def _refuse_reached(self, pause: Failing) -> None:
        """Refuses to look for an error that is no more than that a function is called."""
        for name in sorted(REACHED & self._system.program.functions.keys()):
            if self._system.program.functions[name].span == pause.span:
                raise refused(f"that `{name}` is called is the error, whatever its body does")

    def _is_linked(self, function: str) -> bool:
        """Whether all files call a function of C++ by a name that the linker knows."""
        written = self._system.program.written.get(function)
        return written is not None and not written.is_local

    def _known_as(self, function: str) -> str:
        """The function itself, for one that was made up to call it after what a process runs by itself.

        Empty: there is no such function.
        """
        program, init = self._system.program, self._system.init
        if init is None or function != init.function or not program.constructors:
            return function
        own = function.removesuffix(STARTING)
        return own if own != function and own in program.functions else ""

    def _arguments(self, entry: Entry, chosen: tuple[Any, ...]) -> tuple[Argument, ...]:
        """What is passed for the parameters that somebody wrote."""
        types = [p.type for p in self._system.program.functions[entry.function].parameters]
        passed = list(zip(entry.arguments, chosen, types, strict=True))[entry.hidden :]
        return tuple(_argument(a, value, type, entry.name) for a, value, type in passed)

    def _parts(self, state: Snapshot, event: Returned) -> tuple[tuple[str, Value], ...]:
        """The scalars of an object that is returned."""
        machine = self._retracing.machine
        contents: Sequence[Any] = ()
        shape: Sequence[Cell] = ()
        machine.restore(state)
        if event.room:
            room = machine.globals[event.room]
            shape, contents = room.shape, machine.cells[room.first : room.first + len(room.shape)]
        elif isinstance(event.type, Record) and isinstance(event.value, Sequence):
            shape, contents = value_cells(event.type, self._system.program.records), event.value
        cells = [(c, v) for c, v in zip(shape, contents, strict=True) if not c.padding]
        found = ((c.path, self._part(c, v)) for c, v in cells)
        return tuple((path, value) for path, value in found if value is not None)

    def _part(self, cell: Cell, content: Any) -> Value | None:
        text = self._text_at(content) if _is_text(cell.type) else None
        return text if text is not None else self._scalar(content, cell.type)

    def _stored(self, position: int, content: int) -> Sets:
        """A public variable of the object, by the name that states have for it."""
        subject = self._system.object
        assert subject is not None
        shape = self._retracing.machine.globals[subject.variable].shape
        cell = next(c for c in shape if c.position == position)
        return Sets(((subject.names[cell.path], Number(content, cell.type)),))

    def _come_back(self, pause: Outside, event: Returned) -> ComesBack:
        external = self._system.externals[event.function]
        written = tuple(
            Written(write.argument, write.position + i * representation(element).bits, Number(value, element))
            for write, row in event.written
            for element in [write.choice.element if isinstance(write.choice, Contents) else write.choice.type]
            for i, value in enumerate(row)
        )
        if isinstance(external.result, Handed):
            handed = -1 if not event.value else pause.arguments.index(event.value)
            return ComesBack(event.function, handed=handed, written=written)
        return ComesBack(event.function, _number(event.value, event.type), written=written)

    def _set(self, taken: Taken, chosen: InputVariable) -> Sets:
        machine, program = self._retracing.machine, self._system.program
        machine.restore(taken.step.state)
        variable = machine.globals[chosen.variable]
        count = len(chosen.choice.rows[0]) if isinstance(chosen.choice, Contents) else 1
        shape = cells_of(variable.type, program.records)
        first = next(n for n, cell in enumerate(shape) if cell.position == chosen.position)
        found: list[tuple[str, Number]] = []
        filled: list[Filling] = []
        for n in range(first, first + count):
            value = machine.cells[variable.first + n]
            if not isinstance(value, int):
                raise refused(f"`{chosen.variable}` is set to something that is no number")
            number = Number(value, shape[n].type)
            if chosen.handed_in:
                filled.append(Filling(chosen.variable, shape[n].position, number))
            else:
                found.append((chosen.variable + shape[n].path, number))
        return Sets(tuple(found), tuple(filled))


def _is_text(type: Type) -> bool:
    return isinstance(type, Pointer) and isinstance(type.target, Int) and type.target.bits == _BYTE


def _root(name: str) -> str:
    """The variable that a name is a part of."""
    return name.partition("[")[0].partition(".")[0]


def _text(value: Value) -> str:
    match value:
        case Number(number):
            return str(number)
        case Text(content):
            return repr(content.decode(errors="replace"))
        case Pointing(target, offset):
            return "an address" if target is None else f"&{target}" + (f"{offset:+}" if offset else "")


def _number(value: Any, type: Type) -> Number | None:
    return Number(value, type) if isinstance(value, int) and is_scalar(type) else None


def _argument(argument: Choice | Pointed | Filled | Fixed, value: Any, type: Type, function: str) -> Argument:
    match argument:
        case Choice() | Fixed():
            number = _number(value, type)
            if number is None or (isinstance(type, Pointer) and number.value):
                raise refused(f"an argument of `{function}` is no number")
            return number
        case Pointed(variable, content):
            filled = () if value is None or content is None else (Number(value, content.type),)
            return Buffer(variable, filled)
        case Filled(contents, objects):
            return Buffer(objects[value], tuple(Number(v, contents.element) for v in contents.rows[value]))
        case _:
            assert_never(argument)
