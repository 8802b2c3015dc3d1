"""Everything the environment of some functions may have to choose, by the names under which bounds are given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique
from typing import final

from stateglass.program import (
    Bool,
    Declaration,
    Float,
    Function,
    Int,
    Pointer,
    Program,
    Record,
    Scalar,
    Type,
    cells_of,
)
from stateglass.program import Enum as EnumType
from stateglass.program.callgraph import Reachable


@final
@unique
class Kind(Enum):
    """Where an input enters the program."""

    PARAMETER = "parameter"
    POINTED = "what a parameter points to"
    RESULT = "result"
    WRITTEN = "written by a function without a body"
    VOLATILE = "volatile variable"
    GLOBAL = "global variable"


@final
@dataclass(frozen=True, slots=True)
class Need:
    """A possible input. `required`: without values for it there is no model."""

    name: str
    type: Type
    kind: Kind
    required: bool
    owner: str  # the function or variable it belongs to
    position: int = 0  # which parameter
    part: int = 0  # which part of what is pointed to, or of the variable: where it begins, in bits


def possible_inputs(program: Program, entries: tuple[str, ...], used: Reachable) -> list[Need]:
    """All inputs that a bound may be given for, the required ones first."""
    needs = [n for name in entries for n in _parameters(program, program.functions[name])]
    for name in used.externals:
        needs += _external(program, program.declarations[name], name in used.results_used)
    for read in used.inputs:
        variable = read.name.split(".")[0].split("[")[0]
        needs.append(Need(read.name, read.type, Kind.VOLATILE, True, variable))
    needs += [Need(n, t, Kind.GLOBAL, False, v, part=p) for n, t, v, p in _scalars_of_variables(program)]
    return needs


def _parameters(program: Program, function: Function) -> Iterator[Need]:
    if is_program_start(function):
        return
    for position, parameter in enumerate(function.parameters):
        name = f"{function.name}.{parameter.name}"
        type = parameter.type
        if isinstance(type, Pointer) and isinstance(type.target, Bool | Int | Float | EnumType):
            # What only reads through the pointer needs to be told something; what writes can start from zero.
            yield Need(name, type.target, Kind.POINTED, type.readonly, function.name, position)
        elif isinstance(type, Pointer) and isinstance(type.target, Record) and _complete(program, type.target):
            continue
        else:
            yield Need(name, type, Kind.PARAMETER, True, function.name, position)


def _external(program: Program, declaration: Declaration, result_used: bool) -> Iterator[Need]:
    result = declaration.result
    if result_used and isinstance(result, Bool | Int | Float | EnumType):
        yield Need(f"{declaration.name}()", result, Kind.RESULT, True, declaration.name)
    for position, parameter in enumerate(declaration.parameters):
        type = parameter.type
        if not isinstance(type, Pointer) or type.readonly:
            continue
        for path, scalar, part in _scalars(program, type.target):
            name = f"{declaration.name}.{parameter.name}{path}"
            yield Need(name, scalar, Kind.WRITTEN, True, declaration.name, position, part)


def _scalars(program: Program, type: Type) -> Iterator[tuple[str, Scalar, int]]:
    """The scalars of an object that a function without a body is taken to set; pointers stay as they are."""
    if isinstance(type, Record) and not _complete(program, type):
        return
    for cell in cells_of(type, program.records):
        if not isinstance(cell.type, Pointer) and not cell.padding:
            yield cell.path, cell.type, cell.position


def _scalars_of_variables(program: Program) -> Iterator[tuple[str, Scalar, str, int]]:
    for variable in program.variables.values():
        if variable.literal or variable.readonly or variable.volatile:
            continue
        for cell in cells_of(variable.type, program.records):
            if not isinstance(cell.type, Pointer) and not cell.padding:
                yield variable.name + cell.path, cell.type, variable.name, cell.position


def _complete(program: Program, record: Record) -> bool:
    return not program.records[record.name].unsupported


def is_program_start(function: Function) -> bool:
    """`main(argc, argv)`: its arguments come from the command line, not from bounds."""
    return function.name == "main" and len(function.parameters) >= 2


def not_written(declaration: Declaration, program: Program) -> list[str]:
    """Non-const pointer parameters of a function without a body that nothing is written through."""
    names = []
    for parameter in declaration.parameters:
        type = parameter.type
        if isinstance(type, Pointer) and not type.readonly and not list(_scalars(program, type.target)):
            names.append(parameter.name)
    return names
