"""What lowering asks of the program under construction."""

from __future__ import annotations

from typing import Protocol

from stateglass.frontend.clang import Cursor
from stateglass.frontend.types import TypeTable
from stateglass.program import Global, Int, Place, Type
from stateglass.source import Span


class Symbols(Protocol):
    """Names and types of the translation unit at hand."""

    types: TypeTable
    volatile_is_input: bool
    ptrdiff_type: Int
    big_endian: bool

    def variable(self, cursor: Cursor) -> Global: ...

    def function(self, cursor: Cursor) -> str: ...

    def is_defined(self, cursor: Cursor) -> bool: ...

    def refusal(self, cursor: Cursor) -> str: ...

    def is_absent(self, cursor: Cursor) -> bool: ...

    def volatile_target(self, pointer: str) -> Place | None: ...

    def string(self, cursor: Cursor) -> Global: ...

    def static_literal(self, cursor: Cursor) -> Global: ...

    def text(self, text: tuple[int, ...], type: Type, span: Span) -> Global: ...

    def label_number(self, label: str) -> int: ...

    def numbered_labels(self) -> dict[str, int]: ...
