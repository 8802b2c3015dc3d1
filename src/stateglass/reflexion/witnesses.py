"""Valuations shown to people: run again by the reference semantics, with the lines that were executed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

from stateglass.evidence import MOST_VALUES, Witness
from stateglass.explore import Asking, CallingOut, Exiting, Failing, Machine, Outside, Pause, Returning, Segment, Stable
from stateglass.program import Pointer, Scalar, is_scalar, representation
from stateglass.program.callgraph import reachable
from stateglass.program.names import is_made_up
from stateglass.program.outside import written_through
from stateglass.reflexion.chance import Valuation
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.showing import Showing
from stateglass.reflexion.unknowns import Given
from stateglass.smt import Operator, Term, deciding, evaluate, needed
from stateglass.system import Undefined
from stateglass.values import Concrete


@final
class Rerun:
    """Runs calls again, one after the other."""

    def __init__(self, encoding: Encoding, undefined: Undefined) -> None:
        self._encoding = encoding
        self._unknowns = encoding.unknowns
        program = encoding.unknowns.machine.program
        self._machine = Machine(
            program, Concrete(undefined.wraps), encoding.unknowns.extra, tolerated=undefined.tolerated
        )
        self._initial = self._machine.snapshot(Stable())
        self._lines: dict[int, tuple[tuple[str, int], ...]] = {}
        asking = [n for n in program.functions if is_made_up(n)]
        run = reachable(program, [self._unknowns.function.name, *asking]).functions
        self._texts = Showing(self._machine, run, self._unknowns.called)
        relevant = set(needed([*encoding.formula.roots, *encoding.conditions.values()]))
        self._shown = {t for t in relevant if t.operator is Operator.VARIABLE}

    def witness(self, valuation: Valuation, source: int, target: int) -> Witness:
        """The call with this valuation; it must lead from one state to the other, or we have made a mistake."""
        encoding = self._encoding
        self._reset(valuation)
        self._check(source, valuation, "before")
        before = self._values(valuation)
        deciding = self._deciding(valuation, source, target) if len(before) > MOST_VALUES else None
        lines: dict[tuple[str, int], None] = {}
        pause = self._run(valuation, lines)
        match pause:
            case Failing(kind, span) if target == encoding.numbers.error:
                return Witness(before, self._changes(), tuple(lines), kind, span, deciding)
            case Returning() if target <= encoding.numbers.other:
                self._check(target, valuation, "after")
            case Exiting() | CallingOut() if target == encoding.numbers.exit:
                pass
            case _:
                values = ", ".join(f"{v.extra} = {x}" for v, x in valuation.items())
                foretold = f"`{encoding.name(target)}` was foretold for {values}"
                raise AssertionError(f"{foretold}; what happens is {pause}")
        return Witness(before, self._changes(), tuple(lines), deciding=deciding)

    def before(self, valuation: Valuation) -> tuple[tuple[str, str], ...]:
        """What everything holds before the call with a valuation."""
        self._reset(valuation)
        return self._values(valuation)

    def _reset(self, valuation: Valuation) -> None:
        machine, unknowns = self._machine, self._unknowns
        machine.restore(self._initial)
        for number, content in unknowns.known_cells():
            if isinstance(content, Term) and not unknowns.is_constant(number):
                machine.cells[number] = self._number(content, unknowns.cell(number).type, valuation)
        self._start = list(machine.cells)

    def _number(self, term: Term, type: Scalar, valuation: Valuation) -> int:
        value, plain = evaluate(term, Complete(valuation)), representation(type)
        return value - (1 << plain.bits) if plain.signed and value >> (plain.bits - 1) else value

    def _arguments(self, valuation: Valuation) -> list[Any]:
        given: list[Any] = []
        for parameter, term in zip(self._unknowns.function.parameters, self._unknowns.arguments, strict=True):
            if isinstance(term, Term):
                assert is_scalar(parameter.type)
                given.append(self._number(term, parameter.type, valuation))
            else:
                shape = self._machine.memory.shape(parameter.type)
                given.append(
                    [
                        self._number(t, c.type, valuation) if isinstance(t, Term) else None
                        for t, c in zip(term, shape, strict=True)
                    ]
                )
        return given

    def _run(self, valuation: Valuation, lines: dict[tuple[str, int], None]) -> Pause:
        machine = self._machine
        inputs = self._inputs(valuation)
        visited: list[Segment] = []
        machine.visited = visited
        pause = machine.start(self._unknowns.function.name, self._arguments(valuation))
        while isinstance(pause, Asking | CallingOut) and not self._is_end(pause):
            pause = machine.answer(pause, next(inputs)) if isinstance(pause, Asking) else self._outside(pause, inputs)
        machine.visited = None
        fault = pause.span if isinstance(pause, Failing) else None
        for segment in visited:
            for line in self._lines_of(segment):
                lines[line] = None
                if fault is not None and segment is visited[-1] and line == (fault.file, fault.line):
                    break
        return pause

    def _is_end(self, pause: Pause) -> bool:
        """Whether a function is called that does not come back."""
        return isinstance(pause, CallingOut) and self._machine.program.declarations[pause.function].noreturn

    def _lines_of(self, segment: Segment) -> tuple[tuple[str, int], ...]:
        known = self._lines.get(segment.number)
        if known is None:
            known = self._lines[segment.number] = segment.lines()
        return known

    def _inputs(self, valuation: Valuation) -> Iterator[int]:
        """What came from outside, in the order in which it was asked for."""
        complete = Complete(valuation)
        for fresh in self._encoding.outcome.fresh:
            if evaluate(fresh.when, complete):
                yield self._number(fresh.term, fresh.type, valuation)
        raise AssertionError("the call asks for more than was foretold")

    def _outside(self, pause: CallingOut, inputs: Iterator[int]) -> Pause:
        machine = self._machine
        declaration = machine.program.declarations[pause.function]
        for argument in written_through(declaration, machine.segment(pause.segment).types):
            found = machine.memory.object_at(pause.arguments[argument])
            if found is not None and not found.readonly:
                for number, cell in enumerate(found.shape, found.first):
                    if not isinstance(cell.type, Pointer):
                        machine.cells[number] = next(inputs)
        result = next(inputs) if is_scalar(declaration.result) else None
        return machine.answer(Outside(pause.segment, pause.function, pause.arguments), result)

    def _check(self, number: int, valuation: Valuation, when: str) -> None:
        """Makes sure, by the reference semantics, that a valuation is in the state that was foretold."""
        encoding, hypothesis = self._encoding, self._encoding.hypothesis
        if number < encoding.numbers.states:
            wanted = hypothesis.leaves[number].name
            _must(self._is_in(wanted, valuation), f"the call is not in `{wanted}` {when}, as was foretold")
        else:
            found = [leaf.name for leaf in hypothesis.leaves if self._is_in(leaf.name, valuation)]
            _must(not found, f"the call is in {found} {when}, and in no state was foretold")

    def _is_in(self, name: str, valuation: Valuation) -> bool:
        inner = [leaf.name for leaf in self._encoding.hypothesis.leaves_of(name) if leaf.name != name]
        return self._fits(name, valuation) and not any(self._fits(leaf, valuation) for leaf in inner)

    def _fits(self, name: str, valuation: Valuation) -> bool:
        """Whether the conditions of a state and of those around it hold."""
        hypothesis, machine = self._encoding.hypothesis, self._machine
        for question in (q for state in hypothesis.ancestors(name) for q in hypothesis.questions[state.name]):
            kept = machine.snapshot(Stable())
            pause = machine.start(question, self._arguments(valuation))
            machine.restore(kept)
            if not isinstance(pause, Returning) or not pause.value:
                return False
        return True

    # ---- for people

    def _values(self, valuation: Valuation) -> tuple[tuple[str, str], ...]:
        complete = Complete(valuation)
        shown = self._texts.cells(n for n, u in self._present(complete) if self.matters(u.term))
        for unknown in self._unknowns.parameters:
            value = self._number(unknown.term, unknown.type, valuation)
            shown.append((unknown.name, self._texts.value(value, unknown.type, unknown.name)))
        for fresh in self._encoding.outcome.fresh:
            if evaluate(fresh.when, complete):
                value = self._number(fresh.term, fresh.type, valuation)
                shown.append((fresh.name, self._texts.value(value, fresh.type)))
        return tuple(shown)

    def _deciding(self, valuation: Valuation, source: int, target: int) -> frozenset[str]:
        """The names of what leads a call from one state to another."""
        formula, unknowns = self._encoding.formula, self._unknowns
        found = deciding([formula.here(source), formula.leads_to(target)], Complete(valuation))
        variables = sorted(unknowns.variables.items())
        cells = (number for number, unknown in variables if not found.isdisjoint(needed([unknown.term])))
        others = [(u.name, u.term) for u in unknowns.parameters]
        others += [(f.name, f.term) for f in self._encoding.outcome.fresh]
        names = [name for name, term in others if not found.isdisjoint(needed([term]))]
        return frozenset([*names, *(name for name, _ in self._texts.cells(cells))])

    def text(self, value: int, type: Scalar, name: str) -> str:
        """A value of the variable with a name."""
        return self._texts.value(value, type, name)

    def name_of(self, number: int) -> str | None:
        """The name of a cell that is shown by itself; nothing if it is never shown, None if as part of a union."""
        return self._texts.name(number)

    def values_of(self, valuation: Valuation, terms: list[Term]) -> tuple[tuple[str, str], ...]:
        """The values of the variables that some terms speak of, and of the parameters that they look through."""
        self._reset(valuation)
        mentioned = {t for t in needed(terms) if t.operator is Operator.VARIABLE}
        cells = [n for n, u in self._present(Complete(valuation)) if not mentioned.isdisjoint(needed([u.term]))]
        given = [u for u in self._unknowns.parameters if not mentioned.isdisjoint(needed([u.term]))]
        shown = [(u.name, self.text(self._number(u.term, u.type, valuation), u.type, u.name)) for u in given]
        return (*self._texts.cells(cells), *shown)

    def _present(self, valuation: Complete) -> Iterator[tuple[int, Given]]:
        """What there is before the call with a valuation."""
        for number, unknown in sorted(self._unknowns.variables.items()):
            if evaluate(self._unknowns.present(number), valuation):
                yield number, unknown

    def matters(self, term: Term) -> bool:
        """Whether what is asked depends on an unknown."""
        return any(t in self._shown for t in needed([term]))

    def _changes(self) -> tuple[tuple[str, str], ...]:
        machine = self._machine
        variables = range(machine.first_variable, machine.last_variable)
        changed = (n for n in variables if isinstance(machine.cells[n], int) and machine.cells[n] != self._start[n])
        return tuple(self._texts.cells(changed))


@final
class Complete(dict[Term, int]):
    """A valuation in which everything that does not matter is 0."""

    def __missing__(self, key: Term) -> int:
        return 0


def _must(holds: bool, message: str) -> None:
    """An answer that the reference contradicts is a mistake of ours, and never given."""
    if not holds:
        raise AssertionError(message)
