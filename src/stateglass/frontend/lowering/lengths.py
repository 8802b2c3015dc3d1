"""Arrays of variable length: each length is computed where its type is written, and kept for all who use the type.

Libclang does not say which expression a length is. Clang's own type object points to it; its address identifies the
length, since every type that is written has an object of its own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, final

from clang.cindex import CursorKind, TypeKind
from clang.cindex import Type as BindingType

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.hidden import inside_conversion
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import acts
from stateglass.frontend.clang.words import word
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.program import (
    Array,
    Assign,
    Binary,
    BinaryOperator,
    Compare,
    Comparison,
    Constant,
    DeclareArray,
    Expression,
    Fail,
    Int,
    Load,
    Opaque,
    size_of,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions

MOST_ELEMENTS: Final = 256
"""The longest array of variable length, all its dimensions together."""
_ARRAYS: Final = (TypeKind.VARIABLEARRAY, TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)


@final
class Lengths:
    """Looks after the lengths in one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._checking = True

    def compute(self, type: ClangType, written: Cursor, value: Cursor | None = None) -> None:
        """Compute the lengths in a type where it is written, the innermost first, as gcc does.

        `value`: what stands beside the type and is no part of it, an initialiser or what is cast.
        """
        keys = _keys(type)
        if not keys:
            return
        found = _expressions_in(written)
        known = {libclang.expression_key(value)} if value is not None else set()
        for key in reversed(keys):
            length = inside_conversion(key, found)
            if length is not None:
                self._keep(key, length)
                known.add(libclang.expression_key(length))
        others = [c for c in libclang.expression_children(written) if libclang.expression_key(c) not in known]
        if any(_has_effects(c) for c in others):
            raise NotSupported("`typeof` with side effects", span_of(written))

    def compute_for_parameter(self, parameter: Cursor) -> None:
        """Compute the lengths in the type of a parameter; that of an array itself is of no use, it is a pointer."""
        type = parameter.type.get_canonical()
        if type.kind is not TypeKind.VARIABLEARRAY:
            self.compute(type, parameter)
            return
        length = inside_conversion(_key(type), _expressions_in(parameter))
        self.compute(type.element_type, parameter, length)
        if length is not None:
            self._lower.discard(length)

    def _keep(self, key: int, length: Cursor) -> None:
        span, wide = span_of(length), self._lower.symbols.ptrdiff_type
        kept = self._builder.computed_lengths.get(key)
        if kept is None:
            kept = self._builder.computed_lengths[key] = self._builder.temporary(wide, span)
        self._builder.emit(Assign(kept, convert(self._lower.value(length), wide, span), span))

    def _length(self, type: ClangType, span: Span) -> Expression:
        kept = self._builder.computed_lengths.get(_key(type))
        if kept is None:
            raise NotSupported(f"the length of {type.spelling} here", span)
        return Load(kept, self._lower.symbols.ptrdiff_type, span)

    def size(self, type: ClangType, span: Span) -> Expression | None:
        """The size in bytes of a type of variable size; None for all others."""
        lengths: list[Expression] = []
        type = type.get_canonical()
        while type.kind is TypeKind.VARIABLEARRAY:
            lengths.append(self._length(type, span))
            type = type.element_type.get_canonical()
        if not lengths:
            return None
        wide, types = self._lower.symbols.ptrdiff_type, self._lower.symbols.types
        size: Expression = Constant(size_of(types.convert(type), types.records), wide, span)
        for length in reversed(lengths):
            size = Binary(BinaryOperator.MULTIPLY, length, size, wide, span)
        return size

    def stride(self, pointer: Cursor) -> Expression | None:
        """How many bytes a pointer moves by, if that is computed; an array is a pointer to its first element."""
        type = pointer.type.get_canonical()
        if type.kind is TypeKind.POINTER:
            return self.size(type.get_pointee(), span_of(pointer))
        return self.size(type.element_type, span_of(pointer)) if type.kind in _ARRAYS else None

    def size_of(self, cursor: Cursor, type: Int) -> Expression:
        """`sizeof` of a type or expression of variable size; such an expression is evaluated."""
        span = span_of(cursor)
        operand = _operand_of_sizeof(cursor)
        if operand is None:
            raise NotSupported("this sizeof", span)
        if isinstance(operand, BindingType):
            self.compute(operand, cursor)
            size = self.size(operand, span)
        else:
            if _has_effects(operand):
                self._checking = False  # no element is looked at
                self._lower.place(operand)
                self._checking = True
            size = self.size(operand.type, span)
        if size is None:
            raise NotSupported("this sizeof", span)
        return convert(size, type, span)

    def check(self, array: Cursor, index: Expression, span: Span) -> Expression:
        """An index into a row of variable length, as an expression that ends the program if it is outside.

        An index beyond the whole variable needs no check here: there is no cell to be used.
        """
        type = array.type.get_canonical()
        known = type.kind is TypeKind.VARIABLEARRAY and _key(type) in self._builder.computed_lengths
        if not known or not self._checking or array.kind is CursorKind.DECL_REF_EXPR:
            return index
        wide = self._lower.symbols.ptrdiff_type
        kept = self._builder.temporary(wide, span)
        self._builder.emit(Assign(kept, convert(index, wide, span), span))
        below = Int(wide.bits, signed=False)
        number, length = convert(Load(kept, wide, span), below, span), convert(self._length(type, span), below, span)
        self._require(Compare(Comparison.LESS, number, length, self._lower.int_type, span), span)
        return Load(kept, wide, span)

    def _require(self, condition: Expression, span: Span) -> None:
        going_on, failing = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(condition, going_on, failing, span)
        self._builder.current = failing
        self._builder.finish(Fail("bounds", span))
        self._builder.current = going_on

    def declare(self, cursor: Cursor, span: Span) -> None:
        """A variable that is an array of variable length: the elements of all its dimensions, one after the other."""
        if libclang.initialiser(cursor) is not None:
            raise NotSupported("an initialiser for an array of variable length", span)
        wide, types = self._lower.symbols.ptrdiff_type, self._lower.symbols.types
        self.compute(cursor.type, cursor)
        lengths: list[Expression] = []
        type = cursor.type.get_canonical()
        while type.kind is TypeKind.VARIABLEARRAY:
            lengths.append(self._length(type, span))
            type = type.element_type.get_canonical()
        element = types.convert(type)
        if isinstance(element, Opaque) or not size_of(element, types.records):
            raise NotSupported(f"variables of type {cursor.type.spelling}", span)
        count = lengths[0]
        for length in lengths[1:]:
            self._require(
                Compare(Comparison.GREATER, length, Constant(0, wide, span), self._lower.int_type, span), span
            )
            count = Binary(BinaryOperator.MULTIPLY, count, length, wide, span)
        whole = Array(element, MOST_ELEMENTS)
        local = self._builder.add_local(cursor.spelling, whole, span, libclang.declaration_key(cursor))
        self._builder.dynamic.add(local.name)
        self._builder.scopes[-1].append(local)
        self._builder.emit(DeclareArray(local, count, span))


def _keys(type: ClangType) -> list[int]:
    """What stands for the lengths in a type, from the outside in."""
    keys: list[int] = []
    type = type.get_canonical()
    while True:
        if type.kind is TypeKind.VARIABLEARRAY and _key(type):
            keys.append(_key(type))
        if type.kind is TypeKind.POINTER:
            type = type.get_pointee().get_canonical()
        elif type.kind in _ARRAYS:
            type = type.element_type.get_canonical()
        else:
            return keys


def _key(type: ClangType) -> int:
    """The address of the expression that is the length of an array; 0 if there is none, as in `int a[*]`."""
    address = int(type.data[0])
    # The lowest bits are qualifiers; one of them says that there are more elsewhere.
    return 0 if address & 8 or not _layout_known() else word((address & ~15) + 40)


def _expressions_in(cursor: Cursor) -> dict[int, Cursor]:
    return {libclang.expression_key(c): c for c in cursor.walk_preorder() if c.kind.is_expression()}


def _operand_of_sizeof(cursor: Cursor) -> Cursor | ClangType | None:
    """What `sizeof` is applied to: an expression, or a type, which libclang does not show."""
    if not _layout_known():
        return None
    pointer = word(cursor.data[1] + 16)
    for child in libclang.expression_children(cursor):
        if libclang.expression_key(child) == pointer:
            return child
    return _type_at(word(pointer), cursor)


def _type_at(address: int, cursor: Cursor) -> ClangType:
    """The type object at an address, by way of another one of the same unit."""
    copy = BindingType.from_buffer_copy(cursor.type)
    copy._tu = cursor._tu
    copy.data[0] = address
    return copy.get_canonical()


def _has_effects(cursor: Cursor) -> bool:
    return any(acts(c) for c in cursor.walk_preorder() if c.kind.is_expression())


@cache
def _layout_known() -> bool:
    """Whether clang's types and expressions are laid out in memory as this module expects."""
    probe = "void f(int n, int *p) { int a[n][n + 1]; sizeof(int[n * 2][3]); sizeof *(&a); }"
    unit, _ = libclang.parse("probe.c", [], probe)
    array = next(c for c in unit.cursor.walk_preorder() if c.spelling == "a")
    type = array.type.get_canonical()
    addresses = [int(t.data[0]) & ~15 for t in (type, type.element_type)]
    found = [inside_conversion(word(address + 40), _expressions_in(array)) for address in addresses]
    if [None if c is None else c.kind for c in found] != [CursorKind.DECL_REF_EXPR, CursorKind.BINARY_OPERATOR]:
        return False
    by_type, by_value = (c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.CXX_UNARY_EXPR)
    if word(by_value.data[1] + 16) not in [libclang.expression_key(c) for c in libclang.children(by_value)]:
        return False
    return bool(_type_at(word(word(by_type.data[1] + 16)), by_type).spelling == "int[n * 2][3]")
