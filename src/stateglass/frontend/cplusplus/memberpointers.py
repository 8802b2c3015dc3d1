"""Lowers pointers to members: of a variable, where it lies in its class; of a function, the function itself.

One to a variable holds one more than the distance from the beginning, so that 0 is the pointer that leads nowhere.
One to a virtual function leads to a function that looks into the table of its object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.cplusplus.adjusting import adjusted
from stateglass.frontend.cplusplus.signatures import passed_type, signature_of, with_result_parameter
from stateglass.frontend.lowering.builder import FunctionBuilder, NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.types import is_member_pointer
from stateglass.program import (
    VOID,
    Binary,
    BinaryOperator,
    Call,
    Constant,
    Dereference,
    Expression,
    Fail,
    Function,
    FunctionReference,
    FunctionType,
    Int,
    Load,
    Local,
    Place,
    Pointer,
    PointerAdd,
    Return,
    is_scalar,
)
from stateglass.source import NOWHERE, Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions

THROUGH_MEMBER: Final = (".*", "->*")


@final
class MemberPointers:
    """Lowers the pointers to members in one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._symbols = expressions.symbols
        self._types = expressions.symbols.types

    def address(self, cursor: Cursor) -> Expression:
        """`&Class::member`."""
        member, span = strip(libclang.children(cursor)[0]).referenced, span_of(cursor)
        type = self._types.convert(cursor.type)
        if member.kind is CursorKind.FIELD_DECL:
            assert isinstance(type, Int)
            if member.is_bitfield() or "(" in str(member.semantic_parent.spelling):
                raise NotSupported("a pointer to a member of an unnamed union or struct", span)
            return Constant(member.get_field_offsetof() // 8 + 1, type, span)
        assert isinstance(type, Pointer)
        return FunctionReference(self._function(member), type, span)

    def _function(self, method: Cursor) -> str:
        """What a pointer to a function leads to."""
        name = self._symbols.function(method)
        if not method.is_virtual_method():
            return name
        return self._symbols.made(f"{name} by table", lambda title: self._by_table(title, method))

    def converted(self, cursor: Cursor) -> Expression | None:
        """A pointer to a member of a class as one to a member of another one; None if this is something else."""
        inner, span = libclang.operand(cursor), span_of(cursor)
        given, wanted = inner.type.get_canonical(), cursor.type.get_canonical()
        if not is_member_pointer(given) or not is_member_pointer(wanted):
            return None
        source, target = given.get_class_type(), wanted.get_class_type()
        distance = 0
        if self._lower.bases.is_derived(target, source):
            distance = self._lower.bases.distance(target, source, span)
        elif self._lower.bases.is_derived(source, target):
            distance = -self._lower.bases.distance(source, target, span)
        type = self._types.convert(wanted)
        assert is_scalar(type)
        if not distance:
            return convert(self._lower.value(inner), type, span)
        if isinstance(type, Int):
            return self._moved(self._lower.value(inner), distance, type, span)
        named = strip(inner)
        if named.kind is not CursorKind.UNARY_OPERATOR:
            raise NotSupported("a pointer to a function of a base that does not lie at the beginning", span)
        assert isinstance(type, Pointer)
        method = strip(libclang.children(named)[0]).referenced
        return FunctionReference(adjusted(self._symbols, self._function(method), method, distance, 0), type, span)

    def _moved(self, value: Expression, distance: int, type: Int, span: Span) -> Expression:
        kept = self._builder.temporary(type, span)
        self._builder.assign(kept, value, span)
        held = Load(kept, type, span)
        some, after = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(held, some, after, span)
        self._builder.current = some
        moved = Binary(BinaryOperator.ADD, held, Constant(distance, type, span), type, span)
        self._builder.assign(kept, moved, span)
        self._builder.start(after, span)
        return held

    def place(self, cursor: Cursor) -> Place:
        """`object.*member` of a variable."""
        span = span_of(cursor)
        start, member = self._operands(cursor)
        wide = self._symbols.ptrdiff_type
        self._refuse_null(member, span)
        distance = Binary(BinaryOperator.SUBTRACT, convert(member, wide, span), Constant(1, wide, span), wide, span)
        target = self._types.convert(cursor.type)
        bytes = convert(start, Pointer(Int(8, signed=True), self._types.pointer_size), span)
        assert isinstance(bytes.type, Pointer)
        moved = PointerAdd(bytes, distance, 1, bytes.type, span)
        return Dereference(convert(moved, Pointer(target, self._types.pointer_size), span), target, 1, span)

    def _refuse_null(self, member: Expression, span: Span) -> None:
        """What a pointer that leads nowhere leads to is undefined."""
        some, nothing = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(member, some, nothing, span)
        self._builder.current = nothing
        self._builder.finish(Fail("null", span))
        self._builder.current = some

    def _operands(self, cursor: Cursor) -> tuple[Expression, Expression]:
        """The address of the object, and the pointer to a member of it."""
        left, right = libclang.children(cursor)
        span = span_of(cursor)
        if cursor.spelling == "->*":
            start = self._lower.value(left)
        else:
            start = self._lower.objects.address(self._lower.place(left), span)
        mark = self._builder.mark()
        member = self._lower.value(right)
        return self._lower.sequenced(start, mark), member

    def call(
        self, callee: Cursor, arguments: list[Cursor], span: Span, wanted: bool, into: Place | None
    ) -> Local | None:
        """`(object.*member)(…)`."""
        this, member = self._operands(callee)
        function = called_type(callee)
        mark = self._builder.mark()
        values = self._lower.calls.arguments(arguments, None, function)
        this, member = self._lower.sequenced(this, mark), self._lower.sequenced(member, mark)
        given = tuple(passed_type(t, self._types) for t in function.argument_types())
        result, hidden = with_result_parameter(function.get_result(), self._types)
        type = FunctionType(result, (this.type, *hidden, *given))
        pointer = convert(member, Pointer(type, self._types.pointer_size), span)
        return self._lower.calls.with_result(
            pointer, (this, *values), function.get_result(), span, wanted, into, hidden=1
        )

    def _by_table(self, title: str, method: Cursor) -> Function:
        """A function that calls the one that an object has for a virtual one."""
        signature = signature_of(method, self._types)
        builder = FunctionBuilder(title, self._symbols.int_type, self._types.pointer_size)
        lower = self._lower.for_function(builder)
        this, *others = signature.parameters
        assert isinstance(this.type, Pointer)
        values = [Load(p, p.type) for p in others if is_scalar(p.type)]
        if len(values) != len(others) or not (is_scalar(signature.result) or signature.result == VOID):
            raise NotSupported("a pointer to a virtual function that has records as arguments", span_of(method))
        pointer = Load(this, this.type)
        function = lower.tables.function_behind(pointer, method, NOWHERE)
        result = None if signature.result == VOID else builder.temporary(signature.result, NOWHERE)
        builder.emit_quietly(Call(result, function, (pointer, *values)))
        value = Load(result, signature.result) if result is not None and is_scalar(signature.result) else None
        builder.finish(Return(value))
        return Function(title, signature.result, signature.parameters, tuple(builder.locals), builder.blocks())


def member_callee(cursor: Cursor) -> Cursor | None:
    """`object.*member`, if that is what a call calls."""
    inner = libclang.children(cursor)
    callee = strip(inner[0]) if inner else None
    if callee is None or callee.kind is not CursorKind.BINARY_OPERATOR or callee.spelling not in THROUGH_MEMBER:
        return None
    return callee if called_type(callee).kind is TypeKind.FUNCTIONPROTO else None


def called_type(callee: Cursor) -> ClangType:
    """The type of the function that `object.*member` leads to."""
    right = libclang.children(callee)[1]
    return right.type.get_canonical().get_pointee().get_canonical()
