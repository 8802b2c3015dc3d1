"""The nodes a function consists of: a closed set, each with its source span.

An expression has no side effects. A statement changes one place, calls, chooses or marks a lifetime.
A terminator says where control goes. Spans do not take part in comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import Final, assert_never, final

from stateglass.program.types import Int, Number, Pointer, Record, Scalar, Type
from stateglass.source import NOWHERE, Span


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


def _mark() -> bool:
    # What matters only where others may act in between is no part of what a program means by itself.
    return field(default=False, compare=False, repr=False)


@final
@unique
class UnaryOperator(Enum):
    """`!x` is a comparison with 0."""

    NEGATE = "-"
    COMPLEMENT = "~"


@final
@unique
class BinaryOperator(Enum):
    """Integer arithmetic."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"
    SHIFT_LEFT = "<<"
    SHIFT_RIGHT = ">>"
    AND = "&"
    OR = "|"
    XOR = "^"


@final
@unique
class Comparison(Enum):
    """Comparisons of integers and of pointers."""

    EQUAL = "=="
    UNEQUAL = "!="
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="


# ---- places: something in memory that has an address


@final
@dataclass(frozen=True, slots=True)
class Global:
    """A variable with static storage; static locals are `f::x`."""

    name: str
    type: Type
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Local:
    """A parameter, local variable or temporary (`%1`) of the function at hand."""

    name: str
    type: Type
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Dereference:
    """What a pointer points to; it must be a multiple of `alignment`."""

    pointer: Expression
    type: Type
    alignment: int
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Member:
    """A field of a record."""

    base: Place
    field: str
    offset: int
    type: Type
    bit: int = 0  # of the first byte, where a bit-field begins
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array; leaving the array is an error."""

    base: Place
    index: Expression
    type: Type
    span: Span = _span()


Place = Global | Local | Dereference | Member | Element


# ---- expressions


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """An integer, the bits of a floating-point number, or an address."""

    value: int
    type: Scalar
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Load:
    """The value that a scalar place holds."""

    place: Place
    type: Scalar
    span: Span = _span()
    copied: bool = False  # as a part of something that is copied: that it was never written is no error, nor followed
    stored: bool = _mark()  # the value of an assignment to the place: the code does not read that again
    updated: bool = _mark()  # what is computed from it is stored in the same place, which is found once


@final
@dataclass(frozen=True, slots=True)
class AddressOf:
    """The byte address of a place; of an array's first element if the type says so."""

    place: Place
    type: Pointer
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class FunctionReference:
    """The number of a function, as function pointers hold it."""

    name: str
    type: Pointer
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class VariadicArguments:
    """The address of the arguments that a variadic function was given beyond its parameters.

    They lie one after the other, each at the next multiple of `VARIADIC_SLOT` bytes.
    """

    type: Pointer
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Unary:
    """Arithmetic on an operand that was brought to `type` before."""

    operator: UnaryOperator
    operand: Expression
    type: Number
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic on operands that were brought to `type` before; a shift count keeps its own type."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    type: Number
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Compare:
    """0 or 1; both operands have the same type: integers, floating-point numbers or pointers."""

    operator: Comparison
    left: Expression
    right: Expression
    type: Int
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Convert:
    """A conversion between scalar types, as C defines it."""

    operand: Expression
    type: Scalar
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class PointerAdd:
    """`pointer` moved by `index` elements of `scale` bytes; leaving the object is an error."""

    pointer: Expression
    index: Expression
    scale: int
    type: Pointer
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class PointerDifference:
    """How many elements of `scale` bytes lie between two pointers into one object."""

    left: Expression
    right: Expression
    scale: int
    type: Int
    span: Span = _span()


Expression = (
    Constant
    | VariadicArguments
    | Load
    | AddressOf
    | FunctionReference
    | Unary
    | Binary
    | Compare
    | Convert
    | PointerAdd
    | PointerDifference
)


# ---- statements


@final
@dataclass(frozen=True, slots=True)
class Assign:
    """Store a scalar."""

    place: Place
    value: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Copy:
    """Store a whole record or array of the same type."""

    target: Place
    source: Place
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Clear:
    """Set every byte of a place to zero."""

    place: Place
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Aggregate:
    """A record passed or returned by value: the place that is copied."""

    place: Place
    type: Record
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Call:
    """Call a function by name or through a pointer, and store what it returns."""

    result: Place | None
    callee: str | Expression
    arguments: tuple[Expression | Aggregate, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Input:
    """Let the environment choose: `place` gets any value within the bounds of `name`."""

    place: Place
    name: str
    type: Scalar
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class CopyBytes:
    """Copy `count` bytes from one address to another as they are, uninitialised ones included.

    They may overlap, unless they must be `apart`; even then they may be the same ones.
    """

    target: Expression
    source: Expression
    count: Expression
    apart: bool
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Apart:
    """Two stretches of bytes, each from an address on, must not overlap."""

    first: Expression
    first_count: Expression
    second: Expression
    second_count: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Allocate:
    """Take an object of `size` bytes from the heap and store its address."""

    place: Place
    size: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class AllocatedSize:
    """Store the size of the object on the heap that a pointer leads to."""

    place: Place
    pointer: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Release:
    """Give an object back to the heap."""

    pointer: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Declare:
    """A local variable's life begins, with no value."""

    local: Local
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class DeclareArray:
    """The life of an array begins whose length is known only now; the type has the most elements it may have."""

    local: Local
    count: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class End:
    """The life of a local variable whose address was taken is over."""

    local: Local
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Unsupported:
    """Code that is not modelled; reaching it makes the answer inconclusive and says where."""

    reason: str
    span: Span = _span()


Changing = Assign | Copy | CopyBytes | Clear | Allocate | AllocatedSize | Release
Living = Declare | DeclareArray | End
Statement = Changing | Living | Apart | Call | Input | Unsupported


# ---- terminators


@final
@dataclass(frozen=True, slots=True)
class Jump:
    """Goes on at `target`, always."""

    target: int
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Branch:
    """Goes on at `then` if the integer or pointer `condition` is not 0, else at `other`."""

    condition: Expression
    then: int
    other: int
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Case:
    """The values `low` … `high` of a switch."""

    low: int
    high: int
    target: int


@final
@dataclass(frozen=True, slots=True)
class Switch:
    """Goes on at the case that has the value, else at `default`."""

    value: Expression
    cases: tuple[Case, ...]
    default: int
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Return:
    """Leave the function. Without a value in a function that has one, the caller must not use it."""

    value: Expression | Aggregate | None
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Exit:
    """End the program normally with an exit code."""

    code: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Fail:
    """End the program with `error(kind)`."""

    kind: str
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Drop:
    """The run does not count: something that was to be assumed does not hold."""

    span: Span = _span()


Terminator = Jump | Branch | Switch | Return | Exit | Fail | Drop


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Statements that run one after the other, then one terminator."""

    statements: tuple[Statement, ...]
    terminator: Terminator


VARIADIC_SLOT: Final = 16


def successors(terminator: Terminator) -> tuple[int, ...]:
    """The blocks a terminator may go to, in textual order, without repetition."""
    match terminator:
        case Jump(target):
            return (target,)
        case Branch(_, then, other):
            return (then,) if then == other else (then, other)
        case Switch(_, cases, default):
            return tuple(dict.fromkeys([*(c.target for c in cases), default]))
        case Return() | Exit() | Fail() | Drop():
            return ()


def redirected(terminator: Terminator, to: Callable[[int], int]) -> Terminator:
    """The same terminator with every target block replaced."""
    match terminator:
        case Jump(target):
            return replace(terminator, target=to(target))
        case Branch(_, then, other):
            return replace(terminator, then=to(then), other=to(other))
        case Switch(_, cases, default):
            moved = tuple(replace(c, target=to(c.target)) for c in cases)
            return replace(terminator, cases=moved, default=to(default))
        case Return() | Exit() | Fail() | Drop():
            return terminator
        case _:
            assert_never(terminator)
