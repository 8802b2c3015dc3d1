"""What lowering asks of the program under construction: names, functions and variables, each when it is first met."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from clang.cindex import CursorKind, StorageClass

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.attributes import never_returns, prints
from stateglass.frontend.clang.lacking import not_understood
from stateglass.frontend.clang.libclang import ClangType, Cursor, shown_name
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.units import METHODS, Unit, at_file_scope
from stateglass.frontend.cplusplus.classes import element_type, is_class, is_left_to_compiler
from stateglass.frontend.cplusplus.ending import END, Lasting, end_of_program, without_end
from stateglass.frontend.cplusplus.exceptions import never_throws
from stateglass.frontend.cplusplus.making import implicit_constructor
from stateglass.frontend.cplusplus.qualified import class_name, is_plain, written_as
from stateglass.frontend.cplusplus.signatures import is_reference, only_read, signature_of
from stateglass.frontend.cplusplus.startup import Startup
from stateglass.frontend.cplusplus.throwing import uses_exceptions, without_needless_checks
from stateglass.frontend.linking.definitions import Definitions, gives_way
from stateglass.frontend.linking.extending import shallow_copy
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
    Record,
    Target,
    Type,
    Variable,
    Written,
)
from stateglass.program.exceptions import DROP_THROWN, NEW_EXCEPTION, THROW, THROWN
from stateglass.program.names import is_static_local, plain_part, spelled
from stateglass.program.walk import base_of
from stateglass.source import Code, Diagnostic, Span, is_cplusplus


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """Functions of a unit that are lowered after everything else: those made from questions of the user."""

    unit: int  # counted from 1
    about: frozenset[str]  # functions of the unit, or of its headers, that must be there
    functions: Mapping[str, str]  # by the name they have in the text: the one they get
    stand_ins: Mapping[str, tuple[int, Cursor]]  # by name in the text: where it is declared, and in which unit


@final
class SymbolTable:
    """The `Symbols` of all units, as they are seen from the one at hand."""

    def __init__(self, target: Target, volatile_is_input: bool) -> None:
        self.of_runtime: set[str] = set()  # what no file names and lowering asks for
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
        self.starting: list[tuple[int, str]] = []  # functions that compute first values, and their units
        self.written: dict[str, Written] = {}
        self.throwing: set[str] = set()  # functions of C++ that do not say that they throw nothing
        self.lasting: dict[str, Lasting] = {}
        self.destroys_at_end = False  # whether something may be destroyed at the end of the program, as far as known
        self.target = target
        self.int_type = Int(target.int_bits, signed=True)
        self.functions: dict[str, Function] = {}
        self.declarations: dict[str, Declaration] = {}
        self.variables: dict[str, Variable] = {}
        self._literals: dict[tuple[int, tuple[int, ...]], str] = {}
        self.definitions = Definitions()
        self.names = Names(self.definitions)
        self.asked: Asked | None = None  # at hand
        self._registers: dict[tuple[int, Type], str] = {}
        self.assembly: dict[str, None] = {}  # instructions that are taken to change no variable
        self._static_literals: dict[tuple[int, int], str] = {}
        self._initialised: set[str] = set()
        self._labels: dict[str, dict[str, int]] = {}
        self._tentative: dict[str, Cursor] = {}
        self.unit_number = 0
        self._function = ""
        self._waiting: list[Cursor] = []
        self.problems: list[Diagnostic] = []

    def copied(self) -> SymbolTable:
        """The same so far, to which other things can be added."""
        twin = shallow_copy(self)
        twin.types = shallow_copy(self.types)
        twin.definitions = shallow_copy(self.definitions)
        twin.names = self.names.copied(twin.definitions)
        return twin

    def enter(self, unit: Unit, number: int) -> None:
        """From now on it is this unit, counted from 1, that asks."""
        self.unit_number = number
        self.types.start_unit()
        self._tentative = unit.tentative()
        self.cplusplus = is_cplusplus(unit.path)
        self._lacking = unit.lacking

    def work_off(self) -> None:
        """Lowers the functions that were asked for; they may ask for more, such as inline functions in headers."""
        while self._waiting:
            cursor = self._waiting.pop(0)
            name = self._name(cursor)
            if name not in self.functions:
                self._function = name
                self.functions[name] = lower_function(cursor, name, self, self.int_type)

    def end(self, replaced: Collection[str]) -> None:
        """All files are there. Functions that are `replaced` may throw whatever their bodies say."""
        self.destroys_at_end = bool(self.lasting)
        if self.lasting:
            self.functions[END] = end_of_program(self)
        else:
            self.functions = without_end(self.functions)
        self._forget_needless_checks(replaced)

    def _forget_needless_checks(self, replaced: Collection[str]) -> None:
        """C++ looks behind each call whether it threw; where nothing throws, there is nothing to look at."""
        if THROWN not in self.of_runtime:
            return
        outside = [n for n in self.throwing if n not in self.functions or plain_part(n) in replaced]
        self.functions = without_needless_checks(self.functions, outside)
        if not any(map(uses_exceptions, self.functions.values())):
            del self.variables[THROWN]
            for name in (DROP_THROWN, NEW_EXCEPTION, THROW):
                self.declarations.pop(name, None)

    @property
    def absent(self) -> tuple[str, ...]:
        """The names of weak functions and variables that are used and defined nowhere."""
        return tuple(self.definitions.absent)

    def missing(self) -> list[str]:
        """The names, as they are spelled, of what is used so far and defined nowhere."""
        names = [name for name in self.declarations if name not in self.functions]
        names += [v.name for v in self.variables.values() if not v.defined]
        return [self.names.spelling(name) for name in names]

    def fits(self, name: str, unit: Unit) -> bool:
        """Whether a unit defines what the program means by a name, and not something else that is called so."""
        self.types.start_unit()
        cursor = next(c for c in unit.own_declarations() if c.spelling == name)
        variable = self.variables.get(name)
        if variable is not None:
            return variable.type == self.types.convert(cursor.type)
        declared = self.declarations[self.names.of_library(name)]
        result = self.types.convert(cursor.result_type)
        parameters = [self.types.parameter(p.type) for p in cursor.get_arguments()]
        without_prototype = declared.variadic and not declared.parameters
        given = parameters if without_prototype else [p.type for p in declared.parameters]
        return alike([declared.result, *given], [result, *parameters])

    # ---- names

    def _name(self, cursor: Cursor) -> str:
        """The one name of a function or file-scope variable; what is asked for from outside has names of its own."""
        if self.asked is not None:
            spelling = plain_name(str(cursor.spelling))
            if spelling in self.asked.functions:
                return self.asked.functions[spelling]
            if spelling in self.asked.stand_ins:
                return self._stood_for(cursor, *self.asked.stand_ins[spelling])
        name = self.names.name(cursor, self.unit_number)
        if self.cplusplus and name not in self.written:
            self.written[name] = written_as(cursor, self.definitions.symbol(cursor, self.unit_number))
        return name

    def _stood_for(self, cursor: Cursor, unit: int, target: Cursor) -> str:
        """The name of what another declaration declares; all units have been lowered before."""
        if at_file_scope(target):
            return self.names.name(target, unit)
        span = span_of(target)
        named = [v.name for v in self.variables.values() if is_static_local(v.name) and v.span == span]
        found = [n for n in named if spelled(n) == target.spelling]
        if len(found) == 1:
            return found[0]
        why = "cannot be told from others of that name" if found else "is in a function that the program does not use"
        problem = Diagnostic(Code.UNSUPPORTED, f"`{target.spelling}` {why}", span_of(cursor))
        if problem not in self.problems:
            self.problems.append(problem)
        return str(target.spelling)

    def function(self, cursor: Cursor) -> str:
        """The name of a function; its body, if this unit has one, is lowered later."""
        name = self._name(cursor)
        definition = cursor if cursor.is_definition() else cursor.get_definition()
        if definition is None and cursor.kind in METHODS and is_left_to_compiler(cursor):
            definition = cursor
        if name in self.functions:
            return name
        if definition is not None and not self.definitions.is_overridden(definition, self.unit_number):
            self._waiting.append(definition)
        if not is_plain(cursor) and not never_throws(cursor, self.types):
            self.throwing.add(name)
        if name not in self.declarations:
            signature = signature_of(cursor, self.types)
            parameters = tuple(replace(p, type=only_read(p.type)) for p in signature.parameters)
            self.declarations[name] = Declaration(
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
        if name not in self.functions:
            self.functions[name] = Function(name, VOID, (), (), ())  # while it is made, it may ask for itself
            self.functions[name] = make(name)
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
        if name not in self.functions and name not in self.declarations:
            named = tuple(Local(f"argument{n}", type) for n, type in enumerate(parameters, 1))
            self.declarations[name] = Declaration(name, result, named)
            self.of_runtime.add(name)

    def runtime_variable(self, name: str, type: Type) -> Global:
        if name not in self.variables:
            self.variables[name] = Variable(name, type, defined=False)
            self.of_runtime.add(name)
        return Global(name, self.variables[name].type)

    def hidden(self, name: str, type: Type) -> Global:
        self.variables.setdefault(name, Variable(name, type))
        return Global(name, type)

    def end_of_program(self) -> str | None:
        return END if self.destroys_at_end else None

    def constant_table(self, name: str, type: Type, initial: tuple[Initial, ...]) -> Global:
        if name not in self.variables:
            self.variables[name] = Variable(name, type, initial, readonly=True, literal=True)
        return Global(name, type)

    def is_defined(self, cursor: Cursor) -> bool:
        return self.definitions.is_defined(cursor, self.unit_number)

    def refusal(self, cursor: Cursor) -> str:
        return self.definitions.refusal(cursor, self.unit_number)

    def is_absent(self, cursor: Cursor) -> bool:
        return self.definitions.is_absent(cursor, self.unit_number)

    def volatile_target(self, pointer: str) -> Place | None:
        """The volatile variable, or part of one, that a constant pointer leads to."""
        value = self.constant_pointer(pointer)
        while isinstance(value, Convert):
            value = value.operand
        if not isinstance(value, AddressOf):
            return None
        base = base_of(value.place)
        return value.place if isinstance(base, Global) and self.variables[base.name].volatile else None

    def constant_pointer(self, name: str) -> Expression | None:
        """The value of a pointer that never changes."""
        variable = self.variables.get(name)
        if variable is None or not variable.readonly or not isinstance(variable.type, Pointer):
            return None
        return variable.initial[0].value if variable.initial else None

    def register(self, address: int, type: Type, name: str, span: Span) -> Global:
        """What lies at an address: a variable that is called as the macro it was first used by, or `at_0x46`."""
        key = (address, type)
        if key not in self._registers:
            self._registers[key] = chosen = self.names.name_register(name, address)
            self.variables[chosen] = Variable(chosen, type, volatile=True, address=address, span=span)
        return Global(self._registers[key], type, span)

    def is_register(self, name: str) -> bool:
        return name in self._registers.values()

    def pass_over_assembly(self, text: str) -> None:
        self.assembly.setdefault(text, None)

    def variable(self, cursor: Cursor) -> Global:
        static_local = cursor.storage_class is StorageClass.STATIC and not at_file_scope(cursor)
        name = (
            self.names.name_static_local(cursor, self.unit_number, self._function)
            if static_local
            else self._name(cursor)
        )
        definition = cursor if static_local else self._definition(cursor)
        if definition is not None and gives_way(definition):
            definition = None if self.definitions.is_overridden(definition, self.unit_number) else definition
        known = self.variables.get(name)
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
        self.variables[name] = Variable(
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
                if self.cplusplus and self.variables[name].unsupported:
                    self._begin_dynamically(name, best, static_local)
        return Global(name, type, span_of(cursor))

    def _begin_dynamically(self, name: str, definition: Cursor, static_local: bool) -> None:
        """A variable whose first value is computed when the program begins, or when control first comes to it."""
        variable = self.variables[name]
        self.variables[name] = replace(variable, initial=(), unsupported="", readonly=False)
        if static_local:
            self.begun_late.add(name)
        else:
            self._dynamic[name] = definition

    def make_initialisers(self, unit: Unit) -> None:
        """The functions that give the variables of a file their first values, in the order of their definitions."""
        places = {cursor.hash: n for n, cursor in enumerate(unit.declarations)}
        name = f"start of {shown_name(unit.path)}"
        while self._dynamic:  # whoever computes a value may be the first to use a variable of a template
            dynamic, self._dynamic = self._dynamic, {}
            # Those of templates have no place of their own: g++ has them last.
            order = sorted(dynamic, key=lambda n: places.get(dynamic[n].hash, len(places)))
            variables = [(Global(n, self.variables[n].type), dynamic[n]) for n in order]
            while name in self.functions:
                name += ", then"
            start = Startup(self, self.int_type).function(name, variables)
            if start is not None:
                self.functions[start.name] = start
                self.starting.append((self.unit_number, name))
            self.work_off()

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
        if problem not in self.problems:
            self.problems.append(problem)

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
        variable = self.variables[name]
        values: tuple[Initial, ...] = ()
        unsupported = ""
        try:
            values = initial_values(self, variable.type, initialiser, self.int_type)
        except NotSupported as reason:
            unsupported = f"the initialiser of `{name}`: {reason.reason}"
        self.variables[name] = replace(variable, initial=values, unsupported=unsupported)

    def label_number(self, label: str) -> int:
        numbers = self.numbered_labels()
        return numbers.setdefault(label, len(numbers) + 1)

    def numbered_labels(self) -> dict[str, int]:
        """The labels of the current function whose address is taken; more may come until the function is complete."""
        return self._labels.setdefault(self._function, {})

    def static_literal(self, cursor: Cursor) -> Global:
        """A compound literal outside of functions: a variable without a name."""
        key = (self.unit_number, libclang.expression_key(cursor))
        type, span = self.types.convert(cursor.type), span_of(cursor)
        if key not in self._static_literals:
            name = f"literal#{len(self._static_literals) + 1}"  # no variable can be called so
            self._static_literals[key] = name
            self.variables[name] = Variable(name, type, readonly=is_const(cursor.type), span=span)
            self._initialise(name, libclang.operand(cursor))
        return Global(self._static_literals[key], type, span)

    def string(self, cursor: Cursor) -> Global:
        return self.text(text_of(cursor), self.types.convert(cursor.type), span_of(cursor))

    def text(self, text: tuple[int, ...], type: Type, span: Span) -> Global:
        """A string literal as a read-only variable; equal ones are one."""
        fresh = f"string#{len(self._literals) + 1}"  # no variable can be called so
        name = self._literals.setdefault((unit_of_text(type).bits, text), fresh)
        if name == fresh:
            self.variables[name] = text_variable(name, text, type, span)
        return Global(name, type, span)
