"""Functions without a body, for all inputs at once: they return anything, and write anything where they may."""

from __future__ import annotations

from typing import final

from stateglass.explore.merging.context import Context
from stateglass.explore.merging.frames import Value
from stateglass.explore.merging.outcome import Kind
from stateglass.explore.merging.places import MergedPlaces
from stateglass.program import Pointer, Type, Void, is_scalar
from stateglass.program.names import called_by
from stateglass.program.outside import written_through
from stateglass.smt import Term
from stateglass.source import Span


@final
class Outside:
    """Calls them on the way at hand."""

    def __init__(self, context: Context, places: MergedPlaces) -> None:
        self._context = context
        self._places = places

    def call(self, name: str, arguments: list[Value], types: tuple[Type, ...], span: Span) -> Value:
        context = self._context
        declaration = context.machine.program.declarations[name]
        written = context.called_out.setdefault(name, set())
        if declaration.noreturn:
            context.end(Kind.EXIT, name, self._context.terms.true, span)
        for number in written_through(declaration, types):
            pointer = arguments[number]
            assert isinstance(pointer, Term)
            written.add(number)
            self._written_by(name, number, pointer, span)
        result = declaration.result
        if isinstance(result, Void):
            return None
        if is_scalar(result) and not isinstance(result, Pointer):
            return context.ask(f"{called_by(name)}()", result, span, origin=name)
        context.lose(f"`{name}` has no body, and what it returns is no number", self._context.terms.true, span)
        raise AssertionError

    def _written_by(self, name: str, number: int, pointer: Term, span: Span) -> None:
        context = self._context
        for spot in self._places.targets(pointer, span):
            found = context.memory.object_at(spot.address)
            if found is None or found.readonly:
                continue
            for cell_number, cell in enumerate(found.shape, found.first):
                if isinstance(cell.type, Pointer):
                    reason = f"`{name}` has no body and may change the pointer {found.name}{cell.path}"
                    context.lose(reason, spot.only, span)
                else:
                    made = context.ask(
                        f"{called_by(name)}.{number}{cell.path}", cell.type, span, spot.only, origin=name
                    )
                    self._places.access.put(cell_number, made, spot.only, span)
