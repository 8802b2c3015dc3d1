"""Where values go: from the code that has them to the variables that get them, through calls as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never, final

from stateglass.program import (
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
    Branch,
    Call,
    Clear,
    Copy,
    CopyBytes,
    Declare,
    DeclareArray,
    Drop,
    End,
    Exit,
    Expression,
    Fail,
    Function,
    FunctionType,
    Input,
    Jump,
    Place,
    Pointer,
    Release,
    Return,
    Switch,
    Unsupported,
)
from stateglass.program.callgraph import statements_of
from stateglass.program.walk import Node


@final
@dataclass(frozen=True, slots=True)
class Origin:
    """What is stored somewhere: an expression or place of a function; None if it comes from outside."""

    function: str
    value: Node | None


@final
@dataclass(frozen=True, slots=True)
class Flow:
    """A place of a function, and one of the things that it may get."""

    function: str
    place: Place
    origin: Origin


def flows(function: Function, functions: Mapping[str, Function]) -> Iterator[Flow]:
    """Where a function puts something, in its own variables and in the parameters of those among `functions`."""
    name = function.name
    for statement in statements_of(function.blocks):
        match statement:
            case Assign(place, value):
                yield Flow(name, place, Origin(name, value))
            case Copy(place, source):
                yield Flow(name, place, Origin(name, source))
            case Allocate(place):
                yield Flow(name, place, Origin(name, None))
            case Call(result, callee, arguments):
                called = list(_called(callee, functions))
                for each in called:
                    for parameter, given in zip(each.parameters, arguments, strict=False):
                        yield Flow(each.name, parameter, Origin(name, given))
                    if result is not None:
                        yield from (Flow(name, result, origin) for origin in _returned(each))
                # A pointer may lead to functions besides those that are known.
                if result is not None and not (called and isinstance(callee, str)):
                    yield Flow(name, result, Origin(name, None))
            case Clear() | Input() | AllocatedSize() | Release() | Apart() | Unsupported():
                pass  # no address is stored
            case CopyBytes() | Declare() | DeclareArray() | End():
                pass  # bytes are looked at by themselves
            case Jump() | Branch() | Switch() | Return() | Exit() | Fail() | Drop():
                pass
            case _:
                assert_never(statement)


def _called(callee: str | Expression, functions: Mapping[str, Function]) -> Iterator[Function]:
    """The functions that a call may run; through a pointer, all that take what it gives."""
    if isinstance(callee, str):
        if callee in functions:
            yield functions[callee]
    elif isinstance(callee.type, Pointer) and isinstance(callee.type.target, FunctionType):
        wanted = callee.type.target.parameters
        yield from (f for f in functions.values() if tuple(p.type for p in f.parameters) == wanted)


def _returned(function: Function) -> Iterator[Origin]:
    for statement in statements_of(function.blocks):
        if isinstance(statement, Return):
            yield Origin(function.name, statement.value)
