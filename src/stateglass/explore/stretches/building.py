"""From a system to its flow: rests are run from until no way finds anything new."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

from stateglass.explore.machine import Machine
from stateglass.explore.merging import Content
from stateglass.explore.merging.contents import Reason
from stateglass.explore.shown.valuations import cells_called, shown_names
from stateglass.explore.stretches.arrivals import Arrival, Key
from stateglass.explore.stretches.beginning import begun
from stateglass.explore.stretches.flow import Flow, Part, Phase, Rest, Slot, Stretch, Watched
from stateglass.explore.stretches.running import from_rest
from stateglass.explore.stretches.seen import Seen
from stateglass.explore.stretches.shapes import EMPTY, Kind, Shape, content_of, joined, parts_of, slot_value
from stateglass.explore.stretches.whole import Whole
from stateglass.program import Bool, Cell, Pointer, Scalar
from stateglass.smt import Term, Terms
from stateglass.system import System
from stateglass.values import Concrete
from stateglass.work import Progress, silent
from stateglass.work.in_time import in_time

MOST_RESTS: Final = 5_000


@final
class NoFlow(Exception):
    """The system has something that is not known for all inputs at once: what it is."""


def flow_of(
    system: System, seen: Seen | None = None, progress: Progress = silent, seconds: float | None = None
) -> Flow:
    """All that a system can do, as formulas; `NoFlow` if it has parts that formulas do not know.

    `OutOfTime` if that takes more than so many seconds.
    """
    _refuse_parts(system)

    def built() -> Flow:
        return _Building(system, seen or Seen(), progress, seconds).run()

    return built() if seconds is None else in_time(seconds, built)


def _refuse_parts(system: System) -> None:
    problems = {
        "objects of a class": system.object is not None,
        "abstraction maps": system.abstractions is not None,
        "label maps": system.labels is not None,
        "calls back": bool(system.callbacks),
        "processes in place of parts": bool(system.processes),
        "doubles of member functions": bool(system.doubles),
    }
    for what, is_there in problems.items():
        if is_there:
            raise NoFlow(f"{what} are not known where data is not bounded, but to the explicit engine")


@final
@dataclass
class _Open:
    """A rest that may still grow."""

    number: int
    key: Key
    shapes: dict[int, Shape] = field(default_factory=dict)  # of cells that some way has written
    is_reached: bool = False
    drops: bool = False
    arrivals: list[Arrival] = field(default_factory=list)


@final
class _Building:
    def __init__(self, system: System, seen: Seen, progress: Progress, seconds: float | None) -> None:
        undefined = system.undefined
        machine = Machine(system.program, Concrete(undefined.wraps), system.environment, tolerated=undefined.tolerated)
        self._machine = machine
        self._system = system
        self._terms = Terms()
        self._progress = progress
        self._watched = cells_called(machine, seen.watch)
        self._whole = Whole(system, machine, self._terms, seen, frozenset(self._watched), seconds)
        self._rests: dict[Key, _Open] = {}
        self._variables: dict[tuple[int, int, Part, Reason | None, int], Term] = {}
        self._cells: dict[int, tuple[str, Cell]] = {}
        self._kinds: dict[int, Kind] = {}
        self._objects = 0
        self._seen = seen

    def run(self) -> Flow:
        first = self._open(Key(Phase.START))
        start = self._start()
        waiting = deque([first])
        queued = {first.number}
        while waiting:
            rest = waiting.popleft()
            queued.discard(rest.number)
            self._progress("reading code from rest to rest", rests=len(self._rests))
            contents = start if rest is first else self._contents(rest)
            rest.arrivals, rest.drops = from_rest(self._whole, rest.key, contents)
            self._whole.keep_time()
            for arrival in rest.arrivals:
                is_new = arrival.key not in self._rests
                target = self._open(arrival.key)
                if len(self._rests) > MOST_RESTS:
                    raise NoFlow(f"there are more than {MOST_RESTS:,} places where code can rest")
                has_grown = self._join(target, arrival)
                if (has_grown or is_new) and not arrival.key.phase.is_end and target.number not in queued:
                    queued.add(target.number)
                    waiting.append(target)
        return self._flow()

    def _start(self) -> dict[int, Content]:
        """What cells hold before anything else happens, as far as it is not what the program says."""
        # What is chosen once is nothing that an init function sets up.
        cells, whole = begun(replace(self._system, beginnings=()), self._machine), self._whole
        if cells is None:
            return {}
        whole.is_begun = True
        found = {number: whole.as_content(number, content) for number, content in enumerate(cells)}
        return {number: content for number, content in found.items() if content != whole.initial(number)}

    def _open(self, key: Key) -> _Open:
        known = self._rests.get(key)
        if known is None:
            known = self._rests[key] = _Open(len(self._rests), key)
        return known

    # ---- what cells hold at rests

    def _kind(self, number: int) -> Kind:
        known = self._kinds.get(number)
        if known is None:
            _, cell = self._cell(number)
            width = self._whole.width(number)
            known = self._kinds[number] = Kind(width, isinstance(cell.type, Pointer), isinstance(cell.type, Bool))
        return known

    def _cell(self, number: int) -> tuple[str, Cell]:
        objects = self._machine.memory.objects
        for whole in objects[self._objects :]:
            for at, cell in enumerate(whole.shape, whole.first):
                self._cells[at] = (f"{whole.name}{cell.path}", cell)
        self._objects = len(objects)
        return self._cells[number]

    def _join(self, rest: _Open, arrival: Arrival) -> bool:
        """Notes what cells hold on one more way; whether that is new."""
        grown = False
        for number in {**rest.shapes, **arrival.cells}:
            content = arrival.cells.get(number)
            if content is None:
                content = self._whole.initial(number)
            known = rest.shapes.get(number)
            shape = joined(
                self._terms, self._before(rest, number) if known is None else known, content, self._kind(number)
            )
            if shape != known:
                rest.shapes[number] = shape
                grown = True
        rest.is_reached = True
        return grown

    def _before(self, rest: _Open, number: int) -> Shape:
        """The shape of a cell that no way has written so far: if there was one, it holds what it held at first."""
        if not rest.is_reached:
            return EMPTY
        return joined(self._terms, EMPTY, self._whole.initial(number), self._kind(number))

    def _contents(self, rest: _Open) -> dict[int, Content]:
        return {
            cell: content_of(
                self._terms,
                shape,
                self._kind(cell),
                lambda part, reason, width, cell=cell: self._variable(rest, cell, part, reason, width),  # type: ignore[misc]
            )
            for cell, shape in rest.shapes.items()
        }

    def _variable(self, rest: _Open, cell: int, part: Part, reason: Reason | None, width: int) -> Term:
        key = (rest.number, cell, part, reason, width)
        known = self._variables.get(key)
        if known is None:
            name = f"{self._cell(cell)[0]}@{rest.number}"
            if part is not Part.VALUE:
                name += f".{part.value}{width}" + (f".{reason.name}" if reason is not None else "")
            name += f".{cell}"
            known = self._variables[key] = self._terms.variable(name, width)
        return known

    # ---- what comes out

    def _flow(self) -> Flow:
        rests = []
        for rest in self._rests.values():
            slots = tuple(slot for cell in sorted(rest.shapes) for slot in self._slots(rest, cell))
            key = rest.key
            entry = self._whole.levels.all[key.location.level].entry if key.location is not None else None
            watched, named = self._watched_at(rest), self._named_at(rest)
            rests.append(
                Rest(
                    rest.number,
                    key.phase,
                    slots,
                    key.what,
                    key.span,
                    key.bound,
                    entry,
                    key.number,
                    watched,
                    named,
                    rest.drops,
                )
            )
        stretches: list[Stretch] = []
        for rest in self._rests.values():
            for arrival in rest.arrivals:
                target = self._rests[arrival.key]
                after = tuple(self._after(target, slot, arrival) for slot in rests[target.number].slots)
                stretches.append(
                    Stretch(
                        len(stretches),
                        rest.number,
                        target.number,
                        arrival.guard,
                        after,
                        arrival.chosen,
                        arrival.action if self._seen.events else None,
                        arrival.entry,
                    )
                )
        names = {name: tuple(cells_called(self._machine, {name})) for name in self._seen.watch}
        return Flow(self._terms, tuple(rests), tuple(stretches), names)

    def _watched_at(self, rest: _Open) -> tuple[Watched, ...]:
        shown = shown_names(self._machine).items()
        return self._held(rest, {name: (cell, type) for name, (cell, type) in shown if cell in self._watched})

    def _named_at(self, rest: _Open) -> tuple[Watched, ...]:
        """What predicates of the user speak of: variables of functions that are being run go before others."""
        wanted = self._seen.named
        if not wanted:
            return ()
        found: dict[str, tuple[int, Scalar]] = {}
        for level in self._whole.levels.around(rest.key.location):
            for whole in level.frame.variables.values():
                for number, cell in enumerate(whole.shape, whole.first):
                    found.setdefault(f"{whole.name}{cell.path}", (number, cell.type))
        found = {**shown_names(self._machine), **found}
        return self._held(rest, {name: known for name, known in found.items() if name in wanted})

    def _held(self, rest: _Open, cells: Mapping[str, tuple[int, Scalar]]) -> tuple[Watched, ...]:
        """What cells hold at a rest."""
        contents = self._contents(rest)
        if rest.key.phase is Phase.START and rest.arrivals and rest.arrivals[0].action is None:
            # A start at which nothing happens is not told apart from what follows it at once.
            contents = rest.arrivals[0].cells
        return tuple(
            Watched(name, type, contents[cell] if cell in contents else self._whole.initial(cell))
            for name, (cell, type) in cells.items()
        )

    def _slots(self, rest: _Open, cell: int) -> list[Slot]:
        shape, kind = rest.shapes[cell], self._kind(cell)
        name, typed = self._cell(cell)
        return [
            Slot(
                cell,
                name,
                typed.type,
                part,
                self._variable(rest, cell, part, reason, width),
                reason,
                tuple(sorted(shape.values)) if part is Part.INDEX and shape.values else (),
            )
            for part, reason, width in parts_of(shape, kind)
        ]

    def _after(self, target: _Open, slot: Slot, arrival: Arrival) -> Term:
        content = arrival.cells.get(slot.cell)
        if content is None:
            content = self._whole.initial(slot.cell)
        shape = target.shapes[slot.cell]
        return slot_value(self._terms, content, shape, self._kind(slot.cell), slot.part, slot.absent)
