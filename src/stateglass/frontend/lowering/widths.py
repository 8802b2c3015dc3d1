"""The types in which gcc computes where they are not clang's.

A bit-field that is wider than `int` has its own width; an enumerator that fits `int` is one, whatever the others are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.hidden import Hidden, hidden_kind
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import common_type, promote
from stateglass.frontend.lowering.types import is_bit_field
from stateglass.program import Bool, Enum, Int, is_scalar, representation
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions


@final
class Widths:
    """Answers for the expressions of one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions

    def computed(self, *operands: Cursor) -> Int | None:
        """The type that gcc computes in with operands of these types; None if it is the one that clang says."""
        return self.type_of(*operands) if self._lower.symbols.types.has_own_widths else None

    def type_of(self, *operands: Cursor) -> Int | None:
        """As `computed`, for operands that have not been lowered yet."""
        if self._agrees() or not any(self.differs(operand) for operand in operands):
            return None
        types = [self._type(operand) for operand in operands]
        result: Int | None = None
        for type in types:
            if type is None:
                return None
            wider = type if result is None else common_type(result, type, self._lower.int_type)
            assert isinstance(wider, Int)
            result = wider
        return result

    def size_of(self, cursor: Cursor) -> int | None:
        """How many bytes an expression has for gcc; None if it has as many for clang."""
        if self._agrees():
            return None
        cursor = strip(cursor)
        own = self._lower.int_type if self.is_int(cursor) else self.type_of(cursor)
        return None if own is None or is_bit_field(cursor) else 1 << ((own.bits - 1) // 8).bit_length()

    def refuse(self, cursor: Cursor, span: Span) -> None:
        """Refuses an expression that is used for its type (by `typeof`, say) if it has another type for gcc."""
        if self._agrees():
            return
        inner = strip(cursor)
        own, type = self._lower.int_type if self.is_int(inner) else self.type_of(inner), self._lower.type_of(inner)
        if own is not None and is_scalar(type) and representation(type) != own:
            raise NotSupported("an expression, used for its type, that has another one for gcc", span)

    def _agrees(self) -> bool:
        """Whether gcc has clang's types anyway: those of enumerators and bit-fields are fixed in C++."""
        return self._lower.symbols.cplusplus

    def differs(self, cursor: Cursor) -> bool:
        """Whether the type of an expression depends on something that has another type for gcc than for clang."""
        cursor = strip(cursor)
        if is_bit_field(cursor):
            return int(cursor.referenced.get_bitfield_width()) > self._lower.int_type.bits
        if self.is_int(cursor):
            return self._lower.type_of(cursor) != self._lower.int_type
        return any(self.differs(part) for part in self._parts(cursor))

    def is_int(self, cursor: Cursor) -> bool:
        """Whether an expression is an enumerator that fits `int`."""
        if cursor.kind is not CursorKind.DECL_REF_EXPR or cursor.referenced.kind is not CursorKind.ENUM_CONSTANT_DECL:
            return False
        return bool(self._lower.int_type.low <= cursor.referenced.enum_value <= self._lower.int_type.high)

    def _type(self, cursor: Cursor) -> Int | None:
        """The promoted type of an expression as gcc has it; None if that is no integer."""
        cursor = strip(cursor)
        type = self._lower.type_of(cursor)
        if not isinstance(type, Int | Enum | Bool):
            return None
        if self.is_int(cursor):
            return self._lower.int_type
        if is_bit_field(cursor):
            type = Int(cursor.referenced.get_bitfield_width(), representation(type).signed)
        plain = promote(type, self._lower.int_type)
        assert isinstance(plain, Int)
        parts = [t for part in self._parts(cursor) if (t := self._type(part)) is not None]
        if not parts:
            return plain
        for part in parts[1:]:
            common = common_type(parts[0], part, self._lower.int_type)
            assert isinstance(common, Int)
            parts[0] = common
        return parts[0]

    def _parts(self, cursor: Cursor) -> list[Cursor]:
        """The operands that the type of an expression follows from; none if it is given."""
        match cursor.kind:
            case CursorKind.UNARY_OPERATOR:
                return [] if libclang.unary_operator(cursor) in ("*", "&", "!") else libclang.children(cursor)
            case CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
                return libclang.children(cursor)[:1]
            case CursorKind.BINARY_OPERATOR if cursor.spelling in ("+", "-", "*", "/", "%", "&", "|", "^"):
                return libclang.children(cursor)
            case CursorKind.BINARY_OPERATOR if cursor.spelling in ("<<", ">>", "="):
                return libclang.children(cursor)[:1]
            case CursorKind.BINARY_OPERATOR if cursor.spelling == ",":
                return libclang.children(cursor)[1:]
            case CursorKind.BINARY_OPERATOR:
                return []
            case CursorKind.CONDITIONAL_OPERATOR:
                return libclang.children(cursor)[1:]
            case CursorKind.UNEXPOSED_EXPR if hidden_kind(cursor) is Hidden.CONDITIONAL:
                first, *_, second = libclang.children(cursor)
                return [first, second]
            case CursorKind.StmtExpr:
                last = libclang.children(libclang.children(cursor)[0])[-1:]
                return last if last and last[0].kind.is_expression() else []
            case (
                CursorKind.UNEXPOSED_EXPR
                | CursorKind.GENERIC_SELECTION_EXPR
                | CursorKind.CSTYLE_CAST_EXPR
                | CursorKind.CALL_EXPR
                | CursorKind.DECL_REF_EXPR
                | CursorKind.MEMBER_REF_EXPR
                | CursorKind.ARRAY_SUBSCRIPT_EXPR
                | CursorKind.COMPOUND_LITERAL_EXPR
                | CursorKind.INIT_LIST_EXPR
                | CursorKind.CXX_UNARY_EXPR
                | CursorKind.ADDR_LABEL_EXPR
                | CursorKind.INTEGER_LITERAL
                | CursorKind.CHARACTER_LITERAL
                | CursorKind.FLOATING_LITERAL
                | CursorKind.STRING_LITERAL
            ):
                return []
            case _:
                raise NotSupported(libclang.describe(cursor), span_of(cursor))
