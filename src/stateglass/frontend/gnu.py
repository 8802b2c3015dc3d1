"""Lowers what libclang does not name, and the extensions of gcc: `a ?: b`, `({ … })`, `&&label`, `_Generic`."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never, final

from stateglass.frontend import clang
from stateglass.frontend.builder import NotSupported
from stateglass.frontend.clang import Cursor
from stateglass.frontend.conversions import convert, is_nonzero
from stateglass.frontend.hidden import Hidden, hidden_kind, strip
from stateglass.frontend.locations import span_of
from stateglass.program import (
    Array,
    Assign,
    Binary,
    BinaryOperator,
    Constant,
    Expression,
    Int,
    Load,
    Local,
    is_scalar,
    size_of,
)

if TYPE_CHECKING:
    from stateglass.frontend.expressions import Expressions


@final
class Extensions:
    """Lowers the extensions in one function's expressions."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder

    def unexposed(self, cursor: Cursor) -> Expression:
        """An expression that libclang does not name."""
        hidden = hidden_kind(cursor)
        match hidden:
            case Hidden.CONVERSION | Hidden.CONSTANT | Hidden.WHOLE | Hidden.TEMPORARY:
                return self._lower.cast(cursor)
            case Hidden.OFFSET_OF | Hidden.TYPE_TEST:
                return self._lower.constant(cursor)
            case Hidden.CHOICE:
                condition, then, other = clang.children(cursor)
                return self._lower.value(then if clang.evaluate(condition) else other)
            case Hidden.CONDITIONAL:
                return self._value_or(cursor)
            case Hidden.VARIADIC_ARGUMENT:
                type = self._lower.scalar_type(cursor)
                return Load(self._lower.calls.variadic_argument(cursor), type, span_of(cursor))
            case Hidden.FUNCTION_NAME | Hidden.OTHER:
                raise NotSupported(hidden.value, span_of(cursor))
            case _:
                assert_never(hidden)

    def _value_or(self, cursor: Cursor) -> Expression:
        """`a ?: b`: libclang shows `a` three times, and it is evaluated once."""
        first, *_, second = clang.children(cursor)
        span = span_of(cursor)
        type = self._lower.scalar_type(cursor)
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
        type = self._lower.scalar_type(cursor)
        result = self._builder.temporary(type, span_of(cursor))
        self.run(cursor, result)
        return Load(result, type, span_of(cursor))

    def run(self, cursor: Cursor, result: Local | None) -> None:
        """`({ … })`: the value of its last statement goes to `result`."""
        if self._lower.run_statements is None:
            raise NotSupported("a statement expression here", span_of(cursor))
        self._lower.run_statements(clang.children(cursor)[0], result)

    def selected(self, cursor: Cursor) -> Cursor:
        """The branch of `_Generic` that is taken; libclang does not tell it, so it must follow from the types."""
        _, *branches = clang.expression_children(cursor)
        fitting = [b for b in branches if b.type.get_canonical() == cursor.type.get_canonical()]
        values = {clang.evaluate(b) for b in fitting}
        whole = clang.evaluate(cursor)
        if whole is not None and whole in values:
            fitting = [b for b in fitting if clang.evaluate(b) == whole]
        elif len(fitting) != 1:
            raise NotSupported("_Generic with several branches of one type", span_of(cursor))
        return fitting[0]

    def label(self, cursor: Cursor) -> Expression:
        type = self._lower.scalar_type(cursor)
        (label,) = clang.children(cursor)
        return Constant(self._lower.symbols.label_number(label.spelling), type, span_of(cursor))

    def size_of_variable(self, cursor: Cursor) -> Expression:
        """`sizeof` of an array of variable length."""
        inner = clang.expression_children(cursor)
        place = self._lower.place(strip(inner[0])) if len(inner) == 1 else None
        type, span = self._lower.scalar_type(cursor), span_of(cursor)
        if not isinstance(place, Local) or place.name not in self._builder.lengths or not isinstance(type, Int):
            raise NotSupported("this sizeof", span)
        length = self._builder.lengths[place.name]
        assert isinstance(place.type, Array) and is_scalar(length.type)
        size = Constant(size_of(place.type.element, self._lower.symbols.types.records), type, span)
        count = convert(Load(length, length.type, span), type, span)
        return Binary(BinaryOperator.MULTIPLY, count, size, type, span)
