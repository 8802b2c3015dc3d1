"""Functions without a body: how they are called, what they may return and write, and what is not known of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, assert_never, final

from stateglass.explore.around.moves import Called, Move, Returned, Threw
from stateglass.explore.around.offering import Offers
from stateglass.explore.around.reaching import lost_cells, reached, writes_of
from stateglass.explore.cells.contents import BEYOND, FOREIGN, FOREIGN_READ, Unknown
from stateglass.explore.cells.memory import BoundReached
from stateglass.explore.cells.strays import is_stray
from stateglass.explore.cells.vague import targets
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import CallingOut, Ended, Failing, Outside, Pause, Stuck
from stateglass.explore.shown.actions import Texts
from stateglass.model import TAU, Action, Verb
from stateglass.program import Record, Scalar, representation
from stateglass.program.outside import written_through
from stateglass.source import Span
from stateglass.system import Choice, Contents, External, Handed, System, Write
from stateglass.values import Fault, FaultKind
from stateglass.values.abstract import TOP

Row = tuple[int, ...]


@final
class Elsewhere:
    """The moves into functions without a body and back; the machine must be in the state that is asked about."""

    def __init__(self, system: System, machine: Machine, texts: Texts, offers: Offers) -> None:
        self._system = system
        self._machine = machine
        self._texts = texts
        self._offers = offers
        self._unexplained: dict[str, None] = {}  # bounds that would say what has been written

    def call(self, pause: CallingOut) -> Move:
        segment = self._machine.segment(pause.segment)
        span = self._machine.called_at(pause, pause.function in self._system.stand_ins)
        shown = self._machine.labelling is None  # a label map has its own words
        text = self._texts.call(pause.function, zip(pause.arguments, segment.types, strict=True)) if shown else TAU
        external = self._system.externals.get(pause.function)
        event = Called(pause.function, pause.arguments, segment.types)
        unsupported = f"`{pause.function}` is called in an unforeseen way" if external is None else external.unsupported

        def make() -> Pause:
            if external is not None and external.noreturn:
                return Ended()
            if unsupported and (external is None or self._machine.memory.keeping is None):
                return Stuck(unsupported, span)
            return Outside(pause.segment, pause.function, pause.arguments)

        return Move(text, span, make, event)

    def store(self, pause: CallingOut) -> Move:
        """What somebody stores to a variable of a stub, which has no state."""
        inside = Outside(pause.segment, pause.function, pause.arguments)
        return Move(self.store_text(pause), self._machine.accessed_at(), partial(self._machine.answer, inside, None))

    def store_text(self, pause: CallingOut) -> str:
        (value,), (type,) = pause.arguments, self._machine.segment(pause.segment).types
        shown = Action(Verb.STORE, self._system.stores[pause.function], (self._texts.value(value, type),))
        return str(shown) if self._machine.labelling is None else TAU

    def come_back(self, pause: Outside) -> Iterator[Move]:
        external = self._system.externals[pause.function]
        writes = self.writes(pause)
        span = self._machine.called_at(pause, pause.function in self._system.stand_ins)
        labelled = self._machine.labelling is not None
        first = 0 if external.result is None else 1
        for value, shown in self._results(pause, external):
            for rows in product(*self._all_rows(writes, first)):
                written = list(zip(writes, rows, strict=True))
                changed = [t for write, row in written for t in self._written(pause, write, row)]
                text = TAU if labelled else self._texts.returned(pause.function, shown, changed)
                event = Returned(pause.function, value, external.result_type, tuple(written))
                yield Move(text, span, partial(self._finish, pause, value, written), event)

        for type, function in external.throws:
            text = TAU if labelled else str(Action(Verb.THROW, pause.function, (type,)))
            thrown = Threw(pause.function, type)
            yield Move(text, span, partial(self._machine.call_instead, pause, function), thrown)

    def writes(self, pause: Outside) -> list[Write]:
        """The values that a function without a body writes before it returns, in their order."""
        machine = self._machine
        found: list[Write] = []
        for write in self._writes_of(pause):
            pointer = pause.arguments[write.argument]
            if not pointer:
                continue  # a null pointer is not written through
            if write.reach is None or not isinstance(pointer, int):
                found.append(replace(write, reach=None))
                continue
            first = None
            for one in reached(machine.memory, machine.program, pointer, write).writes:
                number = -1 if is_stray(pointer) else machine.memory.cell_number(8 * pointer + one.position)
                # An array of variable length has room for more than it has.
                if first is None or number < 0 or machine.cells[number] is not BEYOND:
                    found.append(one)
                first = one
        return found

    def _results(self, pause: Outside, external: External) -> list[tuple[Any, list[str]]]:
        """What a function without a body may return, and how that is shown."""
        match external.result:
            case None if external.unsupported and self._machine.memory.keeping is not None:
                result = external.result_type
                whole = [TOP] * len(self._machine.memory.shape(result)) if isinstance(result, Record) else TOP
                return [(whole, ["top"])]
            case None:
                return [(None, [])]
            case Choice(_, type):
                keeping, name = self._machine.memory.keeping, pause.function
                values = list(self._offers.values(external.result, 0))
                if keeping is not None:
                    values = list(dict.fromkeys(p for v in values for p in keeping.alternatives(name, v, type)))
                return [(v, [self._texts.value(v, type)]) for v in values]
            case Handed(_, arguments):
                addresses = dict.fromkeys(pause.arguments[a] if a is not None else 0 for a in arguments)
                texts, result = self._texts, external.result_type
                return [(a, [texts.address(a) if isinstance(a, int) else texts.value(a, result)]) for a in addresses]
            case _:
                assert_never(external.result)

    def _all_rows(self, writes: Sequence[Write], first: int) -> Iterator[tuple[Row, ...]]:
        """The rows of values that each write may put, one after the other; `first` is where an action shows them."""
        position: int | None = first
        for write in writes:
            match write.choice:
                case Choice():
                    yield tuple((v,) for v in self._offers.values(write.choice, position))
                    position = None if position is None else position + 1
                case Contents(_, _, rows):
                    yield rows
                    shown = 1 if write.choice.text else len(rows[0]) if len(write.choice.lengths) == 1 else None
                    position = None if position is None or shown is None else position + shown
                case _:
                    assert_never(write.choice)

    def _written(self, pause: Outside, write: Write, row: Row) -> list[str]:
        """What a function without a body writes, as it is shown."""
        texts, address, choice = self._texts, pause.arguments[write.argument], write.choice
        if not isinstance(address, int):
            # Which place that is, is not known: it goes by the name of the parameter.
            shown = ", ".join(texts.value(v, _element(write)) for v in row)
            return [f"&{choice.name.rpartition('.')[2]}={shown if len(row) == 1 else '{' + shown + '}'}"]
        if isinstance(choice, Contents) and choice.text:
            whole = texts.part(address, write.position).removesuffix("[0]")
            return [f"{whole}={texts.row(row, choice)}"]
        type = _element(write)
        step = representation(type).bits
        return [
            f"{texts.part(address, write.position + i * step)}={texts.value(value, type)}"
            for i, value in enumerate(row)
        ]

    def _finish(self, pause: Outside, value: int | None, written: list[tuple[Write, Row]]) -> Pause:
        """Write what was chosen, and go on behind the call."""
        machine = self._machine
        span = machine.segment(pause.segment).span
        try:
            for write, row in written:
                self._write(pause.arguments[write.argument], write, row, span)
        except Fault as fault:
            return Failing(fault.kind.value, fault.span)
        except Unknown as unknown:
            return Stuck(str(unknown), span)
        except BoundReached as bound:
            return Stuck(str(bound), span, bound=True)
        self._lose_beyond(pause)
        self._hand_over(pause)
        return machine.answer(pause, value)

    def _write(self, pointer: Any, write: Write, row: Row, span: Span) -> None:
        """Write a row where a pointer leads, or perhaps there if it may lead to several places; nothing at null."""
        memory, cells, type = self._machine.memory, self._machine.cells, _element(write)
        addresses = targets(pointer)
        if addresses is None:
            for kind in (FaultKind.BOUNDS, FaultKind.DANGLING, FaultKind.READONLY):
                memory.doubts.note(kind, span)
            memory.blurred.havoc(cells)
            return
        storer = memory.storer if len(addresses) == 1 else memory.perhaps_storer
        store = storer(type, write.position % 8, span)

        def put(start: int) -> None:
            for index, content in enumerate(row if start else ()):
                store(cells, start + write.position // 8 + index * (representation(type).bits // 8), content)

        memory.doubts.each(addresses, put)

    def _writes_of(self, pause: Outside) -> tuple[Write, ...]:
        segment = self._machine.segment(pause.segment)
        external = self._system.externals[pause.function]
        return writes_of(external, segment.types, segment.characters, self._machine.program)

    def _lose_beyond(self, pause: Outside) -> None:
        """What lies beyond what is spoken of one by one may have been written, too."""
        machine, external = self._machine, self._system.externals[pause.function]
        beyond: list[int] = []
        for write in self._writes_of(pause):
            pointer = pause.arguments[write.argument]
            if write.reach is not None and isinstance(pointer, int) and pointer:
                beyond += reached(machine.memory, machine.program, pointer, write).beyond
        for lost in external.lost:
            pointer = pause.arguments[lost.argument]
            if isinstance(pointer, int) and pointer:
                beyond += lost_cells(machine.memory, pointer, lost)
        for number in beyond:
            if machine.cells[number] is not BEYOND:
                machine.cells[number] = FOREIGN

    def _hand_over(self, pause: Outside) -> None:
        """Notes that a function without a body may have written behind the pointers it was given.

        An exact run lets values stay that are there: that they do is assumed. What had none gets one that is not known.
        """
        cells = self._machine.cells
        for pointer, advice in self._writable(pause):
            addresses = targets(pointer)
            if addresses is None:
                self._machine.memory.blurred.havoc(cells)
            for address in addresses or ():
                self._hand_over_at(address, advice, perhaps=len(addresses or ()) > 1)

    def _hand_over_at(self, address: int, advice: str | None, *, perhaps: bool) -> None:
        cells = self._machine.cells
        found = self._machine.memory.object_at(address)
        if found is None or found.readonly:
            return
        if self._machine.memory.keeping is not None:
            cells_there = range(found.first, found.first + len(found.shape))
            self._machine.memory.blurred.forget(cells, cells_there, perhaps=perhaps)
            return
        unwritten = [n for n in range(found.first, found.first + len(found.shape)) if cells[n] is None]
        for number in unwritten:
            cells[number] = FOREIGN
        if unwritten and advice is not None:
            self._unexplained[advice] = None

    def _writable(self, pause: Outside) -> Iterator[tuple[int, str | None]]:
        """The addresses that a function without a body may write through as it likes, and the bound that would say how.

        Where a bound says already how much is written there, no more is.
        """
        external = self._system.externals[pause.function]
        declaration = self._system.program.declarations[pause.function]
        for number in written_through(declaration, self._machine.segment(pause.segment).types):
            if number not in external.exact:
                yield pause.arguments[number], external.advice.get(number)

    def reason(self, stuck: Stuck) -> str:
        """Why what follows is not known, and what could be done about it."""
        if stuck.reason != FOREIGN_READ or not self._unexplained:
            return str(stuck)
        options = " ".join(f"--bound '{bound}'" for bound in self._unexplained)
        return f"{stuck}; to say what: {options}"


def _element(write: Write) -> Scalar:
    return write.choice.element if isinstance(write.choice, Contents) else write.choice.type
