"""What `new` and `delete` stand for: which functions get and release memory, for how many objects, with which values.

libclang shows part of it; the rest is read from the expression behind a cursor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Final, final

import clang.cindex as ci
from clang.cindex import CursorKind

from stateglass.frontend.clang.libclang import LIBRARY_FOLDER, Cursor, expression_children, parse
from stateglass.frontend.clang.units import CLASSES
from stateglass.frontend.clang.words import word, words

_FUNCTION: Final = 2  # where the function is kept, in words
_OPERANDS: Final = 7  # where the operands of `new` begin
GETTING: Final = frozenset({"operator new", "operator new[]"})
GIVING_BACK: Final = frozenset({"operator delete", "operator delete[]"})


@final
@dataclass(frozen=True, slots=True)
class New:
    """The parts of a `new`."""

    function: Cursor  # gets the memory
    places: list[Cursor]  # is given these, besides how much memory it is
    count: Cursor | None  # of an array: how many objects there are
    value: Cursor | None  # what they begin with

    @property
    def is_placement(self) -> bool:
        """Whether the memory is there already: `new (memory) type`."""
        return bool(self.places) and is_of_library(self.function) and _second(self.function) == "void *"


def new_parts(cursor: Cursor) -> New:
    shown = {c.data[1]: c for c in expression_children(cursor)}
    function = operator_function(cursor)
    kept = words(cursor.data[1], _OPERANDS, len(shown))
    operands = [shown[address] for address in takewhile(shown.__contains__, kept)]
    count = operands.pop(0) if function.spelling == "operator new[]" else None
    given = len(list(function.get_arguments())) - 1 - (_second(function) == "std::align_val_t")
    places = operands[len(operands) - given :]
    values = operands[: len(operands) - given]
    return New(function, places, count, values[0] if values else None)


def operator_function(cursor: Cursor) -> Cursor:
    """The function that a `new` gets memory from, or that a `delete` gives it to."""
    if not _is_known():
        raise AssertionError("this libclang keeps the functions of `new` and `delete` elsewhere")
    found = _function(cursor, _FUNCTION)
    assert found is not None
    return found


def function_on_throw(cursor: Cursor) -> Cursor | None:
    """What the memory is given to if a constructor throws; None if there is no such function."""
    if not _is_known():
        raise AssertionError("this libclang keeps the functions of `new` and `delete` elsewhere")
    return _function(cursor, _FUNCTION + 1)


def is_several(cursor: Cursor) -> bool:
    """Whether this is `delete[]`."""
    return bool(operator_function(cursor).spelling == "operator delete[]")


def _function(cursor: Cursor, number: int) -> Cursor | None:
    address = word(cursor.data[1], number)
    if not address:
        return None
    found = ci.Cursor()
    found._kind_id = CursorKind.FUNCTION_DECL.value
    found.data[0], found.data[1], found.data[2] = address, 1, cursor.data[2]
    found._tu = cursor._tu
    if found.semantic_parent.kind in CLASSES:
        found._kind_id = CursorKind.CXX_METHOD.value
    return found


def is_of_library(function: Cursor) -> bool:
    """Whether a function is one that every program has."""
    file = function.location.file
    return file is None or str(file.name).startswith(str(LIBRARY_FOLDER))


def is_about_memory(function: Cursor) -> bool:
    """Whether a function is one of the library's that get memory from the heap or give it back."""
    return function.spelling in GETTING | GIVING_BACK and is_of_library(function)


def _second(function: Cursor) -> str:
    types = [str(p.type.get_canonical().spelling) for p in function.get_arguments()]
    return types[1] if len(types) > 1 else ""


@cache
def _is_known() -> bool:
    """Whether this libclang keeps all of it where we look for it."""
    probe = """
    struct s {
        void *operator new(unsigned long, int, int);
        void *operator new[](unsigned long);
        void operator delete(void *);
        void operator delete[](void *);
    };
    void f(s *x, unsigned long n) { new (1, 2) s(); new s[n][3]; delete x; }"""
    unit, _ = parse("probe.cpp", ["-xc++", "-std=c++20", "--target=x86_64-linux-gnu"], probe)
    cursors = list(unit.cursor.walk_preorder())
    declared = [c.data[0] for c in cursors if c.kind is CursorKind.CXX_METHOD]
    one, several = (c for c in cursors if c.kind is CursorKind.CXX_NEW_EXPR)
    (end,) = (c for c in cursors if c.kind is CursorKind.CXX_DELETE_EXPR)
    if [word(c.data[1], _FUNCTION) for c in (one, several, end)] != declared[:3]:
        return False
    if word(several.data[1], _FUNCTION + 1) != declared[3]:
        return False
    first, second, value = (c.data[1] for c in expression_children(one))
    _, count, made = (c.data[1] for c in expression_children(several))
    given = words(one.data[1], _OPERANDS, 3), words(several.data[1], _OPERANDS, 2)
    return given == ([value, first, second], [count, made])
