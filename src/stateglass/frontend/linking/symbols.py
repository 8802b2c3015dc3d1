"""What lowering asks of the program under construction."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.lowering.types import TypeTable
from stateglass.program import Expression, Function, Global, Initial, Int, Place, Type
from stateglass.source import Diagnostic, Span

if TYPE_CHECKING:
    from stateglass.frontend.cplusplus.ending import Lasting


class Symbols(Protocol):
    """Names and types of the translation unit at hand."""

    types: TypeTable
    volatile_is_input: bool
    ptrdiff_type: Int
    size_type: Int
    big_endian: bool
    int_type: Int
    captures: dict[int, Any]  # by the class of a lambda: what its members stand for
    begun_late: set[str]  # static locals whose first value is computed when control comes to them
    lasting: dict[str, Lasting]  # by name: variables that are destroyed when the program ends
    cplusplus: bool  # whether the unit at hand is

    def variable(self, cursor: Cursor) -> Global: ...

    def function(self, cursor: Cursor) -> str: ...

    def function_name(self, cursor: Cursor) -> str:
        """What a function is called, be it used or not."""

    def made(self, name: str, make: Callable[[str], Function]) -> str:
        """The name of a function that nobody wrote; it is made when it is first asked for."""

    def default_constructor(self, type: ClangType) -> str | None:
        """The constructor of a class that takes no arguments, be it declared or not; None if there is none."""

    def not_understood(self, function: Span) -> Diagnostic | None:
        """What the library does not have that a function uses."""

    def runtime_function(self, name: str, result: Type, parameters: tuple[Type, ...]) -> None:
        """Declares a function of the library that no file names."""

    def runtime_variable(self, name: str, type: Type) -> Global:
        """A variable of the library that no file names."""

    def hidden(self, name: str, type: Type) -> Global:
        """A variable that nobody wrote, which is 0 at first."""

    def end_of_program(self) -> str | None:
        """The function that is called when a C++ program ends; None if the files are no program."""

    def constant_table(self, name: str, type: Type, initial: tuple[Initial, ...]) -> Global:
        """A constant variable that nobody wrote."""

    def is_defined(self, cursor: Cursor) -> bool: ...

    def refusal(self, cursor: Cursor) -> str: ...

    def is_absent(self, cursor: Cursor) -> bool: ...

    def volatile_target(self, pointer: str) -> Place | None: ...

    def constant_pointer(self, name: str) -> Expression | None: ...

    def register(self, address: int, type: Type, name: str, span: Span) -> Global: ...

    def is_register(self, name: str) -> bool: ...

    def pass_over_assembly(self, text: str) -> None: ...

    def string(self, cursor: Cursor) -> Global: ...

    def static_literal(self, cursor: Cursor) -> Global: ...

    def text(self, text: tuple[int, ...], type: Type, span: Span) -> Global: ...

    def label_number(self, label: str) -> int: ...

    def numbered_labels(self) -> dict[str, int]: ...
