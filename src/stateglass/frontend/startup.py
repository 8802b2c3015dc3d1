"""What happens before a C++ program begins and after it ended: variables whose first values are computed."""

from __future__ import annotations

from typing import final

from stateglass.frontend import libclang
from stateglass.frontend.builder import FunctionBuilder, NotSupported
from stateglass.frontend.destruction import destructor_of
from stateglass.frontend.expressions import Expressions
from stateglass.frontend.libclang import Cursor
from stateglass.frontend.locations import span_of
from stateglass.frontend.signatures import is_reference
from stateglass.frontend.symbols import Symbols
from stateglass.program import VOID, AddressOf, Call, Function, Global, Int, Pointer, Return


@final
class Startup:
    """Makes the functions of one file that nobody wrote."""

    def __init__(self, symbols: Symbols, int_type: Int) -> None:
        self._symbols = symbols
        self._int_type = int_type

    def functions(self, file: str, variables: list[tuple[Global, Cursor]]) -> tuple[Function | None, Function | None]:
        """One that gives variables their first values, and one that destroys them; None where nothing is to be done."""
        first, last = self._begin(f"start of {file}"), self._begin(f"end of {file}")
        first.never_throws = last.never_throws = True
        lower = Expressions(self._symbols, first)
        first.open_scope()
        for place, cursor in variables:
            value = libclang.initialiser(cursor)
            assert value is not None
            span = span_of(cursor)
            try:
                with lower.objects.for_good(place.name):
                    lower.objects.initialise(place, value, cursor.type, span)
            except NotSupported as reason:
                first.give_up(0, f"the first value of `{place.name}`: {reason.reason}", reason.span)
        first.close_scope()
        for place, cursor in reversed(variables):
            destructor = destructor_of(self._symbols, cursor.type) if not is_reference(cursor.type) else None
            if destructor is not None:
                address = AddressOf(place, Pointer(place.type, self._symbols.types.pointer_size))
                last.emit(Call(None, destructor, (address,)))
        return self._finished(first), self._finished(last)

    def _begin(self, name: str) -> FunctionBuilder:
        return FunctionBuilder(name, self._int_type, self._symbols.types.pointer_size)

    def _finished(self, builder: FunctionBuilder) -> Function | None:
        if not builder.has_effects():
            return None
        builder.finish(Return(None))
        return Function(builder.name, VOID, (), tuple(builder.locals), builder.blocks())
