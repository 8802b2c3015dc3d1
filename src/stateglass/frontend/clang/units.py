"""A parsed file, and the declarations of it that other files may mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

from clang.cindex import CursorKind, StorageClass, TranslationUnit

from stateglass.frontend.clang.libclang import Cursor
from stateglass.source import Diagnostic, is_source

METHODS: Final = (
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
)
FUNCTIONS: Final = (CursorKind.FUNCTION_DECL, *METHODS)
CLASSES: Final = (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.UNION_DECL)
TEMPLATES: Final = (CursorKind.CLASS_TEMPLATE, CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
AROUND: Final = (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL, *CLASSES)


@final
@dataclass(frozen=True)
class Unit:
    """A parsed file."""

    path: str
    unit: TranslationUnit
    lacking: tuple[Diagnostic, ...] = ()  # what functions use that is not there

    @cached_property
    def declarations(self) -> tuple[Cursor, ...]:
        """All functions and variables outside of functions, those of headers included."""
        return tuple(declared_in(self.unit.cursor))

    def own_declarations(self) -> Iterator[Cursor]:
        """The declarations that stand in the file itself, not in a header.

        A file without a function of its own stands for the source files that it includes, too.
        """
        files = {self.path}
        if not any(c.kind in FUNCTIONS and c.is_definition() and _file(c) == self.path for c in self.declarations):
            files |= {file for c in self.declarations if (file := _file(c)) is not None and is_source(file)}
        return (cursor for cursor in self.declarations if _file(cursor) in files)

    def functions(self) -> Iterator[Cursor]:
        return (cursor for cursor in self.declarations if cursor.kind in FUNCTIONS)

    def variables(self) -> Iterator[Cursor]:
        return (cursor for cursor in self.declarations if cursor.kind is CursorKind.VAR_DECL)

    def tentative(self) -> dict[str, Cursor]:
        """Variables that are declared without `extern`, by spelling: that defines them, unless something else does."""
        # The last of several has the type that they make up together.
        return {str(c.spelling): c for c in self.variables() if c.storage_class is not StorageClass.EXTERN}


def declared_in(scope: Cursor) -> Iterator[Cursor]:
    """The functions and variables in a file, a namespace or a class."""
    for cursor in scope.get_children():
        if cursor.kind in FUNCTIONS or cursor.kind is CursorKind.VAR_DECL:
            if not _is_of_template(cursor):
                yield cursor
        elif cursor.kind in AROUND:
            yield from declared_in(cursor)


def _is_of_template(cursor: Cursor) -> bool:
    """Whether a definition stands for those of many classes: it belongs to a template, outside of which it stands."""
    scope = cursor.semantic_parent
    while scope is not None and scope.kind in (*CLASSES, *TEMPLATES):
        if scope.kind in TEMPLATES:
            return True
        scope = scope.semantic_parent
    return False


def at_file_scope(cursor: Cursor) -> bool:
    """Whether a declaration stands outside of functions: in a file, a namespace or a class."""
    return cursor.semantic_parent.kind in (CursorKind.TRANSLATION_UNIT, *AROUND)


def _file(cursor: Cursor) -> str | None:
    file = cursor.location.file
    return None if file is None else str(file.name)
