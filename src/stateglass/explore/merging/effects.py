"""What statements do to the cells for all inputs at once, on the way at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from stateglass.explore.merging.contents import BEYOND, OVER, UNWRITTEN, Content, one_of
from stateglass.explore.merging.context import Context
from stateglass.explore.merging.frames import fill
from stateglass.explore.merging.places import MergedPlaces
from stateglass.program import Array, Comparison, Function, Local, Place, Scalar, value_cells
from stateglass.smt import Operator, Term
from stateglass.source import Span
from stateglass.values import FaultKind

_Piece = tuple[int, int, Content, Term]
"""Where something is written, how many bits of it, what, and under which condition."""


@final
class MergedEffects:
    """Writes in the frame at hand."""

    def __init__(
        self,
        context: Context,
        places: MergedPlaces,
        reborn: Callable[[Function], frozenset[str]],
        ended: Callable[[Local, Span], None] | None = None,
    ) -> None:
        """`reborn` are the variables of a function that may begin anew while a pointer to them is left; if somebody
        sees to such pointers, `ended` is told of every variable that ends."""
        self._context = context
        self._terms = context.terms
        self._places = places
        self._reborn = reborn
        self._ended = ended

    def nothing(self) -> None:
        pass

    def assign(self, place: Place, type: Scalar, value: Term, span: Span) -> None:
        self._places.store(place, type, value, span)

    def assign_all(self, place: Place, contents: list[Content], span: Span) -> None:
        self._places.store_all(place, contents, span)

    def clear(self, place: Place, span: Span) -> None:
        shape = value_cells(place.type, self._context.memory.records)
        self._places.store_all(place, [self._terms.constant(0, c.width) for c in shape], span)

    # ---- the heap is not known here

    def allocate(self, place: Place, size: Term, span: Span) -> None:
        self._refuse_heap(span)

    def allocated_size(self, place: Place, pointer: Term, span: Span) -> None:
        self._refuse_heap(span)

    def release(self, pointer: Term, span: Span) -> None:
        self._refuse_heap(span)

    def _refuse_heap(self, span: Span) -> None:
        self._context.lose("the heap is used", self._terms.true, span)

    # ---- variables

    def declare(self, local: Local) -> None:
        fill(self._context.way.cells, self._context.find(local), UNWRITTEN)

    def declare_array(self, local: Local, count: Term, type: Scalar, span: Span) -> None:
        context, terms, domain = self._context, self._terms, self._context.domain
        variable = context.find(local)
        assert isinstance(local.type, Array)
        most = local.type.count
        context.note(FaultKind.BOUNDS, domain.holds(Comparison.LESS, type, count, domain.constant(1, type)), span)
        too_long = domain.holds(Comparison.GREATER, type, count, domain.constant(most, type))
        reason = f"an array has more elements than {most}, the limit for variable lengths"
        context.lose(reason, too_long, span, bound=True)
        size = len(variable.shape) // most
        for element in range(most):
            exists = domain.holds(Comparison.GREATER, type, count, domain.constant(element, type))
            for cell in range(element * size, (element + 1) * size):
                cases: list[tuple[Term, Content]] = [(exists, UNWRITTEN), (terms.negation(exists), BEYOND)]
                number = variable.first + cell
                if exists.operator is Operator.VALUE:
                    context.way.cells[number] = UNWRITTEN if exists is terms.true else BEYOND
                else:
                    context.way.cells[number] = one_of(terms, cases, context.width(number))

    def end(self, local: Local, span: Span) -> None:
        context = self._context
        if self._ended is None and local.name in self._reborn(context.frame.function):
            reason = f"`{local.name}` begins anew while a pointer to it may be left"
            context.lose(reason, self._terms.true, span)
        fill(context.way.cells, context.find(local), OVER)
        if self._ended is not None:
            self._ended(local, span)

    # ---- bytes, copied as they are, uninitialised ones included

    def copy_bytes(self, target: Term, source: Term, count: Term, apart: bool, span: Span) -> None:
        """How many bytes there are and where may depend on the input."""
        if count.value == 0:
            return
        sources, targets = self._places.targets(source, span), self._places.targets(target, span)
        copies: list[_Piece] = []
        for start in sources:
            for to in targets:
                only = self._terms.both(start.only, to.only)
                if only is self._terms.false:
                    continue
                if apart and to.address != start.address:
                    self._check_apart(to.address, count, start.address, count, only, span)
                copies += self._copied(start.address, to.address, count, only, span)
        # All is read before anything is written: the stretches may overlap.
        for position, width, content, only in copies:
            self._places.access.put_bits(position, width, content, only, span)

    def check_apart(self, first: Term, first_count: Term, second: Term, second_count: Term, span: Span) -> None:
        for one in self._places.targets(first, span):
            for other in self._places.targets(second, span):
                only = self._terms.both(one.only, other.only)
                self._check_apart(one.address, first_count, other.address, second_count, only, span)

    def _check_apart(
        self, first: int, first_count: Term, second: int, second_count: Term, only: Term, span: Span
    ) -> None:
        """If they are not there at all, that is what is wrong."""
        context, terms = self._context, self._terms
        one, other = self._reach(first_count, second - first), self._reach(second_count, first - second)
        meet = terms.both(only, one, other)
        if meet is terms.false:
            return
        for address, count in ((first, first_count), (second, second_count)):
            found = self._places.access.object_for(address, 1, meet, span)
            if found is None:
                return
            self._check_room(found.address + found.size - address, count, meet, span)
        context.note(FaultKind.OVERLAP, meet, span)

    def _reach(self, count: Term, distance: int) -> Term:
        """Whether there are more bytes than this, and any at all."""
        return self._terms.compare(Operator.LESS, self._terms.constant(max(distance, 0), count.width), count)

    def _check_room(self, room: int, count: Term, only: Term, span: Span) -> None:
        terms = self._terms
        too_many = terms.compare(Operator.LESS, terms.constant(room, count.width), count)
        self._context.note(FaultKind.BOUNDS, terms.both(only, too_many), span)

    def _copied(self, source: int, target: int, count: Term, only: Term, span: Span) -> list[_Piece]:
        """What is to be written where, and under which condition."""
        context, terms, access = self._context, self._terms, self._places.access
        size, exact = count.value, count.value is not None
        some = only if exact else terms.both(only, context.domain.truth(count))
        # The whole source is looked at before the target, as everywhere: what is wrong first is what is told.
        first = access.object_for(source, size or 1, some, span)
        if first is not None:
            self._check_room(first.address + first.size - source, count, only, span)
        found = access.object_for(target, size or 1, some, span)
        if first is None or found is None:
            return []
        self._check_room(found.address + found.size - target, count, only, span)
        room = min(first.address + first.size - source, found.address + found.size - target)
        if found.readonly:
            context.note(FaultKind.READONLY, some, span)
            return []
        if size is not None:
            pieces = context.memory.pieces(8 * target, 8 * size)
            return [
                (8 * target + at, width, access.bits(8 * source + at, width, only, span), only)
                for _, _, _, at, width in pieces
            ]
        copies: list[_Piece] = []
        for byte in range(room):
            # How many there are is not known: each byte has a condition of its own.
            wanted = terms.both(only, terms.compare(Operator.LESS, terms.constant(byte, count.width), count))
            if wanted is terms.false:
                break
            copies.append((8 * (target + byte), 8, access.bits(8 * (source + byte), 8, wanted, span), wanted))
        return copies
