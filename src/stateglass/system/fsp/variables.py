"""Which variables a node needs from around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from stateglass.system.fsp.nodes import (
    Binding,
    Booleans,
    Choice,
    Constant,
    Domain,
    Error,
    Expression,
    Guarded,
    Infix,
    Interval,
    Listed,
    Negative,
    Not,
    Prefix,
    Reference,
    Stop,
    Term,
    Variable,
)


def free_variables(term: Term) -> frozenset[str]:
    """The variables in a term that it does not bind itself."""
    match term:
        case Prefix(patterns, then):
            bound: set[str] = set()
            needed: set[str] = set()
            for pattern in patterns:
                for argument in pattern.arguments:
                    needed |= needed_by(argument) - bound
                    if isinstance(argument, Binding):
                        bound.add(argument.name)
            return frozenset(needed | (free_variables(then) - bound))
        case Choice(options):
            return frozenset[str]().union(*map(free_variables, options))
        case Guarded(condition, guarded):
            return needed_by(condition) | free_variables(guarded)
        case Reference(_, arguments):
            return frozenset[str]().union(*map(needed_by, arguments))
        case Stop() | Error():
            return frozenset()
        case _:
            assert_never(term)


def needed_by(argument: Expression | Binding) -> frozenset[str]:
    """The variables in an argument; those of a binding are in its domain."""
    expressions = expressions_in(argument.domain) if isinstance(argument, Binding) else (argument,)
    return frozenset(v.name for e in expressions for v in variables_in(e))


def expressions_in(domain: Domain) -> tuple[Expression, ...]:
    match domain:
        case Interval(low, high):
            return (low, high)
        case Booleans():
            return ()
        case Listed(items):
            return items
        case _:
            assert_never(domain)


def variables_in(expression: Expression) -> Iterator[Variable]:
    match expression:
        case Variable():
            yield expression
        case Constant():
            pass
        case Negative(operand) | Not(operand):
            yield from variables_in(operand)
        case Infix(_, left, right):
            yield from variables_in(left)
            yield from variables_in(right)
        case _:
            assert_never(expression)
