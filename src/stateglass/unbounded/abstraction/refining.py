"""From an abstract run that does not exist to the questions that rule it out, in as few states as are of use.

The same run never comes again: if all that was found had been asked in its states before, one of its steps would not
be there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Reason
from stateglass.smt import Term
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.beginnings import Beginnings
from stateglass.unbounded.abstraction.candidates import Candidates
from stateglass.unbounded.abstraction.interpolating import Interpolating
from stateglass.unbounded.abstraction.predicates import Predicates, Question, State, whether, which_value
from stateglass.unbounded.abstraction.seeding import Constants
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.paths import variables_of

MOST_VALUES: Final = 128
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
        beginnings = Beginnings(self._abstraction, states, stretches, wanted, self._time)
        longest = beginnings.longest()
        if longest is None:
            return beginnings.walk()
        conditions = Interpolating(self._abstraction, self._candidates, beginnings).conditions(longest)
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
            predicates = predicates.with_more(state.rest, question, state.valuation)
            others = len(question.constants)
            return predicates.with_more_for(state.rest, condition, state.valuation, question, others)
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
        return [state, *sorted({*filter(predicates.is_whole, seen), *predicates.bare(state.rest)})]
