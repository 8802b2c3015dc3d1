"""Lowers calls of member functions and operators: for which object, and of which function if it is virtual."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.clang.units import METHODS
from stateglass.frontend.cplusplus.destruction import destructor_of
from stateglass.frontend.cplusplus.lambdas import invoker, is_lambda
from stateglass.frontend.cplusplus.signatures import has_this
from stateglass.frontend.lowering.builder import Mark, NotSupported
from stateglass.frontend.lowering.calls import ASSIGNING, LEFT_FIRST
from stateglass.program import Aggregate, Call, Expression, FunctionReference, Local, Place, Pointer, Record
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions


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
        first = None if is_member or not has_this(method) else given.pop(0)
        plainly = method.kind is CursorKind.CXX_METHOD and objects.assigns_plainly_by(method)
        if first is not None and plainly:
            return self._assign_plainly(first, given[0], method, wanted, span)
        this, values = self._operands(callee, first, given, method, span)
        if plainly:
            assert this is not None
            return self._copied(self._lower.behind(this, span), self._behind_argument(values[0], span), wanted, span)
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

    def _operands(
        self, callee: Cursor, first: Cursor | None, given: list[Cursor], method: Cursor, span: Span
    ) -> tuple[Expression | None, tuple[Expression | Aggregate, ...]]:
        """The object that a function is called for, and its arguments; of an operator, `first` is the object.

        C++ says what comes first but for operators that are no assignments, where it is as gcc has it.
        """
        name = str(method.spelling).removeprefix("operator")
        start = self._builder.mark()
        if first is not None and name not in LEFT_FIRST and name not in ("[]", "()", "->"):
            values = self._lower.calls.arguments(given, method)
            mark = self._builder.mark()
            this = self._operand(first, method, span)
            if name in ASSIGNING:
                return this, tuple(self._before(v, mark) for v in values)
            self._builder.leave_open(this, start, mark, (mark, self._builder.mark()))
            return this, tuple(self._lower.calls.still(v, mark) for v in values)
        object: Expression | None = None
        if first is not None:
            object = self._operand(first, method, span)
        elif has_this(method):
            object = self._object(callee, method, span)
        mark = self._builder.mark()
        values = self._lower.calls.arguments(given, method)
        return None if object is None else self._lower.sequenced(object, mark), values

    def _before(self, value: Expression | Aggregate, mark: Mark) -> Expression | Aggregate:
        return (
            self._lower.calls.still(value, mark) if isinstance(value, Aggregate) else self._lower.sequenced(value, mark)
        )

    def _assign_plainly(self, target: Cursor, source: Cursor, method: Cursor, wanted: bool, span: Span) -> Local | None:
        """An assignment of objects that copies memory; its value is the object. The right side comes first."""
        other = self._lower.place(source)
        mark = self._builder.mark()
        this = self._operand(target, method, span)
        return self._copied(self._lower.behind(this, span), self._lower.settled_place(other, mark), wanted, span)

    def _behind_argument(self, value: Expression | Aggregate, span: Span) -> Place:
        """What is given for a reference."""
        return value.place if isinstance(value, Aggregate) else self._lower.behind(value, span)

    def _copied(self, place: Place, source: Place, wanted: bool, span: Span) -> Local | None:
        self._lower.objects.copy_plainly(place, source, span)
        if not wanted:
            return None
        address = self._lower.objects.address(place, span)
        result = self._builder.temporary(address.type, span)
        self._builder.assign(result, address, span)
        return result

    def _object(self, callee: Cursor, method: Cursor, span: Span) -> Expression:
        """The address of the object that a member function is called for."""
        inner = libclang.object_before(callee)
        named_in = callee.location.file
        if inner is not None and named_in is not None and inner.extent.start.offset > callee.location.offset:
            inner = None  # the arguments of a template stand behind the name
        owner = method.semantic_parent.type
        if inner is None:
            pointer = self._lower.objects.this(span)
            return self.as_owner(pointer, self._lower.objects.this_type(), owner, span)
        if isinstance(self._lower.type_of(inner), Pointer):
            pointer = self._lower.value(inner)
            return self.as_owner(pointer, inner.type.get_canonical().get_pointee(), owner, span)
        return self._operand(inner, method, span)

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
        if not self._lower.bases.is_derived(given, owner):
            raise NotSupported(f"a call for {given.spelling} of a function of {owner.spelling}", span)
        place = self._lower.bases.as_base(self._lower.behind(pointer, span), given, owner, span)
        return self._lower.objects.address(place, span)
