"""The code of a system as data of a specification: functions as terms, variables as bindings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from stateglass.formats.scpp.interface import Values
from stateglass.formats.scpp.names import Names, Sort
from stateglass.formats.scpp.terms import Inexpressible, Reasons, Terms
from stateglass.formats.scpp.text import Section, listed, truth
from stateglass.program import (
    AddressOf,
    Constant,
    Convert,
    Element,
    Expression,
    Function,
    FunctionReference,
    Global,
    Member,
    Place,
    Variable,
    cells_of,
    size_of,
)
from stateglass.program.callgraph import reachable, statements_of
from stateglass.program.exceptions import DROP_THROWN, THROWN, thrown_name, thrown_types
from stateglass.program.walk import addressed_locals
from stateglass.source import NOWHERE, Span
from stateglass.system import System


@final
@dataclass(frozen=True, slots=True)
class Code:
    """The data of the code, and what is known of it."""

    lines: Section
    functions: tuple[str, ...]
    externals: tuple[str, ...]
    start: str  # the store before anything has run
    throws: bool  # there are exceptions
    types: tuple[str, ...]  # of integers


def code_of(system: System, unset: frozenset[str], names: Names, values: Values, reasons: Reasons) -> Code:
    """Everything that the system may run; the variables in `unset` have no value at first."""
    program = system.program
    entries = [e.function for e in (*system.entries, *([system.init] if system.init is not None else []))]
    throwers = [function for e in system.externals.values() for _, function in e.throws]
    throws = THROWN in program.variables and DROP_THROWN in program.functions
    found = reachable(program, (*entries, *throwers, *([DROP_THROWN] if throws else [])))
    terms = Terms(program, names, reasons)
    used = {v.name: v for v in program.variables.values() if v.name in found.variables}
    of_processes = {name for p in system.processes for name in (p.variable, p.shown)}
    made = {v.name: v for v in system.environment if v.name not in of_processes}
    variables = _Variables(system, names, terms, reasons)
    constants = [v for v in (*used.values(), *made.values()) if v.readonly]
    changing = [v for v in (*used.values(), *made.values()) if not v.readonly]
    unset |= {system.object.variable} if system.object is not None else set()
    start = [b for v in changing if v.name not in unset for b in variables.bindings(v)]
    lines = [line for name in found.functions for line in _function(program.functions[name], terms)]
    for variable in (*used.values(), *made.values()):
        variables.declare(variable)
    for name in found.functions:
        for place in (*program.functions[name].parameters, *program.functions[name].locals):
            variables.declare_local(terms.local(name, place.name), terms.size(place.type))
    lines += variables.lines
    lines += [line for v in constants for line in variables.constant(v)]
    lines += [f"  is_outside({names.of(Sort.BODY, name)}) = false;" for name in found.functions]
    for name in found.externals:
        body = names.of(Sort.BODY, name)
        lines += [f"  is_outside({body}) = true;", f"  outside({body}) = {names.of(Sort.FUNCTION, name)};"]
    lines += _fields(system, terms, names, values, reasons)
    lines += _types(terms, program.target.pointer_size)
    lines += _exceptions(names, variables, found.variables, throws=throws)
    return Code(lines, found.functions, found.externals, f"filled({listed(start)})", throws, tuple(terms.types))


def _function(function: Function, terms: Terms) -> Iterator[str]:
    name = terms.function(function.name)
    yield f"  % {function.name}, {_place(function.span)}" if function.span.start.line else f"  % {function.name}"
    for number, block in enumerate(terms.blocks(function)):
        yield f"  get_prog({name}, {number}) = {listed(block, 4)};"
    parameters = [f"param({terms.local(function.name, p.name)}, {terms.size(p.type)})" for p in function.parameters]
    yield f"  parameters({name}) = {listed(parameters)};"
    # Pointers may lead to the variables of some functions.
    lends = bool(addressed_locals(statements_of(function.blocks)))
    yield f"  lends({name}) = {truth(lends)};"


def _place(span: Span) -> str:
    return f"{span.start.file}:{span.start.line}"


def _types(terms: Terms, pointer_size: int) -> Section:
    lines = ["  size(boolean) = 1;", f"  size(pointer) = {pointer_size};"]
    for name, type in terms.types.items():
        lines += [
            f"  size({name}) = {type.bits // 8};",
            f"  is_signed({name}) = {truth(type.signed)};",
            f"  low({name}) = {type.low};",
            f"  high({name}) = {type.high};",
            f"  modulus({name}) = {1 << type.bits};",
        ]
    return lines


@final
class _Variables:
    """Variables with static storage."""

    def __init__(self, system: System, names: Names, terms: Terms, reasons: Reasons) -> None:
        self._records = system.program.records
        self._names = names
        self._terms = terms
        self._reasons = reasons
        self.numbers: dict[str, int] = {}
        self.lines: Section = []

    def declare(self, variable: Variable) -> None:
        # The elements of a flexible array are part of no type.
        ends = [i.position // 8 + size_of(i.type, self._records) for i in variable.initial]
        name, size = self._names.of(Sort.VARIABLE, variable.name), size_of(variable.type, self._records)
        self._declare(name, max([size, *ends]), constant=variable.readonly)

    def declare_local(self, name: str, size: int) -> None:
        self._declare(name, size, constant=False)

    def _declare(self, name: str, size: int, *, constant: bool) -> None:
        number = self.numbers.setdefault(name, len(self.numbers))
        self.lines.append(f"  {name} = variable_number({number}, {size}, {truth(constant)});")

    def constant(self, variable: Variable) -> Section:
        number = self.numbers[self._names.of(Sort.VARIABLE, variable.name)]
        return [f"  constants(variable_number({number}, n, y)) = {listed(self.bindings(variable), 4)};"]

    def bindings(self, variable: Variable) -> list[str]:
        """What a variable holds at first. A scalar that cannot be said has no value, and is told."""
        name = self._names.of(Sort.VARIABLE, variable.name)
        first = {i.position: i.value for i in variable.initial}
        cells = [c for c in cells_of(variable.type, self._records) if not c.padding]
        beyond = [i for i in variable.initial if i.position not in {c.position for c in cells}]
        found: list[str] = []
        try:
            if variable.unsupported:
                raise Inexpressible(variable.unsupported, variable.span)
            for position, width, type, value in (
                *((c.position, c.width, c.type, first.get(c.position)) for c in cells),
                *((i.position, 8 * size_of(i.type, self._records), i.type, i.value) for i in beyond),
            ):
                self._terms.type(type, variable.span)
                content = "Number(0)" if value is None else self._value(value, variable.span)
                found.append(f"bind(at(static({name}), {position // 8}), {width // 8}, {content})")
        except Inexpressible as gap:
            self._reasons.number(f"the first value of `{variable.name}`: {gap.reason}", gap.span)
        return found

    def _value(self, node: Expression, span: Span) -> str:
        match node:
            case Constant(value):
                return f"Number({value})"
            case FunctionReference(name):
                return f"FunctionRef({self._terms.function(name)})"
            case Convert(operand):
                return self._value(operand, span)
            case AddressOf(place):
                name, offset = self._address(place, span)
                return f"Ref(at(static({self._names.of(Sort.VARIABLE, name)}), {offset}))"
            case _:
                raise Inexpressible("an address that is calculated", span)

    def _address(self, place: Place, span: Span) -> tuple[str, int]:
        match place:
            case Global(name):
                return name, 0
            case Member(base, _, offset):
                name, start = self._address(base, span)
                return name, start + offset
            case Element(base, Constant(index), type):
                name, start = self._address(base, span)
                return name, start + index * size_of(type, self._records)
            case _:
                raise Inexpressible("an address that is calculated", span)


def _exceptions(names: Names, known: _Variables, variables: Iterable[str], *, throws: bool) -> Section:
    if not throws:
        return ["  throws_at_all = false;"]
    lines = ["  throws_at_all = true;", f"  thrown = {names.of(Sort.VARIABLE, THROWN)};"]
    for name in sorted(thrown_types(variables)):
        number, type = known.numbers[names.of(Sort.VARIABLE, name)], names.of(Sort.EXCEPTION, thrown_name(name))
        lines.append(f"  exception_type(variable_number({number}, n, y)) = {type};")
    return lines


def _fields(system: System, terms: Terms, names: Names, values: Values, reasons: Reasons) -> Section:
    """The variables of the subject that everybody may look at."""
    if system.object is None or not system.object.fields:
        return []
    lines = [f"  subject_variable = {names.of(Sort.VARIABLE, system.object.variable)};"]
    for field in system.object.fields:
        m = names.of(Sort.MEMBER, field.name)
        try:
            type = terms.type(field.type, NOWHERE)
        except Inexpressible as gap:
            reasons.number(f"the variable `{field.name}`: {gap.reason}", gap.span)
            continue
        lines += [
            f"  is_field({m}) = true;",
            f"  field_position({m}) = {field.position // 8};",
            f"  field_type({m}) = {type};",
            f"  field_shown({m}) = {values.shown_as(field.type)};",
        ]
    return lines
