"""What is known of types when a program runs: which class is derived from which, and where its bases lie."""

from __future__ import annotations

from typing import final

from clang.cindex import TypeKind

from stateglass.frontend.classes import is_class
from stateglass.frontend.conversions import convert
from stateglass.frontend.destruction import destructor_of
from stateglass.frontend.libclang import ClangType
from stateglass.frontend.symbols import Symbols
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
        table = self._table(type)
        if is_class(type):
            destructor_of(self._symbols, type)  # for functions without a body that throw it
        return convert(
            AddressOf(table, Pointer(table.type, self._types.pointer_size), span),
            Pointer(VOID, self._types.pointer_size, readonly=True),
            span,
        )

    def _table(self, type: ClangType) -> Global:
        spelling = _unqualified(type)
        bases = self._bases(type)
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
        if type.kind is TypeKind.POINTER:
            values.append(Initial(8 * size, number, Constant(1, number)))
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
    return text.removeprefix("const ").removesuffix(" const")
