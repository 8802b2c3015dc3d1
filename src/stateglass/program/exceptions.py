"""The names that exceptions of C++ have in a program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

THROWN: Final = "__stateglass_thrown"
"""The variable that holds the exception which is on its way to a handler."""
NEW_EXCEPTION: Final = "__stateglass_new_exception"
THROW: Final = "__stateglass_throw"
RETHROW: Final = "__stateglass_rethrow"
DROP_THROWN: Final = "__stateglass_drop_thrown"
_CAUGHT: Final = "__stateglass_caught"
_TYPE: Final = "type#"


def type_constant(type: str) -> str:
    """The constant that says what a type is."""
    return _TYPE + type


def thrown_name(constant: str) -> str:
    """The type that a constant describes, without its namespaces."""
    return constant.removeprefix(_TYPE).rpartition("::")[2]


def type_of(constant: str) -> str:
    """The type that a constant describes, as C++ has it."""
    return constant.removeprefix(_TYPE)


def thrown_types(variables: Iterable[str]) -> list[str]:
    """Those of some variables that say what a type is."""
    return [name for name in variables if name.startswith(_TYPE)]


def is_of_exceptions(variable: str) -> bool:
    """Whether a variable is the library's own, for exceptions."""
    return variable in (THROWN, _CAUGHT)
