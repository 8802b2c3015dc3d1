"""The action language of statecharts: what is done in states and on transitions, in the manner of C."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.logic.predicates import Operator
from stateglass.source import NOWHERE, Span

_TYPES: Final = (("int", 31), ("unsigned int", 32), ("long", 63), ("unsigned long", 64))
"""Types of C for numbers that are written down, with the bits that there are for these."""


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A number; `true` and `false` are 1 and 0, with the word they were written as."""

    value: int
    span: Span = NOWHERE
    text: str = ""

    @property
    def type(self) -> str:
        """The type of C: the first one that has the value, of those that the suffix and the base leave."""
        written = self.text.lower() if self.text[:1].isdigit() else ""
        suffix = written[len(written.rstrip("ul")) :]
        is_decimal = not written.startswith("0")
        bits = (self.value if self.value >= 0 else ~self.value).bit_length()
        for name, room in _TYPES:
            is_unsigned = name.startswith("unsigned")
            is_meant = is_unsigned if "u" in suffix else not (is_unsigned and is_decimal)
            if is_meant and bits <= room and ("l" not in suffix or "long" in name):
                return name
        return "unsigned long"


@final
@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a parameter or an enumerator; `owner` is what is written before the dot: `component.data`."""

    name: str
    span: Span = NOWHERE
    owner: str = ""


@final
@dataclass(frozen=True, slots=True)
class Operation:
    """An operator of C and its one or two operands."""

    operator: Operator
    operands: tuple[Expression, ...]
    span: Span = NOWHERE


Expression = Constant | Name | Operation


@final
@dataclass(frozen=True, slots=True)
class Assign:
    """`data = data + 1;`; what is short for it, as `data++` and `data += 1`, is written out."""

    target: Name
    value: Expression
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Begin:
    """`^out(x);`: an interaction on a source pin begins."""

    pin: str
    arguments: tuple[Expression, ...] = ()
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class End:
    """`$in(x);`: the interaction that is under way on a sink pin is complete."""

    pin: str
    arguments: tuple[Expression, ...] = ()
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class If:
    """`if (condition) … else …`"""

    condition: Expression
    then: Block
    otherwise: Block
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Repeat:
    """`while (condition) …`"""

    condition: Expression
    body: Block
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Statements one after the other; an empty one does nothing."""

    statements: tuple[Statement, ...] = ()
    span: Span = NOWHERE


Statement = Assign | Begin | End | If | Repeat | Block

NOTHING: Final = Block()
ZERO: Final = Constant(0)


def parts_of(statement: Statement) -> Iterator[Statement]:
    """A statement and all that stand in it, in the order of the text."""
    yield statement
    match statement:
        case Assign() | Begin() | End():
            pass
        case If(_, then, otherwise):
            yield from parts_of(then)
            yield from parts_of(otherwise)
        case Repeat(_, body):
            yield from parts_of(body)
        case Block(statements):
            for one in statements:
                yield from parts_of(one)
        case other:
            assert_never(other)


def constants_in(expression: Expression) -> Iterator[Constant]:
    """The numbers in an expression, in the order of the text."""
    match expression:
        case Constant():
            yield expression
        case Name():
            pass
        case Operation(_, operands):
            for operand in operands:
                yield from constants_in(operand)
        case other:
            assert_never(other)


def names_in(expression: Expression) -> Iterator[Name]:
    """The names that an expression reads, in the order of the text."""
    match expression:
        case Constant():
            pass
        case Name():
            yield expression
        case Operation(_, operands):
            for operand in operands:
                yield from names_in(operand)
        case other:
            assert_never(other)
