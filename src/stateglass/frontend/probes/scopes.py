"""What is declared where: the names that a probe may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

from clang.cindex import CursorKind, StorageClass

from stateglass.frontend.clang.libclang import Cursor, children, shown_name
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.units import Unit
from stateglass.frontend.lowering.types import is_internal
from stateglass.program.names import file_of, without_file
from stateglass.source import Span, same_file

_RECORDS = (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL)


@final
@dataclass(frozen=True, slots=True)
class Found:
    """A declaration and the unit that it stands in, counted from 1."""

    unit: int
    cursor: Cursor

    @property
    def file(self) -> str:
        return os.path.basename(span_of(self.cursor).file)


@final
class FileScope:
    """What a unit declares outside of functions, headers included."""

    def __init__(self, unit: Unit, number: int) -> None:
        self.number = number
        self.path = shown_name(unit.path)
        self._top = children(unit.unit.cursor)

    @cached_property
    def variables(self) -> dict[str, Cursor]:
        """The last declaration of each: it has the type that all of them make up together."""
        return {c.spelling: c for c in self._top if c.kind is CursorKind.VAR_DECL}

    @cached_property
    def functions(self) -> dict[str, Cursor]:
        """Functions with a body."""
        return {c.spelling: c for c in self._top if c.kind is CursorKind.FUNCTION_DECL and c.is_definition()}

    @cached_property
    def enumerators(self) -> dict[str, int]:
        return {c.spelling: c.enum_value for top in self._top for c in _enumerators(top)}

    @cached_property
    def names(self) -> frozenset[str]:
        """All names that an expression may use, but macros."""
        kinds = (CursorKind.VAR_DECL, CursorKind.FUNCTION_DECL, CursorKind.TYPEDEF_DECL)
        return frozenset(c.spelling for c in self._top if c.kind in kinds) | frozenset(self.enumerators)

    @cached_property
    def types(self) -> dict[str, Span]:
        """Records and enums that are defined here and have names, as clang spells them, and where."""
        kinds = (*_RECORDS, CursorKind.ENUM_DECL)
        found = [c for top in self._top for c in (top, *_inner_types(top)) if c.kind in kinds and c.is_definition()]
        return {name: span_of(c) for c in found if "(" not in (name := str(c.type.get_canonical().spelling))}

    @cached_property
    def own_names(self) -> list[str]:
        """Variables and enumerators that are worth suggesting: not those of system headers."""
        own = [c for c in self._top if c.location.file is not None and not c.location.is_in_system_header]
        found = [c.spelling for c in own if c.kind is CursorKind.VAR_DECL]
        return [*found, *(e.spelling for top in own for e in _enumerators(top))]

    def members_of(self, type: str) -> list[str]:
        """The members of a record, which goes by the name that clang has for it."""
        for cursor in self._top:
            if cursor.kind in (*_RECORDS, CursorKind.TYPEDEF_DECL):
                canonical = cursor.type.get_canonical()
                if type in (str(canonical.spelling), str(cursor.spelling), str(cursor.type.spelling)):
                    return [f.spelling for f in canonical.get_fields() if "(" not in f.spelling]
        return []


@final
class FunctionScope:
    """What a function declares."""

    def __init__(self, function: Found) -> None:
        self.unit = function.unit
        self.cursor = function.cursor
        self.name = str(function.cursor.spelling)
        self.parameters = [str(p.spelling) for p in function.cursor.get_arguments()]
        self.statics: dict[str, list[Cursor]] = {}
        self.automatic: set[str] = set()
        self.enumerators: dict[str, set[int]] = {}
        seen: set[int] = set()
        for cursor in function.cursor.walk_preorder():
            if cursor.kind is CursorKind.ENUM_CONSTANT_DECL:
                self.enumerators.setdefault(cursor.spelling, set()).add(cursor.enum_value)
            elif cursor.kind is CursorKind.VAR_DECL and cursor.data[0] not in seen:
                seen.add(cursor.data[0])
                if cursor.storage_class is StorageClass.STATIC:
                    self.statics.setdefault(cursor.spelling, []).append(cursor)
                elif cursor.storage_class is not StorageClass.EXTERN:
                    self.automatic.add(cursor.spelling)

    def written(self, name: str) -> list[str]:
        """How each static local of a name is written."""
        count = len(self.statics.get(name, ()))
        return [f"{self.name}::{name}" + (f"~{n}" if count > 1 else "") for n in range(1, count + 1)]


@final
class Scopes:
    """What all files declare."""

    def __init__(self, units: list[Unit]) -> None:
        self.files = [FileScope(unit, number) for number, unit in enumerate(units, 1)]
        self._inner: dict[int, FunctionScope] = {}

    def functions(self, name: str) -> list[Found]:
        """The functions with a body that are called so; `f@motor.c` is that of one file."""
        base, file = without_file(name), file_of(name)
        file = file.strip('"')
        found = [Found(f.number, f.functions[base]) for f in self.files if base in f.functions]
        distinct = {span_of(f.cursor): f for f in reversed(found)}  # a header's counts once
        return [f for f in reversed(distinct.values()) if not file or same_file(file, span_of(f.cursor).file)]

    def variables(self, name: str, file: str = "") -> list[Found]:
        """The variables outside of functions that are called so; one with external linkage counts once."""
        found: list[Found] = []
        for scope in self.files:
            cursor = scope.variables.get(name)
            if cursor is None or (file and not same_file(file, span_of(cursor).file)):
                continue
            if is_internal(cursor) or not any(not is_internal(f.cursor) for f in found):
                found.append(Found(scope.number, cursor))
        return found

    def inside(self, function: Found) -> FunctionScope:
        key = int(function.cursor.data[0])
        if key not in self._inner:
            self._inner[key] = FunctionScope(function)
        return self._inner[key]


def _inner_types(cursor: Cursor) -> Iterator[Cursor]:
    """Types that stand inside of a record's definition, or of a declaration that defines one on the way."""
    if cursor.kind in _RECORDS:
        for child in cursor.get_children():
            if child.kind in (*_RECORDS, CursorKind.ENUM_DECL):
                yield child
                yield from _inner_types(child)


def _enumerators(cursor: Cursor) -> Iterator[Cursor]:
    for enum in (cursor, *_inner_types(cursor)):
        if enum.kind is CursorKind.ENUM_DECL:
            yield from (c for c in enum.get_children() if c.kind is CursorKind.ENUM_CONSTANT_DECL)
