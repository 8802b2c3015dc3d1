"""Everything the environment of some functions may have to choose, by the names under which bounds are given."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from stateglass.program import (
    Array,
    Bool,
    Declaration,
    Float,
    Function,
    Int,
    Pointer,
    Program,
    Record,
    Type,
    Void,
    cells_of,
    is_scalar,
    size_of,
)
from stateglass.program import Enum as EnumType
from stateglass.program.callgraph import Reachable
from stateglass.program.layout import count_cells
from stateglass.program.names import root_of
from stateglass.program.outside import given_only_literals
from stateglass.program.types import innermost
from stateglass.system.starting import STARTING


@final
@unique
class InputKind(Enum):
    """Where an input enters the program."""

    PARAMETER = "parameter"
    POINTED = "what a parameter points to"
    RESULT = "result"
    WRITTEN = "written by a function without a body"
    VOLATILE = "volatile variable"
    GLOBAL = "global variable"
    FIELD = "public variable of an object"


@final
@dataclass(frozen=True, slots=True)
class Need:
    """A possible input, a scalar or an array of scalars. `required`: without values for it there is no model."""

    name: str
    type: Type  # of what is chosen: what a pointer leads to, not the pointer
    kind: InputKind
    required: bool
    owner: str  # the function or variable it belongs to
    position: int = 0  # which parameter
    part: int = 0  # which part of what is pointed to, or of the variable: where it begins, in bits
    several: bool = False  # a pointer leads to it, so that there may be more than one


MOST_APART: Final = 8
"""Of so many members that a function may write each is asked for; of more it is asked whether it writes any."""

_LIBRARY: Final = "std."
"""Records of the C++ library begin so: what they consist of is nobody's concern."""
BYTE: Final = Int(8, signed=False)
"""What `void *` leads to."""


def element_of(type: Type) -> Type:
    """The type of the elements of an array, whatever its dimensions; of a byte where a type has no elements."""
    found = innermost(type)
    return BYTE if isinstance(found, Void) else found


def possible_inputs(
    program: Program, entries: tuple[str, ...], used: Reachable, shown: Mapping[str, str] | None = None
) -> list[Need]:
    """All inputs that a bound may be given for, the required ones first; `shown` are names that functions go by."""
    called = shown or {}
    needs = [n for name in entries for n in _parameters(program, program.functions[name], called.get(name))]
    texts = given_only_literals(program, used.functions) if used.externals else set()
    for name in used.externals:
        found = _external(program, program.declarations[name], name in used.results_used)
        needs += [n for n in found if n.kind is not InputKind.WRITTEN or (name, n.position) not in texts]
    for read in used.inputs:
        variable = root_of(read.name)
        needs.append(Need(read.name, read.type, InputKind.VOLATILE, True, variable))
    needs += _variables(program)
    return needs


def _parameters(program: Program, function: Function, shown: str | None) -> Iterator[Need]:
    if is_program_start(function):
        return
    for position, parameter in enumerate(function.parameters):
        name = f"{shown or function.name.rstrip(STARTING)}.{parameter.name}"
        type = parameter.type
        target = type.target if isinstance(type, Pointer) else None
        if isinstance(type, Pointer) and isinstance(target, Bool | Int | Float | EnumType | Void):
            # What only reads through the pointer needs to be told something; what writes can start from zero, if it
            # is known where that ends.
            required = type.readonly or isinstance(target, Void)
            yield Need(name, target, InputKind.POINTED, required, function.name, position, several=True)
        elif isinstance(type, Pointer) and isinstance(target, Array) and _is_choice(target):
            yield Need(name, target, InputKind.POINTED, type.readonly, function.name, position)
        elif isinstance(target, Record) and _complete(program, target):
            continue
        else:
            yield Need(name, type, InputKind.PARAMETER, True, function.name, position)


def _external(program: Program, declaration: Declaration, result_used: bool) -> Iterator[Need]:
    result = declaration.result
    if result_used and isinstance(result, Bool | Int | Float | EnumType | Pointer):
        required = not isinstance(result, Pointer)
        yield Need(f"{declaration.name}()", result, InputKind.RESULT, required, declaration.name)
    for position, parameter in enumerate(declaration.parameters):
        type = parameter.type
        if not isinstance(type, Pointer) or type.readonly or (position == 0 and leaves_object(program, declaration)):
            continue
        name = f"{declaration.name}.{parameter.name}"
        if isinstance(type.target, Void):
            yield Need(name, type.target, InputKind.WRITTEN, False, declaration.name, position, several=True)
            continue
        required = not _is_object(program, type.target)
        for path, part, start in _parts(program, type.target):
            several = part == type.target and is_scalar(part)
            yield Need(name + path, part, InputKind.WRITTEN, required, declaration.name, position, start, several)


def written_whole(program: Program, needs: Iterable[Need]) -> dict[str, Need]:
    """What functions without a body write through pointers to records, as so many bytes, by the pointers' names."""
    found: dict[str, Need] = {}
    for need in needs:
        if need.kind is InputKind.WRITTEN and not need.several:
            name = pointer_of(program, need)
            if name != need.name:
                found[name] = Need(name, Void(), need.kind, False, need.owner, need.position, several=True)
    return found


def as_bytes(program: Program, needs: Sequence[Need], named: Collection[str]) -> list[Need]:
    """The inputs, of which those that are written through the pointers `named` are so many bytes and no members."""
    whole = {(n.owner, n.position): n for name, n in written_whole(program, needs).items() if name in named}
    kept = [n for n in needs if n.kind is not InputKind.WRITTEN or (n.owner, n.position) not in whole]
    return [*kept, *whole.values()]


def many_members(program: Program, missing: Iterable[Need], given: Collection[str]) -> dict[str, list[Need]]:
    """Of what is written through pointers and has no bound, that of which there is much, by the pointers' names.

    Where a bound is given for one of the members, somebody cares for each.
    """
    found: dict[str, list[Need]] = {}
    for need in missing:
        if need.kind is InputKind.WRITTEN and not need.several:
            found.setdefault(pointer_of(program, need), []).append(need)
    return {
        pointer: needs
        for pointer, needs in found.items()
        if len(needs) > MOST_APART and not any(name.startswith((f"{pointer}.", f"{pointer}[")) for name in given)
    }


def pointer_of(program: Program, need: Need) -> str:
    """The name of the pointer through which a function without a body writes."""
    return f"{need.owner}.{program.declarations[need.owner].parameters[need.position].name}"


def asked_type(program: Program, need: Need) -> Type:
    """The type of what a pointer leads to that a function without a body writes, though so many bytes are chosen."""
    pointer = (
        program.declarations[need.owner].parameters[need.position].type if need.kind is InputKind.WRITTEN else None
    )
    return pointer.target if isinstance(pointer, Pointer) and isinstance(need.type, Void) else need.type


def leaves_object(program: Program, declaration: Declaration) -> bool:
    """Whether a member function promises to leave the object, which is its first argument, as it is."""
    method = program.method(declaration.name)
    return method is not None and method.constant


def _is_object(program: Program, type: Type) -> bool:
    """Whether something has functions of its own, so that what it consists of is their concern."""
    owner = program.classes.get(type.name) if isinstance(type, Record) else None
    return owner is not None and any(not m.implicit for m in owner.methods)


def _variables(program: Program) -> Iterator[Need]:
    for variable in program.variables.values():
        if not (variable.literal or variable.readonly or variable.volatile):
            for path, type, start in _parts(program, variable.type):
                yield Need(variable.name + path, type, InputKind.GLOBAL, False, variable.name, part=start)


def _parts(program: Program, type: Type, path: str = "", start: int = 0) -> Iterator[tuple[str, Type, int]]:
    """The scalars of an object, and its arrays of scalars as a whole: name, type, position in bits.

    Pointers are no inputs: they stay as they are.
    """
    records = program.records
    if isinstance(type, Record):
        layout = records[type.name]
        if layout.unsupported or type.name.startswith(_LIBRARY):
            return
        if layout.union:
            # Members that overlap are no choices of their own; the pieces that they have in common are.
            for cell in cells_of(type, records, start, path):
                if not isinstance(cell.type, Pointer) and not cell.padding:
                    yield cell.path, cell.type, cell.position
            return
        for field in layout.fields:
            inner = f"{path}.{field.name}" if field.name else path
            yield from _parts(program, field.type, inner, start + 8 * field.offset + field.bit)
    elif _is_choice(type):
        if count_cells(type, records):
            yield path, type, start
    elif isinstance(type, Array) and isinstance(element_of(type), Record):
        step = 8 * size_of(type.element, records)
        for index in range(type.count):
            yield from _parts(program, type.element, f"{path}[{index}]", start + index * step)


def _is_choice(type: Type) -> bool:
    """Whether one bound can describe something: a number, or an array of numbers."""
    return isinstance(type, Bool | Int | Float | EnumType | Array) and isinstance(
        element_of(type), Bool | Int | Float | EnumType
    )


def element_paths(program: Program, type: Type) -> list[str]:
    """What the elements of an array of scalars are called, in order: `[0][0]`, `[0][1]` …"""
    return [cell.path for cell in cells_of(type, program.records)]


def _complete(program: Program, record: Record) -> bool:
    return not program.records[record.name].unsupported


def is_program_start(function: Function) -> bool:
    """`main(argc, argv)`: its arguments come from the command line, not from bounds."""
    return function.name == "main" and len(function.parameters) >= 2
