"""Lowers what changes memory: assignments of every kind, `++` and `--`, initialisers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import does_something, strip, transparent
from stateglass.frontend.cplusplus.classes import element_type, is_class
from stateglass.frontend.lowering.builder import Mark, NotSupported
from stateglass.frontend.lowering.conversions import common_type, convert, one, promote, same_kind
from stateglass.frontend.lowering.initialisers import in_order, items_of, part_of, repeated_values
from stateglass.frontend.lowering.operators import ARITHMETIC
from stateglass.frontend.lowering.types import is_bit_field
from stateglass.program import (
    BOOL,
    Aggregate,
    Array,
    Assign,
    Binary,
    BinaryOperator,
    Bool,
    Clear,
    Constant,
    Convert,
    Copy,
    Expression,
    Float,
    Int,
    Load,
    Local,
    Place,
    Pointer,
    Record,
    Scalar,
    Type,
    is_scalar,
    representation,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions


@final
class Updates:
    """Lowers the assignments in one function's expressions."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder

    def assign(self, cursor: Cursor) -> Place:
        """`a = b`, in gcc's order: what `b` does is done before `a` is found, unless `b` is nothing but a call.

        C++ says so itself: `b` comes first in any case.
        """
        left, right = libclang.children(cursor)
        span = span_of(cursor)
        if self._lower.symbols.cplusplus:
            return self._assign_second(left, right, span)
        right = self._last(right)
        start = self._builder.mark()
        type = self._lower.type_of(left)
        if isinstance(type, Record):
            return self._assign_record(left, right, span, start)
        found: list[tuple[Mark, Place, Mark]] = []

        def find_place() -> None:
            since = self._builder.mark()
            found.append((since, self._lower.place(left), self._builder.mark()))
            self._builder.leave_open(found[0][1], start, since, (since, found[0][2]))

        call = self._direct_call(left, right)
        value = self._lower.value(right) if call is None else self._lower.calls.value(call, find_place)
        for since, place, mark in found:
            return self._store_result(place, value, span, since, mark)
        mark = self._builder.mark()
        place = self._lower.place(left)
        self._builder.leave_open(value, mark, None, (start, mark))
        self._lower.refuse_fixed_address(place, span)
        self._builder.leave_open(place, start, mark)
        value = self._read_at_last(convert(value, self._own(place, left), span), mark)
        self._builder.emit(Assign(place, value, span))
        return place

    def _assign_second(self, left: Cursor, right: Cursor, span: Span) -> Place:
        """`a = b` of scalars in C++: the value of `b` is there before `a` is looked at."""
        value = self._lower.value(right)
        mark = self._builder.mark()
        place = self._lower.place(left)
        self._lower.refuse_fixed_address(place, span)
        value = self._lower.sequenced(convert(value, self._own(place, left), span), mark)
        self._builder.emit(Assign(place, value, span))
        return place

    def _last(self, cursor: Cursor) -> Cursor:
        """What a comma expression gives, after what stands before it was done."""
        cursor = self._lower.extensions.bare(cursor)
        while cursor.kind is CursorKind.BINARY_OPERATOR and cursor.spelling == ",":
            before, cursor = libclang.children(cursor)
            self._lower.discard(before)
            cursor = self._lower.extensions.bare(cursor)
        return cursor

    def _read_at_last(self, value: Expression, mark: Mark) -> Expression:
        """The right side as it was at an earlier point; what is only copied is read when it is stored, as gcc does."""
        inner = value
        while isinstance(inner, Convert) and _as_wide(inner.operand.type, value.type):
            inner = inner.operand
        if not isinstance(inner, Load) or not same_kind(inner.type, value.type):
            return self._lower.settled(value, mark)
        self._builder.leave_open(value, mark)
        inner = replace(inner, place=self._lower.settled_place(inner.place, mark))
        return convert(inner, value.type, value.span)

    def _store_result(self, place: Place, value: Expression, span: Span, start: Mark, mark: Mark) -> Place:
        """Store what a call gave into a place that was found just before it."""
        self._lower.refuse_fixed_address(place, span)
        self._builder.leave_open(value, start, mark, (mark, self._builder.mark()))
        place = self._lower.settled_place(place, mark)
        assert is_scalar(place.type)
        self._builder.emit(Assign(place, convert(value, place.type, span), span))
        return place

    def _assign_record(self, left: Cursor, right: Cursor, span: Span, start: Mark) -> Place:
        made = (CursorKind.CALL_EXPR, CursorKind.CONDITIONAL_OPERATOR, CursorKind.COMPOUND_LITERAL_EXPR)
        if strip(right).kind in made:
            return self.store(self._lower.place(left), right, span, start)
        source = self._lower.record(right)
        mark = self._builder.mark()
        place = self._lower.place(left)
        assert isinstance(place.type, Record)
        self._refuse_record(place.type, span)
        self._lower.refuse_fixed_address(place, span)
        self._builder.leave_open(Aggregate(source, place.type, span), mark, None, (start, mark))
        source = self._lower.settled_place(source, mark)
        self._builder.emit(Copy(place, source, span))
        return place

    def _direct_call(self, left: Cursor, right: Cursor) -> Cursor | None:
        """The call that is all there is on the right side, but for conversions that change nothing."""
        wanted = self._lower.type_of(left)
        if is_bit_field(strip(left)):
            return None
        while right.kind is not CursorKind.CALL_EXPR:
            inner = _inside(right)
            if inner is None or not _as_wide(self._lower.type_of(right), wanted):
                return None
            right = inner
        return right if same_kind(self._lower.type_of(right), wanted) else None

    def _refuse_record(self, type: Record, span: Span) -> None:
        reason = self._lower.symbols.types.records[type.name].unsupported
        if reason:
            raise NotSupported(f"values of `{type.name}`: {reason}", span)

    def store(self, place: Place, cursor: Cursor, span: Span, start: Mark | None = None) -> Place:
        """Store the value of an expression: a scalar, or a whole record. Returns the place, found beforehand.

        `start` is where the search for the place began.
        """
        type = place.type
        self._lower.refuse_fixed_address(place, span)
        mark = self._builder.mark()
        if isinstance(type, Record) and self._lower.symbols.cplusplus:
            self._lower.objects.construct(place, cursor, span)
            return place
        if isinstance(type, Record):
            self._refuse_record(type, span)
            source = self._lower.record(cursor)
            read: Expression | Aggregate = Aggregate(source, type, span)
        elif is_scalar(type):
            read = convert(self._lower.value(cursor), type, span)
        else:
            raise NotSupported(f"values of type {cursor.type.spelling}", span)
        self._builder.leave_open(read, start or mark, mark, (mark, self._builder.mark()))
        place = self._lower.settled_place(place, mark)
        if isinstance(read, Aggregate):
            self._builder.emit(Copy(place, read.place, span))
        else:
            self._builder.emit(Assign(place, read, span))
        return place

    def initialise(self, place: Place, cursor: Cursor, span: Span) -> None:
        """Set a new object to its initialiser; what that does not mention is zero."""
        if self._lower.symbols.cplusplus and is_class(element_type(cursor.type)):
            self._lower.objects.construct(place, cursor, span)
            return
        if not isinstance(place.type, Array) and cursor.kind is not CursorKind.INIT_LIST_EXPR:
            self.store(place, cursor, span)
            return
        types = self._lower.symbols.types
        if isinstance(place.type, Array | Record):
            self._builder.emit(Clear(place, span))
        elif not libclang.children(cursor):
            assert is_scalar(place.type)
            self._builder.emit(Assign(place, Constant(0, place.type, span), span))
            return
        items = in_order(place.type, items_of(place.type, cursor, types), types)
        repeated = repeated_values(items)
        kept: dict[int, Local] = {}
        start = self._builder.mark()
        for item in items:
            part = part_of(place, item.path, types, self._lower.int_type, span)
            if isinstance(item.value, int):
                assert isinstance(item.type, Int)
                self._builder.emit(Assign(part, Constant(item.value, item.type, span), span))
                continue
            key = libclang.expression_key(item.value)
            before = self._builder.mark()
            if key not in repeated:
                self.store(part, item.value, span)
                self._builder.leave_open(part, start, before, (before, self._builder.mark()))
                continue
            if key not in kept:
                kept[key] = self._builder.temporary(item.type, span)
                self.store(kept[key], item.value, span)
            source = kept[key]
            if is_scalar(source.type):
                self._builder.emit(Assign(part, Load(source, source.type, span), span))
            else:
                self._builder.emit(Copy(part, source, span))

    def compound_literal(self, cursor: Cursor, span: Span) -> Place:
        if self._lower.run_statements is None:
            return self._lower.symbols.static_literal(cursor)
        literal = self._builder.temporary(self._lower.type_of(cursor), span)
        if self._builder.scopes:
            self._builder.scopes[-1].append(literal)
        self.initialise(literal, libclang.expression_children(cursor)[-1], span)
        return literal

    def compound(self, cursor: Cursor) -> Expression:
        left = libclang.children(cursor)[0]
        return self._lower.stored(self.compound_place(cursor), self._lower.scalar_type(left), span_of(cursor))

    def compound_place(self, cursor: Cursor) -> Place:
        """`a += b`: computed in the common type, stored in the type of `a`; what `b` does, if anything, comes first."""
        left, right = libclang.children(cursor)
        span = span_of(cursor)
        before = self._builder.mark()
        if self._lower.symbols.cplusplus:
            operand = self._lower.value(right)
            mark = self._builder.mark()
            place = self._lower.place(left)
            operand = self._lower.sequenced(operand, mark)
            old = self._old(place, left)
        elif does_something(right):
            operand = self._lower.value(right)
            mark = self._builder.mark()
            place = self._lower.place(left)
            operand = self._lower.settled(operand, mark)
            old = self._old(place, left)
            self._builder.leave_open(old, before, mark, (mark, self._builder.mark()))
        else:
            place = self._lower.place(left)
            old = self._old(place, left)
            mark = self._builder.mark()
            operand = self._lower.value(right)
            self._builder.leave_open(operand, before, mark)
        operator = cursor.spelling[:-1]
        if isinstance(place.type, Pointer):
            distance = self._lower.operators.signed(operand, operator, span)
            new: Expression = self._lower.operators.move(old, distance, span, self._lower.lengths.stride(left))
        else:
            shift = operator in ("<<", ">>")
            if shift:
                type = promote(place.type, self._lower.int_type)
            else:
                type = common_type(place.type, operand.type, self._lower.int_type)
                operand = convert(operand, type, span)
            new = Binary(ARITHMETIC[operator], convert(old, type, span), operand, type, span)
        self._builder.emit(Assign(place, self._narrowed(new, place, left, span), span))
        return place

    def step(self, cursor: Cursor, keep_old: bool) -> Expression:
        """`++` and `--`; with `keep_old` the value before the step is the result."""
        (inner,) = libclang.children(cursor)
        span = span_of(cursor)
        place = self._lower.place(inner)
        old = self._step(place, cursor, keep_old)
        result = self._lower.scalar_type(inner)
        return convert(old, result, span) if keep_old else self._lower.stored(place, result, span)

    def stepped(self, cursor: Cursor) -> Place:
        """`++x` in C++, which is `x` again."""
        (inner,) = libclang.children(cursor)
        place = self._lower.place(inner)
        self._step(place, cursor, keep_old=False)
        return place

    def _step(self, place: Place, cursor: Cursor, keep_old: bool) -> Expression:
        (inner,) = libclang.children(cursor)
        span = span_of(cursor)
        up = "+" in libclang.unary_operator(cursor)
        type = self._own(place, inner)
        value = self._old(place, inner)
        if keep_old:
            old = self._builder.temporary(type, span)
            self._builder.emit(Assign(old, value, span))
            value = Load(old, type, span)
        new: Expression
        if isinstance(type, Pointer):
            distance = Constant(1 if up else -1, self._lower.symbols.ptrdiff_type, span)
            new = self._lower.operators.move(value, distance, span, self._lower.lengths.stride(inner))
        else:
            wide = promote(type, self._lower.int_type)
            operator = BinaryOperator.ADD if up else BinaryOperator.SUBTRACT
            new = Binary(operator, convert(value, wide, span), one(wide, span), wide, span)
        self._builder.emit(Assign(place, self._narrowed(new, place, inner, span), span))
        return value

    def _old(self, place: Place, cursor: Cursor) -> Expression:
        """What a place holds before it is changed."""
        value = self._lower.load(place, cursor)
        return replace(value, updated=True) if isinstance(value, Load) else value

    def _narrowed(self, value: Expression, place: Place, cursor: Cursor, span: Span) -> Expression:
        """A computed value as a place holds it; in a bit-field of type `_Bool` all but 0 is 1."""
        if isinstance(self._lower.type_of(cursor), Bool):
            value = convert(value, BOOL, span)
        return convert(value, self._own(place, cursor), span)

    def _own(self, place: Place, cursor: Cursor) -> Scalar:
        """The type of what a place holds; for a bit-field an integer of its width."""
        type = place.type
        if is_scalar(type):
            return type
        raise NotSupported(f"values of type {cursor.type.spelling}", span_of(cursor))


def _inside(cursor: Cursor) -> Cursor | None:
    """What a conversion converts, and what stands alone in brackets, be they `({ … })`."""
    if (inner := transparent(cursor)) is not None:
        return inner
    if cursor.kind is CursorKind.StmtExpr:
        (body,) = libclang.children(cursor)
        inner = libclang.children(body)
        return inner[0] if len(inner) == 1 and inner[0].kind.is_expression() else None
    if cursor.kind not in (CursorKind.CSTYLE_CAST_EXPR, CursorKind.UNEXPOSED_EXPR):
        return None
    inner = libclang.expression_children(cursor)
    return inner[-1] if len(inner) == 1 else None


def _as_wide(one: Type, other: Type) -> bool:
    """Whether a conversion between two types keeps all bits."""
    if isinstance(one, Bool) or isinstance(other, Bool) or not is_scalar(one) or not is_scalar(other):
        return one == other
    if isinstance(one, Float) or isinstance(other, Float):
        return one == other
    return representation(one).bits == representation(other).bits
