"""Lowers `new` and `delete`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind, TypeKind

from stateglass.frontend import libclang
from stateglass.frontend.builder import NotSupported
from stateglass.frontend.classes import is_class
from stateglass.frontend.conversions import convert
from stateglass.frontend.destruction import destructor_of, destructor_of_first, releaser
from stateglass.frontend.libclang import ClangType, Cursor
from stateglass.frontend.locations import span_of
from stateglass.program import (
    VOID,
    Allocate,
    AllocatedSize,
    Assign,
    Binary,
    BinaryOperator,
    Call,
    Compare,
    Comparison,
    Constant,
    Dereference,
    Expression,
    Int,
    Load,
    Local,
    Place,
    Pointer,
    PointerAdd,
    Release,
    size_of,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.expressions import Expressions


@final
class Heap:
    """Lowers what one function does with objects that live until they are deleted."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._types = expressions.symbols.types
        self._unsigned = Int(expressions.symbols.ptrdiff_type.bits, signed=False)

    def new(self, cursor: Cursor) -> Expression:
        span = span_of(cursor)
        type = self._lower.scalar_type(cursor)
        assert isinstance(type, Pointer)
        element = cursor.type.get_canonical().get_pointee()
        if (where := _given_place(cursor)) is not None:
            return self._new_at(where, cursor, type, span)
        count, value = _parts(cursor)
        size = size_of(type.target, self._types.records)
        unsigned = self._unsigned
        amount: Expression = Constant(size, unsigned, span)
        number: Expression | None = None
        if count is not None:
            number = self._kept(convert(self._lower.value(count), unsigned, span), span)
            amount = Binary(BinaryOperator.MULTIPLY, number, amount, unsigned, span)
        made = self._builder.temporary(type, span)
        self._builder.emit(Allocate(made, amount, span))
        start = Load(made, type, span)
        if number is not None and value is not None and _has_values(value):
            raise NotSupported("an array of new objects with a list of values", span)
        objects = self._lower.objects
        with objects.partly():
            if is_class(element):
                objects.on_throw(releaser(self._lower.symbols), (self._as_memory(start, span),), span)
            if number is None:
                self._begin_one(Dereference(start, type.target, 1, span), value, element, span)
            else:
                destructor = destructor_of(self._lower.symbols, element)
                begin = partial(self._begin, value=value, cursor=cursor, span=span)
                self._for_each(start, number, span, begin, destructor)
        return start

    def _new_at(self, where: Cursor, cursor: Cursor, type: Pointer, span: Span) -> Expression:
        """An object in memory that somebody else has got."""
        start = self._kept(convert(self._lower.value(where), type, span), span)
        values = [c for c in libclang.expression_children(cursor) if c != where]
        element = cursor.type.get_canonical().get_pointee()
        self._begin_one(Dereference(start, type.target, 1, span), values[0] if values else None, element, span)
        return start

    def _begin_one(self, place: Place, value: Cursor | None, element: ClangType, span: Span) -> None:
        if value is not None:
            self._lower.objects.initialise(place, value, element, span)
        else:
            self._lower.objects.construct_by_default(place, element, span)

    def _as_memory(self, pointer: Expression, span: Span) -> Expression:
        return convert(pointer, Pointer(VOID, self._types.pointer_size), span)

    def _begin(self, place: Place, value: Cursor | None, cursor: Cursor, span: Span) -> None:
        """One of several new objects."""
        element = cursor.type.get_canonical().get_pointee()
        if (value is not None and not is_class(element)) or (
            value is not None and value.kind is CursorKind.INIT_LIST_EXPR
        ):
            self._lower.objects.value_initialise(place, element, span)
        else:
            self._lower.objects.construct_by_default(place, element, span)

    def delete(self, cursor: Cursor) -> None:
        span = span_of(cursor)
        inner = libclang.operand(cursor)
        pointer = self._kept(self._lower.value(inner), span)
        assert isinstance(pointer.type, Pointer)
        element = inner.type.get_canonical().get_pointee()
        then, after = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(pointer, then, after, span)
        self._builder.current = then
        several = "[" in _words(cursor)[:3]
        destructor = destructor_of(self._lower.symbols, element)
        memory: Expression = pointer
        if destructor is not None and several:
            self._destroy_all(pointer, destructor, span)
        else:
            memory = self._destroy(pointer, element, destructor, span)
        self._builder.emit(Release(memory, span))
        self._builder.start(after, span)

    def _destroy(self, pointer: Expression, element: ClangType, destructor: str | None, span: Span) -> Expression:
        """Ends the life of an object; where its memory begins."""
        method = self._types.classes.of(element).destructor if is_class(element) else None
        if method is not None and method.is_virtual_method():
            memory = self._lower.tables.whole(pointer, element, span)
            function = self._lower.tables.function_behind(pointer, method, span)
            self._builder.emit(Call(None, function, (pointer,), span))
            return memory
        if destructor is not None:
            self._builder.emit(Call(None, destructor, (pointer,), span))
        return pointer

    def _destroy_all(self, pointer: Expression, destructor: str, span: Span) -> None:
        assert isinstance(pointer.type, Pointer)
        wide = self._unsigned
        size = Constant(size_of(pointer.type.target, self._types.records), wide, span)
        whole = self._builder.temporary(wide, span)
        self._builder.emit(AllocatedSize(whole, pointer, span))
        count = Binary(BinaryOperator.DIVIDE, Load(whole, wide, span), size, wide, span)
        function = destructor_of_first(self._lower.symbols, destructor, pointer.type, wide)
        self._builder.emit(Call(None, function, (pointer, count), span))

    def _for_each(
        self, start: Expression, number: Expression, span: Span, begin: Callable[[Place], None], destructor: str | None
    ) -> None:
        """Makes several objects that lie one after the other; if one fails, those before it are destroyed."""
        builder, wide = self._builder, self._unsigned
        index = builder.temporary(wide, span)
        held = Load(index, wide, span)
        builder.emit(Assign(index, Constant(0, wide, span), span))
        assert isinstance(start.type, Pointer)
        if destructor is not None:
            function = destructor_of_first(self._lower.symbols, destructor, start.type, wide)
            self._lower.objects.on_throw(function, (start, held), span)
        head, inside, after = (builder.new_block() for _ in range(3))
        builder.start(head, span)
        builder.branch(Compare(Comparison.LESS, held, number, self._lower.int_type, span), inside, after, span)
        builder.current = inside
        size = size_of(start.type.target, self._types.records)
        moved = PointerAdd(start, convert(held, self._lower.symbols.ptrdiff_type, span), size, start.type, span)
        begin(Dereference(moved, start.type.target, 1, span))
        builder.emit(Assign(index, Binary(BinaryOperator.ADD, held, Constant(1, wide, span), wide, span), span))
        builder.start(head, span)
        builder.current = after

    def _kept(self, value: Expression, span: Span) -> Expression:
        kept: Local = self._builder.temporary(value.type, span)
        self._builder.assign(kept, value, span)
        return Load(kept, value.type, span)


def _parts(cursor: Cursor) -> tuple[Cursor | None, Cursor | None]:
    """How many objects are wanted (None: one), and what the first expression of their making is."""
    inner = libclang.expression_children(cursor)
    if "[" in _words(cursor):
        return inner[0], inner[1] if len(inner) > 1 else None
    return None, inner[0] if inner else None


def _given_place(cursor: Cursor) -> Cursor | None:
    """What stands for the memory in `new (memory) type`."""
    words = _words(cursor)
    if words[words.index("new") + 1] != "(":
        return None
    place = libclang.expression_children(cursor)[0]
    pointer = place.type.get_canonical()
    if "[" in words or pointer.kind is not TypeKind.POINTER:
        raise NotSupported("this form of `new`", span_of(cursor))
    return place


def _has_values(cursor: Cursor) -> bool:
    return cursor.kind is CursorKind.INIT_LIST_EXPR and bool(libclang.children(cursor))


def _words(cursor: Cursor) -> list[str]:
    """The words of an expression outside of brackets of any kind, which are among them."""
    words: list[str] = []
    depth = 0
    for token in cursor.get_tokens():
        text = token.spelling
        depth -= text in (")", "]", "}")
        if not depth:
            words.append(text)
        depth += text in ("(", "[", "{")
    return words
