"""Bytes copied as they are, uninitialised ones included, for all inputs at once."""

from __future__ import annotations

from typing import final

from stateglass.explore.merging.contents import Content
from stateglass.explore.merging.context import Context
from stateglass.explore.merging.evaluating import Evaluating
from stateglass.program import CopyBytes
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
                if only is not terms.false:
                    copies += self._copied(source.address, target.address, count, only, span)
        # All is read before anything is written: the stretches may overlap.
        for position, width, content, only in copies:
            self._evaluating.places.access.put_bits(position, width, content, only, span)

    def _copied(self, source: int, target: int, count: Term, only: Term, span: Span) -> list[_Piece]:
        """What is to be written where, and under which condition."""
        context, terms, access = self._context, self._context.terms, self._evaluating.places.access
        size, exact = count.value, count.value is not None
        some = only if exact else terms.both(only, context.domain.truth(count))
        first = access.object_for(source, size or 1, some, span)
        found = access.object_for(target, size or 1, some, span)
        if first is None or found is None:
            return []
        if found.readonly:
            context.note(FaultKind.READONLY, some, span)
            return []
        if size is not None:
            pieces = context.memory.pieces(8 * target, 8 * size)
            return [
                (8 * target + at, width, access.bits(8 * source + at, width, only, span), only)
                for _, _, _, at, width in pieces
            ]
        room = min(first.address + first.size - source, found.address + found.size - target)
        too_many = terms.compare(Operator.LESS, terms.constant(room, count.width), count)
        context.note(FaultKind.BOUNDS, terms.both(only, too_many), span)
        copies: list[_Piece] = []
        for byte in range(room):
            # How many there are is not known: each byte has a condition of its own.
            wanted = terms.both(only, terms.compare(Operator.LESS, terms.constant(byte, count.width), count))
            if wanted is terms.false:
                break
            copies.append((8 * (target + byte), 8, access.bits(8 * (source + byte), 8, wanted, span), wanted))
        return copies
