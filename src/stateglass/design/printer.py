"""The action language and what surrounds it in statecharts as text in the manner of C, with few parentheses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from stateglass.design.actions import (
    Assign,
    Begin,
    Block,
    Constant,
    End,
    Expression,
    If,
    Name,
    Operation,
    Repeat,
    Statement,
)
from stateglass.design.components import Passing, Pin, Transition, Trigger
from stateglass.logic.expressions import BINDING, TIGHTEST
from stateglass.logic.predicates import Operator

STEP: Final = "    "
"""So far what is inside of something is set in."""


def expression_text(expression: Expression) -> str:
    """`data + 1 < max`"""
    return _text(expression, 0)


def _text(expression: Expression, binding: int) -> str:
    match expression:
        case Constant(value, text=text):
            written = text or str(value)
            return f"({written})" if written.startswith("-") and binding else written
        case Name(name, owner=owner):
            return f"{owner}.{name}" if owner else name
        case Operation(operator, (operand,)):
            written = _text(operand, TIGHTEST + 1)
            # `- -x` is no `--x`.
            gap = " " if operator is Operator.MINUS and written.startswith("-") else ""
            return f"{operator.value}{gap}{written}"
        case Operation(operator, (left, right)):
            level = BINDING[operator]
            written = f"{_text(left, level)} {operator.value} {_text(right, level + 1)}"
            return f"({written})" if level < binding else written
        case Operation():
            raise AssertionError(expression)
        case other:
            assert_never(other)


def block_lines(block: Block) -> Iterator[str]:
    """The lines of what is in a block."""
    for one in block.statements:
        yield from statement_lines(one)


def statement_lines(statement: Statement) -> Iterator[str]:
    """The lines of a statement; a block has braces."""
    match statement:
        case Assign(target, value):
            yield f"{expression_text(target)} = {expression_text(value)};"
        case Begin(pin, arguments):
            yield f"^{pin}({_listed(arguments)});"
        case End(pin, arguments):
            yield f"${pin}({_listed(arguments)});"
        case If(condition, then, otherwise):
            yield f"if ({expression_text(condition)}) {{"
            yield from _inside(then)
            match otherwise.statements:
                case ():
                    yield "}"
                case (If() as further,):
                    first, *others = statement_lines(further)
                    yield from (f"}} else {first}", *others)
                case _:
                    yield from ("} else {", *_inside(otherwise), "}")
        case Repeat(condition, body):
            yield from (f"while ({expression_text(condition)}) {{", *_inside(body), "}")
        case Block():
            yield from ("{", *_inside(statement), "}")
        case other:
            assert_never(other)


def _inside(block: Block) -> Iterator[str]:
    return (STEP + line for line in block_lines(block))


def trigger_text(trigger: Trigger) -> str:
    """`^in(x)`, without the parentheses if there is nothing in them."""
    names = f"({', '.join(trigger.names)})" if trigger.names else ""
    return f"{'$' if trigger.is_end else '^'}{trigger.pin}{names}"


def transition_lines(transition: Transition) -> Iterator[str]:
    """`^in(x) [x > 0] /`, and the action behind it: what stands beside an arrow in the manner of UML."""
    head = "" if transition.trigger is None else trigger_text(transition.trigger)
    if transition.guard is not None:
        head += f"{' ' if head else ''}[{expression_text(transition.guard)}]"
    action = list(block_lines(transition.action))
    if len(action) == 1:
        yield f"{head} / {action[0].removesuffix(';')}".strip()
    else:
        yield from [f"{head} /".strip()] if action else [head] if head else []
        yield from action


def pin_text(pin: Pin) -> str:
    """`close(int force) bool done`: what `^` carries, and what comes back."""
    begins, ends = ([f"{p.type.name} {p.name}" for p in pin.passed(passing)] for passing in Passing)
    return f"{pin.name}({', '.join(begins)})" + (f": {', '.join(ends)}" if ends else "")


def _listed(arguments: tuple[Expression, ...]) -> str:
    return ", ".join(map(expression_text, arguments))
