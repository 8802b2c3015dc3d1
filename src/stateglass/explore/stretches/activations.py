"""The variables of functions that are being run: they begin with a call, and something may lead to them afterwards."""

from __future__ import annotations

from typing import final

from stateglass.explore.cells.memory import Object
from stateglass.explore.merging.contents import UNWRITTEN, Cells
from stateglass.explore.merging.context import Context
from stateglass.explore.merging.frames import Value, fill
from stateglass.explore.stretches.levels import Level
from stateglass.explore.stretches.whole import Whole
from stateglass.program import Local
from stateglass.source import Span


@final
class Activations:
    """Those of one run."""

    def __init__(self, whole: Whole, context: Context) -> None:
        self._whole = whole
        self._context = context

    def enter(self, level: Level, arguments: list[Value]) -> None:
        cells, frame = self._context.way.cells, level.frame
        self._whole.note_addresses(level.function)
        for variable in _variables(level):
            fill(cells, variable, UNWRITTEN)
        given = iter(arguments)
        for parameter, value in zip(level.function.parameters, given, strict=False):
            put(cells, frame.variables[parameter.name].first, value)
        if frame.variadic is not None:
            number = frame.variadic.first
            for value in given:
                number = put(cells, number, value)

    def forget(self, level: Level) -> None:
        """The variables of a function are no more; pointers to them lead to nothing."""
        cells = self._context.way.cells
        for variable in (*_variables(level), *([level.result] if level.result is not None else [])):
            for number in range(variable.first, variable.first + len(variable.shape)):
                cells.pop(number, None)
        self._bury(self.outliving(level), level.function.span)

    def outliving(self, level: Level) -> list[Object]:
        """The variables of a function that something may point to when it is over."""
        names = self._whole.escapes.outliving(level.function.name)
        return [variable for name, variable in level.frame.variables.items() if name in names]

    def end(self, local: Local, span: Span) -> None:
        """A variable ends, and may begin anew at the same address."""
        if local.name in self._whole.escapes.reborn(self._context.frame.function.name):
            self._bury([self._context.find(local)], span)

    def _bury(self, over: list[Object], span: Span) -> None:
        if over:
            cells, graves = self._context.way.cells, self._whole.graves
            if graves.hidden(cells, over):
                reason = f"the address of `{over[0].name}`, which has ended, may be kept as a number"
                self._context.lose(reason, self._whole.terms.true, span)
            graves.bury(cells, over)


def put(cells: Cells, first: int, value: Value) -> int:
    """Sets cells from a number on; what comes behind them."""
    contents = value if isinstance(value, list) else [UNWRITTEN if value is None else value]
    for number, content in enumerate(contents, first):
        cells[number] = content
    return first + len(contents)


def _variables(level: Level) -> list[Object]:
    frame = level.frame
    return [*frame.variables.values(), *([frame.variadic] if frame.variadic is not None else [])]
