"""Makes one program of several files: lowers what each defines, and what that uses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import final

from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang.libclang import shown_name
from stateglass.frontend.clang.units import Unit
from stateglass.frontend.cplusplus.interfaces import Aliases, classes_of
from stateglass.frontend.cplusplus.startup import begins_by_itself
from stateglass.frontend.linking.agreeing import Agreement
from stateglass.frontend.linking.definitions import Numbered
from stateglass.frontend.linking.extending import Sizes, moved, shallow_copy
from stateglass.frontend.linking.symbol_table import Asked, SymbolTable
from stateglass.frontend.lowering.types import is_internal
from stateglass.program import Program, Target
from stateglass.program.classes import Class
from stateglass.program.layout import MOST_CELLS, count_cells
from stateglass.source import Code, Diagnostic, InputError, is_cplusplus


@final
class Linker:
    """The program under construction, to which files are added one after the other."""

    def __init__(self, target: Target, volatile_is_input: bool, throwing: Collection[str] = ()) -> None:
        self.symbols = SymbolTable(target, volatile_is_input)
        self._replaced = frozenset(throwing)  # functions that may throw whatever their bodies say
        self._ends: dict[int, Sizes] = {}  # by unit: what there was when its own declarations were lowered
        self._classes_of: dict[int, list[str]] = {}  # by unit: the records that it was the first to have
        self._classes: dict[str, Class] = {}
        self._aliases = Aliases()
        self._given_names: frozenset[str] = frozenset()  # functions that are lowered only when they are asked for
        self._files: tuple[str, ...] = ()
        self.warnings: tuple[Diagnostic, ...] = ()
        self.floats: frozenset[TypeKind] = frozenset()  # the kinds of floating-point numbers that the program has

    def add(self, units: list[Unit], asked: Sequence[Asked] = ()) -> None:
        """Take in the files of the program, all at once: which names clash is known only then."""
        symbols = self.symbols
        self._given_names = frozenset(name for a in asked for name in a.functions)
        symbols.definitions.collect(units)
        if symbols.definitions.problems:
            raise InputError(symbols.definitions.problems)
        self._files = tuple(shown_name(u.path) for u in units)
        symbols.destroys_at_end = symbols.definitions.has("main") and any(is_cplusplus(u.path) for u in units)
        for unit in units:
            self._lower_unit(unit)
        for more in asked:
            self._lower_asked(units[more.unit - 1], more)
        symbols.unit_number = len(units)

    def copied(self) -> Linker:
        """The files so far, which can be completed in another way; what is theirs is not lowered again."""
        twin = shallow_copy(self)
        twin.symbols = self.symbols.copied()
        return twin

    def add_behind(self, unit: Unit, number: int) -> None:
        """Take in what a file, counted from 1, has behind its end: all before that is as it was, and is lowered."""
        symbols = self.symbols
        for name in symbols.definitions.collect_more(unit, number):
            symbols.names.share_late(name)
        if symbols.definitions.problems:
            raise InputError(symbols.definitions.problems)
        # More may be known of the classes that this file was the first to have: what is used only now.
        for record in self._classes_of[number]:
            del self._classes[record]
        written, symbols.written = symbols.written, {}
        last, end, known = symbols.unit_number, self._ends[number], self._sizes()
        symbols.unit_number = number - 1
        self._lower_unit(unit)
        symbols.unit_number = last
        # The order is that of the files.
        symbols.functions = moved(symbols.functions, known.functions, end.functions)
        symbols.declarations = moved(symbols.declarations, known.declarations, end.declarations)
        symbols.variables = moved(symbols.variables, known.variables, end.variables)
        self._classes = moved(self._classes, known.classes, end.classes)
        symbols.written = written | symbols.written

    def _sizes(self) -> Sizes:
        symbols = self.symbols
        return Sizes(len(symbols.functions), len(symbols.declarations), len(symbols.variables), len(self._classes))

    def complete(self) -> None:
        """All files are there: what depends on all of them is decided."""
        self.symbols.end(self._replaced)
        self.floats = frozenset(self.symbols.types.floats)

    def add_late(self, unit: Unit) -> None:
        """Take in a file of the library. The program's own names stay as they are."""
        for cursor in unit.declarations:
            if not is_internal(cursor):
                self.symbols.names.add_of_library(str(cursor.spelling))
        self._lower_unit(unit)

    def program(self) -> Program:
        symbols = self.symbols
        for variable in symbols.variables.values():
            count = count_cells(variable.type, symbols.types.records)
            if count > MOST_CELLS:
                message = f"`{variable.name}` has {count:,} elements; the most is {MOST_CELLS:,}"
                symbols.problems.append(Diagnostic(Code.TOO_LARGE, message, variable.span))
        agreement = Agreement(symbols.functions, symbols.int_type)
        symbols.functions = {name: agreement.made(f) for name, f in symbols.functions.items()}
        symbols.problems += agreement.errors
        self.warnings = tuple(dict.fromkeys((*self.warnings, *agreement.warnings)))
        if symbols.problems:
            raise InputError(symbols.problems)
        for name in symbols.functions:
            symbols.declarations.pop(name, None)
        starting = [name for _, name in sorted(symbols.starting, key=lambda start: start[0])]
        return Program(
            target=symbols.target,
            files=self._files,
            records=symbols.types.records,
            enums=symbols.types.enums,
            variables=symbols.variables,
            functions=symbols.functions,
            declarations=symbols.declarations,
            constructors=(*self._defined(symbols.definitions.run_before()), *starting),
            destructors=self._defined(symbols.definitions.run_after()),
            classes=self._aliases.given(self._classes, symbols.functions),
            written=symbols.written,
        )

    def _defined(self, functions: list[Numbered]) -> tuple[str, ...]:
        """The names of those that were lowered."""
        names = dict.fromkeys(self.symbols.names.name(cursor, unit) for unit, cursor in functions)
        return tuple(name for name in names if name in self.symbols.functions)

    # ---- lower what a unit defines, and what that uses

    def _lower_unit(self, unit: Unit) -> None:
        symbols = self.symbols
        symbols.enter(unit, symbols.unit_number + 1)
        for cursor in unit.own_declarations():
            if cursor.spelling in self._given_names:
                continue
            if cursor.kind is CursorKind.VAR_DECL:
                symbols.variable(cursor)
            elif cursor.is_definition():
                symbols.function(cursor)
            symbols.work_off()
        self._ends[symbols.unit_number] = self._sizes()
        if symbols.cplusplus:
            for cursor in unit.variables():
                if begins_by_itself(cursor):
                    symbols.variable(cursor)
            symbols.make_initialisers(unit)
            known = len(self._classes)
            self._classes.update((c.record, c) for c in classes_of(unit, symbols, self._classes))
            self._aliases.note(unit)
            self._classes_of[symbols.unit_number] = list(self._classes)[known:]
            symbols.work_off()

    def _lower_asked(self, unit: Unit, asked: Asked) -> None:
        symbols = self.symbols
        symbols.enter(unit, asked.unit)
        functions = list(unit.functions())
        for cursor in functions:
            if cursor.spelling in asked.about and cursor.is_definition():
                symbols.function(cursor)
                symbols.work_off()
        symbols.asked = asked
        for cursor in functions:
            if cursor.spelling in asked.functions:
                symbols.function(cursor)
                symbols.work_off()
        symbols.asked = None
