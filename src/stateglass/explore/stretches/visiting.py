"""Calls from outside, for all inputs at once: what the environment chooses before them, and what follows their end."""

from __future__ import annotations

from typing import final

from stateglass.explore.merging.contents import Way
from stateglass.explore.merging.context import Context, Lost
from stateglass.explore.stretches.activations import Activations
from stateglass.explore.stretches.arrivals import Key
from stateglass.explore.stretches.flow import Phase, Shown
from stateglass.explore.stretches.lending import Lending
from stateglass.explore.stretches.levels import Level, Location
from stateglass.explore.stretches.shapes import known_value
from stateglass.explore.stretches.ways import Ways
from stateglass.explore.stretches.whole import Whole
from stateglass.model import Verb
from stateglass.program import Type, is_scalar
from stateglass.smt import Term
from stateglass.source import NOWHERE
from stateglass.system import Entry, Mode


@final
class Visiting:
    """Those of one run."""

    def __init__(self, whole: Whole, context: Context, lending: Lending, activations: Activations, ways: Ways) -> None:
        self._whole = whole
        self._system = whole.system
        self._levels = whole.levels
        self._terms = whole.terms
        self._context = context
        self._lending = lending
        self._activations = activations
        self._ways = ways

    def begin(self) -> None:
        """Before the first call: a run may begin with any choice of what is chosen once."""
        self._lending.begin()
        self.settle()

    def settle(self) -> None:
        """Between calls."""
        self._lending.take_back()
        self._ways.arrive(Key(Phase.STABLE))

    def set_input(self, number: int) -> None:
        self._ways.action = self._lending.set_input(number)
        if not self._whole.seen.events and self._system.input_at(number + 1) is not None:
            self.set_input(number + 1)
        self._ways.arrive(Key(Phase.STABLE, number=number + 1))

    def visit(self, entry: Entry, number: int | None, *, is_first: bool = False) -> None:
        """The environment calls."""
        self._ways.entry = number
        if is_first:
            self._lending.begin()
        before = self._ways.watched()
        values, self._ways.action = self._lending.arguments(entry)
        level = self._levels.outermost(self._system.program.functions[entry.function], number)
        self._activations.enter(level, values)
        start = Location(level.number, 0, 0)
        self._ways.rest_if_changed(before, start, NOWHERE)
        self._ways.push(start, self._levels.first_moment(start), self._context.way)

    def come_back(self, level: Level, *, valueless: bool) -> None:
        """An entry function returns, with a value or without one."""
        function, result, terms, context = level.function, level.result, self._terms, self._context
        shown: tuple[tuple[Term, Type], ...] = ()
        missing = terms.false
        if result is not None and is_scalar(function.result):
            value, is_there = known_value(terms, context.content(result.first), result.shape[0].width)
            missing = terms.negation(is_there)
            shown = () if valueless else ((value, function.result),)
        wanted = missing if valueless else terms.negation(missing)
        if wanted is terms.false:
            raise Lost
        context.way = Way(() if wanted is terms.true else (wanted,), context.way.cells)
        entry = self._system.init if level.entry is None else self._system.entries[level.entry]
        assert entry is not None
        self._ways.action = Shown(Verb.EXIT, "", shown) if self._exits(level) else Shown(Verb.RETURN, entry.name, shown)
        self.be_over(level)

    def _exits(self, level: Level) -> bool:
        return level.entry is not None and self._system.mode is Mode.RUN and level.function.name == "main"

    def be_over(self, level: Level) -> None:
        """What follows the end of a call from outside."""
        self._activations.forget(level)
        if level.entry is not None and self._system.mode is Mode.RUN:
            self._ways.arrive(Key(Phase.OVER))
        self.settle()
