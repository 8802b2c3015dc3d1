"""Code with some of its places and expressions replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

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

Change = Callable[[Expression], Expression]
"""What becomes of an expression whose operands have been changed already."""


def changed_place(place: Place, change: Change) -> Place:
    """A place with the expressions changed that lead to it."""
    match place:
        case Global() | Local():
            return place
        case Dereference(pointer):
            return replace(place, pointer=changed(pointer, change))
        case Member(base):
            return replace(place, base=changed_place(base, change))
        case Element(base, index):
            return replace(place, base=changed_place(base, change), index=changed(index, change))
        case _:
            assert_never(place)


def changed(expression: Expression, change: Change) -> Expression:
    """An expression changed from below, in the order in which it is evaluated."""
    match expression:
        case Constant() | FunctionReference() | VariadicArguments():
            return change(expression)
        case Load(place) | AddressOf(place):
            return change(replace(expression, place=changed_place(place, change)))
        case Binary(_, left, right) | Compare(_, left, right) | PointerDifference(left, right):
            return change(replace(expression, left=changed(left, change), right=changed(right, change)))
        case Unary(_, operand) | Convert(operand):
            return change(replace(expression, operand=changed(operand, change)))
        case PointerAdd(pointer, index):
            return change(replace(expression, pointer=changed(pointer, change), index=changed(index, change)))
        case _:
            assert_never(expression)


def changed_statement(statement: Statement, change: Change) -> Statement:
    """A statement with its expressions changed."""

    def one(expression: Expression) -> Expression:
        return changed(expression, change)

    match statement:
        case Assign(place, value):
            return replace(statement, value=one(value), place=changed_place(place, change))
        case Copy(target, source):
            return replace(statement, source=changed_place(source, change), target=changed_place(target, change))
        case CopyBytes(to, begin, count):
            return replace(statement, target=one(to), source=one(begin), count=one(count))
        case Clear(place) | Input(place):
            return replace(statement, place=changed_place(place, change))
        case Allocate(place, size):
            return replace(statement, size=one(size), place=changed_place(place, change))
        case AllocatedSize(place, pointer):
            return replace(statement, pointer=one(pointer), place=changed_place(place, change))
        case Release(pointer):
            return replace(statement, pointer=one(pointer))
        case Apart(first, first_count, second, second_count):
            return Apart(one(first), one(first_count), one(second), one(second_count), statement.span)
        case Call(result, callee, arguments):
            called = callee if isinstance(callee, str) else one(callee)
            given = tuple(_value(a, change) for a in arguments)
            where = None if result is None else changed_place(result, change)
            return replace(statement, callee=called, arguments=given, result=where)
        case DeclareArray(_, count):
            return replace(statement, count=one(count))
        case Declare() | End() | Unsupported():
            return statement
        case _:
            assert_never(statement)


def changed_terminator(terminator: Terminator, change: Change) -> Terminator:
    """A terminator with its expressions changed."""
    match terminator:
        case Branch(condition):
            return replace(terminator, condition=changed(condition, change))
        case Switch(value):
            return replace(terminator, value=changed(value, change))
        case Return(value):
            return terminator if value is None else replace(terminator, value=_value(value, change))
        case Exit(code):
            return replace(terminator, code=changed(code, change))
        case Jump() | Fail() | Drop():
            return terminator
        case _:
            assert_never(terminator)


def _value(value: Expression | Aggregate, change: Change) -> Expression | Aggregate:
    if isinstance(value, Aggregate):
        return replace(value, place=changed_place(value.place, change))
    return changed(value, change)
