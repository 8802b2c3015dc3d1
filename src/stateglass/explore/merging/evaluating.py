"""Expressions as terms, in the frame and on the way at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never, final

from stateglass.explore.merging.contents import Content
from stateglass.explore.merging.context import Context
from stateglass.explore.merging.places import Places, Spot
from stateglass.explore.strays import MOST_ASTRAY, POINTER_SIZE, astray, is_container_of, is_stray, taken_apart
from stateglass.program import (
    AddressOf,
    Aggregate,
    Binary,
    Compare,
    Comparison,
    Constant,
    Convert,
    Dereference,
    Enum,
    Expression,
    Function,
    FunctionReference,
    Int,
    Load,
    Pointer,
    PointerAdd,
    PointerDifference,
    Scalar,
    Unary,
    VariadicArguments,
    representation,
)
from stateglass.program.walk import base_of, nodes_in
from stateglass.smt import Operator, Term
from stateglass.source import Span
from stateglass.values import FaultKind
from stateglass.values.symbolic import NoTerms


@final
class Evaluating:
    """Evaluates what the functions of a program compute."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._domain = context.domain
        self._terms = context.terms
        self.places = Places(context, self.value)

    def argument(self, node: Expression | Aggregate) -> Term | list[Content]:
        """What is passed or returned: a scalar, or the cells of a record."""
        return self.places.load_all(node.place, node.span) if isinstance(node, Aggregate) else self.value(node)

    def truth(self, node: Expression) -> Term:
        """Whether an expression is not 0."""
        return self._domain.truth(self.value(node))

    def value(self, node: Expression) -> Term:
        match node:
            case Constant(number, Pointer()) | Convert(Constant(number), Pointer()) if number:
                return self._fixed_address(number, node)
            case Constant(value, type):
                return self._domain.constant(value, type)
            case Load(place, type, span):
                return self.places.load(place, type, span)
            case AddressOf(place, type, span):
                return self._address(node)
            case FunctionReference(name, type, span):
                return self._function(name, type, span)
            case VariadicArguments(type):
                variadic = self._context.frame.variadic
                assert variadic is not None
                return self._domain.constant(variadic.address, type)
            case Unary(operator, operand, number, span):
                compute, inner = self._domain.unary(operator, number, span), self.value(operand)
                return self._computed(lambda: compute(inner), span)
            case Binary(operator, left, right, number, span):
                apply, a, b = (
                    self._domain.binary(operator, number, span, right.type),
                    self.value(left),
                    self.value(right),
                )
                return self._computed(lambda: apply(a, b), span)
            case Compare():
                return self._compare(node)
            case Convert(operand, type, span):
                inner = self.value(operand)
                if isinstance(operand.type, Pointer) and isinstance(type, Int | Enum):
                    self._context.note(FaultKind.BOUNDS, self.places.astray(inner), span)
                return self.converted(operand.type, type, inner, span)
            case PointerAdd():
                return self._pointer_add(node)
            case PointerDifference():
                return self._pointer_difference(node)
            case _:
                assert_never(node)

    def converted(self, source: Scalar, target: Scalar, value: Term, span: Span) -> Term:
        convert = self._domain.convert(source, target, span)
        return value if convert is None else self._computed(lambda: convert(value), span)

    def _computed(self, compute: Callable[[], Term], span: Span) -> Term:
        try:
            return compute()
        except NoTerms as reason:
            self._context.lose(f"{reason} for all inputs at once", self._terms.true, span)
            raise AssertionError from reason

    def _compare(self, node: Compare) -> Term:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.left.type, Pointer) and node.operator not in (Comparison.EQUAL, Comparison.UNEQUAL):
            for side in (left, right):
                self._context.note(FaultKind.BOUNDS, self.places.astray(side), node.span)
        compare = self._domain.compare(node.operator, node.left.type, node.type)
        return self._computed(lambda: compare(left, right), node.span)

    # ---- pointers

    def _fixed_address(self, number: int, node: Constant | Convert) -> Term:
        """A number used as an address: it means something to the machine that the program is for."""
        if not self._context.memory.note_fixed(number):
            reason = f"the fixed address {number:#x} lies where variables are placed here"
            self._context.lose(reason, self._terms.true, node.span)
        return self._domain.constant(number, node.type)

    def _address(self, node: AddressOf) -> Term:
        """Where a place is; a part of what a null pointer leads to is nowhere, except to `offsetof` and the like."""
        base = base_of(node.place)
        if isinstance(base, Dereference) and not isinstance(base.pointer, Constant | Convert):
            pointer = self.value(base.pointer)
            null = self._terms.equal(pointer, self._terms.constant(0, pointer.width))
            self._context.note(FaultKind.NULL, null, node.span)
        return self.places.address(node.place, representation(node.type).bits)

    def _function(self, name: str, type: Pointer, span: Span) -> Term:
        try:
            return self._domain.constant(self._context.machine.known.address(name), type)
        except KeyError as missing:
            self._context.lose(f"the address of `{name}` is not known", self._terms.true, span)
            raise AssertionError from missing

    def _pointer_add(self, node: PointerAdd) -> Term:
        terms, memory, context = self._terms, self._context.memory, self._context
        pointer, index = self.value(node.pointer), self.value(node.index)
        width, scale, span = pointer.width, node.scale, node.span
        wide = terms.resize(index, width, is_signed=representation(node.index.type).signed)
        if index.value == 0:
            return pointer
        found: list[tuple[Term, Term]] = []
        leaves = is_container_of(node) and memory.pointer_size == POINTER_SIZE
        for spot in self.places.targets(pointer, span):
            if is_stray(spot.address):
                found += self._moved_stray(spot, node, index, width)
                continue
            still = terms.equal(wide, terms.constant(0, width))
            whole = memory.object_at(spot.address)
            if whole is None:
                moved = terms.both(spot.only, terms.negation(still))
                context.wrong(memory.nowhere(spot.address, span), moved, span)
                found.append((terms.both(spot.only, still), terms.constant(spot.address, width)))
                continue
            first, last = (
                -((spot.address - whole.address) // scale),
                (whole.address + whole.size - spot.address) // scale,
            )
            known = len(found)
            low, high = terms.range_of(wide)
            for by in range(max(first, low), min(last, high) + 1):
                chosen = terms.equal(wide, terms.constant(by, width))
                if chosen is not terms.false:
                    found.append((terms.both(spot.only, chosen), terms.constant(spot.address + by * scale, width)))
            if leaves and len(found) == known:
                memory.strayed.add(whole.address)
                distance = spot.address + _distance(node, index) - whole.address
                found.append((spot.only, terms.constant(astray(whole.address, distance), width)))
            else:
                before = terms.compare(Operator.SIGNED_LESS, wide, terms.constant(first, width))
                behind = terms.compare(Operator.SIGNED_LESS, terms.constant(last, width), wide)
                context.note(FaultKind.BOUNDS, terms.both(spot.only, terms.either(before, behind)), span)
        if not found:
            return pointer
        result = found[-1][1]
        for condition, value in reversed(found[:-1]):
            result = terms.choose(condition, value, result)
        return result

    def _moved_stray(self, spot: Spot, node: PointerAdd, index: Term, width: int) -> list[tuple[Term, Term]]:
        """Where a pointer is that has left its object, and is moved."""
        memory, context = self._context.memory, self._context
        if index.value is None:
            context.lose("a pointer is moved that has left its object", spot.only, node.span)
            return []
        distance = _distance(node, index)
        if abs(taken_apart(spot.address)[1] + distance) >= MOST_ASTRAY:
            context.wrong(memory.nowhere(spot.address, node.span), spot.only, node.span)
            return []
        return [(spot.only, self._terms.constant(memory.settled(spot.address + distance), width))]

    def _pointer_difference(self, node: PointerDifference) -> Term:
        terms, memory = self._terms, self._context.memory
        left, right = self.value(node.left), self.value(node.right)
        bits = node.type.bits
        found: list[tuple[Term, Term]] = []
        for a in self.places.targets(left, node.span):
            for b in self.places.targets(right, node.span):
                only = terms.both(a.only, b.only)
                if only is terms.false:
                    continue
                together = memory.object_at(a.address) is memory.object_at(b.address) is not None
                if a.address != b.address and not together:
                    self._context.note(FaultKind.BOUNDS, only, node.span)
                else:
                    found.append((only, terms.constant((a.address - b.address) // node.scale, bits)))
        if not found:
            return terms.constant(0, bits)
        result = found[-1][1]
        for condition, value in reversed(found[:-1]):
            result = terms.choose(condition, value, result)
        return result


def _distance(node: PointerAdd, index: Term) -> int:
    """How many bytes a pointer is moved by an index that is known."""
    assert index.value is not None
    plain = representation(node.index.type)
    return node.scale * (index.value - (1 << index.width if plain.signed and index.value >> (index.width - 1) else 0))


def fixed_addresses(function: Function) -> set[int]:
    """The numbers that a function uses as addresses."""
    found: set[int] = set()
    for block in function.blocks:
        for node in (*block.statements, block.terminator):
            for inner in nodes_in(node):
                match inner:
                    case Constant(number, Pointer()) | Convert(Constant(number), Pointer()) if number:
                        found.add(number)
                    case _:
                        pass
    return found
