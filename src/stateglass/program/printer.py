"""Programs as stable text, for golden tests and for people who want to see what was understood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from stateglass.program.floats import float_text
from stateglass.program.nodes import (
    AddressOf,
    Aggregate,
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
    Binary,
    Block,
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
from stateglass.program.program import Function, Program, Variable
from stateglass.program.types import VOID, Float
from stateglass.source import Span


def print_program(program: Program, *, spans: bool = False) -> str:
    """The whole program; with `spans`, each statement is followed by its line, and that of its macro."""
    return "\n".join(_program(program, spans)) + "\n"


def _program(program: Program, spans: bool) -> Iterator[str]:
    for record in program.records.values():
        kind = "union" if record.union else "struct"
        yield f"{kind} {record.name} size {record.size} align {record.alignment}"
        if record.unsupported:
            yield f"  unsupported: {record.unsupported}"
        for f in record.fields:
            yield f"  {_position(8 * f.offset + f.bit)}: {f.name or '(unnamed)'} {f.type}"
    for enum in program.enums.values():
        yield f"enum {enum.name} {{ " + ", ".join(f"{n} = {v}" for n, v in enum.members) + " }"
    for variable in program.variables.values():
        yield from _variable(variable)
    for declaration in program.declarations.values():
        parameters = [f"{p.name}: {p.type}" for p in declaration.parameters] + ["..."] * declaration.variadic
        yield f"declare {declaration.name}({', '.join(parameters)}) -> {declaration.result}"
    for function in program.functions.values():
        yield from print_function(function, spans)


def _position(bits: int) -> str:
    """Bytes, and bits behind a point if there are any."""
    return f"{bits // 8}.{bits % 8}" if bits % 8 else f"{bits // 8}"


def _variable(variable: Variable) -> Iterator[str]:
    words = [
        "volatile" if variable.volatile else "",
        "const" if variable.readonly else "",
        "unwritten" if variable.unwritten else "",
        "literal" if variable.literal else "global" if variable.defined else "extern",
        f"{variable.name}: {variable.type}",
        "" if variable.address is None else f"at {variable.address:#x}",
    ]
    yield " ".join(w for w in words if w)
    if variable.unsupported:
        yield f"  unsupported: {variable.unsupported}"
    for initial in variable.initial:
        yield f"  {_position(initial.position)}: {initial.type} = {print_expression(initial.value)}"


def print_function(function: Function, spans: bool = False) -> Iterator[str]:
    parameters = [f"{p.name}: {p.type}" for p in function.parameters] + ["..."] * function.variadic
    result = "" if function.result == VOID else f" -> {function.result}"
    yield f"function {function.name}({', '.join(parameters)}){result}"
    for local in function.locals:
        yield f"  local {local.name}: {local.type}"
    for number, block in enumerate(function.blocks):
        yield f"  {number}:"
        yield from (f"    {line}" for line in _block(block, spans))


def _block(block: Block, spans: bool) -> Iterator[str]:
    for statement in block.statements:
        yield _with_span(print_statement(statement), statement.span, spans)
    yield _with_span(print_terminator(block.terminator), block.terminator.span, spans)


def _with_span(text: str, span: Span, spans: bool) -> str:
    if not spans or not span.line:
        return text
    defined = f" (macro @{span.defined.line})" if span.defined is not None else ""
    return f"{text}  @{span.line}{defined}"


def print_statement(statement: Statement) -> str:
    match statement:
        case Assign(place, value):
            return f"{print_place(place)} = {print_expression(value)}"
        case Copy(target, source):
            return f"copy {print_place(target)} = {print_place(source)}"
        case Clear(place):
            return f"clear {print_place(place)}"
        case Call(result, callee, arguments):
            callee_text = callee if isinstance(callee, str) else f"(*{print_expression(callee)})"
            receiver = f"{print_place(result)} = " if result is not None else ""
            return f"{receiver}call {callee_text}({', '.join(print_expression(a) for a in arguments)})"
        case Input(place, name, type):
            return f"{print_place(place)} = input {name}: {type}"
        case CopyBytes(target, source, count, apart):
            parts = ", ".join(print_expression(e) for e in (target, source, count))
            return f"copy bytes{' apart' if apart else ''}({parts})"
        case Apart(first, first_count, second, second_count):
            parts = ", ".join(print_expression(e) for e in (first, first_count, second, second_count))
            return f"apart({parts})"
        case Allocate(place, size):
            return f"{print_place(place)} = allocate {print_expression(size)}"
        case AllocatedSize(place, pointer):
            return f"{print_place(place)} = size of heap object {print_expression(pointer)}"
        case Release(pointer):
            return f"release {print_expression(pointer)}"
        case Declare(local):
            return f"declare {local.name}"
        case DeclareArray(local, count):
            return f"declare {local.name}[{print_expression(count)}]"
        case End(local):
            return f"end {local.name}"
        case Unsupported(reason):
            return f"unsupported: {reason}"
        case _:
            assert_never(statement)


def print_terminator(terminator: Terminator) -> str:
    match terminator:
        case Jump(target):
            return f"jump {target}"
        case Branch(condition, then, other):
            return f"branch {print_expression(condition)} ? {then} : {other}"
        case Switch(value, cases, default):
            arms = [(f"{c.low}" if c.low == c.high else f"{c.low}..{c.high}") + f": {c.target}" for c in cases]
            return f"switch {print_expression(value)} {{ {', '.join([*arms, f'default: {default}'])} }}"
        case Return(value):
            return "return" if value is None else f"return {print_expression(value)}"
        case Exit(code):
            return f"exit {print_expression(code)}"
        case Fail(kind):
            return f"fail {kind}"
        case Drop():
            return "drop"
        case _:
            assert_never(terminator)


def print_place(place: Place) -> str:
    match place:
        case Global(name):
            return f"::{name}"
        case Local(name):
            return name
        case Dereference(pointer):
            return f"*{print_expression(pointer)}"
        case Member(base, field):
            # A part of an unnamed struct or union is named as if that were not there.
            return f"{_base(base)}.{field}" if field else _base(base)
        case Element(base, index):
            return f"{_base(base)}[{print_expression(index)}]"
        case _:
            assert_never(place)


def _base(place: Place) -> str:
    return f"({print_place(place)})" if isinstance(place, Dereference) else print_place(place)


def print_expression(expression: Expression | Aggregate) -> str:
    match expression:
        case Constant(value, type):
            return float_text(value, type.format) if isinstance(type, Float) else str(value)
        case Load(place) | Aggregate(place):
            return print_place(place)
        case AddressOf(place):
            return f"&{print_place(place)}"
        case VariadicArguments():
            return "&..."
        case FunctionReference(name):
            return f"&{name}"
        case Unary(operator, operand):
            return f"{operator.value}{print_expression(operand)}"
        case Binary(operator, left, right, type):
            return f"({print_expression(left)} {operator.value}.{type} {print_expression(right)})"
        case Compare(operator, left, right):
            return f"({print_expression(left)} {operator.value} {print_expression(right)})"
        case Convert(operand, type):
            return f"{type}({print_expression(operand)})"
        case PointerAdd(pointer, index, scale):
            return f"({print_expression(pointer)} + {scale} * {print_expression(index)})"
        case PointerDifference(left, right, scale):
            return f"(({print_expression(left)} - {print_expression(right)}) / {scale})"
        case _:
            assert_never(expression)
