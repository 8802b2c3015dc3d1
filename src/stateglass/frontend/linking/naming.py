"""The one name that each function and variable has in the program."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import final

from clang.cindex import CursorKind

from stateglass.frontend.clang.libclang import Cursor, declaration_key
from stateglass.frontend.clang.units import CLASSES, FUNCTIONS, METHODS
from stateglass.frontend.cplusplus.qualified import (
    has_lambda,
    is_copying,
    is_plain,
    names_of_methods,
    overload_suffix,
    qualified_name,
)
from stateglass.frontend.linking.definitions import Definitions
from stateglass.frontend.linking.extending import shallow_copy
from stateglass.frontend.linking.library_index import plain_name
from stateglass.frontend.lowering.types import is_internal


@final
class Names:
    """Gives names; those that clash are told apart by their file (`x@file.c`) or by a number (`f::x~2`)."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._internal: dict[tuple[int, str], str] = {}
        self._static_locals: dict[tuple[int, int], str] = {}
        self._of_library: dict[str, str] = {}  # by spelling: where the program has something else of that name
        self._taken: set[str] = set()
        self._by_symbol: dict[str, str] = {}  # C++: what the linker knows something as
        self._by_declaration: dict[tuple[int, int], str] = {}  # the same, by unit and declaration
        self._methods: dict[tuple[int, int], Counter[tuple[CursorKind, str]]] = {}  # by unit and class

    def copied(self, definitions: Definitions) -> Names:
        """The names so far, to which others can be added."""
        twin = shallow_copy(self)
        twin._definitions = definitions
        return twin

    def name(self, cursor: Cursor, unit: int) -> str:
        """The name of a function, or of a variable outside of functions."""
        key = (unit, declaration_key(cursor))
        if key in self._by_declaration:
            return self._by_declaration[key]
        symbol = self._definitions.symbol(cursor, unit)
        if cursor.kind in METHODS or not is_plain(cursor) or cursor.semantic_parent.kind is CursorKind.NAMESPACE:
            name = self._by_declaration[key] = self._qualified(cursor, symbol, unit)
            return name
        spelling = plain_name(str(cursor.spelling))
        if is_internal(cursor):
            return self._name_of_internal(cursor, spelling, unit)
        alias = self._definitions.alias(symbol)
        if alias is not None:
            number, target = alias
            return self.name(target, number)
        return self.of_library(symbol if self._definitions.has(symbol) else spelling)

    def _qualified(self, cursor: Cursor, symbol: str, unit: int) -> str:
        """Of what C++ has in a class or namespace, or has several of."""
        key = f"{unit} {cursor.get_usr()}" if is_internal(cursor) else symbol
        name = qualified_name(cursor)
        if has_lambda(name):
            key += f" {name}"
        if key not in self._by_symbol:
            if cursor.kind in FUNCTIONS and (self._is_overloaded(cursor, unit) or self._is_taken(name)):
                name += overload_suffix(cursor)
            if self._is_taken(name) and is_internal(cursor):
                name = f"{name}@{PurePath(cursor.location.file.name).name}"
            while self._is_taken(name):
                name += "'"
            self._taken.add(name)
            self._by_symbol[key] = name
        return self._by_symbol[key]

    def _is_overloaded(self, function: Cursor, unit: int) -> bool:
        """Whether its class has another function of its name."""
        scope = function.semantic_parent
        if scope.kind not in CLASSES:
            return False
        if is_copying(function):
            return True
        key = (unit, declaration_key(scope))
        if key not in self._methods:
            self._methods[key] = names_of_methods(scope)
        return self._methods[key][function.kind, str(function.spelling)] > 1

    def _is_taken(self, name: str) -> bool:
        return name in self._taken or self._definitions.is_external(name)

    def _name_of_internal(self, cursor: Cursor, spelling: str, unit: int) -> str:
        key = (unit, cursor.get_usr())
        if key not in self._internal:
            name = spelling
            if self._definitions.is_external(name) or name in self._taken:
                name = f"{spelling}@{PurePath(cursor.location.file.name).name}"
            while name in self._taken:
                name += "'"
            self._taken.add(name)
            self._internal[key] = name
        return self._internal[key]

    def name_static_local(self, cursor: Cursor, unit: int, function: str) -> str:
        key = (unit, declaration_key(cursor))
        if key not in self._static_locals:
            base = name = f"{function}::{cursor.spelling}"
            number = 1
            while name in self._taken:
                number += 1
                name = f"{base}~{number}"
            self._taken.add(name)
            self._static_locals[key] = name
        return self._static_locals[key]

    def name_register(self, macro: str, address: int) -> str:
        """The name of what lies at a fixed address: its macro's, unless something else has that name."""
        name = macro if macro and not self._definitions.is_external(macro) else f"at_{address:#x}"
        while name in self._taken or self._definitions.is_external(name):
            name = f"at_{address:#x}" if name == macro else name + "'"
        self._taken.add(name)
        return name

    # ---- the library, which comes last: the program's own names stay as they are

    def add_of_library(self, name: str) -> None:
        """Takes in a name that a file of the library defines for all files."""
        if not self._definitions.is_external(name):
            self.share_late(name)
        self._definitions.add_external(name)

    def share_late(self, name: str) -> None:
        """A name that all files share only now: what went by it alone before keeps it."""
        if name in self._taken:
            self._of_library[name] = f"{name}@library"

    def of_library(self, spelling: str) -> str:
        """The name of what is spelled so in all files."""
        return self._of_library.get(spelling, spelling)

    def spelling(self, name: str) -> str:
        """How a name of `of_library` is spelled in the source."""
        return next((spelling for spelling, given in self._of_library.items() if given == name), name)
