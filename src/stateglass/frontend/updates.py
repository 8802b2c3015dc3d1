"""Lowers what changes memory: assignments of every kind, `++` and `--`, initialisers."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind

from stateglass.frontend import clang
from stateglass.frontend.builder import Mark, NotSupported
from stateglass.frontend.clang import Cursor
from stateglass.frontend.conversions import common_type, convert, one, promote
from stateglass.frontend.initialisers import items_of, part_of, repeated_values
from stateglass.frontend.locations import span_of
from stateglass.frontend.operators import ARITHMETIC
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
    Copy,
    Expression,
    Int,
    Load,
    Local,
    Place,
    Pointer,
    Record,
    Scalar,
    is_scalar,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.expressions import Expressions


@final
class Updates:
    """Lowers the assignments in one function's expressions."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder

    def assign(self, cursor: Cursor) -> Place:
        left, right = clang.children(cursor)
        span = span_of(cursor)
        start = self._builder.mark()
        return self.store(self._lower.place(left), right, span, start)

    def store(self, place: Place, cursor: Cursor, span: Span, start: Mark | None = None) -> Place:
        """Store the value of an expression: a scalar, or a whole record. Returns the place, found beforehand.

        `start` is where the search for the place began.
        """
        type = place.type
        self._lower.refuse_fixed_address(place, span)
        mark = self._builder.mark()
        if isinstance(type, Record):
            if self._lower.symbols.types.records[type.name].unsupported:
                reason = self._lower.symbols.types.records[type.name].unsupported
                raise NotSupported(f"values of `{type.name}`: {reason}", span)
            source = self._lower.record(cursor)
            self._builder.leave_open(Aggregate(source, type, span), start or mark, mark)
            place = self._lower.settled_place(place, mark)
            self._builder.emit(Copy(place, source, span))
        elif is_scalar(type):
            value = convert(self._lower.value(cursor), type, span)
            self._builder.leave_open(value, start or mark, mark)
            place = self._lower.settled_place(place, mark)
            self._builder.emit(Assign(place, value, span))
        else:
            raise NotSupported(f"values of type {cursor.type.spelling}", span)
        return place

    def initialise(self, place: Place, cursor: Cursor, span: Span) -> None:
        """Set a new object to its initialiser; what that does not mention is zero."""
        if not isinstance(place.type, Array) and cursor.kind is not CursorKind.INIT_LIST_EXPR:
            self.store(place, cursor, span)
            return
        types = self._lower.symbols.types
        if isinstance(place.type, Array | Record):
            self._builder.emit(Clear(place, span))
        items = items_of(place.type, cursor, types)
        repeated = repeated_values(items)
        kept: dict[int, Local] = {}
        for item in items:
            part = part_of(place, item.path, types, self._lower.int_type, span)
            if isinstance(item.value, int):
                assert isinstance(item.type, Int)
                self._builder.emit(Assign(part, Constant(item.value, item.type, span), span))
                continue
            key = clang.expression_key(item.value)
            if key not in repeated:
                self.store(part, item.value, span)
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
        self.initialise(literal, clang.expression_children(cursor)[-1], span)
        return literal

    def compound(self, cursor: Cursor) -> Expression:
        """`a += b`: computed in the common type, stored in the type of `a`; what `b` does is done first."""
        left, right = clang.children(cursor)
        span = span_of(cursor)
        before = self._builder.mark()
        operand = self._lower.value(right)
        mark = self._builder.mark()
        place = self._lower.place(left)
        if mark != before:
            operand = self._lower.settled(operand, mark)
        operator = cursor.spelling[:-1]
        old = self._lower.load(place, left)
        self._builder.leave_open(old, before, mark)
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
        return self._lower.stored(place, self._lower.scalar_type(left), span)

    def step(self, cursor: Cursor, keep_old: bool) -> Expression:
        """`++` and `--`; with `keep_old` the value before the step is the result."""
        (inner,) = clang.children(cursor)
        span = span_of(cursor)
        up = "+" in clang.unary_operator(cursor)
        place = self._lower.place(inner)
        type = self._own(place, inner)
        value = self._lower.load(place, inner)
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
        result = self._lower.scalar_type(inner)
        return convert(value, result, span) if keep_old else self._lower.stored(place, result, span)

    def _narrowed(self, value: Expression, place: Place, cursor: Cursor, span: Span) -> Expression:
        """A computed value as a place holds it; in a bit-field of type `_Bool` all but 0 is 1."""
        if isinstance(self._lower.type_of(cursor), Bool):
            value = convert(value, BOOL, span)
        return convert(value, self._own(place, cursor), span)

    def _own(self, place: Place, cursor: Cursor) -> Scalar:
        """The type of what a place holds: of a bit-field, an integer of its width."""
        type = place.type
        if is_scalar(type):
            return type
        raise NotSupported(f"values of type {cursor.type.spelling}", span_of(cursor))
