"""Expressions as Python functions on the cells, for any value domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, assert_never, final

from stateglass.explore.contents import Cells, Unknown
from stateglass.explore.memory import Object
from stateglass.explore.places import Evaluate, Places
from stateglass.explore.strays import MOST_ASTRAY, POINTER_SIZE, STRAY, astray, is_stray, taken_apart
from stateglass.explore.vague import is_vague, pointer_comparison, pointer_to, targets
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
    UnaryOperator,
    VariadicArguments,
)
from stateglass.source import Span
from stateglass.values import Domain, Fault, FaultKind
from stateglass.values.abstract import TOP, NotExact, contains, high, low

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
            case Constant(number):
                constant = domain.constant(number)
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
                apply = domain.binary(operator, type, span)
                return self._both(apply, left, right)
            case Compare(operator, left, right, _, span):
                compare = domain.compare(operator, left.type)
                if isinstance(left.type, Pointer) and self._vague:
                    compare = pointer_comparison(compare)
                elif isinstance(left.type, Pointer) and operator not in (Comparison.EQUAL, Comparison.UNEQUAL):
                    compare = _in_order(compare, span)
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

        def number(cells: Cells) -> Any:
            address = inner(cells)
            if vague and address.__class__ is not int:
                return TOP
            if is_stray(address):
                raise Fault(FaultKind.BOUNDS, span)
            return convert(address)

        return number

    def _fixed_address(self, number: int) -> Evaluate:
        """A number used as an address: it means something to the machine that the program is for."""
        if not self._memory.note_fixed(number):
            return _refused(f"the fixed address {number:#x} lies where variables are placed here")
        return lambda cells: number

    def _both(self, apply: Callable[[Any, Any], Any], left: Expression, right: Expression) -> Evaluate:
        a = self.value(left)
        if isinstance(right, Constant):
            constant = self.domain.constant(right.value)
            return lambda cells: apply(a(cells), constant)
        b = self.value(right)
        return lambda cells: apply(a(cells), b(cells))

    def _pointer_add(self, node: PointerAdd) -> Evaluate:
        pointer, index = self.value(node.pointer), self.value(node.index)
        scale, span, exact, memory = node.scale, node.span, self.domain.exact, self._memory
        if self._vague:
            return self._vague_pointer_add(node)

        may_stray = is_container_of(node) and memory.pointer_size == POINTER_SIZE

        def add(cells: Cells) -> int:
            start, distance = exact(pointer(cells)), exact(index(cells)) * scale
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
        may_stray = is_container_of(node) and memory.pointer_size == POINTER_SIZE

        def moved(start: int, by: Any) -> list[int]:
            whole = memory.object_at(start)
            if whole is None:
                if by == 0:
                    return [start]
                if not isinstance(by, int):
                    raise memory.nowhere(start, span)
                return [self._move_stray(start, by * scale, span)]
            first, last = -((start - whole.address) // scale), (whole.address + whole.size - start) // scale
            if isinstance(by, int):
                if first <= by <= last:
                    return [start + by * scale]
                if may_stray:
                    memory.strayed.add(whole.address)
                    return [astray(whole.address, start + by * scale - whole.address)]
                memory.doubts.note(FaultKind.BOUNDS, span)
                return []
            if low(by, type) < first or high(by, type) > last:
                memory.doubts.note(FaultKind.BOUNDS, span)
            if last - first > MOST_STEPS:
                raise NotExact(by)
            return [start + i * scale for i in range(first, last + 1) if contains(by, i, type)]

        def add(cells: Cells) -> Any:
            starts, by = targets(pointer(cells)), index(cells)
            if starts is None:
                memory.doubts.note(FaultKind.BOUNDS, span)
                return TOP
            try:
                found = [address for start in starts for address in moved(start, by)]
            except NotExact:
                return TOP
            if not found:
                raise Fault(FaultKind.BOUNDS, span)
            return pointer_to(found)

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


def is_container_of(node: PointerAdd) -> bool:
    """Whether bytes are moved back by a constant, as to get from a member to what it is in."""
    match node.index:
        case Unary(UnaryOperator.NEGATE, Constant(back)):
            return node.scale == 1 and 0 < back < MOST_ASTRAY
        case Constant(step):
            return node.scale == 1 and -MOST_ASTRAY < step < 0
        case _:
            return False


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
