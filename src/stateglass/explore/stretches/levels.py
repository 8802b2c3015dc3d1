"""Functions that are being run, each at a way of calls that leads to it: their variables have a place of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from stateglass.explore.cells.memory import Object
from stateglass.explore.machine import Machine
from stateglass.explore.merging.context import Frame
from stateglass.explore.merging.order import Order
from stateglass.explore.stretches.counting import Counted, Counting
from stateglass.program import VARIADIC_SLOT, Call, Function, Type, Void
from stateglass.program.liveness import Liveness
from stateglass.source import Span

When = tuple[tuple[int, ...], ...]
"""When code is run between two rests: the moments of the functions that are being run, outermost first. A moment counts
rounds of loops, so that ways meet that are in the same round; these compare as they are."""
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
        self._counting: dict[str, Counting] = {}
        self._alive: dict[str, Liveness] = {}
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

    def callers(self, location: Location) -> list[Span]:
        """Where the functions that are being run were called, outermost first."""
        return [level.call.span for level in reversed(self.around(location)) if level.call is not None]

    def is_head(self, location: Location) -> bool:
        """Whether a loop begins at a location."""
        if location.index:
            return False
        spot = self._order(self.all[location.level].function).spots[location.block]
        return bool(spot.heads) and spot.heads[-1] == location.block

    def first_moment(self, location: Location) -> When:
        """The moment of a location at which a run begins."""
        level = self.all[location.level]
        here = (*self._order(level.function).first(location.block), location.index)
        return (here,) if level.caller is None else (*self.first_moment(level.caller), here)

    def entered(self, when: When, level: Level) -> When:
        """The moment at which a function begins that is called at a moment."""
        return (*when, (*self._order(level.function).first(0), 0))

    def at(self, when: When, index: int) -> When:
        """Another statement of the same block."""
        return (*when[:-1], (*when[-1][:-1], index))

    def following(self, level: Level, when: When, block: int, target: int) -> When:
        """The moment at which a block is run that another one leads to."""
        return (*when[:-1], (*self._order(level.function).following(block, when[-1][:-1], target), 0))

    def counting(self, level: Level, head: int) -> Counted | None:
        """What says whether a loop goes on, if it is one that counts."""
        name = level.function.name
        if name not in self._counting:
            self._counting[name] = Counting(level.function, self._order(level.function))
        return self._counting[name].condition(head)

    def alive(self, location: Location) -> set[int]:
        """The cells of variables of functions, at a location, that may still be read."""
        found: set[int] = set()
        for inner, level in enumerate(self.around(location)):
            liveness = self._liveness(level.function)
            is_waiting = inner > 0  # for the function that it has called
            names = (liveness.awaiting if is_waiting else liveness.before)(location.block, location.index)
            whole = [v for name, v in level.frame.variables.items() if name in names]
            whole += [o for o in (level.frame.variadic, level.result) if o is not None]
            for variable in whole:
                found.update(range(variable.first, variable.first + len(variable.shape)))
            if level.caller is not None:
                location = level.caller
        return found

    def _liveness(self, function: Function) -> Liveness:
        known = self._alive.get(function.name)
        if known is None:
            known = self._alive[function.name] = Liveness(function)
        return known

    def _order(self, function: Function) -> Order:
        known = self._orders.get(function.name)
        if known is None:
            known = self._orders[function.name] = Order(function)
        return known
