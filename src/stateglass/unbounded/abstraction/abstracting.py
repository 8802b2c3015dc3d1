"""Abstract states and the steps between them, found when they are asked for and kept as long as they are right.

There is a step from one state to another if some values that the first one stands for are led by the stretch to some
that the second one stands for: exactly then, so that the abstraction has no step more than its predicates make it have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.explore.stretches import Flow, Stretch
from stateglass.smt import Answer, Solver, Term, Unanswered
from stateglass.unbounded.abstraction.predicates import Predicates, Split, State, Valuation
from stateglass.unbounded.time import Deadline
from stateglass.work import OutOfTime

STATE: Final = 2
"""What it costs to make an abstract state one of a model, besides the questions about it."""


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A step between abstract states."""

    stretch: int
    target: State


@final
@dataclass(frozen=True, slots=True)
class Known:
    """A stretch where some slots of its source have known values, which makes it smaller."""

    guard: Term
    after: tuple[Term, ...]
    solver: Solver  # for all questions about it and its neighbours
    translated: dict[Term, Term] = field(default_factory=dict)  # from terms of the target to terms of the source

    def before(self, flow: Flow, target: int, term: Term) -> Term:
        """What must hold before the stretch for a condition to hold after it."""
        slots = {s.term: t for s, t in zip(flow.rests[target].slots, self.after, strict=True)}
        return flow.terms.substituted(term, slots, self.translated)


Constants = tuple[tuple[Term, Term], ...]


@final
class Abstraction:
    """The abstract states of a flow. Where nobody looks, nothing is computed.

    `OutOfTime` and `Unanswered` come from any question: what is known by then stays right.
    """

    def __init__(self, flow: Flow, predicates: Predicates, time: Deadline) -> None:
        self.flow = flow
        self.predicates = predicates
        self._time = time
        self._solvers: dict[tuple[int, Constants], Solver] = {}
        self._stretches: dict[tuple[int, Constants], Known] = {}
        # By stretch and valuation of the source: valuations of the target, perhaps shorter than they are by now.
        self._targets: dict[tuple[int, Valuation], tuple[Valuation, ...]] = {}
        self._seen: dict[int, dict[State, None]] = {}  # by rest: the states that steps lead to
        self.questions = 0

    @property
    def start(self) -> State:
        return State(0, ())

    def refine(self, predicates: Predicates) -> None:
        """Goes on with more predicates: trees of questions that have only grown."""
        self.predicates = predicates
        for rest, seen in self._seen.items():
            self._seen[rest] = {state: None for state in seen if predicates.is_whole(state)}

    def seen(self, rest: int) -> list[State]:
        """The states of a rest that steps were found to lead to, in their order."""
        return sorted(self._seen.get(rest, ()))

    def condition(self, state: State) -> Term:
        return self.predicates.condition(state)

    def successors(self, state: State) -> list[Step]:
        """All steps from a state, in the order of stretches and valuations."""
        assert self.predicates.is_whole(state), "only whole states have steps"
        return [
            Step(stretch.number, State(stretch.target, valuation))
            for stretch in self.flow.leaving[state.rest]
            for valuation in self.targets(stretch, state)
        ]

    def targets(self, stretch: Stretch, state: State) -> tuple[Valuation, ...]:
        """Where a stretch leads to from a state."""
        key = stretch.number, state.valuation
        known = self._targets.get(key)
        predicates, rest = self.predicates, stretch.target
        if known is None:
            sure: list[Valuation] = []
            open_ = self._inherited(stretch, state.valuation)
        else:
            sure = [v for v in known if predicates.is_whole(State(rest, v))]
            if len(sure) == len(known):
                return known
            open_ = tuple(v for v in known if not predicates.is_whole(State(rest, v)))
        if open_:
            sure += self._found(stretch, state, open_)
        found = self._targets[key] = tuple(sorted(sure))
        self._seen.setdefault(rest, {}).update((State(rest, valuation), None) for valuation in found)
        return found

    def _inherited(self, stretch: Stretch, valuation: Valuation) -> tuple[Valuation, ...]:
        """Where a stretch may lead to at most: where it led to before the state was told from others."""
        for length in range(len(valuation) - 1, -1, -1):
            known = self._targets.get((stretch.number, valuation[:length]))
            if known is not None:
                return known
        return ((),)

    def _found(self, stretch: Stretch, state: State, within: Sequence[Valuation]) -> list[Valuation]:
        """The valuations that begin like one of some and can be reached."""
        terms, rest = self.flow.terms, stretch.target
        known = self.known(stretch, state)
        if known.guard is terms.false:
            return []
        given = [*self.predicates.literals(state), known.guard]
        if () not in within:
            wanted = [self.predicates.condition(State(rest, beginning)) for beginning in within]
            given.append(known.before(self.flow, rest, terms.either(*wanted)))
        found: list[Valuation] = []
        while self.asked(known.solver, given):
            found.append(self._reached(known, rest))
            # Not one target after the other is asked for: there may be many, and most are not reached.
            reached = self.predicates.condition(State(rest, found[-1]))
            given.append(terms.negation(known.before(self.flow, rest, reached)))
        return found

    def asked(self, solver: Solver, given: list[Term]) -> bool:
        if self.flow.terms.false in given:
            return False
        self.questions += 1
        if self._time.is_over():
            raise OutOfTime
        match solver.check(given):
            case Answer.UNKNOWN:
                raise OutOfTime if solver.late or self._time.is_over() else Unanswered
            case answer:
                return answer is Answer.YES

    def _reached(self, known: Known, rest: int) -> Valuation:
        """The valuation of the target in the valuation of slots that a solver has found."""
        found: list[int] = []
        tree: Split | None = self.predicates.trees[rest]
        while tree is not None:
            question = tree.question
            if question.subject is None:
                answer = known.solver.value(known.before(self.flow, rest, question.cases[1]))
            else:
                answer = question.answer(known.solver.value(known.before(self.flow, rest, question.subject)))
            found.append(answer)
            tree = tree.below[answer]
        return tuple(found)

    def known(self, stretch: Stretch, state: State) -> Known:
        constants = self.constants(state)
        values = tuple(constants.items())
        known = self._stretches.get((stretch.number, values))
        if known is None:
            # One for all that share the first constant: they have much in common, and solvers take space.
            solver = self._solvers.get((state.rest, values[:1]))
            if solver is None:
                solver = self._solvers[state.rest, values[:1]] = Solver(
                    seconds=self._time.left(), shared=self._time.effort
                )
            terms = self.flow.terms
            memory: dict[Term, Term] = {}
            guard = terms.substituted(stretch.guard, constants, memory)
            after = tuple(terms.substituted(term, constants, memory) for term in stretch.after)
            known = self._stretches[stretch.number, values] = Known(guard, after, solver)
        return known

    def place(self, state: State) -> Term:
        """What a state says about which constants slots are equal to: together with the rest, where code stands."""
        questions = self.predicates.questions(state)
        return self.flow.terms.both(*(q.cases[answer] for q, answer in questions if q.subject is not None))

    def constants(self, state: State) -> dict[Term, Term]:
        """The slots whose values are known because the state says which one of some constants they are."""
        return {
            question.subject: value
            for question, answer in self.predicates.questions(state)
            if question.subject is not None and (value := question.constant(answer)) is not None
        }
