"""Predicates as text, in C's notation."""

from __future__ import annotations

import re
from typing import Final, assert_never

from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate, Text
from stateglass.logic.unrolling import Writing, grouped, written

NAME: Final = r"[^\W\d]\w*(?:(?:\.|::|->)~?[^\W\d]\w*|\[\d+\])*"
"""Propositions and enumerators that need no quotes."""
_PLAIN: Final = re.compile(NAME)
_WORDS: Final = frozenset(("true", "false"))

BINDING: Final = {
    Operator.MULTIPLY: 10,
    Operator.DIVIDE: 10,
    Operator.REMAINDER: 10,
    Operator.ADD: 9,
    Operator.MINUS: 9,
    Operator.SHIFT_LEFT: 8,
    Operator.SHIFT_RIGHT: 8,
    Operator.LESS: 7,
    Operator.LESS_EQUAL: 7,
    Operator.GREATER: 7,
    Operator.GREATER_EQUAL: 7,
    Operator.EQUAL: 6,
    Operator.NOT_EQUAL: 6,
    Operator.BIT_AND: 5,
    Operator.BIT_XOR: 4,
    Operator.BIT_OR: 3,
    Operator.AND_ALSO: 2,
    Operator.OR_ELSE: 1,
}
"""How tightly an operator with two operands binds, as in C; all of them group from the left."""
PREFIXES: Final = (Operator.NOT, Operator.MINUS, Operator.COMPLEMENT)
"""Operators in front of their operand; they bind tighter than any other."""
assert {*BINDING, *PREFIXES} == set(Operator)
LOOSEST, TIGHTEST = min(BINDING.values()), max(BINDING.values())
_UNARY: Final = TIGHTEST + 1


def predicate_text(predicate: Predicate) -> str:
    """The predicate without brackets around it, with the parentheses that it needs."""
    return written(_text(predicate, 0))


def _text(predicate: Predicate, around: int) -> Writing:
    match predicate:
        case Number():
            yield repr(predicate.value)
        case Text():
            yield quoted(predicate.text)
        case Named():
            yield name_text(predicate.name)
        case Applied(operands=(operand,)):
            yield predicate.operator.value
            yield grouped(_text(operand, _UNARY), predicate.operator is Operator.MINUS and _begins_with_sign(operand))
        case Applied():
            left, right = predicate.operands
            own = BINDING[predicate.operator]
            yield grouped(_both(left, predicate.operator.value, right, own), own < around)
        case _:
            assert_never(predicate)


def _both(left: Predicate, operator: str, right: Predicate, own: int) -> Writing:
    yield _text(left, own)
    yield f" {operator} "
    yield _text(right, own + 1)


def _begins_with_sign(operand: Predicate) -> bool:
    """`--` would be another operator, and `-3` is a number."""
    match operand:
        case Number() | Applied(operator=Operator.MINUS, operands=(_,)):
            return True
        case _:
            return False


def name_text(name: str) -> str:
    """A name as it stands in a predicate: between back quotes if it could be taken for something else."""
    return name if _PLAIN.fullmatch(name) and name not in _WORDS else quoted(name, "`")


def quoted(text: str, mark: str = '"') -> str:
    """Text between quotation marks, on one line."""
    escaped = text.replace("\\", "\\\\").replace(mark, "\\" + mark).replace("\n", "\\n").replace("\r", "\\r")
    return f"{mark}{escaped}{mark}"
