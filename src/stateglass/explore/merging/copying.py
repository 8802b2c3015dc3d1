"""Bytes copied as they are, uninitialised ones included, for all inputs at once."""

from __future__ import annotations

from typing import final

from stateglass.explore.merging.contents import Content
from stateglass.explore.merging.context import Context
from stateglass.explore.merging.evaluating import Evaluating
from stateglass.program import Apart, CopyBytes
from stateglass.smt import Operator, Term
from stateglass.source import Span
from stateglass.values import FaultKind

_Piece = tuple[int, int, Content, Term]
"""Where something is written, how many bits of it, what, and under which condition."""


@final
class Copying:
    """Copies in the frame and on the way at hand."""

    def __init__(self, context: Context, evaluating: Evaluating) -> None:
        self._context = context
        self._evaluating = evaluating

    def copy(self, statement: CopyBytes) -> None:
        """What `memcpy` does; how many bytes there are and where may depend on the input."""
        terms, span, evaluating = self._context.terms, statement.span, self._evaluating
        to, start = evaluating.value(statement.target), evaluating.value(statement.source)
        count = evaluating.value(statement.count)
        if count.value == 0:
            return
        sources, targets = self._evaluating.places.targets(start, span), self._evaluating.places.targets(to, span)
        copies: list[_Piece] = []
        for source in sources:
            for target in targets:
                only = terms.both(source.only, target.only)
                if only is terms.false:
                    continue
                if statement.apart and target.address != source.address:
                    self._check_apart(target.address, count, source.address, count, only, span)
                copies += self._copied(source.address, target.address, count, only, span)
        # All is read before anything is written: the stretches may overlap.
        for position, width, content, only in copies:
            self._evaluating.places.access.put_bits(position, width, content, only, span)

    def check_apart(self, statement: Apart) -> None:
        """Two stretches of bytes must not overlap."""
        terms, span, evaluating = self._context.terms, statement.span, self._evaluating
        first, first_count = evaluating.value(statement.first), evaluating.value(statement.first_count)
        second, second_count = evaluating.value(statement.second), evaluating.value(statement.second_count)
        for one in evaluating.places.targets(first, span):
            for other in evaluating.places.targets(second, span):
                only = terms.both(one.only, other.only)
                self._check_apart(one.address, first_count, other.address, second_count, only, span)

    def _check_apart(
        self, first: int, first_count: Term, second: int, second_count: Term, only: Term, span: Span
    ) -> None:
        """If they are not there at all, that is what is wrong."""
        context, terms = self._context, self._context.terms
        if not context.memory.minds_overlap:
            return
        one, other = self._reach(first_count, second - first), self._reach(second_count, first - second)
        meet = terms.both(only, one, other)
        if meet is terms.false:
            return
        for address, count in ((first, first_count), (second, second_count)):
            found = self._evaluating.places.access.object_for(address, 1, meet, span)
            if found is None:
                return
            self._check_room(found.address + found.size - address, count, meet, span)
        context.note(FaultKind.OVERLAP, meet, span)

    def _reach(self, count: Term, distance: int) -> Term:
        """Whether there are more bytes than this, and any at all."""
        return self._context.terms.compare(
            Operator.LESS, self._context.terms.constant(max(distance, 0), count.width), count
        )

    def _check_room(self, room: int, count: Term, only: Term, span: Span) -> None:
        terms = self._context.terms
        too_many = terms.compare(Operator.LESS, terms.constant(room, count.width), count)
        self._context.note(FaultKind.BOUNDS, terms.both(only, too_many), span)

    def _copied(self, source: int, target: int, count: Term, only: Term, span: Span) -> list[_Piece]:
        """What is to be written where, and under which condition."""
        context, terms, access = self._context, self._context.terms, self._evaluating.places.access
        size, exact = count.value, count.value is not None
        some = only if exact else terms.both(only, context.domain.truth(count))
        first = access.object_for(source, size or 1, some, span)
        found = access.object_for(target, size or 1, some, span)
        if first is None or found is None:
            return []
        room = min(first.address + first.size - source, found.address + found.size - target)
        self._check_room(room, count, only, span)
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
