"""Lowers what decides where to go on: conditions, `&&`, `||`, `?:`."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import is_throw
from stateglass.frontend.lowering.conversions import is_nonzero
from stateglass.program import Place

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions


@final
class Decisions:
    """Lowers the decisions of one function."""

    def __init__(self, lower: Expressions) -> None:
        self._lower = lower
        self._builder = lower.builder

    def branch(self, cursor: Cursor, then: int, other: int) -> None:
        """Go to `then` or `other`, evaluating no more than C does."""
        inner = self._lower.extensions.bare(cursor)
        if inner.kind is CursorKind.UNARY_OPERATOR and libclang.unary_operator(inner) == "!":
            self.branch(libclang.children(inner)[0], other, then)
            return
        if inner.kind is CursorKind.BINARY_OPERATOR and inner.spelling in ("&&", "||"):
            left, right = libclang.children(inner)
            middle = self._builder.new_block()
            if inner.spelling == "&&":
                self.branch(left, middle, other)
            else:
                self.branch(left, then, middle)
            self._builder.current = middle
            with self._builder.in_decision():
                self.branch(right, then, other)
            return
        span = span_of(cursor)
        self._builder.branch(is_nonzero(self._lower.value(inner), self._lower.int_type, span), then, other, span)

    def conditional(self, cursor: Cursor) -> Place:
        """`c ? a : b` through a temporary that both sides set."""
        condition, *sides = libclang.children(cursor)
        span = span_of(cursor)
        result = self._builder.temporary(self._lower.widths.type_of(cursor) or self._lower.type_of(cursor), span)
        then, other, after = (self._builder.new_block() for _ in range(3))
        self.branch(condition, then, other)
        for block, side in zip((then, other), sides, strict=True):
            self._builder.current = block
            with self._builder.in_decision():
                if is_throw(side):
                    self._lower.discard(side)
                else:
                    self._lower.updates.store(result, side, span)
            self._builder.start(after, span)
        return result

    def choose_effect(self, cursor: Cursor) -> None:
        """`c ? a : b` where nobody asks for its value."""
        condition, *sides = libclang.children(cursor)
        then, other, after = (self._builder.new_block() for _ in range(3))
        self.branch(condition, then, other)
        for block, side in zip((then, other), sides, strict=True):
            self._builder.current = block
            with self._builder.in_decision():
                self._lower.discard(side)
            self._builder.start(after, span_of(cursor))
