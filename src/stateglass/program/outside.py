"""What functions without a body may write, as far as their declarations say.

Every analysis and every engine asks here, so that all of them assume the same of code that nobody sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from stateglass.program.callgraph import statements_of
from stateglass.program.names import is_literal
from stateglass.program.nodes import (
    AddressOf,
    Aggregate,
    Call,
    Convert,
    Expression,
    FunctionReference,
    Global,
    PointerAdd,
)
from stateglass.program.program import Declaration, Program
from stateglass.program.types import FunctionType, Int, Pointer, Type
from stateglass.program.walk import base_of, nodes_in

CHARACTER_BITS: Final = 8


def written_through(declaration: Declaration, given: Sequence[Type]) -> tuple[int, ...]:
    """The numbers of the arguments of a call that a function may write through.

    For a parameter its declared type counts; an argument beyond the last parameter goes by its own type. What prints
    writes nothing but numbers, by `%n`.
    """
    declared = [p.type for p in declaration.parameters]
    further = enumerate(given[len(declared) :], len(declared))
    return (
        *(n for n, type in enumerate(declared[: len(given)]) if may_write_through(type)),
        *(n for n, t in further if may_write_through(t) and (not declaration.prints or _counts(t))),
    )


def _counts(type: Type) -> bool:
    """Whether printf could leave a number where a pointer leads."""
    return isinstance(type, Pointer) and isinstance(type.target, Int) and type.target.bits > CHARACTER_BITS


def may_write_through(type: Type) -> bool:
    """Whether somebody who has a value of a type may change what it points to."""
    return isinstance(type, Pointer) and not type.readonly and not isinstance(type.target, FunctionType)


def leads_to_characters(argument: Expression | Aggregate) -> bool:
    """Whether an argument visibly is the address of characters, and not of something that begins with them.

    `(char *)&record` and `&record.first` are one address. What is behind a variable is not seen here.
    """
    while True:
        match argument:
            case Convert(operand, type) if is_to_characters(type) and is_to_characters(operand.type):
                argument = operand
            case PointerAdd(pointer):
                argument = pointer
            case AddressOf(_, type):
                return is_to_characters(type)
            case _:
                return False


def is_to_characters(type: Type) -> bool:
    return isinstance(type, Pointer) and isinstance(type.target, Int) and type.target.bits == CHARACTER_BITS


def given_only_literals(program: Program, functions: Iterable[str]) -> set[tuple[str, int]]:
    """Functions without a body, with the numbers of arguments for which all their calls give a literal.

    Nobody may write to one: whoever takes it as `char *` was declared before there was `const`.
    """
    literals: set[tuple[str, int]] = set()
    others: set[tuple[str, int]] = set()
    pointed: set[str] = set()
    for name in functions:
        for statement in statements_of(program.functions[name].blocks):
            pointed |= {node.name for node in nodes_in(statement) if isinstance(node, FunctionReference)}
            if isinstance(statement, Call) and isinstance(statement.callee, str):
                for number, argument in enumerate(statement.arguments):
                    (literals if _is_literal(argument, program) else others).add((statement.callee, number))
    return {pair for pair in literals - others if pair[0] not in pointed}


def _is_literal(argument: Expression | Aggregate, program: Program) -> bool:
    while isinstance(argument, Convert):
        argument = argument.operand
    if not isinstance(argument, AddressOf):
        return False
    base = base_of(argument.place)
    return isinstance(base, Global) and is_literal(base.name) and program.variables[base.name].readonly
