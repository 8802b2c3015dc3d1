"""What all runs of one system share: its places, its functions at their ways of calls, what cells hold at first."""

from __future__ import annotations

from typing import final

from stateglass.explore.cells.contents import FOREIGN as FOREIGN_CELL
from stateglass.explore.cells.contents import LENT as LENT_CELL
from stateglass.explore.cells.contents import Content as CellContent
from stateglass.explore.machine import Machine
from stateglass.explore.merging.contents import FOREIGN, LENT, OVER, UNWRITTEN, Content, Partly
from stateglass.explore.merging.context import cell_width
from stateglass.explore.merging.evaluating import fixed_addresses
from stateglass.explore.stretches.feasible import Feasible
from stateglass.explore.stretches.graves import Graves
from stateglass.explore.stretches.levels import Levels
from stateglass.explore.stretches.seen import Seen
from stateglass.program import Function
from stateglass.program.escapes import Escapes
from stateglass.smt import Terms
from stateglass.system import System
from stateglass.work import OutOfTime, time_limit


@final
class Whole:
    """Grows as functions are reached."""

    def __init__(
        self,
        system: System,
        machine: Machine,
        terms: Terms,
        seen: Seen,
        watched: frozenset[int],
        seconds: float | None = None,
    ) -> None:
        self.system = system
        self.machine = machine
        self.terms = terms
        self.seen = seen
        self.watched = watched
        self.levels = Levels(machine)
        self.graves = Graves(machine, terms)
        self.feasible = Feasible(seconds)
        self._is_over = time_limit(seconds) if seconds is not None else lambda: False
        self.escapes = Escapes(machine.program)
        self.unknowns = 0  # how many were made
        self.is_begun = False  # the init function was run already, before the start
        self._noted: set[str] = set()

    def keep_time(self) -> None:
        if self._is_over():
            raise OutOfTime

    def initial(self, number: int) -> Content:
        """What a cell holds before anything has happened."""
        if number >= self.machine.last_variable:
            return OVER
        return self.as_content(number, self.machine.cells[number])

    def as_content(self, number: int, content: CellContent) -> Content:
        """What a cell of a single state holds."""
        match content:
            case int():
                return self.terms.constant(content, self.width(number))
            case tuple():
                width = self.width(number)
                holes = self.terms.constant(~content[1], width)
                return Partly(self.terms.constant(content[0], width), (), holes)
            case _:
                return LENT if content is LENT_CELL else FOREIGN if content is FOREIGN_CELL else UNWRITTEN

    def width(self, number: int) -> int:
        return cell_width(self.machine.memory, number)

    def note_addresses(self, function: Function) -> None:
        if function.name not in self._noted:
            self._noted.add(function.name)
            for address in fixed_addresses(function):
                self.machine.memory.note_fixed(address)
