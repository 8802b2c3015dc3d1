"""Local variables that claims ask for: each gets a variable beside it that lives on and is never read by code.

It is set whenever the local one is, and holds what that held last. Before that it has the constant that the function
begins with, as in `int x = 0;`, or no value. So claims may ask for `f::x` as they do for a static local, and what the
code does stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import final

from stateglass.program import (
    AddressOf,
    Assign,
    Block,
    Call,
    Constant,
    Declare,
    Function,
    Global,
    Initial,
    Input,
    Load,
    Local,
    Program,
    Statement,
    Variable,
    is_scalar,
)
from stateglass.program.names import is_nameless, spelled
from stateglass.program.walk import base_of, nodes_in
from stateglass.source import Code, Diagnostic, InputError, Span


def with_shown_locals(program: Program, names: Collection[str], functions: Collection[str]) -> Program:
    """The program in which claims may ask for the locals among these names, as far as they are of `functions`.

    A name is that of a function with that of the variable behind it, `f::x`. An `x` alone that only one function has is
    shown too, so that whoever asks for it can be told its name. Other names are left to others.
    """
    wanted: dict[str, dict[str, Local]] = {}
    problems: list[Diagnostic] = []
    for name in sorted(names):
        for function, local in _meant(program, name, functions):
            problems += _refused(function, local)
            wanted.setdefault(function.name, {})[local.name] = local
    if problems:
        raise InputError(problems)
    if not wanted:
        return program
    variables = dict(program.variables)
    rewritten = dict(program.functions)
    for owner, locals in wanted.items():
        function = program.functions[owner]
        for local in locals.values():
            shown = _shown(function, local)
            first = _first(function, local)
            initial = () if first is None else (Initial(0, first.type, first),)
            variables[shown] = Variable(shown, local.type, initial, unwritten=first is None, span=function.span)
        rewritten[owner] = _Rewriting(function, locals).run()
    return replace(program, functions=rewritten, variables=variables)


def _meant(program: Program, name: str, functions: Collection[str]) -> Iterator[tuple[Function, Local]]:
    """The local variable that a name means, if it is one and nothing else is called so."""
    if name in program.variables or any(v.endswith(f"::{name}") for v in program.variables):
        return
    owner, _, own = name.rpartition("::")
    found = [
        (function, local)
        for function in (program.functions[f] for f in sorted(functions))
        if not owner or function.name == owner
        for local in (*function.parameters, *function.locals)
        if not is_nameless(local.name) and own in (local.name, spelled(local.name))
    ]
    exact = [one for one in found if one[1].name == own]
    if len(exact or found) == 1:
        yield (exact or found)[0]
    elif found:
        texts = ", ".join(f"`{_shown(function, local)}`" for function, local in found)
        raise InputError([Diagnostic(Code.AMBIGUOUS_NAME, f"`{name}` may mean {texts}", help="write one of them")])


def _shown(function: Function, local: Local) -> str:
    return f"{function.name}::{local.name}"


def _first(function: Function, local: Local) -> Constant | None:
    """The constant that a function sets a local variable to when it begins, before it does anything else with it."""
    for statement in function.blocks[0].statements:
        match statement:
            case Assign(Local() as target, Constant() as value) if target == local:
                return value
            case Assign(Local(), Constant()) | Declare():
                pass
            case _:
                return None
    return None


def _refused(function: Function, local: Local) -> Iterator[Diagnostic]:
    name = _shown(function, local)
    if not is_scalar(local.type):
        message = f"`{name}` is asked for, and it is no number"
        yield Diagnostic(Code.UNSUPPORTED, message, function.span, help="make it static, or ask for something else")
    elif any(
        isinstance(node, AddressOf) and base_of(node.place) == local
        for block in function.blocks
        for statement in (*block.statements, block.terminator)
        for node in nodes_in(statement)
    ):
        message = f"`{name}` is asked for, and pointers lead to it"
        help = "make it static, or copy it to a variable that no pointer leads to, and ask for that"
        yield Diagnostic(Code.UNSUPPORTED, message, function.span, help=help)


@final
class _Rewriting:
    """One function."""

    def __init__(self, function: Function, locals: Mapping[str, Local]) -> None:
        self._function = function
        self._locals = locals

    def run(self) -> Function:
        given = [
            self._noted(parameter, self._function.span)
            for parameter in self._function.parameters
            if parameter.name in self._locals
        ]
        blocks = [Block(tuple(self._statements(block)), block.terminator) for block in self._function.blocks]
        # Nothing of a parameter changes where a loop leads back to the beginning.
        blocks[0] = replace(blocks[0], statements=(*given, *blocks[0].statements))
        return replace(self._function, blocks=tuple(blocks))

    def _statements(self, block: Block) -> Iterator[Statement]:
        for statement in block.statements:
            yield statement
            match statement:
                case Assign(Local() as local) | Input(Local() as local) | Call(Local() as local):
                    if local.name in self._locals:
                        yield self._noted(local, statement.span)
                case _:
                    pass

    def _noted(self, local: Local, span: Span) -> Statement:
        assert is_scalar(local.type)
        shown = Global(_shown(self._function, local), local.type)
        return Assign(shown, Load(local, local.type), span)
