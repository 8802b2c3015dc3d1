"""Functions whose call is the error: programs of verification competitions define them, and with any body."""

from __future__ import annotations

from dataclasses import replace

from stateglass.program import Block, Branch, Constant, Fail, Function, Jump
from stateglass.program.faults import REACHED, FaultKind


def failing_if_reached(function: Function) -> Function:
    """The function; if it is one that must not be called, one that fails, with its own assertion if it has one."""
    if function.name not in REACHED or _fails(function):
        return function
    return replace(function, blocks=(Block((), Fail(FaultKind.ASSERTION.value, function.span)),), open_orders=())


def _fails(function: Function) -> bool:
    """Whether it comes to a failed assertion without a choice on the way."""
    number, seen = 0, set[int]()
    while number not in seen:
        seen.add(number)
        match function.blocks[number].terminator:
            case Fail(kind):
                return kind == FaultKind.ASSERTION.value
            case Jump(target):
                number = target
            case Branch(Constant(value), then, other):
                number = then if value else other
            case _:
                return False
    return False
