"""Lowers what libclang does not name, and the extensions of gcc: `a ?: b`, `({ … })`, `&&label`, `_Generic`."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.hidden import Hidden, hidden_kind, is_selection
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import transparent
from stateglass.frontend.lowering.atomics import Atomics
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import convert, is_nonzero
from stateglass.program import Assign, Constant, Expression, Load, Local

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions


@final
class Extensions:
    """Lowers the extensions in one function's expressions."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._atomics = Atomics(expressions)

    def unexposed(self, cursor: Cursor) -> Expression:
        """An expression that libclang does not name."""
        hidden = hidden_kind(cursor)
        match hidden:
            case Hidden.WHOLE:
                return self._lower.objects.whole_value(cursor)
            case Hidden.CONVERSION | Hidden.CONSTANT | Hidden.TEMPORARY | Hidden.BOUND:
                return self._lower.cast(cursor)
            case Hidden.REWRITTEN:
                return self._lower.value(libclang.operand(cursor))
            case Hidden.ZERO:
                return Constant(0, self._lower.scalar_type(cursor), span_of(cursor))
            case Hidden.OFFSET_OF | Hidden.TYPE_TEST:
                return self._lower.constant(cursor)
            case Hidden.CONDITIONAL:
                return self._value_or(cursor)
            case Hidden.VARIADIC_ARGUMENT:
                type = self._lower.scalar_type(cursor)
                return Load(self._lower.calls.variadic_argument(cursor), type, span_of(cursor))
            case Hidden.ATOMIC:
                return self._atomics.lower(cursor)
            case Hidden.CHOICE | Hidden.FUNCTION_NAME | Hidden.OTHER | Hidden.DEFAULT_ARGUMENT | Hidden.VALUE_LIST:
                raise NotSupported(hidden.value, span_of(cursor))
            case Hidden.ARRAY_COPY | Hidden.ARRAY_INDEX:
                raise NotSupported(hidden.value, span_of(cursor))
            case _:
                assert_never(hidden)

    def atomic(self, cursor: Cursor) -> None:
        """An atomic operation whose result nobody wants."""
        self._atomics.lower(cursor)

    def _value_or(self, cursor: Cursor) -> Expression:
        """`a ?: b`: libclang shows `a` three times, and it is evaluated once."""
        first, *_, second = libclang.children(cursor)
        span = span_of(cursor)
        type = self._lower.widths.type_of(cursor) or self._lower.scalar_type(cursor)
        result = self._builder.temporary(type, span)
        value = self._lower.value(first)
        kept = self._builder.temporary(value.type, span)
        self._builder.emit(Assign(kept, value, span))
        then, other, after = (self._builder.new_block() for _ in range(3))
        self._builder.branch(is_nonzero(Load(kept, value.type, span), self._lower.int_type, span), then, other, span)
        self._builder.current = then
        self._builder.emit(Assign(result, convert(Load(kept, value.type, span), type, span), span))
        self._builder.start(after, span)
        self._builder.current = other
        self._lower.updates.store(result, second, span)
        self._builder.start(after, span)
        return Load(result, type, span)

    def result_of_statements(self, cursor: Cursor) -> Expression:
        type = self._lower.widths.type_of(cursor) or self._lower.scalar_type(cursor)
        result = self._builder.temporary(type, span_of(cursor))
        self.run(cursor, result)
        return Load(result, type, span_of(cursor))

    def run(self, cursor: Cursor, result: Local | None) -> None:
        """`({ … })`: the value of its last statement goes to `result`."""
        if self._lower.run_statements is None:
            raise NotSupported("a statement expression here", span_of(cursor))
        self._lower.run_statements(libclang.children(cursor)[0], result)

    def bare(self, cursor: Cursor) -> Cursor:
        """The expression inside all that is transparent; what a type selects must be what gcc's type selects."""
        while (inner := transparent(cursor)) is not None:
            if cursor.kind is CursorKind.GENERIC_SELECTION_EXPR and (inside := libclang.expression_children(cursor)):
                self._lower.widths.refuse(inside[0], span_of(cursor))
            cursor = inner
        if is_selection(cursor):
            raise NotSupported("a selection (this libclang does not tell what is chosen)", span_of(cursor))
        return cursor

    def label(self, cursor: Cursor) -> Expression:
        type = self._lower.scalar_type(cursor)
        (label,) = libclang.children(cursor)
        return Constant(self._lower.symbols.label_number(label.spelling), type, span_of(cursor))
