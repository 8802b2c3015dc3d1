"""What declarations are called in C++: for the linker, and for people (`Actuator.move`, `ns.f`, `Box<int>.get`)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from clang.cindex import CursorKind, TemplateArgumentKind, TypeKind

from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.units import CLASSES, FUNCTIONS, METHODS, TEMPLATES
from stateglass.program import Written
from stateglass.program.made import MADE_NAMESPACE, made_name

_LAMBDA: Final = re.compile(r"\(lambda at [^()]*:(\d+):(\d+)\)")


def link_symbol(cursor: Cursor) -> str:
    """What the linker knows a function or variable as, but for `asm("name")`."""
    spelling = str(cursor.spelling)
    if cursor.kind not in FUNCTIONS and cursor.kind is not CursorKind.VAR_DECL:
        return spelling
    # Only C++ mangles so; what other targets do to the names of C is of no interest here.
    mangled = str(cursor.mangled_name or "")
    if not mangled.startswith("_Z"):
        return spelling
    return mangled + _lambdas_in(cursor) if "$_" in mangled or "Ul" in mangled else mangled


def _lambdas_in(cursor: Cursor) -> str:
    """Where the lambdas stand that a template is instantiated with: libclang gives all of a function one symbol."""
    types = [str(cursor.type.get_canonical().spelling)]
    scope: Cursor | None = cursor.semantic_parent
    while scope is not None and scope.kind is not CursorKind.TRANSLATION_UNIT:
        if scope.kind in CLASSES:
            types.append(str(scope.type.get_canonical().spelling))
        scope = scope.semantic_parent
    count = max(cursor.get_num_template_arguments(), 0) if cursor.kind in FUNCTIONS else 0
    given = [cursor.get_template_argument_type(number) for number in range(count)]
    types += [str(type.spelling) for type in given]
    places = dict.fromkeys(found.group() for type in types for found in _LAMBDA.finditer(type))
    # A lambda in a template is another one in each instance of it.
    around = dict.fromkeys(name for type in given for name in _lambdas_of(type))
    return "".join((*places, *around))


def _lambdas_of(type: ClangType) -> list[str]:
    """The full names of the lambdas that a type is made of."""
    canonical = type.get_canonical()
    while canonical.kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE, TypeKind.POINTER):
        canonical = canonical.get_pointee().get_canonical()
    if "(lambda at" not in canonical.spelling:
        return []
    declaration = canonical.get_declaration()
    if "(lambda at" in declaration.spelling:
        return [qualified_name(declaration)]
    count = max(canonical.get_num_template_arguments(), 0)
    return [name for n in range(count) for name in _lambdas_of(canonical.get_template_argument_type(n))]


def written_as(cursor: Cursor, symbol: str) -> Written:
    """How code of C++ would name a function or variable that the linker knows as `symbol`."""
    type: ClangType = cursor.type.get_canonical()
    takes = [str(p.get_canonical().spelling) for p in type.argument_types()] if cursor.kind in FUNCTIONS else []
    around = cursor.semantic_parent
    names: list[str] = []
    while around is not None and around.kind is not CursorKind.TRANSLATION_UNIT:
        if around.kind in CLASSES:
            names.append(str(around.type.get_canonical().spelling))
            break
        if around.kind is CursorKind.NAMESPACE:
            names.append(_own_name(around))
        around = around.semantic_parent
    scope = "::".join(name for name in reversed(names) if name)
    return Written(symbol, scope, str(cursor.spelling), str(type.spelling), tuple(takes))


def is_plain(cursor: Cursor) -> bool:
    """Whether a function or variable goes by its spelling alone, as all do in C."""
    return bool(link_symbol(cursor) == cursor.spelling)


def qualified_name(cursor: Cursor) -> str:
    """A declaration with the classes and namespaces around it; those without a name are left out."""
    names = [_own_name(cursor)]
    scope = cursor.semantic_parent
    while scope is not None and scope.kind is not CursorKind.TRANSLATION_UNIT:
        if scope.kind in CLASSES or scope.kind in FUNCTIONS or scope.kind in (CursorKind.NAMESPACE, *TEMPLATES):
            name = _own_name(scope)
            if name == MADE_NAMESPACE:
                names = [made_name(n) for n in names]
            elif name:
                names.append(name)
        scope = scope.semantic_parent
    return ".".join(reversed(names))


def overload_suffix(function: Cursor) -> str:
    """What tells a function from others of its name: the types of its parameters."""
    types = [type_name(p.type) for p in function.get_arguments()]
    constant = " const" if function.kind is CursorKind.CXX_METHOD and function.is_const_method() else ""
    return f"<{', '.join(types)}>{constant}"


def names_of_methods(scope: Cursor) -> Counter[tuple[CursorKind, str]]:
    """How many functions of each name a class has, besides copying that is left to the compiler."""
    return Counter((m.kind, str(m.spelling)) for m in scope.type.get_methods() if not is_copying(m))


def is_copying(function: Cursor) -> bool:
    """Whether a function copies or moves, and is left to the compiler."""
    return function.kind in METHODS and bool(function.is_default_method()) and bool(list(function.get_arguments()))


def _own_name(cursor: Cursor) -> str:
    if cursor.kind in CLASSES:
        return class_name(cursor)
    name = str(cursor.spelling)
    if cursor.kind in FUNCTIONS and "(lambda at" in name:
        return "~" + class_name(cursor.semantic_parent)
    if cursor.kind is CursorKind.NAMESPACE:
        return "" if "(" in name else name
    count = cursor.get_num_template_arguments() if cursor.kind in FUNCTIONS else -1
    if count <= 0:
        return name
    if any(cursor.get_template_argument_kind(n) is TemplateArgumentKind.PACK for n in range(count)):
        return f"{name}<{', '.join(type_name(p.type) for p in cursor.get_arguments())}>"
    return f"{name}<{', '.join(_argument(cursor, n) for n in range(count))}>"


def _argument(function: Cursor, number: int) -> str:
    if function.get_template_argument_kind(number) is TemplateArgumentKind.TYPE:
        return type_name(function.get_template_argument_type(number))
    return str(function.get_template_argument_value(number))


def class_name(declaration: Cursor) -> str:
    """A class without what is around it, with the arguments of its template."""
    spelling = str(declaration.spelling)
    if "(" in spelling:
        kind = "lambda" if "lambda" in spelling else "unnamed"
        return f"{kind}_{declaration.location.line}_{declaration.location.column}"
    type: ClangType = declaration.type
    whole = type_name(type)
    start = whole.find("<")
    return spelling if start < 0 or not whole.endswith(">") else spelling + _arguments_at_the_end(whole)


def type_name(type: ClangType) -> str:
    """A type as it is spelled; a lambda is told by its line and column, whatever folder its file is in."""
    return _LAMBDA.sub(r"lambda_\1_\2", str(type.spelling))


def has_lambda(name: str) -> bool:
    """Whether a name is about a lambda: the linker's names for those of one function may be the same."""
    return "lambda_" in name


def _arguments_at_the_end(spelled: str) -> str:
    """`<int>` of `outer<char>::Box<int>`."""
    depth = 0
    for position in range(len(spelled) - 1, -1, -1):
        depth += (spelled[position] == ">") - (spelled[position] == "<")
        if depth == 0:
            return spelled[position:]
    return ""
