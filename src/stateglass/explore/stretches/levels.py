"""Functions that are being run, each at a way of calls that leads to it: their variables have a place of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from stateglass.explore.machine import Machine
from stateglass.explore.memory import Object
from stateglass.explore.merging.context import Frame
from stateglass.explore.merging.order import Order
from stateglass.program import VARIADIC_SLOT, Call, Function, Type, Void
from stateglass.source import Span

MOST_LEVELS: Final = 4_000
"""So many ways of calls are told apart; beyond, nothing is known."""


@final
@dataclass(frozen=True, slots=True, order=True)
class Location:
    """Before a statement of a block, or before its end, in a function that is being run."""

    level: int
    block: int
    index: int


@final
@dataclass(frozen=True, slots=True)
class Level:
    """A function at a way of calls."""

    number: int
    frame: Frame
    caller: Location | None  # where it was called; None: from outside
    call: Call | None
    entry: int | None  # the number of the entry at the outermost level; None: the init function
    result: Object | None  # where the outermost function leaves what it returns
    depth: int  # how often the same function is on the way

    @property
    def function(self) -> Function:
        return self.frame.function


@final
class TooManyLevels(Exception):
    """There are more ways of calls than are told apart."""


@final
class Levels:
    """Makes them as they are reached."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._known: dict[tuple[object, ...], Level] = {}
        self._orders: dict[str, Order] = {}
        self._ranks: dict[str, dict[int, int]] = {}
        self.all: list[Level] = []

    def outermost(self, function: Function, entry: int | None) -> Level:
        """A function that is called from outside."""
        return self._level(("entry", entry), function, None, None, entry, ())

    def called(self, function: Function, caller: Location, call: Call, extra: tuple[Type, ...]) -> Level:
        """A function that is called from another one; `extra` are the types of arguments beyond its parameters."""
        key = (caller, function.name, extra)
        return self._level(key, function, caller, call, self.all[caller.level].entry, extra)

    def _level(
        self,
        key: tuple[object, ...],
        function: Function,
        caller: Location | None,
        call: Call | None,
        entry: int | None,
        extra: tuple[Type, ...],
    ) -> Level:
        known = self._known.get(key)
        if known is not None:
            return known
        if len(self.all) >= MOST_LEVELS:
            raise TooManyLevels
        memory = self._machine.memory
        variables = {
            v.name: memory.add(f"{function.name}::{v.name}", v.type, careful=True)
            for v in (*function.parameters, *function.locals)
        }
        variadic = memory.add_slots(f"{function.name}::...", extra, VARIADIC_SLOT) if function.variadic else None
        result = None
        if caller is None and not isinstance(function.result, Void):
            result = memory.add(f"{function.name}::%result", function.result, careful=True)
        depth = 1 + sum(level.function is function for level in self.around(caller))
        number = len(self.all)
        made = Level(number, Frame(function, variables, variadic), caller, call, entry, result, depth)
        self._known[key] = made
        self.all.append(made)
        return made

    def around(self, location: Location | None) -> list[Level]:
        """The functions that are being run at a location, innermost first."""
        found = []
        while location is not None:
            level = self.all[location.level]
            found.append(level)
            location = level.caller
        return found

    def cells_at(self, location: Location | None) -> list[Object]:
        """The variables of the functions that are being run at a location."""
        found: list[Object] = []
        for level in self.around(location):
            found += level.frame.variables.values()
            found += [o for o in (level.frame.variadic, level.result) if o is not None]
        return found

    def callers(self, location: Location) -> list[Span]:
        """Where the functions that are being run were called, outermost first."""
        return [level.call.span for level in reversed(self.around(location)) if level.call is not None]

    def is_head(self, location: Location) -> bool:
        """Whether a loop begins at a location."""
        if location.index:
            return False
        spot = self._order(self.all[location.level].function).spots[location.block]
        return bool(spot.heads) and spot.heads[-1] == location.block

    def moment(self, location: Location) -> tuple[int, ...]:
        """Locations compare by their moments as they are come to between two heads of loops."""
        level = self.all[location.level]
        here = (self._rank(level.function)[location.block], location.index)
        return here if level.caller is None else (*self.moment(level.caller), *here)

    def _order(self, function: Function) -> Order:
        known = self._orders.get(function.name)
        if known is None:
            known = self._orders[function.name] = Order(function)
        return known

    def _rank(self, function: Function) -> dict[int, int]:
        known = self._ranks.get(function.name)
        if known is None:
            spots = self._order(function).spots
            ordered = sorted(spots, key=lambda block: spots[block].positions)
            known = self._ranks[function.name] = {block: rank for rank, block in enumerate(ordered)}
        return known
