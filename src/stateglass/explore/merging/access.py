"""Cells read and written as bits, wherever a program looks at memory in other pieces than it was written."""

from __future__ import annotations

from typing import final

from stateglass.explore.cells.contents import VOLATILE_READ, Unknown, code_of
from stateglass.explore.cells.memory import VOLATILE, Object
from stateglass.explore.merging.contents import UNWRITTEN, Absent, Content, NotKnown, Partly, Reason, one_of
from stateglass.explore.merging.context import Context
from stateglass.program import Bool, Cell, Scalar, representation
from stateglass.program.bits import ones
from stateglass.smt import Operator, Term
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
        try:
            return self._context.memory.check_access(address, size, span)
        except (Fault, Unknown) as wrong:
            self._context.wrong(wrong, only, span)
            return None

    def load(self, position: int, type: Scalar, only: Term, span: Span, *, direct: bool = False) -> Term | None:
        """The value that begins at a bit; None if there is none to be had. `direct`: in a variable that exists."""
        width, first = representation(type).bits, position // 8
        number = self._whole_cell(position, type)
        # A variable that is named is there, even one whose bits do not fill bytes.
        named, size = direct and number >= 0, (position + width + 7) // 8 - first
        if not named and self.object_for(first, size, only, span) is None:
            return None
        content = self._context.content(number) if number >= 0 else self.bits(position, width, only, span)
        if named:
            content = _alive(content)
        value = self.value(content, width, only, span)
        return self._truth(value, only, span) if isinstance(type, Bool) else value

    def _truth(self, value: Term, only: Term, span: Span) -> Term:
        """0 or 1, as what was written as a truth value is; anything else is a fault."""
        low, high = self._terms.range_of(value)
        if low >= 0 and high <= 1:
            return value
        other = self._terms.compare(Operator.LESS, self._terms.constant(1, value.width), value)
        self._context.note(FaultKind.BOOL, self._terms.both(only, other), span)
        return self._terms.bit(self._context.domain.truth(value), value.width)

    def store(self, position: int, type: Scalar, value: Term, only: Term, span: Span, *, direct: bool = False) -> None:
        width, first = representation(type).bits, position // 8
        number = self._whole_cell(position, type)
        if direct and number >= 0:
            self.put(number, value, only, span, direct=True)
            return
        found = self.object_for(first, (position + width + 7) // 8 - first, only, span)
        if found is None:
            return
        if found.readonly:
            self._context.note(FaultKind.READONLY, only, span)
        elif number >= 0:
            self.put(number, value, only, span)
        else:
            self._write(position, width, value, only, span)

    def _whole_cell(self, position: int, type: Scalar) -> int:
        """The cell that a scalar is; -1 if it is cut otherwise."""
        memory = self._context.memory
        if position // 8 >= len(memory.cell_at):
            return -1
        number = memory.cell_number(position)
        return number if number >= 0 and memory.load_code[number] == code_of(type) else -1

    def value(self, content: Content, width: int, only: Term, span: Span) -> Term:
        """The value that a cell holds; what is missing is noted."""
        terms = self._terms
        match content:
            case Absent(kind):
                self._context.missing(kind, only, span)
                return terms.constant(0, width)
            case Partly(value, absent, unwritten):
                for kind, when in absent:
                    self._context.missing(kind, terms.both(only, when), span)
                if unwritten is not None:
                    hole = terms.negation(terms.equal(unwritten, terms.constant(0, width)))
                    self._context.note(FaultKind.UNINITIALISED, terms.both(only, hole), span)
                return value
            case _:
                return content

    def put(self, number: int, content: Content, only: Term, span: Span, *, direct: bool = False) -> None:
        """Set a cell, if a condition holds."""
        context, terms = self._context, self._terms
        before = context.content(number)
        if not direct:
            self._refuse_gone(before, only, span)
        if only is not terms.true and content is not before:
            cases = [(only, content), (terms.negation(only), before)]
            content = one_of(terms, cases, context.width(number))
        context.way.cells[number] = content

    def cell(self, address: int, cell: Cell, only: Term, span: Span) -> Content:
        """The content of a cell of a record that lies at an address; what was never written may be copied."""
        position = 8 * address + cell.position
        memory = self._context.memory
        number = memory.cell_number(position)
        if number >= 0 and memory.load_code[number] == code_of(cell.type):
            content = self._context.content(number)
            self._refuse_gone(content, only, span)
            return content
        return self.bits(position, cell.width, only, span)

    def put_bits(
        self, position: int, width: int, content: Content, only: Term, span: Span, *, direct: bool = False
    ) -> None:
        """Set a stretch of bits to what another one holds, even if that is nothing."""
        memory = self._context.memory
        number = memory.cell_number(position)
        if number >= 0 and self._context.width(number) == width:
            self.put(number, content, only, span, direct=direct)
        else:
            self._write(position, width, content, only, span)

    def bits(self, position: int, width: int, only: Term, span: Span) -> Content:
        """What a stretch of bits holds, which may be nothing; padding has no cells."""
        terms, big = self._terms, self._context.memory.big_endian
        parts: list[tuple[int, Term, Term]] = []
        for number, cell, inside, outside, count in self._context.memory.pieces(position, width):
            if self._context.memory.load_code[number] & VOLATILE:
                self._context.lose(VOLATILE_READ, only, span)
            content = self._context.content(number)
            self._refuse_gone(content, only, span, in_parts=True)
            value, unwritten = self._split(content, cell.width)
            low = inside if not big else cell.width - inside - count
            at = outside if not big else width - outside - count
            parts.append((at, terms.part(value, low + count - 1, low), terms.part(unwritten, low + count - 1, low)))
        result: list[Term] = []
        holes: list[Term] = []
        filled = 0
        for at, value, unwritten in sorted(parts, key=lambda p: p[0]):
            if at > filled:
                result.append(terms.constant(0, at - filled))
                holes.append(terms.constant(-1, at - filled))
            result.append(value)
            holes.append(unwritten)
            filled = at + value.width
        if filled < width:
            result.append(terms.constant(0, width - filled))
            holes.append(terms.constant(-1, width - filled))
        return self._content(self._joined(result), self._joined(holes))

    def _joined(self, parts: list[Term]) -> Term:
        """Lowest first."""
        result = parts[0]
        for part in parts[1:]:
            result = self._terms.join(part, result)
        return result

    def _write(self, position: int, width: int, content: Content, only: Term, span: Span) -> None:
        terms, big = self._terms, self._context.memory.big_endian
        value, unwritten = self._split(content, width)
        for number, cell, inside, outside, count in self._context.memory.pieces(position, width):
            source = outside if not big else width - outside - count
            target = inside if not big else cell.width - inside - count
            piece = terms.part(value, source + count - 1, source)
            hole = terms.part(unwritten, source + count - 1, source)
            if count < cell.width:
                before = self._context.content(number)
                self._refuse_gone(before, only, span, in_parts=True)
                old, missing = self._split(before, cell.width)
                piece, hole = self._spliced(old, piece, target), self._spliced(missing, hole, target)
            self.put(number, self._content(piece, hole), only, span)

    def _spliced(self, whole: Term, piece: Term, low: int) -> Term:
        """A row of bits in which some from a place on are others."""
        terms, end = self._terms, low + piece.width
        if end < whole.width:
            piece = terms.join(terms.part(whole, whole.width - 1, end), piece)
        return terms.join(piece, terms.part(whole, low - 1, 0)) if low else piece

    def _split(self, content: Content, width: int) -> tuple[Term, Term]:
        """The bits of a cell that exists, and ones for those that were never written."""
        terms = self._terms
        none, all = terms.constant(0, width), terms.constant(-1, width)
        match content:
            case Absent(kind):
                return none, all if kind is FaultKind.UNINITIALISED else none
            case Partly(value, absent, unwritten):
                holes = none if unwritten is None else unwritten
                for kind, when in absent:
                    if kind is FaultKind.UNINITIALISED:
                        holes = terms.choose(when, all, holes)
                return value, holes
            case _:
                return content, none

    def _content(self, value: Term, unwritten: Term) -> Content:
        if unwritten.value == 0:
            return value
        return UNWRITTEN if unwritten.value == ones(value.width) else Partly(value, (), unwritten)

    def _refuse_gone(self, content: Content, only: Term, span: Span, *, in_parts: bool = False) -> None:
        """What is not there can be neither read nor written, and what is not known only as a whole."""
        match content:
            case Absent(kind):
                absent: tuple[tuple[Reason, Term], ...] = ((kind, self._terms.true),)
            case Partly():
                absent = content.absent
            case _:
                absent = ()
        for kind, when in absent:
            if kind is not FaultKind.UNINITIALISED and (in_parts or not isinstance(kind, NotKnown)):
                self._context.missing(kind, self._terms.both(only, when), span)


def _alive(content: Content) -> Content:
    """What a variable holds that is named: code may jump to where it exists, and then it was not written."""
    match content:
        case Absent(kind):
            return content if isinstance(kind, NotKnown) else UNWRITTEN
        case Partly(value, absent, unwritten):
            named = ((kind if isinstance(kind, NotKnown) else FaultKind.UNINITIALISED, when) for kind, when in absent)
            return Partly(value, tuple(named), unwritten)
        case _:
            return content
