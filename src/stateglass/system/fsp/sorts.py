"""Which kinds of values there are, and which each expression has: checked before a process runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, unique
from typing import Final, assert_never, final

from stateglass.system.fsp.actions import Name, String, Truth, Value, Whole
from stateglass.system.fsp.nodes import (
    At,
    Booleans,
    Constant,
    Domain,
    Expression,
    Infix,
    Interval,
    Listed,
    Negative,
    Not,
    Operator,
    Variable,
)
from stateglass.system.fsp.printer import expression_text


@final
@unique
class Sort(Enum):
    """A kind of value; its text completes the sentence "this is …"."""

    WHOLE = "a number"
    TRUTH = "a truth value"
    STRING = "a text"
    NAME = "a name"


Note = Callable[[str, At, str], None]
"""Takes down a problem: the message, where, and advice."""
Sorts = Mapping[str, Sort]

_LOGIC: Final = frozenset({Operator.OR, Operator.AND})
_SAMENESS: Final = frozenset({Operator.EQUAL, Operator.UNEQUAL})
_ARITHMETIC: Final = frozenset(
    {Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE, Operator.REMAINDER}
)


def sort_of_value(value: Value) -> Sort:
    match value:
        case Whole():
            return Sort.WHOLE
        case Truth():
            return Sort.TRUTH
        case String():
            return Sort.STRING
        case Name():
            return Sort.NAME
        case _:
            assert_never(value)


def sort_of(expression: Expression, sorts: Sorts, note: Note) -> Sort | None:
    """The sort of an expression; nothing if that is not known because of a problem, which was noted."""
    match expression:
        case Constant(value):
            return sort_of_value(value)
        case Variable(name):
            return sorts.get(name)
        case Negative(operand):
            expect(operand, Sort.WHOLE, sorts, note)
            return Sort.WHOLE
        case Not(operand):
            expect(operand, Sort.TRUTH, sorts, note)
            return Sort.TRUTH
        case Infix(operator, left, right):
            if operator in _SAMENESS:
                found = sort_of(left, sorts, note)
                if found is None:
                    sort_of(right, sorts, note)
                else:
                    expect(right, found, sorts, note)
                return Sort.TRUTH
            operands = Sort.TRUTH if operator in _LOGIC else Sort.WHOLE
            expect(left, operands, sorts, note)
            expect(right, operands, sorts, note)
            return Sort.WHOLE if operator in _ARITHMETIC else Sort.TRUTH
        case _:
            assert_never(expression)


def expect(expression: Expression, wanted: Sort, sorts: Sorts, note: Note) -> None:
    """Notes a problem if an expression is of another sort."""
    found = sort_of(expression, sorts, note)
    if found is None or found is wanted:
        return
    text = expression_text(expression)
    if isinstance(expression, Constant) and isinstance(expression.value, Name):
        known = ", ".join(f"`{name}`" for name in sorts) or "none"
        help = f"no variable is called `{text}` here, so that it stands for itself; there are: {known}"
        note(f"`{text}` stands where {wanted.value} should", expression.at, help)
    else:
        note(f"`{text}` is {found.value}, and {wanted.value} should stand here", expression.at, "")


def sort_of_domain(domain: Domain, sorts: Sorts, note: Note) -> Sort | None:
    match domain:
        case Interval(low, high):
            expect(low, Sort.WHOLE, sorts, note)
            expect(high, Sort.WHOLE, sorts, note)
            return Sort.WHOLE
        case Booleans():
            return Sort.TRUTH
        case Listed(items):
            found = sort_of(items[0], sorts, note)
            for item in items[1:]:
                if found is not None:
                    expect(item, found, sorts, note)
            return found
        case _:
            assert_never(domain)
