"""Calls and returns: which function is entered, by name or through a pointer, and what a label map calls that."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.vague import targets
from stateglass.explore.code.activations import Leave, Segment, Way
from stateglass.explore.code.computations import Evaluate
from stateglass.explore.code.forking import certain
from stateglass.explore.labels.labelling import shown
from stateglass.model import TAU
from stateglass.program import Function
from stateglass.source import Span
from stateglass.values import Fault, FaultKind

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine

Values = tuple[Evaluate, ...]


@final
class Calling:
    """Builds the ends of segments that call or return."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def named(self, name: str, values: Values, segment: Segment, span: Span) -> Leave:
        machine = self._machine
        go = partial(self._enter, name, values, segment, span)
        if not self._is_shown(name):
            return go
        segment.ways = {0: Way(certain, go)}

        def call(cells: Cells) -> Segment | None:
            return machine.choose(segment, tuple((a, 0) for a in self._actions(name, values, segment, cells)))

        return call

    def through(self, pointer: Evaluate, values: Values, segment: Segment, span: Span) -> Leave:
        """Call what a pointer leads to; if that is not known, any function that takes as many arguments."""
        machine, count = self._machine, len(values)
        plain = machine.labelling is None

        def call_at(address: int, cells: Cells) -> Segment | None:
            return self._enter(machine.known.called_at(address, count, span), values, segment, span, cells)

        def call(cells: Cells) -> Segment | None:
            address = pointer(cells)
            # That there is no such function shows when it is called, which is after its arguments.
            given = [v(cells) for v in values]
            if plain and address.__class__ is int:
                return self._go_in(machine.known.called_at(address, count, span), given, segment, span)
            addresses = self._callable(targets(address), count, span)
            options: list[tuple[str, int]] = []
            for address in addresses:
                name = machine.known.called_at(address, count, span)
                segment.ways[address] = Way(certain, partial(call_at, address))
                actions = self._actions(name, values, segment, cells) if self._is_shown(name) else [TAU]
                options += [(action, address) for action in actions]
            if len(options) == 1 and options[0][0] == TAU:
                return call_at(addresses[0], cells)
            return machine.choose(segment, tuple(options))

        return call

    def _callable(self, addresses: tuple[int, ...] | None, count: int, span: Span) -> tuple[int, ...]:
        """Those of some addresses, or of all there are, where a function with so many parameters is."""
        found = [a for a in self._machine.known.callable_with(count) if addresses is None or a in addresses]
        wrong = [FaultKind.NULL] if addresses is None or 0 in addresses else []
        wrong += [FaultKind.CALL] if addresses is None or not {0, *found}.issuperset(addresses) else []
        for kind in wrong if found else wrong[1:]:
            self._machine.doubts.note(kind, span)
        if not found:
            raise Fault(wrong[0], span)
        return tuple(found)

    def back(self, value: Evaluate | None, function: Function, segment: Segment, span: Span) -> Leave:
        """Return from a function."""
        machine, labelling = self._machine, self._machine.labelling

        def go(cells: Cells) -> Segment | None:
            return machine.leave(None if value is None else value(cells), span)

        if labelling is None or not labelling.knows_return(function.name):
            return go
        segment.ways = {0: Way(certain, go)}

        def leave(cells: Cells) -> Segment | None:
            if machine.stack.frames[-1].entry == function.name and machine.tells_return(function.name):
                return go(cells)
            result = value(cells) if value is not None else None
            actions = shown(labelling.returned(function.name, result, function.result))
            return machine.choose(segment, tuple((action, 0) for action in actions))

        return leave

    def _enter(self, name: str, values: Values, segment: Segment, span: Span, cells: Cells) -> Segment | None:
        return self._go_in(name, [v(cells) for v in values], segment, span)

    def _go_in(self, name: str, given: list[Any], segment: Segment, span: Span) -> Segment | None:
        machine = self._machine
        if name in machine.functions:
            return machine.enter(machine.functions[name], given, segment, span)
        return machine.call_out(name, given, segment)

    def _is_shown(self, name: str) -> bool:
        """Whether the step into a function may have a label; that to one without a body has it elsewhere."""
        labelling = self._machine.labelling
        return labelling is not None and name in self._machine.functions and labelling.knows_call(name)

    def _actions(self, name: str, values: Values, segment: Segment, cells: Cells) -> list[str]:
        labelling = self._machine.labelling
        assert labelling is not None
        given: list[Any] = [v(cells) for v in values]
        return shown(labelling.call(name, given, segment.types))
