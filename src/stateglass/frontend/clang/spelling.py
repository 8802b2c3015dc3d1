"""A type as C text that means the same elsewhere: in another function, or in another file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang.appended import Piece
from stateglass.frontend.clang.libclang import ClangType, Cursor, children
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.lowering.types import FLOATS, SIGNED, UNSIGNED, field_name
from stateglass.source import Span

_PLAIN: Final = {*SIGNED, *UNSIGNED, *FLOATS, TypeKind.VOID}
# Of these a part of the type stands behind the name.
_BEHIND_THE_NAME: Final = (
    TypeKind.CONSTANTARRAY,
    TypeKind.INCOMPLETEARRAY,
    TypeKind.FUNCTIONPROTO,
    TypeKind.FUNCTIONNOPROTO,
)


@final
class NotSpelled(Exception):
    """A type that has no spelling elsewhere; the argument says which."""


@final
class Spelling:
    """Spells types for one place. `definitions` is what must be declared there first.

    Text of ours stands for `span`. The types at file scope that are known there are `visible`: their names, as clang
    spells them, and where they are defined, because another file may have another type of that name.
    """

    def __init__(self, visible: Mapping[str, Span], span: Span, about: str) -> None:
        self._visible = visible
        self._span = span
        self._about = about
        self._begun: set[str] = set()
        self.definitions: list[Piece] = []

    def type_of(self, type: ClangType) -> list[Piece]:
        """A type without a name."""
        type = type.get_canonical()
        if type.kind in _PLAIN:
            return [self._piece(type.spelling)]
        qualified = "const " * type.is_const_qualified() + "volatile " * type.is_volatile_qualified()
        match type.kind:
            case TypeKind.BOOL:
                return [self._piece(f"{qualified}_Bool")]
            case TypeKind.POINTER:
                return [*self._wrapped(type.get_pointee()), self._piece(f"* {qualified}")]
            case TypeKind.CONSTANTARRAY:
                return [*self._wrapped(type.element_type), self._piece(f"[{type.element_count}]")]
            case TypeKind.INCOMPLETEARRAY:
                return [*self._wrapped(type.element_type), self._piece("[]")]
            case TypeKind.FUNCTIONPROTO:
                return self._function(type)
            case TypeKind.FUNCTIONNOPROTO:
                return [*self._wrapped(type.get_result()), self._piece("()")]
            case TypeKind.RECORD:
                return [self._piece(qualified), *self._record(type)]
            case TypeKind.ENUM:
                return [self._piece(qualified), *self._enum(type)]
            case _:
                raise NotSpelled(type.spelling)

    def declaration(self, type: ClangType, name: str) -> list[Piece]:
        return [*self._wrapped(type), self._piece(f" {name}")]

    def _wrapped(self, type: ClangType) -> list[Piece]:
        """A type that a name or a `*` may follow."""
        spelled = self.type_of(type)
        if type.get_canonical().kind not in _BEHIND_THE_NAME:
            return spelled
        return [self._piece("__typeof__("), *spelled, self._piece(")")]

    def _function(self, type: ClangType) -> list[Piece]:
        arguments = [self._wrapped(t) for t in type.argument_types()]
        if type.is_function_variadic():
            arguments.append([self._piece("...")])
        listed = [p for number, a in enumerate(arguments) for p in ([self._piece(", ")] if number else []) + a]
        return [
            *self._wrapped(type.get_result()),
            self._piece("("),
            *(listed or [self._piece("void")]),
            self._piece(")"),
        ]

    def _record(self, type: ClangType) -> list[Piece]:
        declared = type.get_declaration()
        definition = declared.get_definition() or declared
        name = str(definition.type.get_canonical().spelling)
        if self._is_visible(definition, name):
            return [self._piece(name)]
        if "(" in name:
            return self._body(definition)
        if name not in self._begun:
            self._begun.add(name)
            word = _word(definition)
            tagged = name.startswith(word)
            if tagged:
                self.definitions.append(self._piece(f"{name};\n"))
            if definition.is_definition():
                body = self._body(definition, name.removeprefix(word).strip() if tagged else "")
                before, after = ([], []) if tagged else ([self._piece("typedef ")], [self._piece(f" {name}")])
                self.definitions += [*before, *body, *after, self._piece(";\n")]
            elif not tagged:
                raise NotSpelled(name)
        return [self._piece(name)]

    def _body(self, definition: Cursor, tag: str = "") -> list[Piece]:
        """The definition of a record. It begins where the original does: unnamed records are known by their place."""
        packed = any(c.kind is CursorKind.PACKED_ATTR for c in children(definition))
        attribute = "__attribute__((packed)) " * packed
        start = Piece(_word(definition), span_of(definition), about=self._about)
        members = [piece for field in definition.type.get_fields() for piece in self._member(field)]
        return [start, self._piece(f" {attribute}{tag} {{ "), *members, self._piece("}")]

    def _member(self, field: Cursor) -> list[Piece]:
        width = f" : {field.get_bitfield_width()}" if field.is_bitfield() else ""
        name = field_name(field)
        if not name and not width:
            return [*self._body(field.type.get_canonical().get_declaration()), self._piece("; ")]
        return [*self.declaration(field.type, name), self._piece(f"{width}; ")]

    def _enum(self, type: ClangType) -> list[Piece]:
        """An enum that is not known there is the integer that it is: its enumerators may mean something else there."""
        declared = type.get_declaration()
        definition = declared.get_definition() or declared
        name = str(definition.type.get_canonical().spelling)
        if self._is_visible(definition, name):
            return [self._piece(name)]
        return self.type_of(definition.enum_type)

    def _is_visible(self, definition: Cursor, name: str) -> bool:
        if not definition.is_definition():
            return name in self._visible
        return is_at_file_scope(definition) and self._visible.get(name) == span_of(definition)

    def _piece(self, text: str) -> Piece:
        return Piece(text, self._span, about=self._about)


def is_at_file_scope(cursor: Cursor) -> bool:
    """Whether a declaration stands in no function; a type inside a record counts as standing where that does."""
    while cursor is not None and cursor.kind is not CursorKind.TRANSLATION_UNIT:
        if cursor.kind is CursorKind.FUNCTION_DECL:
            return False
        cursor = cursor.semantic_parent
    return True


def _word(definition: Cursor) -> str:
    return "union" if definition.kind is CursorKind.UNION_DECL else "struct"
