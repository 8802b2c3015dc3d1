"""A hypothesis and the function it is about as one formula: where a valuation is before the call, and where after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore.merging import UNROLL, Event, Kind, Outcome, Runner
from stateglass.explore.merging.contents import Content
from stateglass.program import Bool, Program, Scalar
from stateglass.reflexion.hypothesis import Hypothesis
from stateglass.reflexion.unknowns import Unknowns
from stateglass.smt import Answer, Solver, Term, Terms
from stateglass.values import FaultKind
from stateglass.values.symbolic import Symbolic

WIDTH: Final = 16
"""Bits of the number of a state."""


@final
@dataclass(frozen=True, slots=True)
class Numbers:
    """The states have the numbers of the hypothesis' leaves; behind them come what else a call can lead to."""

    states: int

    @property
    def other(self) -> int:
        return self.states

    @property
    def error(self) -> int:
        return self.states + 1

    @property
    def exit(self) -> int:
        return self.states + 2

    @property
    def unknown(self) -> int:
        return self.states + 3

    @property
    def dropped(self) -> int:
        return self.states + 4


@final
@dataclass(frozen=True, slots=True)
class Encoding:
    """Everything as terms over the unknowns."""

    unknowns: Unknowns
    hypothesis: Hypothesis
    numbers: Numbers
    outcome: Outcome
    counts: Term  # valuations that the hypothesis speaks of
    assumed: tuple[Term, ...]  # each assumption alone
    inside: tuple[Term, ...]  # for each leaf: whether a valuation is in it
    after: tuple[Term, ...]  # whether the function leads there, if it comes back
    source: Term  # the number of the state before the call
    target: Term  # and of what the call leads to
    early: Term  # a number too, if the call does not come back; `other` if it does
    conditions: dict[int, Term]  # of the transitions that have one, by their place in the hypothesis
    undefined: tuple[tuple[str, Term], ...]  # conditions that have no meaning for some valuations

    @property
    def terms(self) -> Terms:
        return self.unknowns.terms

    @property
    def has_loops(self) -> bool:
        return self.outcome.rounds > 0

    def names(self) -> dict[Term, tuple[str, Scalar]]:
        """What the unknowns are called, and their types."""
        unknowns = self.unknowns
        found = {u.term: (u.name, u.type) for u in (*unknowns.variables.values(), *unknowns.parameters)}
        found |= {f.term: (f.name, f.type) for f in self.outcome.fresh}
        # A truth value is one bit in a byte.
        return found | {t.operands[0]: known for t, known in found.items() if isinstance(known[1], Bool)}

    def here(self, number: int) -> Term:
        """Whether a valuation is in a state before the call."""
        return self._one(self.inside, number)

    def leads_to(self, number: int) -> Term:
        """Whether the call leads to a state, or ends as the number says."""
        returns = self.terms.equal(self.early, self.terms.constant(self.numbers.other, WIDTH))
        if number <= self.numbers.other:
            return self.terms.both(returns, self.would_lead_to(number))
        return self.terms.equal(self.early, self.terms.constant(number, WIDTH))

    def would_lead_to(self, number: int) -> Term:
        """The same, as if every call came back: it says less, and is simpler."""
        return self._one(self.after, number) if number <= self.numbers.other else self.terms.false

    def _one(self, states: Sequence[Term], number: int) -> Term:
        # States do not overlap, or there would be no question to answer.
        if number < self.numbers.states:
            return states[number]
        return self.terms.negation(self.terms.either(*states))

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
        wrap: Sequence[FaultKind] = (),
        ignored: frozenset[FaultKind] = frozenset(),
    ) -> None:
        self._hypothesis = hypothesis
        self._terms = Terms()
        self._unknowns = Unknowns(program, program.functions[hypothesis.function], self._terms)
        self._solver: Solver | None = None
        self._undefined: list[tuple[str, Term]] = []
        self._runner = Runner(
            self._unknowns.machine,
            Symbolic(self._terms, wrap),
            self._unknowns.before,
            unroll=unroll,
            feasible=self._feasible,
            ignored=ignored,
        )

    def encode(self) -> Encoding:
        terms, hypothesis = self._terms, self._hypothesis
        numbers = Numbers(len(hypothesis.leaves))
        assumed = [self._probe(f"%assume.{n}", {}) for n in range(len(hypothesis.assumes))]
        before = self._conditions({})
        inside = self._states(before)
        outcome = self._runner.run(hypothesis.function, list(self._unknowns.arguments))
        after_cells = {n: c for n, c in outcome.after.items() if n < self._unknowns.machine.last_variable}
        later = self._conditions(after_cells)
        after = self._states(later)
        early = self._early(outcome.events, numbers)
        returns = terms.equal(early, terms.constant(numbers.other, WIDTH))
        target = terms.choose(returns, self._numbered(after, numbers), early)
        conditions = {
            n: self._probe(f"%transition.{n}", {})
            for n, t in enumerate(hypothesis.transitions)
            if t.condition is not None
        }
        dropped = terms.equal(early, terms.constant(numbers.dropped, WIDTH))
        return Encoding(
            self._unknowns,
            hypothesis,
            numbers,
            outcome,
            terms.both(*assumed, terms.negation(dropped)),
            tuple(assumed),
            tuple(inside),
            tuple(after),
            self._numbered(inside, numbers),
            target,
            early,
            conditions,
            tuple(self._undefined),
        )

    def condition(self, name: str) -> Term:
        """The truth of one more question to the program, before the call."""
        return self._probe(name, {})

    def _feasible(self, condition: Term) -> bool:
        if self._solver is None:
            self._solver = Solver(milliseconds=2000)
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

    def _conditions(self, cells: dict[int, Content]) -> dict[str, Term]:
        """The own condition of each state."""
        return {
            s.name: self._probe(f"%state.{n}", cells)
            for n, s in enumerate(self._hypothesis.states)
            if s.condition is not None
        }

    def _states(self, conditions: dict[str, Term]) -> list[Term]:
        """Each leaf: the conditions of it and around it, without what is inside it."""
        terms, hypothesis = self._terms, self._hypothesis
        whole: dict[str, Term] = {}
        inner: dict[str, list[Term]] = {}
        for leaf in hypothesis.leaves:
            around = hypothesis.ancestors(leaf.name)
            whole[leaf.name] = terms.both(*(conditions[s.name] for s in around if s.name in conditions))
            for state in around[1:]:
                inner.setdefault(state.name, []).append(whole[leaf.name])
        return [
            terms.both(state, terms.negation(terms.either(*inner[name]))) if name in inner else state
            for name, state in whole.items()
        ]

    def _numbered(self, states: Sequence[Term], numbers: Numbers) -> Term:
        terms = self._terms
        result = terms.constant(numbers.other, WIDTH)
        for number, state in reversed(list(enumerate(states))):
            result = terms.choose(state, terms.constant(number, WIDTH), result)
        return result

    def _early(self, events: Sequence[Event], numbers: Numbers) -> Term:
        """How a call ends early: the first event counts."""
        terms = self._terms
        number_of = {
            Kind.FAULT: numbers.error,
            Kind.EXIT: numbers.exit,
            Kind.DROPPED: numbers.dropped,
            Kind.BOUND: numbers.unknown,
            Kind.UNSUPPORTED: numbers.unknown,
        }
        result = terms.constant(numbers.other, WIDTH)
        for event in reversed(events):
            result = terms.choose(event.when, terms.constant(number_of[event.kind], WIDTH), result)
        return result
