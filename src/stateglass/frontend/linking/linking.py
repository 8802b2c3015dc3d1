"""Makes one program of several files: lowers what each defines, and what that uses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from clang.cindex import CursorKind, StorageClass, TypeKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.attributes import never_returns, prints
from stateglass.frontend.clang.lacking import not_understood
from stateglass.frontend.clang.libclang import ClangType, Cursor, shown_name
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.units import METHODS, Unit, at_file_scope
from stateglass.frontend.cplusplus.classes import element_type, is_class, is_left_to_compiler
from stateglass.frontend.cplusplus.ending import END, Lasting, end_of_program, without_end
from stateglass.frontend.cplusplus.exceptions import never_throws
from stateglass.frontend.cplusplus.interfaces import Aliases, classes_of
from stateglass.frontend.cplusplus.making import implicit_constructor
from stateglass.frontend.cplusplus.qualified import class_name, is_plain, written_as
from stateglass.frontend.cplusplus.signatures import is_reference, only_read, signature_of
from stateglass.frontend.cplusplus.startup import Startup, begins_by_itself
from stateglass.frontend.cplusplus.throwing import uses_exceptions, without_needless_checks
from stateglass.frontend.linking.agreeing import Agreement
from stateglass.frontend.linking.definitions import Definitions, Numbered, gives_way
from stateglass.frontend.linking.extending import Sizes, moved, shallow_copy
from stateglass.frontend.linking.library_index import plain_name
from stateglass.frontend.linking.naming import Names
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.functions import lower_function
from stateglass.frontend.lowering.initialisers import length_of_tail, text_of, text_variable, unit_of_text
from stateglass.frontend.lowering.statics import initial_values
from stateglass.frontend.lowering.types import TypeTable, alike, has_flexible_member, is_const, is_internal
from stateglass.program import (
    VOID,
    AddressOf,
    Array,
    Convert,
    Declaration,
    Expression,
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
    Written,
)
from stateglass.program.classes import Class
from stateglass.program.exceptions import DROP_THROWN, NEW_EXCEPTION, THROW, THROWN
from stateglass.program.layout import MOST_CELLS, count_cells
from stateglass.program.names import is_static_local, plain_part, spelled
from stateglass.program.walk import base_of
from stateglass.source import Code, Diagnostic, InputError, Span, is_cplusplus


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """Functions of a unit that are lowered after everything else: those made from questions of the user."""

    unit: int  # counted from 1
    about: frozenset[str]  # functions of the unit, or of its headers, that must be there
    functions: Mapping[str, str]  # by the name they have in the text: the one they get
    stand_ins: Mapping[str, tuple[int, Cursor]]  # by name in the text: where it is declared, and in which unit


@final
class Linker:
    """The program under construction; also the `Symbols` that lowering asks, for the unit at hand."""

    def __init__(self, target: Target, volatile_is_input: bool, throwing: Collection[str] = ()) -> None:
        self._of_runtime: set[str] = set()  # what no file names and lowering asks for
        self._replaced = frozenset(throwing)  # functions that may throw whatever their bodies say
        self.types = TypeTable(target, volatile_is_input)
        self.volatile_is_input = volatile_is_input
        self.ptrdiff_type = Int(8 * target.pointer_size, signed=True)
        self.size_type = Int(8 * target.pointer_size, signed=False)
        self.big_endian = target.big_endian
        self.cplusplus = False
        self._lacking: tuple[Diagnostic, ...] = ()
        self.captures: dict[int, Any] = {}
        self.begun_late: set[str] = set()
        self._dynamic: dict[str, Cursor] = {}  # variables whose first values are computed, in the order of their file
        self._starting: list[tuple[int, str]] = []  # functions that compute first values, and their units
        self._ends: dict[int, Sizes] = {}  # by unit: what there was when its own declarations were lowered
        self._classes_of: dict[int, list[str]] = {}  # by unit: the records that it was the first to have
        self._classes: dict[str, Class] = {}
        self._aliases = Aliases()
        self._written: dict[str, Written] = {}
        self._throwing: set[str] = set()  # functions of C++ that do not say that they throw nothing
        self.lasting: dict[str, Lasting] = {}
        self._destroys_at_end = False  # whether something may be destroyed at the end of the program, as far as known
        self.target = target
        self.int_type = Int(target.int_bits, signed=True)
        self._functions: dict[str, Function] = {}
        self._declarations: dict[str, Declaration] = {}
        self._variables: dict[str, Variable] = {}
        self._literals: dict[tuple[int, tuple[int, ...]], str] = {}
        self._definitions = Definitions()
        self._names = Names(self._definitions)
        self._asked: Asked | None = None  # at hand
        self._given_names: frozenset[str] = frozenset()  # functions that are lowered only when they are asked for
        self._files: tuple[str, ...] = ()
        self._registers: dict[tuple[int, Type], str] = {}
        self.assembly: dict[str, None] = {}  # instructions that are taken to change no variable
        self._static_literals: dict[tuple[int, int], str] = {}
        self._initialised: set[str] = set()
        self._labels: dict[str, dict[str, int]] = {}
        self._tentative: dict[str, Cursor] = {}
        self._unit_number = 0
        self._function = ""
        self._waiting: list[Cursor] = []
        self._problems: list[Diagnostic] = []
        self.warnings: tuple[Diagnostic, ...] = ()
        self.floats: frozenset[TypeKind] = frozenset()  # the kinds of floating-point numbers that the program has

    def add(self, units: list[Unit], asked: Sequence[Asked] = ()) -> None:
        """Take in the files of the program, all at once: which names clash is known only then."""
        self._given_names = frozenset(name for a in asked for name in a.functions)
        self._definitions.collect(units)
        if self._definitions.problems:
            raise InputError(self._definitions.problems)
        self._files = tuple(shown_name(u.path) for u in units)
        self._destroys_at_end = self._definitions.has("main") and any(is_cplusplus(u.path) for u in units)
        for unit in units:
            self._lower_unit(unit)
        for more in asked:
            self._lower_asked(units[more.unit - 1], more)
        self._unit_number = len(units)

    def copied(self) -> Linker:
        """The files so far, which can be completed in another way; what is theirs is not lowered again."""
        twin = shallow_copy(self)
        twin.types = shallow_copy(self.types)
        twin._definitions = shallow_copy(self._definitions)
        twin._names = self._names.copied(twin._definitions)
        return twin

    def add_behind(self, unit: Unit, number: int) -> None:
        """Take in what a file, counted from 1, has behind its end: all before that is as it was, and is lowered."""
        for name in self._definitions.collect_more(unit, number):
            self._names.share_late(name)
        if self._definitions.problems:
            raise InputError(self._definitions.problems)
        # More may be known of the classes that this file was the first to have: what is used only now.
        for record in self._classes_of[number]:
            del self._classes[record]
        written, self._written = self._written, {}
        last, end, known = self._unit_number, self._ends[number], self._sizes()
        self._unit_number = number - 1
        self._lower_unit(unit)
        self._unit_number = last
        # The order is that of the files.
        self._functions = moved(self._functions, known.functions, end.functions)
        self._declarations = moved(self._declarations, known.declarations, end.declarations)
        self._variables = moved(self._variables, known.variables, end.variables)
        self._classes = moved(self._classes, known.classes, end.classes)
        self._written = written | self._written

    def _sizes(self) -> Sizes:
        return Sizes(len(self._functions), len(self._declarations), len(self._variables), len(self._classes))

    def complete(self) -> None:
        """All files are there: what depends on all of them is decided."""
        self._destroys_at_end = bool(self.lasting)
        if self.lasting:
            self._functions[END] = end_of_program(self)
        else:
            self._functions = without_end(self._functions)
        self._forget_needless_checks()
        self.floats = frozenset(self.types.floats)

    def _forget_needless_checks(self) -> None:
        """C++ looks behind each call whether it threw; where nothing throws, there is nothing to look at."""
        if THROWN not in self._of_runtime:
            return
        outside = [n for n in self._throwing if n not in self._functions or plain_part(n) in self._replaced]
        self._functions = without_needless_checks(self._functions, outside)
        if not any(map(uses_exceptions, self._functions.values())):
            del self._variables[THROWN]
            for name in (DROP_THROWN, NEW_EXCEPTION, THROW):
                self._declarations.pop(name, None)

    def add_late(self, unit: Unit) -> None:
        """Take in a file of the library. The program's own names stay as they are."""
        for cursor in unit.declarations:
            if not is_internal(cursor):
                self._names.add_of_library(str(cursor.spelling))
        self._lower_unit(unit)

    def missing(self) -> list[str]:
        """The names, as they are spelled, of what is used so far and defined nowhere."""
        names = [name for name in self._declarations if name not in self._functions]
        names += [v.name for v in self._variables.values() if not v.defined]
        return [self._names.spelling(name) for name in names]

    def fits(self, name: str, unit: Unit) -> bool:
        """Whether a unit defines what the program means by a name, and not something else that is called so."""
        self.types.start_unit()
        cursor = next(c for c in unit.own_declarations() if c.spelling == name)
        variable = self._variables.get(name)
        if variable is not None:
            return variable.type == self.types.convert(cursor.type)
        declared = self._declarations[self._names.of_library(name)]
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
        agreement = Agreement(self._functions, self.int_type)
        self._functions = {name: agreement.made(f) for name, f in self._functions.items()}
        self._problems += agreement.errors
        self.warnings = tuple(dict.fromkeys((*self.warnings, *agreement.warnings)))
        if self._problems:
            raise InputError(self._problems)
        for name in self._functions:
            self._declarations.pop(name, None)
        starting = [name for _, name in sorted(self._starting, key=lambda start: start[0])]
        return Program(
            target=self.target,
            files=self._files,
            records=self.types.records,
            enums=self.types.enums,
            variables=self._variables,
            functions=self._functions,
            declarations=self._declarations,
            constructors=(*self._defined(self._definitions.run_before()), *starting),
            destructors=self._defined(self._definitions.run_after()),
            classes=self._aliases.given(self._classes, self._functions),
            written=self._written,
        )

    @property
    def absent(self) -> tuple[str, ...]:
        """The names of weak functions and variables that are used and defined nowhere."""
        return tuple(self._definitions.absent)

    def _defined(self, functions: list[Numbered]) -> tuple[str, ...]:
        """The names of those that were lowered."""
        names = dict.fromkeys(self._names.name(cursor, unit) for unit, cursor in functions)
        return tuple(name for name in names if name in self._functions)

    # ---- lower what a unit defines, and what that uses

    def _lower_unit(self, unit: Unit) -> None:
        self._unit_number += 1
        self._enter_unit(unit)
        for cursor in unit.own_declarations():
            if cursor.spelling in self._given_names:
                continue
            if cursor.kind is CursorKind.VAR_DECL:
                self.variable(cursor)
            elif cursor.is_definition():
                self.function(cursor)
            self._work_off()
        self._ends[self._unit_number] = self._sizes()
        if self.cplusplus:
            for cursor in unit.variables():
                if begins_by_itself(cursor):
                    self.variable(cursor)
            self._make_initialisers(unit)
            known = len(self._classes)
            self._classes.update((c.record, c) for c in classes_of(unit, self, self._classes))
            self._aliases.note(unit)
            self._classes_of[self._unit_number] = list(self._classes)[known:]
            self._work_off()

    def _lower_asked(self, unit: Unit, asked: Asked) -> None:
        self._unit_number = asked.unit
        self._enter_unit(unit)
        functions = list(unit.functions())
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
        self.types.start_unit()
        self._tentative = unit.tentative()
        self.cplusplus = is_cplusplus(unit.path)
        self._lacking = unit.lacking

    def _work_off(self) -> None:
        """Lowers the functions that were asked for; they may ask for more, such as inline functions in headers."""
        while self._waiting:
            cursor = self._waiting.pop(0)
            name = self._name(cursor)
            if name not in self._functions:
                self._function = name
                self._functions[name] = lower_function(cursor, name, self, self.int_type)

    def _name(self, cursor: Cursor) -> str:
        """The one name of a function or file-scope variable; what is asked for from outside has names of its own."""
        if self._asked is not None:
            spelling = plain_name(str(cursor.spelling))
            if spelling in self._asked.functions:
                return self._asked.functions[spelling]
            if spelling in self._asked.stand_ins:
                return self._stood_for(cursor, *self._asked.stand_ins[spelling])
        name = self._names.name(cursor, self._unit_number)
        if self.cplusplus and name not in self._written:
            self._written[name] = written_as(cursor, self._definitions.symbol(cursor, self._unit_number))
        return name

    def _stood_for(self, cursor: Cursor, unit: int, target: Cursor) -> str:
        """The name of what another declaration declares; all units have been lowered before."""
        if at_file_scope(target):
            return self._names.name(target, unit)
        span = span_of(target)
        named = [v.name for v in self._variables.values() if is_static_local(v.name) and v.span == span]
        found = [n for n in named if spelled(n) == target.spelling]
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
        if definition is None and cursor.kind in METHODS and is_left_to_compiler(cursor):
            definition = cursor
        if name in self._functions:
            return name
        if definition is not None and not self._definitions.is_overridden(definition, self._unit_number):
            self._waiting.append(definition)
        if not is_plain(cursor) and not never_throws(cursor, self.types):
            self._throwing.add(name)
        if name not in self._declarations:
            signature = signature_of(cursor, self.types)
            parameters = tuple(replace(p, type=only_read(p.type)) for p in signature.parameters)
            self._declarations[name] = Declaration(
                name,
                signature.result,
                parameters,
                signature.variadic,
                never_returns(cursor),
                span_of(cursor),
                prints(cursor),
            )
        return name

    def function_name(self, cursor: Cursor) -> str:
        return self._name(cursor)

    def made(self, name: str, make: Callable[[str], Function]) -> str:
        """The name of a function that nobody wrote; it is made when it is first asked for."""
        if name not in self._functions:
            self._functions[name] = Function(name, VOID, (), (), ())  # while it is made, it may ask for itself
            self._functions[name] = make(name)
        return name

    def default_constructor(self, type: ClangType) -> str | None:
        facts = self.types.classes.of(type)
        if facts.default_constructor is not None:
            return self.function(facts.default_constructor)
        written = [m for m in facts.methods if m.kind is CursorKind.CONSTRUCTOR]
        if any(not is_left_to_compiler(m) or m.is_default_constructor() for m in written):
            return None  # there is another one, or it is deleted
        converted = self.types.convert(type)
        assert isinstance(converted, Record)
        name = f"{converted.name}.{class_name(facts.declaration)}"
        return self.made(name, lambda name: implicit_constructor(self, name, facts.type))

    def not_understood(self, function: Span) -> Diagnostic | None:
        return not_understood(function, self._lacking)

    def runtime_function(self, name: str, result: Type, parameters: tuple[Type, ...]) -> None:
        if name not in self._functions and name not in self._declarations:
            named = tuple(Local(f"argument{n}", type) for n, type in enumerate(parameters, 1))
            self._declarations[name] = Declaration(name, result, named)
            self._of_runtime.add(name)

    def runtime_variable(self, name: str, type: Type) -> Global:
        if name not in self._variables:
            self._variables[name] = Variable(name, type, defined=False)
            self._of_runtime.add(name)
        return Global(name, self._variables[name].type)

    def hidden(self, name: str, type: Type) -> Global:
        self._variables.setdefault(name, Variable(name, type))
        return Global(name, type)

    def end_of_program(self) -> str | None:
        return END if self._destroys_at_end else None

    def constant_table(self, name: str, type: Type, initial: tuple[Initial, ...]) -> Global:
        if name not in self._variables:
            self._variables[name] = Variable(name, type, initial, readonly=True, literal=True)
        return Global(name, type)

    def is_defined(self, cursor: Cursor) -> bool:
        return self._definitions.is_defined(cursor, self._unit_number)

    def refusal(self, cursor: Cursor) -> str:
        return self._definitions.refusal(cursor, self._unit_number)

    def is_absent(self, cursor: Cursor) -> bool:
        return self._definitions.is_absent(cursor, self._unit_number)

    def volatile_target(self, pointer: str) -> Place | None:
        """The volatile variable, or part of one, that a constant pointer leads to."""
        value = self.constant_pointer(pointer)
        while isinstance(value, Convert):
            value = value.operand
        if not isinstance(value, AddressOf):
            return None
        base = base_of(value.place)
        return value.place if isinstance(base, Global) and self._variables[base.name].volatile else None

    def constant_pointer(self, name: str) -> Expression | None:
        """The value of a pointer that never changes."""
        variable = self._variables.get(name)
        if variable is None or not variable.readonly or not isinstance(variable.type, Pointer):
            return None
        return variable.initial[0].value if variable.initial else None

    def register(self, address: int, type: Type, name: str, span: Span) -> Global:
        """What lies at an address: a variable that is called as the macro it was first used by, or `at_0x46`."""
        key = (address, type)
        if key not in self._registers:
            self._registers[key] = chosen = self._names.name_register(name, address)
            self._variables[chosen] = Variable(chosen, type, volatile=True, address=address, span=span)
        return Global(self._registers[key], type, span)

    def is_register(self, name: str) -> bool:
        return name in self._registers.values()

    def pass_over_assembly(self, text: str) -> None:
        self.assembly.setdefault(text, None)

    def variable(self, cursor: Cursor) -> Global:
        static_local = cursor.storage_class is StorageClass.STATIC and not at_file_scope(cursor)
        name = (
            self._names.name_static_local(cursor, self._unit_number, self._function)
            if static_local
            else self._name(cursor)
        )
        definition = cursor if static_local else self._definition(cursor)
        if definition is not None and gives_way(definition):
            definition = None if self._definitions.is_overridden(definition, self._unit_number) else definition
        known = self._variables.get(name)
        initialiser = libclang.initialiser(definition) if definition is not None else None
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
            self.volatile_is_input and libclang.is_volatile(best.type),
            is_const(best.type),
            defined=definition is not None,
            internal=is_internal(best),
            by_thread=libclang.is_by_thread(best),
            span=span_of(best),
        )
        if initialiser is not None:
            self._initialised.add(name)
            if self.cplusplus and (is_reference(best.type) or is_class(element_type(best.type))):
                self._begin_dynamically(name, best, static_local)
            else:
                self._initialise(name, initialiser)
                if self.cplusplus and self._variables[name].unsupported:
                    self._begin_dynamically(name, best, static_local)
        return Global(name, type, span_of(cursor))

    def _begin_dynamically(self, name: str, definition: Cursor, static_local: bool) -> None:
        """A variable whose first value is computed when the program begins, or when control first comes to it."""
        variable = self._variables[name]
        self._variables[name] = replace(variable, initial=(), unsupported="", readonly=False)
        if static_local:
            self.begun_late.add(name)
        else:
            self._dynamic[name] = definition

    def _make_initialisers(self, unit: Unit) -> None:
        """The functions that give the variables of a file their first values, in the order of their definitions."""
        places = {cursor.hash: n for n, cursor in enumerate(unit.declarations)}
        name = f"start of {shown_name(unit.path)}"
        while self._dynamic:  # whoever computes a value may be the first to use a variable of a template
            dynamic, self._dynamic = self._dynamic, {}
            # Those of templates have no place of their own: g++ has them last.
            order = sorted(dynamic, key=lambda n: places.get(dynamic[n].hash, len(places)))
            variables = [(Global(n, self._variables[n].type), dynamic[n]) for n in order]
            while name in self._functions:
                name += ", then"
            start = Startup(self, self.int_type).function(name, variables)
            if start is not None:
                self._functions[start.name] = start
                self._starting.append((self._unit_number, name))
            self._work_off()

    def _with_tail(self, type: Type, initialiser: Cursor) -> Type:
        try:
            length = length_of_tail(type, initialiser, self.types)
        except NotSupported:
            return type  # whoever looks for its values will say so
        return self.types.with_tail(type, length) if length and isinstance(type, Record) else type

    def _check_type(self, known: Variable, cursor: Cursor) -> None:
        """Refuses a variable that has different types in different files; an array may be declared without its size."""
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
        """The definition of a file-scope variable: in this unit, a tentative one, or in another unit."""
        definition = cursor.get_definition()
        if definition is not None and (not self.cplusplus or libclang.initialiser(definition) is not None):
            return definition
        if self.cplusplus:
            # A constant of a class may have its value where it is declared, be it defined elsewhere or not.
            given = cursor if libclang.initialiser(cursor) is not None else cursor.canonical
            return given if libclang.initialiser(given) is not None else definition
        return self._tentative.get(cursor.spelling)

    def _initialise(self, name: str, initialiser: Cursor) -> None:
        variable = self._variables[name]
        values: tuple[Initial, ...] = ()
        unsupported = ""
        try:
            values = initial_values(self, variable.type, initialiser, self.int_type)
        except NotSupported as reason:
            unsupported = f"the initialiser of `{name}`: {reason.reason}"
        self._variables[name] = replace(variable, initial=values, unsupported=unsupported)

    def label_number(self, label: str) -> int:
        numbers = self.numbered_labels()
        return numbers.setdefault(label, len(numbers) + 1)

    def numbered_labels(self) -> dict[str, int]:
        """The labels of the current function whose address is taken; more may come until the function is complete."""
        return self._labels.setdefault(self._function, {})

    def static_literal(self, cursor: Cursor) -> Global:
        """A compound literal outside of functions: a variable without a name."""
        key = (self._unit_number, libclang.expression_key(cursor))
        type, span = self.types.convert(cursor.type), span_of(cursor)
        if key not in self._static_literals:
            name = f"literal#{len(self._static_literals) + 1}"  # no variable can be called so
            self._static_literals[key] = name
            self._variables[name] = Variable(name, type, readonly=is_const(cursor.type), span=span)
            self._initialise(name, libclang.operand(cursor))
        return Global(self._static_literals[key], type, span)

    def string(self, cursor: Cursor) -> Global:
        return self.text(text_of(cursor), self.types.convert(cursor.type), span_of(cursor))

    def text(self, text: tuple[int, ...], type: Type, span: Span) -> Global:
        """A string literal as a read-only variable; equal ones are one."""
        fresh = f"string#{len(self._literals) + 1}"  # no variable can be called so
        name = self._literals.setdefault((unit_of_text(type).bits, text), fresh)
        if name == fresh:
            self._variables[name] = text_variable(name, text, type, span)
        return Global(name, type, span)
