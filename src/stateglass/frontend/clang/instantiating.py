"""Constructors that no code of a file calls, but that we will: what they need of templates must be there.

Clang makes the functions of a template only where something uses them. A class whose constructor nobody wrote uses
those of its members only when an object of it is made, and the first one to make an object may be the environment.
What several files have of a header is needed of the first of them only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from clang.cindex import AccessSpecifier, CursorKind, LinkageKind, TranslationUnit

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.fields import lacks_default
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.units import CLASSES
from stateglass.frontend.cplusplus.classes import Class, Classes, element_type, is_class, is_left_to_compiler

# As in a header of the system: nobody is told of what is wrong in it, and none of it is code of the user.
_BEGIN: Final = """

# 1 "stateglass" 3
namespace {
template <class T> void stateglass_make() { if constexpr (__is_constructible(T)) ::new T; }
template <class T> void stateglass_delete(T *object) { if constexpr (__is_destructible(T)) delete object; }
}
"""
_INNER: Final = (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL)


Shape: TypeAlias = tuple[str, ...]
"""A class that files share: its name, its bases and its members."""


def uses_of_templates(unit: TranslationUnit, elsewhere: set[Shape]) -> bytes:
    """Text to be read behind a file, which makes an object of each class that needs it; empty if none does.

    `elsewhere` are classes of other files, which care for them; those of this file are added.
    """
    known = Classes()
    found: list[str] = []
    for name, type in _named_classes(unit.cursor, ""):
        made = known.of(type)
        shape = _shape(name, made)
        if shape in elsewhere:
            continue
        if made.declaration.linkage is LinkageKind.EXTERNAL:
            elsewhere.add(shape)
        if not libclang.is_abstract(made.declaration) and _is_wanting(made, known):
            found.append(name)
    uses = (
        f"template void stateglass_make<{name}>();\ntemplate void stateglass_delete<{name}>({name} *);\n"
        for name in found
    )
    return (_BEGIN + "".join(uses)).encode() if found else b""


def _named_classes(scope: Cursor, prefix: str) -> Iterator[tuple[str, libclang.ClangType]]:
    """The classes of the user that can be named from outside, by their full names."""
    for cursor in scope.get_children():
        if cursor.kind in _INNER and not cursor.location.is_in_system_header:
            inner = str(cursor.spelling) if cursor.kind is CursorKind.NAMESPACE else ""
            yield from _named_classes(cursor, f"{prefix}::{inner}" if inner and "(" not in inner else prefix)
        elif cursor.kind in CLASSES and cursor.is_definition() and not cursor.location.is_in_system_header:
            hidden = cursor.access_specifier in (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED)
            if not hidden and cursor.spelling and "(" not in cursor.spelling:
                name = f"{prefix}::{cursor.displayname}"
                yield name, cursor.type
                yield from _named_classes(cursor, name)


def _shape(name: str, made: Class) -> Shape:
    bases = [str(base.type.spelling) for base in made.bases]
    fields = [f"{field.type.get_canonical().spelling} {field.spelling}" for field in made.type.get_fields()]
    place = made.declaration.location
    return (name, f"{place.file}:{place.offset}", *bases, *fields)


def _is_wanting(made: Class, known: Classes) -> bool:
    """Whether the constructor that nobody wrote needs something of a template that clang has not made yet."""
    constructor = made.default_constructor
    others = [m for m in made.methods if m.kind is CursorKind.CONSTRUCTOR and not is_left_to_compiler(m)]
    if others if constructor is None else not is_left_to_compiler(constructor):
        return False
    if any(lacks_default(field) for field in made.type.get_fields()):
        return True
    fields = (element_type(field.type) for field in made.type.get_fields())
    parts = [*(base.type for base in made.bases), *(type for type in fields if is_class(type))]
    for part in map(known.of, parts):
        constructor = part.default_constructor
        if constructor is None or is_left_to_compiler(constructor):
            if _is_wanting(part, known):
                return True
        elif constructor.get_definition() is None and libclang.is_of_template(constructor):
            return True
    return False
