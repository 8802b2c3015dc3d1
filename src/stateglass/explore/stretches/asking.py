"""What the environment chooses, as unknowns: within its bounds, or anything that the type has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from stateglass.explore.around.reaching import lost_cells, reached, writes_of
from stateglass.explore.merging.contents import FOREIGN, Absent, Content, NotKnown, Partly, Reason, one_of
from stateglass.explore.merging.context import Context, new_value
from stateglass.explore.merging.frames import Value
from stateglass.explore.merging.outcome import Kind
from stateglass.explore.merging.places import MergedPlaces
from stateglass.explore.stretches.flow import Chosen, Source
from stateglass.program import Call, Comparison, Int, Pointer, Scalar, Type, representation
from stateglass.program.outside import leads_to_characters, written_through
from stateglass.smt import Term
from stateglass.source import NOWHERE, Span
from stateglass.system import Choice, Contents, External, Handed, Lost, System
from stateglass.system.system import Write
from stateglass.values import FaultKind

_NUMBER = Int(32, signed=False)


@final
class Asking:
    """Asks on the way at hand; `first` is the number of unknowns that others have made before."""

    def __init__(self, system: System, context: Context, places: MergedPlaces, first: int) -> None:
        self._system = system
        self._context = context
        self._places = places
        self._first = first
        self.chosen: list[Chosen] = []

    # ---- values

    def choice(self, choice: Choice, source: Source, function: str = "", only: Term | None = None) -> Term:
        """One of the values of a choice; a run in which it is another one does not count."""
        made = self.value(choice.name, choice.type, source, function, only)
        if not choice.anything:
            self._within(made, choice.type, choice.values, only)
        return made

    def value(self, name: str, type: Scalar, source: Source, function: str = "", only: Term | None = None) -> Term:
        context, terms = self._context, self._context.terms
        made = new_value(terms, f"{name}#{self._first + len(self.chosen)}", type)
        when = context.when(terms.true if only is None else only)
        self.chosen.append(Chosen(source, name, function, type, made, when))
        return made

    def row(
        self, contents: Contents, source: Source, function: str = "", only: Term | None = None
    ) -> list[tuple[Term, Term]]:
        """One of some rows: its values, each with the condition that the row is so long."""
        terms, rows = self._context.terms, contents.rows
        number = self.value(contents.name, _NUMBER, source, function, only)
        self._within(number, _NUMBER, range(len(rows)), only)
        width = representation(contents.element).bits
        found = []
        for place in range(max(map(len, rows))):
            column = [(at, row[place]) for at, row in enumerate(rows) if len(row) > place]
            chosen = {at: terms.equal(number, terms.constant(at, number.width)) for at, _ in column}
            value = terms.constant(column[-1][1], width)
            for at, one in reversed(column[:-1]):
                value = terms.choose(chosen[at], terms.constant(one, width), value)
            is_there = terms.true if len(column) == len(rows) else terms.either(*chosen.values())
            found.append((value, is_there))
        return found

    def _within(self, value: Term, type: Scalar, values: Sequence[int], only: Term | None) -> None:
        context, terms, domain = self._context, self._context.terms, self._context.domain
        fits = []
        for low, high in _runs(values):
            least, most = domain.constant(low, type), domain.constant(high, type)
            if low == high:
                fits.append(terms.equal(value, least))
            else:
                at_least = domain.holds(Comparison.LESS_EQUAL, type, least, value)
                fits.append(terms.both(at_least, domain.holds(Comparison.LESS_EQUAL, type, value, most)))
        outside = terms.negation(terms.either(*fits))
        context.end(Kind.OUTSIDE, "no such value", outside if only is None else terms.both(only, outside), NOWHERE)

    # ---- functions without a body

    def result(self, name: str, arguments: list[Value], span: Span) -> Value:
        """What a function without a body returns."""
        context, external = self._context, self._system.externals.get(name)
        if external is None:
            context.lose(f"`{name}` is called in an unforeseen way", context.terms.true, span)
        assert external is not None
        if external.unsupported:
            context.lose(external.unsupported, context.terms.true, span)
        if external.throws:
            context.lose(f"`{name}` has no body and may throw", context.terms.true, span)
        terms = context.terms
        match external.result:
            case None:
                return None
            case Choice():
                return self.choice(external.result, Source.RESULT, name)
            case Handed(called, handed):
                number = self.value(called, _NUMBER, Source.RESULT, name)
                self._within(number, _NUMBER, range(len(handed)), None)
                assert isinstance(external.result_type, Pointer)
                width = representation(external.result_type).bits
                addresses = [arguments[a] if a is not None else terms.constant(0, width) for a in handed]
                found = addresses[-1]
                assert isinstance(found, Term)
                for at, address in reversed(list(enumerate(addresses[:-1]))):
                    assert isinstance(address, Term)
                    found = terms.choose(terms.equal(number, terms.constant(at, number.width)), address, found)
                return found

    def write(self, name: str, arguments: list[Value], call: Call) -> None:
        """What it does to what it was given pointers to."""
        external, span = self._system.externals[name], call.span
        types = tuple(a.type for a in call.arguments)
        characters = tuple(map(leads_to_characters, call.arguments))
        writes = writes_of(external, types, characters, self._system.program)
        self._write(name, [w for w in writes if w.reach is None], arguments, span)
        self._write_far(name, [w for w in writes if w.reach is not None], arguments, span)
        self._lose(external, writes, arguments, span)
        self._hand_over(external, arguments, types)

    def _write_far(self, name: str, writes: list[Write], arguments: list[Value], span: Span) -> None:
        """The same for what is written as far as there is something."""
        terms, memory = self._context.terms, self._context.memory
        chosen: list[tuple[int, Scalar, Term, Term]] = []
        for write in writes:
            pointer = arguments[write.argument]
            assert isinstance(pointer, Term)
            for spot in self._places.targets(pointer, span):
                if not spot.address:
                    continue
                far = reached(memory, self._system.program, spot.address, write)
                for n, one in enumerate(far.writes):
                    assert isinstance(one.choice, Choice)
                    position = 8 * spot.address + one.position
                    only = self._if_there(position, spot.only) if n else spot.only
                    if only is not terms.false:
                        made = self.choice(one.choice, Source.WRITTEN, name, only)
                        chosen.append((position, one.choice.type, made, only))
        for position, type, value, only in chosen:
            self._places.access.store(position, type, value, only, span)

    def _lose(self, external: External, writes: Sequence[Write], arguments: list[Value], span: Span) -> None:
        """Of what lies beyond what is spoken of one by one, nothing is known afterwards."""
        context, terms, memory = self._context, self._context.terms, self._context.memory
        beyond: list[tuple[int, Term]] = []
        given: list[Write | Lost] = [*(w for w in writes if w.reach is not None), *external.lost]
        for one in given:
            pointer = arguments[one.argument]
            assert isinstance(pointer, Term)
            for spot in self._places.targets(pointer, span) if pointer.value != 0 else ():
                if isinstance(one, Lost):
                    cells = lost_cells(memory, spot.address, one)
                else:
                    cells = reached(memory, self._system.program, spot.address, one).beyond
                beyond += [(cell, spot.only) for cell in cells]
        for cell, when in beyond:
            only = self._if_has(context.content(cell), when)
            if only is terms.false:
                continue
            cases = [(only, FOREIGN), (terms.negation(only), context.content(cell))]
            content = FOREIGN if only is terms.true else one_of(terms, cases, context.width(cell))
            context.way.cells[cell] = content

    def _if_there(self, position: int, only: Term) -> Term:
        number = self._context.memory.cell_number(position)
        return only if number < 0 else self._if_has(self._context.content(number), only)

    def _if_has(self, content: Content, only: Term) -> Term:
        """The condition, and that an array of variable length has this place, for which there is room."""
        terms = self._context.terms
        match content:
            case Absent(FaultKind.BOUNDS):
                return terms.false
            case Partly(_, reasons, _):
                lacking = terms.either(*(when for reason, when in reasons if reason is FaultKind.BOUNDS))
                return terms.both(only, terms.negation(lacking))
            case _:
                return only

    def _write(self, name: str, writes: list[Write], arguments: list[Value], span: Span) -> None:
        terms = self._context.terms
        written: list[tuple[Write, Term, Scalar, list[tuple[Term, Term]]]] = []
        # All is chosen before anything is written: that may go wrong.
        for write in writes:
            pointer, choice = arguments[write.argument], write.choice
            assert isinstance(pointer, Term)
            # A null pointer is not written through.
            there = terms.negation(terms.equal(pointer, terms.constant(0, pointer.width)))
            if there is terms.false:
                continue
            if isinstance(choice, Choice):
                values = [(self.choice(choice, Source.WRITTEN, name, there), terms.true)]
                written.append((write, pointer, choice.type, values))
            else:
                written.append((write, pointer, choice.element, self.row(choice, Source.WRITTEN, name, there)))
        for write, pointer, type, row in written:
            step = representation(type).bits
            for spot in self._places.targets(pointer, span):
                if not spot.address:
                    continue
                for at, (value, is_there) in enumerate(row):
                    position = 8 * spot.address + write.position + at * step
                    self._places.access.store(position, type, value, terms.both(spot.only, is_there), span)

    def _hand_over(self, external: External, arguments: list[Value], types: tuple[Type, ...]) -> None:
        """What had no value behind the pointers that a function was given may have one now, which is not known."""
        context = self._context
        declaration = self._system.program.declarations[external.name]
        for number in written_through(declaration, types):
            pointer = arguments[number]
            if number in external.exact or not isinstance(pointer, Term):
                continue
            for spot in self._places.targets(pointer, NOWHERE):
                found = context.memory.object_at(spot.address)
                if found is None or found.readonly:
                    continue
                for cell in range(found.first, found.first + len(found.shape)):
                    before = context.content(cell)
                    context.way.cells[cell] = self._foreign(before, spot.only, context.width(cell))

    def _foreign(self, content: Content, only: Term, width: int) -> Content:
        """The same content where a condition does not hold; where it holds, what was never written is not known."""
        terms = self._context.terms

        def absent(reason: Reason, when: Term) -> list[tuple[Reason, Term]]:
            if reason is not FaultKind.UNINITIALISED:
                return [(reason, when)]
            cases: list[tuple[Reason, Term]]
            cases = [(NotKnown.FOREIGN, terms.both(when, only)), (reason, terms.both(when, terms.negation(only)))]
            return [(one, condition) for one, condition in cases if condition is not terms.false]

        match content:
            case Absent(reason) if only is terms.true:
                return FOREIGN if reason is FaultKind.UNINITIALISED else content
            case Absent(FaultKind.UNINITIALISED):
                return Partly(terms.constant(0, width), tuple(absent(content.kind, terms.true)), None)
            case Partly(value, reasons, None):
                return Partly(value, tuple(one for reason, when in reasons for one in absent(reason, when)), None)
            case _:
                return content


def _runs(values: Sequence[int]) -> list[tuple[int, int]]:
    """Numbers as runs of neighbours."""
    if isinstance(values, range) and values.step == 1:
        return [(values.start, values.stop - 1)] if values else []
    found: list[tuple[int, int]] = []
    for value in sorted(values):
        if found and value == found[-1][1] + 1:
            found[-1] = (found[-1][0], value)
        else:
            found.append((value, value))
    return found
