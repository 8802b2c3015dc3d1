"""Calls in tail position: nothing is left to do after them but to return what they return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stateglass.program.lines import Position
from stateglass.program.names import is_made_up
from stateglass.program.nodes import Aggregate, Assign, Call, Copy, End, Jump, Load, Local, Return, Statement
from stateglass.program.program import Function
from stateglass.program.types import VOID

Rest = tuple[Position, ...]
"""What a function still does after a call."""


def tail_calls(function: Function) -> Mapping[Position, Rest]:
    """The calls of a function after which it only returns, and what is left to do then.

    The result of such a call is returned as it is, or there is none to return.
    """
    found: dict[Position, Rest] = {}
    for number, block in enumerate(function.blocks):
        for index, statement in enumerate(block.statements):
            rest = _rest(function, number, index + 1, statement) if isinstance(statement, Call) else None
            if rest is not None:
                found[number, index] = rest
    return found


def always_returns_something(function: Function) -> bool:
    """Whether a function never ends without a value, if it should have one."""
    ends = [block.terminator for block in function.blocks]
    return function.result == VOID or all(end.value is not None for end in ends if isinstance(end, Return))


def _rest(function: Function, number: int, index: int, call: Call) -> Rest | None:
    """What follows a call, if that is nothing but passing on its result and returning."""
    holding: set[str] = set()
    if call.result is not None:
        if not isinstance(call.result, Local) or not _is_temporary(call.result):
            return None
        holding.add(call.result.name)
    rest: list[Position] = []
    seen: set[int] = set()
    while True:
        block = function.blocks[number]
        rest += [(number, n) for n in range(index, len(block.statements) + 1)]
        if not _only_moves(block.statements[index:], holding):
            return None
        match block.terminator:
            case Jump(target) if target not in seen:
                seen.add(target)
                number, index = target, 0
            case Return(None):
                return tuple(rest) if function.result == VOID else None
            case Return(Load(Local(name, type)) | Aggregate(Local(name, type))):
                same = call.result is not None and type == call.result.type == function.result
                return tuple(rest) if same and name in holding else None
            case _:
                return None


def _only_moves(statements: Sequence[Statement], holding: set[str]) -> bool:
    """Whether statements do nothing but end lives and pass on a result; notes the locals that hold it then."""
    for statement in statements:
        match statement:
            case End(local):
                holding.discard(local.name)
            case Assign(Local() as target, Load(Local(source))) | Copy(Local() as target, Local(source)):
                if source not in holding or not _is_temporary(target):
                    return False
                holding.add(target.name)
            case _:
                return False
    return True


def _is_temporary(local: Local) -> bool:
    """Whether no name of the user's stands for it, so that nobody can ask after it."""
    return is_made_up(local.name)
