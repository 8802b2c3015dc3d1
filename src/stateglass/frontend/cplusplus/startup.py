"""What happens before a C++ program begins: variables whose first values are computed."""

from __future__ import annotations

from typing import final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.cplusplus.ending import count_begun
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import FunctionBuilder, NotSupported
from stateglass.frontend.lowering.expressions import Expressions
from stateglass.program import VOID, Function, Global, Int, Return


@final
class Startup:
    """Makes the function of one file that nobody wrote."""

    def __init__(self, symbols: Symbols, int_type: Int) -> None:
        self._symbols = symbols
        self._int_type = int_type

    def function(self, name: str, variables: list[tuple[Global, Cursor]]) -> Function | None:
        """Gives variables their first values; None if nothing is to be done."""
        builder = FunctionBuilder(name, self._int_type, self._symbols.types.pointer_size)
        builder.never_throws = True
        lower = Expressions(self._symbols, builder)
        builder.open_scope()
        for place, cursor in variables:
            value = libclang.initialiser(cursor)
            assert value is not None
            span = span_of(cursor)
            try:
                with lower.objects.for_good(place.name):
                    lower.objects.initialise(place, value, cursor.type, span)
                count_begun(self._symbols, builder, place, cursor.type, span)
            except NotSupported as reason:
                builder.give_up(0, f"the first value of `{place.name}`: {reason.reason}", reason.span)
        builder.close_scope()
        if not builder.has_effects():
            return None
        builder.finish(Return(None))
        return Function(builder.name, VOID, (), tuple(builder.locals), builder.blocks())


def begins_by_itself(cursor: Cursor) -> bool:
    """Whether a variable, be it used or not, may do something when the program begins."""
    value = libclang.initialiser(cursor)
    if value is None or libclang.evaluate(value) is not None or cursor.location.is_in_system_header:
        return False
    return any(part.kind is CursorKind.CALL_EXPR for part in value.walk_preorder())
