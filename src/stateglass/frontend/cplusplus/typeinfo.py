"""What is known of types when a program runs: which class is derived from which, and where its bases lie."""

from __future__ import annotations

from functools import cache
from typing import Final, final

import clang.cindex as ci
from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang.libclang import ClangType, Cursor, parse
from stateglass.frontend.clang.words import word
from stateglass.frontend.cplusplus.classes import is_class
from stateglass.frontend.cplusplus.destruction import destructor_of
from stateglass.frontend.cplusplus.signatures import REFERENCES
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.conversions import convert
from stateglass.program import (
    VOID,
    AddressOf,
    Array,
    Constant,
    Expression,
    Field,
    Global,
    Initial,
    Int,
    Pointer,
    Record,
    RecordLayout,
)
from stateglass.program.exceptions import type_constant
from stateglass.source import NOWHERE, Span


@final
class TypeInfo:
    """What is known of types when the program runs: a constant for each that is thrown, caught or cast."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._types = symbols.types

    def address(self, type: ClangType, span: Span = NOWHERE) -> Expression:
        if is_class(type):
            destructor_of(self._symbols, type)  # for functions without a body that throw it
        return self._leads_to(self._table(type), span)

    def _leads_to(self, table: Global, span: Span) -> Expression:
        return convert(
            AddressOf(table, Pointer(table.type, self._types.pointer_size), span),
            Pointer(VOID, self._types.pointer_size, readonly=True),
            span,
        )

    def of_nothing(self, name: str, span: Span = NOWHERE) -> Expression:
        """What is known of a class that no header declares: its name."""
        return self._leads_to(self._made(name, 0, []), span)

    def _table(self, type: ClangType) -> Global:
        return self._made(_unqualified(type), _kind(type), self._bases(type))

    def _made(self, spelling: str, kind: int, bases: list[tuple[ClangType, int]]) -> Global:
        size = self._types.pointer_size
        text, number = Pointer(Int(8, signed=True), size, readonly=True), self._symbols.ptrdiff_type
        anything = Pointer(VOID, size, readonly=True)
        name = f"type {len(bases)}"
        fields = [Field("name", text, 0), Field("kind", number, size), Field("count", number, 2 * size)]
        for index in range(len(bases)):
            fields += [Field(f"base{index}", anything, (3 + 2 * index) * size)]
            fields += [Field(f"offset{index}", number, (4 + 2 * index) * size)]
        self._types.records.setdefault(name, RecordLayout(name, tuple(fields), (3 + 2 * len(bases)) * size, size))
        characters = (*spelling.encode(), 0)
        string = self._symbols.text(characters, Array(Int(8, signed=True), len(characters)), NOWHERE)
        values: list[Initial] = [Initial(0, text, AddressOf(string, text))]
        if kind:
            values.append(Initial(8 * size, number, Constant(kind, number)))
        if bases:
            values.append(Initial(16 * size, number, Constant(len(bases), number)))
        for index, (base, offset) in enumerate(bases):
            values.append(Initial(8 * (3 + 2 * index) * size, anything, self.address(base)))
            if offset:
                values.append(Initial(8 * (4 + 2 * index) * size, number, Constant(offset, number)))
        return self._symbols.constant_table(type_constant(spelling), Record(name), tuple(values))

    def _bases(self, type: ClangType) -> list[tuple[ClangType, int]]:
        if type.kind is TypeKind.POINTER:
            pointee = type.get_pointee().get_canonical()
            return [] if pointee.kind is TypeKind.VOID else [(pointee, 0)]
        if not is_class(type):
            return []
        return [(b.type.get_canonical(), b.offset) for b in self._types.classes.of(type).bases]


def _unqualified(type: ClangType) -> str:
    """A type by its name; that something is constant does not make it another type to a handler."""
    text = str(type.get_canonical().spelling)
    if type.kind is TypeKind.POINTER:
        return text.removesuffix("const").rstrip()  # what the pointer leads to may be constant
    return text.removeprefix("const ")


def _kind(type: ClangType) -> int:
    """How handlers take what is of a type, as the library has it."""
    if type.kind is TypeKind.NULLPTR:
        return 3
    if type.kind is not TypeKind.POINTER:
        return 0
    return 2 if type.get_pointee().get_canonical().is_const_qualified() else 1


def named_type(cursor: Cursor) -> ClangType:
    """The type that `typeid(type)` is about: libclang shows names in it at most."""
    if not _named_types_known():
        raise AssertionError("this libclang keeps the type of `typeid` elsewhere")
    return _named_type(cursor)


_OPERAND: Final = 2  # where `typeid` keeps what it is about, in words


def _named_type(cursor: Cursor) -> ClangType:
    address = word(cursor.data[1], _OPERAND) & ~7
    found = ci.Type()
    found._kind_id = TypeKind.UNEXPOSED.value
    found.data[0] = word(address)
    found.data[1] = cursor.type.data[1]
    found._tu = cursor._tu
    canonical = found.get_canonical()
    return canonical.get_pointee().get_canonical() if canonical.kind in REFERENCES else canonical


@cache
def _named_types_known() -> bool:
    probe = "namespace std { class type_info; } void f() { typeid(int); typeid(const char *&); }"
    unit, _ = parse("probe.cpp", ["-xc++"], probe)
    found = [_named_type(c) for c in unit.cursor.walk_preorder() if c.kind is CursorKind.CXX_TYPEID_EXPR]
    return [str(type.spelling) for type in found] == ["int", "const char *"]


def class_of_library(name: str, near: Cursor) -> ClangType | None:
    """A class of `std` that the program has not named; None if no header declares it."""
    for scope in near.translation_unit.cursor.get_children():
        if scope.kind is CursorKind.NAMESPACE and scope.spelling == "std":
            for declared in scope.get_children():
                if declared.kind is CursorKind.CLASS_DECL and declared.spelling == name and declared.is_definition():
                    return declared.type.get_canonical()
    return None
