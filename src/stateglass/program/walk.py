"""Walks over the nodes below a statement or terminator; one place for everyone who asks what occurs in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.program.nodes import (
    AddressOf,
    Aggregate,
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
    Binary,
    Branch,
    Call,
    Clear,
    Compare,
    Constant,
    Convert,
    Copy,
    CopyBytes,
    Declare,
    DeclareArray,
    Dereference,
    Drop,
    Element,
    End,
    Exit,
    Expression,
    Fail,
    FunctionReference,
    Global,
    Input,
    Jump,
    Load,
    Local,
    Member,
    Place,
    PointerAdd,
    PointerDifference,
    Release,
    Return,
    Statement,
    Switch,
    Terminator,
    Unary,
    Unsupported,
    VariadicArguments,
)

Node = Expression | Aggregate | Place
LEAVES: Final = (Constant, FunctionReference, VariadicArguments, Global, Local)


@final
@dataclass(frozen=True, slots=True)
class Bytes:
    """So many bytes from where a pointer leads, whatever lies there."""

    pointer: Expression
    count: Expression


Stretch = Place | Bytes
"""A part of memory, by its name or by a pointer to it."""


def operands(node: Node) -> tuple[Node, ...]:
    """The nodes directly below an expression or place, in evaluation order."""
    if isinstance(node, LEAVES):
        return ()
    # What there is most of comes first.
    match node:
        case Load(place) | AddressOf(place) | Aggregate(place):
            return (place,)
        case Binary(_, left, right) | Compare(_, left, right) | PointerDifference(left, right):
            return (left, right)
        case Unary(_, operand) | Convert(operand):
            return (operand,)
        case PointerAdd(pointer, index):
            return (pointer, index)
        case Dereference(pointer):
            return (pointer,)
        case Member(base):
            return (base,)
        case Element(base, index):
            return (base, index)
        case _:
            assert_never(node)


def everything_below(node: Node) -> Iterator[Node]:
    """The node itself and all nodes below it."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        if not isinstance(top, LEAVES):
            stack.extend(reversed(operands(top)))


def read_by(node: Statement | Terminator) -> tuple[Node, ...]:
    """What a statement or terminator evaluates; of what it stores to, see `written_by`."""
    match node:
        case Assign(_, value):
            return (value,)
        case Copy(_, source):
            return (source,)
        case CopyBytes(target, source, count):
            return (target, source, count)
        case Apart(first, first_count, second, second_count):
            return (first, first_count, second, second_count)
        case Allocate(_, operand) | AllocatedSize(_, operand) | DeclareArray(_, operand) | Release(operand):
            return (operand,)
        case Call(_, callee, arguments):
            return (*arguments,) if isinstance(callee, str) else (callee, *arguments)
        case Branch(condition):
            return (condition,)
        case Switch(value):
            return (value,)
        case Return(value):
            return () if value is None else (value,)
        case Exit(code):
            return (code,)
        case Clear() | Input() | Declare() | End() | Unsupported() | Jump() | Fail() | Drop():
            return ()
        case _:
            assert_never(node)


def written_by(node: Statement | Terminator) -> tuple[Stretch, ...]:
    """What a statement changes; of a call, where its result goes. That an object begins or ends to be is no change."""
    match node:
        case Assign(place) | Clear(place) | Input(place) | Allocate(place) | AllocatedSize(place):
            return (place,)
        case Copy(target):
            return (target,)
        case CopyBytes(target, _, count):
            return (Bytes(target, count),)
        case Call(result):
            return () if result is None else (result,)
        case Declare() | DeclareArray() | End() | Release() | Apart() | Unsupported():
            return ()
        case Jump() | Branch() | Switch() | Return() | Exit() | Fail() | Drop():
            return ()
        case _:
            assert_never(node)


def stored_by(node: Statement | Terminator) -> tuple[Place, ...]:
    """The places among these: what is changed through a pointer alone has no name."""
    return tuple(written for written in written_by(node) if not isinstance(written, Bytes))


def copied_by(node: Statement | Terminator) -> tuple[Stretch, ...]:
    """What a statement reads as it is, beside what the expressions in it load."""
    match node:
        case Copy(_, source):
            return (source,)
        case CopyBytes(_, source, count):
            return (Bytes(source, count),)
        case Assign() | Clear() | Input() | Allocate() | AllocatedSize() | Release() | Call():
            return ()
        case Declare() | DeclareArray() | End() | Apart() | Unsupported():
            return ()
        case Jump() | Branch() | Switch() | Return() | Exit() | Fail() | Drop():
            return ()
        case _:
            assert_never(node)


def called_by(node: Statement | Terminator) -> str | Expression | None:
    """The function that a statement runs, by its name or as a pointer to it."""
    match node:
        case Call(_, callee):
            return callee
        case Assign() | Copy() | CopyBytes() | Clear() | Input() | Allocate() | AllocatedSize() | Release():
            return None
        case Declare() | DeclareArray() | End() | Apart() | Unsupported():
            return None
        case Jump() | Branch() | Switch() | Return() | Exit() | Fail() | Drop():
            return None
        case _:
            assert_never(node)


def nodes_in(node: Statement | Terminator) -> Iterator[Node]:
    """Every expression and place in a statement or terminator."""
    for top in (*read_by(node), *stored_by(node)):
        yield from everything_below(top)


def base_of(place: Place) -> Global | Local | Dereference:
    """The variable or dereference that a member or element is part of."""
    while isinstance(place, Member | Element):
        place = place.base
    return place


def addressed_locals(nodes: Iterator[Statement | Terminator]) -> set[str]:
    """Locals whose address is taken."""
    names: set[str] = set()
    for node in nodes:
        for inner in nodes_in(node):
            if isinstance(inner, AddressOf):
                base = base_of(inner.place)
                if isinstance(base, Local):
                    names.add(base.name)
    return names
