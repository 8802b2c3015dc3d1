"""Pointers to before an object, as `container_of` makes them of the head of a list: to be compared, not to be used.

Such a pointer is a number of its own that names the object and the distance, so that it never meets another object's
address. It moves like any other, and is an ordinary one again as soon as it leads into its object.
"""

from __future__ import annotations

from typing import Final

from stateglass.program import Constant, PointerAdd, Program, Unary, UnaryOperator
from stateglass.program.walk import nodes_in

STRAY: Final = 1 << 60
_BITS: Final = 24
_MIDDLE: Final = 1 << (_BITS - 1)
MOST_ASTRAY: Final = _MIDDLE // 2
"""How many bytes before or behind its object a pointer may be."""
END: Final = STRAY + (1 << 52)
POINTER_SIZE: Final = 8
"""Smaller pointers have no room for such numbers."""


def is_stray(value: int) -> bool:
    return STRAY <= value < END


def astray(object_address: int, distance: int) -> int:
    """The pointer that is so many bytes behind the start of an object, before it if negative."""
    return STRAY + (object_address << _BITS) + distance + _MIDDLE


def taken_apart(stray: int) -> tuple[int, int]:
    """The address of the object that a stray pointer belongs to, and its distance from there."""
    address, rest = divmod(stray - STRAY, 1 << _BITS)
    return address, rest - _MIDDLE


def moved(stray: int, by: int) -> int:
    """A stray pointer whose object has moved by so many bytes."""
    return stray + (by << _BITS)


def is_container_of(node: PointerAdd) -> bool:
    """Whether bytes are moved back by a constant, as to get from a member to what it is in."""
    match node.index:
        case Unary(UnaryOperator.NEGATE, Constant(back)):
            return node.scale == 1 and 0 < back < MOST_ASTRAY
        case Constant(step):
            return node.scale == 1 and -MOST_ASTRAY < step < 0
        case _:
            return False


def may_stray(program: Program) -> bool:
    """Whether there may be stray pointers in a run of a program."""
    if program.target.pointer_size != POINTER_SIZE:
        return False
    blocks = (block for function in program.functions.values() for block in function.blocks)
    nodes = (inner for b in blocks for node in (*b.statements, b.terminator) for inner in nodes_in(node))
    return any(isinstance(node, PointerAdd) and is_container_of(node) for node in nodes)
