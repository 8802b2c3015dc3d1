"""Lowers `new` and `delete`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.cplusplus.allocation import (
    GETTING,
    New,
    function_on_throw,
    is_of_library,
    is_several,
    new_parts,
    operator_function,
)
from stateglass.frontend.cplusplus.classes import element_type, is_class
from stateglass.frontend.cplusplus.destruction import destructor_of, destructor_of_first, releaser
from stateglass.frontend.cplusplus.exceptions import never_throws
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.program import (
    VOID,
    Allocate,
    AllocatedSize,
    Array,
    Assign,
    Binary,
    BinaryOperator,
    Call,
    Compare,
    Comparison,
    Constant,
    Dereference,
    Expression,
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
    from stateglass.frontend.lowering.expressions import Expressions


@final
class Heap:
    """Lowers what one function does with objects that live until they are deleted."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._types = expressions.symbols.types
        self._unsigned = expressions.symbols.size_type

    def new(self, cursor: Cursor) -> Expression:
        span = span_of(cursor)
        type = self._lower.scalar_type(cursor)
        assert isinstance(type, Pointer)
        element = cursor.type.get_canonical().get_pointee()
        parts = new_parts(cursor)
        number: Expression | None = None
        if parts.count is not None:
            number = convert(self._lower.value(parts.count), self._unsigned, span)
            number = number if isinstance(number, Constant) else self._builder.kept(number, span)
        start = self._memory(parts, number, type, element, span)
        after = self._builder.new_block()
        if never_throws(parts.function, self._types) and not self._is_usual(parts.function):
            some = self._builder.new_block()  # who must not throw says by a null pointer that there is no memory
            self._builder.branch(start, some, after, span)
            self._builder.current = some
        objects = self._lower.objects
        with objects.partly():
            if not parts.is_placement and is_class(element_type(element)):
                self._give_back_on_throw(cursor, start, span)
            if number is None:
                self._begin_one(Dereference(start, type.target, 1, span), parts.value, element, span)
            else:
                self._begin_several(start, number, parts.value, element, span)
        self._builder.start(after, span)
        return start

    def _memory(
        self, parts: New, number: Expression | None, type: Pointer, element: ClangType, span: Span
    ) -> Expression:
        """Where new objects begin."""
        unsigned = self._unsigned
        amount: Expression = Constant(size_of(type.target, self._types.records), unsigned, span)
        if number is not None:
            amount = Binary(BinaryOperator.MULTIPLY, number, amount, unsigned, span)
        if parts.is_placement:
            return self._builder.kept(convert(self._lower.value(parts.places[0]), type, span), span)
        made = self._builder.temporary(type, span)
        if self._is_usual(parts.function):
            for place in parts.places:
                self._lower.discard(place)  # `std::nothrow`
            self._builder.emit(Allocate(made, amount, span))
            return Load(made, type, span)
        if number is not None and destructor_of(self._lower.symbols, element) is not None:
            raise NotSupported("an `operator new[]` of the program for objects with destructors", span)
        values = self._lower.calls.arguments(parts.places, parts.function, first=1)
        anything = Pointer(VOID, self._types.pointer_size)
        memory = self._builder.temporary(anything, span)
        name = self._lower.symbols.function(parts.function)
        self._builder.emit(Call(memory, name, (amount, *values), span))
        self._builder.assign(made, convert(Load(memory, anything, span), type, span), span)
        return Load(made, type, span)

    def _is_usual(self, function: Cursor) -> bool:
        """Whether memory comes from the heap, and not from a function of the program."""
        return is_of_library(function) and not self._lower.symbols.is_defined(function)

    def _give_back_on_throw(self, cursor: Cursor, start: Expression, span: Span) -> None:
        function = function_on_throw(cursor)
        if function is None:
            return
        memory = self._as_memory(start, span)
        if self._is_usual(function):
            self._lower.objects.on_throw(releaser(self._lower.symbols), (memory,), span)
        else:
            values = self._given_back(function, memory, start, span)
            self._lower.objects.on_throw(self._lower.symbols.function(function), values, span)

    def _given_back(
        self, function: Cursor, memory: Expression, pointer: Expression, span: Span
    ) -> tuple[Expression, ...]:
        """What an `operator delete` is called with."""
        others = [str(p.type.get_canonical().spelling) for p in function.get_arguments()][1:]
        if not others:
            return (memory,)
        if len(others) > 1 or not others[0].startswith("unsigned"):
            raise NotSupported(f"an `operator delete` with a parameter of type {others[0]}", span)
        assert isinstance(pointer.type, Pointer)
        return memory, Constant(size_of(pointer.type.target, self._types.records), self._unsigned, span)

    def _begin_one(self, place: Place, value: Cursor | None, element: ClangType, span: Span) -> None:
        if value is not None:
            self._lower.objects.initialise(place, value, element, span)
        else:
            self._lower.objects.construct_by_default(place, element, span)

    def _begin_several(
        self, start: Expression, number: Expression, value: Cursor | None, element: ClangType, span: Span
    ) -> None:
        """An array of new objects: those that a list gives values for, and then all others."""
        objects = self._lower.objects
        destructor = destructor_of(self._lower.symbols, element)
        listed = 0
        if value is not None and value.kind is CursorKind.INIT_LIST_EXPR and libclang.children(value):
            assert isinstance(start.type, Pointer)
            listed = value.type.get_canonical().element_count
            whole = Array(start.type.target, listed)
            pointer = convert(start, Pointer(whole, start.type.size), span)
            if not isinstance(number, Constant):
                self._check_length(number, listed, value, span)
            place = Dereference(pointer, whole, 1, span)
            objects.initialise(place, value, value.type, span)
            if destructor is not None:
                objects.guard(place, value.type, span)
        zero = value is not None and (value.kind is CursorKind.INIT_LIST_EXPR or not is_class(element_type(element)))
        begin = objects.value_initialise if zero else objects.construct_by_default
        self._for_each(start, number, span, lambda place: begin(place, element, span), destructor, listed)

    def _check_length(self, number: Expression, listed: int, value: Cursor, span: Span) -> None:
        """A list with more values than there are objects is an exception."""
        fits, fails = self._builder.new_block(), self._builder.new_block()
        enough = Constant(listed, self._unsigned, span)
        self._builder.branch(Compare(Comparison.LESS, number, enough, self._lower.int_type, span), fails, fits, span)
        self._builder.current = fails
        self._lower.exceptions.throw_of_library("bad_array_new_length", value, span)
        self._builder.start(fits, span)

    def _as_memory(self, pointer: Expression, span: Span) -> Expression:
        return convert(pointer, Pointer(VOID, self._types.pointer_size), span)

    def delete(self, cursor: Cursor) -> None:
        span = span_of(cursor)
        inner = libclang.operand(cursor)
        pointer = self._builder.kept(self._lower.value(inner), span)
        assert isinstance(pointer.type, Pointer)
        element = inner.type.get_canonical().get_pointee()
        function = operator_function(cursor)
        method = self._types.classes.of(element).destructor if is_class(element) else None
        then, after = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(pointer, then, after, span)
        self._builder.current = then
        if method is not None and method.is_virtual_method() and not is_several(cursor):
            called = self._lower.tables.function_behind(pointer, method, span, deleting=True)
            self._builder.emit(Call(None, called, (pointer,), span))
        else:
            destructor = destructor_of(self._lower.symbols, element)
            if destructor is not None and is_several(cursor):
                self._destroy_all(pointer, destructor, span)
            elif destructor is not None:
                self._builder.emit(Call(None, destructor, (pointer,), span))
            self._release(function, pointer, span)
        self._builder.start(after, span)

    def call(self, function: Cursor, arguments: list[Cursor], span: Span) -> Local | None:
        """`::operator new(size)` and `::operator delete(memory)`, which are called like other functions."""
        value = self._lower.value(arguments[0])
        for other in arguments[1:]:
            self._lower.discard(other)  # `std::nothrow`, a size or an alignment
        if function.spelling in GETTING:
            memory: Local = self._builder.temporary(Pointer(VOID, self._types.pointer_size), span)
            self._builder.emit(Allocate(memory, convert(value, self._unsigned, span), span))
            return memory
        pointer = self._builder.kept(value, span)
        then, after = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(pointer, then, after, span)
        self._builder.current = then
        self._builder.emit(Release(pointer, span))
        self._builder.start(after, span)
        return None

    def _release(self, function: Cursor, pointer: Expression, span: Span) -> None:
        if self._is_usual(function):
            self._builder.emit(Release(pointer, span))
            return
        values = self._given_back(function, self._as_memory(pointer, span), pointer, span)
        self._builder.emit(Call(None, self._lower.symbols.function(function), values, span))

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
        self,
        start: Expression,
        number: Expression,
        span: Span,
        begin: Callable[[Place], None],
        destructor: str | None,
        first: int,
    ) -> None:
        """Makes several objects that lie one after the other; if one fails, those before it are destroyed."""
        builder, wide = self._builder, self._unsigned
        index = builder.temporary(wide, span)
        held = Load(index, wide, span)
        builder.emit(Assign(index, Constant(first, wide, span), span))
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
