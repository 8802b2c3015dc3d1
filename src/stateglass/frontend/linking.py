"""Collects what the translation units define, gives every symbol one name, and lowers what is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final, final

from clang.cindex import CursorKind, StorageClass, TranslationUnit, TypeKind

from stateglass.frontend import clang
from stateglass.frontend.agreeing import Agreement
from stateglass.frontend.attributes import Attribute, alias_of, has_attribute, link_name, never_returns, priority
from stateglass.frontend.builder import NotSupported
from stateglass.frontend.clang import Cursor, declaration_key, shown_name
from stateglass.frontend.conversions import wrap
from stateglass.frontend.initialisers import length_of_tail, text_of
from stateglass.frontend.library_index import library_files, plain_name
from stateglass.frontend.locations import span_of
from stateglass.frontend.statements import lower_function
from stateglass.frontend.statics import initial_values
from stateglass.frontend.types import TypeTable, alike, has_flexible_member, is_const, is_internal
from stateglass.program import (
    AddressOf,
    Array,
    Constant,
    Convert,
    Declaration,
    Function,
    Global,
    Initial,
    Int,
    Local,
    Place,
    Pointer,
    Program,
    Record,
    Target,
    Type,
    Variable,
)
from stateglass.program.layout import MOST_CELLS, count_cells
from stateglass.program.walk import base_of
from stateglass.source import Code, Diagnostic, InputError, Span

_LINKED: Final = (CursorKind.FUNCTION_DECL, CursorKind.VAR_DECL)


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """A parsed file."""

    path: str
    unit: TranslationUnit


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be lowered of a unit after all others: functions that are asked for from outside."""

    unit: int  # counted from 1
    about: frozenset[str]  # functions of the unit, or of its headers, that must be there
    functions: Mapping[str, str]  # by the name they have in the text: the one they get
    stand_ins: Mapping[str, tuple[int, Cursor]]  # by name in the text: where it is declared, and in which unit


@final
class Linker:
    """The program under construction; also the `Symbols` that lowering asks, for the unit at hand."""

    def __init__(self, target: Target, volatile_is_input: bool) -> None:
        self.types = TypeTable(target, volatile_is_input)
        self.volatile_is_input = volatile_is_input
        self.ptrdiff_type = Int(8 * target.pointer_size, signed=True)
        self.big_endian = target.big_endian
        self._target = target
        self._int_type = Int(target.int_bits, signed=True)
        self._functions: dict[str, Function] = {}
        self._declarations: dict[str, Declaration] = {}
        self._variables: dict[str, Variable] = {}
        self._literals: dict[tuple[int, tuple[int, ...]], str] = {}
        self._external: set[str] = set()
        self._defined_at: dict[str, Cursor] = {}
        self._weak: set[str] = set()
        self._tentatively_defined: set[str] = set()
        self._asked: Asked | None = None  # at hand
        self._given_names: frozenset[str] = frozenset()  # functions that are lowered only when they are asked for
        self.absent: dict[str, Span] = {}  # what is weak, used and defined nowhere
        self._aliases: dict[str, tuple[int, Cursor]] = {}  # by name: the unit, and what it is another name of
        self._labels_of: dict[int, dict[str, str]] = {}  # by unit: names for the linker that differ from the source's
        self._refused: dict[str, str] = {}  # functions that are chosen in a way we do not know
        self._starting: list[tuple[int, int, Cursor]] = []  # constructors: priority, unit
        self._ending: list[tuple[int, int, Cursor]] = []
        self._names: dict[tuple[int, str], str] = {}
        self._taken: set[str] = set()
        self._late_names: dict[str, str] = {}
        self._files: tuple[str, ...] = ()
        self._static_locals: dict[tuple[int, int], str] = {}
        self._static_literals: dict[tuple[int, int], str] = {}
        self._initialised: set[str] = set()
        self._labels: dict[str, dict[str, int]] = {}
        self._tentative: dict[str, Cursor] = {}
        self._unit_number = 0
        self._unit_path = ""
        self._function = ""
        self._waiting: list[Cursor] = []
        self._problems: list[Diagnostic] = []
        self.warnings: tuple[Diagnostic, ...] = ()
        self.floats: frozenset[TypeKind] = frozenset()  # the kinds of floating-point numbers that the program has

    def add(self, units: list[Unit], asked: Sequence[Asked] = ()) -> None:
        """Take in the files of the program, all at once: which names clash is known only then."""
        self._given_names = frozenset(name for a in asked for name in a.functions)
        for number, unit in enumerate(units, 1):
            self._collect_labels(unit, number)
        for number, unit in enumerate(units, 1):
            self._unit_number = number
            self._collect(unit)
        self._unit_number = 0
        if self._problems:
            raise InputError(self._problems)
        self._files = tuple(shown_name(u.path) for u in units)
        for unit in units:
            self._lower_unit(unit)
        for more in asked:
            self._lower_asked(units[more.unit - 1], more)
        self._unit_number = len(units)
        self.floats = frozenset(self.types.floats)

    def add_late(self, unit: Unit) -> None:
        """Take in a file of the library. The program's own names stay as they are."""
        for cursor in unit.unit.cursor.get_children():
            if cursor.kind in (CursorKind.FUNCTION_DECL, CursorKind.VAR_DECL) and not is_internal(cursor):
                name = str(cursor.spelling)
                if name not in self._external and name in self._taken:
                    self._late_names[name] = f"{name}@library"
                self._external.add(name)
        self._lower_unit(unit)

    def missing(self) -> list[str]:
        """What is used so far and defined nowhere, as it is spelled."""
        names = [name for name in self._declarations if name not in self._functions]
        names += [v.name for v in self._variables.values() if not v.defined]
        spellings = {late: spelling for spelling, late in self._late_names.items()}
        return [spellings.get(name, name) for name in names]

    def fits(self, name: str, unit: Unit) -> bool:
        """Whether a unit defines what the program means by a name, and not something else that is called so."""
        self.types.start_unit()
        cursor = next(c for c in unit.unit.cursor.get_children() if c.spelling == name and _is_in_file(c, unit.path))
        variable = self._variables.get(name)
        if variable is not None:
            return variable.type == self.types.convert(cursor.type)
        declared = self._declarations[self._late_names.get(name, name)]
        result = self.types.convert(cursor.result_type)
        parameters = [self.types.parameter(p.type) for p in cursor.get_arguments()]
        without_prototype = declared.variadic and not declared.parameters
        given = parameters if without_prototype else [p.type for p in declared.parameters]
        return alike([declared.result, *given], [result, *parameters])

    def program(self) -> Program:
        for variable in self._variables.values():
            count = count_cells(variable.type, self.types.records)
            if count > MOST_CELLS:
                message = f"`{variable.name}` has {count:,} elements; the most is {MOST_CELLS:,}"
                self._problems.append(Diagnostic(Code.TOO_LARGE, message, variable.span))
        agreement = Agreement(self._functions, self._int_type)
        self._functions = {name: agreement.made(f) for name, f in self._functions.items()}
        self._problems += agreement.errors
        self.warnings = tuple(dict.fromkeys((*self.warnings, *agreement.warnings)))
        if self._problems:
            raise InputError(self._problems)
        for name in self._functions:
            self._declarations.pop(name, None)
        return Program(
            self._target,
            self._files,
            self.types.records,
            self.types.enums,
            self._variables,
            self._functions,
            self._declarations,
            self._in_order(self._starting),
            tuple(reversed(self._in_order(self._ending))),
        )

    def _in_order(self, functions: list[tuple[int, int, Cursor]]) -> tuple[str, ...]:
        """The names of constructors (or destructors) as they are called: by priority, then by file and line."""
        ordered = sorted(functions, key=lambda f: f[:2])
        names = dict.fromkeys(self._name(cursor, unit) for _, unit, cursor in ordered)
        return tuple(name for name in names if name in self._functions)

    # ---- first pass: what has external linkage, and is it defined once

    def _collect_labels(self, unit: Unit, number: int) -> None:
        labels = self._labels_of[number] = {}
        for cursor in unit.unit.cursor.get_children():
            if cursor.kind in (CursorKind.FUNCTION_DECL, CursorKind.VAR_DECL):
                label = link_name(cursor)
                if label is not None:
                    labels[cursor.spelling] = label

    def _symbol(self, cursor: Cursor) -> str:
        """What the linker knows a function or variable as."""
        spelling = str(cursor.spelling)
        return self._labels_of.get(self._unit_number, {}).get(spelling, spelling)

    def _collect(self, unit: Unit) -> None:
        for cursor in unit.unit.cursor.get_children():
            if cursor.kind not in (CursorKind.FUNCTION_DECL, CursorKind.VAR_DECL):
                continue
            self._collect_calls_around(cursor)
            if is_internal(cursor):
                continue
            symbol = self._symbol(cursor)
            self._external.add(symbol)
            if has_attribute(cursor, Attribute.WEAK):
                self._weak.add(symbol)
            if has_attribute(cursor, Attribute.IFUNC):
                self._refused[symbol] = f"`{cursor.spelling}` (its attribute `ifunc` leaves it to the linker)"
            self._collect_alias(cursor, unit)
            if not _defines(cursor):
                self._declared_only(cursor)
                continue
            other = self._defined_at.get(symbol)
            if other is None or (_gives_way(other) and not _gives_way(cursor)):
                self._defined_at[symbol] = cursor
            elif span_of(other) != span_of(cursor) and not _gives_way(cursor):
                here, there = span_of(cursor), span_of(other)
                message = f"`{cursor.spelling}` is defined twice"
                self._problems.append(Diagnostic(Code.LINK, message, here, help=f"the other definition is at {there}"))

    def _collect_calls_around(self, cursor: Cursor) -> None:
        """Functions that are called before and after all others."""
        for attribute, found in ((Attribute.CONSTRUCTOR, self._starting), (Attribute.DESTRUCTOR, self._ending)):
            number = priority(cursor, attribute)
            if number is not None and all(declaration_key(cursor.canonical) != declaration_key(c) for *_, c in found):
                found.append((number, self._unit_number, cursor.canonical))

    def _collect_alias(self, cursor: Cursor, unit: Unit) -> None:
        target = alias_of(cursor)
        if target is None:
            return
        same_unit = [c for c in unit.unit.cursor.get_children() if c.kind in _LINKED and self._symbol(c) == target]
        if same_unit:
            self._aliases[self._symbol(cursor)] = (self._unit_number, same_unit[-1])
        else:
            message = f"`{cursor.spelling}` is another name of `{target}`, which this file does not define"
            self._problems.append(Diagnostic(Code.LINK, message, span_of(cursor)))

    def _declared_only(self, cursor: Cursor) -> None:
        if cursor.kind is CursorKind.VAR_DECL and cursor.storage_class is not StorageClass.EXTERN:
            self._tentatively_defined.add(self._symbol(cursor))

    # ---- second pass: lower what this unit defines, and what that uses

    def _lower_unit(self, unit: Unit) -> None:
        self._unit_number += 1
        self._enter_unit(unit)
        for cursor in unit.unit.cursor.get_children():
            if not _is_in_file(cursor, unit.path) or cursor.spelling in self._given_names:
                continue
            if cursor.kind is CursorKind.VAR_DECL:
                self.variable(cursor)
            elif cursor.kind is CursorKind.FUNCTION_DECL and cursor.is_definition():
                self.function(cursor)
            self._work_off()

    def _lower_asked(self, unit: Unit, asked: Asked) -> None:
        self._unit_number = asked.unit
        self._enter_unit(unit)
        functions = [c for c in unit.unit.cursor.get_children() if c.kind is CursorKind.FUNCTION_DECL]
        for cursor in functions:
            if cursor.spelling in asked.about and cursor.is_definition():
                self.function(cursor)
                self._work_off()
        self._asked = asked
        for cursor in functions:
            if cursor.spelling in asked.functions:
                self.function(cursor)
                self._work_off()
        self._asked = None

    def _enter_unit(self, unit: Unit) -> None:
        self._unit_path = unit.path
        self.types.start_unit()
        # Declarations without `extern` and without initialiser define a variable unless another one does.
        self._tentative = {
            c.spelling: c
            for c in unit.unit.cursor.get_children()
            if c.kind is CursorKind.VAR_DECL and c.storage_class is not StorageClass.EXTERN
        }

    def _work_off(self) -> None:
        """Lower the functions that were asked for; they may ask for more (inline functions in headers)."""
        while self._waiting:
            cursor = self._waiting.pop(0)
            name = self._name(cursor)
            if name not in self._functions:
                self._function = name
                self._functions[name] = lower_function(cursor, name, self, self._int_type)

    def _name(self, cursor: Cursor, unit: int | None = None) -> str:
        """The one name of a function or file-scope variable; a clash of statics is told apart by the file."""
        spelling = plain_name(str(cursor.spelling))
        if self._asked is not None:
            if spelling in self._asked.functions:
                return self._asked.functions[spelling]
            if spelling in self._asked.stand_ins:
                return self._stood_for(cursor, *self._asked.stand_ins[spelling])
        if not is_internal(cursor):
            symbol = self._symbol(cursor)
            if symbol in self._aliases and symbol not in self._defined_at:
                number, target = self._aliases[symbol]
                return self._name(target, number)
            if symbol in self._defined_at or symbol in self._tentatively_defined:
                spelling = symbol
            return self._late_names.get(spelling, spelling)
        key = (self._unit_number if unit is None else unit, cursor.get_usr())
        if key not in self._names:
            name = spelling
            if name in self._external or name in self._taken:
                name = f"{spelling}@{PurePath(cursor.location.file.name).name}"
            while name in self._taken:
                name += "'"
            self._taken.add(name)
            self._names[key] = name
        return self._names[key]

    def _stood_for(self, cursor: Cursor, unit: int, target: Cursor) -> str:
        """The name of what another declaration declares; all units were lowered before."""
        if _at_file_scope(target):
            return self._name(target, unit)
        span = span_of(target)
        named = [v.name for v in self._variables.values() if "::" in v.name and v.span == span]
        found = [n for n in named if n.rpartition("::")[2].partition("~")[0] == target.spelling]
        if len(found) == 1:
            return found[0]
        why = "cannot be told from others of that name" if found else "is in a function that the program does not use"
        problem = Diagnostic(Code.UNSUPPORTED, f"`{target.spelling}` {why}", span_of(cursor))
        if problem not in self._problems:
            self._problems.append(problem)
        return str(target.spelling)

    def function(self, cursor: Cursor) -> str:
        """The name of a function; its body, if this unit has one, is lowered later."""
        name = self._name(cursor)
        definition = cursor if cursor.is_definition() else cursor.get_definition()
        if name in self._functions:
            return name
        if definition is not None and not self._overridden(definition):
            self._waiting.append(definition)
        if name not in self._declarations:
            parameters = tuple(
                Local(p.spelling or f"argument{i + 1}", _only_read(self.types.parameter(p.type)), span_of(p))
                for i, p in enumerate(cursor.get_arguments())
            )
            result = self.types.convert(cursor.result_type)
            variadic = _is_variadic(cursor)
            self._declarations[name] = Declaration(
                name, result, parameters, variadic, never_returns(cursor), span_of(cursor)
            )
        return name

    def is_defined(self, cursor: Cursor) -> bool:
        """Whether the program defines a function itself, whatever the C library has under its name."""
        symbol = self._symbol(cursor)
        return is_internal(cursor) or symbol in self._defined_at or symbol in self._aliases

    def refusal(self, cursor: Cursor) -> str:
        """Why a function cannot be called; empty if it can."""
        return "" if is_internal(cursor) else self._refused.get(self._symbol(cursor), "")

    def is_absent(self, cursor: Cursor) -> bool:
        """Whether a function or variable is weak and no file defines it: its address is null."""
        name = self._symbol(cursor)
        if name not in self._weak or is_internal(cursor) or name in library_files():
            return False
        if name in self._defined_at or name in self._tentatively_defined or name in self._aliases:
            return False
        self.absent.setdefault(name, span_of(cursor))
        return True

    def volatile_target(self, pointer: str) -> Place | None:
        """The volatile variable, or part of one, that a constant pointer leads to."""
        variable = self._variables.get(pointer)
        if variable is None or not variable.readonly or not isinstance(variable.type, Pointer):
            return None
        value = variable.initial[0].value if variable.initial else None
        while isinstance(value, Convert):
            value = value.operand
        if not isinstance(value, AddressOf):
            return None
        base = base_of(value.place)
        return value.place if isinstance(base, Global) and self._variables[base.name].volatile else None

    def _overridden(self, definition: Cursor) -> bool:
        """Whether another file defines a function instead: this definition is weak, or inline."""
        if is_internal(definition):
            return False
        chosen = self._defined_at.get(self._symbol(definition))
        return chosen is not None and span_of(chosen) != span_of(definition)

    def variable(self, cursor: Cursor) -> Global:
        static_local = cursor.storage_class is StorageClass.STATIC and not _at_file_scope(cursor)
        name = self._static_local(cursor) if static_local else self._name(cursor)
        definition = cursor if static_local else self._definition(cursor)
        if definition is not None and _gives_way(definition) and self._overridden(definition):
            definition = None
        known = self._variables.get(name)
        initialiser = clang.initialiser(definition) if definition is not None else None
        if known is not None:
            self._check_type(known, cursor)
            better = not known.defined or (initialiser is not None and name not in self._initialised)
            if definition is None or not better:
                return Global(name, known.type, span_of(cursor))
        best = definition if definition is not None else cursor
        type = self.types.convert(best.type)
        if initialiser is not None and has_flexible_member(best.type):
            type = self._with_tail(type, initialiser)
        # Entered before its initialiser is looked at: that may mention the variable itself.
        self._variables[name] = Variable(
            name,
            type,
            (),
            self.volatile_is_input and clang.is_volatile(best.type),
            is_const(best.type),
            defined=definition is not None,
            span=span_of(best),
        )
        if initialiser is not None:
            self._initialised.add(name)
            self._initialise(name, initialiser)
        return Global(name, type, span_of(cursor))

    def _with_tail(self, type: Type, initialiser: Cursor) -> Type:
        try:
            length = length_of_tail(type, initialiser, self.types)
        except NotSupported:
            return type  # whoever looks for its values will say so
        return self.types.with_tail(type, length) if length and isinstance(type, Record) else type

    def _check_type(self, known: Variable, cursor: Cursor) -> None:
        """One variable has one type in all files; an array may be declared without its size."""
        type = self.types.convert(cursor.type)
        if alike([self.types.without_tail(known.type)], [type]):
            return
        if isinstance(type, Array) and isinstance(known.type, Array) and 0 in (type.count, known.type.count):
            return
        message = f"`{cursor.spelling}` is declared as {type} here and as {known.type} elsewhere"
        problem = Diagnostic(Code.LINK, message, span_of(cursor), help=f"the other declaration is at {known.span}")
        if problem not in self._problems:
            self._problems.append(problem)

    def _definition(self, cursor: Cursor) -> Cursor | None:
        """Where a file-scope variable is defined: in this unit, or tentatively, or in another unit."""
        definition = cursor.get_definition()
        if definition is not None:
            return definition
        # The last of several tentative ones has the type that they make up together.
        return self._tentative.get(cursor.spelling)

    def _initialise(self, name: str, initialiser: Cursor) -> None:
        variable = self._variables[name]
        values: tuple[Initial, ...] = ()
        unsupported = ""
        try:
            values = initial_values(self, variable.type, initialiser, self._int_type)
        except NotSupported as reason:
            unsupported = f"the initialiser of `{name}`: {reason.reason}"
        self._variables[name] = Variable(
            name,
            variable.type,
            values,
            variable.volatile,
            variable.readonly,
            span=variable.span,
            unsupported=unsupported,
        )

    def label_number(self, label: str) -> int:
        numbers = self.numbered_labels()
        return numbers.setdefault(label, len(numbers) + 1)

    def numbered_labels(self) -> dict[str, int]:
        """The labels of the function at hand whose address is taken; it may grow until the function is done."""
        return self._labels.setdefault(self._function, {})

    def _static_local(self, cursor: Cursor) -> str:
        key = (self._unit_number, declaration_key(cursor))
        if key not in self._static_locals:
            base = name = f"{self._function}::{cursor.spelling}"
            number = 1
            while name in self._taken:
                number += 1
                name = f"{base}~{number}"
            self._taken.add(name)
            self._static_locals[key] = name
        return self._static_locals[key]

    def static_literal(self, cursor: Cursor) -> Global:
        """A compound literal outside of functions: a variable without a name."""
        key = (self._unit_number, clang.expression_key(cursor))
        type, span = self.types.convert(cursor.type), span_of(cursor)
        if key not in self._static_literals:
            name = f"literal#{len(self._static_literals) + 1}"  # no variable can be called so
            self._static_literals[key] = name
            self._variables[name] = Variable(name, type, readonly=is_const(cursor.type), span=span)
            self._initialise(name, clang.operand(cursor))
        return Global(self._static_literals[key], type, span)

    def string(self, cursor: Cursor) -> Global:
        return self.text(text_of(cursor), self.types.convert(cursor.type), span_of(cursor))

    def text(self, text: tuple[int, ...], type: Type, span: Span) -> Global:
        """A string literal as a read-only variable; equal ones are one."""
        assert isinstance(type, Array)
        element = type.element
        assert isinstance(element, Int)
        key = (element.bits, text)
        if key not in self._literals:
            name = f"string#{len(self._literals) + 1}"  # no variable can be called so
            self._literals[key] = name
            units = [wrap(unit, element) for unit in text]
            initial = tuple(Initial(i * element.bits, element, Constant(u, element)) for i, u in enumerate(units) if u)
            self._variables[name] = Variable(name, type, initial, readonly=True, literal=True, span=span)
        return Global(self._literals[key], type, span)


def _defines(cursor: Cursor) -> bool:
    """A function with a body, or a variable with an initialiser; a tentative definition may stand more than once."""
    if cursor.kind is CursorKind.FUNCTION_DECL:
        return bool(cursor.is_definition())
    return clang.initialiser(cursor) is not None


def _gives_way(cursor: Cursor) -> bool:
    """Whether another definition takes precedence: this one is weak, or an inline one that no linker sees."""
    if cursor.kind is CursorKind.FUNCTION_DECL and clang.is_inline(cursor):
        return (cursor.storage_class is StorageClass.EXTERN) == has_attribute(cursor, Attribute.GNU_INLINE)
    return has_attribute(cursor, Attribute.WEAK)


def _only_read(type: Type) -> Type:
    """A parameter of a function without a body: what it leaves in a `va_list` is of no use to anybody (C 7.16)."""
    if isinstance(type, Pointer) and type.target == Record("__va_list_tag"):
        return replace(type, readonly=True)
    return type


def _is_in_file(cursor: Cursor, path: str) -> bool:
    file = cursor.location.file
    return file is not None and file.name == path


def _at_file_scope(cursor: Cursor) -> bool:
    return bool(cursor.semantic_parent.kind is CursorKind.TRANSLATION_UNIT)


def _is_variadic(cursor: Cursor) -> bool:
    type = cursor.type
    return type.kind.name == "FUNCTIONNOPROTO" or bool(type.is_function_variadic())
