"""Walks over the nodes below a statement or terminator; one place for everyone who asks what occurs in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

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
    """What a statement or terminator evaluates; of a place it stores to, see `stored_by`."""
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


def stored_by(node: Statement | Terminator) -> Place | None:
    """The place a statement changes."""
    match node:
        case Assign(place) | Clear(place) | Input(place) | Allocate(place) | AllocatedSize(place):
            return place
        case Copy(target):
            return target
        case Call(result):
            return result
        case _:
            return None


def nodes_in(node: Statement | Terminator) -> Iterator[Node]:
    """Every expression and place in a statement or terminator."""
    for top in read_by(node):
        yield from everything_below(top)
    place = stored_by(node)
    if place is not None:
        yield from everything_below(place)


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
