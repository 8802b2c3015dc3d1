"""The real runs that begin like an abstract one: how far they come, and what holds there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import final

from stateglass.smt import Answer, Solver, Term, Unanswered, evaluated
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.predicates import State
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.paths import Row, variables_of
from stateglass.work import OutOfTime


@final
class Beginnings:
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
        self._solver = Solver(seconds=time.left(), shared=time.effort)
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
                number = max(map(self._facts.index, self._solver.core()), default=number - 1)
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
