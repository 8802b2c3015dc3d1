"""What libclang hides: the parts of `for`, what `_Generic` chooses, and the kinds of expressions it does not name.

All are read from the statement object behind a cursor; how it is laid out is learned from probe files.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from enum import Enum, unique
from functools import cache
from typing import Final, final

from clang.cindex import CursorKind

from stateglass.frontend.libclang import Cursor, children, evaluate, expression_children, parse


@final
class ForParts:
    """The four parts of a `for`, None where the source leaves one out."""

    def __init__(self, initial: Cursor | None, condition: Cursor | None, step: Cursor | None, body: Cursor) -> None:
        self.initial = initial
        self.condition = condition
        self.step = step
        self.body = body


def for_parts(cursor: Cursor) -> ForParts | None:
    """The parts of a `for`; None if this libclang does not let us tell which part is missing.

    The binding drops missing parts from the children. The statement object behind the cursor holds five
    pointers (initial, condition variable, condition, step, body); they are compared with the children's.
    """
    parts = children(cursor)
    if len(parts) == 4:
        return ForParts(*parts)
    if len(parts) == 1:
        return ForParts(None, None, None, parts[0])
    if not _statement_pointers_known():
        return None
    return _parts_by_pointer(cursor, parts)


def _parts_by_pointer(cursor: Cursor, parts: list[Cursor]) -> ForParts | None:
    base = cursor.data[1]
    by_address = {part.data[1]: part for part in parts}
    slots = [int.from_bytes(ctypes.string_at(base + 8 * k, 8), "little") for k in (1, 3, 4, 5)]
    initial, condition, step, body = (by_address.get(slot) for slot in slots)
    found = [part for part in (initial, condition, step, body) if part is not None]
    if body is None or len(found) != len(parts):
        return None
    return ForParts(initial, condition, step, body)


@cache
def _statement_pointers_known() -> bool:
    """Whether the layout that `_parts_by_pointer` relies on is the one of this libclang."""
    probe = "void f(int i) { for (i = 1; ; ) ; for (; i < 2; ) ; for (; ; i++) ; for (i = 1; ; i++) ; }"
    unit, _ = parse("probe.c", [], probe)
    loops = [c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.FOR_STMT]
    expected = [(True, False, False), (False, True, False), (False, False, True), (True, False, True)]
    for loop, present in zip(loops, expected, strict=True):
        parts = _parts_by_pointer(loop, children(loop))
        if parts is None:
            return False
        if (parts.initial is not None, parts.condition is not None, parts.step is not None) != present:
            return False
    return True


@final
@unique
class Hidden(Enum):
    """Expressions that libclang does not name: it shows all of them as one kind, "unexposed"."""

    CONVERSION = "an implicit conversion"
    CONSTANT = "a constant expression"
    WHOLE = "a full expression with temporaries"
    TEMPORARY = "a temporary"
    FUNCTION_NAME = "__func__"
    OFFSET_OF = "offsetof"
    CONDITIONAL = "a ?: b"
    CHOICE = "__builtin_choose_expr"
    TYPE_TEST = "__builtin_types_compatible_p"
    VARIADIC_ARGUMENT = "va_arg"
    ATOMIC = "an atomic operation"
    OTHER = "an expression that libclang does not name"


# One of each, as the initialiser of a variable that is called like it.
_PROBE: Final = """
struct record { int x; } make(void);
int probe(int n, ...) {
    __builtin_va_list list;
    int conversion = n;
    const char *function_name = __func__;
    unsigned long offset_of = __builtin_offsetof(struct { int x; }, x);
    int whole = make().x;
    int conditional = n ?: 2;
    int choice = __builtin_choose_expr(1, n, 3);
    int type_test = __builtin_types_compatible_p(int, long);
    int variadic_argument = __builtin_va_arg(list, int);
    int atomic = __atomic_load_n(&n, 5);
    switch (n) { case 1 + 1: ; }
}
"""


def _statement_class(cursor: Cursor) -> int:
    return _class_at(cursor.data[1])


def _class_at(address: int) -> int:
    """The first byte of a statement object tells its class."""
    return ctypes.string_at(address, 1)[0]


@cache
def _hidden_classes() -> dict[int, Hidden]:
    """Which class is which in this libclang, learned from a file in which we know."""
    unit, _ = parse("probe.c", [], _PROBE)
    found: dict[int, Hidden] = {}
    for cursor in unit.cursor.walk_preorder():
        if cursor.kind is CursorKind.CASE_STMT:
            found[_statement_class(children(cursor)[0])] = Hidden.CONSTANT
        if cursor.kind is CursorKind.MEMBER_REF_EXPR:
            found[_statement_class(children(cursor)[0])] = Hidden.TEMPORARY
        if cursor.kind is CursorKind.VAR_DECL and cursor.spelling.upper() in Hidden.__members__:
            value = expression_children(cursor)[-1]
            hidden = Hidden[cursor.spelling.upper()]
            while hidden is not Hidden.CONVERSION and _statement_class(value) in found:
                value = children(value)[0]  # a conversion to the variable's type stands around it
            found.setdefault(_statement_class(value), hidden)
    return found


def hidden_kind(cursor: Cursor) -> Hidden:
    """What an unexposed expression is."""
    return _hidden_classes().get(_statement_class(cursor), Hidden.OTHER)


def inside_conversion(address: int, known: Mapping[int, Cursor]) -> Cursor | None:
    """The expression at an address, or the one that is converted there, if it is among the known ones."""
    while address not in known:
        if _hidden_classes().get(_class_at(address)) not in (Hidden.CONVERSION, Hidden.CONSTANT):
            return None
        address = int.from_bytes(ctypes.string_at(address + 16, 8), "little")
    return known[address]


def is_selection(cursor: Cursor) -> bool:
    """Whether this is `_Generic` or `__builtin_choose_expr`."""
    if cursor.kind is CursorKind.GENERIC_SELECTION_EXPR:
        return True
    return cursor.kind is CursorKind.UNEXPOSED_EXPR and hidden_kind(cursor) is Hidden.CHOICE


def selected(cursor: Cursor) -> Cursor | None:
    """The branch that a selection stands for; None if this libclang does not tell, and for anything else."""
    if not is_selection(cursor):
        return None
    if cursor.kind is CursorKind.GENERIC_SELECTION_EXPR:
        return _branch_by_pointer(cursor) if _selections_known() else None
    condition, then, other = children(cursor)
    value = evaluate(condition)
    return None if value is None else then if value else other


def _branch_by_pointer(cursor: Cursor) -> Cursor | None:
    """The statement object says how many branches there are and which one counts, and has pointers to all of them."""
    base = cursor.data[1]
    word = int.from_bytes(ctypes.string_at(base + 16, 4), "little")
    count, chosen, has_expression = word & 0x7FFF, word >> 15 & 0x7FFF, word >> 30 & 1
    by_address = {child.data[1]: child for child in expression_children(cursor)}
    if chosen >= count or count > len(by_address):
        return None
    return by_address.get(int.from_bytes(ctypes.string_at(base + 32 + 8 * (chosen + has_expression), 8), "little"))


@cache
def _selections_known() -> bool:
    """Whether the layout that `_branch_by_pointer` relies on is the one of this libclang."""
    probe = """int f(int n) {
        int a[] = {_Generic(n, long: 1, default: 2, int: 3), _Generic(1L, long: 1, default: 2, int: 3),
            _Generic(1.0, long: 1, default: 2, int: 3), _Generic(1 ? "" : 0, char *: 1, int: 2)};
    }"""
    unit, _ = parse("probe.c", [], probe)
    found = [c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.GENERIC_SELECTION_EXPR]
    branches = [_branch_by_pointer(c) for c in found]
    return [None if b is None else evaluate(b) for b in branches] == [3, 1, 2, 1]
