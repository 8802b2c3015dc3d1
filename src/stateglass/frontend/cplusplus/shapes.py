"""The types of C++ as those see them who call a function: what it is made of that they have to make."""

from __future__ import annotations

import re
from typing import Final

from clang.cindex import TypeKind

from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.cplusplus.classes import is_class
from stateglass.frontend.lowering.types import TypeTable, is_const
from stateglass.program import Bool, Enum, Float, Int, Record
from stateglass.program.shapes import (
    Callable,
    Instance,
    Manner,
    Nothing,
    Number,
    Other,
    Owner,
    Passed,
    Perhaps,
    Product,
    Sequence,
    Shape,
    Text,
)

_TEXTS: Final = ("std::basic_string<char>", "std::basic_string_view<char>")
_SEQUENCES: Final = ("vector", "deque", "list", "set", "unordered_set", "initializer_list")
_MAPS: Final = ("map", "unordered_map")
_STANDARD: Final = re.compile(r"std::(\w+)<.*>$", re.DOTALL)
_COUNT: Final = re.compile(r", (\d+)[A-Za-z]*>$")
_MANNERS: Final = {
    TypeKind.LVALUEREFERENCE: Manner.REFERENCE,
    TypeKind.RVALUEREFERENCE: Manner.RVALUE,
    TypeKind.POINTER: Manner.POINTER,
}


def passed_of(type: ClangType, types: TypeTable, name: str = "") -> Passed:
    """How something of a type is passed, and what it is."""
    canonical = type.get_canonical()
    spelled = str(canonical.spelling)
    manner = _MANNERS.get(canonical.kind, Manner.VALUE)
    whole = shape_of(canonical, types)
    if manner is Manner.VALUE or isinstance(whole, Text | Callable):
        return Passed(spelled, whole, Manner.VALUE, name=name)
    target = canonical.get_pointee().get_canonical()
    shape = Other(spelled) if target.kind in (TypeKind.POINTER, TypeKind.VOID) else shape_of(target, types)
    return Passed(spelled, shape, manner, is_const(target), name)


def passed_as(parameter: Cursor, types: TypeTable) -> Passed:
    """The same for a parameter; one that is written as an array or as a function is a pointer."""
    canonical, name = parameter.type.get_canonical(), str(parameter.spelling)
    if canonical.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
        element = canonical.element_type
        spelled = f"{element.get_canonical().spelling} *"
        return Passed(spelled, Other(spelled), Manner.POINTER, is_const(element), name)
    if canonical.kind is TypeKind.FUNCTIONPROTO:
        result = str(canonical.get_result().get_canonical().spelling)
        spelled = f"{result} (*){str(canonical.spelling).removeprefix(result).lstrip()}"
        return Passed(spelled, _callable(canonical, spelled, types), Manner.VALUE, name=name)
    return passed_of(parameter.type, types, name)


def shape_of(type: ClangType, types: TypeTable) -> Shape:
    canonical = type.get_canonical()
    spelled = _plain(canonical)
    if canonical.kind is TypeKind.VOID:
        return Nothing()
    if canonical.kind is TypeKind.POINTER:
        return _pointer(canonical, spelled, types)
    if is_class(canonical):
        return _class(canonical, spelled, types)
    if canonical.kind is TypeKind.CONSTANTARRAY:
        return Sequence(spelled, shape_of(canonical.element_type, types), int(canonical.element_count))
    if canonical.kind in (TypeKind.INCOMPLETEARRAY, *_MANNERS, TypeKind.FUNCTIONPROTO):
        return Other(spelled)
    converted = types.convert(canonical)
    return Number(spelled, converted) if isinstance(converted, Bool | Int | Float | Enum) else Other(spelled)


def _plain(type: ClangType) -> str:
    """A type without `const` and `volatile` on the outside."""
    spelled = str(type.spelling)
    while (shorter := spelled.removeprefix("const ").removeprefix("volatile ")) != spelled:
        spelled = shorter
    return spelled


def _pointer(pointer: ClangType, spelled: str, types: TypeTable) -> Shape:
    target = pointer.get_pointee().get_canonical()
    if target.kind is TypeKind.FUNCTIONPROTO:
        return _callable(target, spelled, types)
    if target.kind in (TypeKind.CHAR_S, TypeKind.CHAR_U) and is_const(target):
        return Text(spelled)
    return Other(spelled)


def _callable(function: ClangType, spelled: str, types: TypeTable) -> Shape:
    parameters = tuple(passed_of(t, types) for t in function.argument_types())
    returned = passed_of(function.get_result(), types)
    result = returned.shape if returned.manner is Manner.VALUE else Other(returned.spelled)
    return Callable(spelled, result, parameters)


def _class(type: ClangType, spelled: str, types: TypeTable) -> Shape:
    found = _STANDARD.match(spelled)
    if found is None:
        record = types.convert(type)
        return Instance(spelled, record.name) if isinstance(record, Record) else Other(spelled)
    if spelled in _TEXTS:
        return Text(spelled)
    name = found[1]
    arguments = [type.get_template_argument_type(n) for n in range(type.get_num_template_arguments())]
    known = [a for a in arguments if a.kind is not TypeKind.INVALID]
    shapes = [shape_of(a, types) for a in known] if name != "function" else []
    if name == "function" and known and known[0].kind is TypeKind.FUNCTIONPROTO:
        return _callable(known[0], spelled, types)
    if name in _SEQUENCES and shapes:
        return Sequence(spelled, shapes[0])
    if name in _MAPS and len(shapes) > 1:
        pair = f"std::pair<{shapes[0].spelled}, {shapes[1].spelled}>"
        return Sequence(spelled, Product(pair, (("first", shapes[0]), ("second", shapes[1]))))
    if name == "array" and shapes and (count := _COUNT.search(spelled)):
        return Sequence(spelled, shapes[0], int(count[1]))
    if name == "optional" and shapes:
        return Perhaps(spelled, shapes[0])
    if name == "pair" and len(shapes) == 2:
        return Product(spelled, (("first", shapes[0]), ("second", shapes[1])))
    if name == "tuple":
        return Product(spelled, tuple((f"[{n}]", s) for n, s in enumerate(shapes)))
    if name in ("unique_ptr", "shared_ptr") and shapes and isinstance(shapes[0], Instance):
        return Owner(spelled, shapes[0], name == "shared_ptr")
    return Other(spelled)
