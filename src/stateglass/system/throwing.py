"""Exceptions from functions without a body: code that nobody wrote makes and throws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from stateglass.program import (
    VOID,
    AddressOf,
    Array,
    Block,
    Call,
    Clear,
    Constant,
    Convert,
    Declaration,
    Dereference,
    Expression,
    Function,
    FunctionReference,
    Global,
    Int,
    Load,
    Local,
    Pointer,
    Program,
    Record,
    Return,
    Statement,
    Type,
    size_of,
)
from stateglass.program.classes import Class
from stateglass.program.exceptions import NEW_EXCEPTION, THROW, thrown_name, thrown_types
from stateglass.program.made import MADE
from stateglass.source import Code, Diagnostic, suggestion

_MADE: Final = "%made"

Thrown = tuple[str, str]
"""The type of an exception as actions have it, and the function that throws one."""


def with_throws(
    program: Program,
    can_throw: tuple[str, ...],
    known: Iterable[str],
    aliases: Mapping[str, tuple[str, ...]],
    problems: list[Diagnostic],
) -> tuple[Program, dict[str, tuple[Thrown, ...]]]:
    """The program with functions that throw, and for functions without a body what they may throw.

    `can_throw` has texts `motor.start=Jammed`; `known` are functions without a body, `aliases` names for several. What
    is wrong is added to `problems`.
    """
    types = {n: t for t in thrown_types(program.variables) if not (n := thrown_name(t)).startswith(MADE)}
    names = list(known)
    found: dict[str, dict[Thrown, None]] = {}
    functions = dict(program.functions)
    for text in can_throw:
        name, _, type = (part.strip() for part in text.partition("="))
        name = name.removeprefix("::")
        type = type.replace("::", ".").rpartition(".")[2]
        meant = (name,) if name in names else aliases.get(name, ())
        if not meant:
            help = suggestion(name, [*names, *aliases])
            message = f"`can_throw`: there is no function `{name}` without a body that is called"
            problems.append(Diagnostic(Code.UNKNOWN_NAME, message, help=help))
        if type not in types or NEW_EXCEPTION not in program.functions:
            help = suggestion(type, types) if types else "the program neither throws nor catches any"
            problems.append(Diagnostic(Code.UNKNOWN_NAME, f"`can_throw`: no exception is a `{type}` here", help=help))
            continue
        for one in meant:
            function = _thrower(program, program.declarations[one], type, types[type])
            functions[function.name] = function
            found.setdefault(one, {})[type, function.name] = None
    return replace(program, functions=functions), {name: tuple(thrown) for name, thrown in found.items()}


def _thrower(program: Program, instead: Declaration, type: str, constant: str) -> Function:
    """A function that takes what another one takes and throws: what its plain constructor makes, or zeros."""
    size = program.target.pointer_size
    anything = Pointer(VOID, size)
    made = Local(_MADE, anything)
    new = program.functions[NEW_EXCEPTION]
    described = program.variables[constant]
    owner = next(
        (c for c in program.classes.values() if c.record.replace(".", "::") == constant.partition("#")[2]), None
    )
    bytes_needed = size_of(Record(owner.record), program.records) if owner is not None else 8
    counted, info, destroy = (p.type for p in new.parameters)
    assert isinstance(counted, Int) and isinstance(info, Pointer) and isinstance(destroy, Pointer)
    address: Expression = AddressOf(Global(constant, described.type), Pointer(described.type, size, readonly=True))
    values = (Constant(bytes_needed, counted), Convert(address, info), _destructor(program, owner, destroy))
    statements: list[Statement] = [Call(made, NEW_EXCEPTION, values)]
    plain = [m for m in owner.constructors if len(program.functions.get(m.name, new).parameters) == 1] if owner else []
    held: Type = Record(owner.record) if owner is not None else Array(Int(8, signed=False), bytes_needed)
    object = Convert(Load(made, anything), Pointer(held, size))
    statements.append(Call(None, plain[0].name, (object,)) if plain else Clear(Dereference(object, held, 1)))
    statements.append(Call(None, THROW, (Load(made, anything),)))
    name = f"%{instead.name} throws {type}"
    return Function(name, VOID, instead.parameters, (made,), (Block(tuple(statements), Return(None)),))


def _destructor(program: Program, owner: Class | None, pointer: Pointer) -> Expression:
    """What destroys an exception, if there is something to do."""
    name = "" if owner is None else f"{owner.record}.~{owner.name}"
    return FunctionReference(name, pointer) if name in program.functions else Constant(0, pointer)
