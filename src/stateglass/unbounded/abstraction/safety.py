"""Whether a bad rest can be reached, by predicate abstraction: abstract runs to it are refuted until there is none.

Counterexample-guided abstraction refinement [Clarke et al., CAV 2000], with questions that are local to the states of
the run that was refuted [Henzinger et al., POPL 2002] and large blocks [Beyer et al., FMCAD 2009].
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.evidence import Reason
from stateglass.explore.stretches import Flow
from stateglass.smt import Unanswered
from stateglass.unbounded.abstraction.abstracting import Abstraction, Step
from stateglass.unbounded.abstraction.predicates import State
from stateglass.unbounded.abstraction.refining import Refined, Refiner, Stuck
from stateglass.unbounded.abstraction.seeding import Seed, seeded
from stateglass.unbounded.results import GivenUp, Proof, Result, Walk
from stateglass.unbounded.time import Deadline
from stateglass.work import OutOfTime, Progress

ENGINE: Final = "predicate"
STATES: Final = 5
"""To come by so many abstract states costs a unit, besides the questions about them."""


@final
@dataclass(frozen=True, slots=True)
class Run:
    """A run of the abstraction."""

    states: tuple[State, ...]  # one more than steps
    stretches: tuple[int, ...]


def run(flow: Flow, bad: frozenset[int], time: Deadline, progress: Progress, *, seeds: Iterable[Seed] = ()) -> Result:
    """Decides whether one of some rests can be reached."""
    return Loop(flow, bad, time, progress, seeds).run()


@final
class Loop:
    """The loop, and how far it came."""

    def __init__(
        self, flow: Flow, bad: frozenset[int], time: Deadline, progress: Progress, seeds: Iterable[Seed] = ()
    ) -> None:
        self._flow = flow
        self._bad = bad
        self._time = time
        self._progress = progress
        self.abstraction = Abstraction(flow, seeded(flow, seeds), time)
        self._refiner = Refiner(self.abstraction, time)
        self.rounds = 0
        self._predicates = 0
        self.reached: dict[State, tuple[State, Step] | None] = {}

    def run(self) -> Result:
        candidate: Run | None = None
        try:
            while not self._time.is_over():
                self.rounds += 1
                candidate = self._search()
                if candidate is None:
                    return self._proof()
                match self._refiner.refine(candidate.states, candidate.stretches):
                    case Walk() as walk:
                        return Walk(walk.stretches, walk.values, ENGINE, self.rounds, len(self.abstraction.predicates))
                    case Stuck() as stuck:
                        return self._given_up(stuck.reason, stuck.why, candidate)
                    case Refined():
                        pass
                    case other:
                        assert_never(other)
        except OutOfTime:
            pass
        except Unanswered:
            return self._given_up(Reason.SOLVER, "the solver does not know an answer", candidate)
        return self._given_up(Reason.TIMEOUT, "no time is left", candidate)

    def _search(self) -> Run | None:
        """A shortest abstract run to a bad rest."""
        abstraction = self.abstraction
        self._predicates = len(abstraction.predicates)
        start = abstraction.start
        self.reached = {start: None}
        waiting = deque([start])
        visited = 0
        while waiting:
            state = waiting.popleft()
            visited += 1
            if visited % STATES == 0:
                self._time.spend(1)
            for step in abstraction.successors(state):
                if step.target in self.reached:
                    continue
                self.reached[step.target] = state, step
                if step.target.rest in self._bad:
                    return self._back(step.target)
                waiting.append(step.target)
            self._tell()
        return None

    def _tell(self) -> None:
        self._progress("refining", iteration=self.rounds, predicates=self._predicates, states=len(self.reached))

    def _back(self, state: State) -> Run:
        states, stretches = [state], []
        before = self.reached[state]
        while before is not None:
            state, step = before
            states.append(state)
            stretches.append(step.stretch)
            before = self.reached[state]
        return Run(tuple(reversed(states)), tuple(reversed(stretches)))

    def _proof(self) -> Proof:
        """Where abstract states are all that is reached, they are an invariant."""
        terms, predicates = self._flow.terms, self.abstraction.predicates
        conditions = [[predicates.condition(s) for s in self.reached if s.rest == r.number] for r in self._flow.rests]
        return Proof(tuple(terms.either(*found) for found in conditions), ENGINE, self.rounds, len(predicates))

    def _given_up(self, reason: Reason, why: str, candidate: Run | None) -> GivenUp:
        walk = None if candidate is None else Walk(candidate.stretches, (), ENGINE)
        return GivenUp(reason, why, ENGINE, self.rounds, len(self.abstraction.predicates), walk)
