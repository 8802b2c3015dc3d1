"""A hypothesis and the function it is about as one formula: where a valuation is before the call, and where after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore.merging import UNROLL, Content, Event, Kind, Outcome, Runner
from stateglass.program import Bool, Pointer, Program, Scalar
from stateglass.reflexion.assumptions import taken_for_granted
from stateglass.reflexion.formula import WIDTH, Formula, Numbers
from stateglass.reflexion.hypothesis import ERROR, EXIT, OTHER, Hypothesis
from stateglass.reflexion.unknowns import Unknowns
from stateglass.smt import Answer, Solver, Term, Terms
from stateglass.system import Undefined

LOOK: Final = 5_000
"""The effort of looking whether a loop goes on."""
ALL_LOOKS: Final = 10 * LOOK
"""And of looking whether any does."""


@final
@dataclass(frozen=True, slots=True)
class Encoding:
    """Everything as terms over the unknowns."""

    unknowns: Unknowns
    hypothesis: Hypothesis
    formula: Formula
    outcome: Outcome
    conditions: dict[int, Term]  # of the transitions that have one, by their place in the hypothesis
    assumed: tuple[Term, ...]  # each assumption alone
    undefined: tuple[tuple[str, Term], ...]  # conditions that have no meaning for some valuations

    @property
    def terms(self) -> Terms:
        return self.unknowns.terms

    @property
    def numbers(self) -> Numbers:
        return self.formula.numbers

    @property
    def counts(self) -> Term:
        return self.formula.counts

    @property
    def inside(self) -> tuple[Term, ...]:
        return self.formula.inside

    @property
    def has_loops(self) -> bool:
        return self.outcome.rounds > 0

    def names(self) -> dict[Term, tuple[str, Scalar]]:
        """What the unknowns are called, and their types."""
        unknowns = self.unknowns
        every = (*unknowns.variables.values(), *unknowns.parameters)
        found: dict[Term, tuple[str, Scalar]] = {
            u.term: (u.name, u.type) for u in every if u.in_c and not isinstance(u.type, Pointer)
        }
        found |= {f.term: (f.name, f.type) for f in self.outcome.fresh}
        # A truth value is one bit in a byte.
        return found | {t.operands[0]: known for t, known in found.items() if isinstance(known[1], Bool)}

    def reached(self) -> dict[Term, Term]:
        """For unknowns behind pointers: the condition under which their name leads to them."""
        unknowns, found = self.unknowns, dict[Term, Term]()
        for number, unknown in unknowns.variables.items():
            when = unknowns.reached(number)
            if when is not self.terms.true:
                found[unknown.term] = when
                if isinstance(unknown.type, Bool):
                    found[unknown.term.operands[0]] = when
        return found

    def here(self, number: int) -> Term:
        """Whether a valuation is in a state before the call."""
        return self.formula.here(number)

    def leads_to(self, number: int) -> Term:
        """Whether the call leads to a state, or ends as the number says."""
        return self.formula.leads_to(number)

    def numbers_of(self, name: str) -> tuple[int, ...]:
        """The numbers of the leaves of a state, or of a pseudo-state."""
        hypothesis, numbers = self.hypothesis, self.numbers
        pseudo = {OTHER: numbers.other, ERROR: numbers.error, EXIT: numbers.exit}
        if name in pseudo:
            return (pseudo[name],)
        return tuple(sorted(hypothesis.numbers[leaf.name] for leaf in hypothesis.leaves_of(name)))

    def name(self, number: int) -> str:
        if number < self.numbers.states:
            return self.hypothesis.leaves[number].name
        return ("other", "error", "exit", "unknown", "dropped")[number - self.numbers.states]


@final
class Encoder:
    """Runs the function and the conditions of the hypothesis."""

    def __init__(
        self,
        program: Program,
        hypothesis: Hypothesis,
        *,
        unroll: int = UNROLL,
        undefined: Undefined | None = None,
    ) -> None:
        undefined = undefined or Undefined()
        self._hypothesis = hypothesis
        self._terms = Terms()
        self._unknowns = Unknowns(
            program, program.functions[hypothesis.function], self._terms, tolerated=undefined.tolerated
        )
        self._unknowns.assumptions |= dict.fromkeys(note.text for note in undefined.notes)
        self._solver: Solver | None = None
        self._undefined: list[tuple[str, Term]] = []
        self._runner = Runner(
            self._unknowns.machine,
            self._terms,
            self._unknowns.before,
            unroll=unroll,
            wraps=undefined.wraps,
            feasible=self._feasible,
            ignored=undefined.left_out,
        )

    def encode(self) -> Encoding:
        terms, hypothesis = self._terms, self._hypothesis
        numbers = Numbers(len(hypothesis.leaves))
        assumed = [self._probe(f"%assume.{n}", {}) for n in range(len(hypothesis.assumes))]
        inside = self._states({})
        outcome = self._runner.run(hypothesis.function, list(self._unknowns.arguments))
        self._unknowns.assumptions |= dict.fromkeys(taken_for_granted(outcome, self._unknowns.machine.program))
        after_cells = {n: c for n, c in outcome.after.items() if n < self._unknowns.machine.last_variable}
        after = self._states(after_cells)
        early = self._early(outcome.events, numbers)
        conditions = {
            n: self._probe(f"%transition.{n}", {})
            for n, t in enumerate(hypothesis.transitions)
            if t.condition is not None
        }
        dropped = terms.equal(early, terms.constant(numbers.dropped, WIDTH))
        return Encoding(
            self._unknowns,
            hypothesis,
            Formula(
                terms,
                terms.both(*assumed, terms.negation(dropped)),
                early,
                tuple(inside),
                tuple(after),
                tuple(e.when for e in outcome.events),
            ),
            outcome,
            conditions,
            tuple(assumed),
            tuple(self._undefined),
        )

    def condition(self, name: str) -> Term:
        """The truth of one more question to the program, before the call."""
        return self._probe(name, {})

    def _feasible(self, condition: Term) -> bool:
        if self._solver is None:
            self._solver = Solver(LOOK, total=ALL_LOOKS)
        return self._solver.check([condition]) is not Answer.NO

    def _probe(self, name: str, cells: dict[int, Content]) -> Term:
        """The truth of a condition; where it has no meaning it does not hold."""
        outcome = self._runner.run(name, list(self._unknowns.arguments), cells)
        value = outcome.value
        content = value[0] if isinstance(value, list) else value
        ends = self._terms.either(*(e.when for e in outcome.events))
        if ends is not self._terms.false:
            self._undefined.append((name, ends))
        if not isinstance(content, Term):
            return self._terms.false
        truth = self._terms.negation(self._terms.equal(content, self._terms.constant(0, content.width)))
        return self._terms.both(truth, self._terms.negation(ends))

    def _states(self, cells: dict[int, Content]) -> list[Term]:
        """For each leaf, that a valuation is in it: its condition and those around it hold, and none inside it."""
        terms, hypothesis = self._terms, self._hypothesis
        asked = dict.fromkeys(q for state in hypothesis.states for q in hypothesis.questions[state.name])
        answers = {question: self._probe(question, cells) for question in asked}
        whole: dict[str, Term] = {}
        inner: dict[str, list[Term]] = {}
        for leaf in hypothesis.leaves:
            around = hypothesis.ancestors(leaf.name)
            whole[leaf.name] = terms.both(*(answers[q] for s in around for q in hypothesis.questions[s.name]))
            for state in around[1:]:
                inner.setdefault(state.name, []).append(whole[leaf.name])
        return [
            terms.both(state, terms.negation(terms.either(*inner[name]))) if name in inner else state
            for name, state in whole.items()
        ]

    def _early(self, events: Sequence[Event], numbers: Numbers) -> Term:
        """How a call ends early, as the number of that end; of several events the first counts."""
        terms = self._terms
        number_of = {
            Kind.FAULT: numbers.error,
            Kind.EXIT: numbers.exit,
            Kind.DROPPED: numbers.dropped,
            Kind.OUTSIDE: numbers.dropped,
            Kind.BOUND: numbers.unknown,
            Kind.UNSUPPORTED: numbers.unknown,
        }
        result = terms.constant(numbers.other, WIDTH)
        for event in reversed(events):
            result = terms.choose(event.when, terms.constant(number_of[event.kind], WIDTH), result)
        return result
