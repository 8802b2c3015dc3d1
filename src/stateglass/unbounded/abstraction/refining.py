"""From an abstract run that does not exist to the questions that rule it out.

Going backwards, each state of the run is given as few conditions as rule out what must not follow; they hold after
every real run along the beginning, so that together they are interpolants. Conditions that the code itself asks, and
those that hold each time the run comes by, are preferred: they are the ones that also rule out longer runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.evidence import Reason
from stateglass.smt import Answer, Solver, Term, Unanswered, evaluated
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.candidates import Candidates
from stateglass.unbounded.abstraction.interpolants import interpolants
from stateglass.unbounded.abstraction.predicates import Predicates, Question, State, whether, which_value
from stateglass.unbounded.abstraction.seeding import Constants
from stateglass.unbounded.paths import Row, variables_of
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline
from stateglass.work import OutOfTime

MOST_CASES: Final = 12
"""So many values of what is chosen are tried before it is said that no condition was found."""

MOST_VALUES: Final = 32
"""A slot that is given at most so many constants is asked for all of them at once."""

SEVERAL: Final = 6
"""What is asked in so many places of a rest is asked in all of them."""


@final
@dataclass(frozen=True, slots=True)
class Refined:
    """The run is ruled out from now on; how many conditions are new."""

    more: int


@final
@dataclass(frozen=True, slots=True)
class Stuck:
    """The run does not exist, or that is not known, and no condition was found that rules it out."""

    reason: Reason
    why: str


@final
class Refiner:
    """Makes the questions of one abstraction more, run by run."""

    def __init__(self, abstraction: Abstraction, time: Deadline) -> None:
        self._abstraction = abstraction
        self._flow = abstraction.flow
        self._time = time
        self._candidates = Candidates(abstraction)
        given = Constants(abstraction.flow).given()
        self._few = {slot: values for slot, values in given.items() if 1 < len(values) <= MOST_VALUES}

    def refine(
        self, states: Sequence[State], stretches: Sequence[int], wanted: Sequence[Term] = ()
    ) -> Refined | Walk | Stuck:
        """Whether a run exists; if it does not, more is asked in its states (one more than stretches).

        What is `wanted` of each state, if anything, is to follow from its answers.
        """
        beginnings = _Beginnings(self._abstraction, states, stretches, wanted, self._time)
        longest = beginnings.longest()
        if longest is None:
            return beginnings.walk()
        conditions = _Interpolating(self._abstraction, self._candidates, beginnings).conditions(longest)
        if conditions is None:
            return Stuck(Reason.ABSTRACTION, "no predicate was found that rules out a run that does not exist")
        predicates = self._abstraction.predicates
        before = len(predicates)
        for state, found in zip(states, conditions, strict=False):
            for condition in found:
                predicates = self._with(predicates, state, condition)
        if predicates is self._abstraction.predicates:
            return Stuck(Reason.ABSTRACTION, "a run that does not exist was not ruled out by what was found about it")
        self._abstraction.refine(predicates)
        return Refined(len(predicates) - before)

    def _with(self, predicates: Predicates, state: State, condition: Term) -> Predicates:
        """One condition more in a state; in all states of its place if it is of use in others already."""
        variables = variables_of([condition])
        if len(variables) == 1 and variables[0] in self._few:
            # A slot that is given few constants: which one it is, so that no other condition about it is needed.
            question = which_value(self._flow.terms, variables[0], self._few[variables[0]])
            for whole in list(predicates.states(state)):
                predicates = predicates.with_more(whole.rest, question, whole.valuation)
            for whole in list(predicates.states(state)):
                if (question, len(question.constants)) in predicates.questions(whole):
                    predicates = predicates.with_more(whole.rest, condition, whole.valuation)
            return predicates
        question = whether(self._flow.terms, condition)
        for other in self._alike(predicates, state, question):
            predicates = predicates.with_more(other.rest, question, other.valuation)
        return predicates

    def _alike(self, predicates: Predicates, state: State, question: Question) -> list[State]:
        """Where else to ask a question: if it was asked before, in the states of the same place that somebody has seen;
        if it was asked in several places, in the states of all places.
        """
        places = predicates.places_with(state.rest, question)
        if not places:
            return [state]
        seen = set(self._abstraction.seen(state.rest))
        if len(places) < SEVERAL:
            place = predicates.place(state)
            return [state, *sorted(other for other in seen if other.valuation[: len(place)] == place)]
        new = (s for s in predicates.states(State(state.rest, ())) if s in seen or predicates.place(s) == s.valuation)
        return [state, *new]


@final
class _Beginnings:
    """The beginnings of an abstract run: what holds after each real run that passes through its first states."""

    def __init__(
        self,
        abstraction: Abstraction,
        states: Sequence[State],
        stretches: Sequence[int],
        wanted: Sequence[Term],
        time: Deadline,
    ) -> None:
        self._flow = abstraction.flow
        self.row = Row(abstraction.flow)
        self.states = states
        self.time = time
        self._solver = Solver(seconds=time.left())
        # In turns: the guard of a stretch, and that it leads to the place of the next state, with what is wanted there.
        # Other predicates of states are left out: a run may be real that they do not know, and what is true of all real
        # runs is needed.
        self._facts: list[Term] = []
        places = [abstraction.place(state) for state in states]
        if wanted:
            places = [abstraction.flow.terms.both(*both) for both in zip(places, wanted, strict=True)]
        for state, number, target, place in zip(states[:-1], stretches, states[1:], places[1:], strict=True):
            stretch = abstraction.flow.stretches[number]
            known = abstraction.known(stretch, state)
            self._facts.append(self.row.go(replace(stretch, guard=known.guard, after=known.after)).guard)
            self._facts.append(self._there(target.rest, self.row.slots, place))
            # What is known of slots there makes all that follows smaller.
            slots, constants = self._flow.rests[target.rest].slots, abstraction.constants(target)
            self.row.slots = tuple(constants.get(s.term, t) for s, t in zip(slots, self.row.slots, strict=True))

    def there(self, position: int, term: Term, memory: dict[Term, Term]) -> Term:
        """A term over the slots of a state as one over all that was chosen before."""
        return self._there(self.states[position].rest, self.row.steps[position].slots, term, memory)

    def _there(self, rest: int, slots: Sequence[Term], term: Term, memory: dict[Term, Term] | None = None) -> Term:
        held = {s.term: t for s, t in zip(self._flow.rests[rest].slots, slots, strict=True)}
        return self._flow.terms.substituted(term, held, memory)

    def longest(self) -> int | None:
        """How many facts can hold together, from the first one on; None: all of them."""
        number = len(self._facts)
        while not self._asked(self._facts[:number]):
            if self._flow.terms.false in self._facts[:number]:
                number = self._facts.index(self._flow.terms.false)
            else:
                number = max(map(self._facts.index, self._solver.core()))
        return number if number < len(self._facts) else None

    def values(self, position: int) -> dict[Term, int]:
        """What the slots of a state hold in the run that was found to exist."""
        slots = self._flow.rests[self.states[position].rest].slots
        held = self.held(self.row.steps[position].slots)
        return {slot.term: value for slot, value in zip(slots, held, strict=True)}

    def walk(self) -> Walk:
        """The run that was found to exist."""
        return self.row.walk({v: self._solver.value(v) for v in variables_of(self._facts)}, "predicate")

    def exists(self, position: int, *also: Term) -> bool:
        """Whether a real run comes to a state, and something else holds."""
        return self._asked([*self._facts[: 2 * position], *also])

    def held(self, terms: Sequence[Term]) -> list[int]:
        """What terms are in the run that was found to exist."""
        values = {v: self._solver.value(v) for v in variables_of(terms)}
        return evaluated(terms, values)

    def _asked(self, given: Sequence[Term]) -> bool:
        if self._flow.terms.false in given:
            return False
        if self.time.is_over():
            raise OutOfTime
        match self._solver.check(given):
            case Answer.UNKNOWN:
                raise OutOfTime if self._solver.late else Unanswered
            case answer:
                return answer is Answer.YES


@final
class _Interpolating:
    """One run, from its end to its beginning."""

    def __init__(self, abstraction: Abstraction, candidates: Candidates, beginnings: _Beginnings) -> None:
        self._abstraction = abstraction
        self._flow = abstraction.flow
        self._candidates = candidates
        self._beginnings = beginnings
        self._states = beginnings.states
        self._held: list[dict[Term, int]] = []  # by position: the slots in one real run

    def conditions(self, longest: int) -> list[list[Term]] | None:
        """For each state before the end of the impossible beginning: conditions that rule it out together."""
        terms = self._flow.terms
        last = longest // 2  # the position from which it does not go on
        # Either its stretch cannot be gone, or it does not lead to the next state.
        wanted = terms.false
        assert self._beginnings.exists(last), "it is possible up to there"
        self._held = [self._beginnings.values(position) for position in range(last + 1)]
        found: list[list[Term]] = [[] for _ in range(last + 1)]
        for position in range(last, -1, -1):
            here = self._conditions(position, wanted, reaching=longest % 2 == 1 or position < last)
            if here is None:
                return None
            found[position] = here
            wanted = terms.both(*here)
            if wanted is terms.true:
                break
        return found

    def _conditions(self, position: int, wanted: Term, reaching: bool) -> list[Term] | None:
        """As few conditions as make a condition hold after a stretch of the row, at least in the next state."""
        terms, state = self._flow.terms, self._states[position]
        stretch = self._beginnings.row.steps[position].stretch
        known = self._abstraction.known(stretch, state)
        unwanted = terms.negation(wanted)
        if reaching:
            unwanted = terms.both(unwanted, self._abstraction.condition(self._states[position + 1]))
        # A run that must not be: from this state over the stretch to where the wanted condition is false.
        run = terms.both(known.guard, known.before(self._flow, stretch.target, unwanted))
        given = [*self._abstraction.predicates.literals(state), run]
        if self._rules_out(known.solver, given):
            return []
        for candidates in self._stages(position, run):
            if self._rules_out(known.solver, [*given, *candidates]):
                core = set(known.solver.core())
                return self._fewest(known.solver, given, [c for c in candidates if c in core])
        return self._cases(known.solver, given, run)

    def _stages(self, position: int, run: Term) -> Iterator[list[Term]]:
        """Conditions that hold after every real run to a position, the most promising ones first.

        Those that hold whenever a real run comes by come before others, and those that the loop keeps before these;
        but first those that the state leaves open, since others only say that the state itself is not reached.
        """
        state = self._states[position]
        asked, more = self._candidates.of(state, run)
        true = self._true_after(position, list(dict.fromkeys([*asked, *more])))
        varied: set[Term] = set()
        for values in self._always(position):
            varied.update(c for c, value in zip(true, evaluated(true, values), strict=True) if not value)
        steady = [c for c in true if c not in varied]
        kept = set(self._kept(position, steady))
        open_ = [c for c in steady if self._abstraction.predicates.holds(state, c) is None]
        plain = {*asked, *map(self._flow.terms.negation, asked)}
        yield [c for c in open_ if c in kept and c in plain]
        yield [c for c in open_ if c in kept]
        yield [c for c in open_ if c in plain]
        yield open_
        yield steady
        yield true
        suggested = self._true_after(position, self._suggested(position, run))
        yield [*suggested, *true]
        yield [*true, *self._true_after(position, self._candidates.exact(run, self._held[position]))]

    def _suggested(self, position: int, run: Term) -> list[Term]:
        """Conditions at a position that Spacer makes of the whole beginning, which ends with a formula there."""
        steps = self._beginnings.row.steps[:position]
        stretches = [self._flow.stretches[step.stretch.number] for step in steps]
        states = self._states[: position + 1]
        found = interpolants(self._abstraction, states, stretches, run, self._beginnings.time)
        return self._candidates.atoms(found[position:])

    def _kept(self, position: int, conditions: list[Term]) -> list[Term]:
        """Those that, if they all hold, hold again after a stretch that leads back at once."""
        terms, state = self._flow.terms, self._states[position]
        for stretch in self._flow.leaving[state.rest]:
            if stretch.target == state.rest:
                known = self._abstraction.known(stretch, state)
                again = {c: known.before(self._flow, state.rest, c) for c in conditions}
                place = self._abstraction.place(state)
                back = terms.both(place, known.before(self._flow, state.rest, place), known.guard)
                while True:
                    lost = terms.negation(terms.both(*(again[c] for c in conditions)))
                    if self._rules_out(known.solver, [*conditions, back, lost]):
                        break
                    conditions = [c for c in conditions if known.solver.value(again[c])]
        return conditions

    def _always(self, position: int) -> list[dict[Term, int]]:
        """What the slots of a place hold each time one real run comes by."""
        place = self._abstraction.place(self._states[position])
        rest = self._states[position].rest
        return [
            values
            for state, values in zip(self._states, self._held, strict=False)
            if state.rest == rest and self._abstraction.place(state) is place
        ]

    def _fewest(self, solver: Solver, given: list[Term], conditions: list[Term]) -> list[Term]:
        """Without those that are not needed; the last ones are the first to go."""
        for condition in reversed(conditions):
            fewer = [c for c in conditions if c is not condition]
            if self._rules_out(solver, [*given, *fewer]):
                conditions = fewer
        return conditions

    def _rules_out(self, solver: Solver, given: list[Term]) -> bool:
        return not self._abstraction.asked(solver, given)

    def _true_after(self, position: int, candidates: Sequence[Term]) -> list[Term]:
        """Of candidates and their negations: those that hold after every run along the stretches before a position."""
        terms = self._flow.terms
        memory: dict[Term, Term] = {}
        there = {c: self._beginnings.there(position, c, memory) for c in candidates}
        assert self._beginnings.exists(position), "the beginning is possible up to here"
        values = self._beginnings.held(list(there.values()))
        # Only a candidate or its negation can hold always: the one that does in the first run that was found.
        left = {
            (c if value else terms.negation(c)): (t if value else terms.negation(t))
            for (c, t), value in zip(there.items(), values, strict=True)
        }
        while True:
            open_ = {c: t for c, t in left.items() if t is not terms.true}
            one_fails = terms.negation(terms.both(*open_.values()))
            if not open_ or not self._beginnings.exists(position, one_fails):
                return list(left)
            values = self._beginnings.held(list(open_.values()))
            for condition, value in zip(open_, values, strict=True):
                if not value:
                    del left[condition]

    def _cases(self, solver: Solver, given: list[Term], run: Term) -> list[Term] | None:
        """What must not hold before the stretch, for enough values of what is chosen on it: weakest preconditions."""
        terms = self._flow.terms
        slots = {slot.term for rest in self._flow.rests for slot in rest.slots}
        chosen = [v for v in variables_of([run]) if v not in slots]
        found: list[Term] = []
        while len(found) < MOST_CASES:
            if self._rules_out(solver, [*given, *found]):
                return found
            values = {
                v: terms.constant(solver.value(v), v.width) if v.width else terms.truth(bool(solver.value(v)))
                for v in chosen
            }
            found.append(terms.negation(terms.substituted(run, values)))
        return None

    def _constant(self, variable: Term, value: int) -> Term:
        terms = self._flow.terms
        return terms.constant(value, variable.width) if variable.width else terms.truth(bool(value))
