"""Lowers operators that change nothing: arithmetic, comparisons, pointer arithmetic, addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.cplusplus.memberpointers import THROUGH_MEMBER
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import convert, is_zero, negated_constant
from stateglass.frontend.lowering.types import is_member_pointer
from stateglass.program import (
    AddressOf,
    Array,
    Assign,
    Binary,
    BinaryOperator,
    Compare,
    Comparison,
    Constant,
    Convert,
    Copy,
    Dereference,
    Expression,
    Float,
    FunctionType,
    Global,
    Int,
    Load,
    Local,
    Place,
    Pointer,
    PointerAdd,
    PointerDifference,
    Scalar,
    Unary,
    UnaryOperator,
    Void,
    representation,
    size_of,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions

ARITHMETIC: Final = {o.value: o for o in BinaryOperator}
COMPARISONS: Final = {o.value: o for o in Comparison}
INTERCHANGEABLE: Final = frozenset("+*&|^")


@final
class Operators:
    """Lowers the operators in one function's expressions."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder

    def move(self, pointer: Expression, index: Expression, span: Span, stride: Expression | None = None) -> Expression:
        """A pointer moved by some elements; `stride` is their size if that is computed."""
        type = pointer.type
        assert isinstance(type, Pointer)
        if stride is not None:
            wide = self._lower.symbols.ptrdiff_type
            distance = Binary(BinaryOperator.MULTIPLY, convert(index, wide, span), stride, wide, span)
            return PointerAdd(pointer, distance, 1, type, span)
        scale = size_of(type.target, self._lower.symbols.types.records)
        if isinstance(type.target, Void | FunctionType):
            scale = 1  # as gcc does it
        elif not scale:
            raise NotSupported(f"arithmetic on a pointer to {type.target}", span)
        if isinstance(index, Constant) and index.value == 0:
            return pointer
        return PointerAdd(pointer, index, scale, type, span)

    def unary(self, cursor: Cursor) -> Expression:
        operator = libclang.unary_operator(cursor)
        (inner,) = libclang.children(cursor)
        span = span_of(cursor)
        match operator:
            case "x++" | "x--" | "++x" | "--x":
                return self._lower.updates.step(cursor, keep_old=operator.startswith("x"))
            case "*":
                return self._lower.load(self._lower.place(cursor), cursor)
            case "&":
                return self._address(inner, cursor, span)
            case "+":
                value = self._lower.value(inner)
                return convert(value, self._lower.widths.computed(inner) or self._lower.scalar_type(cursor), span)
            case "!":
                return is_zero(self._lower.value(inner), self._lower.int_type, span)
            case "-" | "~":
                type = self._lower.scalar_type(cursor)
                assert isinstance(type, Int | Float)
                inside = self._lower.extensions.bare(inner)
                turned = operator == "-" and isinstance(type, Int) and _is_difference(inside)
                value = self.binary(inside, turned=True) if turned else self._lower.value(inside)
                own = self._lower.widths.computed(inner) or type
                operand = convert(value, own, span)
                return negated_constant(operator, operand) or Unary(UnaryOperator(operator), operand, own, span)
            case _:
                raise NotSupported(f"the unary operator {operator}", span)

    def _address(self, inner: Cursor, cursor: Cursor, span: Span) -> Expression:
        if is_member_pointer(cursor.type):
            return self._lower.member_pointers.address(cursor)
        type = self._lower.scalar_type(cursor)
        assert isinstance(type, Pointer)
        if isinstance(type.target, FunctionType):
            return self._lower.function_pointer(inner, type)
        subscript = strip(inner)
        if subscript.kind is CursorKind.ARRAY_SUBSCRIPT_EXPR:
            # `&a[n]` is `a + n`: it may point one past the end.
            base, index = libclang.children(subscript)
            if not isinstance(self._lower.type_of(base), Pointer | Array):
                base, index = index, base
            pointer = self._lower.value(base)
            mark = self._builder.mark()
            number = self._lower.value(index)
            stride = self._lower.lengths.stride(base)
            return convert(self.move(self._lower.settled(pointer, mark), number, span, stride), type, span)
        place = self._lower.place(inner)
        if isinstance(place, Dereference):
            return convert(place.pointer, type, span)  # `&*p` is `p`
        return AddressOf(place, type, span)

    def binary(self, cursor: Cursor, turned: bool = False) -> Expression:
        """`turned`: the right operand is evaluated before the left one."""
        operator = cursor.spelling
        left, right = libclang.children(cursor)
        span = span_of(cursor)
        if operator == ",":
            self._lower.discard(left)
            return self._lower.value(right)
        if operator == "=":
            place = self._lower.updates.assign(cursor)
            return self._lower.stored(place, self._lower.scalar_type(cursor), span)
        if operator in THROUGH_MEMBER:
            return self._lower.load(self._lower.member_pointers.place(cursor), cursor)
        if operator in ("&&", "||"):
            return self._short_circuit(cursor, span)
        if operator not in ARITHMETIC and operator not in COMPARISONS:
            raise NotSupported(f"the operator {operator}", span)
        if operator in ("+", "-") and CursorKind.ADDR_LABEL_EXPR in (strip(left).kind, strip(right).kind):
            raise NotSupported("arithmetic on addresses of labels", span)
        a, b = self._operands(operator, left, right, turned)
        if operator in COMPARISONS:
            if isinstance(a.type, Pointer) != isinstance(b.type, Pointer):
                raise NotSupported("comparing a pointer with an integer", span)
            own = self._lower.widths.computed(left, right)
            if own is not None:
                a, b = convert(a, own, span), convert(b, own, span)
            return Compare(COMPARISONS[operator], a, b, self._lower.int_type, span)
        if isinstance(a.type, Pointer) and isinstance(b.type, Pointer):
            return self._difference(a, b, self._lower.lengths.stride(left), span)
        if isinstance(a.type, Pointer):
            return self.move(a, self.signed(b, operator, span), span, self._lower.lengths.stride(left))
        if isinstance(b.type, Pointer):
            return self.move(b, a, span, self._lower.lengths.stride(right))
        type = self._lower.scalar_type(cursor)
        assert isinstance(type, Int | Float)
        shift = operator in ("<<", ">>")
        own = self._lower.widths.computed(left) if shift else self._lower.widths.computed(left, right)
        wide = own or type
        b = b if shift else convert(b, wide, span)
        return Binary(ARITHMETIC[operator], convert(a, wide, span), b, wide, span)

    def order(self, place: Place, cursor: Cursor) -> None:
        """`a <=> b` of numbers or pointers: one of the constants that the class of the result has."""
        left, right = libclang.children(cursor)
        span = span_of(cursor)
        a, b = self._operands("<=>", left, right, False)
        owner = cursor.type.get_canonical().get_declaration().get_definition()
        found = {str(c.spelling): c for c in owner.get_children() if c.kind is CursorKind.VAR_DECL}
        after = self._builder.new_block()
        tests = [("less", Comparison.LESS), ("greater", Comparison.GREATER)]
        tests += [("equal" if "equal" in found else "equivalent", Comparison.EQUAL)]
        for name, comparison in tests:
            then, other = self._builder.new_block(), self._builder.new_block()
            self._builder.branch(Compare(comparison, a, b, self._lower.int_type, span), then, other, span)
            self._builder.current = then
            self._builder.emit(Copy(place, self._lower.variable_place(found[name], span), span))
            self._builder.start(after, span)
            self._builder.current = other
        last = "unordered" if "unordered" in found else "less"  # the latter never
        self._builder.emit(Copy(place, self._lower.variable_place(found[last], span), span))
        self._builder.start(after, span)

    def _operands(self, operator: str, left: Cursor, right: Cursor, turned: bool) -> tuple[Expression, Expression]:
        """Both operands, evaluated in gcc's order."""
        swapped = turned or self._right_first(operator, left, right)
        start = self._builder.mark()
        first = self._lower.value(right if swapped else left)
        mark = self._builder.mark()
        second = self._lower.value(left if swapped else right)
        if self._lower.symbols.cplusplus and operator in ("<<", ">>"):
            return self._lower.sequenced(first, mark), second
        self._builder.leave_open(second, start, mark, (mark, self._builder.mark()))
        if not swapped and strip(left).kind is CursorKind.DECL_REF_EXPR and self._read_last(operator, first):
            self._builder.leave_open(first, mark)
        else:
            first = self._lower.settled(first, mark)
        return (second, first) if swapped else (first, second)

    def _right_first(self, operator: str, left: Cursor, right: Cursor) -> bool:
        """Whether gcc turns the operands round: it adds integers to pointers, and has `b - a` for `-a + b`."""
        if operator == "+" and isinstance(self._lower.type_of(right), Pointer):
            return not isinstance(self._lower.type_of(left), Pointer)
        a, b = self._unary_operator(left), self._unary_operator(right)
        if operator == "+":
            return a == "-" and b != "-"
        return operator in COMPARISONS and a == "~" and b == "~"

    def _unary_operator(self, operand: Cursor) -> str:
        """The operator of an operand; empty if it has none."""
        operand = self._lower.extensions.bare(operand)
        return libclang.unary_operator(operand) if operand.kind is CursorKind.UNARY_OPERATOR else ""

    def _difference(self, left: Expression, right: Expression, stride: Expression | None, span: Span) -> Expression:
        wide = self._lower.symbols.ptrdiff_type
        if stride is not None:
            bytes = PointerDifference(left, right, 1, wide, span)
            return Binary(BinaryOperator.DIVIDE, bytes, stride, wide, span)
        assert isinstance(left.type, Pointer)
        scale = size_of(left.type.target, self._lower.symbols.types.records) or 1
        return PointerDifference(left, right, scale, wide, span)

    def _read_last(self, operator: str, left: Expression) -> bool:
        """Whether gcc evaluates the right operand first: where operands may change places, a plain variable is last."""
        if operator not in COMPARISONS and operator not in INTERCHANGEABLE:
            return False
        if operator == "+" and isinstance(left.type, Pointer):
            return False
        while isinstance(left, Convert) and _same_size(left.type, left.operand.type):
            left = left.operand
        return isinstance(left, Load) and isinstance(left.place, Global | Local)

    def signed(self, index: Expression, operator: str, span: Span) -> Expression:
        """An index to be added: `p - i` moves by `-i`."""
        if operator == "+":
            return index
        wide = self._lower.symbols.ptrdiff_type
        return Unary(UnaryOperator.NEGATE, convert(index, wide, span), wide, span)

    def _short_circuit(self, cursor: Cursor, span: Span) -> Expression:
        result = self._builder.temporary(self._lower.int_type, span)
        then, other, after = (self._builder.new_block() for _ in range(3))
        self._lower.decisions.branch(cursor, then, other)
        for block, value in ((then, 1), (other, 0)):
            self._builder.current = block
            self._builder.emit(Assign(result, Constant(value, self._lower.int_type, span), span))
            self._builder.start(after, span)
        return Load(result, self._lower.int_type, span)


def _same_size(first: Scalar, second: Scalar) -> bool:
    floats = isinstance(first, Float), isinstance(second, Float)
    return floats[0] == floats[1] and representation(first).bits == representation(second).bits


def _is_difference(operand: Cursor) -> bool:
    """Whether gcc has `b - a` for `-(a - b)`."""
    return operand.kind is CursorKind.BINARY_OPERATOR and bool(operand.spelling == "-")
