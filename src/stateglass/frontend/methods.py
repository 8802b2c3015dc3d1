"""Lowers calls of member functions and operators: for which object, and of which function if it is virtual."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind

from stateglass.frontend import libclang
from stateglass.frontend.builder import NotSupported
from stateglass.frontend.destruction import destructor_of
from stateglass.frontend.lambdas import invoker, is_lambda
from stateglass.frontend.libclang import ClangType, Cursor
from stateglass.frontend.locations import span_of
from stateglass.frontend.peeling import strip
from stateglass.frontend.signatures import has_this
from stateglass.frontend.units import METHODS
from stateglass.program import Call, Expression, FunctionReference, Local, Place, Pointer, Record
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.expressions import Expressions


@final
class Methods:
    """Lowers the calls of member functions in one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._types = expressions.symbols.types

    def call(self, cursor: Cursor, wanted: bool, into: Place | None) -> Local | None:
        method = cursor.referenced
        span = span_of(cursor)
        objects = self._lower.objects
        if method.kind is CursorKind.CONSTRUCTOR:
            if into is not None:
                objects.construct(into, cursor, span)
                return None
            return objects.temporary(cursor.type, span, lambda place: objects.construct(place, cursor, span))
        if method.kind is CursorKind.CONVERSION_FUNCTION and is_lambda(method.semantic_parent):
            return self._as_function(cursor, method, wanted, span)
        given = list(cursor.get_arguments())
        callee = strip(libclang.children(cursor)[0])
        # What is called like a function may be a member that is an object.
        is_member = callee.kind is CursorKind.MEMBER_REF_EXPR and callee.referenced.kind in METHODS
        if method.kind is CursorKind.DESTRUCTOR and not libclang.is_dynamic_call(cursor):
            self._destroy(callee, method, span)
            return None
        this: Expression | None = None
        if has_this(method):
            this = self._object(callee, method, span) if is_member else self._operand(given.pop(0), method, span)
        if method.kind is CursorKind.CXX_METHOD and objects.assigns_plainly_by(method):
            assert this is not None
            return self._assign_plainly(this, given[0], wanted, span)
        mark = self._builder.mark()
        values = self._lower.calls.arguments(given, method)
        if this is not None:
            this = self._lower.settled(this, mark)
        function: str | Expression = (
            self._lower.tables.function_behind(this, method, span)
            if this is not None and libclang.is_dynamic_call(cursor)
            else self._lower.symbols.function(method)
        )
        hidden = () if this is None else (this,)
        return self._lower.calls.with_result(
            function, (*hidden, *values), method.result_type, span, wanted, into, len(hidden)
        )

    def _destroy(self, callee: Cursor, method: Cursor, span: Span) -> None:
        """`p->~T()`: the end of an object whose memory goes on to be there."""
        this = self._object(callee, method, span)
        destructor = destructor_of(self._lower.symbols, method.semantic_parent.type)
        if destructor is not None:
            self._builder.emit(Call(None, destructor, (this,), span))

    def _as_function(self, cursor: Cursor, method: Cursor, wanted: bool, span: Span) -> Local | None:
        """A lambda without captures as a pointer to a function."""
        for inner in libclang.expression_children(strip(libclang.children(cursor)[0])):
            self._lower.place(inner)
        if not wanted:
            return None
        type = self._types.convert(method.result_type)
        assert isinstance(type, Pointer)
        result = self._builder.temporary(type, span)
        name = invoker(self._lower.symbols, method.semantic_parent)
        self._builder.assign(result, FunctionReference(name, type, span), span)
        return result

    def _assign_plainly(self, this: Expression, source: Cursor, wanted: bool, span: Span) -> Local | None:
        """An assignment of objects that copies memory; its value is the object."""
        assert isinstance(this.type, Pointer)
        place = self._lower.behind(this, span)
        mark = self._builder.mark()
        other = self._lower.place(source)
        place = self._lower.settled_place(place, mark)
        self._lower.objects.copy_plainly(place, other, span)
        if not wanted:
            return None
        result = self._builder.temporary(this.type, span)
        self._builder.assign(result, self._lower.objects.address(place, span), span)
        return result

    def _object(self, callee: Cursor, method: Cursor, span: Span) -> Expression:
        """The address of the object that a member function is called for."""
        inner = libclang.expression_children(callee)
        if callee.location.file is not None:  # the arguments of a template stand behind the name
            inner = [c for c in inner if c.extent.start.offset <= callee.location.offset]
        owner = method.semantic_parent.type
        if not inner:
            pointer = self._lower.objects.this(span)
            return self.as_owner(pointer, self._lower.objects.this_type(), owner, span)
        if isinstance(self._lower.type_of(inner[0]), Pointer):
            pointer = self._lower.value(inner[0])
            return self.as_owner(pointer, inner[0].type.get_canonical().get_pointee(), owner, span)
        return self._operand(inner[0], method, span)

    def _operand(self, cursor: Cursor, method: Cursor, span: Span) -> Expression:
        place = self._lower.place(cursor)
        pointer = self._lower.objects.address(place, span)
        return self.as_owner(pointer, cursor.type, method.semantic_parent.type, span)

    def as_owner(self, pointer: Expression, given: ClangType, owner: ClangType, span: Span) -> Expression:
        """The address of an object as that of the part of it which the class is about that has the function."""
        wanted = self._types.convert(owner)
        assert isinstance(pointer.type, Pointer)
        if pointer.type.target == wanted or not isinstance(pointer.type.target, Record):
            return pointer
        if not self._lower.objects.is_derived(given, owner):
            raise NotSupported(f"a call for {given.spelling} of a function of {owner.spelling}", span)
        place = self._lower.objects.as_base(self._lower.behind(pointer, span), given, owner, span)
        return self._lower.objects.address(place, span)
