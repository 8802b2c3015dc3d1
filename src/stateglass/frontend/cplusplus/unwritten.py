"""Constructors without arguments that nobody wrote: clang tells of them only where something uses them.

Who makes an object from outside has to know whether C++ has one at all.
"""

from __future__ import annotations

from clang.cindex import AccessSpecifier, CursorKind, TypeKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.fields import has_default
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.cplusplus.classes import Class, Classes, element_type, is_class

_REFERENCES = (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)


def is_made_of_nothing(made: Class, known: Classes) -> bool:
    """Whether a class has a constructor without arguments, be it written or left to the compiler."""
    if made.default_constructor is not None:
        return True
    constructors = [m for m in made.methods if m.kind is CursorKind.CONSTRUCTOR]
    if any(c.is_default_constructor() for c in constructors) or _has_written(made.declaration):
        return False
    if made.type.get_declaration().kind is CursorKind.UNION_DECL:
        return True
    bases = (_is_left_alone(b.type, known, (AccessSpecifier.PUBLIC, AccessSpecifier.PROTECTED)) for b in made.bases)
    return all(bases) and all(_may_be_unsaid(field, known) for field in made.type.get_fields())


def _has_written(declaration: Cursor) -> bool:
    """Whether somebody wrote a constructor, which may be a template, or one that copies or is deleted."""
    template = libclang.template_of(declaration)
    source = declaration.get_definition() or declaration if template is None else template
    title = str(source.spelling)
    return any(
        c.kind is CursorKind.CONSTRUCTOR
        or (c.kind is CursorKind.FUNCTION_TEMPLATE and str(c.spelling).partition("<")[0] == title)
        for c in source.get_children()
    )


def _may_be_unsaid(field: Cursor, known: Classes) -> bool:
    if has_default(field):
        return True
    type = field.type.get_canonical()
    element = element_type(type)
    if type.kind in _REFERENCES or (element.is_const_qualified() and not is_class(element)):
        return False
    return _is_left_alone(element, known, (AccessSpecifier.PUBLIC,))


def _is_left_alone(type: ClangType, known: Classes, access: tuple[AccessSpecifier, ...]) -> bool:
    """Whether a base or a member may be made of nothing by the class that it belongs to."""
    if not is_class(type):
        return True
    made = known.of(type)
    written = made.default_constructor
    return is_made_of_nothing(made, known) and (written is None or written.access_specifier in access)
