"""Processes as text that reads back as the same process."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, assert_never

from stateglass.system.fsp.actions import Kind, String, Value
from stateglass.system.fsp.nodes import (
    Binding,
    Booleans,
    Choice,
    Constant,
    Definition,
    Domain,
    Error,
    Expression,
    Guarded,
    Infix,
    Interval,
    Listed,
    Negative,
    Not,
    Operator,
    Pattern,
    Prefix,
    Process,
    Reference,
    Stop,
    Term,
    Variable,
)
from stateglass.system.fsp.words import EVENT_NAME, RESERVED

_LEVELS: Final[tuple[frozenset[Operator], ...]] = (
    frozenset({Operator.OR}),
    frozenset({Operator.AND}),
    frozenset({Operator.EQUAL, Operator.UNEQUAL}),
    frozenset({Operator.LESS, Operator.LESS_EQUAL, Operator.GREATER, Operator.GREATER_EQUAL}),
    frozenset({Operator.ADD, Operator.SUBTRACT}),
    frozenset({Operator.MULTIPLY, Operator.DIVIDE, Operator.REMAINDER}),
)
_LEVEL: Final = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_ADDITION: Final = _LEVEL[Operator.ADD]
_UNARY: Final = len(_LEVELS)
assert _LEVEL.keys() == set(Operator)


def process_text(process: Process) -> str:
    """One line for each definition."""
    lines = [_definition(d) for d in process.definitions]
    if process.parameters:
        parameters = ", ".join(f"{p.name} = {p.default}" for p in process.parameters)
        lines[0] = f"{process.name}({parameters}){lines[0].removeprefix(process.name)}"
    return ",\n".join(lines) + ".\n"


def _definition(definition: Definition) -> str:
    indices = "".join(f"[{_argument(index)}]" for index in definition.indices)
    return f"{definition.name}{indices} = {term_text(definition.term)}"


def term_text(term: Term) -> str:
    match term:
        case Prefix() | Choice() | Guarded():
            return f"({_bare(term)})"
        case Reference(name, arguments):
            return name + "".join(f"[{expression_text(a)}]" for a in arguments)
        case Stop():
            return "STOP"
        case Error():
            return "ERROR"
        case _:
            assert_never(term)


def _bare(term: Term) -> str:
    match term:
        case Prefix(patterns, then):
            rest = _bare(then) if isinstance(then, Prefix) else term_text(then)
            return f"{_patterns(patterns)} -> {rest}"
        case Choice(options):
            return " | ".join(term_text(o) if isinstance(o, Choice) else _bare(o) for o in options)
        case Guarded(condition, guarded):
            rest = term_text(guarded) if isinstance(guarded, Choice) else _bare(guarded)
            return f"when ({expression_text(condition)}) {rest}"
        case Reference() | Stop() | Error():
            return term_text(term)
        case _:
            assert_never(term)


def _patterns(patterns: tuple[Pattern, ...]) -> str:
    texts = [pattern_text(p) for p in patterns]
    return texts[0] if len(texts) == 1 else "{" + ", ".join(texts) + "}"


def pattern_text(pattern: Pattern) -> str:
    arguments = ", ".join(_argument(a) for a in pattern.arguments)
    if pattern.kind is Kind.EVENT:
        plain = re.fullmatch(EVENT_NAME, pattern.name) is not None and pattern.name not in RESERVED
        name = pattern.name if plain else str(String(pattern.name))
        return f"{name}({arguments})" if arguments else name
    if not pattern.name:
        return f"{pattern.kind.value} {{$0 == {arguments}}}" if arguments else f"{pattern.kind.value} {{}}"
    return f"{pattern.kind.value}({pattern.name}{', ' if arguments else ''}{arguments})"


def reference_text(name: str, values: Iterable[Value]) -> str:
    return name + "".join(f"[{value}]" for value in values)


def _argument(argument: Expression | Binding) -> str:
    if isinstance(argument, Binding):
        return f"{argument.name}:{domain_text(argument.domain)}"
    return expression_text(argument)


def domain_text(domain: Domain) -> str:
    match domain:
        case Interval(low, high):
            return f"{expression_text(low, _ADDITION)}..{expression_text(high, _ADDITION)}"
        case Booleans():
            return "bool"
        case Listed(items):
            return "{" + ", ".join(map(expression_text, items)) + "}"
        case _:
            assert_never(domain)


def expression_text(expression: Expression, level: int = 0) -> str:
    """In parentheses if it binds weaker than `level`."""
    match expression:
        case Constant(value):
            return str(value)
        case Variable(name):
            return name
        case Negative(operand):
            return f"-{expression_text(operand, _UNARY)}"
        case Not(operand):
            return f"!{expression_text(operand, _UNARY)}"
        case Infix(operator, left, right):
            own = _LEVEL[operator]
            text = f"{expression_text(left, own)} {operator.value} {expression_text(right, own + 1)}"
            return f"({text})" if own < level else text
        case _:
            assert_never(expression)
