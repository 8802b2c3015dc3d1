"""Addresses for all inputs at once: one of several, each under a condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from stateglass.explore.cells.contents import Unknown
from stateglass.explore.cells.strays import is_stray
from stateglass.explore.code.exact_pointers import distance_between, gone_astray, may_stray, moved_stray
from stateglass.explore.merging.context import Context
from stateglass.explore.merging.places import MergedPlaces, Spot, chosen
from stateglass.program import Pointer, PointerAdd, PointerDifference, representation
from stateglass.smt import Operator, Term
from stateglass.source import Span
from stateglass.values import Fault, FaultKind


@final
class MergedPointers:
    """Computes in the frame and on the way at hand."""

    def __init__(self, context: Context, places: MergedPlaces) -> None:
        self._context = context
        self._places = places
        self._terms = context.terms

    def fixed(self, number: int, type: Pointer, span: Span) -> Term:
        if not self._context.memory.note_fixed(number):
            reason = f"the fixed address {number:#x} lies where variables are placed here"
            self._context.lose(reason, self._terms.true, span)
        return self._context.domain.constant(number, type)

    def function(self, name: str, type: Pointer, span: Span) -> Term:
        try:
            return self._context.domain.constant(self._context.machine.known.address(name), type)
        except KeyError as missing:
            self._context.lose(f"the address of `{name}` is not known", self._terms.true, span)
            raise AssertionError from missing

    def variadic(self, type: Pointer) -> Term:
        variadic = self._context.frame.variadic
        assert variadic is not None
        return self._context.domain.constant(variadic.address, type)

    def add(self, node: PointerAdd, pointer: Term, index: Term) -> Term:
        terms, memory, context = self._terms, self._context.memory, self._context
        width, scale, span = pointer.width, node.scale, node.span
        wide = terms.resize(index, width, is_signed=representation(node.index.type).signed)
        if index.value == 0:
            return pointer
        found: list[tuple[Term, Term]] = []
        leaves = may_stray(node, memory)
        for spot in self._places.targets(pointer, span):
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
                wanted = terms.equal(wide, terms.constant(by, width))
                if wanted is not terms.false:
                    found.append((terms.both(spot.only, wanted), terms.constant(spot.address + by * scale, width)))
            if leaves and len(found) == known:
                moved_to = gone_astray(memory, whole, spot.address + _distance(node, index))
                found.append((spot.only, terms.constant(moved_to, width)))
            else:
                before = terms.compare(Operator.SIGNED_LESS, wide, terms.constant(first, width))
                behind = terms.compare(Operator.SIGNED_LESS, terms.constant(last, width), wide)
                context.note(FaultKind.BOUNDS, terms.both(spot.only, terms.either(before, behind)), span)
        return chosen(terms, found) if found else pointer

    def _moved_stray(self, spot: Spot, node: PointerAdd, index: Term, width: int) -> list[tuple[Term, Term]]:
        """Where a pointer is that has left its object, and is moved."""
        memory, context = self._context.memory, self._context
        if index.value is None:
            context.lose("a pointer is moved that has left its object", spot.only, node.span)
            return []
        try:
            moved_to = moved_stray(memory, spot.address, _distance(node, index), node.span)
        except (Fault, Unknown) as wrong:
            context.wrong(wrong, spot.only, node.span)
            return []
        return [(spot.only, self._terms.constant(moved_to, width))]

    def difference(self, node: PointerDifference, left: Term, right: Term) -> Term:
        terms, context, bits = self._terms, self._context, node.type.bits
        found: list[tuple[Term, Term]] = []
        for a in self._places.targets(left, node.span):
            for b in self._places.targets(right, node.span):
                only = terms.both(a.only, b.only)
                if only is terms.false:
                    continue
                try:
                    distance = distance_between(context.memory, a.address, b.address, node.scale, node.span)
                except Fault as wrong:
                    context.wrong(wrong, only, node.span)
                else:
                    found.append((only, terms.constant(distance, bits)))
        return chosen(terms, found) if found else terms.constant(0, bits)

    def comparison(
        self, compare: Callable[[Term, Term], Term], ordered: bool, span: Span
    ) -> Callable[[Term, Term], Term]:
        if not ordered:
            return compare

        def compared(a: Term, b: Term) -> Term:
            for side in (a, b):
                self._context.note(FaultKind.BOUNDS, self._places.astray(side), span)
            return compare(a, b)

        return compared

    def number(self, convert: Callable[[Term], Term] | None, pointer: Term, span: Span) -> Term:
        self._context.note(FaultKind.BOUNDS, self._places.astray(pointer), span)
        return self.converted(convert, pointer, span)

    def converted(self, convert: Callable[[Term], Term] | None, value: Term, span: Span) -> Term:
        return value if convert is None else convert(value)


def _distance(node: PointerAdd, index: Term) -> int:
    """How many bytes a pointer is moved by an index that is known."""
    assert index.value is not None
    plain = representation(node.index.type)
    return node.scale * (index.value - (1 << index.width if plain.signed and index.value >> (index.width - 1) else 0))
