"""What statements mean that do not decide where control goes, and which operands the others have, in their order."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar, assert_never, final

from stateglass.explore.cells.memory import Memory
from stateglass.explore.meaning.expressions import Expressions, Places
from stateglass.program import (
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
    Branch,
    Call,
    Clear,
    Copy,
    CopyBytes,
    Declare,
    DeclareArray,
    Drop,
    End,
    Exit,
    Fail,
    Jump,
    Local,
    Place,
    Release,
    Return,
    Scalar,
    Switch,
    Terminator,
)
from stateglass.program.nodes import Changing, Living
from stateglass.source import Span

Plain = Changing | Living | Apart
"""Statements after which control goes on with the next one."""
R = TypeVar("R")
A = TypeVar("A")
R_contra = TypeVar("R_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
S = TypeVar("S")
"""A statement that is run: a function of the cells, or nothing, because it has been run."""
S_co = TypeVar("S_co", covariant=True)


class Effects(Protocol[R_contra, A_contra, S_co]):
    """What statements do once their operands are known; a place is looked at after them."""

    def nothing(self) -> S_co: ...

    def assign(self, place: Place, type: Scalar, value: R_contra, span: Span) -> S_co: ...

    def assign_all(self, place: Place, contents: A_contra, span: Span) -> S_co:
        """Set all cells of a record or array."""

    def clear(self, place: Place, span: Span) -> S_co: ...

    def copy_bytes(self, target: R_contra, source: R_contra, count: R_contra, apart: bool, span: Span) -> S_co:
        """Copy bytes as they are; if they must be `apart`, the stretches are the same one or do not overlap."""

    def check_apart(
        self, first: R_contra, first_count: R_contra, second: R_contra, second_count: R_contra, span: Span
    ) -> S_co:
        """Two stretches of bytes must not overlap."""

    def allocate(self, place: Place, size: R_contra, span: Span) -> S_co: ...

    def allocated_size(self, place: Place, pointer: R_contra, span: Span) -> S_co: ...

    def release(self, pointer: R_contra, span: Span) -> S_co: ...

    def declare(self, local: Local) -> S_co: ...

    def declare_array(self, local: Local, count: R_contra, type: Scalar, span: Span) -> S_co:
        """The elements beyond the length do not exist, so that using one is a fault."""

    def end(self, local: Local, span: Span) -> S_co: ...


@final
class Statements(Generic[R, A, S]):
    """Runs statements, or makes them ready to run."""

    def __init__(
        self, memory: Memory, expressions: Expressions[Any, R, A], places: Places[R, A], effects: Effects[R, A, S]
    ) -> None:
        self._minds_overlap = memory.minds_overlap
        self._expressions = expressions
        self._places = places
        self._effects = effects

    def run(self, statement: Plain) -> S:
        value, effects = self._expressions.value, self._effects
        match statement:
            case Assign(place, operand, span):
                return effects.assign(place, operand.type, value(operand), span)
            case Copy(target, source, span):
                return effects.assign_all(target, self._places.load_all(source, span), span)
            case Clear(place, span):
                return effects.clear(place, span)
            case CopyBytes(to, start, count, apart, span):
                return effects.copy_bytes(value(to), value(start), value(count), apart and self._minds_overlap, span)
            case Apart() if not self._minds_overlap:
                return effects.nothing()
            case Apart(first, first_count, second, second_count, span):
                return effects.check_apart(value(first), value(first_count), value(second), value(second_count), span)
            case Allocate(place, size, span):
                return effects.allocate(place, value(size), span)
            case AllocatedSize(place, pointer, span):
                return effects.allocated_size(place, value(pointer), span)
            case Release(pointer, span):
                return effects.release(value(pointer), span)
            case Declare(local):
                return effects.declare(local)
            case DeclareArray(local, count, span):
                return effects.declare_array(local, value(count), count.type, span)
            case End(local, span):
                return effects.end(local, span)
            case _:
                assert_never(statement)

    def operand(self, terminator: Terminator) -> R | A | None:
        """What a terminator looks at: a condition, a value that is returned, a status."""
        match terminator:
            case Branch(operand) | Switch(operand) | Exit(operand):
                return self._expressions.value(operand)
            case Return(returned):
                return None if returned is None else self._expressions.argument(returned)
            case Jump() | Fail() | Drop():
                return None
            case _:
                assert_never(terminator)

    def operands(self, call: Call) -> tuple[R | None, tuple[R | A, ...]]:
        """The pointer that is called through, which comes first, and the arguments.

        That it leads to no function shows when that is called, which is after its arguments.
        """
        pointer = None if isinstance(call.callee, str) else self._expressions.value(call.callee)
        return pointer, tuple(self._expressions.argument(a) for a in call.arguments)


def ranges_by_target(switch: Switch) -> dict[int, list[tuple[int, int]]]:
    """The blocks that cases lead to, each with the values that do, in the order of the cases."""
    found: dict[int, list[tuple[int, int]]] = {}
    for case in switch.cases:
        found.setdefault(case.target, []).append((case.low, case.high))
    return found
