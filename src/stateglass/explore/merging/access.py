"""Cells read and written as bits, wherever a program looks at memory in other pieces than it was written."""

from __future__ import annotations

from typing import final

from stateglass.explore.memory import Object, code_of
from stateglass.explore.merging.contents import Absent, Content, Partly
from stateglass.explore.merging.context import Context
from stateglass.program import Bool, Cell, Scalar, representation
from stateglass.smt import Term
from stateglass.source import Span
from stateglass.values import Fault, FaultKind


@final
class Access:
    """Reads and writes at known positions, under a condition: that the program means this position and no other."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._terms = context.terms

    def object_for(self, address: int, size: int, only: Term, span: Span) -> Object | None:
        """The object that some bytes lie in; None, after noting the fault, if they do not."""
        context = self._context
        try:
            return context.memory.check_access(address, size, span)
        except Fault as wrong:
            context.note(wrong.kind, only, span)
        except Exception as unknown:  # memory at a fixed address
            context.lose(str(unknown), only, span)
        return None

    def load(self, position: int, type: Scalar, only: Term, span: Span) -> Term | None:
        """The value that begins at a bit; None if there is none to be had."""
        width = representation(type).bits
        first = position // 8
        if self.object_for(first, (position + width + 7) // 8 - first, only, span) is None:
            return None
        number = self._context.memory.cell_number(position)
        if number >= 0 and self._context.memory.load_code[number] == code_of(type):
            return self.value(self._context.content(number), width, only, span)
        bits = self._read(position, width, only, span)
        if isinstance(type, Bool):
            return self._terms.bit(self._context.domain.truth(bits), width)
        return bits

    def store(self, position: int, type: Scalar, value: Term, only: Term, span: Span) -> None:
        width = representation(type).bits
        first = position // 8
        found = self.object_for(first, (position + width + 7) // 8 - first, only, span)
        if found is None:
            return
        if found.readonly:
            self._context.note(FaultKind.READONLY, only, span)
            return
        number = self._context.memory.cell_number(position)
        if number >= 0 and self._context.memory.load_code[number] == code_of(type):
            self.put(number, value, only, span)
        else:
            self._write(position, width, value, only, span)

    def value(self, content: Content, width: int, only: Term, span: Span) -> Term:
        """The value that a cell holds; what is missing is noted."""
        match content:
            case Absent(kind):
                self._context.note(kind, only, span)
                return self._terms.constant(0, width)
            case Partly(value, absent):
                for kind, when in absent:
                    self._context.note(kind, self._terms.both(only, when), span)
                return value
            case _:
                return content

    def put(self, number: int, content: Content, only: Term, span: Span) -> None:
        """Set a cell, if a condition holds."""
        context, before = self._context, self._context.content(number)
        for kind, when in _gone(before, self._terms.true):
            context.note(kind, self._terms.both(only, when), span)
        if only is self._terms.true:
            context.way.cells[number] = content
        else:
            context.way.cells[number] = self._one_of(only, content, before)

    def _one_of(self, condition: Term, content: Content, other: Content) -> Content:
        terms = self._terms
        if content is other:
            return content
        absent: list[tuple[FaultKind, Term]] = []
        values: list[Term] = []
        for when, one in ((condition, content), (terms.negation(condition), other)):
            match one:
                case Absent(kind):
                    absent.append((kind, when))
                case Partly(value, missing):
                    values.append(value)
                    absent += [(kind, terms.both(when, m)) for kind, m in missing]
                case _:
                    values.append(one)
        if not values:
            return other
        value = values[0] if len(values) == 1 else terms.choose(condition, *values)
        return Partly(value, tuple(absent)) if absent else value

    def cell(self, address: int, cell: Cell, only: Term, span: Span) -> Content:
        """The content of a cell of a record that lies at an address; what was never written may be copied."""
        position = 8 * address + cell.position
        memory = self._context.memory
        number = memory.cell_number(position)
        if number >= 0 and memory.load_code[number] == code_of(cell.type):
            content = self._context.content(number)
            for kind, when in _gone(content, self._terms.true):
                self._context.note(kind, self._terms.both(only, when), span)
            return content
        pieces = [self._context.content(n) for n, *_ in memory.pieces(position, cell.width)]
        if pieces and all(p is pieces[0] for p in pieces) and isinstance(pieces[0], Absent):
            return pieces[0]
        return self._read(position, cell.width, only, span)

    def put_bits(self, position: int, width: int, content: Content, only: Term, span: Span) -> None:
        """Set a stretch of bits to what another one holds, even if that is nothing."""
        memory = self._context.memory
        number = memory.cell_number(position)
        if number >= 0 and memory.load_code[number] >> 1 == width:
            self.put(number, content, only, span)
        else:
            self._write(position, width, self.value(content, width, only, span), only, span)

    def _read(self, position: int, width: int, only: Term, span: Span) -> Term:
        terms, big = self._terms, self._context.memory.big_endian
        parts: list[tuple[int, Term]] = []
        known = 0
        for number, cell, inside, outside, count in self._context.memory.pieces(position, width):
            content = self.value(self._context.content(number), cell.width, only, span)
            low = inside if not big else cell.width - inside - count
            parts.append((outside if not big else width - outside - count, terms.part(content, low + count - 1, low)))
            known += count
        if known < width:  # padding that has no cells
            self._context.note(FaultKind.UNINITIALISED, only, span)
        result: Term | None = None
        filled = 0
        for low, part in sorted(parts, key=lambda p: p[0]):
            if low > filled:
                hole = terms.constant(0, low - filled)
                result = hole if result is None else terms.join(hole, result)
            result = part if result is None else terms.join(part, result)
            filled = low + part.width
        if result is None:
            return terms.constant(0, width)
        return terms.extend(result, width, is_signed=False)

    def _write(self, position: int, width: int, value: Term, only: Term, span: Span) -> None:
        terms, big = self._terms, self._context.memory.big_endian
        for number, cell, inside, outside, count in self._context.memory.pieces(position, width):
            source = outside if not big else width - outside - count
            target = inside if not big else cell.width - inside - count
            piece = terms.part(value, source + count - 1, source)
            if count < cell.width:
                before = self._context.content(number)
                if isinstance(before, Absent) and before.kind is FaultKind.UNINITIALISED:
                    self._context.lose("a scalar that was never written is set in part", only, span)
                whole = self.value(before, cell.width, only, span)
                if target + count < cell.width:
                    piece = terms.join(terms.part(whole, cell.width - 1, target + count), piece)
                if target:
                    piece = terms.join(piece, terms.part(whole, target - 1, 0))
            self.put(number, piece, only, span)


def _gone(content: Content, always: Term) -> list[tuple[FaultKind, Term]]:
    """Under which conditions a cell does not exist."""
    match content:
        case Absent(kind):
            return [] if kind is FaultKind.UNINITIALISED else [(kind, always)]
        case Partly(_, absent):
            return [(kind, when) for kind, when in absent if kind is not FaultKind.UNINITIALISED]
        case _:
            return []
