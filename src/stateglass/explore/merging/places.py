"""Where the places of a program are, for all inputs at once: one position, or several with their conditions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.explore.cells.memory import Object
from stateglass.explore.cells.strays import is_stray
from stateglass.explore.meaning.paths import Index, Path, Paths
from stateglass.explore.merging.access import Access
from stateglass.explore.merging.contents import Content, one_of
from stateglass.explore.merging.context import Context
from stateglass.program import Place, Pointer, Scalar, is_scalar, representation, size_of, value_cells
from stateglass.smt import Operator, Term, Terms
from stateglass.source import Span
from stateglass.values import FaultKind

MOST_SPOTS: Final = 4096
"""A place that may be at more positions than this is not followed."""


@final
@dataclass(frozen=True, slots=True)
class Spot:
    """A position that a place may have."""

    only: Term  # under which condition it has it
    address: int
    pointer: int | None = None  # what a pointer holds that leads there


Later = Callable[[], Term]
"""An expression that is not evaluated yet."""


@final
class MergedPlaces:
    """Reads and writes the places of the frame at hand."""

    def __init__(self, context: Context, paths: Paths[Later]) -> None:
        self._context = context
        self._paths = paths
        self.access = Access(context)
        self._terms = context.terms

    def load(self, place: Place, type: Scalar, span: Span) -> Term:
        path = self._paths.to(place)
        direct = _is_direct(path)
        found: list[tuple[Term, Term]] = []
        for spot in self._reached(path, span):
            value = self.access.load(8 * spot.address + path.bit, type, spot.only, span, direct=direct)
            if value is not None:
                found.append((spot.only, value))
        return self._one(found, representation(type).bits)

    def load_copied(self, place: Place, type: Scalar, span: Span) -> Term:
        with self._context.copying():
            return self.load(place, type, span)

    def store(self, place: Place, type: Scalar, value: Term, span: Span) -> None:
        path = self._paths.to(place)
        direct = _is_direct(path)
        for spot in self._reached(path, span):
            self.access.store(8 * spot.address + path.bit, type, value, spot.only, span, direct=direct)

    def set_content(self, place: Place, content: Content, span: Span) -> None:
        """Set a scalar to what may be no value."""
        path = self._paths.to(place)
        assert is_scalar(place.type)
        width = representation(place.type).bits
        direct = _is_direct(path)
        for spot in self._reached(path, span):
            self.access.put_bits(8 * spot.address + path.bit, width, content, spot.only, span, direct=direct)

    def address(self, place: Place, type: Pointer, span: Span) -> Term:
        path, width, terms = self._paths.to_address(place), representation(type).bits, self._terms
        if not isinstance(path.root, Object) and not path.may_start_from_null:
            pointer = path.root()
            self._context.note(FaultKind.NULL, terms.equal(pointer, terms.constant(0, pointer.width)), span)
            path = replace(path, root=lambda: pointer)
        settled = self._context.memory.settled
        return self._one([(s.only, terms.constant(settled(s.address), width)) for s in self._spots(path)], width)

    def load_all(self, place: Place, span: Span) -> list[Content]:
        """The contents of all cells of a record or array."""
        spots = self._reached(self._paths.to(place), span)
        shape = value_cells(place.type, self._context.memory.records)
        size = size_of(place.type, self._context.memory.records)
        cases: list[tuple[Term, list[Content]]] = []
        for spot in spots:
            if self.access.object_for(spot.address, size, spot.only, span) is not None:
                cases.append((spot.only, [self.access.cell(spot.address, c, spot.only, span) for c in shape]))
        if not cases:
            return [self._terms.constant(0, c.width) for c in shape]  # every position was a fault
        if len(cases) == 1:
            return cases[0][1]
        return [
            one_of(self._terms, [(only, contents[n]) for only, contents in cases], cell.width)
            for n, cell in enumerate(shape)
        ]

    def store_all(self, place: Place, contents: list[Content], span: Span) -> None:
        path = self._paths.to(place)
        direct = _is_direct(path)
        shape = value_cells(place.type, self._context.memory.records)
        size = size_of(place.type, self._context.memory.records)
        for spot in self._reached(path, span):
            found = self.access.object_for(spot.address, size, spot.only, span)
            if found is None:
                continue
            if found.readonly:
                self._context.note(FaultKind.READONLY, spot.only, span)
                continue
            for cell, content in zip(shape, contents, strict=True):
                position = 8 * spot.address + cell.position
                self.access.put_bits(position, cell.width, content, spot.only, span, direct=direct)

    def _reached(self, path: Path[Later], span: Span) -> list[Spot]:
        """The positions at which a place can be used: those in the object that its pointer leads to."""
        memory, inside = self._context.memory, []
        for spot in self._spots(path):
            if spot.pointer is None or memory.together(spot.pointer, spot.address):
                inside.append(Spot(spot.only, memory.settled(spot.address), spot.pointer))
            else:
                self._context.wrong(memory.nowhere(spot.pointer, span), spot.only, span)
        return inside

    def _one(self, found: list[tuple[Term, Term]], width: int) -> Term:
        return chosen(self._terms, found) if found else self._terms.constant(0, width)  # every position was a fault

    # ---- positions

    def _spots(self, path: Path[Later]) -> list[Spot]:
        """All positions that a place may have."""
        root, offset = path.root, path.offset
        if isinstance(root, Object):
            spots = [Spot(self._terms.true, root.address + offset)]
        else:
            starts = self._aligned(self.targets(root(), path.span), path.low, path.span)
            spots = [Spot(s.only, s.address + offset, s.address) for s in starts]
        for index in path.indices:
            spots = self._elements(spots, index)
        return spots

    def _aligned(self, spots: list[Spot], low: int, span: Span) -> list[Spot]:
        """Those at which none of some bits is set; others are a fault."""
        for spot in spots:
            if spot.address & low:
                self._context.wrong(self._context.memory.misaligned(spot.address, span), spot.only, span)
        return [s for s in spots if not s.address & low] or spots

    def _elements(self, spots: list[Spot], index: Index[Later]) -> list[Spot]:
        value, count, step, span = index.value(), index.count, index.bytes, index.span
        terms, width = self._terms, value.width
        signed = representation(index.type).signed
        if count <= (1 << (width - 1 if signed else width)) - 1:
            # A negative index is a large one.
            outside = terms.compare(Operator.LESS_EQUAL, terms.constant(count, width), value)
        else:
            negative = terms.compare(Operator.SIGNED_LESS, value, terms.constant(0, width))
            outside = negative if signed else terms.false
        self._context.note(FaultKind.BOUNDS, outside, span)
        low, high = terms.range_of(value)
        numbers = range(low, min(count, high + 1)) if low >= 0 else range(min(count, 1 << width))
        if len(numbers) * len(spots) > MOST_SPOTS:
            self._context.lose(f"an element of {count:,} is used whose number is not known", terms.true, span)
        found = []
        for number in numbers:
            wanted = terms.equal(value, terms.constant(number, width))
            if wanted is not terms.false:
                found += [Spot(terms.both(s.only, wanted), s.address + number * step, s.pointer) for s in spots]
        return [s for s in found if s.only is not terms.false] or spots

    def astray(self, pointer: Term) -> Term:
        """Under which condition a pointer has left its object."""
        terms = self._terms
        found: list[Term] = []
        stack = [(pointer, terms.true)] if self._context.memory.strayed else []
        while stack:
            term, only = stack.pop()
            if term.operator is Operator.VALUE and is_stray(term.extra):
                found.append(only)
            elif term.operator is Operator.CHOOSE and only is not terms.false:
                condition, then, other = term.operands
                stack.append((other, terms.both(only, terms.negation(condition))))
                stack.append((then, terms.both(only, condition)))
        return terms.either(*found)

    def targets(self, pointer: Term, span: Span) -> list[Spot]:
        """The addresses that a pointer may hold."""
        found: list[Spot] = []
        stack = [(pointer, self._terms.true)]
        while stack:
            term, only = stack.pop()
            if only is self._terms.false:
                continue
            if term.operator is Operator.VALUE:
                found.append(Spot(only, term.extra))
            elif term.operator is Operator.CHOOSE:
                condition, then, other = term.operands
                stack.append((other, self._terms.both(only, self._terms.negation(condition))))
                stack.append((then, self._terms.both(only, condition)))
            else:
                self._context.lose(_unknown(term), only, span)
            if len(found) > MOST_SPOTS:
                self._context.lose(f"a pointer may lead to more than {MOST_SPOTS:,} addresses", self._terms.true, span)
        by_address: dict[int, list[Term]] = {}
        for spot in found:
            by_address.setdefault(spot.address, []).append(spot.only)
        return [Spot(self._terms.either(*only), address) for address, only in by_address.items()]


def chosen(terms: Terms, cases: list[tuple[Term, Term]]) -> Term:
    """The value for which the condition holds; one of them does."""
    result = cases[-1][1]
    for condition, value in reversed(cases[:-1]):
        result = terms.choose(condition, value, result)
    return result


def _is_direct(path: Path[Later]) -> bool:
    """Whether a place is a part of a variable that its type says; a variable that is named exists."""
    return isinstance(path.root, Object) and not path.in_union


def _unknown(pointer: Term) -> str:
    """Why nothing can be said of what a pointer leads to."""
    while pointer.operator is Operator.ZERO_EXTEND:
        pointer = pointer.operands[0]
    if pointer.operator is Operator.VARIABLE:
        return f"nothing is known of what `{str(pointer.extra).partition('@')[0].partition('#')[0]}` leads to"
    return "a pointer is used that was computed from numbers"
