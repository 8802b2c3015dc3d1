"""How a function is called: what C++ passes besides the arguments, and what it passes by its address."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, final

from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang.libclang import ClangType, Cursor, is_variadic
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.units import METHODS
from stateglass.frontend.cplusplus.classes import is_class
from stateglass.frontend.lowering.types import TypeTable
from stateglass.program import VOID, FunctionType, Local, Pointer, Record, Type
from stateglass.program.names import RESULT, THIS

REFERENCES: Final = (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)


@final
@dataclass(frozen=True, slots=True)
class Signature:
    """What goes into a function and comes out of it."""

    result: Type
    parameters: tuple[Local, ...]  # hidden ones first
    hidden: int  # how many of them nobody wrote
    variadic: bool

    def type(self) -> FunctionType:
        return FunctionType(self.result, tuple(p.type for p in self.parameters), self.variadic)


def signature_of(function: Cursor, types: TypeTable) -> Signature:
    parameters: list[Local] = []
    if has_this(function):
        owner = types.convert(function.semantic_parent.type)
        parameters.append(Local(THIS, Pointer(owner, types.pointer_size), span_of(function)))
    returned = function.result_type
    result, room = with_result_parameter(returned, types)
    if function.kind in (CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR):
        result = VOID
    parameters += [Local(RESULT, type, span_of(function)) for type in room]
    hidden = len(parameters)
    for number, parameter in enumerate(function.get_arguments()):
        name = parameter.spelling or f"argument{number + 1}"
        parameters.append(Local(name, passed_type(parameter.type, types), span_of(parameter)))
    return Signature(result, tuple(parameters), hidden, is_variadic(function))


def is_unnamed(parameter: str) -> bool:
    """Whether nobody gave a parameter its name."""
    return re.fullmatch(r"argument\d+", parameter) is not None


def with_result_parameter(returned: ClangType, types: TypeTable) -> tuple[Type, tuple[Pointer, ...]]:
    """What a function returns, and the type of the parameter that says where an object is made instead."""
    result = types.convert(returned)
    return (VOID, (Pointer(result, types.pointer_size),)) if is_passed_by_address(returned, types) else (result, ())


def passed_type(type: ClangType, types: TypeTable) -> Type:
    """What is passed for a parameter."""
    converted = types.parameter(type)
    return Pointer(converted, types.pointer_size) if is_passed_by_address(type, types) else converted


def is_reference(type: ClangType) -> bool:
    return type.get_canonical().kind in REFERENCES


def is_passed_by_address(type: ClangType, types: TypeTable) -> bool:
    """Whether an object cannot be copied as it lies in memory: functions get and give its address instead."""
    return is_class(type) and not types.classes.of(type).is_copied_bitwise


def has_this(function: Cursor) -> bool:
    """Whether a function is called for an object."""
    return function.kind in METHODS and not function.is_static_method()


def only_read(type: Type) -> Type:
    """The type of a parameter without a body; a `va_list` is read-only, as nobody can use it afterwards (C 7.16)."""
    if isinstance(type, Pointer) and type.target == Record("__va_list_tag"):
        return replace(type, readonly=True)
    return type
