"""Lowers `auto [a, b] = x`: names for the parts of an object, be they members, elements, or what `get<0>` gives.

Which part a name stands for is read from the declaration behind a cursor; where that is kept is learned from a probe.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.parts import statement_at
from stateglass.frontend.clang.words import word
from stateglass.frontend.cplusplus.destruction import cleanup_of
from stateglass.frontend.cplusplus.signatures import is_reference
from stateglass.frontend.lowering.expressions import Expressions
from stateglass.program import Declare

_WORDS: Final = 10
"""The declaration of such a name is at least as large."""


@final
class Bindings:
    """Lowers the names for parts of objects in one function."""

    def __init__(self, lower: Expressions, declare: Callable[[Cursor], None]) -> None:
        self._lower = lower
        self._builder = lower.builder
        self._declare = declare

    def declare(self, cursor: Cursor) -> None:
        span = span_of(cursor)
        names = [c for c in libclang.children(cursor) if c.kind is CursorKind.UNEXPOSED_DECL]
        value = libclang.expression_children(cursor)[-1]
        symbols, objects = self._lower.symbols, self._lower.objects
        type = symbols.types.convert(cursor.type)
        local = self._builder.add_local(f"{names[0].spelling}%", type, span, libclang.declaration_key(cursor))
        self._builder.emit(Declare(local, span))
        if is_reference(cursor.type):
            self._builder.behind.add(local.name)
            objects.bind(local, value, span)
        else:
            objects.initialise(local, value, cursor.type, span)
        self._builder.scopes[-1].append(local)
        cleanup = cleanup_of(symbols, cursor.type) if not is_reference(cursor.type) else None
        if cleanup is not None:
            self._builder.cleanups[local.name] = cleanup
        for name in names:
            part = _part(name)
            if part.kind is CursorKind.DECL_REF_EXPR:
                self._declare(part.referenced)  # a variable that nobody wrote holds what `get` gave
            self._builder.bound[libclang.declaration_key(name)] = self._lower.place(part)


def _part(name: Cursor) -> Cursor:
    """The expression that a name stands for."""
    return statement_at(word(name.data[0], _where_kept()), name)


@cache
def _where_kept() -> int:
    """In which word of a declaration that is, in this libclang: behind the one that leads to the whole."""
    probe = "struct s { int x, y; }; int f(s v, int (&w)[1]) { auto [a, b] = v; auto [c] = w; return a; }"
    unit, _ = libclang.parse("probe.cpp", ["-xc++", "-std=c++20"], probe)
    wholes = [c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.UNEXPOSED_DECL and libclang.children(c)]
    names = [(whole, name) for whole in wholes for name in libclang.children(whole) if not name.kind.is_expression()]
    # Words at the beginning lead to what is declared next.
    where = {max(n for n in range(_WORDS) if word(name.data[0], n) == whole.data[0]) + 1 for whole, name in names}
    if len(where) == 1:
        (found,) = where
        kinds = [statement_at(word(name.data[0], found), name).kind for _, name in names]
        if kinds == [*[CursorKind.MEMBER_REF_EXPR] * 2, CursorKind.ARRAY_SUBSCRIPT_EXPR]:
            return found
    raise AssertionError("this libclang keeps the parts of objects that have names elsewhere")
