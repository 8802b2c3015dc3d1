"""Functions that no code of a file calls, but that we will: what they need of templates must be there.

Clang makes the functions of a template only where something uses them. A class whose constructor nobody wrote uses
those of its members only when an object of it is made, and the first one to make an object may be the environment.
So with the functions that a class has of a base made of a template. What several files have of a header is needed of
the first of them only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
template <class T, class F> void stateglass_call(F T::*) {}
template <class T, class F> void stateglass_call(F *) {}
}
"""
_CALLED: Final = (CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION)
_INNER: Final = (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL)


Shape: TypeAlias = tuple[str, ...]
"""A class that files share: its name, its bases and its members."""


def uses_of_templates(unit: TranslationUnit, elsewhere: set[Shape]) -> list[str]:
    """Lines to be read behind a file, each of which uses what a class needs; empty if none does.

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
            found.append(f"template void stateglass_make<{name}>(); template void stateglass_delete<{name}>({name} *);")
        found += _calls(made, known)
    return list(dict.fromkeys(found))


def text_of(uses: Sequence[str]) -> bytes:
    """The text behind a file that has these lines, which are its last ones."""
    return (_BEGIN + "".join(f"namespace {{ {use} }}\n" for use in uses)).encode()


def _calls(made: Class, known: Classes) -> Iterator[str]:
    """Uses of the public functions that a class has of bases made of templates, as far as clang has not made them."""
    for base in (known.of(b.type) for b in made.bases):
        owner = _named(base.type)
        for method in base.methods if libclang.is_of_template(base.declaration) else ():
            is_public = method.access_specifier is AccessSpecifier.PUBLIC and method.kind in _CALLED
            if is_public and method.get_definition() is None and _is_defined(libclang.template_of(method)):
                called = f"stateglass_call<{owner}, {_named(method.type)}>(&{owner}::{method.spelling})"
                yield f"void stateglass_use{method.hash}() {{ {called}; }}"
        yield from _calls(base, known)


def _is_defined(pattern: Cursor | None) -> bool:
    return pattern is not None and pattern.get_definition() is not None


def _named(type: libclang.ClangType) -> str:
    """A type as it is named outside of everything; what has no name there is wrong, and then clang says so."""
    return str(type.get_canonical().spelling).replace("(anonymous namespace)::", "")


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
