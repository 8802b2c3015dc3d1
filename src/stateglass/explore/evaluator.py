"""Expressions as Python functions on the cells, for any value domain."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any, Final, assert_never, final

from stateglass.explore.contents import Cells, Unknown
from stateglass.explore.memory import Object
from stateglass.explore.places import Evaluate, Places
from stateglass.explore.strays import MOST_ASTRAY, POINTER_SIZE, STRAY, astray, is_container_of, is_stray, taken_apart
from stateglass.explore.vague import is_vague, pointer_to, targets
from stateglass.program import (
    AddressOf,
    Aggregate,
    Binary,
    Compare,
    Comparison,
    Constant,
    Convert,
    Enum,
    Expression,
    FunctionReference,
    Global,
    Int,
    Load,
    Local,
    Pointer,
    PointerAdd,
    PointerDifference,
    Unary,
    VariadicArguments,
)
from stateglass.source import Span
from stateglass.values import Domain, Fault, FaultKind
from stateglass.values.abstract import MAYBE, TOP, contains, high, low

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine

MOST_STEPS: Final = 4096
"""A pointer that may be moved by more steps than this may lead anywhere."""


@final
class Evaluator:
    """Builds the functions; `find` says where a variable lies."""

    def __init__(
        self, machine: Machine, find: Callable[[Global | Local], Object], variadic: Object | None = None
    ) -> None:
        self._variadic = variadic
        self._machine = machine
        self._memory = machine.memory
        self.domain: Domain[Any] = machine.domain
        self._vague = machine.memory.keeping is not None
        self.places = Places(machine.memory, find, self.value)

    def argument(self, node: Expression | Aggregate) -> Evaluate:
        """A value that is passed or returned: a scalar, or the contents of a record."""
        if isinstance(node, Aggregate):
            return self.places.load_all(node.place, node.span)
        return self.value(node)

    def value(self, node: Expression) -> Evaluate:
        """An expression as a function of the cells."""
        domain = self.domain
        match node:
            case Constant(number, Pointer()) | Convert(Constant(number), Pointer()) if number:
                return self._fixed_address(number)
            case Constant(number, type):
                constant = domain.constant(number, type)
                return lambda cells: constant
            case Load(place, type, span):
                return self.places.load(place, type, span)
            case AddressOf(place, _, span):
                return self.places.address(place, span)
            case FunctionReference(name):
                address = self._machine.known.address(name)
                return lambda cells: address
            case VariadicArguments():
                assert self._variadic is not None
                area = self._variadic.address
                return lambda cells: area
            case Unary(operator, operand, type, span):
                compute, inner = domain.unary(operator, type, span), self.value(operand)
                return lambda cells: compute(inner(cells))
            case Binary(operator, left, right, type, span):
                apply = domain.binary(operator, type, span, right.type)
                return self._both(apply, left, right)
            case Compare(operator, left, right, type, span):
                compare = domain.compare(operator, left.type, type)
                ordered = isinstance(left.type, Pointer) and operator not in (Comparison.EQUAL, Comparison.UNEQUAL)
                if ordered:
                    compare = _in_order(compare, span)
                if isinstance(left.type, Pointer) and self._vague:
                    compare = self._vague_comparison(compare, ordered, span)
                return self._both(compare, left, right)
            case Convert(operand, type, span) if isinstance(operand.type, Pointer) and isinstance(type, Int | Enum):
                return self._number(domain.convert(operand.type, type, span) or _same, operand, span)
            case Convert(operand, type, span) if self._vague and isinstance(type, Pointer) != isinstance(
                operand.type, Pointer
            ):
                # A number as an address: known only if there is just one.
                exactly, inner = domain.convert(operand.type, type, span) or _same, self.value(operand)
                return lambda cells: exactly(v) if (v := inner(cells)).__class__ is int else TOP
            case Convert(operand, type, span):
                change, inner = domain.convert(operand.type, type, span), self.value(operand)
                return inner if change is None else (lambda cells: change(inner(cells)))
            case PointerAdd():
                return self._pointer_add(node)
            case PointerDifference():
                return self._pointer_difference(node)
            case _:
                assert_never(node)

    def _number(self, convert: Callable[[Any], Any], operand: Expression, span: Span) -> Evaluate:
        """An address as a number: known only if there is just one, and it is one."""
        inner, vague = self.value(operand), self._vague

        def exactly(address: int) -> Any:
            if is_stray(address):
                raise Fault(FaultKind.BOUNDS, span)
            return convert(address)

        def number(cells: Cells) -> Any:
            address = inner(cells)
            if not vague or address.__class__ is int:
                return exactly(address)
            addresses = targets(address)
            if addresses is None:
                self._memory.note_astray(span)
            else:
                self._memory.doubts.each(addresses, exactly)
            return TOP

        return number

    def _vague_comparison(
        self, exact: Callable[[int, int], int], ordered: bool, span: Span
    ) -> Callable[[Any, Any], Any]:
        """Pointers compare if all their targets do so alike; those that may lead anywhere may be in no order."""
        memory = self._memory

        def compare(a: Any, b: Any) -> Any:
            left, right = targets(a), targets(b)
            if left is None or right is None:
                if ordered:
                    memory.note_astray(span, *(left or ()), *(right or ()))
                return MAYBE
            outcomes = set(memory.doubts.each(product(left, right), lambda pair: exact(*pair)))
            return outcomes.pop() if len(outcomes) == 1 else MAYBE

        return compare

    def _fixed_address(self, number: int) -> Evaluate:
        """A number used as an address: it means something to the machine that the program is for."""
        if not self._memory.note_fixed(number):
            return _refused(f"the fixed address {number:#x} lies where variables are placed here")
        return lambda cells: number

    def _both(self, apply: Callable[[Any, Any], Any], left: Expression, right: Expression) -> Evaluate:
        a = self.value(left)
        if isinstance(right, Constant):
            constant = self.domain.constant(right.value, right.type)
            return lambda cells: apply(a(cells), constant)
        b = self.value(right)
        return lambda cells: apply(a(cells), b(cells))

    def _pointer_add(self, node: PointerAdd) -> Evaluate:
        pointer, index = self.value(node.pointer), self.value(node.index)
        scale, span, memory = node.scale, node.span, self._memory
        if self._vague:
            return self._vague_pointer_add(node)

        may_stray = is_container_of(node) and memory.pointer_size == POINTER_SIZE

        def add(cells: Cells) -> Any:
            start, distance = pointer(cells), index(cells) * scale
            if distance == 0:
                return start
            whole = memory.object_at(start)
            if whole is None:
                return self._move_stray(start, distance, span)
            if whole.address <= start + distance <= whole.address + whole.size:
                return start + distance
            if may_stray:
                memory.strayed.add(whole.address)
                return astray(whole.address, start + distance - whole.address)
            raise Fault(FaultKind.BOUNDS, span)

        return add

    def _move_stray(self, start: int, distance: int, span: Span) -> int:
        memory = self._memory
        if not is_stray(start) or abs(taken_apart(start)[1] + distance) >= MOST_ASTRAY:
            raise memory.nowhere(start, span)
        return memory.settled(start + distance)

    def _vague_pointer_add(self, node: PointerAdd) -> Evaluate:
        pointer, index = self.value(node.pointer), self.value(node.index)
        scale, span, memory, type = node.scale, node.span, self._memory, node.index.type
        doubts, may_stray = memory.doubts, is_container_of(node) and memory.pointer_size == POINTER_SIZE

        def moved_from_nowhere(start: int, by: Any) -> tuple[int, ...] | None:
            if isinstance(by, int):
                return (self._move_stray(start, by * scale, span),)
            trouble = memory.nowhere(start, span)
            if not isinstance(trouble, Fault):
                raise trouble
            if not contains(by, 0, type) and not is_stray(start):
                raise trouble
            doubts.note(trouble.kind, span)
            return None if is_stray(start) else (start,)

        def moved(start: int, by: Any) -> tuple[int, ...] | None:
            """Where a pointer may lead afterwards; None for anywhere."""
            if by == 0 or scale == 0:
                return (start,)
            whole = memory.object_at(start)
            if whole is None:
                return moved_from_nowhere(start, by)
            first, last = -((start - whole.address) // scale), (whole.address + whole.size - start) // scale
            if isinstance(by, int):
                if first <= by <= last:
                    return (start + by * scale,)
                if not may_stray:
                    raise Fault(FaultKind.BOUNDS, span)
                memory.strayed.add(whole.address)
                return (astray(whole.address, start + by * scale - whole.address),)
            if low(by, type) < first or high(by, type) > last:
                doubts.note(FaultKind.BOUNDS, span)
            if last - first > MOST_STEPS:
                return None
            found = tuple(start + i * scale for i in range(first, last + 1) if contains(by, i, type))
            if not found:
                raise Fault(FaultKind.BOUNDS, span)
            return found

        def add(cells: Cells) -> Any:
            starts, by = targets(pointer(cells)), index(cells)
            if starts is None:
                for kind in (FaultKind.NULL, FaultKind.BOUNDS) if by != 0 else ():
                    doubts.note(kind, span)
                return TOP
            found = doubts.each(starts, lambda start: moved(start, by))
            return pointer_to(a for some in found for a in some or ()) if None not in found else TOP

        return add

    def _pointer_difference(self, node: PointerDifference) -> Evaluate:
        left, right = self.value(node.left), self.value(node.right)
        scale, span, memory = node.scale, node.span, self._memory

        def difference(cells: Cells) -> Any:
            a, b = left(cells), right(cells)
            if is_vague(a) or is_vague(b):
                memory.doubts.note(FaultKind.BOUNDS, span)
                return TOP
            if a != b and (memory.object_at(a) is None or memory.object_at(a) is not memory.object_at(b)):
                raise Fault(FaultKind.BOUNDS, span)
            return (a - b) // scale

        return difference


def _in_order(compare: Callable[[int, int], int], span: Span) -> Callable[[int, int], int]:
    """Which of two pointers is before the other; one that has left its object is nowhere."""

    def checked(a: int, b: int) -> int:
        if (a >= STRAY and is_stray(a)) or (b >= STRAY and is_stray(b)):
            raise Fault(FaultKind.BOUNDS, span)
        return compare(a, b)

    return checked


def _same(value: Any) -> Any:
    return value


def _refused(reason: str) -> Evaluate:
    def refuse(cells: Cells) -> int:
        raise Unknown(reason)

    return refuse
