"""What runs before everything else: the program's constructors, and then what the user calls `--init`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from stateglass.program import (
    VOID,
    Aggregate,
    Block,
    Call,
    Expression,
    Function,
    Load,
    Local,
    Program,
    Record,
    Return,
    is_scalar,
)
from stateglass.source import Code, input_error

STARTING: Final = "#"
"""Ends the name of a function that calls another one after the constructors of the program."""


def _whole(parameter: Local) -> Expression | Aggregate:
    type = parameter.type
    if is_scalar(type):
        return Load(parameter, type)
    assert isinstance(type, Record)
    return Aggregate(parameter, type)


def with_constructors(program: Program, init: str | None) -> tuple[Program, str | None]:
    """The program and the function to start with: `init`, or one that calls the constructors and then `init`."""
    if not program.constructors:
        return program, init
    called = [*program.constructors, *([init] if init is not None else [])]
    for name in called:
        function = program.functions[name]
        if (function.parameters and name != init) or (name == init and function.result != VOID):
            others = ", ".join(f"`{n}`" for n in program.constructors)
            message = f"`{name}` must return nothing where {others} run before it"
            raise input_error(Code.USAGE, message, function.span)
    name = init or "constructors"
    while name in program.functions or name in program.declarations:
        name += STARTING
    span = program.functions[called[0]].span
    taken = program.functions[init].parameters if init is not None else ()
    passed = tuple(_whole(p) for p in taken)
    block = Block(
        tuple(Call(None, n, passed if n == init else (), program.functions[n].span) for n in called),
        Return(None, span),
    )
    start = Function(name, VOID, taken, (), (block,), span=span)
    return replace(program, functions={**program.functions, name: start}), name
