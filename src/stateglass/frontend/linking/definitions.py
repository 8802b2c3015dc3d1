"""What the files of a program define for each other: which definition counts, other names, what runs first and last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from clang.cindex import CursorKind, StorageClass

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.attributes import Attribute, alias_of, has_attribute, link_name, priority
from stateglass.frontend.clang.libclang import Cursor, declaration_key
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.units import FUNCTIONS, Unit
from stateglass.frontend.cplusplus.qualified import is_plain, link_symbol
from stateglass.frontend.linking.library_index import library_files
from stateglass.frontend.lowering.types import is_internal
from stateglass.source import Code, Diagnostic, Span

Numbered = tuple[int, Cursor]
"""A unit, counted from 1, and a declaration in it."""


@final
class Definitions:
    """What the linker would see of all files: which symbols they define, weakly or not. Units are counted from 1."""

    def __init__(self) -> None:
        self.problems: list[Diagnostic] = []
        self.absent: dict[str, Span] = {}  # what is weak, used and defined nowhere
        self._external: set[str] = set()
        self._defined_at: dict[str, Cursor] = {}
        self._tentatively_defined: set[str] = set()
        self._weak: set[str] = set()
        self._aliases: dict[str, Numbered] = {}  # by name: what it is another name of
        self._labels: dict[int, dict[str, str]] = {}  # by unit: names for the linker that differ from the source's
        self._refused: dict[str, str] = {}  # functions that are chosen in a way we do not know
        self._starting: list[tuple[int, int, Cursor]] = []  # constructors: priority, unit
        self._ending: list[tuple[int, int, Cursor]] = []

    def collect(self, units: Sequence[Unit]) -> None:
        """Looks at all units at once: which names clash is known only then."""
        for number, unit in enumerate(units, 1):
            self._collect_labels(unit, number)
        for number, unit in enumerate(units, 1):
            self._collect_unit(unit, number)

    def collect_more(self, unit: Unit, number: int) -> set[str]:
        """Looks at a unit that has more than it had; the names that all files share only now."""
        before = set(self._external)
        self._collect_labels(unit, number)
        self._collect_unit(unit, number)
        return self._external - before

    def add_external(self, name: str) -> None:
        """Another name that all files share."""
        self._external.add(name)

    def is_external(self, name: str) -> bool:
        return name in self._external

    # ---- answers

    def symbol(self, cursor: Cursor, unit: int) -> str:
        """What the linker knows a function or variable as."""
        symbol = link_symbol(cursor)
        return self._labels.get(unit, {}).get(symbol, symbol)

    def has(self, symbol: str) -> bool:
        """Whether a file defines it, be it tentatively."""
        return symbol in self._defined_at or symbol in self._tentatively_defined

    def alias(self, symbol: str) -> Numbered | None:
        """The definition that a symbol without one of its own is another name for."""
        return None if symbol in self._defined_at else self._aliases.get(symbol)

    def is_defined(self, cursor: Cursor, unit: int) -> bool:
        """Whether the program defines a function itself; then the C library's function of that name is not used."""
        symbol = self.symbol(cursor, unit)
        return is_internal(cursor) or symbol in self._defined_at or symbol in self._aliases

    def is_overridden(self, definition: Cursor, unit: int) -> bool:
        """Whether another definition is used instead of this one, which is weak or inline."""
        if is_internal(definition):
            return False
        chosen = self._defined_at.get(self.symbol(definition, unit))
        return chosen is not None and span_of(chosen) != span_of(definition)

    def is_absent(self, cursor: Cursor, unit: int) -> bool:
        """Whether a function or variable is weak and no file defines it: its address is null."""
        name = self.symbol(cursor, unit)
        if name not in self._weak or is_internal(cursor) or name in library_files():
            return False
        if self.has(name) or name in self._aliases:
            return False
        self.absent.setdefault(name, span_of(cursor))
        return True

    def refusal(self, cursor: Cursor, unit: int) -> str:
        """Why a function cannot be called; empty if it can."""
        return "" if is_internal(cursor) else self._refused.get(self.symbol(cursor, unit), "")

    def run_before(self) -> list[Numbered]:
        """Constructors as they are called: by priority, then by file and line."""
        return [(unit, cursor) for _, unit, cursor in sorted(self._starting, key=lambda found: found[:2])]

    def run_after(self) -> list[Numbered]:
        """Destructors as they are called."""
        ordered = sorted(self._ending, key=lambda found: found[:2])
        return [(unit, cursor) for _, unit, cursor in reversed(ordered)]

    # ---- looking at a declaration

    def _collect_labels(self, unit: Unit, number: int) -> None:
        named = ((link_symbol(cursor), link_name(cursor)) for cursor in unit.declarations)
        self._labels[number] = {symbol: label for symbol, label in named if label is not None}

    def _collect_unit(self, unit: Unit, number: int) -> None:
        for cursor in unit.declarations:
            self._collect_calls_around(cursor, number)
            if not is_internal(cursor):
                self._collect(cursor, unit, number)

    def _collect(self, cursor: Cursor, unit: Unit, number: int) -> None:
        symbol = self.symbol(cursor, number)
        self._external.add(symbol)
        if has_attribute(cursor, Attribute.WEAK):
            self._weak.add(symbol)
        if has_attribute(cursor, Attribute.IFUNC):
            self._refused[symbol] = f"`{cursor.spelling}` (its attribute `ifunc` leaves it to the linker)"
        self._collect_alias(cursor, unit, number)
        if not _defines(cursor):
            if cursor.kind is CursorKind.VAR_DECL and cursor.storage_class is not StorageClass.EXTERN:
                self._tentatively_defined.add(symbol)
            return
        other = self._defined_at.get(symbol)
        if other is None or (gives_way(other) and not gives_way(cursor)):
            self._defined_at[symbol] = cursor
        elif span_of(other) != span_of(cursor) and not gives_way(cursor):
            message = f"`{cursor.spelling}` is defined twice"
            help = f"the other definition is at {span_of(other)}"
            self.problems.append(Diagnostic(Code.LINK, message, span_of(cursor), help=help))

    def _collect_calls_around(self, cursor: Cursor, number: int) -> None:
        """Functions that are called before and after all others."""
        for attribute, found in ((Attribute.CONSTRUCTOR, self._starting), (Attribute.DESTRUCTOR, self._ending)):
            rank = priority(cursor, attribute)
            if rank is not None and all(declaration_key(cursor.canonical) != declaration_key(c) for *_, c in found):
                found.append((rank, number, cursor.canonical))

    def _collect_alias(self, cursor: Cursor, unit: Unit, number: int) -> None:
        target = alias_of(cursor)
        if target is None:
            return
        same_unit = [c for c in unit.declarations if self.symbol(c, number) == target]
        if same_unit:
            self._aliases[self.symbol(cursor, number)] = (number, same_unit[-1])
        else:
            message = f"`{cursor.spelling}` is another name of `{target}`, which this file does not define"
            self.problems.append(Diagnostic(Code.LINK, message, span_of(cursor)))


def gives_way(cursor: Cursor) -> bool:
    """Whether a definition is used only if there is no other: a weak one, or an inline one that no linker sees."""
    if cursor.kind in FUNCTIONS and libclang.is_inline(cursor):
        if not is_plain(cursor):
            return True  # C++ has one inline function, whichever file it is taken from
        return (cursor.storage_class is StorageClass.EXTERN) == has_attribute(cursor, Attribute.GNU_INLINE)
    return has_attribute(cursor, Attribute.WEAK)


def _defines(cursor: Cursor) -> bool:
    """Whether a declaration defines something: a function with a body, or a variable with an initialiser."""
    if cursor.kind in FUNCTIONS:
        return bool(cursor.is_definition())
    return libclang.initialiser(cursor) is not None
