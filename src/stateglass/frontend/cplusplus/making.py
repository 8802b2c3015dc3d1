"""Constructors that nobody wrote and no code calls: clang does not have them, and the environment needs them."""

from __future__ import annotations

from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.cplusplus.members import Members
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import FunctionBuilder, NotSupported
from stateglass.frontend.lowering.expressions import Expressions
from stateglass.program import VOID, Function, Local, Pointer, Return
from stateglass.program.names import THIS


def implicit_constructor(symbols: Symbols, name: str, type: ClangType) -> Function:
    """The constructor without parameters of a class that declares none."""
    span = span_of(type.get_declaration())
    builder = FunctionBuilder(name, symbols.int_type, symbols.types.pointer_size)
    this = Local(THIS, Pointer(symbols.types.convert(type), symbols.types.pointer_size), span)
    builder.add_local(this.name, this.type, span)
    builder.this, builder.owner = this, type
    builder.result_type = VOID
    builder.locals.clear()
    lower = Expressions(symbols, builder)
    try:
        Members(lower, _no_statement).begin(type, span)
    except NotSupported as reason:
        builder.give_up(0, reason.reason, reason.span)
    builder.finish(Return(None, span))
    return Function(name, VOID, (this,), tuple(builder.locals), builder.blocks(), span=span)


def _no_statement(statement: Cursor) -> None:
    raise AssertionError("a constructor that nobody wrote has no body")
