"""Which functions may throw: behind a call of another one, nobody has to look whether it did."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from stateglass.program import Block, Branch, Call, Function, Global, Jump, Load, Terminator, successors
from stateglass.program.callgraph import statements_of
from stateglass.program.exceptions import RETHROW, THROW, THROWN
from stateglass.program.nodes import redirected
from stateglass.program.walk import nodes_in

_THROWERS: Final = frozenset({THROW, RETHROW})


def without_needless_checks(functions: Mapping[str, Function], outside: Collection[str]) -> dict[str, Function]:
    """The functions without a look for exceptions that cannot be; `outside` have no body and may throw."""
    may_throw = _may_throw(functions, frozenset(outside))
    return {name: _simplified(f, may_throw) for name, f in functions.items()}


def _may_throw(functions: Mapping[str, Function], outside: frozenset[str]) -> frozenset[str]:
    callers: dict[str, set[str]] = {}
    found = set(outside | _THROWERS)
    for name, function in functions.items():
        for block in function.blocks:
            for statement in block.statements:
                if isinstance(statement, Call):
                    if isinstance(statement.callee, str):
                        callers.setdefault(statement.callee, set()).add(name)
                    else:
                        found.add(name)  # whatever it leads to
    todo = list(found)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in found:
                found.add(caller)
                todo.append(caller)
    return frozenset(found)


def _simplified(function: Function, may_throw: frozenset[str]) -> Function:
    if not any(_is_check(b.terminator) for b in function.blocks):
        return function
    blocks = [replace(b, terminator=_terminator(b, may_throw)) for b in function.blocks]
    numbers: dict[int, int] = {}
    todo = [0]
    while todo:
        block = todo.pop()
        if block not in numbers:
            numbers[block] = len(numbers)
            todo.extend(reversed(successors(blocks[block].terminator)))
    kept = tuple(replace(blocks[n], terminator=redirected(blocks[n].terminator, numbers.__getitem__)) for n in numbers)
    return replace(function, blocks=kept)


def _terminator(block: Block, may_throw: frozenset[str]) -> Terminator:
    terminator = block.terminator
    if not _is_check(terminator) or not block.statements:
        return terminator
    assert isinstance(terminator, Branch)
    call = block.statements[-1]
    quiet = isinstance(call, Call) and isinstance(call.callee, str) and call.callee not in may_throw
    return Jump(terminator.other, terminator.span) if quiet else terminator


def uses_exceptions(function: Function) -> bool:
    """Whether a function throws, or looks for what is thrown."""
    for statement in statements_of(function.blocks):
        if isinstance(statement, Call) and statement.callee == THROW:
            return True
        if any(isinstance(node, Global) and node.name == THROWN for node in nodes_in(statement)):
            return True
    return False


def _is_check(terminator: Terminator) -> bool:
    match terminator:
        case Branch(Load(Global(name))):
            return name == THROWN
        case _:
            return False
