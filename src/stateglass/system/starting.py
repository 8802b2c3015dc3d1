"""What runs before everything else: the program's constructors, and then what the user calls `--init`."""

from __future__ import annotations

from dataclasses import replace

from stateglass.program import VOID, Block, Call, Function, Program, Return
from stateglass.source import Code, input_error


def with_constructors(program: Program, init: str | None) -> tuple[Program, str | None]:
    """The program and the function to start with: `init`, or one that calls the constructors and then `init`."""
    if not program.constructors:
        return program, init
    called = [*program.constructors, *([init] if init is not None else [])]
    for name in called:
        function = program.functions[name]
        if function.parameters or (name == init and function.result != VOID):
            others = ", ".join(f"`{n}`" for n in program.constructors)
            message = f"`{name}` must have no parameters and return nothing where {others} run before it"
            raise input_error(Code.USAGE, message, function.span)
    name = "constructors"
    while name in program.functions or name in program.declarations:
        name += "#"
    span = program.functions[called[0]].span
    block = Block(tuple(Call(None, n, (), program.functions[n].span) for n in called), Return(None, span))
    start = Function(name, VOID, (), (), (block,), span=span)
    return replace(program, functions={**program.functions, name: start}), name
