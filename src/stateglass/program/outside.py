"""What functions without a body may write, as far as their declarations say.

Every analysis and every engine asks here, so that all of them assume the same of code that nobody sees.
"""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.program.program import Declaration
from stateglass.program.types import FunctionType, Pointer, Type


def written_through(declaration: Declaration, given: Sequence[Type]) -> tuple[int, ...]:
    """The numbers of the arguments of a call that a function may write through.

    For a parameter its declared type counts; an argument beyond the last parameter goes by its own type.
    """
    declared = [p.type for p in declaration.parameters]
    types = [*declared, *given[len(declared) :]][: len(given)]
    return tuple(number for number, type in enumerate(types) if may_write_through(type))


def may_write_through(type: Type) -> bool:
    """Whether somebody who has a value of a type may change what it points to."""
    return isinstance(type, Pointer) and not type.readonly and not isinstance(type.target, FunctionType)
