"""A parsed file, and the declarations of it that other files may mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from clang.cindex import CursorKind, StorageClass, TranslationUnit

from stateglass.frontend.libclang import Cursor


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """A parsed file."""

    path: str
    unit: TranslationUnit

    def declarations(self) -> Iterator[Cursor]:
        """All functions and variables outside of functions, those of headers included."""
        linked = (CursorKind.FUNCTION_DECL, CursorKind.VAR_DECL)
        return (cursor for cursor in self.unit.cursor.get_children() if cursor.kind in linked)

    def own_declarations(self) -> Iterator[Cursor]:
        """The declarations that stand in the file itself, not in a header."""
        return (cursor for cursor in self.declarations() if _file(cursor) == self.path)

    def functions(self) -> Iterator[Cursor]:
        return (cursor for cursor in self.declarations() if cursor.kind is CursorKind.FUNCTION_DECL)

    def variables(self) -> Iterator[Cursor]:
        return (cursor for cursor in self.declarations() if cursor.kind is CursorKind.VAR_DECL)

    def tentative(self) -> dict[str, Cursor]:
        """Variables that are declared without `extern`, by spelling: that defines them, unless something else does."""
        # The last of several has the type that they make up together.
        return {str(c.spelling): c for c in self.variables() if c.storage_class is not StorageClass.EXTERN}


def at_file_scope(cursor: Cursor) -> bool:
    return bool(cursor.semantic_parent.kind is CursorKind.TRANSLATION_UNIT)


def _file(cursor: Cursor) -> str | None:
    file = cursor.location.file
    return None if file is None else str(file.name)
