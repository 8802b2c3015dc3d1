"""The attributes of functions and variables that change what a program does, and their arguments.

Libclang names few of them. The others are read from clang's own objects in memory; how these are laid out is learned
from a small file that has every attribute once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from enum import Enum, unique
from functools import cache
from typing import Final, final

from clang.cindex import Cursor as ClangCursor
from clang.cindex import CursorKind

from stateglass.frontend.clang.libclang import Cursor, children, declaration_key, evaluate, parse
from stateglass.frontend.clang.words import word


@final
@unique
class Attribute(Enum):
    """Attributes that we know about."""

    WEAK = "weak"
    NORETURN = "_Noreturn"
    CONSTRUCTOR = "constructor"
    DESTRUCTOR = "destructor"
    CLEANUP = "cleanup"
    ALIAS = "alias"
    IFUNC = "ifunc"
    GNU_INLINE = "gnu_inline"
    FORMAT = "format"


LAST: Final = 65535
"""The priority of a constructor that has none."""

# One of each, on something that is called like it.
_PROBE: Final = """
void called(int *p) {}
__attribute__((weak)) int weak;
_Noreturn void noreturn(void);
__attribute__((constructor(203))) void constructor(void) {}
__attribute__((destructor)) void destructor(void) {}
void alias(int *p) __attribute__((alias("called")));
void *chosen(void);
int ifunc(void) __attribute__((ifunc("chosen")));
extern inline __attribute__((gnu_inline)) int gnu_inline(void) { return 1; }
void format(const char *text, ...) __attribute__((format(printf, 1, 2)));
void around(void) { __attribute__((cleanup(called))) int cleanup; }
"""
LONGEST_NAME: Final = 64
_PRINTS: Final = frozenset({"printf", "gnu_printf"})
_PROBE_TARGET: Final = "--target=x86_64-linux-gnu"
_CONTENT: Final = 40  # where what is special about a kind of attribute begins


def has_attribute(declaration: Cursor, attribute: Attribute) -> bool:
    """Whether a declaration has an attribute; tokens do not tell it, they may be a macro's."""
    return next(_find(declaration, attribute), None) is not None


def never_returns(function: Cursor) -> bool:
    """Whether a function has the attribute `noreturn`, or is `_Noreturn`."""
    if "__attribute__((noreturn))" in function.type.get_canonical().spelling:
        return True
    return has_attribute(function, Attribute.NORETURN)


def prints(function: Cursor) -> bool:
    """Whether a function is declared to take a text and what is put into it, as printf does."""
    return any(_first_word(found) in _PRINTS for found in _find(function, Attribute.FORMAT))


def alias_of(declaration: Cursor) -> str | None:
    """The name that a declaration is another name for."""
    for found in _find(declaration, Attribute.ALIAS):
        return _text(found)
    return None


def cleanup_function(variable: Cursor) -> Cursor | None:
    """The function that is called with the variable's address when its life ends."""
    for found in _find(variable, Attribute.CLEANUP):
        wanted = _word(found, _CONTENT)
        for declaration in variable.translation_unit.cursor.get_children():
            if declaration.kind is CursorKind.FUNCTION_DECL and declaration_key(declaration) == wanted:
                return declaration
    return None


def link_name(declaration: Cursor) -> str | None:
    """The name for the linker that is given with `asm("name")`."""
    for child in _attributes(declaration):
        if child.kind is CursorKind.ASM_LABEL_ATTR:
            return str(child.spelling)
    return None


def priority(function: Cursor, attribute: Attribute) -> int | None:
    """The number of a constructor or destructor: lower ones are called first (last); None if it is neither."""
    for found in _find(function, attribute):
        address = _word(found, _CONTENT)
        if not address:
            return LAST
        value = evaluate(_expression_at(address, found))
        return LAST if value is None else value
    return None


def _find(declaration: Cursor, attribute: Attribute) -> Iterator[Cursor]:
    for child in _attributes(declaration):
        if child.kind is CursorKind.UNEXPOSED_ATTR and _kinds().get(_kind(child)) is attribute:
            yield child


def _attributes(declaration: Cursor) -> Iterator[Cursor]:
    """The attributes of a declaration, among other children; most declarations have none."""
    return declaration.get_children() if declaration.has_attrs() else iter(())


def _kind(attribute: Cursor) -> int:
    return int.from_bytes(ctypes.string_at(attribute.data[1] + 36, 2), "little")


def _word(attribute: Cursor, offset: int) -> int:
    return word(attribute.data[1] + offset)


def _text(attribute: Cursor) -> str:
    length = _word(attribute, _CONTENT) & 0xFFFFFFFF
    return ctypes.string_at(_word(attribute, _CONTENT + 8), length).decode(errors="replace")


def _first_word(attribute: Cursor) -> str:
    """The name that an attribute has for its first argument: its identifier leads to where clang keeps names."""
    entry = word(_word(attribute, _CONTENT) + 16)
    length = word(entry)
    return ctypes.string_at(entry + 16, length).decode(errors="replace") if length < LONGEST_NAME else ""


def _expression_at(address: int, near: Cursor) -> Cursor:
    """The expression at an address, as a cursor."""
    cursor = ClangCursor()
    cursor._kind_id = CursorKind.UNEXPOSED_EXPR.value
    cursor.data[0], cursor.data[1], cursor.data[2] = near.data[0], address, near.data[2]
    cursor._tu = near._tu
    return cursor


@cache
def _kinds() -> dict[int, Attribute]:
    """The numbers that attributes have in this libclang; none if they are not where we look for them."""
    unit, _ = parse("probe.c", [_PROBE_TARGET], _PROBE)
    found: dict[int, Attribute] = {}
    content: dict[str, Cursor] = {}
    for cursor in unit.cursor.walk_preorder():
        name = str(cursor.spelling).upper()
        if cursor.kind in (CursorKind.FUNCTION_DECL, CursorKind.VAR_DECL) and name in Attribute.__members__:
            attributes = [c for c in children(cursor) if c.kind is CursorKind.UNEXPOSED_ATTR]
            if len(attributes) == 1:
                content[name] = attributes[0]
                found[_kind(attributes[0])] = Attribute[name]
    if len(found) != len(Attribute) or _text(content["ALIAS"]) != "called":
        return {}
    called = next(c for c in unit.cursor.get_children() if c.spelling == "called")
    if _word(content["CLEANUP"], _CONTENT) != declaration_key(called) or _word(content["DESTRUCTOR"], _CONTENT):
        return {}
    if _first_word(content["FORMAT"]) != "printf":
        return {}
    number = _word(content["CONSTRUCTOR"], _CONTENT)
    return found if number and evaluate(_expression_at(number, content["CONSTRUCTOR"])) == 203 else {}
