"""What always holds of a program; a front end that breaks it has a bug, and says so before anyone believes it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import assert_never, final

from stateglass.program.nodes import (
    AddressOf,
    Aggregate,
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
    Binary,
    BinaryOperator,
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
    successors,
)
from stateglass.program.printer import print_expression, print_place, print_statement, print_terminator
from stateglass.program.program import Function, Program
from stateglass.program.types import (
    Array,
    Int,
    Pointer,
    Record,
    Type,
    is_scalar,
    representation,
)
from stateglass.program.walk import Node, nodes_in


@final
class InvalidProgram(Exception):
    """The front end made a program that does not fit together."""


def check_program(program: Program) -> None:
    """Raise `InvalidProgram` with everything that is wrong."""
    problems = [f"{f.name}: {p}" for f in program.functions.values() for p in _function(program, f)]
    problems += [
        f"{v.name}: initial value of {i.type} has type {i.value.type}"
        for v in program.variables.values()
        for i in v.initial
        if not _fits(i.value.type, i.type)
    ]
    if problems:
        raise InvalidProgram("\n".join(problems[:20]))


def _function(program: Program, function: Function) -> Iterator[str]:
    variables = {v.name: v.type for v in (*function.parameters, *function.locals)}
    if len(variables) != len(function.parameters) + len(function.locals):
        yield "two local variables have the same name"
    for block in function.blocks:
        for statement in block.statements:
            yield from (f"{print_statement(statement)}: {p}" for p in _statement(program, statement))
        terminator = block.terminator
        yield from (f"{print_terminator(terminator)}: {p}" for p in _terminator(function, terminator))
        for node in (*block.statements, terminator):
            for inner in nodes_in(node):
                problem = _node(program, inner, variables)
                if problem:
                    shown = print_place(inner) if isinstance(inner, Place) else print_expression(inner)
                    yield f"{shown}: {problem}"


def _fits(given: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where the other is wanted; pointers are all alike."""
    return given == wanted or (isinstance(given, Pointer) and isinstance(wanted, Pointer))


def _statement(program: Program, statement: Statement) -> Iterator[str]:
    match statement:
        case Assign(place, value):
            if not is_scalar(place.type) or not _fits(value.type, place.type):
                yield f"a {value.type} is stored in a {place.type}"
        case Copy(target, source):
            if target.type != source.type or is_scalar(target.type):
                yield f"a {source.type} is copied to a {target.type}"
        case Call(result, callee):
            if isinstance(callee, str):
                yield from _call(program, callee, result)
            elif not isinstance(callee.type, Pointer):
                yield "what is called is no pointer"
        case Input(place, _, type):
            if not _fits(type, place.type):
                yield f"an input of {type} is stored in a {place.type}"
        case Allocate(place, operand) | AllocatedSize(place, operand):
            if not is_scalar(place.type) or not is_scalar(operand.type):
                yield "this is no use of the heap"
        case CopyBytes(target, source) if not isinstance(target.type, Pointer) or not isinstance(source.type, Pointer):
            yield "what is copied is not given by pointers"
        case Apart(first, _, second) if not isinstance(first.type, Pointer) or not isinstance(second.type, Pointer):
            yield "what must not overlap is not given by pointers"
        case Clear() | CopyBytes() | Apart() | Release() | Declare() | DeclareArray() | End() | Unsupported():
            pass
        case _:
            assert_never(statement)


def _call(program: Program, name: str, result: Place | None) -> Iterator[str]:
    function = program.functions.get(name) or program.declarations.get(name)
    if function is None:
        yield "there is no such function"
    elif result is not None and not _fits(function.result, result.type):
        yield f"its result {function.result} is stored in a {result.type}"


def _terminator(function: Function, terminator: Terminator) -> Iterator[str]:
    if any(not 0 <= target < len(function.blocks) for target in successors(terminator)):
        yield "there is no such block"
    match terminator:
        case Branch(condition):
            if not is_scalar(condition.type):
                yield "the condition is no scalar"
        case Switch(value, cases):
            if not isinstance(value.type, Int):
                yield "the value is no integer"
            ranges = sorted((c.low, c.high) for c in cases)
            if any(a[1] >= b[0] for a, b in pairwise(ranges)):
                yield "cases overlap"
        case Return(value):
            if value is not None and not _fits(value.type, function.result):
                yield f"a {value.type} is returned as {function.result}"
        case Exit(code):
            if not isinstance(code.type, Int):
                yield "the exit code is no integer"
        case Jump() | Fail() | Drop():
            pass
        case _:
            assert_never(terminator)


def _node(program: Program, node: Node, variables: dict[str, Type]) -> str:
    """What is wrong with one expression or place, given that those below it are right."""
    match node:
        case Global(name, type):
            known = program.variables.get(name)
            fine = known is not None and (known.type == type or _same_array(known.type, type))
            return "" if fine else f"there is no variable {name} of type {type}"
        case Local(name, type):
            return "" if variables.get(name) == type else f"there is no local variable of type {type}"
        case Dereference(pointer):
            return "" if isinstance(pointer.type, Pointer) else "what is dereferenced is no pointer"
        case Member(base, field, offset, type, bit):
            return _member(program, base, field, offset, type, bit)
        case Element(base, index, type):
            fine = isinstance(base.type, Array) and base.type.element == type and not isinstance(index.type, Pointer)
            return "" if fine else f"a {base.type} is indexed by a {index.type} to give a {type}"
        case Constant(value, type):
            plain = representation(type)
            return "" if plain.low <= value <= plain.high else f"{value} does not fit a {type}"
        case Load(place, type) | Aggregate(place, type):
            return "" if place.type == type else f"a {place.type} is read as {type}"
        case Unary(_, operand, type):
            return "" if operand.type == type else f"the operand has type {operand.type}, not {type}"
        case Binary(operator, left, right, type):
            shift = operator in (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)
            fine = left.type == type and (right.type == type or (shift and isinstance(right.type, Int)))
            return "" if fine else f"the operands are {left.type} and {right.type}, not {type}"
        case Compare(_, left, right):
            return "" if _fits(left.type, right.type) else f"a {left.type} is compared with a {right.type}"
        case PointerAdd(pointer, index, scale):
            fine = isinstance(pointer.type, Pointer) and is_scalar(index.type) and scale > 0
            return "" if fine else "this is no pointer arithmetic"
        case PointerDifference(left, right, scale):
            fine = isinstance(left.type, Pointer) and isinstance(right.type, Pointer) and scale > 0
            return "" if fine else "this is no difference of pointers"
        case FunctionReference(name):
            known_name = name in program.functions or name in program.declarations
            return "" if known_name else "there is no such function"
        case AddressOf() | Convert() | VariadicArguments():
            return ""
        case _:
            assert_never(node)


def _same_array(whole: Type, seen: Type) -> bool:
    """`extern int a[];` shows an array without its size."""
    return isinstance(whole, Array) and isinstance(seen, Array) and whole.element == seen.element


def _member(program: Program, base: Place, field: str, offset: int, type: Type, bit: int) -> str:
    if not isinstance(base.type, Record):
        return f"{base.type} has no members"
    layout = program.records[base.type.name]
    fine = any((f.name, f.offset, f.bit, f.type) == (field, offset, bit, type) for f in layout.fields)
    return "" if fine else f"{base.type} has no member {field} of type {type} at {offset}"
